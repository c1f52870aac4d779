//! The statistics as JSON text. Numbers are read from the raw text, so that a DECIMAL(38, s) bound never
//! passes through a double.

use super::{FileStats, LeafStats, has_bounds, leaves};
use crate::scalar::Scalar;
use crate::schema::{DataType, StructType, same_name};
use crate::text;
use indexmap::IndexMap;
use serde_json::value::RawValue;

impl FileStats {
    /// The text for `add.stats`.
    pub fn to_json(&self) -> String {
        let bounded: Vec<_> = self.columns.iter().filter(|leaf| has_bounds(&leaf.data_type)).collect();
        let all: Vec<_> = self.columns.iter().collect();
        let mut parts = vec![format!("\"numRecords\":{}", self.num_records)];
        if !bounded.is_empty() {
            parts.push(format!("\"minValues\":{}", object(&bounded, 0, &|leaf| leaf.min.as_ref().map(scalar_json))));
            parts.push(format!("\"maxValues\":{}", object(&bounded, 0, &|leaf| leaf.max.as_ref().map(scalar_json))));
        }
        if !all.is_empty() {
            parts.push(format!("\"nullCount\":{}", object(&all, 0, &|leaf| leaf.nulls.map(|nulls| nulls.to_string()))));
        }
        if let Some(tight) = self.tight_bounds {
            parts.push(format!("\"tightBounds\":{tight}"));
        }
        format!("{{{}}}", parts.join(","))
    }

    /// Reads `add.stats` for the columns of `schema`; what the text does not hold, or holds in another form, is
    /// unknown. `None` for text that is not statistics at all: the file is then never skipped.
    pub fn parse(json: &str, schema: &StructType) -> Option<Self> {
        let top = raw_object(json)?;
        let part = |name: &str| top.get(name).and_then(|raw| raw_object(raw.get())).unwrap_or_default();
        let (min_values, max_values, null_count) = (part("minValues"), part("maxValues"), part("nullCount"));
        let fill = |(positions, mut leaf): (Vec<usize>, LeafStats)| {
            leaf.min = lookup(&min_values, &leaf.stored_path).and_then(|raw| parse_scalar(&raw, &leaf.data_type));
            leaf.max = lookup(&max_values, &leaf.stored_path).and_then(|raw| parse_scalar(&raw, &leaf.data_type));
            if was_float(schema, &positions) {
                leaf.min = leaf.min.map(|min| beside_float(min, f64::min));
                leaf.max = leaf.max.map(|max| beside_float(max, f64::max));
            }
            leaf.nulls = lookup(&null_count, &leaf.stored_path).and_then(|raw| raw.parse().ok());
            leaf
        };
        Some(Self {
            num_records: top.get("numRecords")?.get().parse().ok()?,
            tight_bounds: top.get("tightBounds").and_then(|raw| raw.get().parse().ok()),
            columns: leaves(schema).into_iter().map(fill).collect(),
        })
    }
}

// A FLOAT column that was widened to DOUBLE: its older files have bounds printed as FLOAT, whose values are others
// when they are read as DOUBLE.
fn was_float(schema: &StructType, positions: &[usize]) -> bool {
    let Some((last, parents)) = positions.split_last() else { return false };
    let mut schema = schema;
    for position in parents {
        match schema.fields.get(*position).map(|field| &field.data_type) {
            Some(DataType::Struct(inner)) => schema = inner,
            _ => return false,
        }
    }
    let Some(field) = schema.fields.get(*last) else { return false };
    field.data_type == DataType::Double && field.metadata.contains_key("delta.typeChanges")
}

// The bound, or the value that its text stands for as a FLOAT, whichever is further out.
fn beside_float(bound: Scalar, outer: fn(f64, f64) -> f64) -> Scalar {
    match bound {
        Scalar::Double(value) => Scalar::Double(outer(value, f64::from(value as f32))),
        other => other,
    }
}

/// The statistics of a file that has lost rows to a deletion vector: the same bounds, which need no longer be
/// reached by a live row. `None` for text that does not tell the number of rows.
pub fn with_wide_bounds(json: &str) -> Option<String> {
    let mut top = raw_object(json)?;
    top.get("numRecords")?;
    top.insert("tightBounds".to_owned(), RawValue::from_string("false".to_owned()).ok()?);
    serde_json::to_string(&top).ok()
}

// Leaves below one struct stand side by side, so an object is written for each run of equal names.
fn object(leaves: &[&LeafStats], depth: usize, value: &dyn Fn(&LeafStats) -> Option<String>) -> String {
    let mut parts = Vec::new();
    for group in leaves.chunk_by(|left, right| left.stored_path.get(depth) == right.stored_path.get(depth)) {
        let Some(first) = group.first() else { continue };
        let Some(name) = first.stored_path.get(depth) else { continue };
        let text =
            if first.stored_path.len() == depth + 1 { value(first) } else { Some(object(group, depth + 1, value)) };
        if let Some(text) = text {
            parts.push(format!("{}:{text}", json_string(name)));
        }
    }
    format!("{{{}}}", parts.join(","))
}

fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn scalar_json(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Boolean(_) | Scalar::Int(_) => scalar.to_string(),
        Scalar::Float(value) if value.is_finite() => text::float(*value),
        Scalar::Double(value) if value.is_finite() => text::double(*value),
        Scalar::Decimal(value, scale) => text::decimal_java(*value, *scale),
        Scalar::Timestamp(micros) => json_string(&format!("{}Z", text::timestamp_millis(*micros))),
        Scalar::TimestampNtz(micros) => json_string(&text::timestamp_millis(*micros)),
        other => json_string(&other.to_string()),
    }
}

type RawObject = IndexMap<String, Box<RawValue>>;

fn raw_object(json: &str) -> Option<RawObject> {
    serde_json::from_str(json).ok()
}

fn lookup(object: &RawObject, path: &[String]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    let raw =
        object.get(first).or_else(|| object.iter().find(|(name, _)| same_name(name, first)).map(|(_, raw)| raw))?;
    if rest.is_empty() {
        return Some(raw.get().to_owned());
    }
    lookup(&raw_object(raw.get())?, rest)
}

fn parse_scalar(raw: &str, data_type: &DataType) -> Option<Scalar> {
    let quoted: Option<String> = if raw.starts_with('"') { serde_json::from_str(raw).ok() } else { None };
    let number = quoted.as_deref().unwrap_or(raw);
    match data_type {
        DataType::Byte | DataType::Short | DataType::Int | DataType::Long => raw.parse().ok().map(Scalar::Int),
        DataType::Float => number.parse().ok().map(Scalar::Float),
        DataType::Double => number.parse().ok().map(Scalar::Double),
        DataType::Decimal { scale, .. } => {
            text::parse_decimal(number, *scale).map(|value| Scalar::Decimal(value, *scale))
        }
        DataType::String => quoted.map(Scalar::String),
        DataType::Date => text::parse_date(&quoted?).map(Scalar::Date),
        DataType::Timestamp => text::parse_timestamp(&quoted?).map(Scalar::Timestamp),
        DataType::TimestampNtz => text::parse_timestamp(&quoted?).map(Scalar::TimestampNtz),
        _ => None,
    }
}
