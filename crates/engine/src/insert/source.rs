//! The query of an INSERT with DEFAULT and the PARTITION clause written out.

use crate::constraints::defaults;
use delta::schema::{StructField, StructType};
use spec::{
    CastMode, Diagnostic, Expr, ExprKind, GroupBy, Ident, Insert, Name, Query, QueryBody, Relation, Select, SelectItem,
    Span, TableAlias,
};

/// The query whose columns the table takes: DEFAULT is the default of the column that it stands for, values of the
/// PARTITION clause are columns at the end.
///
/// # Errors
/// A PARTITION clause that names another column than one to partition by; a default that is no expression.
pub(super) fn prepared(insert: &Insert, schema: &StructType) -> Result<Query, Diagnostic> {
    let mut query = insert.source.clone();
    fill_defaults(&mut query.body, &targets(insert, schema))?;
    let fixed: Vec<(&Ident, &Expr)> =
        insert.partition.iter().filter_map(|part| Some((&part.column, part.value.as_ref()?))).collect();
    if fixed.is_empty() { Ok(query) } else { Ok(with_partition(query, &fixed)) }
}

/// The column that each column of the query is for, as far as that is known before the query is planned.
fn targets<'a>(insert: &Insert, schema: &'a StructType) -> Vec<Option<&'a StructField>> {
    if insert.by_name {
        return Vec::new();
    }
    if !insert.columns.is_empty() {
        return insert.columns.iter().map(|column| schema.field(&column.value)).collect();
    }
    let is_fixed =
        |field: &&StructField| insert.partition.iter().any(|part| part.value.is_some() && part.column.is(&field.name));
    schema.fields.iter().filter(|field| !is_fixed(field)).map(Some).collect()
}

fn fill_defaults(body: &mut QueryBody, targets: &[Option<&StructField>]) -> Result<(), Diagnostic> {
    match body {
        QueryBody::Values { rows, .. } => {
            for row in rows {
                for (idx, value) in row.iter_mut().enumerate() {
                    fill(value, targets.get(idx).copied().flatten())?;
                }
            }
        }
        QueryBody::Select(select) => {
            for (idx, item) in select.items.iter_mut().enumerate() {
                // Behind a star nobody can count yet.
                let SelectItem::Expr { expr, .. } = item else { break };
                fill(expr, targets.get(idx).copied().flatten())?;
            }
        }
        QueryBody::Table(_) | QueryBody::SetOp { .. } | QueryBody::Query(_) => {}
    }
    Ok(())
}

fn fill(value: &mut Expr, field: Option<&StructField>) -> Result<(), Diagnostic> {
    if value.kind != ExprKind::Default {
        return Ok(());
    }
    let Some(field) = field else { return Ok(()) };
    let default = defaults::expression(field, value.span)?;
    let data_type = sql::parse_data_type(&field.data_type.sql_name())?;
    value.kind = ExprKind::Cast { expr: Box::new(default), data_type, mode: CastMode::Ansi };
    Ok(())
}

/// `SELECT *, value AS column, … FROM (query)`
fn with_partition(query: Query, fixed: &[(&Ident, &Expr)]) -> Query {
    let span = query.span;
    let alias = TableAlias { name: Ident::new("__source", Span::default()), columns: Vec::new() };
    let star = SelectItem::Star { qualifier: Some(Name::bare(alias.name.clone())), except: Vec::new(), span };
    let values = fixed
        .iter()
        .map(|(column, value)| SelectItem::Expr { expr: Expr::clone(value), alias: vec![Ident::clone(column)] });
    let from = Relation::Subquery { query: Box::new(query), lateral: false, alias: Some(alias), frame: None, span };
    let select = Select {
        distinct: false,
        items: std::iter::once(star).chain(values).collect(),
        from: vec![from],
        lateral_views: Vec::new(),
        filter: None,
        group_by: GroupBy::None,
        having: None,
        windows: Vec::new(),
        exchanges: Vec::new(),
        span,
    };
    let body = QueryBody::Select(Box::new(select));
    Query { ctes: Vec::new(), body, order_by: Vec::new(), limit: None, offset: None, seen: Vec::new(), span }
}
