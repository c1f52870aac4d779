//! Tables as SQL.

use crate::graph::{Graph, Node, Table};
use crate::kind::Kind;
use crate::rows::{Column, keys, value};
use std::collections::BTreeSet;

/// All statements that make the tables; empty without tables.
pub(crate) fn script(graph: &Graph) -> String {
    let mut schemas = BTreeSet::new();
    let mut text = String::new();
    for table in &graph.tables {
        if let [schema, _] = table.name.as_slice()
            && schemas.insert(schema.to_lowercase())
        {
            text.push_str(&format!("CREATE SCHEMA IF NOT EXISTS {};\n", quoted(schema)));
        }
        text.push_str(&statements(graph, table));
    }
    text
}

fn statements(graph: &Graph, table: &Table) -> String {
    let columns = columns(graph, table);
    let name: Vec<String> = table.name.iter().map(|part| quoted(part)).collect();
    let name = name.join(".");
    let list: Vec<String> =
        columns.iter().map(|column| format!("{} {}", quoted(column.name), column.kind.name())).collect();
    let mut text = format!("CREATE TABLE {name} ({}) USING DELTA;\n", list.join(", "));
    // Two files each: there is something to prune and something to copy.
    let keys = keys(table.is_target);
    for half in keys.chunks(keys.len().div_ceil(2)) {
        let rows: Vec<String> = half.iter().map(|key| row(&columns, *key, table.is_target)).collect();
        text.push_str(&format!("INSERT INTO {name} VALUES\n  {};\n", rows.join(",\n  ")));
    }
    text
}

fn row(columns: &[Column<'_>], key: usize, is_target: bool) -> String {
    let values: Vec<String> = columns.iter().map(|column| value(column, key, is_target)).collect();
    format!("({})", values.join(", "))
}

fn columns<'a>(graph: &'a Graph, table: &'a Table) -> Vec<Column<'a>> {
    let mut columns: Vec<Column<'a>> = table.columns.iter().map(|(name, node)| column(graph, name, *node)).collect();
    if columns.is_empty() {
        columns.push(Column { name: "id", kind: Kind::Whole, constants: &[], is_key: true });
    }
    // Rows differ by something.
    if !columns.iter().any(|column| column.is_key) {
        let by_name = columns.iter().position(|column| matches!(column.name.to_lowercase().as_str(), "id" | "key"));
        if let Some(column) = columns.get_mut(by_name.unwrap_or(0)) {
            column.is_key = column.constants.is_empty();
        }
    }
    columns
}

fn column<'a>(graph: &'a Graph, name: &'a str, node: Node) -> Column<'a> {
    let constants = graph.constants(node);
    let is_text = constants.iter().any(|constant| constant.kind == Kind::Text);
    let guessed = graph.kind(node).or_else(|| Kind::of_column_name(&name.to_lowercase()));
    let kind = if is_text { Kind::Text } else { guessed.unwrap_or(Kind::Text) };
    let is_date_by_name = kind == Kind::Date && Kind::of_column_name(&name.to_lowercase()) == Some(Kind::Timestamp);
    let kind = if is_date_by_name { Kind::Timestamp } else { kind };
    Column { name, kind, constants, is_key: graph.keys().contains(&node) }
}

fn quoted(name: &str) -> String {
    let is_plain =
        name.chars().enumerate().all(|(idx, c)| c == '_' || c.is_ascii_alphabetic() || (idx > 0 && c.is_ascii_digit()));
    if is_plain && !name.is_empty() { name.to_owned() } else { format!("`{}`", name.replace('`', "``")) }
}
