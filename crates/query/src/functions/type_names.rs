//! Types called as functions: `double('1')` is `CAST('1' AS DOUBLE)`.

use super::call::{Bound, Call};
use crate::cast::{self, Mode};
use delta::schema::DataType;

pub(super) const NAMES: &[&str] = &[
    "boolean",
    "tinyint",
    "smallint",
    "int",
    "bigint",
    "float",
    "double",
    "decimal",
    "string",
    "binary",
    "date",
    "timestamp",
];

pub(super) fn bind(call: Call) -> Bound {
    let to = match call.name {
        "boolean" => DataType::Boolean,
        "tinyint" => DataType::Byte,
        "smallint" => DataType::Short,
        "int" => DataType::Int,
        "bigint" => DataType::Long,
        "float" => DataType::Float,
        "double" => DataType::Double,
        "decimal" => DataType::Decimal { precision: 10, scale: 0 },
        "binary" => DataType::Binary,
        "date" => DataType::Date,
        "timestamp" => DataType::Timestamp,
        _ => DataType::String,
    };
    let session = call.session;
    let [value] = call.arity(1, 1)?.take()?;
    cast::cast(session, value, &to.into(), Mode::Ansi)
}
