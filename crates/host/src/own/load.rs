//! From files to a table: text by way of a staged Parquet file and Spark's casts, a Delta table as it is.

use super::columns::{Column, type_of};
use super::{Entry, Files, MAX_TEXT, csv, json, too_large, unpack};
use crate::run::run_silently;
use arrow::array::{ArrayRef, StringArray};
use arrow::datatypes::{DataType as Arrow, Field, Schema};
use arrow::record_batch::RecordBatch;
use bytes::Bytes;
use delta::parquet_io::{file_schema, write_file};
use delta::schema::{DataType, StructField, StructType};
use delta::snapshot::Snapshot;
use engine::sandbox::Sandbox;
use engine::{Format, TableEntry, WAREHOUSE};
use spec::Diagnostic;
use std::sync::Arc;

/// Where a file lies while its table is made.
const STAGED: &str = "__staged";

/// Makes a table of the files of a key.
///
/// # Errors
/// A file that was not handed over, cannot be read or is too large; a table that is there already.
pub(crate) async fn load(sandbox: &mut Sandbox, files: &Files, key: &str, table: &str) -> Result<(), Diagnostic> {
    let Some(given) = files.get(key) else {
        return Err(refused(format!(
            "The file of the table `{table}` is not in this browser any more: drop it again."
        )));
    };
    if !is_name(table) {
        return Err(refused(format!("`{table}` is no name for a table: letters, digits and _ make one.")));
    }
    let entries: Vec<Entry> =
        given.iter().map(|(path, bytes)| Entry { path: path.clone(), bytes: bytes.to_vec() }).collect();
    match entries.as_slice() {
        [only] if only.path.to_lowercase().ends_with(".zip") => {
            delta_table(sandbox, unpack(&only.bytes).map_err(refused)?, table).await
        }
        [only] if !only.path.contains("_delta_log/") => one_file(sandbox, only, table).await,
        _ => delta_table(sandbox, entries, table).await,
    }
}

/// A table's name that needs no quotes.
fn is_name(text: &str) -> bool {
    let starts = text.starts_with(|first: char| first.is_ascii_alphabetic());
    starts && text.len() <= 100 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn refused(sentence: String) -> Diagnostic {
    Diagnostic::new("MERGELAB_FILE_REFUSED", "22000", sentence, None)
}

async fn one_file(sandbox: &mut Sandbox, file: &Entry, table: &str) -> Result<(), Diagnostic> {
    let path = file.path.to_lowercase();
    if path.ends_with(".parquet") {
        let bytes = Bytes::from(file.bytes.clone());
        let schema = file_schema(bytes.clone()).map_err(|error| refused(format!("{}: {error}.", file.path)))?;
        return staged(sandbox, bytes, schema, &format!("CREATE TABLE {table} USING DELTA AS SELECT * FROM {STAGED}"))
            .await;
    }
    if file.bytes.len() > MAX_TEXT {
        return Err(refused(too_large()));
    }
    let text = String::from_utf8(file.bytes.clone()).map_err(|_| {
        refused(format!("{} is no UTF-8 text. MergeLab reads CSV, JSON, Parquet and Delta tables.", file.path))
    })?;
    let is_json = [".json", ".jsonl", ".ndjson"].iter().any(|end| path.ends_with(end));
    let columns = if is_json { json::read(&text) } else { csv::read(&text) }.map_err(refused)?;
    text_table(sandbox, &columns, table).await
}

/// The texts go into a file as they are; Spark's own casts make them what they seem to be.
async fn text_table(sandbox: &mut Sandbox, columns: &[Column], table: &str) -> Result<(), Diagnostic> {
    let name = |idx: usize| format!("c{idx}");
    let fields = (0..columns.len()).map(|idx| Field::new(name(idx), Arrow::Utf8, true));
    let arrays = columns.iter().map(|column| Arc::new(StringArray::from(column.values.clone())) as ArrayRef);
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields.collect::<Vec<_>>())), arrays.collect())
        .map_err(Diagnostic::internal)?;
    let schema = StructType::new((0..columns.len()).map(|idx| StructField::new(name(idx), DataType::String)).collect());
    let written = write_file(&schema, &[batch]).map_err(Diagnostic::internal)?;
    let casts = columns.iter().enumerate().map(|(idx, column)| {
        format!("CAST({} AS {}) AS `{}`", name(idx), type_of(column), column.name.replace('`', "``"))
    });
    let casts: Vec<String> = casts.collect();
    let sql = format!(
        "CREATE TABLE {table} USING DELTA TBLPROPERTIES ('delta.columnMapping.mode' = 'name') AS SELECT {} FROM {STAGED}",
        casts.join(", ")
    );
    // Blanks and the like in column names need column mapping; a plain table should not have it.
    let is_plain = |column: &Column| !column.name.contains([' ', ',', ';', '{', '}', '(', ')', '\n', '\t', '=']);
    let sql = if columns.iter().all(is_plain) {
        sql.replacen(" TBLPROPERTIES ('delta.columnMapping.mode' = 'name')", "", 1)
    } else {
        sql
    };
    staged(sandbox, written.bytes, schema, &sql).await
}

