//! A window of the data that only ON knows of.

use super::{text, warning};
use crate::sides::{Side, Sides};
use crate::walk::{columns, conjuncts, each, relation};
use spec::{BinaryOp, Cte, Diagnostic, Expr, ExprKind, MergeInto, Name, NotMatchedBySourceAction};

pub(super) fn check(script: &str, merge: &MergeInto, sides: &Sides, warnings: &mut Vec<Diagnostic>) {
    for conjunct in conjuncts(&merge.on) {
        let Some(name) = windowed(conjunct, sides) else { continue };
        if let Some(what) = forgets(merge, name, sides) {
            warnings.push(complaint(text(script, conjunct), conjunct, what));
        }
    }
}

fn complaint(text: &str, conjunct: &Expr, what: &str) -> Diagnostic {
    warning(
        "WINDOW_ONLY_IN_ON",
        conjunct.span,
        format!("Only ON knows of `{text}`: {what}"),
        "ON decides what matches, not what the statement is about. Repeat the bound in the conditions of the NOT MATCHED \
         clauses, or filter the source by it.",
    )
}

/// The column of a range predicate over one side alone, e.g. `t.day >= '2026-01-01'`.
fn windowed<'a>(conjunct: &'a Expr, sides: &Sides) -> Option<&'a Name> {
    let is_range = match &conjunct.kind {
        ExprKind::Binary { op, .. } => matches!(op, BinaryOp::Lt | BinaryOp::LtEq | BinaryOp::Gt | BinaryOp::GtEq),
        ExprKind::Between { negated, .. } => !negated,
        _ => false,
    };
    let one_side = matches!(sides.side_of(conjunct), Side::Target | Side::Source);
    columns(conjunct).first().copied().filter(|_| is_range && one_side)
}

/// What goes wrong with the rows outside of the window, if anything does.
fn forgets(merge: &MergeInto, name: &Name, sides: &Sides) -> Option<&'static str> {
    let knows = |condition: &Option<Expr>| condition.as_ref().is_some_and(|condition| names(condition, name));
    let deletes = merge.not_matched_by_source.iter().find(|clause| !knows(&clause.condition));
    if let Some(clause) = deletes {
        return Some(match clause.action {
            NotMatchedBySourceAction::Delete => "target rows outside of it count as missing and are deleted.",
            NotMatchedBySourceAction::Update(_) => "target rows outside of it count as missing and are updated.",
        });
    }
    let inserts = merge.not_matched.iter().any(|clause| !knows(&clause.condition));
    let is_filtered = source_filters(merge).into_iter().any(|filter| names(filter, name));
    // Whether the bound is on the source's side or the target's: a source row beyond it matches nothing.
    let matters = inserts && !is_filtered && sides.side(name) != Side::Unknown;
    matters.then_some("source rows that match nothing within it are inserted, again on every run.")
}

/// Whether an expression names the same column, of whatever side.
fn names(expr: &Expr, name: &Name) -> bool {
    columns(expr).iter().any(|other| other.last().to_lowercase() == name.last().to_lowercase())
}

/// The conditions of the source's own queries.
fn source_filters(merge: &MergeInto) -> Vec<&Expr> {
    let ctes: Vec<&Cte> = merge.ctes.iter().collect();
    let mut filters = Vec::new();
    for cte in &merge.ctes {
        crate::walk::selects(&cte.query, &[], &mut |select, _| filters.extend(&select.filter));
    }
    relation(&merge.source, &ctes, &mut |select, _| filters.extend(&select.filter));
    let mut all = Vec::new();
    filters.into_iter().for_each(|filter| each(filter, &mut |inner| all.push(inner)));
    all
}
