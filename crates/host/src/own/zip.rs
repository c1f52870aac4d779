//! Zip files, read with suspicion and written plainly.
//!
//! Reading trusts nothing: an entry's real size is what unpacking gives, and unpacking stops at the limit.

use super::{MAX_BYTES, MAX_FILES, too_large};
use miniz_oxide::inflate::decompress_to_vec_with_limit;

const END: u32 = 0x0605_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const LOCAL: u32 = 0x0403_4b50;
/// 1980-01-01, the first day that the format knows: the same table gives the same bytes.
const DAY: u16 = 0x0021;

/// A file in a zip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub path: String,
    pub bytes: Vec<u8>,
}

/// A relative path with plain parts: nothing that leads out of a folder on any system.
pub(super) fn is_safe(path: &str) -> bool {
    let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    !path.contains(['\\', '\0', ':']) && path.len() <= 1_000 && path.split('/').all(is_plain)
}

/// All files of a zip.
///
/// # Errors
/// A sentence: no zip, a damaged one, an entry that leads elsewhere or is encrypted, or more than the sandbox takes.
pub fn unpack(bytes: &[u8]) -> Result<Vec<Entry>, String> {
    let (n_entries, mut at) = directory(bytes).ok_or("This is no zip file, or it was cut.")?;
    if n_entries > MAX_FILES {
        return Err(too_large());
    }
    let mut left = MAX_BYTES;
    let mut entries = Vec::with_capacity(n_entries);
    for _ in 0..n_entries {
        let header = Header::read(bytes, at).ok_or_else(damaged)?;
        at = header.next;
        if header.path.ends_with('/') {
            continue;
        }
        if !is_safe(&header.path) {
            let path = &header.path;
            return Err(format!("The zip has a file named {path:?}, which leads out of its folder: it is refused."));
        }
        let content = header.content(bytes, left)?;
        left -= content.len();
        entries.push(Entry { path: header.path, bytes: content });
    }
    Ok(entries)
}

fn damaged() -> String {
    "This zip file is damaged.".to_owned()
}

/// The number of entries and where their list starts.
fn directory(bytes: &[u8]) -> Option<(usize, usize)> {
    // The end record is 22 bytes and may be followed by a comment of up to 64 KiB.
    let last = bytes.len().checked_sub(22)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    let end = (first..=last).rev().find(|at| u32_at(bytes, *at) == Some(END))?;
    Some((usize::from(u16_at(bytes, end + 10)?), u32_at(bytes, end + 16)? as usize))
}

struct Header {
    path: String,
    is_encrypted: bool,
    method: u16,
    packed: usize,
    local: usize,
    next: usize,
}

impl Header {
    fn read(bytes: &[u8], at: usize) -> Option<Header> {
        (u32_at(bytes, at)? == CENTRAL).then_some(())?;
        let name = usize::from(u16_at(bytes, at + 28)?);
        let (extra, comment) = (usize::from(u16_at(bytes, at + 30)?), usize::from(u16_at(bytes, at + 32)?));
        let path = String::from_utf8(bytes.get(at + 46..at + 46 + name)?.to_vec()).ok()?;
        Some(Header {
            path,
            is_encrypted: u16_at(bytes, at + 8)? & 1 != 0,
            method: u16_at(bytes, at + 10)?,
            packed: u32_at(bytes, at + 20)? as usize,
            local: u32_at(bytes, at + 42)? as usize,
            next: at + 46 + name + extra + comment,
        })
    }

    fn content(&self, bytes: &[u8], limit: usize) -> Result<Vec<u8>, String> {
        if self.is_encrypted {
            return Err(format!("{:?} is encrypted; only plain zip files can be read.", self.path));
        }
        let packed = self.packed(bytes).ok_or_else(damaged)?;
        match self.method {
            0 if packed.len() > limit => Err(too_large()),
            0 => Ok(packed.to_vec()),
            8 => decompress_to_vec_with_limit(packed, limit).map_err(|error| match error.status {
                miniz_oxide::inflate::TINFLStatus::HasMoreOutput => too_large(),
                _ => damaged(),
            }),
            other => Err(format!("{:?} is packed by method {other}; MergeLab knows stored and deflated.", self.path)),
        }
    }

