//! MERGE INTO.
//!
//! Spark first reads the whole statement and only then checks what the grammar cannot say. The
//! order of its checks decides which error is shown, so they are collected here and the first
//! one is reported at the end.

use crate::cursor::{Cursor, Parse};
use crate::errors::{self, Failure, condition, databricks_only, expected};
use crate::{dml, expr, query, relation};
use spec::{
    Cte, Expr, MatchedAction, MatchedClause, MergeInto, NotMatchedAction, NotMatchedBySourceAction,
    NotMatchedBySourceClause, NotMatchedClause, Relation, Span, TableAlias, TableTarget,
};

/// Reads a MERGE whose WITH clause was read from `start` on.
pub(crate) fn parse(cursor: &mut Cursor<'_>, ctes: Vec<Cte>, start: Span) -> Parse<MergeInto> {
    cursor.expect("MERGE")?;
    let schema_evolution = cursor.at("WITH");
    if schema_evolution {
        cursor.expect("WITH SCHEMA EVOLUTION")?;
    }
    let head = Span::new(start.start, cursor.here().end);
    cursor.expect("INTO")?;
    let mut checks = Checks::default();
    let target = target(cursor, &mut checks)?;
    cursor.expect("USING")?;
    let source = source(cursor, &mut checks)?;
    cursor.expect("ON")?;
    let on = expr::parse(cursor)?;
    let mut clauses = Clauses::default();
    while cursor.at("WHEN") {
        clause(cursor, &mut clauses, &mut checks)?;
    }
    if !cursor.at_end() {
        return Err(expected(cursor, &["WHEN", "the end of the statement"]));
    }
    clauses.check(&mut checks, head);
    if let Some(first) = checks.found.into_iter().next() {
        return Err(first);
    }
    let Clauses { matched, not_matched, not_matched_by_source, .. } = clauses;
    let span = cursor.since(start);
    Ok(MergeInto { ctes, schema_evolution, target, source, on, matched, not_matched, not_matched_by_source, span })
}

/// What Spark checks once the text is known to follow the grammar, in its order.
#[derive(Default)]
struct Checks {
    found: Vec<Failure>,
}

#[derive(Default)]
struct Clauses {
    matched: Vec<MatchedClause>,
    not_matched: Vec<NotMatchedClause>,
    not_matched_by_source: Vec<NotMatchedBySourceClause>,
    /// `WHEN … MATCHED` of every clause without a condition, by kind and position.
    unconditional: Vec<(Kind, usize, Span)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Matched,
    NotMatched,
    NotMatchedBySource,
}

impl Clauses {
    fn count(&self, kind: Kind) -> usize {
        match kind {
            Kind::Matched => self.matched.len(),
            Kind::NotMatched => self.not_matched.len(),
            Kind::NotMatchedBySource => self.not_matched_by_source.len(),
        }
    }

    fn check(&self, checks: &mut Checks, head: Span) {
        let kinds = [
            (Kind::Matched, "NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION", "WHEN MATCHED"),
            (Kind::NotMatched, "NON_LAST_NOT_MATCHED_BY_TARGET_CLAUSE_OMIT_CONDITION", "WHEN NOT MATCHED"),
            (
                Kind::NotMatchedBySource,
                "NON_LAST_NOT_MATCHED_BY_SOURCE_CLAUSE_OMIT_CONDITION",
                "WHEN NOT MATCHED BY SOURCE",
            ),
        ];
        if kinds.iter().all(|(kind, ..)| self.count(*kind) == 0) {
            let message = "A MERGE needs at least one WHEN clause that says what to do.";
            checks.found.push(condition("MERGE_WITHOUT_WHEN", "42601", message, head));
        }
        for (kind, name, words) in kinds {
            let last = self.count(kind).saturating_sub(1);
            let early = self.unconditional.iter().find(|(other, position, _)| *other == kind && *position < last);
            if let Some((_, _, span)) = early {
                let message = format!(
                    "Only the last {words} clause may stand without an AND condition: this one leaves nothing for \
                     the clauses after it."
                );
                let mut failure = condition(name, "42613", message, *span);
                failure.hint = Some("Add AND with a condition here, or move this clause to the end.".to_owned());
                checks.found.push(failure);
            }
        }
    }
}

fn target(cursor: &mut Cursor<'_>, checks: &mut Checks) -> Parse<TableTarget> {
    let start = cursor.here();
    let name = relation::table_name(cursor)?;
    let alias = relation::alias(cursor)?;
    refuse_columns(alias.as_ref(), cursor, checks);
    Ok(TableTarget { name, alias: alias.map(|alias| alias.name), span: cursor.since(start) })
}

