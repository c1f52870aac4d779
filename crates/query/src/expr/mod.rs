//! Binds `spec` expressions: names, types and NULL rules are settled here.
//!
//! Binding is synchronous. Subqueries are planned before, by whoever owns the expression, and looked up in
//! [`Subqueries`].

mod bound;
mod call;
mod column;
mod fault;
mod literal;
mod pretty;
mod pretty_call;
mod single_row;
mod structs;
mod subquery;
mod usage;

pub use bound::{AssignKind, Bound, bind};
pub(crate) use bound::{always, columns_of, constant, constant_expr, fold, literal_i64, plan_schema, position};
pub use fault::BindError;
pub use usage::{Usage, columns_named, usage};

pub(crate) use call::{Generator, generator_name, sort_key};
pub(crate) use column::{FIELD, column_span, nested};
pub(crate) use fault::Place;
pub(crate) use literal::literal;
pub(crate) use pretty::{pretty, pretty_name};
pub(crate) use subquery::{Subplan, Subqueries, subqueries_of, unsupported_shape, without_joins};

use crate::cast::{self, Mode};
use crate::error::Complaint;
use crate::functions;
use crate::ops;
use crate::scope::Scope;
use crate::session::Session;
use crate::typed::{SqlType, Typed, declared};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::Expr as PlanExpr;
use datafusion::logical_expr::expr::Case;
use delta::schema::DataType;
use spec::{BinaryOp, Diagnostic, Expr, ExprKind, Ident, Span, WindowSpec};
use std::sync::Arc;

/// What an expression may refer to.
#[derive(Clone, Copy)]
pub(crate) struct Binder<'a> {
    pub(crate) session: &'a Session,
    pub(crate) scope: &'a Scope,
    /// The columns of the queries around this one, the nearest last.
    pub(crate) outer: &'a [Arc<Scope>],
    /// Names that the select list gives.
    pub(crate) aliases: &'a [(String, Typed)],
    /// True in ORDER BY and HAVING, where an alias hides a column; false in a select list, where it is the other way
    /// round.
    pub(crate) aliases_first: bool,
    pub(crate) subqueries: &'a Subqueries,
    pub(crate) windows: &'a [(Ident, WindowSpec)],
    pub(crate) place: Place,
    /// Set below an aggregate function.
    pub(crate) in_aggregate: bool,
}

type Result<T> = std::result::Result<T, BindError>;

impl<'a> Binder<'a> {
    /// A binder over `scope` without aliases, subqueries or windows.
    pub(crate) fn new(session: &'a Session, scope: &'a Scope, subqueries: &'a Subqueries, place: Place) -> Self {
        Self {
            session,
            scope,
            outer: &[],
            aliases: &[],
            aliases_first: false,
            subqueries,
            windows: &[],
            place,
            in_aggregate: false,
        }
    }

