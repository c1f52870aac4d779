//! UNION, INTERSECT, EXCEPT: by position or by name, with or without duplicates.

use super::planner::{Planned, Planner, Result, built};
use crate::expr::{at, coerce};
use crate::ops;
use crate::scope::{Field, Scope};
use datafusion::common::{Column, JoinType, NullEquality};
use datafusion::functions_window::expr_fn::row_number;
use datafusion::logical_expr::{Expr as PlanExpr, ExprFunctionExt, LogicalPlan, LogicalPlanBuilder};
use spec::{Diagnostic, SetOp, Span};

impl Planner<'_> {
    pub(super) fn set_op(
        &self,
        op: SetOp,
        all: bool,
        by_name: bool,
        (left, right): (Planned, Planned),
        (span, right_span): (Span, Span),
    ) -> Result<Planned> {
        let left = left.aliased(&[], &[], span)?;
        let mut right = right.aliased(&[], &[], right_span)?;
        if by_name {
            right = in_order_of(&left, right, right_span)?;
        }
        let (n_left, n_right) = (left.scope.fields.len(), right.scope.fields.len());
        if n_left != n_right {
            let word = match op {
                SetOp::Union => "UNION",
                SetOp::Intersect => "INTERSECT",
                SetOp::Except => "EXCEPT",
            };
            let message = format!(
                "{word} needs as many columns on both sides, but the first has {n_left} and the second {n_right}."
            );
            return Err(Diagnostic::new("NUM_COLUMNS_MISMATCH", "42826", message, right_span));
        }
        let (left, right) = self.same_types(left, right, op, right_span)?;
        let fields = left.scope.fields.clone();
        let plan = match op {
            SetOp::Union => {
                let renamed: Vec<PlanExpr> = fields
                    .iter()
                    .zip(&right.scope.fields)
                    .map(|(left, right)| right.expr().alias(left.id.clone()))
                    .collect();
                let right = built(LogicalPlanBuilder::from(right.plan).project(renamed), span)?;
                let union = LogicalPlanBuilder::from(left.plan).union(right);
                built(if all { union } else { union.and_then(LogicalPlanBuilder::distinct) }, span)?
            }
            SetOp::Intersect | SetOp::Except => {
                let join_type = if op == SetOp::Intersect { JoinType::LeftSemi } else { JoinType::LeftAnti };
                self.matched(left, right, all, join_type, span)?
            }
        };
        Ok(Planned { plan, scope: Scope { fields } })
    }

    /// Rows of `left` that have, or have not, their like in `right`. Under ALL the n-th copy of a row meets the n-th
    /// copy on the other side.
    fn matched(
        &self,
        left: Planned,
        right: Planned,
        all: bool,
        join_type: JoinType,
        span: Span,
    ) -> Result<LogicalPlan> {
        let mut left_keys: Vec<Column> = columns(&left);
        let mut right_keys: Vec<Column> = columns(&right);
        let output: Vec<PlanExpr> = left.scope.fields.iter().map(Field::expr).collect();
        let (left, right) = if all {
            let (left_copy, right_copy) = (self.fresh_id(), self.fresh_id());
            left_keys.push(Column::new_unqualified(left_copy.clone()));
            right_keys.push(Column::new_unqualified(right_copy.clone()));
            (self.numbered(left, &left_copy, span)?, self.numbered(right, &right_copy, span)?)
        } else {
            (built(LogicalPlanBuilder::from(left.plan).distinct(), span)?, right.plan)
        };
        let joined = LogicalPlanBuilder::from(left)
            .join_detailed(right, join_type, (left_keys, right_keys), None, NullEquality::NullEqualsNull)
            .and_then(|builder| builder.project(output));
        built(joined, span)
    }

    fn numbered(&self, planned: Planned, id: &str, span: Span) -> Result<LogicalPlan> {
        let copies = row_number()
            .partition_by(planned.scope.fields.iter().map(Field::expr).collect())
            .build()
            .map(|number| number.alias(id));
        let window = copies.and_then(|number| LogicalPlanBuilder::from(planned.plan).window(vec![number]));
        built(window, span)
    }

    fn same_types(&self, left: Planned, right: Planned, op: SetOp, span: Span) -> Result<(Planned, Planned)> {
        let mut pairs = Vec::with_capacity(left.scope.fields.len());
        for (idx, (a, b)) in left.scope.fields.iter().zip(&right.scope.fields).enumerate() {
            let Some(common) = ops::common_type(&[a.data_type.clone(), b.data_type.clone()]) else {
                let message = format!(
                    "Column {} is {} on one side and {} on the other: they have no common type.",
                    idx + 1,
                    a.data_type.spark_name(),
                    b.data_type.spark_name()
                );
                return Err(Diagnostic::new("INCOMPATIBLE_COLUMN_TYPE", "42825", message, span));
            };
            let left = at(coerce(self.session, a.typed(), &common), span)?;
            let right = at(coerce(self.session, b.typed(), &common), span)?;
            let nullable = match op {
                SetOp::Union => a.nullable || b.nullable,
                SetOp::Intersect => a.nullable && b.nullable,
                SetOp::Except => a.nullable,
            };
            pairs.push((left, right, nullable));
        }
        let mut sides = [(left, Vec::new(), Vec::new()), (right, Vec::new(), Vec::new())];
        for (idx, (left, right, nullable)) in pairs.into_iter().enumerate() {
            for ((planned, exprs, fields), typed) in sides.iter_mut().zip([left, right]) {
                let Some(field) = planned.scope.fields.get(idx) else { continue };
                let id = self.fresh_id();
                exprs.push(typed.expr.alias(id.clone()));
                fields.push(Field { id, data_type: typed.data_type, nullable, ..field.clone() });
            }
        }
        let [left, right] = sides;
        let project = |(planned, exprs, fields): (Planned, Vec<PlanExpr>, Vec<Field>)| {
            let plan = built(LogicalPlanBuilder::from(planned.plan).project(exprs), span)?;
            Ok::<_, Diagnostic>(Planned { plan, scope: Scope { fields } })
        };
        Ok((project(left)?, project(right)?))
    }
}

fn columns(planned: &Planned) -> Vec<Column> {
    planned.scope.fields.iter().map(|field| Column::new_unqualified(field.id.clone())).collect()
}

/// The right side's columns in the order of the left side's names.
fn in_order_of(left: &Planned, right: Planned, span: Span) -> Result<Planned> {
    let mut fields = Vec::with_capacity(left.scope.fields.len());
    for field in &left.scope.fields {
        let same = |other: &&Field| other.name.to_lowercase() == field.name.to_lowercase();
        match right.scope.fields.iter().find(same) {
            Some(found) => fields.push(found.clone()),
            None => {
                let message = format!("BY NAME finds no column `{}` on the right side.", field.name);
                return Err(Diagnostic::new("_LEGACY_ERROR_TEMP_1201", "", message, span));
            }
        }
    }
    if fields.len() != right.scope.fields.len() {
        let message = format!(
            "BY NAME needs the same columns on both sides, but the first has {} and the second {}.",
            left.scope.fields.len(),
            right.scope.fields.len()
        );
        return Err(Diagnostic::new("NUM_COLUMNS_MISMATCH", "42826", message, span));
    }
    Ok(Planned { plan: right.plan, scope: Scope { fields } })
}
