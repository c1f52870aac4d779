//! The rules. Each looks at one trap and says nothing where it cannot tell.

mod dedupe;
mod delete;
mod key;
mod nullable;
mod window;

use crate::known::Known;
use crate::sides::Sides;
use crate::walk;
use spec::{Cte, Diagnostic, Expr, MergeInto, Query, Span, Statement, StatementKind};

/// Adds the warnings of one statement.
pub(crate) fn check(script: &str, statement: &Statement, known: &Known, warnings: &mut Vec<Diagnostic>) {
    match &statement.kind {
        StatementKind::Merge(merge) => of_merge(script, merge, known, warnings),
        StatementKind::Query(query) => of_query(script, query, warnings),
        StatementKind::CreateView(create) => of_query(script, &create.query, warnings),
        StatementKind::Insert(insert) => of_query(script, &insert.source, warnings),
        StatementKind::CreateTable(create) => {
            create.query.iter().for_each(|query| of_query(script, query, warnings));
        }
        _ => {}
    }
}

fn of_merge(script: &str, merge: &MergeInto, known: &Known, warnings: &mut Vec<Diagnostic>) {
    let sides = Sides::of(merge, known);
    delete::check(merge, warnings);
    key::check(merge, &sides, warnings);
    window::check(script, merge, &sides, warnings);
    nullable::check(script, merge, &sides, warnings);
    let mut ctes: Vec<&Cte> = Vec::new();
    for cte in &merge.ctes {
        walk::selects(&cte.query, &ctes, &mut |select, ctes| dedupe::check(script, select, ctes, warnings));
        ctes.push(cte);
    }
    walk::relation(&merge.source, &ctes, &mut |select, ctes| dedupe::check(script, select, ctes, warnings));
}

fn of_query(script: &str, query: &Query, warnings: &mut Vec<Diagnostic>) {
    walk::selects(query, &[], &mut |select, ctes| dedupe::check(script, select, ctes, warnings));
}

/// A warning of ours; none has an SQLSTATE, for it is no error.
fn warning(rule: &str, span: Span, message: impl Into<String>, why: &str) -> Diagnostic {
    Diagnostic::new(format!("MERGELAB_WARNING.{rule}"), "", message, span).with_hint(why)
}

fn text<'a>(script: &'a str, expr: &Expr) -> &'a str {
    expr.span.of(script)
}
