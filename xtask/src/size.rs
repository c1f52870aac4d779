//! What a file costs to download: raw, gzip and brotli, each at its best level.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) raw: u64,
    pub(crate) gzip: u64,
    pub(crate) brotli: u64,
}

impl Size {
    /// Compresses `bytes` both ways.
    pub(crate) fn of(bytes: &[u8]) -> Result<Size> {
        Ok(Size { raw: bytes.len() as u64, gzip: gzip(bytes)?, brotli: brotli(bytes)? })
    }

    pub(crate) fn to_json(self) -> Value {
        json!({ "raw": self.raw, "gzip": self.gzip, "brotli": self.brotli })
    }

    /// `None` where a number is missing.
    pub(crate) fn from_json(value: &Value) -> Option<Size> {
        let number = |name: &str| value[name].as_u64();
        Some(Size { raw: number("raw")?, gzip: number("gzip")?, brotli: number("brotli")? })
    }
}

/// Sizes that were measured before, by content: the engine takes more than a minute to compress.
#[derive(Debug)]
pub(crate) struct SizeCache {
    file: PathBuf,
    known: BTreeMap<String, Size>,
}

impl SizeCache {
    /// Reads the cache; a missing or broken file is an empty one.
    pub(crate) fn open(target: &Path) -> SizeCache {
        let file = target.join("sizes.json");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let entries = serde_json::from_str::<BTreeMap<String, Value>>(&text).unwrap_or_default();
        let known = entries.into_iter().filter_map(|(hash, size)| Some((hash, Size::from_json(&size)?))).collect();
        SizeCache { file, known }
    }

    /// The size of `bytes`, measured once.
    pub(crate) fn size(&mut self, bytes: &[u8]) -> Result<Size> {
        let hash = content_hash(bytes);
        if let Some(size) = self.known.get(&hash) {
            return Ok(*size);
        }
        let size = Size::of(bytes)?;
        self.known.insert(hash, size);
        let entries: BTreeMap<&String, Value> = self.known.iter().map(|(hash, size)| (hash, size.to_json())).collect();
        std::fs::write(&self.file, serde_json::to_string(&entries)?)?;
        Ok(size)
    }
}

/// Names a content: the SHA-256 in hexadecimal.
pub(crate) fn content_hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn gzip(bytes: &[u8]) -> Result<u64> {
    let mut encoder = flate2::write::GzEncoder::new(Counter(0), flate2::Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.0)
}

fn brotli(bytes: &[u8]) -> Result<u64> {
    let mut counter = Counter(0);
    let mut encoder = brotli::CompressorWriter::new(&mut counter, 1 << 16, 11, 24);
    encoder.write_all(bytes)?;
    encoder.flush()?;
    drop(encoder);
    Ok(counter.0)
}

/// Counts what is written to it.
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetition_compresses_and_the_raw_size_is_the_length() {
        let size = Size::of(&b"merge into ".repeat(1000)).unwrap();
        assert_eq!(size.raw, 11_000);
        assert!(size.gzip > 20 && size.gzip < 200, "{size:?}");
        assert!(size.brotli > 10 && size.brotli < size.gzip, "{size:?}");
    }

    #[test]
    fn a_size_survives_its_json() {
        let size = Size { raw: 3, gzip: 2, brotli: 1 };
        assert_eq!(Size::from_json(&size.to_json()), Some(size));
        assert_eq!(Size::from_json(&json!({ "raw": 3 })), None);
    }
}
