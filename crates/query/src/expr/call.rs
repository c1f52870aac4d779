//! Function calls: scalar, aggregate, window.

use super::{Binder, Result, at};
use crate::functions;
use crate::typed::{SqlType, Typed};
use datafusion::common::ScalarValue;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::expr::{NullTreatment, Sort, WindowFunction, WindowFunctionParams};
use datafusion::logical_expr::{
    Expr as PlanExpr, WindowFrame, WindowFrameBound, WindowFrameUnits, WindowFunctionDefinition,
};
use delta::schema::DataType;
use spec::{Diagnostic, Expr, ExprKind, FrameBound, FrameUnits, FunctionCall, OrderItem, Span, WindowSpec};

/// The generators that queries can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Generator {
    Explode,
    PosExplode,
    Inline,
    Stack,
}

/// The generator that a function name means, and whether it keeps rows without elements.
pub(crate) fn generator_name(name: &str) -> Option<(Generator, bool)> {
    Some(match name.to_ascii_lowercase().as_str() {
        "explode" => (Generator::Explode, false),
        "explode_outer" => (Generator::Explode, true),
        "posexplode" => (Generator::PosExplode, false),
        "posexplode_outer" => (Generator::PosExplode, true),
        "inline" => (Generator::Inline, false),
        "inline_outer" => (Generator::Inline, true),
        "stack" => (Generator::Stack, false),
        _ => return None,
    })
}

impl<'a> Binder<'a> {
    pub(super) fn call(&self, call: &FunctionCall, span: Span) -> Result<Typed> {
        let name = call.name.last();
        if functions::is_generator(name) {
            return Err(self.misplaced_generator(name, span).into());
        }
        if let Some(window) = &call.over {
            return self.window_call(call, window, span);
        }
        if functions::is_aggregate(name) {
            return self.aggregate_call(call, span);
        }
        if functions::is_window(name) {
            let message = format!("The window function `{name}` needs an OVER clause.");
            return Err(Diagnostic::new("WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE", "42601", message, span).into());
        }
        if call.distinct || call.filter.is_some() {
            let message = format!("`{name}` is no aggregate function, so it takes neither DISTINCT nor FILTER.");
            return Err(
                Diagnostic::new("INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX", "42000", message, span).into()
            );
        }
        if ["grouping", "grouping_id"].iter().any(|function| name.eq_ignore_ascii_case(function)) {
            return Err(Diagnostic::unsupported(format!("The function `{name}`"), span).into());
        }
        let args = self.args(call)?;
        if name.eq_ignore_ascii_case("struct") {
            return at(functions::scalar(self.session, "named_struct", named_fields(call, args)), span);
        }
        at(functions::scalar(self.session, name, args), span)
    }

    fn misplaced_generator(&self, name: &str, span: Span) -> Diagnostic {
        let (condition, place) = match self.place {
            super::Place::Select => ("UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS", "inside another expression"),
            _ => ("UNSUPPORTED_GENERATOR.OUTSIDE_SELECT", "outside a select list"),
        };
        Diagnostic::new(condition, "42K0E", format!("The generator `{name}` is not allowed {place}."), span)
    }

