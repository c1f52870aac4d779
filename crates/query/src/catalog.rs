//! What a query can read: the engine implements these traits.

use crate::predicate::Predicate;
use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use delta::schema::DataType;
use spec::{Diagnostic, Ident, Name, Query};
use std::fmt::Debug;
use std::sync::Arc;

/// A column of a table or of a query's result.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    pub data_type: DataType,
    pub nullable: bool,
}

/// The version of a table that a query asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    Version(u64),
    /// The last version at or before this instant, microseconds since the epoch.
    TimestampMicros(i64),
}

/// Where a range of the change feed begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedEnd {
    /// As written: it may be negative or not exist.
    Version(i64),
    /// Microseconds since the epoch.
    TimestampMicros(i64),
}

/// What a name stands for.
#[derive(Debug, Clone)]
pub enum Found {
    Table(Arc<dyn Table>),
    /// A view: its query is planned anew, without the names of the query that reads it. `schema` is what it gave when the
    /// view was made, and `columns` rename that; empty keeps the query's own names.
    View {
        query: Box<Query>,
        columns: Vec<Ident>,
        schema: Vec<Column>,
    },
}

/// Looks up the relations that a statement names.
#[async_trait]
pub trait Catalog: Send + Sync {
    /// The table, view or path of that name.
    ///
    /// # Errors
    /// `TABLE_OR_VIEW_NOT_FOUND` and its like, with the span of the name.
    async fn relation(&self, name: &Name, at: Option<At>) -> Result<Found, Diagnostic>;

    /// The change feed of a table, both ends included; up to the latest version without a second one.
    ///
    /// # Errors
    /// There is no such table, no feed, or no such range of it. A catalog without feeds has none to give.
    async fn changes(&self, name: &Name, from: FeedEnd, to: Option<FeedEnd>) -> Result<Arc<dyn Table>, Diagnostic> {
        let _ = (from, to);
        Err(Diagnostic::unsupported("table_changes", name.span()))
    }
}

/// A table at one version.
#[async_trait]
pub trait Table: Send + Sync + Debug {
    fn columns(&self) -> &[Column];

    /// False for plain Parquet tables.
    fn is_delta(&self) -> bool;

    /// Whether the query asked for this version, so that what happens to the table later does not matter to it.
    fn is_past(&self) -> bool {
        false
    }

    /// The full name, as plans and messages show it.
    fn identifier(&self) -> &str;

    /// How large its files are, together, in bytes; `None` where that is not known before they are read.
    fn n_bytes(&self) -> Option<u64>;

    /// The rows, by task where so many run side by side. Each batch has exactly the columns at the positions `projection`, in
    /// that order. `filter` holds conjuncts (columns by position in [`Table::columns`]) that later steps apply in full: a table
    /// may use them to skip files.
    ///
    /// # Errors
    /// A file that is missing or does not hold what the log says.
    async fn scan(
        &self,
        projection: &[usize],
        filter: &[Predicate],
        parallelism: usize,
    ) -> Result<Vec<Vec<RecordBatch>>, Diagnostic>;
}
