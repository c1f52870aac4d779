//! `schemaString`: Spark's JSON for types. The text must be byte-equal to Spark's, since a changed text is a
//! changed schema to other writers.

use super::{DataType, StructField, StructType};
use crate::error::Error;
use serde_json::{Map, Value, json};

impl StructType {
    /// The text for `metaData.schemaString`.
    pub fn to_json(&self) -> String {
        self.to_value().to_string()
    }

    /// Reads `schemaString`. Fails on text that is not a struct, or on a type that is not known.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let value: Value = serde_json::from_str(text).map_err(|error| invalid(&error.to_string()))?;
        match DataType::from_value(&value)? {
            DataType::Struct(schema) => Ok(schema),
            other => Err(invalid(&format!("{} instead of a struct", other.spark_name()))),
        }
    }

    fn to_value(&self) -> Value {
        json!({ "type": "struct", "fields": self.fields.iter().map(StructField::to_value).collect::<Vec<_>>() })
    }
}

impl StructField {
    /// The field as Spark's JSON, as it also stands in operation parameters.
    pub fn to_value(&self) -> Value {
        json!({
            "name": self.name,
            "type": self.data_type.to_value(),
            "nullable": self.nullable,
            "metadata": self.metadata,
        })
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        let object = value.as_object().ok_or_else(|| invalid("a field that is not an object"))?;
        Ok(Self {
            name: text(object, "name")?.to_owned(),
            data_type: DataType::from_value(member(object, "type")?)?,
            nullable: object.get("nullable").and_then(Value::as_bool).unwrap_or(true),
            metadata: object.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default(),
        })
    }
}

impl DataType {
    /// The type as Spark's JSON: a name, or an object for nested types.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Byte => json!("byte"),
            Self::Short => json!("short"),
            Self::Int => json!("integer"),
            Self::Long => json!("long"),
            Self::Array { element, contains_null } => {
                json!({ "type": "array", "elementType": element.to_value(), "containsNull": contains_null })
            }
            Self::Map { key, value, value_contains_null } => json!({
                "type": "map",
                "keyType": key.to_value(),
                "valueType": value.to_value(),
                "valueContainsNull": value_contains_null,
            }),
            Self::Struct(inner) => inner.to_value(),
            simple => json!(simple.spark_name()),
        }
    }

    /// Reads a type from Spark's JSON.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        match value {
            Value::String(name) => simple(name),
            Value::Object(object) => nested(object),
            other => Err(invalid(&format!("{other} is not a type"))),
        }
    }
}

fn nested(object: &Map<String, Value>) -> Result<DataType, Error> {
    let flag = |name| object.get(name).and_then(Value::as_bool).unwrap_or(true);
    Ok(match text(object, "type")? {
        "struct" => {
            let fields = member(object, "fields")?.as_array().ok_or_else(|| invalid("fields is not a list"))?;
            DataType::Struct(StructType {
                fields: fields.iter().map(StructField::from_value).collect::<Result<_, _>>()?,
            })
        }
        "array" => DataType::Array {
            element: Box::new(DataType::from_value(member(object, "elementType")?)?),
            contains_null: flag("containsNull"),
        },
        "map" => DataType::Map {
            key: Box::new(DataType::from_value(member(object, "keyType")?)?),
            value: Box::new(DataType::from_value(member(object, "valueType")?)?),
            value_contains_null: flag("valueContainsNull"),
        },
        other => return Err(invalid(&format!("unknown type {other}"))),
    })
}

fn simple(name: &str) -> Result<DataType, Error> {
    Ok(match name {
        "boolean" => DataType::Boolean,
        "byte" | "tinyint" => DataType::Byte,
        "short" | "smallint" => DataType::Short,
        "integer" | "int" => DataType::Int,
        "long" | "bigint" => DataType::Long,
        "float" => DataType::Float,
        "double" => DataType::Double,
        "string" => DataType::String,
        "binary" => DataType::Binary,
        "date" => DataType::Date,
        "timestamp" => DataType::Timestamp,
        "timestamp_ntz" => DataType::TimestampNtz,
        "void" | "null" => DataType::Void,
        "decimal" => DataType::Decimal { precision: 10, scale: 0 },
        other => return decimal(other).ok_or_else(|| invalid(&format!("unknown type {other}"))),
    })
}

fn decimal(name: &str) -> Option<DataType> {
    let (precision, scale) = name.strip_prefix("decimal(")?.strip_suffix(')')?.split_once(',')?;
    let (precision, scale): (u8, i8) = (precision.trim().parse().ok()?, scale.trim().parse().ok()?);
    let is_valid = (1..=38).contains(&precision) && scale >= 0 && scale as u8 <= precision;
    is_valid.then_some(DataType::Decimal { precision, scale })
}

fn member<'a>(object: &'a Map<String, Value>, name: &str) -> Result<&'a Value, Error> {
    object.get(name).ok_or_else(|| invalid(&format!("{name} is missing")))
}

fn text<'a>(object: &'a Map<String, Value>, name: &str) -> Result<&'a str, Error> {
    member(object, name)?.as_str().ok_or_else(|| invalid(&format!("{name} is not text")))
}

fn invalid(reason: &str) -> Error {
    Error::InvalidSchema { reason: reason.to_owned() }
}
