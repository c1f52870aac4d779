//! What can go wrong with a table, each with the data needed to say so. Delta's own condition names and
//! SQLSTATEs are attached where Delta has one.

use crate::deletion_vector::Damage;
use crate::storage::StorageError;
use std::fmt;

/// A failure of the table format layer. A lost commit race is not here: it is a `CommitOutcome`.
#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    /// The store failed.
    Storage(StorageError),
    /// There is no Delta log under this path.
    TableNotFound { path: String },
    /// The version does not exist or can no longer be rebuilt.
    VersionNotFound { version: u64, earliest: u64, latest: u64 },
    /// Commit files are missing between the start of the log segment and the wanted version.
    VersionGap { root: String, missing: u64 },
    /// The log starts after version 0 and no checkpoint covers what was cut off.
    TruncatedLog { root: String, first: u64 },
    /// A line of a commit file is not an action.
    CorruptLog { file: String, line: usize, reason: String },
    /// A checkpoint file cannot be read.
    CorruptCheckpoint { file: String, reason: String },
    /// Replay ended without a metaData action.
    MissingMetadata { root: String, version: u64 },
    /// Replay ended without a protocol action.
    MissingProtocol { root: String, version: u64 },
    /// The table needs reader features that nobody here knows.
    UnsupportedFeatures { root: String, features: Vec<String> },
    /// The table needs writer features that are not enforced here.
    UnsupportedWriterFeatures { root: String, features: Vec<String> },
    /// The protocol numbers themselves are unknown.
    UnsupportedProtocol { root: String, reader: i32, writer: i32 },
    /// A known part of the format that this program does not handle yet.
    Unsupported { what: String },
    /// `schemaString` is not a Delta schema.
    InvalidSchema { reason: String },
    /// A partition value does not parse as its column's type.
    InvalidPartitionValue { value: String, data_type: String },
    /// There is no table property of that name.
    UnknownProperty { name: String },
    /// A table property that the table keeps itself, which no statement may set.
    FixedProperty { name: String },
    /// A statement asks for table features that nobody knows.
    UnknownFeatures { features: Vec<String> },
    /// A `delta.feature.…` property with another value than `supported`.
    InvalidFeatureStatus { feature: String, status: String },
    /// A table property has a value that cannot be used.
    InvalidProperty { name: String, value: String },
    /// A table that exists cannot change how it maps its columns in this way.
    MappingModeChange { from: &'static str, to: &'static str },
    /// A file without a number of rows in a table that numbers its rows.
    RowIdWithoutStats { path: String },
    /// A Parquet file cannot be read.
    CorruptParquet { reason: String },
    /// A column of a Parquet file cannot be read as the table's type.
    IncompatibleColumn { column: String, found: String, wanted: String },
    /// A deletion vector cannot be used.
    DamagedDeletionVector { vector: String, damage: Damage },
    /// The table takes only appends (`delta.appendOnly`).
    AppendOnly { root: String },
    /// A bug of ours.
    Internal(String),
}

