//! Statements whose parts can be left out.

use crate::shrink::without_one;

/// A statement, taken apart as far as shrinking needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Stays as it is.
    Text(String),
    Insert {
        into: String,
        /// `(1, 'a')`, …
        rows: Vec<String>,
    },
    Merge(Merge),
    Update {
        /// `v = v + 1`, …
        sets: Vec<String>,
        condition: Vec<String>,
    },
    Delete {
        condition: Vec<String>,
    },
}

/// A MERGE into `tgt t` from something called `s`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merge {
    pub evolves: bool,
    pub source: Source,
    /// Conditions that are joined by AND; there is at least one.
    pub on: Vec<String>,
    pub clauses: Vec<Clause>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A relation, in parentheses where it is a query.
    Text(String),
    Values {
        /// What is selected from `v`; `*` for everything.
        select: String,
        /// What follows the values, such as ` WHERE v.k > 1`; may be empty.
        rest: String,
        names: Vec<String>,
        rows: Vec<String>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// `MATCHED`, `NOT MATCHED` or `NOT MATCHED BY SOURCE`.
    pub when: &'static str,
    pub condition: Vec<String>,
    pub action: Action,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// `UPDATE SET *`, `INSERT *` or `DELETE`.
    Whole(&'static str),
    Update(Vec<(String, String)>),
    Insert(Vec<(String, String)>),
}

impl Statement {
    /// The text; the table is `tgt`.
    pub fn sql(&self) -> String {
        match self {
            Statement::Text(text) => text.clone(),
            Statement::Insert { into, rows } => format!("INSERT INTO {into} VALUES {}", rows.join(", ")),
            Statement::Merge(merge) => merge.sql(),
            Statement::Update { sets, condition } => {
                format!("UPDATE tgt SET {}{}", sets.join(", "), tail(" WHERE ", condition))
            }
            Statement::Delete { condition } => format!("DELETE FROM tgt{}", tail(" WHERE ", condition)),
        }
    }

    /// Every statement that lacks one thing.
    pub fn smaller(&self) -> Vec<Statement> {
        match self {
            Statement::Text(_) => Vec::new(),
            Statement::Insert { into, rows } => {
                let with = |rows| Statement::Insert { into: into.clone(), rows };
                some(rows).into_iter().map(with).collect()
            }
            Statement::Merge(merge) => merge.smaller().into_iter().map(Statement::Merge).collect(),
            Statement::Update { sets, condition } => {
                let less_set =
                    some(sets).into_iter().map(|sets| Statement::Update { sets, condition: condition.clone() });
                let less_said = without_one(condition);
                let less_said =
                    less_said.into_iter().map(|condition| Statement::Update { sets: sets.clone(), condition });
                less_set.chain(less_said).collect()
            }
            Statement::Delete { condition } => {
                without_one(condition).into_iter().map(|condition| Statement::Delete { condition }).collect()
            }
        }
    }
}

impl Merge {
    fn sql(&self) -> String {
        let evolution = if self.evolves { "WITH SCHEMA EVOLUTION " } else { "" };
        let source = match &self.source {
            Source::Text(text) => text.clone(),
            Source::Values { select, rest, names, rows } => {
                format!("(SELECT {select} FROM VALUES {} AS v({}){rest})", rows.join(", "), names.join(", "))
            }
        };
        let clauses: String = self.clauses.iter().map(Clause::sql).collect();
        format!("MERGE {evolution}INTO tgt t USING {source} s ON {}{clauses}", self.on.join(" AND "))
    }

    fn smaller(&self) -> Vec<Merge> {
        let mut found: Vec<Merge> =
            some(&self.clauses).into_iter().map(|clauses| Merge { clauses, ..self.clone() }).collect();
        if let Source::Values { select, rest, names, rows } = &self.source {
            let with = |rows| Source::Values { select: select.clone(), rest: rest.clone(), names: names.clone(), rows };
            found.extend(some(rows).into_iter().map(|rows| Merge { source: with(rows), ..self.clone() }));
        }
        found.extend(some(&self.on).into_iter().map(|on| Merge { on, ..self.clone() }));
        for (idx, clause) in self.clauses.iter().enumerate() {
            let is_last = self.clauses.get(idx + 1).is_none_or(|next| next.when != clause.when);
            let less = clause.smaller().into_iter().filter(|less| is_last || !less.condition.is_empty());
            for less in less {
                let mut smaller = self.clone();
                smaller.clauses[idx] = less;
                found.push(smaller);
            }
        }
        found
    }
}

impl Clause {
    fn sql(&self) -> String {
        let action = match &self.action {
            Action::Whole(text) => (*text).to_owned(),
            Action::Update(sets) => {
                let sets: Vec<String> = sets.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                format!("UPDATE SET {}", sets.join(", "))
            }
            Action::Insert(values) => {
                let (names, values): (Vec<String>, Vec<String>) = values.iter().cloned().unzip();
                format!("INSERT ({}) VALUES ({})", names.join(", "), values.join(", "))
            }
        };
        format!(" WHEN {}{} THEN {action}", self.when, tail(" AND ", &self.condition))
    }

    fn smaller(&self) -> Vec<Clause> {
        let without = without_one(&self.condition);
        let mut found: Vec<Clause> =
            without.into_iter().map(|condition| Clause { condition, ..self.clone() }).collect();
        let actions: Vec<Action> = match &self.action {
            Action::Whole(_) => Vec::new(),
            Action::Update(sets) => some(sets).into_iter().map(Action::Update).collect(),
            Action::Insert(values) => some(values).into_iter().map(Action::Insert).collect(),
        };
        found.extend(actions.into_iter().map(|action| Clause { action, ..self.clone() }));
        found
    }
}

fn tail(word: &str, condition: &[String]) -> String {
    if condition.is_empty() { String::new() } else { format!("{word}{}", condition.join(" AND ")) }
}

/// Without each item in turn, but never without any; long lists first in halves.
fn some<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let mut found = Vec::new();
    if items.len() > 3 {
        let (left, right) = items.split_at(items.len() / 2);
        found.extend([left.to_vec(), right.to_vec()]);
    }
    found.extend(without_one(items).into_iter().filter(|items| !items.is_empty()));
    found
}
