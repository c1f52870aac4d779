//! Running a case and looking at what it did, key by key.

use super::case::Case;
use crate::value;
use anyhow::{Result, anyhow, bail};
use delta::actions::Action;
use delta::commit_info::CommitInfo;
use delta::snapshot::{Snapshot, history};
use engine::env::{Env, START_MS};
use engine::observe::Silent;
use engine::sandbox::{Outcome, Rows, Sandbox};
use serde_json::{Map, Value, json};
use spec::Diagnostic;

/// A case after its statement has run.
#[derive(Debug)]
pub struct Observed {
    sandbox: Sandbox,
    table: String,
    result: Result<Outcome, Diagnostic>,
    before: Option<u64>,
    snapshot: Option<Snapshot>,
    info: Option<CommitInfo>,
    actions: Vec<Action>,
}

/// Runs a case in an empty sandbox.
///
/// # Errors
/// Its setup does not run here; says which statement and why.
pub async fn run(case: &Case) -> Result<Observed> {
    if case.lang != "sql" {
        bail!("the statement is {}, which this program does not run yet", case.lang);
    }
    let mut sandbox = Sandbox::new(Env::deterministic(START_MS));
    for (key, value) in &case.conf {
        sandbox.set(key, value).map_err(|problem| anyhow!("setting {key}: {problem}"))?;
    }
    for statement in &case.create {
        execute(&mut sandbox, &placed(statement)).await.map_err(|problem| anyhow!("setup `{statement}`: {problem}"))?;
    }
    let table = placed(&case.table);
    let before = snapshot(&sandbox, &table).await?.map(|snapshot| snapshot.version());
    let result = execute(&mut sandbox, &placed(&case.statement)).await;
    let snapshot = snapshot(&sandbox, &table).await?;
    let mut observed = Observed { sandbox, table, result, before, snapshot, info: None, actions: Vec::new() };
    observed.read_last_commit().await?;
    Ok(observed)
}

/// `{dir}` is an empty folder of the run.
fn placed(text: &str) -> String {
    text.replace("{dir}", "/cases")
}

async fn execute(sandbox: &mut Sandbox, text: &str) -> Result<Outcome, Diagnostic> {
    let parsed = sql::parse(text);
    if let Some(problem) = parsed.diagnostics.into_iter().next() {
        return Err(problem);
    }
    let mut last = Err(Diagnostic::internal("there is no statement"));
    for statement in &parsed.statements {
        last = Ok(sandbox.execute(text, statement, &mut Silent).await?);
    }
    last
}

async fn snapshot(sandbox: &Sandbox, table: &str) -> Result<Option<Snapshot>> {
    let Some(root) = root(sandbox, table)? else { return Ok(None) };
    Ok(Snapshot::load(sandbox.env().storage.as_ref(), &root, None).await?)
}

fn root(sandbox: &Sandbox, table: &str) -> Result<Option<String>> {
    let query = sql::parse_query(&format!("SELECT * FROM {table}")).map_err(|problem| anyhow!("{problem}"))?;
    let spec::QueryBody::Select(select) = query.body else { bail!("`{table}` is not a table name") };
    let Some(spec::Relation::Table { name, .. }) = select.from.first() else { bail!("`{table}` is not a table name") };
    Ok(sandbox.table(name).map(|entry| entry.root))
}

/// What the statement's run showed, for one key of `expect`.
#[derive(Debug, Clone, PartialEq)]
pub enum Seen {
    Value(Value),
    /// This program cannot show it.
    Unknown(&'static str),
}

impl Observed {
    /// The complaint, if the statement failed.
    pub fn problem(&self) -> Option<&Diagnostic> {
        self.result.as_ref().err()
    }

