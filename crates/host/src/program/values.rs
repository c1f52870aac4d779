//! Values on their way to the program, and types and constants on their way from it.

use arrow::array::{Array, AsArray};
use arrow::datatypes::{
    DataType as Arrow, Date32Type, Decimal128Type, DurationMicrosecondType, Float32Type, Float64Type, Int8Type,
    Int16Type, Int32Type, Int64Type, IntervalYearMonthType, TimeUnit, TimestampMicrosecondType,
};
use delta::text;
use engine::sandbox::Rows;
use frames::Script;
use serde_json::{Map, Number, Value};
use spec::{DataType, Diagnostic, ExprKind, Literal, StructField};

type Result<T> = std::result::Result<T, Diagnostic>;

/// The rows as lists of plain values: dates as days, timestamps as microseconds, decimals as text, binary as hex digits,
/// maps as lists of pairs, structs as lists.
///
/// # Errors
/// A type that no program has.
pub(super) fn rows(rows: &Rows) -> Result<Vec<Value>> {
    let mut all = Vec::new();
    for batch in &rows.batches {
        for row in 0..batch.num_rows() {
            let cells = batch.columns().iter().map(|column| cell(column, row));
            all.push(Value::Array(cells.collect::<Result<_>>()?));
        }
    }
    Ok(all)
}

fn cell(array: &dyn Array, row: usize) -> Result<Value> {
    if array.is_null(row) {
        return Ok(Value::Null);
    }
    Ok(match array.data_type() {
        Arrow::Null => Value::Null,
        Arrow::Boolean => Value::Bool(array.as_boolean().value(row)),
        Arrow::Int8 => array.as_primitive::<Int8Type>().value(row).into(),
        Arrow::Int16 => array.as_primitive::<Int16Type>().value(row).into(),
        Arrow::Int32 => array.as_primitive::<Int32Type>().value(row).into(),
        Arrow::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        Arrow::Float32 => float(f64::from(array.as_primitive::<Float32Type>().value(row))),
        Arrow::Float64 => float(array.as_primitive::<Float64Type>().value(row)),
        Arrow::Decimal128(_, scale) => {
            Value::String(text::decimal_plain(array.as_primitive::<Decimal128Type>().value(row), *scale))
        }
        Arrow::Utf8 => Value::String(array.as_string::<i32>().value(row).to_owned()),
        Arrow::Binary => {
            let hex = array.as_binary::<i32>().value(row).iter().map(|byte| format!("{byte:02x}"));
            Value::String(hex.collect())
        }
        Arrow::Date32 => array.as_primitive::<Date32Type>().value(row).into(),
        Arrow::Timestamp(TimeUnit::Microsecond, _) => {
            array.as_primitive::<TimestampMicrosecondType>().value(row).into()
        }
        Arrow::Duration(TimeUnit::Microsecond) => array.as_primitive::<DurationMicrosecondType>().value(row).into(),
        Arrow::Interval(_) => {
            array.as_primitive_opt::<IntervalYearMonthType>().map_or(Value::Null, |months| months.value(row).into())
        }
        Arrow::List(_) => items(&array.as_list::<i32>().value(row))?,
        Arrow::Struct(_) => {
            let columns = array.as_struct().columns();
            Value::Array(columns.iter().map(|column| cell(column, row)).collect::<Result<_>>()?)
        }
        Arrow::Map(..) => {
            let entries = array.as_map().value(row);
            let pair =
                |idx: usize| Ok(Value::Array(vec![cell(entries.column(0), idx)?, cell(entries.column(1), idx)?]));
            Value::Array((0..entries.len()).map(pair).collect::<Result<_>>()?)
        }
        other => return Err(Diagnostic::internal(format!("a program gets no values of type {other}"))),
    })
}

fn items(array: &dyn Array) -> Result<Value> {
    Ok(Value::Array((0..array.len()).map(|idx| cell(array, idx)).collect::<Result<_>>()?))
}

fn float(value: f64) -> Value {
    match Number::from_f64(value) {
        Some(number) => Value::Number(number),
        None if value.is_nan() => "nan".into(),
        None if value > 0.0 => "inf".into(),
        None => "-inf".into(),
    }
}

/// The type that a text declares, in the form of Delta's schemas: one type, or columns with theirs.
///
/// # Errors
/// The text is neither.
pub(super) fn type_of(text: &str) -> Result<Value> {
    let nowhere = |problem: Diagnostic| Diagnostic { span: None, edits: Vec::new(), ..problem };
    let declared = match sql::parse_data_type(text) {
        Ok(declared) => declared,
        Err(problem) => sql::parse_data_type(&format!("STRUCT<{text}>")).map_err(|_| nowhere(problem))?,
    };
    Ok(json_of(&declared))
}

