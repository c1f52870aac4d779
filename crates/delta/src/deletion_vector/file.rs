//! Files of deletion vectors (PROTOCOL.md, Deletion Vector File Storage Format): a version, then one vector after
//! the other, each with its size before and its checksum behind it.

use super::bitmap::DeletionVector;
use super::damage::Damage;
use crate::actions::DeletionVectorDescriptor;
use crate::error::Error;
use crate::storage::{Storage, StorageError};
use crate::z85;
use bytes::Bytes;

const VERSION: u8 = 1;
const SIZE_BYTES: u64 = 4;
const CHECKSUM_BYTES: u64 = 4;

/// A file of deletion vectors in preparation.
#[derive(Debug, Clone, PartialEq)]
pub struct DeletionVectorFile {
    bytes: Vec<u8>,
}

impl Default for DeletionVectorFile {
    fn default() -> Self {
        Self { bytes: vec![VERSION] }
    }
}

impl DeletionVectorFile {
    /// Whether it holds no vector yet.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() <= 1
    }

    /// Its size in bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Adds a vector and describes it; `uuid` is the one that names the file. Fails on text that is no UUID and
    /// on a file that grows too large.
    pub fn push(&mut self, vector: &DeletionVector, uuid: &str) -> Result<DeletionVectorDescriptor, Error> {
        let too_large = |_| Error::Internal("a file of deletion vectors is too large".to_owned());
        let data = vector.to_bytes()?;
        let descriptor = DeletionVectorDescriptor {
            storage_type: "u".to_owned(),
            path_or_inline_dv: z85::encode(&uuid_bytes(uuid)?),
            offset: Some(i32::try_from(self.bytes.len()).map_err(too_large)?),
            size_in_bytes: i32::try_from(data.len()).map_err(too_large)?,
            cardinality: i64::try_from(vector.len()).map_err(too_large)?,
            max_row_index: None,
        };
        self.bytes.extend(descriptor.size_in_bytes.to_be_bytes());
        self.bytes.extend(&data);
        self.bytes.extend(crc32fast::hash(&data).to_be_bytes());
        Ok(descriptor)
    }

    /// The bytes of the file.
    pub fn finish(self) -> Bytes {
        Bytes::from(self.bytes)
    }
}

fn uuid_bytes(uuid: &str) -> Result<[u8; 16], Error> {
    let digits: String = uuid.chars().filter(|character| *character != '-').collect();
    match u128::from_str_radix(&digits, 16) {
        Ok(number) if digits.len() == 32 => Ok(number.to_be_bytes()),
        _ => Err(Error::Internal(format!("`{uuid}` is no UUID"))),
    }
}

/// The bytes of the vector that starts at `offset`, checked.
pub(super) async fn read(
    storage: &dyn Storage,
    path: &str,
    offset: u64,
    size: i32,
) -> Result<Result<Bytes, Damage>, Error> {
    let version = range(storage, path, 0, 1).await?;
    match version.as_ref().map(|bytes| bytes.first().copied()) {
        Ok(Some(VERSION)) => {}
        Ok(found) => return Ok(Err(Damage::Version { found: found.unwrap_or(0) })),
        Err(_) => return Ok(Err(Damage::Size { logged: size, found: 0 })),
    }
    let Ok(n_bytes) = u64::try_from(size) else { return Ok(Err(Damage::Size { logged: size, found: 0 })) };
    let mut stored = match range(storage, path, offset, SIZE_BYTES + n_bytes + CHECKSUM_BYTES).await? {
        Ok(stored) if stored.len() as u64 == SIZE_BYTES + n_bytes + CHECKSUM_BYTES => stored,
        Ok(stored) => return Ok(Err(Damage::Size { logged: size, found: stored.len() as i64 })),
        Err(found) => return Ok(Err(Damage::Size { logged: size, found })),
    };
    let stored_size = big_endian(&stored.split_to(SIZE_BYTES as usize));
    if u64::from(stored_size) != n_bytes {
        return Ok(Err(Damage::Size { logged: size, found: i64::from(stored_size) }));
    }
    let data = stored.split_to(n_bytes as usize);
    Ok(if crc32fast::hash(&data) == big_endian(&stored) { Ok(data) } else { Err(Damage::Checksum) })
}

/// Fails unless the log's size is the real one.
pub(super) fn check_size(found: usize, logged: i32) -> Result<(), Damage> {
    if usize::try_from(logged) == Ok(found) {
        return Ok(());
    }
    Err(Damage::Size { logged, found: i64::try_from(found).unwrap_or(i64::MAX) })
}

// A range that the file does not have is damage of the vector; `Err` holds how many bytes there are from `start` on.
async fn range(storage: &dyn Storage, path: &str, start: u64, n_bytes: u64) -> Result<Result<Bytes, i64>, Error> {
    match storage.get_range(path, start..start.saturating_add(n_bytes)).await {
        Ok(bytes) => Ok(Ok(bytes)),
        Err(StorageError::OutOfRange { size, .. }) => {
            Ok(Err(i64::try_from(size.saturating_sub(start)).unwrap_or(i64::MAX)))
        }
        Err(error) => Err(error.into()),
    }
}

fn big_endian(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |value, byte| value << 8 | u32::from(*byte))
}
