//! Deletion vectors (PROTOCOL.md, Deletion Vectors): which rows of a data file are deleted although the file
//! still holds them. Rows are numbered by their position in the Parquet file, from 0; the others are *live*.

mod bitmap;
mod damage;
mod file;
mod place;

pub use bitmap::DeletionVector;
pub use damage::Damage;
pub use file::DeletionVectorFile;
pub use place::file_path;

use crate::actions::{Add, DeletionVectorDescriptor, Protocol};
use crate::error::Error;
use crate::features::supported;
use crate::properties::is_on;
use crate::snapshot::Snapshot;
use crate::storage::Storage;
use place::Place;

/// The table feature, as the protocol names it.
const FEATURE: &str = "deletionVectors";
/// The table property that lets writers add deletion vectors.
pub const PROPERTY: &str = "delta.enableDeletionVectors";

/// Whether a writer marks rows as deleted instead of writing their file again.
pub fn are_written(snapshot: &Snapshot) -> bool {
    are_known(snapshot.protocol()) && is_on(snapshot.metadata(), PROPERTY)
}

/// Whether files of the table may have deletion vectors.
pub fn are_known(protocol: &Protocol) -> bool {
    supported(protocol).contains(FEATURE)
}

/// The deletion vector of a file of the table under `root`; `None` for a file that has none. Fails on a vector
/// that cannot be found or is damaged.
pub async fn of_file(storage: &dyn Storage, root: &str, add: &Add) -> Result<Option<DeletionVector>, Error> {
    match &add.deletion_vector {
        Some(descriptor) => read(storage, root, descriptor).await.map(Some),
        None => Ok(None),
    }
}

/// Reads a deletion vector and checks it against what the log says of it.
pub async fn read(
    storage: &dyn Storage,
    root: &str,
    descriptor: &DeletionVectorDescriptor,
) -> Result<DeletionVector, Error> {
    let damaged = |damage: Damage| Error::DamagedDeletionVector { vector: descriptor.unique_id(), damage };
    let place = Place::of(root, descriptor).map_err(damaged)?;
    let vector = match &place {
        Place::Inline(bytes) => {
            file::check_size(bytes.len(), descriptor.size_in_bytes).map_err(damaged)?;
            DeletionVector::from_bytes(bytes).map_err(damaged)?
        }
        Place::File { path, offset } => {
            let stored = file::read(storage, path, *offset, descriptor.size_in_bytes).await?;
            DeletionVector::from_bytes(&stored.map_err(damaged)?).map_err(damaged)?
        }
    };
    if i64::try_from(vector.len()) != Ok(descriptor.cardinality) {
        return Err(damaged(Damage::Cardinality { logged: descriptor.cardinality, found: vector.len() }));
    }
    Ok(vector)
}
