//! Which columns get statistics.

use super::LeafStats;
use crate::schema::same_name;

/// The leaf columns of a table that get statistics.
#[derive(Debug, Clone, PartialEq)]
pub enum IndexedColumns {
    All,
    /// So many, in schema order.
    First(usize),
    /// These, and everything inside them; by names from the top-level column down.
    Named(Vec<Vec<String>>),
}

impl IndexedColumns {
    /// The first `n` leaf columns, all of them where `n` is negative.
    pub fn first(n: i64) -> Self {
        usize::try_from(n).map_or(Self::All, Self::First)
    }

    /// Reads a list of column names, `a, b.c, \`d e\``; `None` for text that is none.
    pub fn parse(text: &str) -> Option<Self> {
        let mut columns = Vec::new();
        if text.trim().is_empty() {
            return Some(Self::Named(columns));
        }
        let mut path = Vec::new();
        let mut rest = text;
        loop {
            let (name, behind) = name(rest.trim_start())?;
            path.push(name);
            match behind.trim_start().strip_prefix('.') {
                Some(inner) => {
                    rest = inner;
                    continue;
                }
                None => columns.push(std::mem::take(&mut path)),
            }
            match behind.trim_start() {
                "" => return Some(Self::Named(columns)),
                more => rest = more.strip_prefix(',')?,
            }
        }
    }

    pub(super) fn keep<T>(&self, leaves: &mut Vec<(T, LeafStats)>) {
        match self {
            Self::All => {}
            Self::First(n) => leaves.truncate(*n),
            Self::Named(columns) => {
                leaves.retain(|(_, leaf)| columns.iter().any(|column| is_inside(&leaf.path, column)))
            }
        }
    }
}

fn is_inside(path: &[String], column: &[String]) -> bool {
    path.len() >= column.len() && path.iter().zip(column).all(|(left, right)| same_name(left, right))
}

/// A name at the start of the text, plain or in backticks, and what follows.
fn name(text: &str) -> Option<(String, &str)> {
    if let Some(quoted) = text.strip_prefix('`') {
        let mut name = String::new();
        let mut rest = quoted;
        loop {
            let (part, behind) = rest.split_once('`')?;
            name.push_str(part);
            match behind.strip_prefix('`') {
                Some(more) => {
                    name.push('`');
                    rest = more;
                }
                None => return Some((name, behind)),
            }
        }
    }
    let end = text.find([',', '.', '`']).unwrap_or(text.len());
    let (plain, behind) = text.split_at_checked(end)?;
    let plain = plain.trim();
    (!plain.is_empty()).then(|| (plain.to_owned(), behind))
}
