//! `hash`: Spark's murmur3 with seed 42, also its partitioning function, and `xxhash64`.
//!
//! Columns are folded left to right: the hash of one is the seed of the next, and NULL leaves the seed alone.

use super::call::{Bound, Call};
use crate::error::Complaint;
use arrow::array::{Array, ArrayRef, AsArray, Int32Array, Int64Array};
use arrow::datatypes as types;
use arrow::datatypes::{DataType as ArrowType, TimeUnit};
use datafusion::common::Result as DfResult;
use delta::schema::DataType;
use std::sync::Arc;

pub(super) const NAMES: &[&str] = &["hash", "xxhash64"];

const SEED: i64 = 42;

pub(super) fn bind(call: Call) -> Bound {
    let call = call.arity(1, usize::MAX)?;
    let has_map = (0..call.args.len()).any(|idx| call.type_of(idx).column().is_some_and(holds_map));
    if has_map {
        let message =
            format!("`{}` does not take maps: equal maps may list their entries in another order.", call.name);
        return Err(Complaint::new("DATATYPE_MISMATCH.HASH_MAP_TYPE", "42K09", message));
    }
    if call.name == "hash" {
        return call.gives_nullable(DataType::Int, false, |args| {
            let seeds = fold(args, murmur_value)?;
            Ok(Arc::new(seeds.into_iter().map(|seed| seed as i32).collect::<Int32Array>()))
        });
    }
    call.gives_nullable(DataType::Long, false, |args| {
        let seeds = fold(args, xx_value)?;
        Ok(Arc::new(seeds.into_iter().collect::<Int64Array>()))
    })
}

fn holds_map(data_type: &DataType) -> bool {
    match data_type {
        DataType::Map { .. } => true,
        DataType::Array { element, .. } => holds_map(element),
        DataType::Struct(fields) => fields.fields.iter().any(|field| holds_map(&field.data_type)),
        _ => false,
    }
}

type HashPiece = fn(Piece, i64) -> i64;

/// What hashes are made of.
enum Piece<'a> {
    Int(i32),
    Long(i64),
    Bytes(&'a [u8]),
}

fn fold(args: &super::udf::Args, piece: HashPiece) -> DfResult<Vec<i64>> {
    let mut seeds = vec![SEED; args.rows()];
    for idx in 0..args.len() {
        let array = args.array(idx)?;
        for (row, seed) in seeds.iter_mut().enumerate() {
            *seed = value(&array, row, *seed, piece)?;
        }
    }
    Ok(seeds)
}

fn value(array: &ArrayRef, row: usize, seed: i64, hash: HashPiece) -> DfResult<i64> {
    if array.is_null(row) {
        return Ok(seed);
    }
    let piece = match array.data_type() {
        ArrowType::Boolean => Piece::Int(i32::from(array.as_boolean().value(row))),
        ArrowType::Int8 => Piece::Int(i32::from(array.as_primitive::<types::Int8Type>().value(row))),
        ArrowType::Int16 => Piece::Int(i32::from(array.as_primitive::<types::Int16Type>().value(row))),
        ArrowType::Int32 => Piece::Int(array.as_primitive::<types::Int32Type>().value(row)),
        ArrowType::Date32 => Piece::Int(array.as_primitive::<types::Date32Type>().value(row)),
        ArrowType::Int64 => Piece::Long(array.as_primitive::<types::Int64Type>().value(row)),
        ArrowType::Timestamp(TimeUnit::Microsecond, _) => {
            Piece::Long(array.as_primitive::<types::TimestampMicrosecondType>().value(row))
        }
        ArrowType::Float32 => Piece::Int(float_bits(array.as_primitive::<types::Float32Type>().value(row))),
        ArrowType::Float64 => Piece::Long(double_bits(array.as_primitive::<types::Float64Type>().value(row))),
        ArrowType::Utf8 => Piece::Bytes(array.as_string::<i32>().value(row).as_bytes()),
        ArrowType::Binary => Piece::Bytes(array.as_binary::<i32>().value(row)),
        ArrowType::Decimal128(precision, _) => {
            let unscaled = array.as_primitive::<types::Decimal128Type>().value(row);
            match i64::try_from(unscaled) {
                Ok(small) if *precision <= 18 => Piece::Long(small),
                _ => return Ok(hash(Piece::Bytes(minimal(&unscaled.to_be_bytes())), seed)),
            }
        }
        ArrowType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            return (0..items.len()).try_fold(seed, |seed, item| value(&items, item, seed, hash));
        }
        ArrowType::Struct(_) => {
            let columns = array.as_struct().columns();
            return columns.iter().try_fold(seed, |seed, column| value(column, row, seed, hash));
        }
        ArrowType::Null => return Ok(seed),
        other => return Err(Complaint::unsupported(format!("A hash of {other}")).into()),
    };
    Ok(hash(piece, seed))
}

