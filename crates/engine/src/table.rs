//! Tables as queries see them.

use crate::catalog::TableEntry;
use crate::failure;
use crate::file_size;
use crate::prune;
use crate::read;
use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use delta::actions::Add;
use delta::mapping::unmapped_type;
use delta::schema::StructType;
use delta::snapshot::Snapshot;
use delta::storage::{FileMeta, Storage};
use query::{Column, Predicate, Table, packed};
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

/// What the reference would take a file of the table to weigh.
pub(crate) fn delta_bytes(snapshot: &Snapshot, add: &Add) -> u64 {
    let n_columns = snapshot.schema().fields.len() - snapshot.metadata().partition_columns.len();
    file_size::of_delta(u64::try_from(add.size).unwrap_or(0), n_columns)
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

    fn n_bytes(&self) -> Option<u64> {
        Some(self.snapshot.files().iter().map(|add| delta_bytes(&self.snapshot, add)).sum())
    }

    async fn scan(
        &self,
        projection: &[usize],
        filter: &[Predicate],
        parallelism: usize,
    ) -> Result<Vec<Vec<RecordBatch>>, Diagnostic> {
        let wanted: BTreeSet<usize> = projection.iter().copied().collect();
        let survivors = prune::survivors(&self.snapshot, filter);
        let adds: Vec<_> = survivors.into_iter().map(|file| Arc::clone(&self.snapshot.files()[file])).collect();
        let files = read::read_columns(self.storage.as_ref(), &self.snapshot, &adds, &wanted).await?;
        let project = |batch: &RecordBatch| batch.project(projection).map_err(Diagnostic::internal);
        let sizes: Vec<u64> = adds.iter().map(|add| delta_bytes(&self.snapshot, add)).collect();
        let of_task = |chosen: Vec<usize>| {
            let batches = chosen.into_iter().filter_map(|file| files.get(file)).flatten();
            batches.map(project).collect::<Result<Vec<_>, _>>()
        };
        packed(&sizes, parallelism).into_iter().map(of_task).collect()
    }
}

/// A plain Parquet table: all `.parquet` files of a folder.
#[derive(Debug)]
pub(crate) struct ParquetTable {
    pub(crate) entry: TableEntry,
    pub(crate) schema: StructType,
    pub(crate) columns: Vec<Column>,
    files: Vec<FileMeta>,
    storage: Arc<dyn Storage>,
}

impl ParquetTable {
    /// Looks up the files of the folder.
    ///
    /// # Errors
    /// The store cannot list them.
    pub(crate) async fn open(
        entry: TableEntry,
        schema: StructType,
        storage: Arc<dyn Storage>,
    ) -> Result<Self, Diagnostic> {
        let listed = storage.list_from(&entry.root, "").await.map_err(|error| failure::of_store(error.into()))?;
        let files = listed.into_iter().filter(|file| file.path.ends_with(".parquet")).collect();
        let columns = columns_of(&schema);
        Ok(Self { entry, schema, columns, files, storage })
    }
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

    fn n_bytes(&self) -> Option<u64> {
        Some(self.files.iter().map(|file| file_size::of_plain(file.size, self.columns.len())).sum())
    }

    async fn scan(
        &self,
        projection: &[usize],
        _: &[Predicate],
        parallelism: usize,
    ) -> Result<Vec<Vec<RecordBatch>>, Diagnostic> {
        let sizes: Vec<u64> =
            self.files.iter().map(|file| file_size::of_plain(file.size, self.columns.len())).collect();
        let mut tasks = Vec::new();
        for chosen in packed(&sizes, parallelism) {
            let mut rows = Vec::new();
            for file in chosen.into_iter().filter_map(|file| self.files.get(file)) {
                let bytes = self.storage.get(&file.path).await.map_err(|error| failure::of_store(error.into()))?;
                let batches = delta::parquet_io::read_file(bytes, &self.schema, read::BATCH_ROWS);
                for batch in batches.map_err(failure::of_store)? {
                    rows.push(batch.project(projection).map_err(Diagnostic::internal)?);
                }
            }
            tasks.push(rows);
        }
        Ok(tasks)
    }
}
