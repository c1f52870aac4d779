//! Column mapping (PROTOCOL.md, Column Mapping): names and ids under which data files, statistics and partition
//! values know a column, apart from the name that statements use.
//!
//! The mapping is part of the schema: each field's metadata holds its id and its physical name. The schema of a
//! snapshot has that metadata if and only if the table maps its columns, so nobody else has to look at the mode.

use crate::actions::{Metadata, Protocol};
use crate::error::Error;
use crate::schema::{DataType, StructField, StructType};
use arrow::datatypes::{DataType as Arrow, Field, Fields, Schema, SchemaRef};
use parquet::arrow::PARQUET_FIELD_ID_META_KEY;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The table property that switches the mapping on.
pub const MODE: &str = "delta.columnMapping.mode";
/// The table property that remembers the largest id ever given, so that ids are not given twice.
pub const MAX_ID: &str = "delta.columnMapping.maxColumnId";

const ID: &str = "delta.columnMapping.id";
const PHYSICAL_NAME: &str = "delta.columnMapping.physicalName";

/// How a table maps its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MappingMode {
    #[default]
    None,
    /// Columns of data files are found by physical name.
    Name,
    /// Columns of data files are found by the field id inside the file.
    Id,
}

impl MappingMode {
    /// The mode that the properties name.
    ///
    /// # Errors
    /// Another word than `none`, `name` or `id`.
    pub fn configured(metadata: &Metadata) -> Result<Self, Error> {
        match metadata.configuration.get(MODE).map(|mode| (mode, mode.to_ascii_lowercase())) {
            None => Ok(Self::None),
            Some((_, lower)) if lower == "none" => Ok(Self::None),
            Some((_, lower)) if lower == "name" => Ok(Self::Name),
            Some((_, lower)) if lower == "id" => Ok(Self::Id),
            Some((mode, _)) => Err(Error::InvalidProperty { name: MODE.to_owned(), value: mode.clone() }),
        }
    }

    /// The mode in force: the property counts only where the protocol supports the feature.
    ///
    /// # Errors
    /// As [`MappingMode::configured`].
    pub fn of(protocol: &Protocol, metadata: &Metadata) -> Result<Self, Error> {
        let lists = |features: &Option<Vec<String>>| {
            features.as_ref().is_some_and(|names| names.iter().any(|name| name == "columnMapping"))
        };
        let supported = protocol.min_reader_version == 2 || lists(&protocol.reader_features);
        if supported { Self::configured(metadata) } else { Ok(Self::None) }
    }
}

impl StructField {
    /// The name in data files, statistics and partition values: its own, unless the table maps columns.
    pub fn physical_name(&self) -> &str {
        self.metadata.get(PHYSICAL_NAME).and_then(Value::as_str).unwrap_or(&self.name)
    }

    /// The id in data files, where the table maps columns.
    pub fn column_id(&self) -> Option<i64> {
        self.metadata.get(ID).and_then(Value::as_i64)
    }
}

/// The schema as a snapshot has it: without leftovers of a mapping that is not in force, else with a complete one.
///
/// # Errors
/// A field without id or physical name, or two fields that share one.
pub fn checked(schema: StructType, mode: MappingMode) -> Result<StructType, Error> {
    if mode == MappingMode::None {
        return Ok(unmapped(&schema));
    }
    let (mut ids, mut names) = (BTreeSet::new(), BTreeSet::new());
    let mut problem = None;
    visit(&schema, &mut Vec::new(), &mut |parents, field| {
        let mut path: Vec<String> = parents.to_vec();
        path.push(field.physical_name().to_lowercase());
        let complete = field.column_id().is_some() && field.metadata.get(PHYSICAL_NAME).is_some_and(Value::is_string);
        let unique = complete && ids.insert(field.column_id()) && names.insert(path);
        if !unique && problem.is_none() {
            let lacks = if complete { "shares its id or physical name with another" } else { "has none" };
            problem = Some(format!("the table maps its columns, but the column {} {lacks}", field.name));
        }
    });
    match problem {
        Some(reason) => Err(Error::InvalidSchema { reason }),
        None => Ok(schema),
    }
}

/// The schema without ids and physical names.
pub fn unmapped(schema: &StructType) -> StructType {
    edited(schema, &mut forget)
}

