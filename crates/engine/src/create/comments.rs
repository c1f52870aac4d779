//! Comments that travel with columns into CREATE TABLE … AS: a column that the query only passes on keeps its own.

use crate::catalog::{Entry, Format};
use crate::resolve::latest;
use crate::sandbox::Context;
use delta::schema::{StructType, same_name};
use spec::{Cte, Diagnostic, ExprKind, JoinConstraint, Name, Query, QueryBody, Relation, SelectItem};

/// A column of a relation: its qualifier, its name, its comment.
#[derive(Debug, Clone)]
struct Passed {
    relation: String,
    name: String,
    comment: Option<String>,
}

/// Gives the columns of `schema`, which are those of the query in order, the comments that they bring along. A query
/// of a shape that hides where its columns come from brings none.
///
/// # Errors
/// A table that the query reads cannot be opened.
pub(super) async fn bring(context: &Context<'_>, query: &Query, schema: &mut StructType) -> Result<(), Diagnostic> {
    let Some(passed) = of_query(context, query, &[]).await? else { return Ok(()) };
    if passed.len() != schema.fields.len() {
        return Ok(());
    }
    for (field, passed) in schema.fields.iter_mut().zip(passed) {
        if let Some(comment) = passed.comment {
            field.metadata.insert("comment".into(), comment.into());
        }
    }
    Ok(())
}

type Columns = Option<Vec<Passed>>;

async fn of_query(context: &Context<'_>, query: &Query, outer: &[&Cte]) -> Result<Columns, Diagnostic> {
    let ctes: Vec<&Cte> = query.ctes.iter().chain(outer.iter().copied()).collect();
    let select = match &query.body {
        QueryBody::Select(select) if select.lateral_views.is_empty() => select,
        QueryBody::Table(name) => return of_table(context, name, name.last(), &ctes).await,
        QueryBody::Query(inner) => return Box::pin(of_query(context, inner, &ctes)).await,
        _ => return Ok(None),
    };
    let mut from = Vec::new();
    for relation in &select.from {
        let Some(columns) = of_relation(context, relation, &ctes).await? else { return Ok(None) };
        from.extend(columns);
    }
    let mut shown = Vec::new();
    for item in &select.items {
        match item {
            SelectItem::Star { qualifier, except, .. } if except.is_empty() => {
                let of_star =
                    |passed: &&Passed| qualifier.as_ref().is_none_or(|name| same_name(name.last(), &passed.relation));
                shown.extend(from.iter().filter(of_star).cloned());
            }
            SelectItem::Star { .. } => return Ok(None),
            SelectItem::Expr { expr, alias } => {
                let (name, comment) = match &expr.kind {
                    ExprKind::Column(name) => (name.last(), comment_of(&from, name)),
                    _ => ("", None),
                };
                let name = alias.first().map_or(name, |alias| alias.value.as_str()).to_owned();
                shown.push(Passed { relation: String::new(), name, comment });
            }
        }
    }
    Ok(Some(shown))
}

/// The comment of the one column that a name can mean.
fn comment_of(from: &[Passed], name: &Name) -> Option<String> {
    let (column, qualifier) = name.parts.split_last()?;
    let is_meant = |passed: &&Passed| {
        column.is(&passed.name) && qualifier.last().is_none_or(|relation| relation.is(&passed.relation))
    };
    let mut found = from.iter().filter(is_meant);
    let first = found.next()?;
    if found.next().is_some() { None } else { first.comment.clone() }
}

async fn of_relation(context: &Context<'_>, relation: &Relation, ctes: &[&Cte]) -> Result<Columns, Diagnostic> {
    match relation {
        Relation::Table { name, alias, time_travel: None, .. } => {
            let shown = alias.as_ref().map_or(name.last(), |alias| alias.name.value.as_str());
            if alias.as_ref().is_some_and(|alias| !alias.columns.is_empty()) {
                return Ok(None);
            }
            of_table(context, name, shown, ctes).await
        }
        Relation::Subquery { query, alias, lateral: false, .. } => {
            let shown = alias.as_ref().map_or("", |alias| alias.name.value.as_str());
            if alias.as_ref().is_some_and(|alias| !alias.columns.is_empty()) {
                return Ok(None);
            }
            Ok(renamed(Box::pin(of_query(context, query, ctes)).await?, shown))
        }
        Relation::Join { left, right, constraint: JoinConstraint::On(_) | JoinConstraint::None, .. } => {
            let left = Box::pin(of_relation(context, left, ctes)).await?;
            let right = Box::pin(of_relation(context, right, ctes)).await?;
            Ok(left.zip(right).map(|(left, right)| [left, right].concat()))
        }
        _ => Ok(None),
    }
}

async fn of_table(context: &Context<'_>, name: &Name, shown: &str, ctes: &[&Cte]) -> Result<Columns, Diagnostic> {
    if let [only] = name.parts.as_slice()
        && let Some(idx) = ctes.iter().position(|cte| cte.name.is(&only.value))
    {
        // A CTE sees only those before it; that it names columns anew hides where they come from.
        let (Some(cte), Some(rest)) = (ctes.get(idx), ctes.get(idx + 1..)) else { return Ok(None) };
        if !cte.columns.is_empty() {
            return Ok(None);
        }
        return Ok(renamed(Box::pin(of_query(context, &cte.query, rest)).await?, shown));
    }
    let Some(Entry::Table(entry)) = context.catalog.find(name) else { return Ok(None) };
    if entry.format != Format::Delta {
        return Ok(None);
    }
    let Some(snapshot) = latest(context.env, &entry, name.span()).await? else { return Ok(None) };
    let passed = snapshot.schema().fields.iter().map(|field| Passed {
        relation: shown.to_owned(),
        name: field.name.clone(),
        comment: field.metadata.get("comment").and_then(|comment| comment.as_str()).map(str::to_owned),
    });
    Ok(Some(passed.collect()))
}

fn renamed(columns: Columns, relation: &str) -> Columns {
    let rename = |passed: Passed| Passed { relation: relation.to_owned(), ..passed };
    columns.map(|columns| columns.into_iter().map(rename).collect())
}
