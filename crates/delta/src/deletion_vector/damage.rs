//! What can be wrong with a deletion vector.

use std::fmt;

/// Why a deletion vector cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Damage {
    /// The descriptor does not say where the vector is.
    Address { reason: String },
    /// The file is of a version that nobody here knows.
    Version { found: u8 },
    /// The log says another size than the file.
    Size { logged: i32, found: i64 },
    /// The bytes do not have the checksum that is stored beside them.
    Checksum,
    /// The bytes are no bitmap.
    Bitmap { reason: String },
    /// The log says another number of deleted rows than the bitmap.
    Cardinality { logged: i64, found: u64 },
    /// A row is marked that the data file does not have.
    RowIndex { row: u64, n_rows: u64 },
}

impl Damage {
    /// The Delta error condition, where the reference has one for this case.
    pub fn condition(&self) -> Option<&'static str> {
        Some(match self {
            Self::Size { .. } => "DELTA_DELETION_VECTOR_SIZE_MISMATCH",
            Self::Checksum => "DELTA_DELETION_VECTOR_CHECKSUM_MISMATCH",
            Self::Cardinality { .. } => "DELTA_DELETION_VECTOR_CARDINALITY_MISMATCH",
            Self::RowIndex { .. } => "DELTA_DELETION_VECTOR_INVALID_ROW_INDEX",
            Self::Address { .. } | Self::Version { .. } | Self::Bitmap { .. } => return None,
        })
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address { reason } => write!(f, "its place is unknown: {reason}"),
            Self::Version { found } => write!(f, "its file has version {found}; only version 1 is known"),
            Self::Size { logged, found } => write!(f, "the log says {logged} bytes, but there are {found}"),
            Self::Checksum => write!(f, "its checksum is wrong"),
            Self::Bitmap { reason } => write!(f, "its bitmap cannot be read: {reason}"),
            Self::Cardinality { logged, found } => {
                write!(f, "the log says {logged} deleted rows, but there are {found}")
            }
            Self::RowIndex { row, n_rows } => write!(f, "it marks row {row} of a file that has {n_rows} rows"),
        }
    }
}
