//! JSON text, indented for reading.

/// The same JSON with one member or item per line. Text that is not JSON comes out as garbled as
/// it went in; nothing but white space outside of texts is added or taken away.
pub fn pretty(json: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    let mut characters = json.chars().filter(|c| !c.is_control()).peekable();
    let mut in_text = false;
    let mut escaped = false;
    while let Some(character) = characters.next() {
        if in_text {
            out.push(character);
            (in_text, escaped) = (escaped || character != '"', !escaped && character == '\\');
            continue;
        }
        match character {
            ' ' => {}
            '{' | '[' => {
                out.push(character);
                while characters.next_if_eq(&' ').is_some() {}
                if let Some(end) = characters.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(end);
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(character);
            }
            ',' => {
                out.push(character);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => {
                in_text = character == '"';
                out.push(character);
            }
        }
    }
    out
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}
