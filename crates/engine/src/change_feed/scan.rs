//! The changes of commits as rows.

use crate::batch::{absent, positional};
use crate::failure;
use crate::products::ChangeType;
use crate::read::{BATCH_ROWS, read_columns, rows_of_file};
use arrow::array::{ArrayRef, Int64Array, StringArray, TimestampMicrosecondArray};
use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use delta::actions::{Add, DeletionVectorDescriptor, Remove};
use delta::change_feed::{CHANGE_TYPE, Changes, Commit, FileChange};
use delta::deletion_vector::{self, DeletionVector};
use delta::parquet_io::read_file;
use delta::paths::data_path;
use delta::schema::{DataType, StructField, StructType};
use delta::snapshot::Snapshot;
use delta::storage::Storage;
use query::{Column, Predicate, Table};
use spec::Diagnostic;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A range of a table's change feed, with the columns of the table as it is now.
#[derive(Debug)]
pub(super) struct ChangeTable {
    pub(super) name: String,
    pub(super) snapshot: Snapshot,
    /// The table's and the feed's.
    pub(super) columns: Vec<Column>,
    pub(super) commits: Vec<Commit>,
    pub(super) storage: Arc<dyn Storage>,
}

#[async_trait]
impl Table for ChangeTable {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn is_delta(&self) -> bool {
        true
    }

    fn identifier(&self) -> &str {
        &self.name
    }

    fn n_bytes(&self) -> Option<u64> {
        None
    }

    async fn scan(&self, projection: &[usize], _: &[Predicate], _: usize) -> Result<Vec<Vec<RecordBatch>>, Diagnostic> {
        let files = self.files().await?;
        let n_columns = self.snapshot.schema().fields.len();
        let wanted: BTreeSet<usize> = projection.iter().copied().filter(|idx| *idx < n_columns).collect();
        let mut rows = Vec::new();
        for (file, batches) in files.iter().zip(self.read(&files, &wanted).await?) {
            let change_types = match file.change {
                _ if !projection.contains(&n_columns) => batches.iter().map(|batch| absent(batch.num_rows())).collect(),
                Some(change) => batches.iter().map(|batch| repeated(change, batch.num_rows())).collect(),
                None => self.change_types(&file.add).await?,
            };
            if change_types.len() != batches.len() {
                return Err(Diagnostic::internal("a change file has not as many change types as rows"));
            }
            for (batch, change_types) in batches.iter().zip(&change_types) {
                rows.push(projected(batch, change_types, file.commit, projection)?);
            }
        }
        Ok(vec![rows])
    }
}

/// A file whose rows are changes.
struct ChangedFile<'a> {
    commit: &'a Commit,
    add: Arc<Add>,
    /// What happened to its rows; the rows of a change file say so themselves.
    change: Option<ChangeType>,
    /// The positions of the rows that something happened to, where it did not to all.
    rows: Option<DeletionVector>,
}

impl ChangeTable {
    async fn files(&self) -> Result<Vec<ChangedFile<'_>>, Diagnostic> {
        let mut files = Vec::new();
        for commit in &self.commits {
            let mut push = |add, change, rows| files.push(ChangedFile { commit, add: Arc::new(add), change, rows });
            match commit.changes() {
                Changes::Recorded(recorded) => recorded
                    .into_iter()
                    .for_each(|cdc| push(Add::file(cdc.path, cdc.partition_values, cdc.size), None, None)),
                Changes::Derived(derived) => {
                    for file in derived {
                        match file {
                            FileChange::Added(add) => push(add, Some(ChangeType::Insert), None),
                            FileChange::Removed(remove) => push(file_of(&remove), Some(ChangeType::Delete), None),
                            FileChange::Marked { before, after } => {
                                let old = self.vector(before.deletion_vector.as_ref()).await?;
                                let new = self.vector(after.deletion_vector.as_ref()).await?;
                                push(Add::clone(&after), Some(ChangeType::Delete), Some(new.difference(&old)));
                                push(*after, Some(ChangeType::Insert), Some(old.difference(&new)));
                            }
                        }
                    }
                }
            }
        }
        Ok(files)
    }

    async fn vector(&self, descriptor: Option<&DeletionVectorDescriptor>) -> Result<DeletionVector, Diagnostic> {
        let Some(descriptor) = descriptor else { return Ok(DeletionVector::default()) };
        let read = deletion_vector::read(self.storage.as_ref(), self.snapshot.root(), descriptor);
        read.await.map_err(failure::of_store)
    }

    /// The changed rows of each file.
    async fn read(
        &self,
        files: &[ChangedFile<'_>],
        wanted: &BTreeSet<usize>,
    ) -> Result<Vec<Vec<RecordBatch>>, Diagnostic> {
        let storage = self.storage.as_ref();
        let whole = files.iter().filter(|file| file.rows.is_none()).map(|file| Arc::clone(&file.add));
        let whole: Vec<Arc<Add>> = whole.collect();
        let mut whole = read_columns(storage, &self.snapshot, &whole, wanted).await?.into_iter();
        let mut read = Vec::with_capacity(files.len());
        for file in files {
            read.push(match &file.rows {
                None => whole.next().unwrap_or_default(),
                Some(rows) => {
                    let positions: Vec<u64> = rows.iter().collect();
                    rows_of_file(storage, &self.snapshot, &file.add, &positions, wanted).await?
                }
            });
        }
        Ok(read)
    }

    /// What a change file says of its rows, in batches like those of its other columns.
    async fn change_types(&self, add: &Add) -> Result<Vec<ArrayRef>, Diagnostic> {
        let path = data_path(self.snapshot.root(), &add.path);
        let bytes = self.storage.get(&path).await.map_err(|error| failure::of_store(error.into()))?;
        let column = StructType { fields: vec![StructField::new(CHANGE_TYPE, DataType::String)] };
        let batches = read_file(bytes, &column, BATCH_ROWS).map_err(failure::of_store)?;
        Ok(batches.iter().map(|batch| Arc::clone(batch.column(0))).collect())
    }
}

fn repeated(change: ChangeType, n_rows: usize) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(std::iter::repeat_n(change.name(), n_rows)))
}

/// The batch, which has the table's columns, in the columns of the scan.
fn projected(
    batch: &RecordBatch,
    change_types: &ArrayRef,
    commit: &Commit,
    projection: &[usize],
) -> Result<RecordBatch, Diagnostic> {
    let (n_columns, n_rows) = (batch.num_columns(), batch.num_rows());
    let column = |idx: &usize| -> ArrayRef {
        match idx.checked_sub(n_columns) {
            None => Arc::clone(batch.column(*idx)),
            Some(0) => Arc::clone(change_types),
            Some(1) => Arc::new(Int64Array::from_value(commit.version as i64, n_rows)),
            Some(_) => {
                let micros = commit.timestamp.saturating_mul(1_000);
                Arc::new(TimestampMicrosecondArray::from_value(micros, n_rows).with_timezone("UTC"))
            }
        }
    };
    positional(projection.iter().map(column).collect(), n_rows)
}

/// A file that is gone, as it was when it was there.
fn file_of(remove: &Remove) -> Add {
    let values = remove.partition_values.clone().unwrap_or_default();
    let add = Add::file(remove.path.clone(), values, remove.size.unwrap_or(0));
    Add { deletion_vector: remove.deletion_vector.clone(), ..add }
}
