//! Made-up rows. Keys of target and source overlap, so that a MERGE has rows to update, to insert and to leave.

use crate::graph::Constant;
use crate::kind::Kind;

/// One column of a table and what its values must be like.
#[derive(Debug)]
pub(crate) struct Column<'a> {
    pub(crate) name: &'a str,
    pub(crate) kind: Kind,
    pub(crate) constants: &'a [Constant],
    pub(crate) is_key: bool,
}

/// Rows per table: targets have keys 1 to 6, sources 4 to 9.
const N_ROWS: usize = 6;
const FIRST_OF_SOURCE: usize = 4;

/// The keys of a table's rows.
pub(crate) fn keys(is_target: bool) -> Vec<usize> {
    let first = if is_target { 1 } else { FIRST_OF_SOURCE };
    (first..first + N_ROWS).collect()
}

/// The value of a column in the row with this key, as SQL.
pub(crate) fn value(column: &Column<'_>, key: usize, is_target: bool) -> String {
    let equal: Vec<&Constant> = column.constants.iter().filter(|constant| constant.is_equal).collect();
    if column.is_key {
        return match equal.get(key % equal.len().max(1)) {
            Some(constant) => constant.sql.clone(),
            None => key_value(column, key),
        };
    }
    if let Some(sql) = of_constants(column, &equal, key) {
        return sql;
    }
    plain(column, key, is_target)
}

fn key_value(column: &Column<'_>, key: usize) -> String {
    match column.kind {
        Kind::Text => format!("'{}-{key}'", letters(column.name)),
        Kind::Boolean => "true".to_owned(),
        Kind::Whole => key.to_string(),
        Kind::Decimal => format!("{key}.00"),
        Kind::Double => format!("{key}D"),
        Kind::Date => format!("DATE'2026-01-{:02}'", 5 + key),
        Kind::Timestamp => format!("TIMESTAMP'2026-01-{:02} 09:00:00'", 5 + key),
    }
}

/// Compared with constants: those, one after the other, and now and then another value.
fn of_constants(column: &Column<'_>, equal: &[&Constant], key: usize) -> Option<String> {
    if column.kind == Kind::Boolean {
        return equal.first().map(|constant| constant.sql.clone());
    }
    let n_choices = equal.len() + 1;
    let choice = equal.get(key % n_choices).map(|constant| constant.sql.clone());
    if choice.is_some() {
        return choice;
    }
    let border = column.constants.iter().find(|constant| !constant.is_equal)?;
    let above = key.is_multiple_of(2);
    match column.kind {
        Kind::Whole | Kind::Decimal | Kind::Double => {
            let number: f64 = border.sql.trim_end_matches('D').parse().ok()?;
            let moved = if above { number + 10.0 } else { number - 10.0 };
            Some(if column.kind == Kind::Whole { format!("{moved:.0}") } else { format!("{moved:.2}") })
        }
        // The day of the border is on its far side for `<` and `>` alike.
        Kind::Date | Kind::Timestamp if above && border.kind >= Kind::Date => Some(typed(column.kind, &border.sql)),
        _ => None,
    }
}

fn typed(kind: Kind, sql: &str) -> String {
    let text = if sql.starts_with('\'') { sql.to_owned() } else { format!("'{sql}'") };
    if kind == Kind::Date { format!("CAST({text} AS DATE)") } else { format!("CAST({text} AS TIMESTAMP)") }
}

/// Differs between target and source, so that an update shows.
fn plain(column: &Column<'_>, key: usize, is_target: bool) -> String {
    match column.kind {
        Kind::Text if is_target => format!("'{} {key}'", words(column.name)),
        Kind::Text => format!("'new {} {key}'", words(column.name)),
        Kind::Boolean => "true".to_owned(),
        Kind::Whole => (10 * key + usize::from(!is_target)).to_string(),
        Kind::Decimal => format!("{}.{}", 10 * key, if is_target { "00" } else { "50" }),
        Kind::Double => format!("{}.{}D", 10 * key, if is_target { "0" } else { "5" }),
        Kind::Date if opens_end(column.name) => "NULL".to_owned(),
        Kind::Date => format!("DATE'2026-01-{:02}'", day(key, is_target)),
        Kind::Timestamp if opens_end(column.name) => "NULL".to_owned(),
        Kind::Timestamp => format!("TIMESTAMP'2026-01-{:02} 09:00:00'", day(key, is_target)),
    }
}

/// Sources are younger than targets, and all are before the sandbox's day.
fn day(key: usize, is_target: bool) -> usize {
    if is_target { 4 + key } else { 5 + key }
}

/// The end of an interval that is still open.
fn opens_end(name: &str) -> bool {
    let name = name.to_lowercase();
    name.starts_with("end") || name.starts_with("valid_to") || name.ends_with("_to") || name.starts_with("expir")
}

fn words(name: &str) -> String {
    name.replace(['_', '\'', '\\'], " ")
}

fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphabetic).take(1).collect::<String>().to_lowercase()
}