fn source(cursor: &mut Cursor<'_>, checks: &mut Checks) -> Parse<Relation> {
    let start = cursor.here();
    if cursor.at_op("(") {
        let query = Box::new(query::in_parens(cursor)?);
        let alias = relation::alias(cursor)?;
        refuse_columns(alias.as_ref(), cursor, checks);
        return Ok(Relation::Subquery { query, lateral: false, alias, frame: None, span: cursor.since(start) });
    }
    if cursor.at("VALUES") || cursor.at("SELECT") {
        let mut failure = expected(cursor, &["a table", "a query in parentheses"]);
        failure.hint = Some("Write USING (SELECT * FROM VALUES (1, 'a') AS x(id, name)) s.".to_owned());
        return Err(failure);
    }
    let name = relation::table_name(cursor)?;
    if cursor.at_op("(") || cursor.at_any(&["VERSION AS OF", "TIMESTAMP AS OF"]) {
        let mut failure = expected(cursor, &["an alias", "ON"]);
        let text = name.span().of(cursor.text());
        failure.hint = Some(format!("The source is a table or a query: write USING (SELECT * FROM {text} …) s."));
        return Err(failure);
    }
    let alias = relation::alias(cursor)?;
    refuse_columns(alias.as_ref(), cursor, checks);
    Ok(Relation::Table { name, time_travel: None, alias, span: cursor.since(start) })
}

fn refuse_columns(alias: Option<&TableAlias>, cursor: &Cursor<'_>, checks: &mut Checks) {
    let Some(alias) = alias.filter(|alias| !alias.columns.is_empty()) else { return };
    let span = cursor.since(alias.name.span);
    let message = format!("Column names are not allowed after the alias {} in a MERGE.", alias.name);
    let mut failure = condition("COLUMN_ALIASES_NOT_ALLOWED", "42601", message, span);
    failure.hint = Some("Name the columns inside: USING (SELECT * FROM VALUES (1, 'a') AS x(id, name)) s.".to_owned());
    checks.found.push(failure);
}

fn clause(cursor: &mut Cursor<'_>, clauses: &mut Clauses, checks: &mut Checks) -> Parse<()> {
    let start = cursor.here();
    cursor.expect("WHEN")?;
    let kind = kind(cursor)?;
    let header = cursor.since(start);
    refuse_order(clauses, kind, header)?;
    let condition = if cursor.eat("AND") { Some(expr::parse(cursor)?) } else { None };
    if !cursor.eat("THEN") {
        let wanted: &[&str] = if condition.is_some() { &["THEN"] } else { &["AND", "THEN"] };
        return Err(expected(cursor, wanted));
    }
    if condition.is_none() {
        clauses.unconditional.push((kind, clauses.count(kind), header));
    }
    match kind {
        Kind::Matched => {
            let action = matched_action(cursor)?;
            clauses.matched.push(MatchedClause { condition, action, span: cursor.since(start) });
        }
        Kind::NotMatched => {
            let action = insert_action(cursor, checks)?;
            clauses.not_matched.push(NotMatchedClause { condition, action, span: cursor.since(start) });
        }
        Kind::NotMatchedBySource => {
            let action = by_source_action(cursor)?;
            let span = cursor.since(start);
            clauses.not_matched_by_source.push(NotMatchedBySourceClause { condition, action, span });
        }
    }
    Ok(())
}

fn kind(cursor: &mut Cursor<'_>) -> Parse<Kind> {
    if cursor.eat("MATCHED") {
        return Ok(Kind::Matched);
    }
    if !cursor.eat("NOT") {
        return Err(expected(cursor, &["MATCHED", "NOT MATCHED"]));
    }
    cursor.expect("MATCHED")?;
    if !cursor.eat("BY") {
        return Ok(Kind::NotMatched);
    }
    if cursor.eat("SOURCE") {
        Ok(Kind::NotMatchedBySource)
    } else if cursor.eat("TARGET") {
        Ok(Kind::NotMatched)
    } else {
        Err(expected(cursor, &["SOURCE", "TARGET"]))
    }
}