/// Runs a statement while a Parquet file can be read as a table; the file is gone afterwards, whatever happened.
async fn staged(sandbox: &mut Sandbox, bytes: Bytes, schema: StructType, sql: &str) -> Result<(), Diagnostic> {
    let entry = entry(STAGED, Format::Parquet(schema));
    let path = format!("{}/part-0.parquet", entry.root);
    let storage = sandbox.env().storage.clone();
    storage.put(&path, bytes, 0).await.map_err(Diagnostic::internal)?;
    sandbox.attach(entry.clone());
    let done = run_silently(sandbox, sql).await;
    sandbox.detach(&entry);
    storage.delete(&path).await.map_err(Diagnostic::internal)?;
    done
}

fn entry(name: &str, format: Format) -> TableEntry {
    let name = name.to_lowercase();
    TableEntry { schema: "default".to_owned(), root: format!("{WAREHOUSE}/{name}"), name, format }
}

/// Puts the files of a Delta table where a table of this name lives. What cannot be read is taken away again.
async fn delta_table(sandbox: &mut Sandbox, entries: Vec<Entry>, table: &str) -> Result<(), Diagnostic> {
    let folder = table_folder(&entries).map_err(refused)?;
    let entry = entry(table, Format::Delta);
    let storage = sandbox.env().storage.clone();
    let there = storage.list_from(&entry.root, "").await.map_err(Diagnostic::internal)?;
    if !there.is_empty() || sandbox.tables().iter().any(|other| other.root == entry.root) {
        return Err(refused(format!("There is a table `{table}` already. Drop it first, or take it back.")));
    }
    // As after a copy, the files are of now; later versions must be later.
    let now_ms = sandbox.env().clock.now_ms();
    let mut entries = entries;
    entries.sort_by(|left, right| left.path.cmp(&right.path));
    let mut put = Vec::with_capacity(entries.len());
    for (idx, Entry { path, bytes }) in entries.into_iter().enumerate() {
        let Some(inside) = path.strip_prefix(folder.as_str()) else { continue };
        let path = format!("{}/{inside}", entry.root);
        let modified_ms = now_ms.saturating_add(i64::try_from(idx).unwrap_or(0));
        storage.put(&path, Bytes::from(bytes), modified_ms).await.map_err(Diagnostic::internal)?;
        put.push(path);
    }
    let problem = match Snapshot::load(storage.as_ref(), &entry.root, None).await {
        Ok(Some(_)) => {
            sandbox.attach(entry);
            return Ok(());
        }
        Ok(None) => "its log has no commit".to_owned(),
        Err(error) => error.to_string(),
    };
    for path in put {
        storage.delete(&path).await.map_err(Diagnostic::internal)?;
    }
    Err(refused(format!("The Delta table cannot be read: {problem}.")))
}

/// The folder, with its slash, that holds the one `_delta_log`.
fn table_folder(entries: &[Entry]) -> Result<String, String> {
    let logs = entries.iter().filter_map(|entry| {
        let at = entry.path.find("_delta_log/")?;
        let folder = entry.path.get(..at)?;
        (folder.is_empty() || folder.ends_with('/')).then(|| folder.to_owned())
    });
    let folders: std::collections::BTreeSet<String> = logs.collect();
    let mut folders = folders.into_iter();
    match (folders.next(), folders.next()) {
        (Some(folder), None) => Ok(folder),
        (Some(_), Some(_)) => Err("These files hold more than one Delta table: load one at a time.".to_owned()),
        (None, _) => Err("These files are no Delta table: there is no _delta_log folder among them.".to_owned()),
    }
}
