//! Which expressions are of one type: columns and expressions as nodes, compared ones joined.

use crate::kind::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// An expression or column.
pub(crate) type Node = usize;

/// A table that has to be made.
#[derive(Debug)]
pub(crate) struct Table {
    /// Schema parts and name, as written.
    pub(crate) name: Vec<String>,
    /// Name as written and node, in the order of use.
    pub(crate) columns: Vec<(String, Node)>,
    /// A statement writes to it.
    pub(crate) is_target: bool,
}

/// A constant that something is compared with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Constant {
    /// As SQL, quotes included.
    pub(crate) sql: String,
    pub(crate) kind: Kind,
    /// `=` or IN; else it is a border.
    pub(crate) is_equal: bool,
}

#[derive(Debug, Default)]
struct Facts {
    parent: Option<Node>,
    kind: Option<Kind>,
    constants: Vec<Constant>,
}

/// All nodes and tables.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    facts: Vec<Facts>,
    keys: BTreeSet<Node>,
    pub(crate) tables: Vec<Table>,
    by_name: BTreeMap<String, usize>,
}

impl Graph {
    /// A new expression.
    pub(crate) fn node(&mut self, kind: Option<Kind>) -> Node {
        self.facts.push(Facts { kind, ..Facts::default() });
        self.facts.len() - 1
    }

    fn root(&self, node: Node) -> Node {
        let mut at = node;
        while let Some(parent) = self.facts.get(at).and_then(|facts| facts.parent) {
            at = parent;
        }
        at
    }

    /// The two are of one type.
    pub(crate) fn join(&mut self, left: Node, right: Node) {
        let (left, right) = (self.root(left), self.root(right));
        if left == right {
            return;
        }
        let Some(gone) = self.facts.get_mut(right) else { return };
        gone.parent = Some(left);
        let (kind, constants) = (gone.kind.take(), std::mem::take(&mut gone.constants));
        if let Some(kind) = kind {
            self.is(left, kind);
        }
        if let Some(kept) = self.facts.get_mut(left) {
            for constant in constants {
                if !kept.constants.contains(&constant) {
                    kept.constants.push(constant);
                }
            }
        }
    }

    /// The node is of this type, or of a stronger one.
    pub(crate) fn is(&mut self, node: Node, kind: Kind) {
        let root = self.root(node);
        if let Some(facts) = self.facts.get_mut(root) {
            facts.kind = Some(facts.kind.map_or(kind, |old| old.max(kind)));
        }
    }

    /// The node is compared with this constant.
    pub(crate) fn compared_with(&mut self, node: Node, constant: Constant) {
        let root = self.root(node);
        self.is(root, constant.kind);
        if let Some(facts) = self.facts.get_mut(root).filter(|facts| !facts.constants.contains(&constant)) {
            facts.constants.push(constant);
        }
    }

    /// The node is what rows are matched by.
    pub(crate) fn is_key(&mut self, node: Node) {
        self.keys.insert(node);
    }

    pub(crate) fn keys(&self) -> &BTreeSet<Node> {
        &self.keys
    }

    pub(crate) fn kind(&self, node: Node) -> Option<Kind> {
        self.facts.get(self.root(node)).and_then(|facts| facts.kind)
    }

    pub(crate) fn constants(&self, node: Node) -> &[Constant] {
        self.facts.get(self.root(node)).map(|facts| facts.constants.as_slice()).unwrap_or_default()
    }

    /// The table of that name, new or not.
    pub(crate) fn table(&mut self, name: Vec<String>) -> usize {
        let key = name.join(".").to_lowercase();
        if let Some(found) = self.by_name.get(&key) {
            return *found;
        }
        self.tables.push(Table { name, columns: Vec::new(), is_target: false });
        self.by_name.insert(key, self.tables.len() - 1);
        self.tables.len() - 1
    }

    /// The column of a table, if something used it.
    pub(crate) fn find(&self, table: usize, column: &str) -> Option<Node> {
        let columns = &self.tables.get(table)?.columns;
        columns.iter().find(|(name, _)| name.eq_ignore_ascii_case(column)).map(|(_, node)| *node)
    }

    /// The column of a table, new or not.
    pub(crate) fn column(&mut self, table: usize, column: &str) -> Node {
        if let Some(found) = self.find(table, column) {
            return found;
        }
        let node = self.node(None);
        if let Some(table) = self.tables.get_mut(table) {
            table.columns.push((column.to_owned(), node));
        }
        node
    }
}