    fn packed<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        (u32_at(bytes, self.local)? == LOCAL).then_some(())?;
        let name = usize::from(u16_at(bytes, self.local + 26)?);
        let extra = usize::from(u16_at(bytes, self.local + 28)?);
        let start = self.local + 30 + name + extra;
        bytes.get(start..start.checked_add(self.packed)?)
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// A zip of stored files: Parquet is compressed already.
pub(super) fn pack(entries: &[Entry]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut central = Vec::new();
    for entry in entries {
        let offset = out.len() as u32;
        let mut common = Vec::new();
        // Version 2.0, names in UTF-8, stored, the fixed day, checksum, sizes.
        let size = entry.bytes.len() as u32;
        for word in [20_u16, 0x0800, 0, 0, DAY] {
            common.extend(word.to_le_bytes());
        }
        for word in [crc32fast::hash(&entry.bytes), size, size] {
            common.extend(word.to_le_bytes());
        }
        common.extend((entry.path.len() as u16).to_le_bytes());
        common.extend(0_u16.to_le_bytes());
        out.extend(LOCAL.to_le_bytes());
        out.extend(&common);
        out.extend(entry.path.as_bytes());
        out.extend(&entry.bytes);
        central.extend(CENTRAL.to_le_bytes());
        central.extend(20_u16.to_le_bytes());
        central.extend(&common);
        // No comment, first disk, no attributes.
        central.extend([0; 10]);
        central.extend(offset.to_le_bytes());
        central.extend(entry.path.as_bytes());
    }
    let (start, n_entries) = (out.len() as u32, entries.len() as u16);
    let size = central.len() as u32;
    out.extend(central);
    out.extend(END.to_le_bytes());
    out.extend([0; 4]);
    out.extend(n_entries.to_le_bytes());
    out.extend(n_entries.to_le_bytes());
    out.extend(size.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend(0_u16.to_le_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::{Entry, is_safe, pack, unpack};

    fn entry(path: &str, bytes: &[u8]) -> Entry {
        Entry { path: path.into(), bytes: bytes.to_vec() }
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        let entries =
            [entry("t/_delta_log/0.json", b"{}"), entry("t/\u{e9}.parquet", &[0; 5_000]), entry("empty", b"")];
        assert_eq!(unpack(&pack(&entries)).unwrap(), entries);
        assert_eq!(unpack(&pack(&[])).unwrap(), []);
    }

    #[test]
    fn a_name_that_leads_elsewhere_is_refused() {
        for path in ["../x", "a/../../x", "/etc/passwd", "a//b", "./x", "a\\..\\b", "C:x", "a\0b", ""] {
            assert!(!is_safe(path), "{path:?}");
            assert!(unpack(&pack(&[entry(path, b"x")])).is_err(), "{path:?}");
        }
        assert!(is_safe("a/_delta_log/00000000000000000000.json") && is_safe("p=1%2F2/x y.parquet"));
    }

    #[test]
    fn a_cut_or_changed_zip_is_a_sentence_and_no_panic() {
        let zip = pack(&[entry("a", b"hello"), entry("b", &[7; 300])]);
        for cut in 0..zip.len() {
            assert!(unpack(&zip[..cut]).is_err(), "{cut}");
        }
        for idx in 0..zip.len() {
            for value in [0, 0xff] {
                let mut changed = zip.clone();
                changed[idx] = value;
                let _ = unpack(&changed);
            }
        }
    }

    /// A zip with one deflated file, whatever it says about its size.
    fn deflated(packed: &[u8]) -> Vec<u8> {
        let mut zip = pack(&[entry("a", packed)]);
        let central = zip.len() - 22 - 47;
        for at in [8, central + 10] {
            zip[at] = 8;
        }
        zip
    }

    #[test]
    fn a_bomb_is_stopped_at_the_limit() {
        let packed = miniz_oxide::deflate::compress_to_vec(&vec![0; 150_000_000], 6);
        assert!(packed.len() < 1_000_000);
        assert!(unpack(&deflated(&packed)).unwrap_err().contains("more than this tab can hold"));
        let packed = miniz_oxide::deflate::compress_to_vec(b"hello", 6);
        assert_eq!(unpack(&deflated(&packed)).unwrap(), [entry("a", b"hello")]);
    }
}