    fn args(&self, call: &FunctionCall) -> Result<Vec<Typed>> {
        let mut args = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            args.push(match arg.kind {
                // Spark counts the constant 1 for `count(*)`.
                ExprKind::Star if call.name.last().eq_ignore_ascii_case("count") && call.args.len() == 1 => {
                    Typed::literal(ScalarValue::Int32(Some(1)), DataType::Int)
                }
                _ => self.bind(arg)?,
            });
        }
        Ok(args)
    }

    fn aggregate_call(&self, call: &FunctionCall, span: Span) -> Result<Typed> {
        let name = call.name.last();
        if self.in_aggregate {
            let message = format!("The aggregate function `{name}` stands inside another aggregate function.");
            return Err(Diagnostic::new("NESTED_AGGREGATE_FUNCTION", "42607", message, span).into());
        }
        if !self.place.allows_aggregates() {
            return Err(self.place.refuse("aggregate", name, span).into());
        }
        let inner = Binder { in_aggregate: true, ..*self };
        inner.aggregate(call, span)
    }

    fn aggregate(&self, call: &FunctionCall, span: Span) -> Result<Typed> {
        let name = call.name.last();
        let args = self.args(call)?;
        let filter = call.filter.as_ref().map(|filter| self.condition(filter)).transpose()?;
        let bound = at(functions::aggregate(self.session, name, args, call.distinct, filter), span)?;
        let Some(typed) = bound else {
            return Err(Diagnostic::internal(format!("{name} is no aggregate after all")).into());
        };
        if call.ignore_nulls {
            return Ok(Typed { expr: ignoring_nulls(typed.expr), ..typed });
        }
        Ok(typed)
    }

    fn window_call(&self, call: &FunctionCall, window: &WindowSpec, span: Span) -> Result<Typed> {
        let name = call.name.last();
        if !self.place.allows_windows() || self.in_aggregate {
            return Err(self.place.refuse("window", name, span).into());
        }
        // The ends of a window are functions of their own: as aggregates they could not follow a frame whose start moves.
        let is_end = functions::is_window_end(name) && call.args.len() == 1 && call.filter.is_none();
        let typed = if functions::is_window(name) || is_end {
            let args = self.args(call)?;
            at(functions::window(self.session, name, args), span)?
        } else if functions::is_aggregate(name) {
            if call.distinct {
                let message = format!("DISTINCT is not allowed in the window function `{name}`.");
                return Err(Diagnostic::new("DISTINCT_WINDOW_FUNCTION_UNSUPPORTED", "0A000", message, span).into());
            }
            self.aggregate(call, span)?
        } else {
            let message =
                format!("`{name}` is neither an aggregate nor a window function, so it takes no OVER clause.");
            return Err(Diagnostic::new("UNSUPPORTED_EXPR_FOR_WINDOW", "42P20", message, span).into());
        };
        let window = self.named_window(window)?;
        if window.order_by.is_empty() && functions::is_window(name) && !name.eq_ignore_ascii_case("nth_value") {
            let message = format!("The window function `{name}` needs an ORDER BY inside OVER.");
            return Err(Diagnostic::new("_LEGACY_ERROR_TEMP_1037", "", message, span).into());
        }
        let mut partition_by = Vec::with_capacity(window.partition_by.len());
        for expr in &window.partition_by {
            partition_by.push(self.bind(expr)?.expr);
        }
        let mut order_by = Vec::with_capacity(window.order_by.len());
        let mut order_type = None;
        for item in &window.order_by {
            let typed = self.bind(&item.expr)?;
            order_by.push(sort_key(typed.expr, item));
            order_type = Some(typed.data_type);
        }
        let frame = self.frame(&window, order_type, span)?;
        let null_treatment = call.ignore_nulls.then_some(NullTreatment::IgnoreNulls);
        let over = Over { partition_by, order_by, frame, null_treatment };
        Ok(Typed { expr: over.apply(typed.expr), ..typed })
    }

    /// The window with what the WINDOW clause says about its name.
    fn named_window(&self, window: &WindowSpec) -> Result<WindowSpec> {
        let Some(name) = &window.named else { return Ok(window.clone()) };
        let Some((_, base)) = self.windows.iter().find(|(other, _)| name.is(&other.value)) else {
            let message = format!("There is no window called `{name}` in a WINDOW clause.");
            return Err(Diagnostic::new("MISSING_WINDOW_SPECIFICATION", "42P20", message, name.span).into());
        };
        let base = self.named_window(base)?;
        Ok(WindowSpec {
            named: None,
            partition_by: if window.partition_by.is_empty() { base.partition_by } else { window.partition_by.clone() },
            order_by: if window.order_by.is_empty() { base.order_by } else { window.order_by.clone() },
            frame: window.frame.clone().or(base.frame),
        })
    }

    fn frame(&self, window: &WindowSpec, order_type: Option<SqlType>, span: Span) -> Result<WindowFrame> {
        let Some(frame) = &window.frame else {
            let (units, end) = match order_type {
                Some(_) => (WindowFrameUnits::Range, WindowFrameBound::CurrentRow),
                None => (WindowFrameUnits::Rows, WindowFrameBound::Following(ScalarValue::UInt64(None))),
            };
            let start = match units {
                WindowFrameUnits::Rows => WindowFrameBound::Preceding(ScalarValue::UInt64(None)),
                _ => WindowFrameBound::Preceding(ScalarValue::Null),
            };
            return Ok(WindowFrame::new_bounds(units, start, end));
        };
        let units = match frame.units {
            FrameUnits::Rows => WindowFrameUnits::Rows,
            FrameUnits::Range => WindowFrameUnits::Range,
        };
        if units == WindowFrameUnits::Range && order_type.is_none() && has_offset(frame) {
            let message = "A RANGE frame with an offset needs an ORDER BY.";
            return Err(Diagnostic::new("DATATYPE_MISMATCH.RANGE_FRAME_WITHOUT_ORDER", "42K09", message, span).into());
        }
        let start = self.frame_bound(&frame.start, units, order_type.as_ref())?;
        let end = self.frame_bound(&frame.end, units, order_type.as_ref())?;
        Ok(WindowFrame::new_bounds(units, start, end))
    }

    fn frame_bound(
        &self,
        bound: &FrameBound,
        units: WindowFrameUnits,
        order_type: Option<&SqlType>,
    ) -> Result<WindowFrameBound> {
        let unbounded = match units {
            WindowFrameUnits::Rows => ScalarValue::UInt64(None),
            _ => ScalarValue::Null,
        };
        Ok(match bound {
            FrameBound::UnboundedPreceding => WindowFrameBound::Preceding(unbounded),
            FrameBound::UnboundedFollowing => WindowFrameBound::Following(unbounded),
            FrameBound::CurrentRow => WindowFrameBound::CurrentRow,
            FrameBound::Preceding(offset) => WindowFrameBound::Preceding(self.frame_offset(offset, units, order_type)?),
            FrameBound::Following(offset) => WindowFrameBound::Following(self.frame_offset(offset, units, order_type)?),
        })
    }

    fn frame_offset(
        &self,
        offset: &Expr,
        units: WindowFrameUnits,
        order_type: Option<&SqlType>,
    ) -> Result<ScalarValue> {
        let typed = self.bind(offset)?;
        let Some(value) = typed.as_literal() else {
            return Err(Diagnostic::unsupported("A frame offset that is not a constant", offset.span).into());
        };
        if units == WindowFrameUnits::Rows {
            return match value {
                ScalarValue::Int32(Some(rows)) if *rows >= 0 => Ok(ScalarValue::UInt64(u64::try_from(*rows).ok())),
                _ => {
                    Err(Diagnostic::unsupported("A ROWS frame offset that is no INT of 0 or more", offset.span).into())
                }
            };
        }
        match order_type {
            Some(data_type) if data_type.is_numeric() => {
                let cast = value.cast_to(&data_type.arrow());
                cast.map_err(|_| Diagnostic::unsupported("This RANGE frame offset", offset.span).into())
            }
            _ => Err(Diagnostic::unsupported("A RANGE frame offset over anything but numbers", offset.span).into()),
        }
    }
}

