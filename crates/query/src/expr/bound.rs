//! Expressions over given columns, bound once and evaluated on batches.

use super::{BindError, Binder, Place, Subplan, Subqueries, at, literal, pretty, subqueries_of};
use crate::cast;
pub use crate::cast::AssignKind;
use crate::catalog::Catalog;
use crate::error::diagnose;
use crate::predicate::{Predicate, predicate};
use crate::query::{self, Plan};
use crate::scope::{Field, Scope};
use crate::session::Session;
use crate::source_filter::is_source_filter;
use crate::typed::{SqlType, Typed};
use arrow::array::ArrayRef;
use arrow::datatypes::{Field as ArrowField, Schema};
use arrow::record_batch::RecordBatch;
use datafusion::common::DFSchema;
use datafusion::common::ScalarValue;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::{Expr as PlanExpr, lit};
use datafusion::optimizer::simplify_expressions::ExprSimplifier;
use datafusion::physical_plan::PhysicalExpr;
use delta::schema::DataType;
use spec::{BinaryOp, Diagnostic, Expr, ExprKind, Literal, Span};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// An expression over the columns of a scope. Cheap to clone; compiled when first evaluated.
#[derive(Debug, Clone)]
pub struct Bound {
    session: Session,
    scope: Arc<Scope>,
    typed: Typed,
    span: Span,
    text: String,
    /// The operands of a top-level AND; empty for anything else.
    parts: Vec<Bound>,
    compiled: Arc<OnceLock<Arc<dyn PhysicalExpr>>>,
}

/// Binds `expr` over the columns of `scope`. Scalar subqueries run now, once, and become constants.
///
/// # Errors
/// [`BindError::Unresolved`] for a name nothing has; else whatever Spark's analyser refuses, or what the run of a
/// subquery complains about.
pub async fn bind(session: &Session, catalog: &dyn Catalog, scope: &Scope, expr: &Expr) -> Result<Bound, BindError> {
    let mut queries = Vec::new();
    subqueries_of(expr, &mut queries);
    let mut subqueries = Subqueries::default();
    for subquery in queries {
        let plan = query::plan_query(session, catalog, subquery).await?;
        let constant = if is_scalar(expr, subquery) { Some(run_scalar(session, &plan, subquery).await?) } else { None };
        if let Some(constant) = constant {
            let (plan, fields) = plan.into_parts();
            subqueries.insert(subquery, Subplan { plan, fields, constant: Some(constant), span: subquery.span });
        }
    }
    let binder = Binder::new(session, scope, &subqueries, Place::Statement);
    bound(&binder, &Arc::new(scope.clone()), expr)
}

fn bound(binder: &Binder<'_>, scope: &Arc<Scope>, expr: &Expr) -> Result<Bound, BindError> {
    let typed = binder.bind(expr)?;
    let mut parts = Vec::new();
    if let ExprKind::Binary { op: BinaryOp::And, left, right } = &expr.kind {
        for side in [left, right] {
            parts.extend(bound(binder, scope, side)?.conjuncts());
        }
    }
    Ok(Bound {
        session: binder.session.clone(),
        scope: Arc::clone(scope),
        typed,
        span: expr.span,
        text: pretty(scope, expr),
        parts,
        compiled: Arc::default(),
    })
}

/// Whether `query` stands in `expr` as a value, not behind IN or EXISTS.
fn is_scalar(expr: &Expr, query: &spec::Query) -> bool {
    let mut found = false;
    let mut visit = |node: &Expr| found |= is_scalar(node, query);
    match &expr.kind {
        ExprKind::Subquery(own) => return std::ptr::eq(own.as_ref(), query),
        ExprKind::Function(call) => call.args.iter().chain(&call.filter).for_each(&mut visit),
        _ => super::subquery::children(expr, &mut visit),
    }
    found
}