/// The three kinds stand in a fixed order.
fn refuse_order(clauses: &Clauses, kind: Kind, header: Span) -> Parse<()> {
    let too_late = match kind {
        Kind::Matched => !clauses.not_matched.is_empty() || !clauses.not_matched_by_source.is_empty(),
        Kind::NotMatched => !clauses.not_matched_by_source.is_empty(),
        Kind::NotMatchedBySource => false,
    };
    if !too_late {
        return Ok(());
    }
    let (this, after) = match kind {
        Kind::Matched => ("WHEN MATCHED", "WHEN NOT MATCHED"),
        _ => ("WHEN NOT MATCHED", "WHEN NOT MATCHED BY SOURCE"),
    };
    let message = format!("Syntax error: {this} clauses must stand before the {after} clauses.");
    let mut failure = errors::syntax(message, header);
    failure.hint = Some(
        "The order is WHEN MATCHED, then WHEN NOT MATCHED, then WHEN NOT MATCHED BY SOURCE; it changes no result."
            .to_owned(),
    );
    Err(failure)
}

/// An action word that the clause does not take.
fn refuse_action(cursor: &Cursor<'_>, words: &[&str], why: &str) -> Parse<()> {
    if cursor.at_any(words) { Err(errors::at(cursor.text(), cursor.here(), why)) } else { Ok(()) }
}

fn matched_action(cursor: &mut Cursor<'_>) -> Parse<MatchedAction> {
    refuse_action(cursor, &["INSERT"], "a WHEN MATCHED clause can UPDATE or DELETE; only WHEN NOT MATCHED inserts.")?;
    if cursor.eat("DELETE") {
        return Ok(MatchedAction::Delete);
    }
    if !cursor.eat("UPDATE") {
        return Err(expected(cursor, &["UPDATE", "DELETE"]));
    }
    cursor.expect("SET")?;
    if cursor.at_op("*") {
        cursor.advance();
        refuse_star_except(cursor)?;
        return Ok(MatchedAction::UpdateAll);
    }
    Ok(MatchedAction::Update(dml::assignments(cursor)?))
}

fn by_source_action(cursor: &mut Cursor<'_>) -> Parse<NotMatchedBySourceAction> {
    let why = "a WHEN NOT MATCHED BY SOURCE clause can UPDATE or DELETE, for there is no source row to insert.";
    refuse_action(cursor, &["INSERT"], why)?;
    if cursor.eat("DELETE") {
        return Ok(NotMatchedBySourceAction::Delete);
    }
    if !cursor.eat("UPDATE") {
        return Err(expected(cursor, &["UPDATE", "DELETE"]));
    }
    cursor.expect("SET")?;
    if cursor.at_op("*") {
        let why = "UPDATE SET * needs a source row, and WHEN NOT MATCHED BY SOURCE has none; name the columns.";
        return Err(errors::at(cursor.text(), cursor.here(), why));
    }
    Ok(NotMatchedBySourceAction::Update(dml::assignments(cursor)?))
}

fn insert_action(cursor: &mut Cursor<'_>, checks: &mut Checks) -> Parse<NotMatchedAction> {
    let why = "a WHEN NOT MATCHED clause can only INSERT, for there is no target row to change.";
    refuse_action(cursor, &["UPDATE", "DELETE"], why)?;
    let start = cursor.here();
    cursor.expect("INSERT")?;
    if cursor.eat_op("*") {
        refuse_star_except(cursor)?;
        return Ok(NotMatchedAction::InsertAll);
    }
    if cursor.at("BY NAME") {
        let portable = "Write INSERT *, or INSERT (columns) VALUES (expressions).";
        return Err(databricks_only("INSERT BY NAME in a MERGE", cursor.here(), portable));
    }
    if cursor.at("VALUES") {
        let mut failure = expected(cursor, &["'*'", "a list of columns in parentheses"]);
        failure.hint = Some("Write INSERT (columns) VALUES (expressions), or INSERT *.".to_owned());
        return Err(failure);
    }
    if !cursor.at_op("(") {
        return Err(expected(cursor, &["'*'", "a list of columns in parentheses"]));
    }
    let columns = cursor.parens(|cursor| cursor.name("a column"))?;
    cursor.expect("VALUES")?;
    let values: Vec<Expr> = cursor.nested(|cursor| cursor.parens(expr::parse))?;
    if columns.len() != values.len() {
        let message = format!(
            "INSERT names {} {} but gives {} {}.",
            columns.len(),
            if columns.len() == 1 { "column" } else { "columns" },
            values.len(),
            if values.len() == 1 { "value" } else { "values" },
        );
        checks.found.push(condition("_LEGACY_ERROR_TEMP_0006", "", message, cursor.since(start)));
    }
    Ok(NotMatchedAction::Insert { columns, values })
}

fn refuse_star_except(cursor: &Cursor<'_>) -> Parse<()> {
    if cursor.at("EXCEPT") {
        return Err(databricks_only("'* EXCEPT' in a MERGE clause", cursor.here(), "Name the columns one by one."));
    }
    Ok(())
}
