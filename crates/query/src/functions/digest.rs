//! Digests and the encodings of binary values.

use super::call::{Bound, Call};
use super::text::build;
use super::udf::Args;
use crate::error::Complaint;
use crate::typed::SqlType;
use arrow::array::{Array, ArrayRef, AsArray, BinaryBuilder, Int64Array};
use arrow::compute;
use arrow::datatypes as types;
use arrow::datatypes::DataType as ArrowType;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use datafusion::common::Result as DfResult;
use delta::schema::DataType;
use sha2::Digest;
use std::fmt::Write;
use std::sync::Arc;

pub(super) const NAMES: &[&str] =
    &["md5", "sha", "sha1", "sha2", "crc32", "base64", "unbase64", "hex", "unhex", "bin", "encode", "decode"];

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "md5" => digest(call, |bytes, out| write_hex(&md5::Md5::digest(bytes), out, false)),
        "sha" | "sha1" => digest(call, |bytes, out| write_hex(&sha1::Sha1::digest(bytes), out, false)),
        "base64" => digest(call, |bytes, out| STANDARD.encode_string(bytes, out)),
        "sha2" => sha2(call),
        "crc32" => bytes(call.arity(1, 1)?, 0)?.gives(DataType::Long, |args| {
            let values = args.binary(0)?;
            let sums = (0..args.rows()).map(|row| values.get(row).map(|bytes| i64::from(crc32fast::hash(bytes))));
            Ok(Arc::new(sums.collect::<Int64Array>()))
        }),
        "unbase64" => call.arity(1, 1)?.text(0)?.gives(DataType::Binary, |args| {
            let texts = args.str(0)?;
            let mut builder = BinaryBuilder::new();
            for row in 0..args.rows() {
                let bare = texts.get(row).map(|text| text.split_whitespace().collect::<String>());
                let decoded = bare.map(|text| STANDARD.decode(&text).map_err(|_| not_base64(&text)));
                builder.append_option(decoded.transpose()?);
            }
            Ok(Arc::new(builder.finish()) as ArrayRef)
        }),
        "hex" => hex(call),
        "unhex" => unhex(call),
        "encode" => coded(call, DataType::String, DataType::Binary),
        "decode" => coded(call, DataType::Binary, DataType::String),
        _ => call.arity(1, 1)?.implicit(0, DataType::Long)?.gives(DataType::String, |args| {
            let values = args.primitive::<types::Int64Type>(0)?;
            build(args, |row, out| Ok(values.get(row).map(|value| out.push_str(&format!("{value:b}"))).is_some()))
        }),
    }
}

/// The argument as bytes: text as UTF-8.
fn bytes(call: Call<'_>, idx: usize) -> Result<Call<'_>, Complaint> {
    let call = call.text_or_binary(idx)?;
    call.implicit(idx, DataType::Binary)
}

fn digest(call: Call, f: fn(&[u8], &mut String)) -> Bound {
    bytes(call.arity(1, 1)?, 0)?.gives(DataType::String, move |args| {
        let values = args.binary(0)?;
        build(args, |row, out| Ok(values.get(row).map(|bytes| f(bytes, out)).is_some()))
    })
}

fn write_hex(bytes: &[u8], out: &mut String, upper: bool) {
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = if upper { write!(out, "{byte:02X}") } else { write!(out, "{byte:02x}") };
    }
}

/// NULL for lengths other than 0, 224, 256, 384 and 512.
fn sha2(call: Call) -> Bound {
    bytes(call.arity(2, 2)?, 0)?.int(1)?.gives_nullable(DataType::String, true, |args| {
        let values = args.binary(0)?;
        let lengths = args.primitive::<types::Int32Type>(1)?;
        build(args, |row, out| {
            let (Some(bytes), Some(length)) = (values.get(row), lengths.get(row)) else { return Ok(false) };
            match length {
                0 | 256 => write_hex(&sha2::Sha256::digest(bytes), out, false),
                224 => write_hex(&sha2::Sha224::digest(bytes), out, false),
                384 => write_hex(&sha2::Sha384::digest(bytes), out, false),
                512 => write_hex(&sha2::Sha512::digest(bytes), out, false),
                _ => return Ok(false),
            }
            Ok(true)
        })
    })
}

fn not_base64(text: &str) -> Complaint {
    let message = format!("'{text}' is no base64 text.");
    Complaint::new("CONVERSION_INVALID_INPUT", "22018", message)
}

/// Numbers by value, text and binary values byte by byte, in upper case.
fn hex(call: Call) -> Bound {
    let call = call.arity(1, 1)?;
    let from = call.type_of(0);
    let call = match from.is_numeric() {
        true => call.implicit(0, DataType::Long)?,
        false => bytes(call, 0)?,
    };
    call.gives(DataType::String, |args| match args.primitive::<types::Int64Type>(0) {
        Ok(values) => {
            build(args, |row, out| Ok(values.get(row).map(|value| out.push_str(&format!("{value:X}"))).is_some()))
        }
        Err(_) => {
            let values = args.binary(0)?;
            build(args, |row, out| Ok(values.get(row).map(|bytes| write_hex(bytes, out, true)).is_some()))
        }
    })
}

fn unhex(call: Call) -> Bound {
    call.arity(1, 1)?.text(0)?.gives_nullable(DataType::Binary, true, |args| {
        let texts = args.str(0)?;
        let mut builder = BinaryBuilder::new();
        for row in 0..args.rows() {
            builder.append_option(texts.get(row).and_then(from_hex));
        }
        Ok(Arc::new(builder.finish()) as ArrayRef)
    })
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let padded = if text.len().is_multiple_of(2) { text.to_owned() } else { format!("0{text}") };
    let pairs = padded.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

/// Only UTF-8, which is what text already is.
fn coded(call: Call, from: DataType, to: DataType) -> Bound {
    let call = call.arity(2, 2)?;
    let charset = call.constant_text(1).map(|name| name.to_ascii_uppercase());
    if !matches!(charset.as_deref(), Some("UTF-8" | "US-ASCII")) {
        return Err(Complaint::unsupported("A character set other than UTF-8"));
    }
    let mut call = call.implicit(0, from)?;
    call.args.truncate(1);
    let arrow = SqlType::from(to.clone()).arrow();
    call.gives(to, move |args: &Args| -> DfResult<ArrayRef> {
        let array = args.array(0)?;
        if arrow == ArrowType::Utf8 {
            return build(args, |row, out| {
                let values = array.as_binary::<i32>();
                let present = values.is_valid(row);
                if present {
                    out.push_str(&String::from_utf8_lossy(values.value(row)));
                }
                Ok(present)
            });
        }
        Ok(compute::cast(&array, &arrow)?)
    })
}