    /// The expression with its type.
    pub(crate) fn bind(&self, expr: &Expr) -> Result<Typed> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Literal(value) => Ok(literal(value)),
            ExprKind::Column(name) => self.column(name),
            ExprKind::FrameColumn { frame, index, name } => {
                Ok(self.scope.of_frame((*frame, *index), name, self.reaches_behind())?.typed())
            }
            ExprKind::Star => Err(Diagnostic::new(
                "INVALID_USAGE_OF_STAR_OR_REGEX",
                "42000",
                "`*` stands for columns only in a select list and in `count(*)`.",
                span,
            )
            .into()),
            ExprKind::Unary { op, expr } => {
                let operand = self.bind(expr)?;
                at(ops::unary(self.session, *op, operand), span)
            }
            ExprKind::Binary { op, left, right } => {
                if let Some((left, right)) = self.self_join(*op, left, right) {
                    return at(ops::binary(self.session, *op, left, right), span);
                }
                let (left, right) = (self.bind(left)?, self.bind(right)?);
                at(ops::binary(self.session, *op, left, right), span)
            }
            ExprKind::IsNull { expr, negated } => {
                let operand = self.bind(expr)?;
                Ok(boolean(if *negated { operand.expr.is_not_null() } else { operand.expr.is_null() }, false))
            }
            ExprKind::IsTruth { expr, value, negated } => self.truth(expr, *value, *negated),
            ExprKind::Between { expr, low, high, negated } => {
                let (operand, low, high) = (self.bind(expr)?, self.bind(low)?, self.bind(high)?);
                at(ops::between(self.session, operand, low, high, *negated), span)
            }
            ExprKind::InList { expr, list, negated } => {
                let operand = self.bind(expr)?;
                let list = list.iter().map(|item| self.bind(item)).collect::<Result<Vec<_>>>()?;
                at(ops::in_list(self.session, operand, list, *negated), span)
            }
            ExprKind::InQuery { expr, query, negated } => {
                let operand = self.bind(expr)?;
                subquery::in_query(self, operand, self.subqueries.get(query)?, *negated, span)
            }
            ExprKind::Exists { query } => Ok(subquery::exists(self.subqueries.get(query)?)?),
            ExprKind::Subquery(query) => subquery::scalar(self.subqueries.get(query)?, span),
            ExprKind::Like { kind, expr, pattern, escape, negated } => {
                let (operand, pattern) = (self.bind(expr)?, self.bind(pattern)?);
                at(ops::like(self.session, *kind, operand, pattern, *escape, *negated), span)
            }
            ExprKind::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref(), span)
            }
            ExprKind::Cast { expr, data_type, mode } => {
                let operand = self.bind(expr)?;
                let mode = match mode {
                    spec::CastMode::Try => Mode::Try,
                    spec::CastMode::Ansi if self.session.settings().ansi => Mode::Ansi,
                    spec::CastMode::Ansi => Mode::Legacy,
                };
                at(cast::cast(self.session, operand, &declared(data_type), mode), span)
            }
            ExprKind::Function(call) => self.call(call, span),
            ExprKind::Index { expr, index } => {
                if let ExprKind::Literal(spec::Literal::String(name)) = &index.kind {
                    let operand = self.bind(expr)?;
                    if matches!(operand.data_type, SqlType::Column(DataType::Struct(_))) {
                        return Ok(nested(operand, &[Ident::new(name.as_str(), index.span)])?);
                    }
                }
                let args = vec![self.bind(expr)?, self.bind(index)?];
                at(functions::index(self.session, args), span)
            }
            ExprKind::Field { expr, field } => {
                let operand = self.bind(expr)?;
                Ok(nested(operand, std::slice::from_ref(field))?)
            }
            ExprKind::Lambda { .. } => Err(Diagnostic::unsupported("A lambda function", span).into()),
            ExprKind::Default => Err(Diagnostic::new(
                "DEFAULT_PLACEMENT_INVALID",
                "42608",
                "`DEFAULT` may stand alone as a value of INSERT, UPDATE or MERGE only.",
                span,
            )
            .into()),
        }
    }

    /// `df["id"] == df["id"]` in a join of a frame with itself: each side means its own, as on Spark.
    fn self_join(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<(Typed, Typed)> {
        let (
            ExprKind::FrameColumn { frame: left_frame, index: left_index, .. },
            ExprKind::FrameColumn { frame: right_frame, index: right_index, .. },
        ) = (&left.kind, &right.kind)
        else {
            return None;
        };
        if self.place != Place::Join || !matches!(op, BinaryOp::Eq | BinaryOp::NullSafeEq) {
            return None;
        }
        let find = |origin| self.scope.fields.iter().find(|field| field.origins.contains(&origin));
        let (left, right) = (find((*left_frame, *left_index))?, find((*right_frame, *right_index))?);
        if left.origins.first() != right.origins.first() {
            return None;
        }
        let mut twins = self.scope.twins(left);
        Some((twins.next()?.typed(), twins.next()?.typed()))
    }

    /// Whether columns that an earlier step of a data frame left out can be named: in its filters and sorts.
    pub(crate) fn reaches_behind(&self) -> bool {
        matches!(self.place, Place::Where | Place::OrderBy)
    }

    /// The expression as a condition.
    pub(crate) fn condition(&self, expr: &Expr) -> Result<Typed> {
        let typed = self.bind(expr)?;
        if typed.data_type.is_boolean() {
            return Ok(typed);
        }
        let message = format!(
            "A condition must be BOOLEAN, but this expression is {}.",
            typed.data_type.spark_name().to_uppercase()
        );
        Err(Diagnostic::new("DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "42K09", message, expr.span).into())
    }

    fn truth(&self, expr: &Expr, value: Option<bool>, negated: bool) -> Result<Typed> {
        let operand = self.bind(expr)?;
        let Some(truth) = value else {
            return Ok(boolean(if negated { operand.expr.is_not_null() } else { operand.expr.is_null() }, false));
        };
        let operand = if operand.data_type.is_void() {
            Typed::literal(ScalarValue::Boolean(None), DataType::Boolean)
        } else if operand.data_type.is_boolean() {
            operand
        } else {
            return Err(unexpected_input(&operand, "BOOLEAN", expr.span).into());
        };
        let inner = Box::new(operand.expr);
        Ok(boolean(
            match (truth, negated) {
                (true, false) => PlanExpr::IsTrue(inner),
                (true, true) => PlanExpr::IsNotTrue(inner),
                (false, false) => PlanExpr::IsFalse(inner),
                (false, true) => PlanExpr::IsNotFalse(inner),
            },
            false,
        ))
    }

    fn case(
        &self,
        operand: Option<&Expr>,
        branches: &[(Expr, Expr)],
        otherwise: Option<&Expr>,
        span: Span,
    ) -> Result<Typed> {
        let operand = operand.map(|expr| self.bind(expr)).transpose()?;
        let mut conditions = Vec::with_capacity(branches.len());
        let mut values = Vec::with_capacity(branches.len() + 1);
        for (when, then) in branches {
            let when_span = when.span;
            let when = self.bind(when)?;
            let condition = match &operand {
                Some(operand) => at(ops::binary(self.session, BinaryOp::Eq, operand.clone(), when), when_span)?,
                None if when.data_type.is_boolean() => when,
                None => return Err(unexpected_input(&when, "BOOLEAN", when_span).into()),
            };
            conditions.push(condition.expr);
            values.push(self.bind(then)?);
        }
        let has_else = otherwise.is_some();
        if let Some(otherwise) = otherwise {
            values.push(self.bind(otherwise)?);
        }
        let (values, data_type) = self.same_type(values, "CASE", span)?;
        let nullable = !has_else || values.iter().any(|value| value.nullable);
        let mut values: Vec<Box<PlanExpr>> = values.into_iter().map(|value| Box::new(value.expr)).collect();
        let else_expr = if has_else { values.pop() } else { None };
        let pairs = conditions.into_iter().map(Box::new).zip(values).collect();
        Ok(Typed::new(ops::case(Case::new(None, pairs, else_expr), &data_type), data_type, nullable))
    }

    /// The values cast to the type that holds them all.
    pub(crate) fn same_type(&self, values: Vec<Typed>, what: &str, span: Span) -> Result<(Vec<Typed>, SqlType)> {
        let types: Vec<SqlType> = values.iter().map(|value| value.data_type.clone()).collect();
        let Some(common) = ops::common_type(&types) else {
            let names: Vec<String> = types.iter().map(|data_type| format!("\"{}\"", data_type.spark_name())).collect();
            let message = format!("The values of {what} have no common type: {}.", names.join(", "));
            return Err(Diagnostic::new("DATATYPE_MISMATCH.DATA_DIFF_TYPES", "42K09", message, span).into());
        };
        let mut same = Vec::with_capacity(values.len());
        for value in values {
            same.push(at(self.coerce(value, &common), span)?);
        }
        Ok((same, common))
    }

    /// An implicit cast; nothing where the type is right already.
    pub(crate) fn coerce(&self, value: Typed, to: &SqlType) -> std::result::Result<Typed, Complaint> {
        coerce(self.session, value, to)
    }
}

/// An implicit cast; nothing where the type is right already.
pub(crate) fn coerce(session: &Session, value: Typed, to: &SqlType) -> std::result::Result<Typed, Complaint> {
    if value.data_type == *to {
        return Ok(value);
    }
    let mode = if session.settings().ansi { Mode::Ansi } else { Mode::Legacy };
    cast::cast(session, value, to, mode)
}

/// The result, its complaint about the text at `span`.
pub(crate) fn at<T>(result: std::result::Result<T, Complaint>, span: Span) -> Result<T> {
    result.map_err(|complaint| BindError::Other(complaint.at(span)))
}

pub(crate) fn boolean(expr: PlanExpr, nullable: bool) -> Typed {
    Typed::new(expr, DataType::Boolean, nullable)
}

fn unexpected_input(found: &Typed, wanted: &str, span: Span) -> Diagnostic {
    let message = format!("This must be {wanted}, but it is {}.", found.data_type.spark_name());
    Diagnostic::new("DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "42K09", message, span)
}
