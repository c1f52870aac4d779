//! Running a case and looking at what it did, key by key.

use super::case::Case;
use crate::python::run_on;
use crate::value;
use anyhow::{Result, anyhow, bail};
use delta::actions::Action;
use delta::commit_info::CommitInfo;
use delta::snapshot::Snapshot;
use engine::WAREHOUSE;
use engine::env::{Env, START_MS};
use engine::observe::Silent;
use engine::sandbox::{Outcome, Rows, Sandbox};
use serde_json::{Map, Value, json};
use spec::{Diagnostic, Provider, Statement, StatementKind};

/// A case after its statement has run.
#[derive(Debug)]
pub struct Observed {
    sandbox: Sandbox,
    table: String,
    result: Result<Outcome, Diagnostic>,
    /// What a program printed.
    printed: Option<String>,
    before: Option<u64>,
    files_before: Vec<String>,
    snapshot: Option<Snapshot>,
    /// What the statement committed to the table looked at, oldest first.
    commits: Vec<Commit>,
}

/// One log entry.
#[derive(Debug)]
pub(super) struct Commit {
    version: u64,
    info: CommitInfo,
    actions: Vec<Action>,
}

impl Commit {
    /// Reads a log entry.
    pub(super) fn parse(version: u64, log: &str) -> Result<Self> {
        let (mut info, mut actions) = (CommitInfo::default(), Vec::new());
        for line in log.lines() {
            match Action::parse(line)? {
                Some(Action::CommitInfo(found)) => info = found,
                other => actions.extend(other),
            }
        }
        Ok(Self { version, info, actions })
    }
}

/// Runs a case in an empty sandbox.
///
/// # Errors
/// Its setup does not run here; says which statement and why.
pub async fn run(case: &Case) -> Result<Observed> {
    run_with(case, &[]).await
}

/// The same with more table properties: its table gets those that the case does not set itself.
///
/// # Errors
/// As [`run`].
pub async fn run_with(case: &Case, properties: &[(&str, &str)]) -> Result<Observed> {
    let mut sandbox = Sandbox::new(Env::deterministic(START_MS));
    for (key, value) in &case.conf {
        sandbox.set(key, value).map_err(|problem| anyhow!("setting {key}: {problem}"))?;
    }
    for statement in &case.create {
        let with = |statement: &mut Statement| add_properties(statement, &case.table, properties);
        execute_changed(&mut sandbox, &placed(statement), with)
            .await
            .map_err(|problem| anyhow!("setup `{statement}`: {problem}"))?;
    }
    let table = placed(&case.table);
    let before = snapshot(&sandbox, &table).await?.map(|snapshot| snapshot.version());
    let files_before = files(&sandbox).await?;
    let mut printed = None;
    let result = match case.lang.as_str() {
        "pyspark" => {
            let ran = run_on(&mut sandbox, &placed(&case.statement));
            printed = Some(ran.printed);
            ran.result.map(|()| NO_OUTCOME)
        }
        _ => execute(&mut sandbox, &placed(&case.statement)).await,
    };
    let snapshot = snapshot(&sandbox, &table).await?;
    let mut observed =
        Observed { sandbox, table, result, printed, before, files_before, snapshot, commits: Vec::new() };
    observed.read_commits().await?;
    Ok(observed)
}

/// What a program leaves of itself: nothing but its tables.
pub(super) const NO_OUTCOME: Outcome = Outcome { kind: "PROGRAM", rows: None, version: None, table: None };

/// The empty folder of a run that `{dir}` stands for.
pub(super) const DIR: &str = "/cases";

/// `{dir}` is an empty folder of the run, `{warehouse}` that of managed tables.
pub(super) fn placed(text: &str) -> String {
    text.replace("{dir}", DIR).replace("{warehouse}", &format!("/{WAREHOUSE}"))
}

/// Every file of the store.
async fn files(sandbox: &Sandbox) -> Result<Vec<String>> {
    let listed = sandbox.env().storage.list_from("", "").await?;
    Ok(listed.into_iter().map(|file| file.path).collect())
}