/// The type without ids and physical names inside it.
pub fn unmapped_type(data_type: &DataType) -> DataType {
    edited_type(data_type, &mut forget)
}

fn forget(field: &mut StructField) {
    field.metadata.remove(ID);
    field.metadata.remove(PHYSICAL_NAME);
}

/// The definition with an id and a physical name for each field that has none yet, fields before what is inside
/// them; `name` invents the physical names. On a table that mapped nothing before, columns keep their names, for
/// that is what its files call them. Nothing happens where the mode is `none`. `before` is the definition that this
/// one changes; a new table, and one that replaces another, has none.
///
/// # Errors
/// A mode that a table in this state cannot have.
pub fn assigned(
    metadata: Metadata,
    schema: StructType,
    before: Option<&Metadata>,
    name: &mut dyn FnMut() -> String,
) -> Result<(Metadata, StructType), Error> {
    let mode = MappingMode::configured(&metadata)?;
    let old_mode = before.map(MappingMode::configured).transpose()?;
    if let Some(old) = old_mode.filter(|old| *old != mode)
        && (old, mode) != (MappingMode::None, MappingMode::Name)
    {
        return Err(Error::MappingModeChange { from: word(old), to: word(mode) });
    }
    if mode == MappingMode::None {
        return Ok((metadata, schema));
    }
    let is_upgrade = old_mode == Some(MappingMode::None);
    let kept = metadata.configuration.get(MAX_ID).and_then(|text| text.parse::<i64>().ok()).unwrap_or(0);
    let mut max_id = kept;
    visit(&schema, &mut Vec::new(), &mut |_, field| max_id = max_id.max(field.column_id().unwrap_or(0)));
    let schema = edited(&schema, &mut |field| {
        if field.column_id().is_none() {
            max_id += 1;
            field.metadata.insert(ID.to_owned(), max_id.into());
        }
        if !field.metadata.contains_key(PHYSICAL_NAME) {
            let physical = if is_upgrade { field.name.clone() } else { format!("col-{}", name()) };
            field.metadata.insert(PHYSICAL_NAME.to_owned(), physical.into());
        }
    });
    let mut metadata = metadata;
    metadata.schema_string = schema.to_json();
    metadata.configuration.insert(MAX_ID.to_owned(), max_id.to_string());
    Ok((metadata, schema))
}

/// The definition of a table that replaces another: where both map columns in one mode, columns of the same name and
/// type keep their ids and physical names, and ids are counted on.
pub fn taken_over(
    metadata: Metadata,
    schema: StructType,
    old: &Metadata,
    old_schema: &StructType,
) -> (Metadata, StructType) {
    let mode = |metadata: &Metadata| MappingMode::configured(metadata).unwrap_or_default();
    if mode(&metadata) == MappingMode::None || mode(&metadata) != mode(old) {
        return (metadata, schema);
    }
    let mut metadata = metadata;
    if let Some(max_id) = old.configuration.get(MAX_ID) {
        metadata.configuration.insert(MAX_ID.to_owned(), max_id.clone());
    }
    let schema = with_labels_of(&schema, old_schema);
    metadata.schema_string = schema.to_json();
    (metadata, schema)
}

fn with_labels_of(schema: &StructType, old: &StructType) -> StructType {
    let labelled = |field: &StructField| {
        let mut field = field.clone();
        let Some(known) = old.field(&field.name) else { return field };
        if unmapped_type(&known.data_type) == field.data_type {
            for key in [ID, PHYSICAL_NAME] {
                if let Some(value) = known.metadata.get(key) {
                    field.metadata.insert(key.to_owned(), value.clone());
                }
            }
        }
        field.data_type = type_with_labels_of(&field.data_type, &known.data_type);
        field
    };
    StructType { fields: schema.fields.iter().map(labelled).collect() }
}

