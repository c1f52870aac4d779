//! Where a descriptor says that its vector is (PROTOCOL.md, Deletion Vector Descriptor Schema).

use super::damage::Damage;
use crate::actions::DeletionVectorDescriptor;
use crate::paths::{decode_path, deletion_vector_file_name, join};
use crate::z85;

const UUID_CHARACTERS: usize = 20;

/// The place of a vector.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Place {
    /// In the log itself.
    Inline(Vec<u8>),
    /// In a file of the store.
    File { path: String, offset: u64 },
}

impl Place {
    /// Fails on a descriptor that makes no sense.
    pub(super) fn of(root: &str, descriptor: &DeletionVectorDescriptor) -> Result<Self, Damage> {
        let unknown = |reason: String| Damage::Address { reason };
        if descriptor.storage_type == "i" {
            let text = &descriptor.path_or_inline_dv;
            return z85::decode(text)
                // The text is padded to groups of four bytes; the size says where the data ends.
                .map(|mut bytes| {
                    bytes.truncate(usize::try_from(descriptor.size_in_bytes).unwrap_or(0));
                    Self::Inline(bytes)
                })
                .ok_or_else(|| unknown("the inline data is not Z85".to_owned()));
        }
        let path = path(root, descriptor)?;
        let offset = descriptor.offset.and_then(|offset| u64::try_from(offset).ok());
        let offset = offset.ok_or_else(|| unknown("there is no offset into its file".to_owned()))?;
        Ok(Self::File { path, offset })
    }
}

/// The path in the store of the file that holds a vector of the table under `root`; `None` for one that lies in
/// the log, and for a descriptor that makes no sense.
pub fn file_path(root: &str, descriptor: &DeletionVectorDescriptor) -> Option<String> {
    if descriptor.storage_type == "i" { None } else { path(root, descriptor).ok() }
}

fn path(root: &str, descriptor: &DeletionVectorDescriptor) -> Result<String, Damage> {
    let unknown = |reason: String| Damage::Address { reason };
    let text = &descriptor.path_or_inline_dv;
    match descriptor.storage_type.as_str() {
        "u" => {
            let split = text.len().checked_sub(UUID_CHARACTERS).filter(|at| text.is_char_boundary(*at));
            let parts = split.and_then(|at| text.split_at_checked(at));
            let (prefix, uuid) = parts.ok_or_else(|| unknown(format!("`{text}` holds no UUID")))?;
            let bytes = z85::decode(uuid).ok_or_else(|| unknown(format!("`{uuid}` is not Z85")))?;
            Ok(join(root, &join(prefix, &deletion_vector_file_name(&uuid_text(&bytes)))))
        }
        // Paths of the store begin at its root, so an absolute one only loses what marks it as such.
        "p" => {
            let decoded = decode_path(text);
            Ok(decoded.strip_prefix("file:").unwrap_or(&decoded).trim_start_matches('/').to_owned())
        }
        other => Err(unknown(format!("the storage type `{other}` does not exist"))),
    }
}

fn uuid_text(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-")
}