/// The arguments of `struct(…)` with their names in front: a column keeps its own, others are called by position.
fn named_fields(call: &FunctionCall, args: Vec<Typed>) -> Vec<Typed> {
    let mut named = Vec::with_capacity(args.len() * 2);
    for (idx, (arg, text)) in args.into_iter().zip(&call.args).enumerate() {
        let name = match &text.kind {
            ExprKind::Column(name) => name.last().to_owned(),
            ExprKind::Field { field: name, .. } | ExprKind::FrameColumn { name, .. } => name.value.clone(),
            _ => format!("col{}", idx + 1),
        };
        named.push(Typed::literal(ScalarValue::Utf8(Some(name)), DataType::String));
        named.push(arg);
    }
    named
}

fn has_offset(frame: &spec::WindowFrame) -> bool {
    let offset = |bound: &FrameBound| matches!(bound, FrameBound::Preceding(_) | FrameBound::Following(_));
    offset(&frame.start) || offset(&frame.end)
}

/// The key with Spark's place of NULLs: first ascending, last descending.
pub(crate) fn sort_key(expr: PlanExpr, item: &OrderItem) -> Sort {
    Sort::new(expr, !item.descending, item.nulls_first.unwrap_or(!item.descending))
}

struct Over {
    partition_by: Vec<PlanExpr>,
    order_by: Vec<Sort>,
    frame: WindowFrame,
    null_treatment: Option<NullTreatment>,
}

impl Over {
    /// Opens the window on the function inside `expr`, which casts may wrap.
    fn apply(&self, expr: PlanExpr) -> PlanExpr {
        let opened = expr.clone().transform_down(|node| {
            let (fun, params) = match node {
                PlanExpr::WindowFunction(function) => (function.fun, function.params),
                PlanExpr::AggregateFunction(function) => {
                    let params = WindowFunctionParams {
                        args: function.params.args,
                        partition_by: Vec::new(),
                        order_by: Vec::new(),
                        window_frame: WindowFrame::new(None),
                        filter: function.params.filter,
                        null_treatment: function.params.null_treatment,
                        distinct: function.params.distinct,
                    };
                    (WindowFunctionDefinition::AggregateUDF(function.func), params)
                }
                other => return Ok(Transformed::no(other)),
            };
            let params = WindowFunctionParams {
                partition_by: self.partition_by.clone(),
                order_by: self.order_by.clone(),
                window_frame: self.frame.clone(),
                null_treatment: self.null_treatment.or(params.null_treatment),
                ..params
            };
            let function = PlanExpr::WindowFunction(Box::new(WindowFunction { fun, params }));
            Ok(Transformed::new(function, true, TreeNodeRecursion::Jump))
        });
        opened.map_or(expr, |transformed| transformed.data)
    }
}

fn ignoring_nulls(expr: PlanExpr) -> PlanExpr {
    let marked = expr.clone().transform_down(|node| match node {
        PlanExpr::AggregateFunction(mut function) => {
            function.params.null_treatment = Some(NullTreatment::IgnoreNulls);
            Ok(Transformed::new(PlanExpr::AggregateFunction(function), true, TreeNodeRecursion::Jump))
        }
        other => Ok(Transformed::no(other)),
    });
    marked.map_or(expr, |transformed| transformed.data)
}
