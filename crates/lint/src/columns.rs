//! The columns of a query, as far as they can be told from its text and from what it reads.

use crate::known::{Column, Known, type_name};
use spec::{Cte, Expr, ExprKind, JoinKind, Literal, Name, Query, QueryBody, Relation, Select, SelectItem};

/// A relation's columns and the name that may stand before them.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub(crate) qualifier: Option<String>,
    pub(crate) columns: Vec<Column>,
}

impl Named {
    /// Whether this part before a column's name means this relation.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.qualifier.as_ref().is_some_and(|qualifier| qualifier.to_lowercase() == name.to_lowercase())
    }

    /// The column of that name.
    pub(crate) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name.to_lowercase() == name.to_lowercase())
    }
}

/// The columns of a query that may read `ctes`; `None` where it takes a run to know.
pub(crate) fn of_query(known: &Known, ctes: &[&Cte], query: &Query) -> Option<Vec<Column>> {
    let inner: Vec<&Cte> = ctes.iter().copied().chain(&query.ctes).collect();
    of_body(known, &inner, &query.body)
}

/// The relations that a FROM or USING brings, left to right.
pub(crate) fn of_relation(known: &Known, ctes: &[&Cte], relation: &Relation) -> Option<Vec<Named>> {
    let (columns, default, alias) = match relation {
        Relation::Table { name, alias, .. } => (of_name(known, ctes, name)?, Some(name.last()), alias),
        Relation::Subquery { query, alias, .. } => (of_query(known, ctes, query)?, None, alias),
        Relation::Function { .. } => return None,
        Relation::Join { left, right, kind, .. } => return of_join(known, ctes, (left, right), *kind),
    };
    let mut named = Named { qualifier: default.map(str::to_owned), columns };
    if let Some(alias) = alias {
        named.qualifier = Some(alias.name.value.clone());
        for (column, name) in named.columns.iter_mut().zip(&alias.columns) {
            column.name.clone_from(&name.value);
        }
    }
    Some(vec![named])
}

fn of_join(known: &Known, ctes: &[&Cte], (left, right): (&Relation, &Relation), kind: JoinKind) -> Option<Vec<Named>> {
    let mut left = of_relation(known, ctes, left)?;
    if matches!(kind, JoinKind::LeftSemi | JoinKind::LeftAnti) {
        return Some(left);
    }
    let mut right = of_relation(known, ctes, right)?;
    let outer = |side: &mut Vec<Named>| {
        side.iter_mut().flat_map(|named| &mut named.columns).for_each(|column| column.nullable = true);
    };
    if matches!(kind, JoinKind::Right | JoinKind::Full) {
        outer(&mut left);
    }
    if matches!(kind, JoinKind::Left | JoinKind::Full) {
        outer(&mut right);
    }
    left.append(&mut right);
    Some(left)
}

fn of_name(known: &Known, ctes: &[&Cte], name: &Name) -> Option<Vec<Column>> {
    let cte = ctes.iter().rposition(|cte| name.parts.len() == 1 && cte.name.is(name.last()));
    if let Some(at) = cte {
        let (before, cte) = (ctes.get(..at)?, ctes.get(at)?);
        let mut columns = of_query(known, before, &cte.query)?;
        for (column, name) in columns.iter_mut().zip(&cte.columns) {
            column.name.clone_from(&name.value);
        }
        return Some(columns);
    }
    known.find(name).map(|table| table.columns.clone()).filter(|columns| !columns.is_empty())
}

fn of_body(known: &Known, ctes: &[&Cte], body: &QueryBody) -> Option<Vec<Column>> {
    match body {
        QueryBody::Select(select) => of_select(known, ctes, select),
        QueryBody::Table(name) => of_name(known, ctes, name),
        QueryBody::Query(query) => of_query(known, ctes, query),
        QueryBody::SetOp { left, right, .. } => {
            let mut columns = of_body(known, ctes, left)?;
            for (column, other) in columns.iter_mut().zip(of_body(known, ctes, right)?) {
                column.nullable |= other.nullable;
            }
            Some(columns)
        }
        QueryBody::Values { rows, alias } => {
            let names = alias.as_ref().map(|alias| alias.columns.as_slice()).unwrap_or_default();
            let name = |at: usize| names.get(at).map_or_else(|| format!("col{}", at + 1), |name| name.value.clone());
            let column = |(at, _)| Column {
                name: name(at),
                data_type: String::new(),
                nullable: rows.iter().filter_map(|row: &Vec<Expr>| row.get(at)).any(may_be_null),
            };
            Some(rows.first()?.iter().enumerate().map(column).collect())
        }
    }
}

fn of_select(known: &Known, ctes: &[&Cte], select: &Select) -> Option<Vec<Column>> {
    let mut from = Vec::new();
    for relation in &select.from {
        from.extend(of_relation(known, ctes, relation)?);
    }
    let mut columns = Vec::new();
    for item in &select.items {
        match item {
            SelectItem::Expr { expr, alias } if alias.len() < 2 => {
                let mut column = of_expr(&from, expr);
                if let Some(alias) = alias.first() {
                    column.name.clone_from(&alias.value);
                }
                columns.push(column);
            }
            // A generator: its columns depend on its argument.
            SelectItem::Expr { .. } => return None,
            SelectItem::Star { qualifier, except, .. } => {
                let is_meant = |named: &&Named| qualifier.as_ref().is_none_or(|name| named.is_called(name.last()));
                let is_kept = |column: &&Column| !except.iter().any(|name| name.last() == column.name);
                columns.extend(from.iter().filter(is_meant).flat_map(|named| &named.columns).filter(is_kept).cloned());
            }
        }
    }
    Some(columns)
}

fn of_expr(from: &[Named], expr: &Expr) -> Column {
    match &expr.kind {
        ExprKind::Column(name) => {
            let found = resolve(from, name).cloned();
            found.unwrap_or(Column { name: name.last().to_owned(), data_type: String::new(), nullable: true })
        }
        ExprKind::Cast { expr, data_type, .. } => Column { data_type: type_name(data_type), ..of_expr(from, expr) },
        _ => Column { name: String::new(), data_type: String::new(), nullable: may_be_null(expr) },
    }
}

/// The column that a name stands for among relations.
pub(crate) fn resolve<'a>(from: &'a [Named], name: &Name) -> Option<&'a Column> {
    match name.parts.as_slice() {
        [.., qualifier, column] => from.iter().find(|named| named.is_called(&qualifier.value))?.column(&column.value),
        [column] => from.iter().find_map(|named| named.column(&column.value)),
        [] => None,
    }
}

fn may_be_null(expr: &Expr) -> bool {
    !matches!(&expr.kind, ExprKind::Literal(literal) if *literal != Literal::Null)
}
