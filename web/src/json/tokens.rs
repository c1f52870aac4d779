//! The characters of a JSON text, one token at a time. Nothing here is generic, so it exists once.

use serde::de::{Expected, Unexpected};
use std::fmt::{self, Display};

/// The text is not the JSON that was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misfit {
    pub what: &'static str,
    /// The byte at which the reader stood.
    pub at: usize,
}

impl Display for Misfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at byte {}", self.what, self.at)
    }
}

impl std::error::Error for Misfit {}

/// Reading has failed, and `Tokens` remembers why. It has no size: every field of every struct
/// hands errors on, and that must cost next to no code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Broken;

impl Display for Broken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("broken JSON")
    }
}

impl std::error::Error for Broken {}

// The texts that serde would format are left out on purpose: they would be most of the code.
impl serde::de::Error for Broken {
    fn custom<T: Display>(_: T) -> Self {
        Broken
    }

    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Broken
    }

    fn invalid_value(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Broken
    }

    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Broken
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Broken
    }

    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        Broken
    }

    fn missing_field(_: &'static str) -> Self {
        Broken
    }

    fn duplicate_field(_: &'static str) -> Self {
        Broken
    }
}

/// What a value begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Bool,
    Number,
    Text,
    List,
    Object,
}

/// A place in a text.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    misfit: Option<Misfit>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Tokens { text, at: 0, misfit: None }
    }

    /// An error here. The first one is kept: those behind it are its consequences.
    #[cold]
    #[inline(never)]
    pub(super) fn wrong(&mut self, what: &'static str) -> Broken {
        self.misfit.get_or_insert(Misfit { what, at: self.at });
        Broken
    }

    /// What went wrong first, after something did.
    pub(super) fn misfit(&self) -> Misfit {
        self.misfit.unwrap_or(Misfit { what: "a value that does not fit", at: self.at })
    }

    /// Where the next token is looked for.
    pub(super) fn place(&self) -> usize {
        self.at
    }

    /// Goes back or forth to a place.
    pub(super) fn go(&mut self, place: usize) {
        self.at = place;
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next character that is not white space, without taking it.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    /// Whether only white space is left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Takes a punctuation character if it is next.
    pub(super) fn take(&mut self, character: u8) -> bool {
        let is_next = self.peek() == Some(character);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn expect(&mut self, character: u8, what: &'static str) -> Result<(), Broken> {
        if self.take(character) { Ok(()) } else { Err(self.wrong(what)) }
    }

    pub(super) fn kind(&mut self) -> Result<Kind, Broken> {
        match self.peek() {
            Some(b'n') => Ok(Kind::Null),
            Some(b't' | b'f') => Ok(Kind::Bool),
            Some(b'"') => Ok(Kind::Text),
            Some(b'[') => Ok(Kind::List),
            Some(b'{') => Ok(Kind::Object),
            Some(b'-' | b'0'..=b'9') => Ok(Kind::Number),
            _ => Err(self.wrong("no value")),
        }
    }

    fn word(&mut self, word: &str) -> bool {
        let is_next = self.peek().is_some() && self.rest().starts_with(word);
        if is_next {
            self.at += word.len();
        }
        is_next
    }

    pub(super) fn null(&mut self) -> Result<(), Broken> {
        if self.word("null") { Ok(()) } else { Err(self.wrong("not null")) }
    }

    pub(super) fn boolean(&mut self) -> Result<bool, Broken> {
        match (self.word("true"), self.word("false")) {
            (true, _) => Ok(true),
            (_, true) => Ok(false),
            _ => Err(self.wrong("not a truth value")),
        }
    }

    /// A whole number of 64 bits with a sign. A fraction, an exponent and more bits are a misfit: the
    /// page's data has none.
    pub(super) fn integer(&mut self) -> Result<i64, Broken> {
        self.peek();
        let rest = self.rest();
        let len = rest.find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        let number = rest.get(..len).and_then(|digits| digits.parse().ok());
        let number = number.ok_or_else(|| self.wrong("not a whole number"))?;
        self.at += len;
        Ok(number)
    }

    /// A text without its quotes and escapes.
    pub(super) fn string(&mut self) -> Result<String, Broken> {
        self.expect(b'"', "not a text")?;
        let mut string = String::new();
        loop {
            let rest = self.rest();
            let len = rest.find(['"', '\\']).ok_or_else(|| self.wrong("a text without an end"))?;
            string.push_str(rest.get(..len).unwrap_or_default());
            self.at += len + 1;
            if rest.as_bytes().get(len) == Some(&b'"') {
                return Ok(string);
            }
            string.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, Broken> {
        let escaped = self.rest().chars().next().ok_or_else(|| self.wrong("a text without an end"))?;
        self.at += escaped.len_utf8();
        match escaped {
            '"' | '\\' | '/' => Ok(escaped),
            'b' => Ok('\u{8}'),
            'f' => Ok('\u{c}'),
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            'u' => self.unicode(),
            _ => Err(self.wrong("an unknown escape")),
        }
    }

    fn unicode(&mut self) -> Result<char, Broken> {
        let first = self.hex()?;
        // A character beyond the first plane is written as two halves.
        let code = if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
            self.at += 2;
            let second = self.hex()?;
            match second {
                0xdc00..0xe000 => 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00),
                _ => first,
            }
        } else {
            first
        };
        char::from_u32(code).ok_or_else(|| self.wrong("half a character"))
    }

    fn hex(&mut self) -> Result<u32, Broken> {
        let digits = self.rest().get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let code = digits.ok_or_else(|| self.wrong("an unknown escape"))?;
        self.at += 4;
        Ok(code)
    }

    /// Passes over a value that nobody wants.
    pub(super) fn skip(&mut self) -> Result<(), Broken> {
        match self.kind()? {
            Kind::Null => self.null(),
            Kind::Bool => self.boolean().map(drop),
            Kind::Text => self.skip_string(),
            Kind::Number => {
                let rest = self.rest();
                self.at += rest.find([',', ']', '}', ' ', '\n', '\r', '\t']).unwrap_or(rest.len());
                Ok(())
            }
            Kind::List => {
                self.take(b'[');
                let mut is_first = true;
                while self.item(&mut is_first, b']')? {
                    self.skip()?;
                }
                Ok(())
            }
            Kind::Object => {
                self.take(b'{');
                let mut is_first = true;
                while self.item(&mut is_first, b'}')? {
                    self.skip_string()?;
                    self.expect(b':', "no colon")?;
                    self.skip()?;
                }
                Ok(())
            }
        }
    }

    fn skip_string(&mut self) -> Result<(), Broken> {
        self.expect(b'"', "not a text")?;
        loop {
            let rest = self.rest();
            let len = rest.find(['"', '\\']).ok_or_else(|| self.wrong("a text without an end"))?;
            let is_end = rest.as_bytes().get(len) == Some(&b'"');
            self.at += len + 1;
            if is_end {
                return Ok(());
            }
            self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        }
    }

    /// Passes over an object and tells where the values of the named members start.
    pub(super) fn members(&mut self, names: &[&str]) -> Result<Vec<Option<usize>>, Broken> {
        self.expect(b'{', "not an object")?;
        let mut starts = vec![None; names.len()];
        let mut is_first = true;
        while self.item(&mut is_first, b'}')? {
            let name = self.string()?;
            self.expect(b':', "no colon")?;
            let idx = names.iter().position(|known| *known == name);
            if let Some(start) = idx.and_then(|idx| starts.get_mut(idx)) {
                *start = Some(self.at);
            }
            self.skip()?;
        }
        Ok(starts)
    }

    /// Whether another item of a list or object follows; takes the comma before it or the end.
    pub(super) fn item(&mut self, is_first: &mut bool, end: u8) -> Result<bool, Broken> {
        if self.take(end) {
            return Ok(false);
        }
        if !std::mem::replace(is_first, false) {
            self.expect(b',', "no comma")?;
        }
        Ok(true)
    }
}

/// The text of one member of an object, as it stands there; `None` if there is no such member.
pub fn member<'a>(object: &'a str, name: &str) -> Result<Option<&'a str>, Misfit> {
    let mut tokens = Tokens::new(object);
    let found = find_member(&mut tokens, name).map_err(|Broken| tokens.misfit())?;
    Ok(found.and_then(|(start, end)| object.get(start..end)))
}

fn find_member(tokens: &mut Tokens<'_>, name: &str) -> Result<Option<(usize, usize)>, Broken> {
    let Some(start) = tokens.members(&[name])?.first().copied().flatten() else { return Ok(None) };
    tokens.go(start);
    tokens.skip()?;
    Ok(Some((start, tokens.at)))
}