async fn run_scalar(session: &Session, plan: &query::Plan, subquery: &spec::Query) -> Result<Typed, Diagnostic> {
    let [column] = plan.columns() else {
        let message =
            format!("A subquery used as a value must give one column, but this one gives {}.", plan.columns().len());
        return Err(Diagnostic::new(
            "INVALID_SUBQUERY_EXPRESSION.SCALAR_SUBQUERY_RETURN_MORE_THAN_ONE_OUTPUT_COLUMN",
            "42823",
            message,
            subquery.span,
        ));
    };
    let batches = plan.collect(session).await.map_err(|diagnostic| diagnostic.or_at(subquery.span))?;
    let n_rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    if n_rows > 1 {
        let message = "A subquery used as a value gives more than one row.";
        return Err(Diagnostic::new("SCALAR_SUBQUERY_TOO_MANY_ROWS", "21000", message, subquery.span));
    }
    let data_type = SqlType::Column(column.data_type.clone());
    let value = match batches.iter().find(|batch| batch.num_rows() > 0) {
        Some(batch) => ScalarValue::try_from_array(batch.column(0), 0),
        None => ScalarValue::try_from(&data_type.arrow()),
    };
    let value = value.map_err(|error| diagnose(&error).or_at(subquery.span))?;
    Ok(Typed { nullable: true, ..Typed::literal(value, data_type) })
}

impl Bound {
    /// A constant.
    pub fn literal(session: &Session, scope: &Scope, value: &Literal, span: Span) -> Self {
        let text = pretty(scope, &Expr::new(ExprKind::Literal(value.clone()), span));
        Self::of(session, &Arc::new(scope.clone()), literal(value), span, text)
    }

    /// The column at a position of the scope; `None` where there is none.
    pub fn column(session: &Session, scope: &Scope, index: usize) -> Option<Self> {
        let field: &Field = scope.fields.get(index)?;
        Some(Self::of(session, &Arc::new(scope.clone()), field.typed(), Span::default(), field.name.clone()))
    }

    fn of(session: &Session, scope: &Arc<Scope>, typed: Typed, span: Span, text: String) -> Self {
        Self {
            session: session.clone(),
            scope: Arc::clone(scope),
            typed,
            span,
            text,
            parts: Vec::new(),
            compiled: Arc::default(),
        }
    }

    /// The conjunction; TRUE for an empty list, `None` only for want of a scope to stand in.
    pub fn and(list: &[Bound]) -> Option<Self> {
        Self::combine(list, "AND", PlanExpr::and)
    }

    /// The disjunction.
    pub fn or(list: &[Bound]) -> Option<Self> {
        Self::combine(list, "OR", PlanExpr::or)
    }

    fn combine(list: &[Bound], word: &str, combine: fn(PlanExpr, PlanExpr) -> PlanExpr) -> Option<Self> {
        let (first, rest) = list.split_first()?;
        let mut all = first.clone();
        for next in rest {
            let typed = Typed::new(
                combine(all.typed.expr.clone(), next.typed.expr.clone()),
                DataType::Boolean,
                all.typed.nullable || next.typed.nullable,
            );
            let text = format!("({} {word} {})", all.text, next.text);
            let parts = if word == "AND" { [all.conjuncts(), next.conjuncts()].concat() } else { Vec::new() };
            all = Self { parts, ..Self::of(&all.session, &all.scope, typed, all.span.to(next.span), text) };
        }
        Some(all)
    }

    /// The type; `Void` for a bare NULL, and for an interval, which no column can hold.
    pub fn data_type(&self) -> DataType {
        self.typed.data_type.column().cloned().unwrap_or(DataType::Void)
    }

    /// The type as Spark's messages write it.
    pub fn type_name(&self) -> String {
        self.typed.data_type.spark_name()
    }

    /// The text that the expression was written as.
    pub fn span(&self) -> Span {
        self.span
    }

    pub fn nullable(&self) -> bool {
        self.typed.nullable
    }

