//! Data types as a cast writes them.

use crate::{ident, literal};
use spec::{DataType, StructField};

pub(crate) fn data_type(data_type: &DataType) -> String {
    match data_type {
        DataType::Void => "VOID".to_owned(),
        DataType::Boolean => "BOOLEAN".to_owned(),
        DataType::Byte => "TINYINT".to_owned(),
        DataType::Short => "SMALLINT".to_owned(),
        DataType::Int => "INT".to_owned(),
        DataType::Long => "BIGINT".to_owned(),
        DataType::Float => "FLOAT".to_owned(),
        DataType::Double => "DOUBLE".to_owned(),
        DataType::Decimal { precision, scale } => format!("DECIMAL({precision}, {scale})"),
        DataType::String => "STRING".to_owned(),
        DataType::Char { length } => format!("CHAR({length})"),
        DataType::Varchar { length } => format!("VARCHAR({length})"),
        DataType::Binary => "BINARY".to_owned(),
        DataType::Date => "DATE".to_owned(),
        DataType::Timestamp => "TIMESTAMP".to_owned(),
        DataType::TimestampNtz => "TIMESTAMP_NTZ".to_owned(),
        DataType::YearMonthInterval => "INTERVAL YEAR TO MONTH".to_owned(),
        DataType::DayTimeInterval => "INTERVAL DAY TO SECOND".to_owned(),
        DataType::Array(item) => format!("ARRAY<{}>", self::data_type(item)),
        DataType::Map(key, value) => format!("MAP<{}, {}>", self::data_type(key), self::data_type(value)),
        DataType::Struct(fields) => {
            let fields: Vec<String> = fields.iter().map(field).collect();
            format!("STRUCT<{}>", fields.join(", "))
        }
    }
}

fn field(field: &StructField) -> String {
    let mut text = format!("{}: {}", ident::ident(&field.name), data_type(&field.data_type));
    if !field.nullable {
        text.push_str(" NOT NULL");
    }
    if let Some(comment) = &field.comment {
        text.push_str(&format!(" COMMENT {}", literal::string(comment)));
    }
    text
}
