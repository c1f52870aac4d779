//! What may stand in FROM and USING, and where a column name leads from there.

use crate::graph::{Graph, Node};
use spec::{Ident, Name};

/// Something with columns.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// Its alias or name, lower case; empty without one.
    pub(crate) name: String,
    pub(crate) columns: Columns,
}

/// Where the columns of a source come from.
#[derive(Debug, Clone)]
pub(crate) enum Columns {
    /// A table that has to be made: it gets every column that is asked for.
    Table(usize),
    /// A query: its named columns, and the tables behind its stars.
    Query { named: Vec<(String, Node)>, stars: Vec<usize> },
    /// A table that is there already, or a function: nothing is learnt from it.
    Known,
}

impl Source {
    /// A source under its alias, if it has one.
    pub(crate) fn new(name: &str, columns: Columns) -> Source {
        Source { name: name.to_lowercase(), columns }
    }

    /// The column, made where the source is a table that has to be made.
    pub(crate) fn column(&self, graph: &mut Graph, column: &str) -> Option<Node> {
        match &self.columns {
            Columns::Table(table) => Some(graph.column(*table, column)),
            Columns::Query { named, stars } => {
                let found = named.iter().find(|(name, _)| name.eq_ignore_ascii_case(column)).map(|(_, node)| *node);
                found.or_else(|| stars.first().map(|table| graph.column(*table, column)))
            }
            Columns::Known => None,
        }
    }

    /// The column, if something has used it before.
    fn existing(&self, graph: &Graph, column: &str) -> Option<Node> {
        match &self.columns {
            Columns::Table(table) => graph.find(*table, column),
            Columns::Query { named, stars } => {
                let found = named.iter().find(|(name, _)| name.eq_ignore_ascii_case(column)).map(|(_, node)| *node);
                found.or_else(|| stars.iter().find_map(|table| graph.find(*table, column)))
            }
            Columns::Known => None,
        }
    }

    /// The tables that a star over this source shows.
    pub(crate) fn stars(&self) -> Vec<usize> {
        match &self.columns {
            Columns::Table(table) => vec![*table],
            Columns::Query { stars, .. } => stars.clone(),
            Columns::Known => Vec::new(),
        }
    }

    /// The columns that a star shows by name.
    pub(crate) fn named(&self) -> &[(String, Node)] {
        match &self.columns {
            Columns::Query { named, .. } => named,
            Columns::Table(_) | Columns::Known => &[],
        }
    }
}

/// The sources in view, the innermost last.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    pub(crate) sources: Vec<Source>,
}

impl Scope {
    /// Where a column name leads.
    pub(crate) fn column(&self, graph: &mut Graph, name: &Name) -> Option<Node> {
        let parts: Vec<&str> = name.parts.iter().map(|part| part.value.as_str()).collect();
        // A qualifier may be an alias, a table, or a table with its schemas before it; fields may follow.
        for (idx, part) in parts.iter().enumerate().take(parts.len().saturating_sub(1)) {
            let wanted = part.to_lowercase();
            if let Some(source) = self.sources.iter().rev().find(|source| source.name == wanted) {
                return source.column(graph, parts.get(idx + 1)?);
            }
        }
        let first = parts.first()?;
        let inner = self.sources.iter().rev();
        let existing = inner.clone().find_map(|source| source.existing(graph, first));
        existing.or_else(|| {
            if inner.clone().any(|source| matches!(source.columns, Columns::Known)) {
                return None;
            }
            inner.clone().find_map(|source| source.column(graph, first))
        })
    }

    /// The same with more sources.
    pub(crate) fn with(&self, sources: Vec<Source>) -> Scope {
        let mut all = self.sources.clone();
        all.extend(sources);
        Scope { sources: all }
    }
}

/// The parts of a table's name; a catalog before schema and table does not matter, for the engine ignores it too.
pub(crate) fn parts(name: &Name) -> Vec<String> {
    let n_parts = name.parts.len();
    name.parts.iter().skip(n_parts.saturating_sub(2)).map(|part: &Ident| part.value.clone()).collect()
}
