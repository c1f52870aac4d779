//! What a table's definition uses: properties, column forms and types to features.

use super::FEATURES;
use crate::actions::Metadata;
use crate::properties::is_on;
use crate::schema::{DataType, StructField, StructType};

/// The field metadata key of a generated column's expression.
pub const GENERATION_EXPRESSION: &str = "delta.generationExpression";
/// The field metadata key of a column default.
pub const CURRENT_DEFAULT: &str = "CURRENT_DEFAULT";

/// The features that the definition of a table switches on, in the order of [`FEATURES`].
pub fn switched_on(metadata: &Metadata, schema: &StructType) -> Vec<&'static str> {
    FEATURES.iter().map(|feature| feature.name).filter(|name| is_switched_on(name, metadata, schema)).collect()
}

fn is_switched_on(feature: &str, metadata: &Metadata, schema: &StructType) -> bool {
    let on = |property| is_on(metadata, property);
    let text = |property: &str| metadata.configuration.get(property).map(String::as_str);
    match feature {
        "appendOnly" => on("delta.appendOnly"),
        "invariants" => any_field(schema, &|field| !field.nullable || field.metadata.contains_key("delta.invariants")),
        "checkConstraints" => {
            metadata.configuration.keys().any(|key| key.to_ascii_lowercase().starts_with("delta.constraints."))
        }
        "changeDataFeed" => on("delta.enableChangeDataFeed"),
        "generatedColumns" => any_field(schema, &|field| field.metadata.contains_key(GENERATION_EXPRESSION)),
        "columnMapping" => {
            text("delta.columnMapping.mode").is_some_and(|mode| !mode.eq_ignore_ascii_case("none"))
                || on("delta.enableIcebergCompatV1")
                || on("delta.enableIcebergCompatV2")
        }
        "identityColumns" => any_field(schema, &|field| field.metadata.contains_key("delta.identity.start")),
        "deletionVectors" => on("delta.enableDeletionVectors"),
        "timestampNtz" => any_type(schema, &|data_type| matches!(data_type, DataType::TimestampNtz)),
        "v2Checkpoint" => text("delta.checkpointPolicy").is_some_and(|policy| policy.eq_ignore_ascii_case("v2")),
        "typeWidening" => on("delta.enableTypeWidening"),
        "rowTracking" => on("delta.enableRowTracking"),
        "inCommitTimestamp" => on("delta.enableInCommitTimestamps"),
        "icebergCompatV1" => on("delta.enableIcebergCompatV1"),
        "icebergCompatV2" => on("delta.enableIcebergCompatV2"),
        "variantShredding" => on("delta.enableVariantShredding"),
        // The rest is asked for by name.
        _ => false,
    }
}

/// Whether any column or nested field is so.
fn any_field(schema: &StructType, is_so: &dyn Fn(&StructField) -> bool) -> bool {
    schema.fields.iter().any(|field| is_so(field) || any_inside(&field.data_type, is_so))
}

fn any_inside(data_type: &DataType, is_so: &dyn Fn(&StructField) -> bool) -> bool {
    match data_type {
        DataType::Struct(inner) => any_field(inner, is_so),
        DataType::Array { element, .. } => any_inside(element, is_so),
        DataType::Map { key, value, .. } => any_inside(key, is_so) || any_inside(value, is_so),
        _ => false,
    }
}

fn any_type(schema: &StructType, is_so: &dyn Fn(&DataType) -> bool) -> bool {
    schema.fields.iter().any(|field| type_inside(&field.data_type, is_so))
}

fn type_inside(data_type: &DataType, is_so: &dyn Fn(&DataType) -> bool) -> bool {
    is_so(data_type)
        || match data_type {
            DataType::Struct(inner) => any_type(inner, is_so),
            DataType::Array { element, .. } => type_inside(element, is_so),
            DataType::Map { key, value, .. } => type_inside(key, is_so) || type_inside(value, is_so),
            _ => false,
        }
}
