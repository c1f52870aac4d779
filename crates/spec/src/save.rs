//! The `write` of a data frame: what `DataFrameWriter` has been told.

use crate::{Expr, Ident, Name, Provider, Query, Span};

/// `df.write.mode(…).saveAsTable(…)` or `….save(…)`
#[derive(Debug, Clone, PartialEq)]
pub struct Save {
    /// A table by name, or ``delta.`path` ``.
    pub table: Name,
    /// `save(path)`: the log tells of a write, whatever becomes of the table.
    pub by_path: bool,
    pub mode: SaveMode,
    pub source: Query,
    /// `partitionBy`; empty when not called.
    pub partition_by: Vec<Ident>,
    /// `clusterBy`
    pub cluster_by: Vec<Name>,
    pub provider: Provider,
    pub options: SaveOptions,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveMode {
    Append,
    Overwrite,
    /// Nothing, where the table exists.
    Ignore,
    /// An error, where the table exists; the default.
    Error,
}

/// The options that Delta knows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SaveOptions {
    /// `mergeSchema`
    pub merge_schema: bool,
    /// `overwriteSchema`
    pub overwrite_schema: bool,
    /// `replaceWhere`, and its text.
    pub replace_where: Option<(Expr, String)>,
    /// `partitionOverwriteMode`, where it is given: true for `dynamic`.
    pub dynamic: Option<bool>,
    /// `userMetadata`
    pub note: Option<String>,
    /// `txnAppId` and `txnVersion`
    pub transaction: Option<(String, i64)>,
}
