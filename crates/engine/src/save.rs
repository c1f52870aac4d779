//! What `DataFrameWriter` does: rows of a data frame to a table that may not be there yet.
//!
//! A table by name is written by Spark's rules (columns by name, values cast as INSERT does); a path, and a write that
//! replaces by a condition, by Delta's own, which take types as they are. `mode("overwrite").saveAsTable` is logged as the
//! replacement of the table that it is, though it keeps the definition.

use crate::create::{self, Made};
use crate::insert::{self, Done};
use crate::observe::Observer;
use crate::resolve::latest;
use crate::sandbox::Context;
use crate::target::Target;
use delta::schema::{DataType, StructType, same_name};
use query::Column;
use serde_json::{Map, Value};
use spec::{
    CreateMode, CreateTable, Diagnostic, Ident, Insert, InsertMode, Provider, Save, SaveMode, Span, TableTarget,
};

/// What a write asks for beside its rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Manner {
    /// Columns that the table lacks are added to it.
    pub(crate) evolves: bool,
    /// Only the partitions that new rows lie in are replaced.
    pub(crate) dynamic: bool,
    /// Types must be the table's own.
    pub(crate) strict: bool,
    /// The table takes over columns and partitioning of the rows.
    pub(crate) redefines: bool,
    /// The application and its number of this write.
    pub(crate) transaction: Option<(String, i64)>,
    /// How the log tells of it; INSERT has words of its own.
    pub(crate) saved: Option<Saved>,
}

/// How the log tells of a write of `DataFrameWriter`.
#[derive(Debug, Clone)]
pub(crate) struct Saved {
    /// As the replacement of a table.
    replaces: bool,
    is_managed: bool,
    pub(crate) partition_by: Vec<String>,
    predicate: Option<String>,
    may_merge: bool,
    may_redefine: bool,
}

impl Manner {
    /// The manner of INSERT: the session decides.
    pub(crate) fn of_session(context: &Context<'_>) -> Self {
        Self {
            evolves: context.settings.merges_schemas(),
            dynamic: context.settings.overwrites_dynamically(),
            ..Self::default()
        }
    }
}

impl Saved {
    /// Name and parameters of the operation, of those that an INSERT of the same rows has.
    pub(crate) fn operation(
        &self,
        mut parameters: Map<String, Value>,
        target: &Target,
    ) -> (&'static str, Map<String, Value>) {
        let list = |names: &[String]| {
            Value::String(Value::Array(names.iter().cloned().map(Value::String).collect()).to_string())
        };
        if self.may_merge {
            parameters.insert("canMergeSchema".to_owned(), Value::Bool(true));
        }
        if self.may_redefine {
            parameters.insert("canOverwriteSchema".to_owned(), Value::Bool(true));
        }
        if !self.replaces {
            parameters.insert("partitionBy".to_owned(), list(&self.partition_by));
            if let Some(predicate) = &self.predicate {
                parameters.insert("predicate".to_owned(), Value::String(predicate.clone()));
            }
            return ("WRITE", parameters);
        }
        parameters.remove("mode");
        let is_dynamic = parameters.contains_key("isDynamicPartitionOverwrite");
        let partitions =
            if is_dynamic && !self.may_redefine { target.snapshot.partition_columns() } else { &self.partition_by };
        let description = target.snapshot.metadata().description.clone();
        parameters.insert("isV1SaveAsTableOverwrite".to_owned(), Value::Bool(true));
        parameters.insert("partitionBy".to_owned(), list(partitions));
        parameters.insert("clusterBy".to_owned(), list(&[]));
        parameters.insert("description".to_owned(), description.map_or(Value::Null, Value::String));
        parameters.insert("isManaged".to_owned(), Value::String(self.is_managed.to_string()));
        parameters.insert("properties".to_owned(), Value::String("{}".to_owned()));
        (REPLACEMENT, parameters)
    }

    /// Whether the write names a condition, even where its mode makes nothing of it.
    pub(crate) fn has_predicate(&self) -> bool {
        self.predicate.is_some()
    }

    /// A replacement is committed even if nothing changes.
    pub(crate) fn always_commits(&self) -> bool {
        self.replaces
    }
}

const REPLACEMENT: &str = "CREATE OR REPLACE TABLE AS SELECT";

