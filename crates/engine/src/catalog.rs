//! Which names stand for which tables and views.
//!
//! Any catalog name is taken and ignored, as in a workspace whose three-part names all lead to
//! one place; schemas and tables compare without regard to case.

use crate::local::{self, LocalRows};
use delta::schema::StructType;
use delta::storage::Storage;
use query::Column;
use spec::{Diagnostic, Ident, Name, Query};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The folder below which managed tables live.
pub const WAREHOUSE: &str = "warehouse";
/// Where a plain Parquet table keeps its column list; names that start with `_` are hidden from readers.
const PARQUET_SCHEMA_FILE: &str = "_schema.json";
const DEFAULT_SCHEMA: &str = "default";
/// Stands before the path of a table that is named by its folder.
const PATH_SCHEMA: &str = "delta";

/// Tables, temp views and schemas of a sandbox.
#[derive(Debug, Clone)]
pub(crate) struct Catalog {
    schemas: BTreeSet<String>,
    tables: BTreeMap<(String, String), TableEntry>,
    views: BTreeMap<String, ViewEntry>,
    /// By the number that stands in their name.
    rows: Vec<Arc<LocalRows>>,
    current: String,
}

/// A table that the catalog knows.
#[derive(Debug, Clone, PartialEq)]
pub struct TableEntry {
    /// Lower case.
    pub schema: String,
    /// Lower case.
    pub name: String,
    /// Folder in the store, without a slash at the end.
    pub root: String,
    pub format: Format,
}

/// How a table's files are kept.
#[derive(Debug, Clone, PartialEq)]
pub enum Format {
    Delta,
    /// No log: all files of the folder, with these columns.
    Parquet(StructType),
}

/// A temp view.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ViewEntry {
    pub(crate) name: String,
    pub(crate) columns: Vec<Ident>,
    pub(crate) query: Query,
    /// What the query gave when the view was made.
    pub(crate) schema: Vec<Column>,
}

/// What a name was found to be.
#[derive(Debug, Clone)]
pub(crate) enum Entry<'a> {
    Table(TableEntry),
    View(&'a ViewEntry),
}

impl TableEntry {
    /// `spark_catalog.default.tgt`, the form of messages and plans.
    pub fn full_name(&self) -> String {
        format!("spark_catalog.{}.{}", self.schema, self.name)
    }

    /// Whether the table was named by its folder, ``delta.`/some/path` ``.
    pub(crate) fn is_path(&self) -> bool {
        self.schema == PATH_SCHEMA
    }

    /// What may stand before a column name, outermost part first.
    pub(crate) fn qualifier(&self) -> Vec<String> {
        vec!["spark_catalog".into(), self.schema.clone(), self.name.clone()]
    }

    /// The shortest name that finds the table: without the schema where it is the default one.
    pub fn short_name(&self) -> String {
        if self.schema == DEFAULT_SCHEMA { self.name.clone() } else { format!("{}.{}", self.schema, self.name) }
    }
}

impl Catalog {
    /// Only the default schema.
    pub(crate) fn new() -> Self {
        Self {
            schemas: BTreeSet::from([DEFAULT_SCHEMA.to_owned()]),
            tables: BTreeMap::new(),
            views: BTreeMap::new(),
            rows: Vec::new(),
            current: DEFAULT_SCHEMA.to_owned(),
        }
    }