fn is_log_entry(path: &str) -> bool {
    let Some((folder, name)) = path.rsplit_once('/') else { return false };
    let version = name.strip_suffix(".json").unwrap_or_default();
    folder.ends_with("_delta_log") && version.len() == 20 && version.bytes().all(|byte| byte.is_ascii_digit())
}

async fn execute(sandbox: &mut Sandbox, text: &str) -> Result<Outcome, Diagnostic> {
    execute_changed(sandbox, text, |_| {}).await
}

async fn execute_changed(
    sandbox: &mut Sandbox,
    text: &str,
    change: impl Fn(&mut Statement),
) -> Result<Outcome, Diagnostic> {
    let mut parsed = sql::parse(text);
    if let Some(problem) = parsed.diagnostics.into_iter().next() {
        return Err(problem);
    }
    let mut last = Err(Diagnostic::internal("there is no statement"));
    for statement in &mut parsed.statements {
        change(statement);
        last = Ok(sandbox.execute(text, statement, &mut Silent).await?);
    }
    last
}

fn add_properties(statement: &mut Statement, table: &str, properties: &[(&str, &str)]) {
    let StatementKind::CreateTable(create) = &mut statement.kind else { return };
    if !matches!(create.provider, Provider::Delta | Provider::Default)
        || !create.name.last().eq_ignore_ascii_case(table)
    {
        return;
    }
    for (key, value) in properties {
        if !create.properties.iter().any(|(known, _)| known.eq_ignore_ascii_case(key)) {
            create.properties.push(((*key).to_owned(), (*value).to_owned()));
        }
    }
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

    async fn read_commits(&mut self) -> Result<()> {
        let Some(snapshot) = &self.snapshot else { return Ok(()) };
        let first = self.before.map_or(0, |version| version + 1);
        let storage = self.sandbox.env().storage.clone();
        for version in first..=snapshot.version() {
            let log = storage.get(&delta::paths::commit_path(snapshot.root(), version)).await?;
            self.commits.push(Commit::parse(version, &String::from_utf8_lossy(&log))?);
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
            "printed" => known(self.printed.clone().map_or(Value::Null, Value::String)),
            "error_class" => known(self.problem().map_or(Value::Null, |problem| problem.condition.clone().into())),
            "sqlstate" => known(self.problem().map_or(Value::Null, |problem| problem.sqlstate.clone().into())),
            "wrapped_in" => {
                known(self.problem().and_then(|problem| problem.wrapped_in.clone()).map_or(Value::Null, Value::String))
            }
            "exception" | "message_start" => known(Value::Bool(self.problem().is_some())),
            "columns" | "rows" | "rows_after" => self.table_content(key).await,
            "result" => self.result_rows(case.is_merge),
            "commits" => known(self.n_commits().await?.into()),
            "version_after" => known(self.snapshot.as_ref().map_or(Value::Null, |snapshot| snapshot.version().into())),
            "table_exists" => known(self.snapshot.is_some().into()),
            "layout" => known(self.commits.last().map_or(Value::Null, layout)),
            "all_commits" => known(self.commits.iter().map(commit).collect()),
            "check" => self.checks(case).await,
            "changes" => self.changes().await,
            "storage" => self.storage().await,
            "read_error" => self.read_error().await,
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

    /// The table's rows before the statement, each as long as it is now; `None` if there was no table.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn rows_before(&mut self) -> Result<Option<Vec<Value>>> {
        let (Some(before), Some(snapshot)) = (self.before, &self.snapshot) else { return Ok(None) };
        let n_columns = snapshot.schema().fields.len();
        let old = Snapshot::load(self.sandbox.env().storage.as_ref(), snapshot.root(), Some(before)).await?;
        if old.is_none_or(|old| old.schema().fields.is_empty()) {
            return Ok(Some(Vec::new()));
        }
        let rows = self.query(&format!("SELECT * FROM {} VERSION AS OF {before}", self.table)).await?;
        let mut rows = value::rows(&rows.batches)?;
        for row in rows.iter_mut().filter_map(Value::as_array_mut) {
            row.resize(n_columns, Value::Null);
        }
        Ok(Some(rows))
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

    /// How many versions the statement made.
    pub fn n_versions(&self) -> u64 {
        match (self.before, &self.snapshot) {
            (Some(before), Some(after)) => after.version().saturating_sub(before),
            (None, Some(after)) => after.version() + 1,
            _ => 0,
        }
    }

    /// Log entries of the whole store: a table that is renamed takes its own along.
    async fn n_commits(&self) -> Result<usize> {
        let n_entries = |files: &[String]| files.iter().filter(|path| is_log_entry(path)).count();
        Ok(n_entries(&files(&self.sandbox).await?).saturating_sub(n_entries(&self.files_before)))
    }

    /// The extra queries of a case, with what they give here.
    async fn checks(&mut self, case: &Case) -> Result<Seen> {
        let mut seen = Vec::new();
        for check in case.expect.get("check").and_then(Value::as_array).into_iter().flatten() {
            let sql = check["sql"].as_str().unwrap_or_default();
            let mut entry = Map::from_iter([("sql".to_owned(), sql.into())]);
            match execute(&mut self.sandbox, &placed(sql)).await {
                Ok(Outcome { rows: Some(rows), .. }) => {
                    entry.insert("columns".into(), columns(&rows));
                    entry.insert("rows".into(), value::sorted(&value::rows(&rows.batches)?).into());
                }
                Ok(_) => {}
                Err(problem) => {
                    entry.insert("error_class".into(), problem.condition.into());
                    entry.insert("sqlstate".into(), problem.sqlstate.into());
                }
            }
            seen.push(Value::Object(entry));
        }
        Ok(Seen::Value(Value::Array(seen)))
    }

    /// The change feed of the last version, without the columns that say when.
    async fn changes(&mut self) -> Result<Seen> {
        let version = self.snapshot.as_ref().map_or(0, Snapshot::version);
        let table = self.table.replace('`', "").replace("delta./", "delta.`/");
        let table = if table.contains('`') { format!("{table}`") } else { table };
        let rows = self.query(&format!("SELECT * FROM table_changes('{table}', {version}, {version})")).await?;
        let hidden = |name: &str| name == "_commit_version" || name == "_commit_timestamp";
        let shown: Vec<usize> = (0..rows.columns.len()).filter(|idx| !hidden(&rows.columns[*idx].name)).collect();
        let names: Vec<Value> = shown.iter().map(|idx| rows.columns[*idx].name.clone().into()).collect();
        let all = value::rows(&rows.batches)?;
        let row = |row: &Value| -> Value { shown.iter().map(|idx| row[*idx].clone()).collect() };
        Ok(Seen::Value(json!({ "columns": names, "rows": all.iter().map(row).collect::<Vec<_>>() })))
    }

    /// How many files the statement deleted, and how many data files are left in the table's folder.
    async fn storage(&self) -> Result<Seen> {
        let Some(snapshot) = &self.snapshot else { return Ok(Seen::Value(Value::Null)) };
        let after = files(&self.sandbox).await?;
        let root = format!("{}/", snapshot.root());
        let is_data =
            |path: &&String| path.starts_with(&root) && path.ends_with(".parquet") && !path.contains("/_delta_log/");
        let gone = |path: &&String| !after.contains(path);
        let is_vector = |path: &&String| path.starts_with(&root) && path.ends_with(".bin");
        Ok(Seen::Value(json!({
            "parquet_deleted": self.files_before.iter().filter(is_data).filter(gone).count(),
            "dv_files_deleted": self.files_before.iter().filter(is_vector).filter(gone).count(),
            "parquet_left": after.iter().filter(is_data).count(),
        })))
    }

    /// What reading the table afterwards complains about.
    async fn read_error(&mut self) -> Result<Seen> {
        let read = execute(&mut self.sandbox, &format!("SELECT * FROM {}", self.table)).await;
        Ok(Seen::Value(
            read.err().map_or(
                Value::Null,
                |problem| json!({ "error_class": problem.condition, "sqlstate": problem.sqlstate }),
            ),
        ))
    }

    fn of_info(&self, look: impl Fn(&CommitInfo) -> Value) -> Value {
        self.commits.last().map_or(Value::Null, |commit| look(&commit.info))
    }

    fn live_files(&self) -> Value {
        self.snapshot.as_ref().map_or(Value::Null, live_files)
    }

    fn table_definition(&self) -> Value {
        self.snapshot.as_ref().map_or(Value::Null, table_definition)
    }
}

/// The files of a table, with what is known of their rows.
pub(super) fn live_files(snapshot: &Snapshot) -> Value {
    let file = |add: &std::sync::Arc<delta::actions::Add>| {
        let stats: Value = add.stats.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
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

/// What metadata and protocol say of a table.
pub(super) fn table_definition(snapshot: &Snapshot) -> Value {
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
        [("reader_features", &protocol.reader_features), ("writer_features", &protocol.writer_features)]
    {
        if let Some(features) = features {
            let mut features = features.clone();
            features.sort();
            definition["protocol"][key] = json!(features);
        }
    }
    definition
}

/// The file actions of a commit, counted.
fn layout(commit: &Commit) -> Value {
    let actions = &commit.actions;
    let adds: Vec<_> =
        actions.iter().filter_map(|action| if let Action::Add(add) = action { Some(add) } else { None }).collect();
    let removes: Vec<_> = actions
        .iter()
        .filter_map(|action| if let Action::Remove(remove) = action { Some(remove) } else { None })
        .collect();
    let readded = |path: &str| adds.iter().any(|add| add.path == path);
    let removed = |path: &str| removes.iter().any(|remove| remove.path == path);
    let again = adds.iter().filter(|add| removed(&add.path));
    let mut vectors: Vec<i64> =
        again.filter_map(|add| add.deletion_vector.as_ref()).map(|vector| vector.cardinality).collect();
    vectors.sort_unstable();
    let domains = actions.iter().filter_map(|action| match action {
        Action::DomainMetadata(domain) => Some(domain.domain.as_str()),
        _ => None,
    });
    let txns = actions.iter().filter_map(|action| match action {
        Action::Txn(txn) => Some(json!({ "appId": txn.app_id, "version": txn.version })),
        _ => None,
    });
    json!({
        "new_files": adds.iter().filter(|add| !removed(&add.path)).count(),
        "removed_files": removes.iter().filter(|remove| !readded(&remove.path)).count(),
        "dv_cardinalities": vectors,
        "cdc_files": actions.iter().filter(|action| matches!(action, Action::AddCdcFile(_))).count(),
        "metadata_action": actions.iter().any(|action| matches!(action, Action::Metadata(_))),
        "protocol_action": actions.iter().any(|action| matches!(action, Action::Protocol(_))),
        "data_change": adds.iter().all(|add| add.data_change) && removes.iter().all(|remove| remove.data_change),
        "partitions_added": partitions(adds.iter().map(|add| &add.partition_values)),
        "partitions_removed": partitions(removes.iter().filter_map(|remove| remove.partition_values.as_ref())),
        "domains": domains.collect::<Vec<_>>(),
        "txn": txns.collect::<Vec<_>>(),
    })
}

/// A commit as `all_commits` lists it.
pub(super) fn commit(commit: &Commit) -> Value {
    let info = &commit.info;
    json!({
        "version": commit.version,
        "operation": info.operation,
        "operationParameters": info.operation_parameters,
        "metrics": metrics(info),
        "isBlindAppend": info.is_blind_append,
        "isolationLevel": info.isolation_level,
        "readVersion": info.read_version,
        "userMetadata": info.user_metadata,
        "layout": layout(commit),
    })
}

fn partitions<'a>(values: impl Iterator<Item = &'a delta::actions::PartitionValues>) -> Value {
    let mut distinct: Vec<Value> = Vec::new();
    // A remove leaves NULL values out, so its NULL partition has nothing to show.
    for shown in values.filter(|values| !values.is_empty()).map(|values| json!(values)) {
        if !distinct.contains(&shown) {
            distinct.push(shown);
        }
    }
    Value::Array(distinct)
}

pub(super) fn columns(rows: &Rows) -> Value {
    rows.columns.iter().map(|column| json!([column.name, column.data_type.spark_name()])).collect()
}

fn metrics(info: &CommitInfo) -> Value {
    let number = |text: &String| text.parse::<i64>().map_or_else(|_| Value::String(text.clone()), Value::from);
    Value::Object(info.operation_metrics.iter().map(|(key, text)| (key.clone(), number(text))).collect())
}
