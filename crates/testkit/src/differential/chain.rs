//! A chain of statements on one table, made and run here.

use super::generate::{self, Traits};
use super::record::{Before, pack};
use super::seen::{NOT_SUPPORTED, Seen, ours};
use super::statement::Statement;
use super::words::{Kind, Named};
use crate::random::Random;
use crate::shrink::without_one;
use crate::world::World;
use anyhow::Result;
use serde_json::{Value, json};

/// Statements in order, each about `tgt`.
#[derive(Debug, Clone)]
pub struct Chain {
    pub id: String,
    pub traits: Traits,
    pub statements: Vec<Statement>,
}

impl Chain {
    /// The chain of a seed, with what this engine showed for each statement. It ends before the first that this
    /// engine refuses by name, which is given besides.
    ///
    /// # Errors
    /// A table cannot be read after a statement.
    pub fn make(id: String, seed: u64) -> Result<(Self, Vec<Seen>, Option<String>)> {
        let random = &mut Random::new(seed);
        let (opening, traits) = generate::opening(random);
        let mut chain = Self { id, traits, statements: Vec::new() };
        let (mut world, mut shown) = (World::new(), Vec::new());
        let n_more = 4 + random.below(4);
        let mut queue = opening.into_iter();
        let mut left = n_more;
        loop {
            let statement = match queue.next() {
                Some(statement) => statement,
                None if left == 0 => break,
                None => {
                    left -= 1;
                    generate::next(random, &columns(&mut world), world.version("tgt").ok().flatten().unwrap_or(0))
                }
            };
            let seen = ours(&mut world, &statement.sql(), chain.traits.feed)?;
            if seen.get("error_class").is_some_and(|condition| condition == NOT_SUPPORTED) {
                let why = seen.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
                return Ok((chain, shown, Some(why)));
            }
            chain.statements.push(statement);
            shown.push(seen);
        }
        Ok((chain, shown, None))
    }

    /// What this engine shows for each statement.
    ///
    /// # Errors
    /// A table cannot be read after a statement.
    pub fn run_here(&self) -> Result<Vec<Seen>> {
        let mut world = World::new();
        self.statements.iter().map(|statement| ours(&mut world, &statement.sql(), self.traits.feed)).collect()
    }

    /// Every chain that lacks one thing; the last statement stays, though smaller.
    pub fn smaller(&self) -> Vec<Self> {
        let Some((last, before)) = self.statements.split_last() else { return Vec::new() };
        let with = |statements| Self { statements, ..self.clone() };
        let mut found = Vec::new();
        // The first makes the table.
        if let Some((first, middle)) = before.split_first() {
            for middle in without_one(middle).into_iter().rev() {
                found.push(with([vec![first.clone()], middle, vec![last.clone()]].concat()));
            }
        }
        for idx in (0..self.statements.len()).rev() {
            for smaller in self.statements[idx].smaller() {
                let mut statements = self.statements.clone();
                statements[idx] = smaller;
                found.push(with(statements));
            }
        }
        found
    }

    /// The line of a recording.
    pub fn recorded(&self, theirs: &[Seen]) -> Value {
        let mut before = Before::default();
        let step = |(statement, seen): (&Statement, &Seen)| json!([statement.sql(), pack(seen, &mut before)]);
        let steps: Vec<Value> = self.statements.iter().zip(theirs).map(step).collect();
        let mut line = json!({ "id": self.id, "steps": steps });
        if self.traits.feed {
            line["feed"] = true.into();
        }
        line
    }

    /// The last statement as a case of the suite, with what the reference showed.
    pub fn as_case(&self, theirs: &Seen, differences: &[String]) -> Value {
        let Some((last, before)) = self.statements.split_last() else { return Value::Null };
        let is_merge = matches!(last, Statement::Merge(_));
        let create: Vec<String> = before.iter().map(Statement::sql).collect();
        let mut expect = theirs.clone();
        for key in ["message", "message_start"] {
            expect.remove(key);
        }
        if expect.contains_key("error_class") || expect.contains_key("exception") {
            expect.remove("result");
        } else if is_merge {
            let counts = expect.get("result").and_then(|rows| rows.get(0)).and_then(Value::as_array).cloned();
            let names = ["affected", "updated", "deleted", "inserted"].map(str::to_owned);
            let counts = names.into_iter().zip(counts.unwrap_or_default());
            expect.insert("result".into(), Value::Object(counts.collect()));
        } else {
            expect.remove("result");
        }
        if let Some(rows) = expect.remove("changes") {
            let columns = expect.get("columns").and_then(Value::as_array).cloned().unwrap_or_default();
            let names = columns.iter().map(|column| column[0].clone()).chain([json!("_change_type")]);
            expect.insert("changes".into(), json!({ "columns": names.collect::<Vec<_>>(), "rows": rows }));
        }
        let mut case = json!({
            "id": self.id, "group": "differential", "source_ref": "generated", "create": create,
            "expect": expect, "notes": differences.join("; "),
        });
        case[if is_merge { "merge" } else { "statement" }] = last.sql().into();
        case
    }
}

/// The columns of the target whose types can be made here.
fn columns(world: &mut World) -> Vec<Named> {
    let Ok(outcome) = world.run("SELECT * FROM tgt LIMIT 0") else { return vec![("k".to_owned(), Kind::Int)] };
    let columns = outcome.rows.map(|rows| rows.columns).unwrap_or_default();
    columns.into_iter().filter_map(|column| Some((column.name, Kind::of(&column.data_type.spark_name())?))).collect()
}