fn float_bits(value: f32) -> i32 {
    let value = if value.is_nan() { f32::NAN } else { value };
    if value == 0.0 { 0 } else { value.to_bits().cast_signed() }
}

fn double_bits(value: f64) -> i64 {
    let value = if value.is_nan() { f64::NAN } else { value };
    if value == 0.0 { 0 } else { value.to_bits().cast_signed() }
}

/// The hash of bytes that are whole words.
pub(crate) fn murmur_of_words(bytes: &[u8]) -> i32 {
    murmur_bytes(bytes, SEED as u32).cast_signed()
}

/// The shortest two's complement form, as Java's `BigInteger.toByteArray` gives it.
pub(crate) fn minimal(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    while let [first, second, ..] = rest {
        let redundant = (*first == 0 && *second < 0x80) || (*first == 0xff && *second >= 0x80);
        if !redundant {
            break;
        }
        rest = rest.get(1..).unwrap_or(rest);
    }
    rest
}

fn murmur_value(piece: Piece, seed: i64) -> i64 {
    let seed = seed as u32;
    let hash = match piece {
        Piece::Int(value) => finish(mix(seed, value.cast_unsigned()), 4),
        Piece::Long(value) => {
            let value = value.cast_unsigned();
            finish(mix(mix(seed, value as u32), (value >> 32) as u32), 8)
        }
        Piece::Bytes(bytes) => murmur_bytes(bytes, seed),
    };
    i64::from(hash.cast_signed())
}

/// The tail is mixed byte by byte as signed integers, unlike the textbook's.
fn murmur_bytes(bytes: &[u8], seed: u32) -> u32 {
    let (words, tail) = bytes.as_chunks::<4>();
    let mut hash = words.iter().fold(seed, |hash, word| mix(hash, u32::from_le_bytes(*word)));
    hash = tail.iter().fold(hash, |hash, byte| mix(hash, i32::from(byte.cast_signed()).cast_unsigned()));
    finish(hash, u32::try_from(bytes.len()).unwrap_or(u32::MAX))
}

fn mix(hash: u32, word: u32) -> u32 {
    let word = word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    (hash ^ word).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
}

fn finish(hash: u32, length: u32) -> u32 {
    let mut hash = hash ^ length;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}

const PRIME_1: u64 = 0x9e37_79b1_85eb_ca87;
const PRIME_2: u64 = 0xc2b2_ae3d_27d4_eb4f;
const PRIME_3: u64 = 0x1656_67b1_9e37_79f9;
const PRIME_4: u64 = 0x85eb_ca77_c2b2_ae63;
const PRIME_5: u64 = 0x27d4_eb2f_1656_67c5;

fn xx_value(piece: Piece, seed: i64) -> i64 {
    let seed = seed.cast_unsigned();
    let hash = match piece {
        Piece::Int(value) => xx_bytes(&value.to_le_bytes(), seed),
        Piece::Long(value) => xx_bytes(&value.to_le_bytes(), seed),
        Piece::Bytes(bytes) => xx_bytes(bytes, seed),
    };
    hash.cast_signed()
}

