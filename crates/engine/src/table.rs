//! Tables as queries see them.

use crate::catalog::TableEntry;
use crate::failure;
use crate::prune;
use crate::read;
use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use delta::mapping::unmapped_type;
use delta::schema::StructType;
use delta::snapshot::Snapshot;
use delta::storage::Storage;
use query::{Column, Predicate, Table};
use spec::Diagnostic;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The columns of a schema, for binding.
pub(crate) fn columns_of(schema: &StructType) -> Vec<Column> {
    let column = |field: &delta::schema::StructField| Column {
        name: field.name.clone(),
        // What a query gives must not carry the ids and physical names of the table it reads.
        data_type: unmapped_type(&field.data_type),
        nullable: field.nullable,
    };
    schema.fields.iter().map(column).collect()
}

/// A Delta table, pinned at a snapshot.
#[derive(Debug)]
pub(crate) struct DeltaTable {
    pub(crate) name: String,
    pub(crate) snapshot: Snapshot,
    pub(crate) columns: Vec<Column>,
    pub(crate) storage: Arc<dyn Storage>,
    /// Asked for by version or time.
    pub(crate) past: bool,
}

#[async_trait]
impl Table for DeltaTable {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn is_delta(&self) -> bool {
        true
    }

    fn is_past(&self) -> bool {
        self.past
    }

    fn identifier(&self) -> &str {
        &self.name
    }

    async fn scan(&self, projection: &[usize], filter: &[Predicate]) -> Result<Vec<RecordBatch>, Diagnostic> {
        let wanted: BTreeSet<usize> = projection.iter().copied().collect();
        let survivors = prune::survivors(&self.snapshot, filter);
        let adds: Vec<_> = survivors.into_iter().map(|file| Arc::clone(&self.snapshot.files()[file])).collect();
        let files = read::read_columns(self.storage.as_ref(), &self.snapshot, &adds, &wanted).await?;
        let project = |batch: &RecordBatch| batch.project(projection).map_err(Diagnostic::internal);
        files.iter().flatten().map(project).collect()
    }
}

/// A plain Parquet table: all `.parquet` files of a folder.
#[derive(Debug)]
pub(crate) struct ParquetTable {
    pub(crate) entry: TableEntry,
    pub(crate) schema: StructType,
    pub(crate) columns: Vec<Column>,
    pub(crate) storage: Arc<dyn Storage>,
}

#[async_trait]
impl Table for ParquetTable {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn is_delta(&self) -> bool {
        false
    }

    fn identifier(&self) -> &str {
        &self.entry.name
    }

    async fn scan(&self, projection: &[usize], _: &[Predicate]) -> Result<Vec<RecordBatch>, Diagnostic> {
        let files =
            self.storage.list_from(&self.entry.root, "").await.map_err(|error| failure::of_store(error.into()))?;
        let mut rows = Vec::new();
        for file in files.iter().filter(|file| file.path.ends_with(".parquet")) {
            let bytes = self.storage.get(&file.path).await.map_err(|error| failure::of_store(error.into()))?;
            for batch in
                delta::parquet_io::read_file(bytes, &self.schema, read::BATCH_ROWS).map_err(failure::of_store)?
            {
                rows.push(batch.project(projection).map_err(Diagnostic::internal)?);
            }
        }
        Ok(rows)
    }
}
