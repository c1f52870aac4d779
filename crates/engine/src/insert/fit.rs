//! How the columns of a query fit those of the table, and what the table becomes by them.

use super::{columns, source};
use crate::fields::Meeting;
use crate::merge::repeated;
use crate::sandbox::Context;
use delta::schema::{StructField, StructType};
use query::{AssignKind, Plan, plan_query};
use spec::{Diagnostic, Insert};

/// The query of an INSERT, planned, and where its columns go.
pub(crate) struct Fit {
    pub(crate) plan: Plan,
    /// The table's columns, with those that the data adds.
    pub(crate) schema: StructType,
    /// Per column of `schema` the query column that fills it; `None` where the table fills it itself.
    pub(crate) places: Vec<Option<usize>>,
    pub(crate) kind: AssignKind,
}

/// What new data may do to a table.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Growth {
    /// Add columns and fields.
    pub(crate) evolves: bool,
    /// Widen types.
    pub(crate) widens: bool,
}

/// The query's own columns as those of the table: it is overwritten with its definition.
///
/// # Errors
/// The query cannot be planned, or has a column twice.
pub(super) async fn redefining(context: &Context<'_>, insert: &Insert) -> Result<Fit, Diagnostic> {
    let plan = plan_query(&context.session, &context.resolver(), &insert.source).await?;
    let fields = plan.columns().iter().map(|column| StructField::new(&column.name, column.data_type.clone())).collect();
    let schema = StructType { fields };
    if let Some(name) = schema.repeated_name() {
        return Err(repeated(name, insert.source.span));
    }
    let places = (0..schema.fields.len()).map(Some).collect();
    Ok(Fit { plan, schema, places, kind: AssignKind::InsertByName })
}

/// Plans the query and fits its columns to the table's. What the table lacks is refused, or added to it if it may grow.
///
/// # Errors
/// Columns or struct fields that do not fit the table.
pub(crate) async fn fitted(
    context: &Context<'_>,
    insert: &Insert,
    schema: &StructType,
    growth: Growth,
) -> Result<Fit, Diagnostic> {
    let query = source::prepared(insert, schema)?;
    let plan = plan_query(&context.session, &context.resolver(), &query).await?;
    let (by_name, span) = (insert.by_name, insert.source.span);
    let Growth { evolves, widens } = growth;
    let meeting = Meeting { table: &insert.table.name, by_name, evolves, widens, span };
    let given = plan.columns();
    let mut places = columns::places(insert, schema, given, &meeting)?;
    let mut fields = Vec::with_capacity(given.len().max(schema.fields.len()));
    for (field, place) in schema.fields.iter().zip(&places) {
        let data_type = match place.and_then(|idx| given.get(idx)) {
            Some(column) => meeting.column(&field.name, &field.data_type, &column.data_type)?,
            None => field.data_type.clone(),
        };
        fields.push(StructField { data_type, ..field.clone() });
    }
    for (idx, column) in given.iter().enumerate() {
        if !places.contains(&Some(idx)) {
            fields.push(StructField::new(&column.name, column.data_type.clone()));
            places.push(Some(idx));
        }
    }
    let schema = StructType { fields };
    if let Some(name) = schema.repeated_name() {
        return Err(repeated(name, span));
    }
    let kind = if by_name { AssignKind::InsertByName } else { AssignKind::Insert };
    Ok(Fit { plan, schema, places, kind })
}