fn xx_bytes(bytes: &[u8], seed: u64) -> u64 {
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let (stripes, rest) = bytes.as_chunks::<32>();
    let mut hash = match stripes {
        [] => seed.wrapping_add(PRIME_5),
        stripes => xx_stripes(stripes, seed),
    };
    hash = hash.wrapping_add(length);
    let (words, rest) = rest.as_chunks::<8>();
    for word in words {
        hash ^= xx_round(0, u64::from_le_bytes(*word));
        hash = hash.rotate_left(27).wrapping_mul(PRIME_1).wrapping_add(PRIME_4);
    }
    let (halves, rest) = rest.as_chunks::<4>();
    for half in halves {
        hash ^= u64::from(u32::from_le_bytes(*half)).wrapping_mul(PRIME_1);
        hash = hash.rotate_left(23).wrapping_mul(PRIME_2).wrapping_add(PRIME_3);
    }
    for byte in rest {
        hash ^= u64::from(*byte).wrapping_mul(PRIME_5);
        hash = hash.rotate_left(11).wrapping_mul(PRIME_1);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(PRIME_2);
    hash = (hash ^ (hash >> 29)).wrapping_mul(PRIME_3);
    hash ^ (hash >> 32)
}

fn xx_round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(PRIME_2)).rotate_left(31).wrapping_mul(PRIME_1)
}

fn xx_stripes(stripes: &[[u8; 32]], seed: u64) -> u64 {
    let mut lanes = [
        seed.wrapping_add(PRIME_1).wrapping_add(PRIME_2),
        seed.wrapping_add(PRIME_2),
        seed,
        seed.wrapping_sub(PRIME_1),
    ];
    for stripe in stripes {
        for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks::<8>().0) {
            *lane = xx_round(*lane, u64::from_le_bytes(*word));
        }
    }
    let turned = lanes.iter().zip([1, 7, 12, 18]).map(|(lane, by)| lane.rotate_left(by));
    let mut hash = turned.fold(0_u64, u64::wrapping_add);
    for lane in lanes {
        hash = (hash ^ xx_round(0, lane)).wrapping_mul(PRIME_1).wrapping_add(PRIME_4);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn murmur(piece: Piece) -> i64 {
        murmur_value(piece, SEED)
    }

    #[test]
    fn murmur_agrees_with_spark() {
        assert_eq!(murmur(Piece::Int(1)), -559_580_957);
        assert_eq!(murmur(Piece::Long(1)), -1_712_319_331);
        assert_eq!(murmur(Piece::Bytes(b"a")), 1_485_273_170);
        assert_eq!(murmur(Piece::Bytes(b"abc")), 1_322_437_556);
        assert_eq!(murmur(Piece::Bytes(b"")), 142_593_372);
        assert_eq!(murmur(Piece::Bytes("Straße".as_bytes())), -1_529_657_667);
        assert_eq!(murmur(Piece::Long(double_bits(1.5))), 1_290_763_749);
        assert_eq!(murmur(Piece::Int(float_bits(1.5))), -221_251_528);
        assert_eq!(murmur(Piece::Long(double_bits(-0.0))), -1_670_924_195);
        assert_eq!(murmur(Piece::Long(double_bits(f64::NAN))), -1_281_358_385);
        assert_eq!(murmur(Piece::Bytes(minimal(&12_345_678_901_234_567_890_i128.to_be_bytes()))), -493_604_283);
        assert_eq!(murmur(Piece::Bytes(&[1, 2])), 1_964_783_052);
    }

    #[test]
    fn xxhash_agrees_with_spark() {
        assert_eq!(xx_value(Piece::Int(1), SEED), -6_698_625_589_789_238_999);
        assert_eq!(xx_value(Piece::Bytes(b"a"), SEED), -8_582_455_328_737_087_284);
    }
}
