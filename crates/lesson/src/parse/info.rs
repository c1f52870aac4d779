//! The info string of a fence: `<language> <role>[=<name>] [<key>=<value>]…`.

/// An info string taken apart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Info {
    pub(super) language: String,
    pub(super) role: String,
    /// What follows `role=`; empty for none.
    pub(super) name: String,
    /// In order, values without their quotes.
    pub(super) attributes: Vec<(String, String)>,
}

/// Reads an info string, or tells in a sentence what is wrong with it.
pub(super) fn read(text: &str) -> Result<Info, String> {
    let mut words = split(text)?.into_iter();
    let language = words.next().ok_or("a fence needs a language and a role, for instance `sql run`")?;
    let Some(role) = words.next() else {
        return Err(format!("a fence needs a role after `{language}`, for instance `{language} run`"));
    };
    let (role, name) = match role.split_once('=') {
        Some((role, name)) => (role.to_owned(), unquote(name)),
        None => (role, String::new()),
    };
    let mut attributes = Vec::new();
    for word in words {
        let Some((key, value)) = word.split_once('=') else {
            return Err(format!("`{word}` is not of the form key=value"));
        };
        attributes.push((key.to_owned(), unquote(value)));
    }
    Ok(Info { language, role, name, attributes })
}

/// Words between blanks; a double-quoted part may hold blanks.
fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for letter in text.chars() {
        match letter {
            '"' => {
                quoted = !quoted;
                word.push(letter);
            }
            letter if letter.is_whitespace() && !quoted => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            letter => word.push(letter),
        }
    }
    if quoted {
        return Err("a quote is not closed".to_owned());
    }
    if !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

fn unquote(value: &str) -> String {
    value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value).to_owned()
}