fn json_of(declared: &DataType) -> Value {
    let nested = |pairs: Vec<(&str, Value)>| {
        Value::Object(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
    };
    let name = match declared {
        DataType::Void => "void",
        DataType::Boolean => "boolean",
        DataType::Byte => "byte",
        DataType::Short => "short",
        DataType::Int => "integer",
        DataType::Long => "long",
        DataType::Float => "float",
        DataType::Double => "double",
        DataType::String => "string",
        DataType::Binary => "binary",
        DataType::Date => "date",
        DataType::Timestamp => "timestamp",
        DataType::TimestampNtz => "timestamp_ntz",
        DataType::YearMonthInterval => "interval year to month",
        DataType::DayTimeInterval => "interval day to second",
        DataType::Decimal { precision, scale } => return format!("decimal({precision},{scale})").into(),
        DataType::Char { length } => return format!("char({length})").into(),
        DataType::Varchar { length } => return format!("varchar({length})").into(),
        DataType::Array(element) => {
            return nested(vec![
                ("type", "array".into()),
                ("elementType", json_of(element)),
                ("containsNull", true.into()),
            ]);
        }
        DataType::Map(key, value) => {
            return nested(vec![
                ("type", "map".into()),
                ("keyType", json_of(key)),
                ("valueType", json_of(value)),
                ("valueContainsNull", true.into()),
            ]);
        }
        DataType::Struct(fields) => {
            let field = |field: &StructField| {
                nested(vec![
                    ("name", field.name.value.clone().into()),
                    ("type", json_of(&field.data_type)),
                    ("nullable", field.nullable.into()),
                    ("metadata", nested(Vec::new())),
                ])
            };
            return nested(vec![("type", "struct".into()), ("fields", fields.iter().map(field).collect())]);
        }
    };
    name.into()
}

/// The text of `spark.sql` with its parameters in place: `:name` for those of a dict, `?` for those of a list.
///
/// # Errors
/// A marker without a value.
pub(super) fn with_parameters(asked: &Value, script: &mut Script) -> Result<String> {
    let sql = asked["text"].as_str().unwrap_or_default();
    let (named, placed) = (asked["named"].as_object(), asked["placed"].as_array());
    if named.is_none() && placed.is_none() {
        return Ok(sql.to_owned());
    }
    let line = script.line(asked["line"].as_u64().unwrap_or(0));
    let unbound = |name: &str| {
        let message = format!("Found the unbound parameter: {name}. Give it a value in `args`.");
        Diagnostic::new("UNBOUND_SQL_PARAMETER", "42P02", message, line)
    };
    let mut text = String::with_capacity(sql.len());
    let mut rest = sql;
    let mut positional = placed.into_iter().flatten();
    while let Some(letter) = rest.chars().next() {
        let n_quoted = quoted(rest);
        if n_quoted > 0 {
            text.push_str(rest.get(..n_quoted).unwrap_or_default());
            rest = rest.get(n_quoted..).unwrap_or_default();
            continue;
        }
        let after = rest.get(letter.len_utf8()..).unwrap_or_default();
        let n_name = after.find(|other: char| !(other.is_alphanumeric() || other == '_')).unwrap_or(after.len());
        let name = after.get(..n_name).unwrap_or_default();
        match (letter, named) {
            (':', Some(named)) if !name.is_empty() && !text.ends_with(':') => {
                let value = named.get(name).ok_or_else(|| unbound(name))?;
                text.push_str(&constant(script, value)?);
                rest = after.get(n_name..).unwrap_or_default();
            }
            ('?', None) => {
                let value = positional.next().ok_or_else(|| unbound("?"))?;
                text.push_str(&constant(script, value)?);
                rest = after;
            }
            _ => {
                text.push(letter);
                rest = after;
            }
        }
    }
    Ok(text)
}

/// The bytes of a quoted text, a quoted name or a comment that `text` begins with.
fn quoted(text: &str) -> usize {
    let until = |end: &str, from: usize| {
        text.get(from..).and_then(|rest| rest.find(end)).map_or(text.len(), |at| from + at + end.len())
    };
    match text.as_bytes() {
        [quote @ (b'\'' | b'"'), ..] => {
            let mut escaped = false;
            for (at, byte) in text.bytes().enumerate().skip(1) {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' => escaped = true,
                    byte if byte == *quote => return at + 1,
                    _ => {}
                }
            }
            text.len()
        }
        [b'`', ..] => until("`", 1),
        [b'-', b'-', ..] => until("\n", 2),
        [b'/', b'*', ..] => until("*/", 2),
        _ => 0,
    }
}

/// A constant as SQL writes it.
fn constant(script: &mut Script, node: &Value) -> Result<String> {
    let expr = frames::expr(script, node)?;
    let ExprKind::Literal(literal) = &expr.kind else {
        return Ok(query::text_of(&expr));
    };
    Ok(match literal {
        Literal::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        Literal::Long(number) => format!("{number}L"),
        Literal::Double(number) => format!("{}D", text::double(*number)),
        _ => query::text_of(&expr),
    })
}