/// Writes the rows.
///
/// # Errors
/// The table is there and must not be; columns, types or rows that do not fit it; options that rule each other out.
pub(crate) async fn run(context: &Context<'_>, save: &Save, observer: &mut dyn Observer) -> Result<Made, Diagnostic> {
    let entry = match context.catalog.find(&save.table) {
        Some(crate::catalog::Entry::Table(entry)) => entry,
        _ => context.catalog.place(&save.table)?,
    };
    let is_parquet = matches!(entry.format, crate::catalog::Format::Parquet(_));
    let makes_parquet = match &save.provider {
        Provider::Parquet => true,
        Provider::Default => context.settings.defaults_to_parquet(),
        Provider::Delta | Provider::Other(_) => false,
    };
    if is_parquet && makes_parquet && save.mode == SaveMode::Overwrite && !save.by_path {
        return create::saved(context, &new_table(save), None, observer).await;
    }
    let there = if is_parquet { None } else { latest(context.env, &entry, save.table.span()).await? };
    if there.is_none() && !is_parquet {
        return create::saved(context, &new_table(save), save.by_path.then_some(save.mode), observer).await;
    }
    match save.mode {
        SaveMode::Ignore => return Ok(Made { entry, version: None }),
        SaveMode::Error => return Err(exists(save)),
        SaveMode::Append | SaveMode::Overwrite => {}
    }
    if let (Some((app, version)), Some(there)) = (&save.options.transaction, &there)
        && there.txns().get(app).is_some_and(|last| last.version >= *version)
    {
        return Ok(Made { entry, version: None });
    }
    let partitions = there.as_ref().map(|there| there.partition_columns().to_vec()).unwrap_or_default();
    let is_managed = !entry.is_path();
    let manner = manner(context, save, &partitions, is_managed)?;
    let Done { version, .. } = insert::written(context, &insertion(save), &manner, observer).await?;
    Ok(Made { entry, version })
}

fn exists(save: &Save) -> Diagnostic {
    let span = save.span;
    if save.by_path {
        let message = format!("Cannot write to the path {}: a table is there already.", save.table.last());
        return Diagnostic::new("DELTA_PATH_EXISTS", "42K04", message, span)
            .with_hint("Say what shall become of it: mode(\"append\") or mode(\"overwrite\").");
    }
    let message = format!("Cannot create table or view `{}` because it already exists.", save.table);
    Diagnostic::new("TABLE_OR_VIEW_ALREADY_EXISTS", "42P07", message, span)
        .with_hint("Say what shall become of it: mode(\"append\") or mode(\"overwrite\").")
}

fn manner(context: &Context<'_>, save: &Save, partitions: &[String], is_managed: bool) -> Result<Manner, Diagnostic> {
    let options = &save.options;
    let overwrites = save.mode == SaveMode::Overwrite;
    let session = Manner::of_session(context);
    let dynamic = overwrites && options.dynamic.unwrap_or(session.dynamic);
    let given: Vec<String> = save.partition_by.iter().map(|column| column.value.clone()).collect();
    if options.replace_where.is_some() && overwrites && options.dynamic == Some(true) {
        let message = "'replaceWhere' cannot be used with the data frame option partitionOverwriteMode=dynamic.";
        let condition = "DELTA_REPLACE_WHERE_WITH_DYNAMIC_PARTITION_OVERWRITE";
        return Err(Diagnostic::new(condition, "42613", message, save.span));
    }
    let redefines = overwrites && options.overwrite_schema && options.replace_where.is_none();
    if redefines && dynamic && !given.is_empty() {
        let message = "'overwriteSchema' cannot be used in dynamic partition overwrite mode.";
        let condition = "DELTA_OVERWRITE_SCHEMA_WITH_DYNAMIC_PARTITION_OVERWRITE";
        return Err(Diagnostic::new(condition, "42613", message, save.span));
    }
    let same = given.len() == partitions.len() && given.iter().zip(partitions).all(|(a, b)| same_name(a, b));
    if !redefines && !given.is_empty() && !same {
        return Err(other_partitioning(&given, partitions, save.span));
    }
    let replaces = overwrites && !save.by_path && options.replace_where.is_none();
    let may_merge = options.merge_schema;
    Ok(Manner {
        evolves: may_merge || session.evolves,
        dynamic,
        strict: save.by_path || overwrites && options.replace_where.is_some(),
        redefines,
        transaction: options.transaction.clone(),
        saved: Some(Saved {
            replaces,
            is_managed,
            partition_by: given,
            predicate: options.replace_where.as_ref().map(|(_, text)| text.clone()),
            may_merge,
            may_redefine: overwrites && options.overwrite_schema,
        }),
    })
}

