//! `<>` between columns that may be NULL.

use super::{text, warning};
use crate::sides::Sides;
use crate::walk::{columns, each};
use spec::{BinaryOp, Diagnostic, Expr, ExprKind, MergeInto, Name};

pub(super) fn check(script: &str, merge: &MergeInto, sides: &Sides, warnings: &mut Vec<Diagnostic>) {
    for condition in merge.matched.iter().filter_map(|clause| clause.condition.as_ref()) {
        each(condition, &mut |inner| {
            let ExprKind::Binary { op: BinaryOp::NotEq, left, right } = &inner.kind else { return };
            let nullable: Vec<&Name> = [left, right].into_iter().filter_map(|side| nullable(side, sides)).collect();
            if nullable.is_empty() || columns(left).is_empty() || columns(right).is_empty() {
                return;
            }
            if nullable.iter().all(|name| is_asked_for_null(condition, name)) {
                return;
            }
            warnings.push(complaint(script, inner, (left, right), nullable[0]));
        });
    }
}

fn complaint(script: &str, whole: &Expr, (left, right): (&Expr, &Expr), name: &Name) -> Diagnostic {
    let (left, right) = (text(script, left), text(script, right));
    warning(
        "NULL_UNSAFE_COMPARISON",
        whole.span,
        format!("`{name}` may be NULL, and then `<>` is neither true nor false: a change from or to NULL is missed."),
        "IS DISTINCT FROM counts NULL as a value of its own, and so does NOT (a <=> b).",
    )
    .with_edit("IS DISTINCT FROM", whole.span, format!("{left} IS DISTINCT FROM {right}"))
    .with_edit("NOT (… <=> …)", whole.span, format!("NOT ({left} <=> {right})"))
}

/// The column that a side is, if it may be NULL.
fn nullable<'a>(side: &'a Expr, sides: &Sides) -> Option<&'a Name> {
    match &side.kind {
        ExprKind::Column(name) => sides.column(name).filter(|column| column.nullable).map(|_| name),
        ExprKind::Cast { expr, .. } => nullable(expr, sides),
        _ => None,
    }
}

/// Whether the condition also says what to do where this column is NULL.
fn is_asked_for_null(condition: &Expr, name: &Name) -> bool {
    let mut found = false;
    each(condition, &mut |inner| {
        if let ExprKind::IsNull { expr, .. } = &inner.kind
            && let ExprKind::Column(asked) = &expr.kind
        {
            found |= asked.to_string().to_lowercase() == name.to_string().to_lowercase();
        }
    });
    found
}
