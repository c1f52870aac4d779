//! Spark SQL text to [`spec`].
//!
//! A hand-written tokenizer and recursive-descent parser that follows the grammar of Spark 4.0 in
//! its default keyword mode, where nearly every keyword may also be a name. Every node carries the
//! exact range of its text. Two limits keep any input safe on the small stack of a wasm worker:
//! how deep the text may nest and how tall an expression may grow; both are in `cursor`.
//!
//! Forms that only differ in writing are given to the engine in one shape: `EXTRACT(f FROM x)` is
//! `extract('f', x)`, `TRIM(BOTH y FROM x)` is `btrim(x, y)`, `LEADING` and `TRAILING` are
//! `ltrim(y, x)` and `rtrim(y, x)` (Spark's order of arguments), `SUBSTRING(x FROM a FOR b)` is
//! `substring(x, a, b)`, `POSITION(a IN b)` is `position(a, b)`, `OVERLAY(…)` is
//! `overlay(x, y, p, n)`, `DATEDIFF(unit, a, b)` is `timestampdiff('unit', a, b)`, `DATEADD` is
//! `timestampadd('unit', n, x)`, shifts are `shiftleft`, `shiftright` and `shiftrightunsigned`, a row
//! `(a, b)` is `struct(a, b)`, and a struct with aliases is `named_struct('x', a, …)`.

mod alter;
mod call;
mod command;
mod cursor;
mod datetime;
mod ddl;
mod dml;
mod errors;
mod expr;
mod interval;
mod keywords;
mod lexer;
mod literal;
mod merge;
mod primary;
mod python;
mod query;
mod refused;
mod relation;
mod script;
mod select;
mod show;
mod statement;
mod types;
mod window;

pub use keywords::{Token, TokenKind};

use cursor::{Cursor, Parse};
use spec::{DataType, Diagnostic, Expr, Query, SelectItem, Statement};

/// What a script holds: the statements that could be read, in the order of the text, and a
/// complaint for each that could not. A broken statement ends at the next top-level semicolon.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parsed {
    pub statements: Vec<Statement>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a script of statements separated by `;`. Never fails as a whole: see [`Parsed`].
///
/// Text that looks like Python is answered by one `MERGELAB_LOOKS_LIKE_PYTHON`; the SQL beside it
/// is still read.
pub fn parse(text: &str) -> Parsed {
    script::parse(text)
}

/// Reads one expression that fills the whole text, e.g. a CHECK constraint from table metadata.
#[allow(clippy::result_large_err, reason = "a cold path, and the plain type is easier to use")]
pub fn parse_expr(text: &str) -> Result<Expr, Diagnostic> {
    whole(text, expr::parse)
}

/// Reads one data type that fills the whole text, e.g. `STRUCT<a: INT>`.
#[allow(clippy::result_large_err, reason = "a cold path, and the plain type is easier to use")]
pub fn parse_data_type(text: &str) -> Result<DataType, Diagnostic> {
    whole(text, types::parse)
}

/// Reads one query that fills the whole text, without a semicolon.
#[allow(clippy::result_large_err, reason = "a cold path, and the plain type is easier to use")]
pub fn parse_query(text: &str) -> Result<Query, Diagnostic> {
    whole(text, query::parse)
}

/// Reads the items of a select list that fill the whole text: expressions with their aliases, `*`.
#[allow(clippy::result_large_err, reason = "a cold path, and the plain type is easier to use")]
pub fn parse_select_items(text: &str) -> Result<Vec<SelectItem>, Diagnostic> {
    whole(text, select::items)
}

/// The words that the grammar knows, in upper case and sorted.
pub fn keywords() -> &'static [&'static str] {
    keywords::all()
}

/// Every token of the text in order, comments included, white space left out. Works on any text.
pub fn tokens(text: &str) -> Vec<Token> {
    keywords::classify(text, &lexer::lex(text))
}

#[allow(clippy::result_large_err, reason = "serves the public functions above")]
fn whole<T>(text: &str, parse: impl Fn(&mut Cursor<'_>) -> Parse<T>) -> Result<T, Diagnostic> {
    let lexemes = lexer::significant(text);
    let mut cursor = Cursor::new(text, &lexemes);
    let parsed = parse(&mut cursor).and_then(|value| cursor.finish().map(|()| value));
    parsed.map_err(|failure| *cursor.blame_alias(failure))
}
