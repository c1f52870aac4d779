//! An ON that compares no key.

use super::warning;
use crate::sides::{Side, Sides};
use crate::walk::conjuncts;
use spec::{BinaryOp, Diagnostic, Expr, ExprKind, Literal, MergeInto};

pub(super) fn check(merge: &MergeInto, sides: &Sides, warnings: &mut Vec<Diagnostic>) {
    // `ON false` is how one says "insert everything".
    let is_false = matches!(&merge.on.kind, ExprKind::Literal(Literal::Boolean(false)));
    if is_false || conjuncts(&merge.on).into_iter().any(|conjunct| may_compare_keys(conjunct, sides)) {
        return;
    }
    warnings.push(warning(
        "NO_KEY_EQUALITY",
        merge.on.span,
        "ON compares no column of the target with one of the source for equality.",
        "Every pair of rows has to be tried, and nothing keeps several source rows from matching one target row. Add \
         the key: target.key = source.key.",
    ));
}

/// An equality between the two sides, or one whose names are not known.
fn may_compare_keys(conjunct: &Expr, sides: &Sides) -> bool {
    let ExprKind::Binary { op: BinaryOp::Eq | BinaryOp::NullSafeEq, left, right } = &conjunct.kind else {
        return false;
    };
    !matches!(
        (sides.side_of(left), sides.side_of(right)),
        (Side::Neither, _) | (_, Side::Neither) | (Side::Target, Side::Target) | (Side::Source, Side::Source)
    )
}
