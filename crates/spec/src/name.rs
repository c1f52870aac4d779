//! Identifiers as written.

use crate::Span;
use std::fmt;

/// One identifier. Names compare without regard to case, but keep the spelling of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Ident {
    /// The name without quotes.
    pub value: String,
    pub span: Span,
}

impl Ident {
    /// An identifier at a place in the text.
    pub fn new(value: impl Into<String>, span: Span) -> Self {
        Self { value: value.into(), span }
    }

    /// Spark compares names without regard to case (`spark.sql.caseSensitive=false`).
    pub fn is(&self, other: &str) -> bool {
        self.value.eq_ignore_ascii_case(other) || self.value.to_lowercase() == other.to_lowercase()
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.value)
    }
}

/// A dotted name of one or more parts: a table (`catalog.schema.table`), a column (`t.c`) or a
/// nested field (`t.c.f`).
#[derive(Debug, Clone, PartialEq)]
pub struct Name {
    /// Never empty.
    pub parts: Vec<Ident>,
}

impl Name {
    /// A name of one part.
    pub fn bare(ident: Ident) -> Self {
        Self { parts: vec![ident] }
    }

    /// The text range from the first part to the last.
    pub fn span(&self) -> Span {
        match (self.parts.first(), self.parts.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::default(),
        }
    }

    /// The last part: the table or column itself.
    pub fn last(&self) -> &str {
        self.parts.last().map_or("", |part| part.value.as_str())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (idx, part) in self.parts.iter().enumerate() {
            if idx > 0 {
                f.write_str(".")?;
            }
            f.write_str(&part.value)?;
        }
        Ok(())
    }
}
