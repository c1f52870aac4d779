//! Short hashes of everything in a store.

use delta::storage::{Storage, StorageError};
use protocol::Fingerprint;

/// One entry per object, in the order of the paths.
///
/// # Errors
/// The store cannot be read.
pub async fn fingerprints(storage: &dyn Storage) -> Result<Vec<Fingerprint>, StorageError> {
    let mut objects = Vec::new();
    for file in storage.list_from("", "").await? {
        let bytes = storage.get(&file.path).await?;
        let hash = format!("{:016x}", fnv1a(&bytes));
        objects.push(Fingerprint { path: file.path, size: bytes.len() as u64, hash });
    }
    Ok(objects)
}

/// FNV-1a with its published 64-bit constants.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    #[test]
    fn a_flipped_byte_changes_the_hash() {
        assert_ne!(fnv1a(b"part-00000"), fnv1a(b"part-00001"));
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