    /// The tables that a store already holds, found by their folders.
    pub(crate) async fn discover(storage: &dyn Storage) -> Result<Self, delta::error::Error> {
        let mut catalog = Self::new();
        for file in storage.list_from(WAREHOUSE, "").await? {
            let Some(inside) = file.path.strip_prefix(WAREHOUSE).and_then(|path| path.strip_prefix('/')) else {
                continue;
            };
            let (root, format) = if let Some((root, _)) = inside.split_once("/_delta_log/") {
                (root, Format::Delta)
            } else if let Some(root) = inside.strip_suffix(PARQUET_SCHEMA_FILE).and_then(|root| root.strip_suffix('/'))
            {
                let text = storage.get(&file.path).await?;
                let Ok(columns) = StructType::from_json(&String::from_utf8_lossy(&text)) else { continue };
                (root, Format::Parquet(columns))
            } else {
                continue;
            };
            let (schema, name) = match root.split_once('/') {
                None => (DEFAULT_SCHEMA, root),
                Some((folder, name)) => match folder.strip_suffix(".db") {
                    Some(schema) if !name.contains('/') => (schema, name),
                    _ => continue,
                },
            };
            let entry = TableEntry {
                schema: schema.to_owned(),
                name: name.to_owned(),
                root: format!("{WAREHOUSE}/{root}"),
                format,
            };
            catalog.insert(entry);
        }
        Ok(catalog)
    }

    /// Keeps rows and gives the name that reads them.
    pub(crate) fn keep_rows(&mut self, rows: LocalRows) -> Name {
        self.rows.push(Arc::new(rows));
        local::name_of(self.rows.len() - 1)
    }

    /// The rows that a name stands for.
    pub(crate) fn rows(&self, name: &Name) -> Option<Arc<LocalRows>> {
        self.rows.get(local::number_of(name)?).map(Arc::clone)
    }

    pub(crate) fn tables(&self) -> impl Iterator<Item = &TableEntry> {
        self.tables.values()
    }

    /// The temp views, by name.
    pub(crate) fn views(&self) -> impl Iterator<Item = &ViewEntry> {
        self.views.values()
    }

    /// The schemas, by name.
    pub(crate) fn schemas(&self) -> impl Iterator<Item = &str> {
        self.schemas.iter().map(String::as_str)
    }

    pub(crate) fn has_schema(&self, name: &str) -> bool {
        self.schemas.contains(&name.to_lowercase())
    }

    /// The schema that one-part names belong to.
    pub(crate) fn current_schema(&self) -> &str {
        &self.current
    }

    /// Adds the schema; true if it is new.
    pub(crate) fn create_schema(&mut self, name: &str) -> bool {
        self.schemas.insert(name.to_lowercase())
    }

    /// Makes one-part names belong to `name`; false if there is no such schema.
    pub(crate) fn use_schema(&mut self, name: &str) -> bool {
        let name = name.to_lowercase();
        let known = self.schemas.contains(&name);
        if known {
            self.current = name;
        }
        known
    }

    pub(crate) fn insert(&mut self, entry: TableEntry) {
        self.schemas.insert(entry.schema.clone());
        self.tables.insert((entry.schema.clone(), entry.name.clone()), entry);
    }

    pub(crate) fn remove(&mut self, entry: &TableEntry) {
        self.tables.remove(&(entry.schema.clone(), entry.name.clone()));
    }

    pub(crate) fn insert_view(&mut self, view: ViewEntry) {
        self.views.insert(view.name.to_lowercase(), view);
    }

    /// Removes a temp view; false if there is none.
    pub(crate) fn remove_view(&mut self, name: &Name) -> bool {
        name.parts.len() == 1 && self.views.remove(&name.last().to_lowercase()).is_some()
    }

    pub(crate) fn has_view(&self, name: &Name) -> bool {
        name.parts.len() == 1 && self.views.contains_key(&name.last().to_lowercase())
    }