impl Error {
    /// The Delta error condition, where the reference has one for this case.
    pub fn condition(&self) -> Option<&'static str> {
        Some(match self {
            Self::TableNotFound { .. } => "DELTA_TABLE_NOT_FOUND",
            Self::VersionNotFound { .. } => "DELTA_VERSION_NOT_FOUND",
            Self::VersionGap { .. } => "DELTA_VERSIONS_NOT_CONTIGUOUS",
            Self::TruncatedLog { .. } => "DELTA_TRUNCATED_TRANSACTION_LOG",
            Self::MissingMetadata { .. } | Self::MissingProtocol { .. } => "DELTA_STATE_RECOVER_ERROR",
            Self::UnsupportedFeatures { .. } => "DELTA_UNSUPPORTED_FEATURES_FOR_READ",
            Self::UnsupportedWriterFeatures { .. } => "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
            Self::UnsupportedProtocol { .. } => "DELTA_INVALID_PROTOCOL_VERSION",
            Self::RowIdWithoutStats { .. } => "DELTA_ROW_ID_ASSIGNMENT_WITHOUT_STATS",
            Self::MappingModeChange { .. } => "DELTA_UNSUPPORTED_COLUMN_MAPPING_MODE_CHANGE",
            Self::AppendOnly { .. } => "DELTA_CANNOT_MODIFY_APPEND_ONLY",
            Self::UnknownProperty { .. } => "DELTA_UNKNOWN_CONFIGURATION",
            Self::FixedProperty { .. } => "DELTA_CANNOT_MODIFY_TABLE_PROPERTY",
            Self::UnknownFeatures { .. } => "DELTA_UNSUPPORTED_FEATURES_IN_CONFIG",
            Self::InvalidFeatureStatus { .. } => "DELTA_UNSUPPORTED_FEATURE_STATUS",
            Self::InvalidProperty { .. } => "MERGELAB_INVALID_TABLE_PROPERTY",
            Self::DamagedDeletionVector { damage, .. } => return damage.condition(),
            _ => return None,
        })
    }

    /// The SQLSTATE that belongs to [`Error::condition`].
    pub fn sqlstate(&self) -> Option<&'static str> {
        Some(match self {
            Self::TableNotFound { .. } => "42P01",
            Self::VersionNotFound { .. } => "22003",
            Self::VersionGap { .. } => "KD00C",
            Self::TruncatedLog { .. } => "42K03",
            Self::MissingMetadata { .. } | Self::MissingProtocol { .. } => "XXKDS",
            Self::UnsupportedFeatures { .. } | Self::UnsupportedWriterFeatures { .. } => "56038",
            Self::UnsupportedProtocol { .. } => "KD004",
            Self::RowIdWithoutStats { .. } => "22000",
            Self::MappingModeChange { .. } => "0AKDC",
            Self::AppendOnly { .. } => "42809",
            Self::UnknownProperty { .. } => "F0000",
            Self::FixedProperty { .. } => "42939",
            Self::UnknownFeatures { .. } => "56038",
            Self::InvalidFeatureStatus { .. } => "0AKDE",
            Self::InvalidProperty { .. } => "22023",
            Self::DamagedDeletionVector { damage, .. } => return damage.condition().map(|_| "XXKDS"),
            _ => return None,
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Storage(error) => write!(f, "{error}"),
            Self::TableNotFound { path } => write!(f, "there is no Delta table at {path}"),
            Self::VersionNotFound { version, earliest, latest } => {
                write!(f, "version {version} does not exist; the table has versions {earliest} to {latest}")
            }
            Self::VersionGap { root, missing } => {
                write!(f, "the log of {root} has a gap: version {missing} is missing")
            }
            Self::TruncatedLog { root, first } => {
                write!(f, "the log of {root} starts at version {first} and no checkpoint covers what came before")
            }
            Self::CorruptLog { file, line, reason } => write!(f, "{file}, line {line}: {reason}"),
            Self::CorruptCheckpoint { file, reason } => write!(f, "the checkpoint {file} cannot be read: {reason}"),
            Self::MissingMetadata { root, version } => {
                write!(f, "version {version} of {root} has no metaData action")
            }
            Self::MissingProtocol { root, version } => {
                write!(f, "version {version} of {root} has no protocol action")
            }
            Self::UnsupportedFeatures { root, features } => {
                write!(f, "reading {root} needs table features that are not supported: {}", features.join(", "))
            }
            Self::UnsupportedWriterFeatures { root, features } => {
                write!(f, "writing to {root} needs table features that are not supported: {}", features.join(", "))
            }
            Self::UnsupportedProtocol { root, reader, writer } => {
                write!(f, "{root} has protocol ({reader}, {writer}); at most (3, 7) is known")
            }
            Self::Unsupported { what } => write!(f, "{what} is not supported yet"),
            Self::InvalidSchema { reason } => write!(f, "the table's schema cannot be read: {reason}"),
            Self::InvalidPartitionValue { value, data_type } => {
                write!(f, "the partition value '{value}' is not a {data_type}")
            }
            Self::UnknownProperty { name } => write!(f, "Unknown configuration was specified: {name}"),
            Self::FixedProperty { name } => write!(f, "the table keeps the property {name} itself; it cannot be set"),
            Self::UnknownFeatures { features } => {
                write!(f, "there is no table feature of this name: {}", features.join(", "))
            }
            Self::InvalidFeatureStatus { feature, status } => {
                write!(f, "the feature {feature} can be 'supported', not '{status}'")
            }
            Self::InvalidProperty { name, value } => write!(f, "the table property {name} cannot be '{value}'"),
            Self::RowIdWithoutStats { path } => {
                write!(f, "{path} has no statistics, so its rows cannot be given the ids that the table asks for")
            }
            Self::MappingModeChange { from, to } => {
                write!(f, "changing the column mapping mode from '{from}' to '{to}' is not supported")
            }
            Self::CorruptParquet { reason } => write!(f, "the Parquet file cannot be read: {reason}"),
            Self::IncompatibleColumn { column, found, wanted } => {
                write!(f, "column {column} is stored as {found}, which cannot be read as {wanted}")
            }
            Self::DamagedDeletionVector { vector, damage } => {
                write!(f, "the deletion vector {vector} cannot be read: {damage}")
            }
            Self::AppendOnly { root } => write!(f, "{root} accepts only appends (delta.appendOnly is true)"),
            Self::Internal(reason) => write!(f, "a bug in the table layer: {reason}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<StorageError> for Error {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}
