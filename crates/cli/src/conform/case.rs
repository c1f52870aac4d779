//! One recorded case: what to run and what the reference did.

use super::observe::placed;
use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A line of a recorded file, in either of its two formats.
#[derive(Debug, Clone)]
pub struct Case {
    pub id: String,
    pub group: String,
    /// `sql`, or another language that this program does not run.
    pub lang: String,
    /// Statements that come before, in order, in an empty sandbox.
    pub create: Vec<String>,
    /// Session settings, set before `create`.
    pub conf: BTreeMap<String, String>,
    pub statement: String,
    /// The table looked at.
    pub table: String,
    /// Whether `expect` is that of a MERGE case, whose result is four counts.
    pub is_merge: bool,
    pub expect: Map<String, Value>,
}

impl Case {
    /// Session settings and the statements that come before, as one script.
    pub fn setup(&self) -> String {
        let settings = self.conf.iter().map(|(key, value)| format!("SET {key} = {value}"));
        let statements: Vec<String> = settings.chain(self.create.iter().map(|text| placed(text))).collect();
        statements.join(";\n")
    }

    /// The statement as it is run.
    pub fn script(&self) -> String {
        placed(&self.statement)
    }

    /// Reads one line.
    ///
    /// # Errors
    /// Text that is not a case.
    pub fn parse(line: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(line).context("not JSON")?;
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let id = text("id").ok_or_else(|| anyhow!("a case without id"))?;
        let is_merge = value.get("merge").is_some();
        let statement = text("merge").or_else(|| text("statement"));
        let Some(statement) = statement else { bail!("{id}: neither merge nor statement") };
        let create = value["create"].as_array().map(Vec::as_slice).unwrap_or_default();
        let conf = value["conf"].as_object().cloned().unwrap_or_default();
        let setting = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Ok(Self {
            group: text("group").unwrap_or_default(),
            lang: text("lang").unwrap_or_else(|| "sql".to_owned()),
            create: create.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            conf: conf.iter().map(|(key, value)| (key.clone(), setting(value))).collect(),
            statement,
            table: text("table").unwrap_or_else(|| "tgt".to_owned()),
            is_merge,
            expect: value["expect"].as_object().cloned().ok_or_else(|| anyhow!("{id}: no expect"))?,
            id,
        })
    }
}
