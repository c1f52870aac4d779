//! What the reference's optimiser sees of an ON condition before any row is read: that no pair can meet it, or no row of one
//! side. Rows do not depend on it; what is read, and so counted, does.

use crate::expr::{Bound, columns_of, fold, position};
use crate::ops::unguarded;
use crate::predicate::{CompareOp, Predicate, predicate};
use datafusion::common::ScalarValue;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::logical_expr::expr::Case;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, lit};
use std::collections::{BTreeMap, BTreeSet};

/// Which sides of a join hold no row that meets the condition, as far as that can be seen from its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Empty {
    pub target: bool,
    pub source: bool,
}

/// Whether no pair meets `on`, whatever the columns hold: a conjunct is false or NULL as it stands.
pub fn is_never(on: &Bound) -> bool {
    let known = Known { required: required(on), held: BTreeSet::new() };
    on.conjuncts().iter().any(|conjunct| is_untrue(&simplified(on, conjunct.typed().expr.clone(), &known)))
}

/// Asks the conjuncts that read one side only, together with what follows for that side from equalities of columns.
pub fn empty_sides(on: &Bound, n_target_columns: usize) -> Empty {
    let conjuncts: Vec<Expr> =
        on.conjuncts().iter().map(|conjunct| unguarded(&conjunct.typed().expr).clone()).collect();
    let equal: BTreeMap<usize, usize> = conjuncts.iter().filter_map(equal_columns).collect();
    let flipped: BTreeMap<usize, usize> = equal.iter().map(|(left, right)| (*right, *left)).collect();
    let partner = |column: usize| equal.get(&column).or_else(|| flipped.get(&column)).copied();
    let contradicts = |is_target: bool| {
        let of_side = |column: usize| (column < n_target_columns) == is_target;
        let own = conjuncts.iter().filter(|conjunct| reads_only(conjunct, of_side)).cloned();
        let others = conjuncts.iter().filter(|conjunct| reads_only(conjunct, |column| !of_side(column)));
        let inferred = others.filter_map(|conjunct| moved(conjunct, partner));
        let all: Vec<Expr> = own.chain(inferred).collect();
        let held = equal.iter().flat_map(|(left, right)| [*left, *right]).filter(|column| of_side(*column));
        contradict(on, &all, Known { required: required(on), held: held.collect() })
    };
    Empty { target: contradicts(true), source: contradicts(false) }
}

/// Whether the conditions rule each other out.
fn contradict(on: &Bound, conditions: &[Expr], mut known: Known) -> bool {
    let constants: Vec<Option<(usize, ScalarValue)>> = conditions.iter().map(constant_column).collect();
    known.held.extend(conditions.iter().flat_map(|condition| held(&predicate(condition, &position))));
    let settled = conditions.iter().enumerate().map(|(idx, condition)| {
        let others = constants.iter().enumerate().filter(|(other, _)| *other != idx);
        let others: BTreeMap<usize, ScalarValue> = others.filter_map(|(_, constant)| constant.clone()).collect();
        let value = |column: usize| others.get(&column).map(|value| lit(value.clone()));
        replaced(condition, value)
    });
    let settled: Vec<Expr> = settled.map(|condition| simplified(on, condition, &known)).collect();
    settled.iter().any(is_untrue) || settled.iter().any(|one| settled.contains(&negated(one)))
}

/// Columns that are not NULL.
struct Known {
    /// By their definition.
    required: BTreeSet<usize>,
    /// In the rows that can meet the condition. Spark looks at these only where a column is compared with itself
    /// (`SimplifyBinaryComparison`), not where it is asked whether a column is NULL.
    held: BTreeSet<usize>,
}

/// Whether the condition is written as false or NULL.
fn is_untrue(condition: &Expr) -> bool {
    matches!(condition, Expr::Literal(value, _) if value.is_null() || *value == ScalarValue::Boolean(Some(false)))
}

/// The condition without what is decided by what is known.
fn simplified(on: &Bound, condition: Expr, known: &Known) -> Expr {
    let mut condition = unguarded(&condition).clone();
    // A branch that falls away can leave a value beside itself.
    for _ in 0..MOST_ROUNDS {
        // The closure never fails, so neither does the walk.
        let Ok(settled) = condition.clone().transform_up(|expr| Ok(settled(expr, known))) else { break };
        let folded = fold(on.session(), on.scope(), settled.data);
        if folded == condition {
            break;
        }
        condition = folded;
    }
    condition
}

/// Simplification stops here at the latest; every round but the last makes the condition shorter.
const MOST_ROUNDS: usize = 8;

