//! What all steps of planning share.

use super::look::Looked;
use crate::catalog::{Catalog, Table};
use crate::error::diagnose;
use crate::expr::{Binder, Place, Subplan, Subqueries, subqueries_of};
use crate::scope::{Field, Scope};
use crate::session::Session;
use datafusion::common::DataFusionError;
use datafusion::logical_expr::{Expr as PlanExpr, LogicalPlan, LogicalPlanBuilder};
use futures::future::BoxFuture;
use spec::{Cte, Diagnostic, Expr, Ident, Query, SeenTable, Span};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A relation: the plan, and the names of its columns.
#[derive(Debug, Clone)]
pub(crate) struct Planned {
    pub(crate) plan: LogicalPlan,
    pub(crate) scope: Scope,
}

/// What a query sees of its surroundings.
#[derive(Debug, Clone, Default)]
pub(crate) struct Env {
    frame: Option<Arc<Frame>>,
    /// The columns of the queries around this one, the nearest last.
    pub(crate) outer: Vec<Arc<Scope>>,
    /// Whether the query is a step of a data frame.
    pub(crate) in_frame: bool,
    /// The tables as the data frame saw them.
    pub(super) seen: Arc<[SeenTable]>,
}

/// A common table expression and what its own query sees.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) cte: Arc<Cte>,
    pub(crate) env: Env,
    parent: Option<Arc<Frame>>,
}

impl Env {
    /// The same with common table expressions; each sees those before it.
    pub(crate) fn with_ctes(&self, ctes: &[Cte]) -> Self {
        let mut env = self.clone();
        for cte in ctes {
            let frame = Frame { cte: Arc::new(cte.clone()), env: env.clone(), parent: env.frame.clone() };
            env.frame = Some(Arc::new(frame));
        }
        env
    }

    /// What the query of a view sees: of its surroundings nothing but the tables as they were seen.
    pub(super) fn of_view(&self) -> Self {
        Self { seen: Arc::clone(&self.seen), ..Self::default() }
    }

    /// The same for a subquery of a query over `scope`.
    pub(crate) fn inside(&self, scope: &Scope) -> Self {
        let mut env = self.clone();
        env.outer.push(Arc::new(scope.clone()));
        env
    }

    /// The same for a query that is, or is not, a step of a data frame.
    pub(crate) fn framed(&self, in_frame: bool) -> Self {
        Self { in_frame, ..self.clone() }
    }

    /// The innermost common table expression of that name.
    pub(crate) fn cte(&self, name: &Ident) -> Option<&Arc<Frame>> {
        let mut frame = self.frame.as_ref();
        while let Some(found) = frame {
            if name.is(&found.cte.name.value) {
                return Some(found);
            }
            frame = found.parent.as_ref();
        }
        None
    }
}

/// Plans one statement's queries: hands out the made-up column names and remembers the tables.
pub(crate) struct Planner<'a> {
    pub(crate) session: &'a Session,
    pub(crate) catalog: &'a dyn Catalog,
    /// Data frames that need not be planned again.
    pub(super) looked: Option<&'a Looked>,
    next_id: AtomicUsize,
    tables: Mutex<Vec<Arc<dyn Table>>>,
}

pub(crate) type Result<T> = std::result::Result<T, Diagnostic>;

impl<'a> Planner<'a> {
    pub(crate) fn new(session: &'a Session, catalog: &'a dyn Catalog) -> Self {
        Self { session, catalog, looked: None, next_id: AtomicUsize::new(0), tables: Mutex::default() }
    }

    /// Takes the columns of data frames that were looked at from there; such a plan has no rows.
    pub(super) fn knowing(self, looked: &'a Looked) -> Self {
        Self { looked: Some(looked), ..self }
    }

    /// A column name that no plan of this statement has yet.
    pub(crate) fn fresh_id(&self) -> String {
        format!("#{}", self.next_id.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) fn add_table(&self, table: &Arc<dyn Table>) {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(table));
    }

    pub(crate) fn tables(&self) -> Vec<Arc<dyn Table>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The query as a relation.
    pub(crate) fn query<'f>(&'f self, env: &'f Env, query: &'f Query) -> BoxFuture<'f, Result<Planned>> {
        Box::pin(async move {
            let mut env = env.with_ctes(&query.ctes);
            if !query.seen.is_empty() {
                env.seen = query.seen.clone().into();
            }
            self.ordered_body(&env, query).await
        })
    }

    /// Plans the subqueries directly inside `exprs`, which may name the columns of `scope`.
    pub(crate) async fn subqueries(&self, env: &Env, scope: &Scope, exprs: &[&Expr]) -> Result<Subqueries> {
        let mut queries = Vec::new();
        for expr in exprs {
            subqueries_of(expr, &mut queries);
        }
        let mut subqueries = Subqueries::default();
        if queries.is_empty() {
            return Ok(subqueries);
        }
        let inside = env.inside(scope).framed(false);
        for query in queries {
            let Planned { plan, scope } = self.query(&inside, query).await?;
            let fields: Vec<Field> = scope.fields.into_iter().filter(|field| field.visible).collect();
            let plan = built(LogicalPlanBuilder::from(plan).project(fields.iter().map(Field::expr)), query.span)?;
            subqueries.insert(query, Subplan { plan, fields, constant: None, span: query.span });
        }
        Ok(subqueries)
    }

    pub(crate) fn binder<'b>(
        &'b self,
        env: &'b Env,
        scope: &'b Scope,
        subqueries: &'b Subqueries,
        place: Place,
    ) -> Binder<'b> {
        Binder { outer: &env.outer, ..Binder::new(self.session, scope, subqueries, place) }
    }
}

/// The plan of a builder; DataFusion's refusal points at `span`.
pub(crate) fn built(
    builder: std::result::Result<LogicalPlanBuilder, DataFusionError>,
    span: Span,
) -> Result<LogicalPlan> {
    builder.and_then(LogicalPlanBuilder::build).map_err(|error| diagnose(&error).or_at(span))
}

impl Planned {
    /// One row without columns: what `SELECT 1` reads.
    pub(crate) fn one_row(span: Span) -> Result<Self> {
        Ok(Self { plan: built(Ok(LogicalPlanBuilder::empty(true)), span)?, scope: Scope::new() })
    }

    /// The same rows with more columns.
    pub(crate) fn extended(self, extra: Vec<PlanExpr>, span: Span) -> Result<LogicalPlan> {
        let mut exprs: Vec<PlanExpr> = self.plan.schema().columns().into_iter().map(PlanExpr::Column).collect();
        exprs.extend(extra);
        built(LogicalPlanBuilder::from(self.plan).project(exprs), span)
    }

    /// The relation under an alias: its columns lose other qualifiers, and hidden ones are gone.
    ///
    /// # Errors
    /// A column list of another length.
    pub(crate) fn aliased(mut self, qualifier: &[String], columns: &[Ident], span: Span) -> Result<Self> {
        self.scope.fields.retain(|field| field.visible);
        for field in &mut self.scope.fields {
            field.qualifier = qualifier.to_vec();
        }
        if columns.is_empty() {
            return Ok(self);
        }
        if columns.len() != self.scope.fields.len() {
            let message =
                format!("The alias names {} columns, but the relation has {}.", columns.len(), self.scope.fields.len());
            return Err(Diagnostic::new("ASSIGNMENT_ARITY_MISMATCH", "42802", message, span));
        }
        for (field, column) in self.scope.fields.iter_mut().zip(columns) {
            field.name.clone_from(&column.value);
        }
        Ok(self)
    }
}