    /// What stands at `name`. Temp views hide tables of the same one-part name.
    pub(crate) fn find(&self, name: &Name) -> Option<Entry<'_>> {
        if let [only] = name.parts.as_slice()
            && let Some(view) = self.views.get(&only.value.to_lowercase())
        {
            return Some(Entry::View(view));
        }
        if let Some(root) = path_of(name) {
            let entry =
                TableEntry { schema: PATH_SCHEMA.into(), name: format!("`{root}`"), root, format: Format::Delta };
            return Some(Entry::Table(entry));
        }
        let (schema, table) = self.split(name)?;
        self.tables.get(&(schema, table)).cloned().map(Entry::Table)
    }

    /// Where a new table of that name would live.
    ///
    /// # Errors
    /// `SCHEMA_NOT_FOUND`; a name of more than three parts.
    pub(crate) fn place(&self, name: &Name) -> Result<TableEntry, Diagnostic> {
        if let Some(root) = path_of(name) {
            return Ok(TableEntry {
                schema: PATH_SCHEMA.into(),
                name: format!("`{root}`"),
                root,
                format: Format::Delta,
            });
        }
        let Some((schema, table)) = self.split(name) else {
            let message = format!("`{name}` has too many parts: a table name is [catalog.][schema.]table.");
            return Err(Diagnostic::new("REQUIRES_SINGLE_PART_NAMESPACE", "42K05", message, name.span()));
        };
        if !self.schemas.contains(&schema) {
            let message = format!("The schema `{schema}` cannot be found.");
            return Err(Diagnostic::new("SCHEMA_NOT_FOUND", "42704", message, name.span())
                .with_hint(format!("Create it first: CREATE SCHEMA {schema};")));
        }
        let root = self.place_of(&schema, &table);
        Ok(TableEntry { schema, name: table, root, format: Format::Delta })
    }

    /// The folder of a managed table.
    pub(crate) fn place_of(&self, schema: &str, table: &str) -> String {
        if schema == DEFAULT_SCHEMA {
            format!("{WAREHOUSE}/{table}")
        } else {
            format!("{WAREHOUSE}/{schema}.db/{table}")
        }
    }

    /// `TABLE_OR_VIEW_NOT_FOUND`, with the nearest name if one is near.
    pub(crate) fn not_found(&self, name: &Name) -> Diagnostic {
        if let Some(root) = path_of(name) {
            let message = format!("Path does not exist: {root}.");
            return Diagnostic::new("PATH_NOT_FOUND", "42K03", message, name.span())
                .with_hint("Create a table there first: CREATE TABLE delta.`/path` (…) USING DELTA.");
        }
        let message = format!("The table or view `{name}` cannot be found.");
        let problem = Diagnostic::new("TABLE_OR_VIEW_NOT_FOUND", "42P01", message, name.span());
        let known =
            self.tables.values().map(TableEntry::short_name).chain(self.views.values().map(|view| view.name.clone()));
        match nearest(&name.to_string(), known) {
            Some(best) => {
                problem.with_hint(format!("Did you mean `{best}`?")).with_edit(format!("Use {best}"), name.span(), best)
            }
            None => problem.with_hint("Create it first, or check the spelling and the schema."),
        }
    }

    /// Schema and table in lower case; the catalog part is ignored.
    fn split(&self, name: &Name) -> Option<(String, String)> {
        let mut parts = name.parts.iter().rev().map(|part| part.value.to_lowercase());
        let table = parts.next()?;
        let schema = parts.next().unwrap_or_else(|| self.current.clone());
        (name.parts.len() <= 3).then_some((schema, table))
    }
}

/// Where a plain Parquet table keeps its column list.
pub(crate) fn parquet_schema_path(root: &str) -> String {
    format!("{root}/{PARQUET_SCHEMA_FILE}")
}

/// The folder of ``delta.`/some/path` ``.
fn path_of(name: &Name) -> Option<String> {
    let [format, path] = name.parts.as_slice() else { return None };
    (format.is(PATH_SCHEMA) && path.value.contains('/')).then(|| path.value.trim_matches('/').to_owned())
}

/// The candidate that differs least, if it differs little.
fn nearest(wanted: &str, candidates: impl Iterator<Item = String>) -> Option<String> {
    let wanted = wanted.to_lowercase();
    let limit = (wanted.chars().count() / 3).max(1);
    candidates
        .map(|name| (edits(&wanted, &name.to_lowercase()), name))
        .filter(|(n, _)| *n <= limit)
        .min()
        .map(|(_, name)| name)
}

/// Levenshtein distance.
fn edits(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, r) in right.iter().enumerate() {
            let next = (diagonal + usize::from(l != *r)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[right.len()]
}