/// One step of simplification: tests for NULL, comparisons of a value with itself, branches that are all alike.
fn settled(expr: Expr, known: &Known) -> Transformed<Expr> {
    let is_of = |value: &Expr, columns: &BTreeSet<usize>| match value {
        Expr::Column(column) => position(&column.name).is_some_and(|column| columns.contains(&column)),
        Expr::Literal(value, _) => !value.is_null(),
        _ => false,
    };
    let is_required = |value: &Expr| is_of(value, &known.required);
    let is_known = |value: &Expr| is_required(value) || is_of(value, &known.held);
    let decided = match &expr {
        Expr::IsNotNull(value) if is_required(value) => Some(true),
        Expr::IsNull(value) if is_required(value) => Some(false),
        Expr::BinaryExpr(BinaryExpr { left, op, right }) if left == right && !left.is_volatile() => match op {
            Operator::IsNotDistinctFrom => Some(true),
            Operator::IsDistinctFrom => Some(false),
            Operator::Eq | Operator::LtEq | Operator::GtEq if is_known(left) => Some(true),
            Operator::NotEq | Operator::Lt | Operator::Gt if is_known(left) => Some(false),
            _ => None,
        },
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::IsNotDistinctFrom, right }) if is_null(right) => {
            return Transformed::yes(Expr::IsNull(left.clone()));
        }
        Expr::Case(case) => return lone_branch(case).map_or_else(|| Transformed::no(expr), Transformed::yes),
        Expr::ScalarFunction(call) => {
            return match (call.name(), call.args.as_slice()) {
                ("+", [value, Expr::Literal(zero, _)] | [Expr::Literal(zero, _), value]) if is_zero(zero) => {
                    Transformed::yes(value.clone())
                }
                _ => Transformed::no(expr),
            };
        }
        _ => None,
    };
    decided.map_or_else(|| Transformed::no(expr), |decided| Transformed::yes(lit(decided)))
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(value, _) if value.is_null())
}

/// The value that all branches of a CASE have.
fn lone_branch(case: &Case) -> Option<Expr> {
    let (_, first) = case.when_then_expr.first()?;
    let mut others = case.when_then_expr.iter().map(|(_, then)| then).chain([case.else_expr.as_ref()?]);
    others.all(|other| other == first).then(|| first.as_ref().clone())
}

/// Whether adding the number to a whole number changes nothing; the reference leaves other numbers alone.
fn is_zero(number: &ScalarValue) -> bool {
    matches!(
        number,
        ScalarValue::Int8(Some(0))
            | ScalarValue::Int16(Some(0))
            | ScalarValue::Int32(Some(0))
            | ScalarValue::Int64(Some(0))
    )
}

/// The columns that cannot be NULL by their definition.
fn required(on: &Bound) -> BTreeSet<usize> {
    on.scope().fields.iter().enumerate().filter(|(_, field)| !field.nullable).map(|(idx, _)| idx).collect()
}

/// The columns that hold a value wherever the predicate is true.
fn held(predicate: &Predicate) -> Vec<usize> {
    match predicate {
        Predicate::And(parts) => parts.iter().flat_map(held).collect(),
        Predicate::IsNotNull { column, path } if path.is_empty() => vec![*column],
        Predicate::Not(inner) => compared(inner),
        other => compared(other),
    }
}

/// The columns whose NULL makes a comparison NULL.
fn compared(predicate: &Predicate) -> Vec<usize> {
    match predicate {
        Predicate::Compare { op: CompareOp::NullSafeEq, .. } => Vec::new(),
        Predicate::Compare { column, path, .. }
        | Predicate::In { column, path, .. }
        | Predicate::StartsWith { column, path, .. }
            if path.is_empty() =>
        {
            vec![*column]
        }
        Predicate::NullRejecting { columns } => columns.clone(),
        _ => Vec::new(),
    }
}

fn reads_only(expr: &Expr, of_side: impl Fn(usize) -> bool) -> bool {
    let columns = columns_of(expr);
    !columns.is_empty() && columns.into_iter().all(of_side) && !expr.is_volatile()
}

fn column(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Column(column) => position(&column.name),
        _ => None,
    }
}

/// The two columns that `a = b` says to be equal.
fn equal_columns(conjunct: &Expr) -> Option<(usize, usize)> {
    match conjunct {
        Expr::BinaryExpr(binary) if binary.op == Operator::Eq => Some((column(&binary.left)?, column(&binary.right)?)),
        _ => None,
    }
}

/// The constant that a column has to be.
fn constant_column(condition: &Expr) -> Option<(usize, ScalarValue)> {
    let Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) = condition else { return None };
    match (left.as_ref(), right.as_ref()) {
        (found, Expr::Literal(value, _)) | (Expr::Literal(value, _), found) => Some((column(found)?, value.clone())),
        _ => None,
    }
}

/// The condition about the other side's columns, if each of its columns has an equal there.
fn moved(conjunct: &Expr, partner: impl Fn(usize) -> Option<usize>) -> Option<Expr> {
    if !columns_of(conjunct).into_iter().all(|column| partner(column).is_some()) {
        return None;
    }
    let other = |column| Some(Expr::Column(datafusion::common::Column::from_name(format!("@{}", partner(column)?))));
    Some(replaced(conjunct, other))
}

/// The expression with some of its columns replaced.
fn replaced(expr: &Expr, value: impl Fn(usize) -> Option<Expr>) -> Expr {
    let replace = |node: Expr| {
        let new = column(&node).and_then(&value);
        Ok(new.map_or_else(|| Transformed::no(node), Transformed::yes))
    };
    // The closure never fails, so neither does the walk.
    expr.clone().transform_up(replace).map_or_else(|_| expr.clone(), |new| new.data)
}

fn negated(condition: &Expr) -> Expr {
    match condition {
        Expr::Not(inner) => inner.as_ref().clone(),
        Expr::IsNull(value) => Expr::IsNotNull(value.clone()),
        Expr::IsNotNull(value) => Expr::IsNull(value.clone()),
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match op.negate() {
            Some(op) => Expr::BinaryExpr(BinaryExpr::new(left.clone(), op, right.clone())),
            None => Expr::Not(Box::new(condition.clone())),
        },
        other => Expr::Not(Box::new(other.clone())),
    }
}
