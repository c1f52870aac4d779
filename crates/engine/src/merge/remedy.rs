//! The edit that is offered where several source rows match one target row: a source with one row per key.

use super::bind::BoundMerge;
use super::duplicates::CONDITION;
use delta::schema::DataType;
use query::{Column, columns_named};
use spec::{BinaryOp, Diagnostic, Expr, ExprKind, MergeInto, Name, Relation};

/// Sort columns are enough with two, where a time and a number are among them; the others only make up for their lack.
const ENOUGH: usize = 2;

/// The complaint with the deduplication as an edit, if it is about duplicates and ON compares a key.
pub(super) fn offered(problem: Diagnostic, script: &str, merge: &MergeInto, bound: &BoundMerge) -> Diagnostic {
    if problem.condition != CONDITION {
        return problem;
    }
    match deduplicated(script, merge, bound) {
        Some(source) => problem.with_edit("Keep one source row per key", merge.source.span(), source),
        None => problem,
    }
}

/// The source as a query that keeps one row per key.
fn deduplicated(script: &str, merge: &MergeInto, bound: &BoundMerge) -> Option<String> {
    let keys = keys(&merge.on, bound);
    if keys.is_empty() {
        return None;
    }
    let partition: Vec<&str> = keys.iter().map(|key| key.span.of(script)).collect();
    let named: Vec<String> =
        keys.iter().flat_map(|key| columns_named(key)).map(|name| name.last().to_lowercase()).collect();
    let order: Vec<String> =
        order(&bound.source_columns, &named).into_iter().map(|name| format!("{} DESC", quoted(name))).collect();
    let columns: Vec<String> = bound.source_columns.iter().map(|column| quoted(&column.name)).collect();
    let number = free_name(&bound.source_columns);
    let source = merge.source.span().of(script);
    let called = called(&merge.source).map_or_else(String::new, |name| format!(" AS {}", quoted(name)));
    Some(format!(
        "(\n  SELECT {}\n  FROM (\n    SELECT *, row_number() OVER (PARTITION BY {} ORDER BY {}) AS {number}\n    \
         FROM {source}\n  )\n  WHERE {number} = 1\n){called}",
        columns.join(", "),
        partition.join(", "),
        if order.is_empty() { partition.join(", ") } else { order.join(", ") },
    ))
}

/// The source's side of each equality that ON asks for.
fn keys<'a>(on: &'a Expr, bound: &BoundMerge) -> Vec<&'a Expr> {
    match &on.kind {
        ExprKind::Binary { op: BinaryOp::And, left, right } => {
            let mut all = keys(left, bound);
            all.extend(keys(right, bound));
            all
        }
        ExprKind::Binary { op: BinaryOp::Eq | BinaryOp::NullSafeEq, left, right } => {
            let is_target = |side: &Expr| columns_named(side).iter().any(|name| !is_of_source(name, bound));
            let sides = [(left, right), (right, left)].into_iter();
            let mut keys = sides.filter(|(side, other)| is_source(side, bound) && is_target(other));
            keys.next().map(|(side, _)| side.as_ref()).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn is_source(side: &Expr, bound: &BoundMerge) -> bool {
    let names = columns_named(side);
    !names.is_empty() && names.into_iter().all(|name| is_of_source(name, bound))
}

fn is_of_source(name: &Name, bound: &BoundMerge) -> bool {
    let has = |columns: &[Column]| columns.iter().any(|column| column.name.eq_ignore_ascii_case(name.last()));
    match name.parts.as_slice() {
        [.., qualifier, _] => qualifier.is(&bound.source_name),
        _ => has(&bound.source_columns) && !has(&bound.target.columns),
    }
}

/// Columns that tell which row of a key is the one to keep: the latest, then the highest number.
fn order<'a>(columns: &'a [Column], keys: &[String]) -> Vec<&'a str> {
    let rank = |column: &Column| match &column.data_type {
        DataType::Timestamp | DataType::TimestampNtz => Some(0),
        DataType::Date => Some(1),
        DataType::Byte | DataType::Short | DataType::Int | DataType::Long | DataType::Decimal { .. } => Some(2),
        DataType::Float | DataType::Double | DataType::String | DataType::Boolean => Some(3),
        _ => None,
    };
    let others = columns.iter().filter(|column| !keys.contains(&column.name.to_lowercase()));
    let mut ranked: Vec<(i32, &str)> =
        others.filter_map(|column| Some((rank(column)?, column.name.as_str()))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let n_telling = ranked.iter().filter(|(rank, _)| *rank < 3).count();
    ranked.into_iter().take(n_telling.max(ENOUGH)).map(|(_, name)| name).collect()
}

fn called(source: &Relation) -> Option<&str> {
    match source {
        Relation::Table { alias: Some(alias), .. }
        | Relation::Subquery { alias: Some(alias), .. }
        | Relation::Function { alias: Some(alias), .. } => Some(&alias.name.value),
        Relation::Table { name, .. } => Some(name.last()),
        _ => None,
    }
}

/// A name that no column has.
fn free_name(columns: &[Column]) -> String {
    let mut name = "nth".to_owned();
    while columns.iter().any(|column| column.name.eq_ignore_ascii_case(&name)) {
        name.push('_');
    }
    name
}

fn quoted(name: &str) -> String {
    let is_plain = name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && sql::keywords().binary_search(&name.to_uppercase().as_str()).is_err();
    if is_plain { name.to_owned() } else { format!("`{}`", name.replace('`', "``")) }
}
