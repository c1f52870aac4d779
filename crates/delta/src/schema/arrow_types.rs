//! Delta types as arrow types. Names inside lists and maps are Parquet's standard ones, so that files come
//! out in the three-level layout that every reader knows.

use super::{DataType, StructField, StructType};
use arrow::datatypes::{DataType as Arrow, Field, Fields, Schema, SchemaRef, TimeUnit};
use std::sync::Arc;

impl StructType {
    /// The arrow schema of rows of this struct.
    pub fn to_arrow(&self) -> SchemaRef {
        Arc::new(Schema::new(self.to_arrow_fields()))
    }

    fn to_arrow_fields(&self) -> Fields {
        self.fields.iter().map(|field| Field::new(&field.name, field.data_type.to_arrow(), field.nullable)).collect()
    }

    /// The Delta schema for rows of an arrow schema; `None` where a column has no Delta type.
    pub fn from_arrow(fields: &Fields) -> Option<Self> {
        let convert = |field: &Arc<Field>| {
            let data_type = DataType::from_arrow(field.data_type())?;
            Some(StructField { nullable: field.is_nullable(), ..StructField::new(field.name().as_str(), data_type) })
        };
        Some(Self { fields: fields.iter().map(convert).collect::<Option<_>>()? })
    }
}

impl DataType {
    /// The arrow type that holds values of this type.
    pub fn to_arrow(&self) -> Arrow {
        match self {
            Self::Boolean => Arrow::Boolean,
            Self::Byte => Arrow::Int8,
            Self::Short => Arrow::Int16,
            Self::Int => Arrow::Int32,
            Self::Long => Arrow::Int64,
            Self::Float => Arrow::Float32,
            Self::Double => Arrow::Float64,
            Self::Decimal { precision, scale } => Arrow::Decimal128(*precision, *scale),
            Self::String => Arrow::Utf8,
            Self::Binary => Arrow::Binary,
            Self::Date => Arrow::Date32,
            Self::Timestamp => Arrow::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            Self::TimestampNtz => Arrow::Timestamp(TimeUnit::Microsecond, None),
            Self::Void => Arrow::Null,
            Self::Array { element, contains_null } => {
                Arrow::List(Arc::new(Field::new("element", element.to_arrow(), *contains_null)))
            }
            Self::Map { key, value, value_contains_null } => {
                let entries = Fields::from(vec![
                    Field::new("key", key.to_arrow(), false),
                    Field::new("value", value.to_arrow(), *value_contains_null),
                ]);
                Arrow::Map(Arc::new(Field::new("key_value", Arrow::Struct(entries), false)), false)
            }
            Self::Struct(inner) => Arrow::Struct(inner.to_arrow_fields()),
        }
    }

    /// The Delta type of an arrow type, wider where Delta has no exact one; `None` where it has none at all.
    pub fn from_arrow(arrow: &Arrow) -> Option<Self> {
        Some(match arrow {
            Arrow::Null => Self::Void,
            Arrow::Boolean => Self::Boolean,
            Arrow::Int8 => Self::Byte,
            Arrow::Int16 | Arrow::UInt8 => Self::Short,
            Arrow::Int32 | Arrow::UInt16 => Self::Int,
            Arrow::Int64 | Arrow::UInt32 => Self::Long,
            Arrow::UInt64 => Self::Decimal { precision: 20, scale: 0 },
            Arrow::Float16 | Arrow::Float32 => Self::Float,
            Arrow::Float64 => Self::Double,
            Arrow::Decimal32(precision, scale)
            | Arrow::Decimal64(precision, scale)
            | Arrow::Decimal128(precision, scale)
                if *scale >= 0 =>
            {
                Self::Decimal { precision: *precision, scale: *scale }
            }
            Arrow::Utf8 | Arrow::LargeUtf8 | Arrow::Utf8View => Self::String,
            Arrow::Binary | Arrow::LargeBinary | Arrow::BinaryView | Arrow::FixedSizeBinary(_) => Self::Binary,
            Arrow::Date32 | Arrow::Date64 => Self::Date,
            Arrow::Timestamp(_, Some(_)) => Self::Timestamp,
            Arrow::Timestamp(_, None) => Self::TimestampNtz,
            Arrow::List(field)
            | Arrow::LargeList(field)
            | Arrow::FixedSizeList(field, _)
            | Arrow::ListView(field)
            | Arrow::LargeListView(field) => Self::Array {
                element: Box::new(Self::from_arrow(field.data_type())?),
                contains_null: field.is_nullable(),
            },
            Arrow::Map(entries, _) => {
                let Arrow::Struct(fields) = entries.data_type() else { return None };
                let (key, value) = (fields.first()?, fields.get(1)?);
                Self::Map {
                    key: Box::new(Self::from_arrow(key.data_type())?),
                    value: Box::new(Self::from_arrow(value.data_type())?),
                    value_contains_null: value.is_nullable(),
                }
            }
            Arrow::Struct(fields) => Self::Struct(StructType::from_arrow(fields)?),
            Arrow::Dictionary(_, value) => Self::from_arrow(value)?,
            _ => return None,
        })
    }
}