/// The reference raises an exception without a condition here.
fn other_partitioning(given: &[String], partitions: &[String], span: Span) -> Diagnostic {
    let message = format!(
        "requirement failed: The provided partitioning or clustering columns do not match the existing table's: the \
         write names [{}], the table has [{}].",
        given.join(", "),
        partitions.join(", ")
    );
    Diagnostic::new("IllegalArgumentException", "", message, span)
        .with_hint("Leave partitionBy out to take the table's own, or write with overwriteSchema.")
}

/// The table that the rows make where there is none.
fn new_table(save: &Save) -> CreateTable {
    CreateTable {
        name: save.table.clone(),
        mode: if save.mode == SaveMode::Overwrite { CreateMode::CreateOrReplace } else { CreateMode::Create },
        provider: save.provider.clone(),
        columns: Vec::new(),
        partitioned_by: save.partition_by.clone(),
        clustered_by: save.cluster_by.clone(),
        location: None,
        comment: None,
        properties: Vec::new(),
        query: Some(save.source.clone()),
    }
}

/// The rows as those of an INSERT into the table that is there.
fn insertion(save: &Save) -> Insert {
    let mode = match (&save.options.replace_where, save.mode) {
        (Some((condition, _)), SaveMode::Overwrite) => InsertMode::ReplaceWhere(condition.clone()),
        (None, SaveMode::Overwrite) => InsertMode::Overwrite,
        _ => InsertMode::Append,
    };
    Insert {
        table: TableTarget { name: save.table.clone(), alias: None, span: save.span },
        mode,
        partition: Vec::new(),
        columns: Vec::new(),
        by_name: true,
        source: save.source.clone(),
    }
}

/// Whether a new table is logged as a write, and how.
pub(crate) fn write_of_new(mode: SaveMode, partition_by: &[Ident]) -> Map<String, Value> {
    let word = match mode {
        SaveMode::Append => "Append",
        SaveMode::Overwrite => "Overwrite",
        SaveMode::Ignore => "Ignore",
        SaveMode::Error => "ErrorIfExists",
    };
    let names = partition_by.iter().map(|column| Value::String(column.value.clone())).collect();
    Map::from_iter([
        ("mode".to_owned(), Value::String(word.to_owned())),
        ("partitionBy".to_owned(), Value::String(Value::Array(names).to_string())),
    ])
}

/// Where types must be the table's own: the first column whose type is another.
///
/// # Errors
/// `DELTA_FAILED_TO_MERGE_FIELDS`
pub(crate) fn check_types(schema: &StructType, given: &[Column], span: Span) -> Result<(), Diagnostic> {
    for column in given {
        let Some(field) = schema.fields.iter().find(|field| same_name(&field.name, &column.name)) else { continue };
        if !fits(&field.data_type, &column.data_type) {
            let (name, old, new) = (&field.name, field.data_type.sql_name(), column.data_type.sql_name());
            let message =
                format!("Failed to merge fields '{name}' and '{}': the table has {old}, the data {new}.", column.name);
            return Err(Diagnostic::new("DELTA_FAILED_TO_MERGE_FIELDS", "22005", message, span)
                .with_hint("This kind of write casts nothing: cast the column of the data frame first."));
        }
    }
    Ok(())
}

/// Whole numbers may be narrower than their column; nothing else may differ.
fn fits(to: &DataType, from: &DataType) -> bool {
    match (to, from) {
        (DataType::Int, DataType::Short | DataType::Byte) | (DataType::Short, DataType::Byte) => true,
        (_, DataType::Void) => true,
        (DataType::Struct(to), DataType::Struct(from)) => from.fields.iter().all(|field| {
            let same = to.fields.iter().find(|other| same_name(&other.name, &field.name));
            same.is_none_or(|other| fits(&other.data_type, &field.data_type))
        }),
        (DataType::Array { element: to, .. }, DataType::Array { element: from, .. }) => fits(to, from),
        (DataType::Map { key, value, .. }, DataType::Map { key: from_key, value: from_value, .. }) => {
            fits(key, from_key) && fits(value, from_value)
        }
        _ => to == from,
    }
}