    /// The positions in the scope of the columns it reads.
    pub fn columns(&self) -> BTreeSet<usize> {
        columns_of(&self.typed.expr)
    }

    /// The operands of a top-level AND, nested ones too; the expression itself where it is something else.
    pub fn conjuncts(&self) -> Vec<Bound> {
        if self.parts.is_empty() { vec![self.clone()] } else { self.parts.clone() }
    }

    /// Whether it was written as a constant.
    pub fn is_literal(&self) -> bool {
        self.typed.as_literal().is_some()
    }

    /// What statistics can be asked; constant parts are folded first.
    pub fn predicate(&self) -> Predicate {
        predicate(&self.folded(), &position)
    }

    /// The text in the manner of Spark's plans, e.g. `(k = k)`.
    pub fn catalyst(&self) -> String {
        self.text.clone()
    }

    /// The value as a column of type `to` takes it.
    ///
    /// # Errors
    /// Types that no assignment converts. Values that do not fit fail when evaluated.
    pub fn assign(self, session: &Session, to: &DataType, kind: AssignKind) -> Result<Bound, Diagnostic> {
        let typed = at(cast::assign(session, self.typed.clone(), to, kind), self.span)?;
        Ok(Self { parts: Vec::new(), ..Self::of(session, &self.scope, typed, self.span, self.text) })
    }

    /// One value per row of `batch`, whose columns are the scope's, by position. Columns that the expression does not
    /// read may be of any type.
    ///
    /// # Errors
    /// Whatever Spark raises at run time: a cast that fails, an overflow, a division by zero.
    pub fn evaluate(&self, batch: &RecordBatch) -> Result<ArrayRef, Diagnostic> {
        let compiled = self.physical()?;
        let value = compiled.evaluate(batch).and_then(|value| value.into_array(batch.num_rows()));
        let array = value.map_err(|error| diagnose(&error).or_at(self.span))?;
        let wanted = self.typed.data_type.arrow();
        if *array.data_type() == wanted {
            return Ok(array);
        }
        arrow::compute::cast(&array, &wanted).map_err(|error| Diagnostic::internal(error).or_at(self.span))
    }

    pub(crate) fn physical(&self) -> Result<Arc<dyn PhysicalExpr>, Diagnostic> {
        if let Some(compiled) = self.compiled.get() {
            return Ok(Arc::clone(compiled));
        }
        let schema = plan_schema(&self.scope).map_err(|error| diagnose(&error))?;
        let compiled = self
            .session
            .state()
            .create_physical_expr(self.folded(), &schema)
            .map_err(|error| diagnose(&error).or_at(self.span))?;
        Ok(Arc::clone(self.compiled.get_or_init(|| compiled)))
    }

    pub(crate) fn typed(&self) -> &Typed {
        &self.typed
    }

