//! What the footer of a Parquet file says, as text: its row groups, and for each column how it is stored and between
//! which values it lies. Smallest and largest values are those of the physical type: a date is its day number.

use crate::error::Error;
use crate::parquet_io::open;
use bytes::Bytes;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::statistics::Statistics;
use std::fmt::Write;

/// Columns told per row group.
const MAX_COLUMNS: usize = 40;
/// Row groups told.
const MAX_GROUPS: usize = 4;
/// Characters of a value told.
const MAX_VALUE: usize = 32;

/// One line for the file, one per row group, one per column of it.
///
/// # Errors
/// The bytes are no Parquet file.
pub fn describe(bytes: &Bytes) -> Result<String, Error> {
    Ok(text(open(bytes)?.metadata(), bytes.len()))
}

fn text(metadata: &ParquetMetaData, n_bytes: usize) -> String {
    let file = metadata.file_metadata();
    let groups = metadata.row_groups();
    let plural = if groups.len() == 1 { "" } else { "s" };
    let mut text = format!("{n_bytes} bytes, {} rows, {} row group{plural}", file.num_rows(), groups.len());
    if let Some(writer) = file.created_by() {
        let _ = write!(text, ", written by {writer}");
    }
    for (idx, group) in groups.iter().enumerate().take(MAX_GROUPS) {
        let _ = write!(text, "\nrow group {idx}: {} rows, {} bytes", group.num_rows(), group.compressed_size());
        for chunk in group.columns().iter().take(MAX_COLUMNS) {
            text.push('\n');
            column(&mut text, chunk);
        }
        more(&mut text, group.num_columns(), MAX_COLUMNS, "columns");
    }
    more(&mut text, groups.len(), MAX_GROUPS, "row groups");
    text
}

fn more(text: &mut String, n: usize, limit: usize, what: &str) {
    if n > limit {
        let _ = write!(text, "\n  … and {} more {what}", n - limit);
    }
}

fn column(text: &mut String, chunk: &ColumnChunkMetaData) {
    let encodings: Vec<String> = chunk.encodings().map(|encoding| encoding.to_string()).collect();
    let _ = write!(
        text,
        "  {} {}: {}, {}, {} of {} bytes",
        chunk.column_path().string(),
        chunk.column_type(),
        encodings.join(" + "),
        chunk.compression_codec(),
        chunk.compressed_size(),
        chunk.uncompressed_size(),
    );
    let Some(statistics) = chunk.statistics() else {
        text.push_str(", no statistics");
        return;
    };
    if let Some((min, max)) = bounds(statistics) {
        let _ = write!(text, ", {min} … {max}");
    }
    if let Some(nulls) = statistics.null_count_opt() {
        let _ = write!(text, ", {nulls} NULL");
    }
}

fn bounds(statistics: &Statistics) -> Option<(String, String)> {
    fn both<T: ToString>(min: Option<&T>, max: Option<&T>) -> Option<(String, String)> {
        Some((min?.to_string(), max?.to_string()))
    }
    let (min, max) = match statistics {
        Statistics::Boolean(of) => both(of.min_opt(), of.max_opt()),
        Statistics::Int32(of) => both(of.min_opt(), of.max_opt()),
        Statistics::Int64(of) => both(of.min_opt(), of.max_opt()),
        Statistics::Float(of) => both(of.min_opt(), of.max_opt()),
        Statistics::Double(of) => both(of.min_opt(), of.max_opt()),
        Statistics::Int96(_) => None,
        Statistics::ByteArray(_) | Statistics::FixedLenByteArray(_) => {
            Some((readable(statistics.min_bytes_opt()?), readable(statistics.max_bytes_opt()?)))
        }
    }?;
    Some((short(&min), short(&max)))
}

/// A text as it is, other bytes as hexadecimal digits.
fn readable(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.chars().any(char::is_control) => format!("'{text}'"),
        _ => bytes.iter().take(MAX_VALUE).fold("0x".to_owned(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        }),
    }
}

fn short(value: &str) -> String {
    let mut chars = value.chars();
    let start: String = chars.by_ref().take(MAX_VALUE).collect();
    if chars.next().is_some() { format!("{start}…") } else { start }
}

#[cfg(test)]
mod tests {
    use super::describe;
    use arrow::array::{ArrayRef, Date32Array, Int32Array, RecordBatch, StringArray};
    use bytes::Bytes;
    use parquet::arrow::ArrowWriter;
    use std::sync::Arc;

    #[test]
    fn a_footer_tells_how_each_column_is_stored() {
        let columns: [(&str, ArrayRef); 3] = [
            ("id", Arc::new(Int32Array::from(vec![Some(3), None, Some(-1)]))),
            ("name", Arc::new(StringArray::from(vec!["b".repeat(50).as_str(), "a\u{7}", "é"]))),
            ("day", Arc::new(Date32Array::from(vec![20_468, 20_469, 20_470]))),
        ];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let n_bytes = bytes.len();
        let text = describe(&Bytes::from(bytes)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].starts_with(&format!("{n_bytes} bytes, 3 rows, 1 row group, written by parquet-rs")),
            "{text}"
        );
        assert!(lines[1].starts_with("row group 0: 3 rows, "), "{text}");
        assert!(lines[2].starts_with("  id INT32: PLAIN + RLE + RLE_DICTIONARY, UNCOMPRESSED, "), "{text}");
        assert!(lines[2].ends_with(" bytes, -1 … 3, 1 NULL"), "{text}");
        assert!(lines[3].contains(", 0x6107 … 'é', 0 NULL"), "{text}");
        assert!(lines[4].ends_with(", 20468 … 20470, 0 NULL"), "{text}");
    }

    #[test]
    fn what_is_no_parquet_file_is_an_error() {
        for bytes in [&b""[..], b"PAR1", b"PAR1xxxxxxxxPAR1"] {
            assert!(describe(&Bytes::copy_from_slice(bytes)).is_err());
        }
    }
}
