//! The hash of a whole row, as Spark takes it of a row's bytes (`UnsafeRow.hashCode`): by it a task sorts its rows before it
//! deals them out in turn, so that a second attempt would deal alike.

use crate::functions::murmur_of_words;
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{self as types, DataType, TimeUnit};

/// One hash for each row; `None` where a column is of a type whose bytes are not known here.
pub(super) fn row_hashes(columns: &[ArrayRef], n_rows: usize) -> Option<Vec<i32>> {
    let mut hashes = Vec::with_capacity(n_rows);
    let mut bytes = Vec::new();
    for row in 0..n_rows {
        write(columns, row, &mut bytes)?;
        hashes.push(murmur_of_words(&bytes));
    }
    Some(hashes)
}

/// A bit for each NULL, eight bytes for each column, then what does not fit into eight bytes.
fn write(columns: &[ArrayRef], row: usize, bytes: &mut Vec<u8>) -> Option<()> {
    let nulls = columns.len().div_ceil(64) * 8;
    bytes.clear();
    bytes.resize(nulls + columns.len() * 8, 0);
    for (idx, column) in columns.iter().enumerate() {
        if column.is_null(row) {
            *bytes.get_mut(idx / 8)? |= 1 << (idx % 8);
        }
        let word = match wide(column, row) {
            Some(value) => {
                let start = bytes.len();
                // A wide decimal keeps its place also where it is NULL.
                let (length, room) = match column.data_type() {
                    DataType::Decimal128(..) => (value.len(), 16),
                    _ => (value.len(), value.len().next_multiple_of(8)),
                };
                bytes.extend_from_slice(&value);
                bytes.resize(start + room, 0);
                (start as u64) << 32 | length as u64
            }
            None if column.is_null(row) => 0,
            None => word(column, row)?,
        };
        bytes.get_mut(nulls + idx * 8..nulls + (idx + 1) * 8)?.copy_from_slice(&word.to_le_bytes());
    }
    Some(())
}

/// The bytes of a value that does not fit into a word.
fn wide(column: &ArrayRef, row: usize) -> Option<Vec<u8>> {
    let is_null = column.is_null(row);
    match column.data_type() {
        DataType::Decimal128(precision, _) if *precision > 18 => Some(match is_null {
            true => Vec::new(),
            false => minimal(column.as_primitive::<types::Decimal128Type>().value(row)),
        }),
        DataType::Utf8 if !is_null => Some(column.as_string::<i32>().value(row).as_bytes().to_vec()),
        DataType::Binary if !is_null => Some(column.as_binary::<i32>().value(row).to_vec()),
        _ => None,
    }
}

fn minimal(value: i128) -> Vec<u8> {
    crate::functions::minimal(&value.to_be_bytes()).to_vec()
}

fn word(column: &ArrayRef, row: usize) -> Option<u64> {
    Some(match column.data_type() {
        DataType::Boolean => u64::from(column.as_boolean().value(row)),
        DataType::Int8 => u64::from(column.as_primitive::<types::Int8Type>().value(row).cast_unsigned()),
        DataType::Int16 => u64::from(column.as_primitive::<types::Int16Type>().value(row).cast_unsigned()),
        DataType::Int32 => u64::from(column.as_primitive::<types::Int32Type>().value(row).cast_unsigned()),
        DataType::Date32 => u64::from(column.as_primitive::<types::Date32Type>().value(row).cast_unsigned()),
        DataType::Int64 => column.as_primitive::<types::Int64Type>().value(row).cast_unsigned(),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            column.as_primitive::<types::TimestampMicrosecondType>().value(row).cast_unsigned()
        }
        DataType::Float32 => u64::from(column.as_primitive::<types::Float32Type>().value(row).to_bits()),
        DataType::Float64 => column.as_primitive::<types::Float64Type>().value(row).to_bits(),
        DataType::Decimal128(..) => {
            i64::try_from(column.as_primitive::<types::Decimal128Type>().value(row)).ok()?.cast_unsigned()
        }
        _ => return None,
    })
}
