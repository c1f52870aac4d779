//! One statement: by its first word to the parser that reads the rest.

use crate::cursor::{Cursor, Parse};
use crate::errors::{expected, unsupported};
use crate::{alter, command, ddl, dml, merge, query, refused, show};
use spec::{Span, Statement, StatementKind};

/// First words of the statements that run.
pub(crate) const VERBS: &[&str] = &[
    "SELECT", "MERGE", "INSERT", "UPDATE", "DELETE", "CREATE", "REPLACE", "DROP", "DESCRIBE", "DESC", "SHOW", "WITH",
    "VALUES", "TABLE", "SET", "USE", "ALTER", "COMMENT", "OPTIMIZE", "VACUUM", "RESTORE", "TRUNCATE", "REORG", "RESET",
];

/// Reads a statement up to the end of its lexemes.
pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Parse<Statement> {
    let start = cursor.here();
    let kind = kind(cursor, start)?;
    cursor.finish()?;
    Ok(Statement { kind, span: cursor.since(start) })
}

fn kind(cursor: &mut Cursor<'_>, start: Span) -> Parse<StatementKind> {
    refused::statement(cursor)?;
    let Some(word) = cursor.word() else {
        if cursor.at_op("(") {
            return Ok(StatementKind::Query(Box::new(query::parse(cursor)?)));
        }
        return Err(expected(cursor, &["a statement such as SELECT", "MERGE"]));
    };
    match word.to_ascii_uppercase().as_str() {
        "MERGE" => Ok(StatementKind::Merge(Box::new(merge::parse(cursor, Vec::new(), start)?))),
        "INSERT" => Ok(StatementKind::Insert(Box::new(dml::insert(cursor, Vec::new())?))),
        "UPDATE" => Ok(StatementKind::Update(Box::new(dml::update(cursor)?))),
        "DELETE" => Ok(StatementKind::Delete(Box::new(dml::delete(cursor)?))),
        "CREATE" | "REPLACE" => ddl::create(cursor),
        "DROP" => ddl::drop(cursor),
        "ALTER" => alter::parse(cursor),
        "COMMENT" => ddl::comment_on(cursor),
        "DESCRIBE" | "DESC" => show::describe(cursor),
        "SHOW" => show::show(cursor),
        "OPTIMIZE" => command::optimize(cursor),
        "REORG" => command::reorg(cursor),
        "VACUUM" => command::vacuum(cursor),
        "RESTORE" => command::restore(cursor),
        "TRUNCATE" => command::truncate(cursor),
        "RESET" => command::reset(cursor),
        "SET" => show::set(cursor),
        "USE" => show::use_schema(cursor),
        "WITH" => with(cursor, start),
        "SELECT" | "VALUES" | "TABLE" | "FROM" => Ok(StatementKind::Query(Box::new(query::parse(cursor)?))),
        _ => Err(unknown(cursor)),
    }
}

/// A word that starts no statement; the message is short, the list of candidates long.
fn unknown(cursor: &Cursor<'_>) -> crate::errors::Failure {
    let mut failure = expected(cursor, &["a statement such as SELECT, MERGE or INSERT"]);
    *failure = crate::errors::with_respelling((*failure).clone(), cursor, cursor.here(), VERBS);
    failure
}

fn with(cursor: &mut Cursor<'_>, start: Span) -> Parse<StatementKind> {
    let ctes = query::with(cursor)?;
    if cursor.at("MERGE") {
        return Ok(StatementKind::Merge(Box::new(merge::parse(cursor, ctes, start)?)));
    }
    if cursor.at("INSERT") {
        return Ok(StatementKind::Insert(Box::new(dml::insert(cursor, ctes)?)));
    }
    if let Some(verb) = ["UPDATE", "DELETE"].into_iter().find(|verb| cursor.at(verb)) {
        return Err(unsupported(format!("WITH before {verb}"), start));
    }
    let query = cursor.nested(|cursor| query::after_with(cursor, ctes, start))?;
    Ok(StatementKind::Query(Box::new(query)))
}