    pub(crate) fn scope(&self) -> &Arc<Scope> {
        &self.scope
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// This expression's sides, where it is `left op right`.
    pub(crate) fn with_expr(&self, typed: Typed) -> Self {
        Self::of(&self.session, &self.scope, typed, self.span, self.text.clone())
    }

    /// The same with what is known of columns from the one at `first` on, which are those of `plan`.
    #[must_use]
    pub fn knowing(&self, plan: &Plan, first: usize) -> Self {
        let constants = plan.constants(&self.session);
        if constants.iter().all(Option::is_none) {
            return self.clone();
        }
        self.with_constants(&constants, first)
    }

    fn with_constants(&self, constants: &[Option<ScalarValue>], first: usize) -> Self {
        let known = |expr: PlanExpr| {
            let PlanExpr::Column(column) = &expr else { return Ok(Transformed::no(expr)) };
            let idx = position(&column.name).and_then(|idx| idx.checked_sub(first));
            let value = idx.and_then(|idx| constants.get(idx)?.clone());
            Ok(value.map_or_else(|| Transformed::no(expr.clone()), |value| Transformed::yes(lit(value))))
        };
        // The closure never fails, so neither does the walk.
        let expr = self.typed.expr.clone().transform_up(known).map_or_else(|_| self.typed.expr.clone(), |new| new.data);
        let typed = Typed::new(expr, self.typed.data_type.clone(), self.typed.nullable);
        let parts = self.parts.iter().map(|part| part.with_constants(constants, first)).collect();
        Self { parts, ..self.with_expr(typed) }
    }

    /// Whether it is TRUE for every row, whatever the columns hold.
    pub fn is_true(&self) -> bool {
        matches!(self.folded(), PlanExpr::Literal(ScalarValue::Boolean(Some(true)), _))
    }

    /// Whether Spark could hand it to a data source as a filter.
    pub fn is_source_filter(&self) -> bool {
        is_source_filter(&self.folded())
    }

    /// Whether it is NULL for every row, whatever the columns hold.
    pub fn is_null(&self) -> bool {
        matches!(self.folded(), PlanExpr::Literal(value, _) if value.is_null())
    }

    /// The expression with its constant parts computed. One that fails is left for the run, for the row that needs it
    /// may never come.
    fn folded(&self) -> PlanExpr {
        fold(&self.session, &self.scope, self.typed.expr.clone())
    }
}

/// The expression with its constant parts computed, where none of them fails.
pub(crate) fn fold(session: &Session, scope: &Scope, expr: PlanExpr) -> PlanExpr {
    let Ok(schema) = plan_schema(scope) else { return expr };
    let schema = Arc::new(schema);
    let context = SimplifyContext::builder()
        .with_schema(Arc::clone(&schema))
        .with_config_options(Arc::clone(session.state().config_options()))
        .build();
    let simplifier = ExprSimplifier::new(context);
    simplifier.coerce(expr.clone(), &schema).and_then(|coerced| simplifier.simplify(coerced)).unwrap_or(expr)
}

/// A constant expression's value; `None` where it is not constant.
pub(crate) fn constant(session: &Session, typed: &Typed) -> Option<ScalarValue> {
    constant_expr(session, typed.expr.clone())
}

/// The same for an expression of a plan.
pub(crate) fn constant_expr(session: &Session, expr: PlanExpr) -> Option<ScalarValue> {
    match fold(session, &Scope::new(), expr) {
        PlanExpr::Literal(value, _) => Some(value),
        _ => None,
    }
}

/// The scope as DataFusion sees it.
pub(crate) fn plan_schema(scope: &Scope) -> datafusion::common::Result<DFSchema> {
    let fields: Vec<ArrowField> =
        scope.fields.iter().map(|field| ArrowField::new(&field.id, field.data_type.arrow(), field.nullable)).collect();
    DFSchema::try_from(Schema::new(fields))
}

/// Where a column stands, by the name that [`Scope::add`] made up for it.
pub(crate) fn position(id: &str) -> Option<usize> {
    id.strip_prefix('@')?.parse().ok()
}

pub(crate) fn columns_of(expr: &PlanExpr) -> BTreeSet<usize> {
    let mut columns = BTreeSet::new();
    // The closure never fails, so neither does the walk.
    let walked = expr.apply(|node| {
        if let PlanExpr::Column(column) = node {
            columns.extend(position(&column.name));
        }
        Ok(TreeNodeRecursion::Continue)
    });
    debug_assert!(walked.is_ok());
    columns
}

/// TRUE, for joins without a condition.
pub(crate) fn always() -> PlanExpr {
    lit(true)
}

/// A constant whole number as BIGINT.
pub(crate) fn literal_i64(session: &Session, typed: Typed) -> Option<i64> {
    if !typed.data_type.is_integral() {
        return None;
    }
    let typed = super::coerce(session, typed, &DataType::Long.into()).ok()?;
    match constant(session, &typed) {
        Some(ScalarValue::Int64(value)) => value,
        _ => None,
    }
}
