//! `table_changes('table', from[, to])` in FROM, and `table_changes_by_path`: the change feed of a table.

use super::from::qualifier_of;
use super::planner::{Planned, Planner, Result};
use crate::cast::{self, Mode};
use crate::catalog::FeedEnd;
use crate::expr::{Place, Subqueries, at, constant, literal_i64, subqueries_of};
use crate::scope::Scope;
use datafusion::common::ScalarValue;
use delta::schema::DataType;
use spec::{Diagnostic, Expr, ExprKind, Ident, Literal, Name, Span};

const BY_NAME: &str = "table_changes";
const BY_PATH: &str = "table_changes_by_path";

/// Whether the function reads a change feed.
pub(super) fn reads_changes(function: &Name) -> bool {
    [BY_NAME, BY_PATH].iter().any(|name| function.last().eq_ignore_ascii_case(name))
}

impl Planner<'_> {
    pub(super) async fn table_changes(&self, function: &Name, args: &[Expr], span: Span) -> Result<Planned> {
        if function.parts.len() > 1 {
            let message = format!("A table function has no schema: `{function}`.");
            let condition = "INVALID_SQL_SYNTAX.INVALID_TABLE_VALUED_FUNC_NAME";
            return Err(Diagnostic::new(condition, "42000", message, function.span()));
        }
        let (table, from, to) = match args {
            [table, from] => (table, from, None),
            [table, from, to] => (table, from, Some(to)),
            _ => {
                let message = format!(
                    "{function} takes a table, a first and perhaps a last version, not {} arguments.",
                    args.len()
                );
                return Err(Diagnostic::new("INCORRECT_NUMBER_OF_ARGUMENTS", "42605", message, span)
                    .with_hint("Write table_changes('my_table', 1) or table_changes('my_table', 1, 5)."));
            }
        };
        let table = if function.last().eq_ignore_ascii_case(BY_PATH) {
            let part = |text: &str| Ident::new(text, table.span);
            Name { parts: vec![part("delta"), part(self.text_of(table)?)] }
        } else {
            table_name(self.text_of(table)?, table.span)?
        };
        let from = self.feed_end(from)?;
        let to = to.map(|to| self.feed_end(to)).transpose()?;
        let feed = self.catalog.changes(&table, from, to).await?;
        self.scan(&feed, &qualifier_of(&table, feed.identifier()), span)
    }

    /// The first argument: a text.
    fn text_of<'e>(&self, arg: &'e Expr) -> Result<&'e str> {
        if let ExprKind::Literal(Literal::String(text)) = &arg.kind {
            return Ok(text);
        }
        let (scope, subqueries) = (Scope::new(), Subqueries::default());
        self.binder_alone(&scope, &subqueries, Place::Values).bind(arg)?;
        let message = "The first argument of table_changes is the table's name as a text: 'my_table'.";
        Err(Diagnostic::new("DELTA_UNSUPPORTED_EXPRESSION", "0A000", message, arg.span)
            .with_hint("Put the name in quotes."))
    }

    /// A version, or an instant as TIMESTAMP or text.
    fn feed_end(&self, arg: &Expr) -> Result<FeedEnd> {
        let (scope, subqueries) = (Scope::new(), Subqueries::default());
        let mut queries = Vec::new();
        subqueries_of(arg, &mut queries);
        if !queries.is_empty() {
            return Err(not_constant(arg));
        }
        let typed = self.binder_alone(&scope, &subqueries, Place::Values).bind(arg)?;
        let value = constant(self.session, &typed).ok_or_else(|| not_constant(arg))?;
        if value.is_null() {
            let message = "A version of table_changes cannot be NULL.";
            return Err(Diagnostic::new("DELTA_CDC_READ_NULL_RANGE_BOUNDARY", "22004", message, arg.span)
                .with_hint("Leave the last version out to read to the end."));
        }
        match typed.data_type.column() {
            Some(DataType::Int | DataType::Long) => {
                literal_i64(self.session, typed).map(FeedEnd::Version).ok_or_else(|| not_constant(arg))
            }
            Some(DataType::String | DataType::Timestamp) => {
                let instant = cast::cast(self.session, typed, &DataType::Timestamp.into(), Mode::Try);
                match constant(self.session, &at(instant, arg.span)?) {
                    Some(ScalarValue::TimestampMicrosecond(Some(micros), _)) => Ok(FeedEnd::TimestampMicros(micros)),
                    _ => {
                        let message = "This text is no timestamp.";
                        let problem = Diagnostic::new("DELTA_TIMESTAMP_INVALID", "42816", message, arg.span);
                        Err(problem.with_hint("A version is a number without quotes."))
                    }
                }
            }
            _ => {
                let found = typed.data_type.spark_name();
                let message = format!("A version of table_changes is INT, BIGINT, TIMESTAMP or a text, not {found}.");
                Err(Diagnostic::new("DELTA_UNSUPPORTED_EXPRESSION", "0A000", message, arg.span)
                    .with_hint("Give a version number, or a time as a text."))
            }
        }
    }
}

fn not_constant(arg: &Expr) -> Diagnostic {
    let message = "The versions of table_changes must be constants.";
    Diagnostic::new("DELTA_CDC_NON_CONSTANT_ARGUMENT", "42K0H", message, arg.span)
        .with_hint("Write the number or the time itself.")
}

/// The name in a text: parts with dots between them, backquoted where they need it.
fn table_name(text: &str, span: Span) -> Result<Name> {
    let mut parts = vec![String::new()];
    let (mut quoted, mut odd) = (false, false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, parts.last_mut()) {
            ('`', Some(part)) if quoted && characters.peek() == Some(&'`') => {
                characters.next();
                part.push('`');
            }
            ('`', _) => quoted = !quoted,
            ('.', _) if !quoted => parts.push(String::new()),
            (other, Some(part)) => {
                odd |= !quoted && !other.is_alphanumeric() && other != '_';
                part.push(other);
            }
            (_, None) => {}
        }
    }
    if quoted || odd || parts.iter().any(String::is_empty) {
        let message = format!("'{text}' is no name of a table.");
        return Err(Diagnostic::new("PARSE_SYNTAX_ERROR", "42601", message, span)
            .with_hint("Write one to three parts with points between them; quote odd ones with backticks."));
    }
    Ok(Name { parts: parts.into_iter().map(|part| Ident::new(part, span)).collect() })
}