    async fn read_last_commit(&mut self) -> Result<()> {
        let Some(snapshot) = &self.snapshot else { return Ok(()) };
        if self.before == Some(snapshot.version()) {
            return Ok(());
        }
        let storage = self.sandbox.env().storage.clone();
        let commits = history(storage.as_ref(), snapshot.root(), Some(1)).await?;
        self.info = commits.into_iter().next().map(|(_, info)| info);
        let log = storage.get(&delta::paths::commit_path(snapshot.root(), snapshot.version())).await?;
        for line in String::from_utf8_lossy(&log).lines() {
            self.actions.extend(Action::parse(line)?);
        }
        Ok(())
    }

    /// The value of one key of `expect`.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn see(&mut self, case: &Case, key: &str) -> Result<Seen> {
        let known = |value: Value| Ok(Seen::Value(value));
        match key {
            "error_class" => known(self.problem().map_or(Value::Null, |problem| problem.condition.clone().into())),
            "sqlstate" => known(self.problem().map_or(Value::Null, |problem| problem.sqlstate.clone().into())),
            "wrapped_in" => {
                known(self.problem().and_then(|problem| problem.wrapped_in.clone()).map_or(Value::Null, Value::String))
            }
            "exception" | "message_start" => known(Value::Bool(self.problem().is_some())),
            "columns" | "rows" | "rows_after" => self.table_content(key).await,
            "result" => self.result_rows(case.is_merge),
            "commits" => known(self.commits().into()),
            "version_after" => known(self.snapshot.as_ref().map_or(Value::Null, |snapshot| snapshot.version().into())),
            "table_exists" => known(self.snapshot.is_some().into()),
            "layout" => known(self.layout()),
            "live_files" => known(self.live_files()),
            "operation" => known(self.of_info(|info| info.operation.clone().into())),
            "operationParameters" => known(self.of_info(|info| Value::Object(info.operation_parameters.clone()))),
            "metrics" | "volatile_metrics" => known(self.of_info(metrics)),
            "isBlindAppend" => known(self.of_info(|info| info.is_blind_append.into())),
            "isolationLevel" => known(self.of_info(|info| info.isolation_level.clone().into())),
            "userMetadata" => known(self.of_info(|info| info.user_metadata.clone().into())),
            "table" => known(self.table_definition()),
            _ => Ok(Seen::Unknown("this program does not compare it")),
        }
    }

    async fn query(&mut self, text: &str) -> Result<Rows> {
        let outcome = execute(&mut self.sandbox, text).await.map_err(|problem| anyhow!("`{text}`: {problem}"))?;
        outcome.rows.ok_or_else(|| anyhow!("`{text}` gives no rows"))
    }

    async fn table_content(&mut self, key: &str) -> Result<Seen> {
        let rows = self.query(&format!("SELECT * FROM {}", self.table)).await?;
        Ok(Seen::Value(if key == "columns" { columns(&rows) } else { Value::Array(value::rows(&rows.batches)?) }))
    }

    fn result_rows(&self, is_merge: bool) -> Result<Seen> {
        let rows = match &self.result {
            Ok(Outcome { rows: Some(rows), .. }) => rows,
            _ => return Ok(Seen::Value(Value::Null)),
        };
        let table = value::rows(&rows.batches)?;
        if !is_merge {
            return Ok(Seen::Value(json!({ "columns": columns(rows), "rows": table })));
        }
        let short = |name: &str| name.trim_start_matches("num_").trim_end_matches("_rows").to_owned();
        let counts = rows.columns.iter().zip(table.first().and_then(Value::as_array).into_iter().flatten());
        Ok(Seen::Value(
            counts.map(|(column, count)| (short(&column.name), count.clone())).collect::<Map<_, _>>().into(),
        ))
    }

    fn commits(&self) -> u64 {
        match (self.before, &self.snapshot) {
            (Some(before), Some(after)) => after.version().saturating_sub(before),
            (None, Some(after)) => after.version() + 1,
            _ => 0,
        }
    }

    fn of_info(&self, look: impl Fn(&CommitInfo) -> Value) -> Value {
        self.info.as_ref().map_or(Value::Null, look)
    }

