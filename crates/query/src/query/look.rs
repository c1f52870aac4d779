//! The names and types of a query, without running it: what a data frame answers about its columns.

use super::planner::{Env, Planned, Planner};
use super::seen::seen_by;
use crate::catalog::{Catalog, Column};
use crate::expr::{Binder, Place, Subqueries, plan_schema};
use crate::scope::{Resolved, Scope};
use crate::session::Session;
use datafusion::logical_expr::{EmptyRelation, Expr as PlanExpr, LogicalPlan};
use spec::{Diagnostic, Expr, Ident, Name, Query, SeenTable};
use std::collections::HashMap;
use std::sync::Arc;

/// The columns of a query, and what they are known by.
#[derive(Debug)]
pub struct Look {
    session: Session,
    scope: Scope,
    columns: Vec<Column>,
    seen: Vec<SeenTable>,
}

/// The data frames that were looked at. What is built on one takes its columns from here instead of planning it again:
/// a hundred steps, one on the other, are a hundred plans of one step each. As in Spark, a frame keeps the columns that it
/// was made with, whatever becomes of its tables.
#[derive(Debug, Default)]
pub struct Looked(HashMap<u32, Scope>);

impl Looked {
    /// Remembers a frame by its number.
    pub fn add(&mut self, frame: u32, look: &Look) {
        self.0.insert(frame, look.scope.clone());
    }

    /// The names of the columns of a frame.
    pub fn names(&self, frame: u32) -> Option<Vec<&str>> {
        let fields = self.0.get(&frame)?.fields.iter();
        Some(fields.filter(|field| field.visible).map(|field| field.name.as_str()).collect())
    }
}

impl Planner<'_> {
    /// A frame that was looked at: its columns, and no rows. Its columns get names of this plan.
    pub(super) fn looked_at(&self, frame: u32) -> Result<Option<Planned>, Diagnostic> {
        let Some(known) = self.looked.and_then(|looked| looked.0.get(&frame)) else { return Ok(None) };
        let mut scope = known.clone();
        let mut ids: HashMap<String, String> = HashMap::new();
        let mut columns = Scope::new();
        for field in &mut scope.fields {
            let is_new = !ids.contains_key(&field.id);
            field.id = ids.entry(field.id.clone()).or_insert_with(|| self.fresh_id()).clone();
            if is_new {
                columns.fields.push(field.clone());
            }
        }
        let schema = Arc::new(plan_schema(&columns).map_err(Diagnostic::internal)?);
        let plan = LogicalPlan::EmptyRelation(EmptyRelation { produce_one_row: false, schema });
        Ok(Some(Planned { plan, scope }))
    }
}

/// Plans a query for its columns.
///
/// # Errors
/// Whatever Spark's analyser refuses.
pub async fn look(
    session: &Session,
    catalog: &dyn Catalog,
    query: &Query,
    frame: u32,
    looked: &Looked,
) -> Result<Look, Diagnostic> {
    let planner = Planner::new(session, catalog).knowing(looked);
    let Planned { mut scope, .. } = planner.query(&Env::default().framed(true), query).await?;
    let mut columns = Vec::with_capacity(scope.fields.len());
    // Hidden columns come last, so positions count the visible ones.
    for (index, field) in scope.fields.iter_mut().filter(|field| field.visible).enumerate() {
        field.origins.push((frame, u32::try_from(index).unwrap_or(u32::MAX)));
        let Some(data_type) = field.data_type.column() else {
            let what = format!("A column of type {}", field.data_type.spark_name());
            return Err(Diagnostic::unsupported(what, query.span));
        };
        columns.push(Column { name: field.name.clone(), data_type: data_type.clone(), nullable: field.nullable });
    }
    let seen = seen_by(&planner.tables());
    Ok(Look { session: session.clone(), scope, columns, seen })
}

impl Look {
    /// Names may repeat.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The tables that it reads itself, without those of frames that were looked at.
    pub fn seen(&self) -> &[SeenTable] {
        &self.seen
    }

    /// The position of the column that a name means, and the fields behind it.
    ///
    /// # Errors
    /// No column has that name, or several have.
    pub fn resolve(&self, name: &Name) -> Result<(usize, Vec<Ident>), Diagnostic> {
        if let Some(Resolved { index, path, .. }) = self.scope.resolve(name)? {
            return Ok((index, path));
        }
        // The binder words the complaint.
        let column = Expr::new(spec::ExprKind::Column(name.clone()), name.span());
        self.binder(&Subqueries::default()).bind(&column)?;
        Err(Diagnostic::internal(format!("`{name}` is no column")))
    }

    /// The positions of the columns that an expression is, if it is nothing but a column.
    pub fn positions(&self, expr: &Expr) -> Vec<usize> {
        let Ok(typed) = self.binder(&Subqueries::default()).bind(expr) else { return Vec::new() };
        let PlanExpr::Column(_) = &typed.expr else { return Vec::new() };
        let fields = self.scope.fields.iter().enumerate();
        fields.filter(|(_, field)| field.expr() == typed.expr).map(|(index, _)| index).collect()
    }

    fn binder<'a>(&'a self, subqueries: &'a Subqueries) -> Binder<'a> {
        Binder::new(&self.session, &self.scope, subqueries, Place::Statement)
    }
}

/// The text of an expression as Spark writes it.
pub fn text_of(expr: &Expr) -> String {
    crate::expr::pretty(&Scope::new(), expr)
}
