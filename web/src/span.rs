//! Byte ranges of the engine in the text of a browser, which counts UTF-16 units.

/// A byte range as text positions, or `None` if it does not lie on characters of `text`.
pub fn slice(text: &str, span: (u32, u32)) -> Option<&str> {
    text.get(span.0 as usize..span.1 as usize)
}

/// How many UTF-16 units lie before a byte position; positions past the end count the whole text.
pub fn utf16_offset(text: &str, byte: u32) -> u32 {
    let before = text.char_indices().take_while(|(at, _)| *at < byte as usize);
    before.map(|(_, character)| character.len_utf16() as u32).sum()
}

/// Line and column of a byte position, both from 1, columns in characters.
pub fn line_column(text: &str, byte: u32) -> (usize, usize) {
    let before: String = text.char_indices().take_while(|(at, _)| *at < byte as usize).map(|(_, c)| c).collect();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|character| *character != '\n').count() + 1;
    (line, column)
}

/// The text with a range replaced, or `None` if the range does not lie on characters of `text`.
pub fn replace(text: &str, span: (u32, u32), replacement: &str) -> Option<String> {
    slice(text, span)?;
    let (start, end) = (span.0 as usize, span.1 as usize);
    Some(format!("{}{replacement}{}", text.get(..start)?, text.get(end..)?))
}

#[cfg(test)]
mod tests {
    use super::{line_column, replace, utf16_offset};

    #[test]
    fn characters_outside_the_first_plane_count_twice() {
        let text = "é😀x";
        assert_eq!(utf16_offset(text, 0), 0);
        assert_eq!(utf16_offset(text, 2), 1);
        assert_eq!(utf16_offset(text, 6), 3);
        assert_eq!(utf16_offset(text, 99), 4);
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        assert_eq!(line_column("ab\ncd", 0), (1, 1));
        assert_eq!(line_column("ab\ncd", 4), (2, 2));
        assert_eq!(line_column("é\n", 2), (1, 2));
    }

    #[test]
    fn a_range_inside_a_character_is_refused() {
        assert_eq!(replace("aéb", (1, 3), "e").as_deref(), Some("aeb"));
        assert_eq!(replace("aéb", (2, 3), "e"), None);
        assert_eq!(replace("a", (1, 9), "e"), None);
        assert_eq!(replace("ab", (2, 1), "e"), None);
    }
}
