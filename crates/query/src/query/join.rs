//! Joins: USING and NATURAL merge their columns, outer sides become nullable.

use super::planner::{Env, Planned, Planner, Result, built};
use crate::expr::{Place, Subqueries, always, at, coerce};
use crate::ops;
use crate::scope::{Field, Scope};
use crate::typed::Typed;
use datafusion::common::JoinType;
use datafusion::functions::core::expr_fn::coalesce;
use datafusion::logical_expr::{Expr as PlanExpr, LogicalPlanBuilder};
use spec::{BinaryOp, Diagnostic, Ident, JoinConstraint, JoinKind, Span};

impl Planner<'_> {
    pub(super) fn join(
        &self,
        env: &Env,
        left: Planned,
        right: Planned,
        kind: JoinKind,
        constraint: &JoinConstraint,
        span: Span,
    ) -> Result<Planned> {
        match constraint {
            JoinConstraint::None => self.joined(left, right, kind, always(), span),
            JoinConstraint::On(on) => {
                let mut scope = left.scope.clone();
                scope.fields.extend(right.scope.fields.iter().cloned());
                let subqueries = Subqueries::default();
                let binder = self.binder(env, &scope, &subqueries, Place::Join);
                let condition = binder.condition(on).map_err(Diagnostic::from).map_err(|mut diagnostic| {
                    if diagnostic.condition == "DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN" {
                        diagnostic.condition = "JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE".into();
                        diagnostic.sqlstate = "42K0E".into();
                    }
                    diagnostic
                })?;
                self.joined(left, right, kind, condition.expr, span)
            }
            JoinConstraint::Using(names) => self.join_using(left, right, kind, names, span),
            JoinConstraint::Natural => {
                let shared: Vec<Ident> = left
                    .scope
                    .fields
                    .iter()
                    .filter(|field| field.visible)
                    .map(|field| Ident::new(field.name.clone(), span))
                    .filter(|name| right.scope.fields.iter().any(|other| other.visible && name.is(&other.name)))
                    .collect();
                if shared.is_empty() {
                    return self.joined(left, right, kind, always(), span);
                }
                self.join_using(left, right, kind, &shared, span)
            }
        }
    }

    fn joined(&self, left: Planned, right: Planned, kind: JoinKind, on: PlanExpr, span: Span) -> Result<Planned> {
        let join_type = match kind {
            JoinKind::Inner | JoinKind::Cross => JoinType::Inner,
            JoinKind::Left => JoinType::Left,
            JoinKind::Right => JoinType::Right,
            JoinKind::Full => JoinType::Full,
            JoinKind::LeftSemi => JoinType::LeftSemi,
            JoinKind::LeftAnti => JoinType::LeftAnti,
        };
        let plan = built(LogicalPlanBuilder::from(left.plan).join_on(right.plan, join_type, Some(on)), span)?;
        let mut fields = left.scope.fields;
        if matches!(kind, JoinKind::Right | JoinKind::Full) {
            fields.iter_mut().for_each(|field| field.nullable = true);
        }
        if !matches!(kind, JoinKind::LeftSemi | JoinKind::LeftAnti) {
            let outer = matches!(kind, JoinKind::Left | JoinKind::Full);
            fields.extend(
                right.scope.fields.into_iter().map(|field| Field { nullable: field.nullable || outer, ..field }),
            );
        }
        Ok(Planned { plan, scope: Scope { fields } })
    }

    fn join_using(
        &self,
        left: Planned,
        right: Planned,
        kind: JoinKind,
        names: &[Ident],
        span: Span,
    ) -> Result<Planned> {
        let mut on: Option<PlanExpr> = None;
        let mut keys: Vec<(Field, Field)> = Vec::with_capacity(names.len());
        for name in names {
            let pair = (key(&left.scope, name, "left")?, key(&right.scope, name, "right")?);
            let equal = at(ops::binary(self.session, BinaryOp::Eq, pair.0.typed(), pair.1.typed()), name.span)?;
            on = Some(match on {
                Some(on) => on.and(equal.expr),
                None => equal.expr,
            });
            keys.push(pair);
        }
        let joined = self.joined(left, right, kind, on.unwrap_or_else(always), span)?;
        let mut first = Vec::with_capacity(keys.len());
        let mut extra = Vec::new();
        let mut rest = joined.scope.fields.clone();
        for (left, right) in &keys {
            for field in &mut rest {
                if field.id == left.id || field.id == right.id {
                    field.visible = false;
                }
            }
            let find = |key: &Field| joined.scope.fields.iter().find(|field| field.id == key.id).cloned();
            match (kind, find(left), find(right)) {
                (JoinKind::Full, Some(left), Some(right)) => {
                    let merged = self.merged(&left, &right, span)?;
                    let id = self.fresh_id();
                    extra.push(merged.expr.alias(id.clone()));
                    first.push(Field {
                        name: left.name.clone(),
                        qualifier: Vec::new(),
                        id,
                        data_type: merged.data_type,
                        nullable: merged.nullable,
                        visible: true,
                        origins: Vec::new(),
                        behind: false,
                    });
                }
                (JoinKind::Right, Some(left), Some(right)) => {
                    first.push(Field { name: left.name, visible: true, ..right });
                }
                (_, Some(left), _) => first.push(Field { visible: true, ..left }),
                _ => return Err(Diagnostic::internal("a USING column got lost in its join")),
            }
        }
        // The merged column stands for its side, so that side's own copy would only be ambiguous.
        rest.retain(|field| !first.iter().any(|merged| merged.id == field.id));
        first.extend(rest);
        let plan = if extra.is_empty() { joined.plan } else { joined.extended(extra, span)? };
        Ok(Planned { plan, scope: Scope { fields: first } })
    }

    fn merged(&self, left: &Field, right: &Field, span: Span) -> Result<Typed> {
        let types = [left.data_type.clone(), right.data_type.clone()];
        let common = ops::common_type(&types)
            .ok_or_else(|| Diagnostic::internal("a USING column has no common type though it compares"))?;
        let left = at(coerce(self.session, left.typed(), &common), span)?;
        let right = at(coerce(self.session, right.typed(), &common), span)?;
        let nullable = left.nullable && right.nullable;
        Ok(Typed::new(coalesce(vec![left.expr, right.expr]), common, nullable))
    }
}

fn key(scope: &Scope, name: &Ident, side: &str) -> Result<Field> {
    let found: Vec<&Field> = scope.fields.iter().filter(|field| field.visible && name.is(&field.name)).collect();
    match found.as_slice() {
        [field] => Ok((*field).clone()),
        [] => {
            let names: Vec<&str> =
                scope.fields.iter().filter(|field| field.visible).map(|field| field.name.as_str()).collect();
            let message = format!("The {side} side of the join has no column `{name}`; it has {}.", names.join(", "));
            Err(Diagnostic::new("UNRESOLVED_USING_COLUMN_FOR_JOIN", "42703", message, name.span))
        }
        _ => {
            let message = format!("The {side} side of the join has several columns called `{name}`.");
            Err(Diagnostic::new("AMBIGUOUS_REFERENCE", "42704", message, name.span))
        }
    }
}