fn type_with_labels_of(data_type: &DataType, old: &DataType) -> DataType {
    match (data_type, old) {
        (DataType::Struct(inner), DataType::Struct(old)) => DataType::Struct(with_labels_of(inner, old)),
        (DataType::Array { element, contains_null }, DataType::Array { element: old, .. }) => {
            DataType::Array { element: Box::new(type_with_labels_of(element, old)), contains_null: *contains_null }
        }
        (DataType::Map { key, value, value_contains_null }, DataType::Map { key: old_key, value: old_value, .. }) => {
            DataType::Map {
                key: Box::new(type_with_labels_of(key, old_key)),
                value: Box::new(type_with_labels_of(value, old_value)),
                value_contains_null: *value_contains_null,
            }
        }
        (other, _) => other.clone(),
    }
}

fn word(mode: MappingMode) -> &'static str {
    match mode {
        MappingMode::None => "none",
        MappingMode::Name => "name",
        MappingMode::Id => "id",
    }
}

/// The arrow schema of a data file: physical names, and ids where there are any.
pub(crate) fn stored_schema(schema: &StructType) -> SchemaRef {
    Arc::new(Schema::new(stored_fields(schema)))
}

fn stored_fields(schema: &StructType) -> Fields {
    let stored = |field: &StructField| {
        let arrow = Field::new(field.physical_name(), stored_type(&field.data_type), field.nullable);
        match field.column_id() {
            Some(id) => arrow.with_metadata(HashMap::from([(PARQUET_FIELD_ID_META_KEY.to_owned(), id.to_string())])),
            None => arrow,
        }
    };
    schema.fields.iter().map(stored).collect()
}

// The names of list and map members come from the logical type, so that there is one place that chooses them.
fn stored_type(data_type: &DataType) -> Arrow {
    let inside = |field: &Arc<Field>, data_type: &DataType| {
        Arc::new(field.as_ref().clone().with_data_type(stored_type(data_type)))
    };
    match (data_type, data_type.to_arrow()) {
        (DataType::Struct(inner), _) => Arrow::Struct(stored_fields(inner)),
        (DataType::Array { element, .. }, Arrow::List(field)) => Arrow::List(inside(&field, element)),
        (DataType::Map { key, value, .. }, Arrow::Map(entries, ordered)) => match entries.data_type() {
            Arrow::Struct(fields) => {
                let members = fields.iter().zip([key, value]).map(|(field, data_type)| inside(field, data_type));
                let entries = entries.as_ref().clone().with_data_type(Arrow::Struct(members.collect()));
                Arrow::Map(Arc::new(entries), ordered)
            }
            _ => Arrow::Map(entries, ordered),
        },
        (_, arrow) => arrow,
    }
}

fn edited(schema: &StructType, edit: &mut dyn FnMut(&mut StructField)) -> StructType {
    let mut fields = Vec::with_capacity(schema.fields.len());
    for field in &schema.fields {
        let mut field = field.clone();
        edit(&mut field);
        field.data_type = edited_type(&field.data_type, edit);
        fields.push(field);
    }
    StructType { fields }
}

fn edited_type(data_type: &DataType, edit: &mut dyn FnMut(&mut StructField)) -> DataType {
    match data_type {
        DataType::Struct(inner) => DataType::Struct(edited(inner, edit)),
        DataType::Array { element, contains_null } => {
            DataType::Array { element: Box::new(edited_type(element, edit)), contains_null: *contains_null }
        }
        DataType::Map { key, value, value_contains_null } => DataType::Map {
            key: Box::new(edited_type(key, edit)),
            value: Box::new(edited_type(value, edit)),
            value_contains_null: *value_contains_null,
        },
        other => other.clone(),
    }
}

// Each field, with the physical names of what it is in, in lower case.
fn visit(schema: &StructType, parents: &mut Vec<String>, see: &mut dyn FnMut(&[String], &StructField)) {
    for field in &schema.fields {
        see(parents, field);
        parents.push(field.physical_name().to_lowercase());
        visit_type(&field.data_type, parents, see);
        parents.pop();
    }
}

fn visit_type(data_type: &DataType, parents: &mut Vec<String>, see: &mut dyn FnMut(&[String], &StructField)) {
    match data_type {
        DataType::Struct(inner) => visit(inner, parents, see),
        DataType::Array { element, .. } => visit_type(element, parents, see),
        DataType::Map { key, value, .. } => {
            for (member, data_type) in [("key", key), ("value", value)] {
                parents.push(member.to_owned());
                visit_type(data_type, parents, see);
                parents.pop();
            }
        }
        _ => {}
    }
}
