//! `to_json`.

use super::call::{Bound, Call};
use super::text::build;
use crate::cast::{is_null, wall_clock, write_value};
use crate::error::Complaint;
use arrow::array::{Array, AsArray};
use arrow::datatypes as types;
use arrow::datatypes::{DataType as ArrowType, TimeUnit};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use datafusion::common::Result as DfResult;
use delta::schema::DataType;
use std::fmt::Write;

pub(super) const NAMES: &[&str] = &["to_json"];

pub(super) fn bind(call: Call) -> Bound {
    let call = call.arity(1, 2)?;
    if call.args.len() == 2 {
        return Err(Complaint::unsupported("`to_json` with options"));
    }
    if !matches!(call.type_of(0).column(), Some(DataType::Struct(_) | DataType::Map { .. } | DataType::Array { .. })) {
        return call.wrong(0, "STRUCT, MAP or ARRAY");
    }
    call.gives(DataType::String, |args| {
        let array = args.array(0)?;
        build(args, |row, out| {
            let present = array.is_valid(row);
            if present {
                write_json(&array, row, out)?;
            }
            Ok(present)
        })
    })
}

/// Fields that are NULL are left out of objects; NULL elements stay.
fn write_json(array: &dyn Array, row: usize, out: &mut String) -> DfResult<()> {
    if is_null(array, row) {
        out.push_str("null");
        return Ok(());
    }
    match array.data_type() {
        ArrowType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let present = fields.iter().zip(columns).filter(|(_, column)| !is_null(column, row));
            out.push('{');
            for (idx, (field, column)) in present.enumerate() {
                if idx > 0 {
                    out.push(',');
                }
                write_text(field.name(), out);
                out.push(':');
                write_json(column, row, out)?;
            }
            out.push('}');
        }
        ArrowType::Map(_, _) => {
            let entries = array.as_map().value(row);
            out.push('{');
            for entry in 0..entries.len() {
                if entry > 0 {
                    out.push(',');
                }
                let mut key = String::new();
                write_value(entries.column(0), entry, &mut key)?;
                write_text(&key, out);
                out.push(':');
                write_json(entries.column(1), entry, out)?;
            }
            out.push('}');
        }
        ArrowType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            out.push('[');
            for item in 0..items.len() {
                if item > 0 {
                    out.push(',');
                }
                write_json(&items, item, out)?;
            }
            out.push(']');
        }
        ArrowType::Binary => write_text(&STANDARD.encode(array.as_binary::<i32>().value(row)), out),
        ArrowType::Timestamp(TimeUnit::Microsecond, zone) => {
            let micros = array.as_primitive::<types::TimestampMicrosecondType>().value(row);
            let suffix = if zone.is_some() { "Z" } else { "" };
            let wall = wall_clock(micros).map(|wall| wall.format("%Y-%m-%dT%H:%M:%S%.3f").to_string());
            write_text(&format!("{}{suffix}", wall.unwrap_or_default()), out);
        }
        ArrowType::Utf8 | ArrowType::Date32 | ArrowType::Duration(_) | ArrowType::Interval(_) => {
            let mut text = String::new();
            write_value(array, row, &mut text)?;
            write_text(&text, out);
        }
        _ => {
            let mut text = String::new();
            write_value(array, row, &mut text)?;
            // NaN and the infinities are no JSON numbers.
            if text.ends_with(['N', 'y']) { write_text(&text, out) } else { out.push_str(&text) }
        }
    }
    Ok(())
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