    fn layout(&self) -> Value {
        let adds: Vec<_> = self
            .actions
            .iter()
            .filter_map(|action| if let Action::Add(add) = action { Some(add) } else { None })
            .collect();
        let removes: Vec<_> = self
            .actions
            .iter()
            .filter_map(|action| if let Action::Remove(remove) = action { Some(remove) } else { None })
            .collect();
        let readded = |path: &str| adds.iter().any(|add| add.path == path);
        let removed = |path: &str| removes.iter().any(|remove| remove.path == path);
        let mut vectors: Vec<i64> =
            adds.iter().filter_map(|add| add.deletion_vector.as_ref()).map(|vector| vector.cardinality).collect();
        vectors.sort_unstable();
        json!({
            "new_files": adds.iter().filter(|add| !removed(&add.path)).count(),
            "removed_files": removes.iter().filter(|remove| !readded(&remove.path)).count(),
            "dv_cardinalities": vectors,
            "cdc_files": self.actions.iter().filter(|action| matches!(action, Action::AddCdcFile(_))).count(),
            "metadata_action": self.actions.iter().any(|action| matches!(action, Action::Metadata(_))),
            "protocol_action": self.actions.iter().any(|action| matches!(action, Action::Protocol(_))),
            "data_change": adds.iter().all(|add| add.data_change) && removes.iter().all(|remove| remove.data_change),
            "partitions_added": partitions(adds.iter().map(|add| &add.partition_values)),
            "partitions_removed": partitions(removes.iter().filter_map(|remove| remove.partition_values.as_ref())),
        })
    }

    fn live_files(&self) -> Value {
        let Some(snapshot) = &self.snapshot else { return Value::Null };
        let file = |add: &std::sync::Arc<delta::actions::Add>| {
            let stats: Value =
                add.stats.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
            let mut entry = Map::from_iter([("records".to_owned(), stats["numRecords"].clone())]);
            if !add.partition_values.is_empty() {
                entry.insert("partition".into(), json!(add.partition_values));
            }
            if let Some(vector) = &add.deletion_vector {
                entry.insert("deleted".into(), vector.cardinality.into());
            }
            Value::Object(entry)
        };
        Value::Array(snapshot.files().iter().map(file).collect())
    }

    fn table_definition(&self) -> Value {
        let Some(snapshot) = &self.snapshot else { return Value::Null };
        let field = |field: &delta::schema::StructField| {
            let mut entry = Map::from_iter([
                ("name".to_owned(), field.name.clone().into()),
                ("type".to_owned(), field.data_type.to_value()),
                ("nullable".to_owned(), field.nullable.into()),
            ]);
            if !field.metadata.is_empty() {
                entry.insert("metadata".into(), Value::Object(field.metadata.clone()));
            }
            Value::Object(entry)
        };
        let (metadata, protocol) = (snapshot.metadata(), snapshot.protocol());
        let mut definition = json!({
            "schema": snapshot.schema().fields.iter().map(field).collect::<Vec<_>>(),
            "partitionColumns": metadata.partition_columns,
            "configuration": metadata.configuration,
            "protocol": { "reader": protocol.min_reader_version, "writer": protocol.min_writer_version },
        });
        if let Some(text) = &metadata.description {
            definition["description"] = text.clone().into();
        }
        for (key, features) in
            [("readerFeatures", &protocol.reader_features), ("writerFeatures", &protocol.writer_features)]
        {
            if let Some(features) = features {
                definition["protocol"][key] = json!(features);
            }
        }
        definition
    }
}

fn partitions<'a>(values: impl Iterator<Item = &'a delta::actions::PartitionValues>) -> Value {
    Value::Array(values.map(|values| json!(values)).collect())
}

fn columns(rows: &Rows) -> Value {
    rows.columns.iter().map(|column| json!([column.name, column.data_type.spark_name()])).collect()
}

fn metrics(info: &CommitInfo) -> Value {
    let number = |text: &String| text.parse::<i64>().map_or_else(|_| Value::String(text.clone()), Value::from);
    Value::Object(info.operation_metrics.iter().map(|(key, text)| (key.clone(), number(text))).collect())
}
