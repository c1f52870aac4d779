//! What OPTIMIZE says about itself: the metrics of its commit and its result row.

use super::optimize::Cubes;
use crate::commit::{Metrics, metric};
use crate::describe::{column, rows};
use crate::sandbox::Rows;
use arrow::array::{Array, ArrayRef, StringArray, StructArray};
use arrow::json::ReaderBuilder;
use delta::schema::{DataType, StructField, StructType};
use delta::stats::IndexedColumns;
use serde_json::{Value, json};
use spec::Diagnostic;
use std::sync::Arc;

const DEFAULT_INDEXED: usize = 32;

/// Sizes in bytes of the files that came and went.
pub(super) struct Sizes {
    pub(super) added: Vec<i64>,
    pub(super) removed: Vec<i64>,
}

/// What there is to say.
pub(super) struct Report<'a> {
    pub(super) n_partitions: usize,
    pub(super) n_bins: usize,
    pub(super) n_candidates: usize,
    /// Deletion vectors that are gone, and the rows they hid.
    pub(super) n_vectors: usize,
    pub(super) n_hidden: i64,
    pub(super) n_columns: usize,
    /// The columns with statistics.
    pub(super) indexed: IndexedColumns,
    /// By ZORDER BY.
    pub(super) ordered: bool,
    /// By the table's CLUSTER BY.
    pub(super) cubes: Option<&'a Cubes>,
    pub(super) started_ms: i64,
    pub(super) sizes: &'a Sizes,
}

impl Report<'_> {
    /// `operationMetrics` of the commit.
    pub(super) fn metrics(&self) -> Metrics {
        let mut sorted = self.sizes.added.clone();
        sorted.sort_unstable();
        let at = |part: usize| sorted.get(sorted.len() * part / 4).or(sorted.last()).copied().unwrap_or(0);
        vec![
            metric("numRemovedFiles", self.sizes.removed.len()),
            metric("numRemovedBytes", self.sizes.removed.iter().sum::<i64>()),
            metric("p25FileSize", at(1)),
            metric("numDeletionVectorsRemoved", self.n_vectors),
            metric("minFileSize", at(0)),
            metric("numAddedFiles", sorted.len()),
            metric("maxFileSize", at(4)),
            metric("p75FileSize", at(3)),
            metric("p50FileSize", at(2)),
            metric("numAddedBytes", sorted.iter().sum::<i64>()),
        ]
    }

    /// The result row.
    pub(super) fn rows(&self, root: &str) -> Result<Rows, Diagnostic> {
        let metrics_type = metrics_type();
        let metrics = struct_row(&metrics_type, &self.result())?;
        rows(vec![
            column("path", DataType::String, Arc::new(StringArray::from(vec![root]))),
            column("metrics", DataType::Struct(metrics_type), metrics),
        ])
    }

    fn result(&self) -> Value {
        let Sizes { added, removed } = self.sizes;
        let input = |files: &str| json!({ files: removed.len(), "size": removed.iter().sum::<i64>() });
        let none = |files: &str| json!({ files: 0, "size": 0 });
        let order = self.ordered.then(|| {
            json!({
                "strategyName": "all",
                "inputCubeFiles": none("num"),
                "inputOtherFiles": input("num"),
                "inputNumCubes": 0,
                "mergedFiles": input("num"),
                "numOutputCubes": self.n_partitions,
            })
        });
        let counted = |(n_files, size): (usize, i64)| json!({ "numFiles": n_files, "size": size });
        let clustering = self.cubes.map(|cubes| {
            json!({
                "inputZCubeFiles": counted(cubes.ordered),
                "inputOtherFiles": counted(cubes.others),
                "inputNumZCubes": cubes.n_cubes,
                "mergedFiles": input("numFiles"),
                "numOutputZCubes": self.n_partitions,
            })
        });
        let vectors = (self.n_vectors > 0).then(
            || json!({ "numDeletionVectorsRemoved": self.n_vectors, "numDeletionVectorRowsRemoved": self.n_hidden }),
        );
        // The reference looks at the number alone, not at a list of columns.
        let n_indexed = match self.indexed {
            IndexedColumns::All => self.n_columns,
            IndexedColumns::First(limit) => limit.min(self.n_columns),
            IndexedColumns::Named(_) => self.n_columns.min(DEFAULT_INDEXED),
        };
        json!({
            "numFilesAdded": added.len(),
            "numFilesRemoved": removed.len(),
            "filesAdded": size_stats(added),
            "filesRemoved": size_stats(removed),
            "partitionsOptimized": self.n_partitions,
            "zOrderStats": order,
            "clusteringStats": clustering,
            "numBins": self.n_bins,
            "numBatches": 1,
            "totalConsideredFiles": self.n_candidates,
            "totalFilesSkipped": self.n_candidates.saturating_sub(removed.len()),
            "preserveInsertionOrder": false,
            "numFilesSkippedToReduceWriteAmplification": 0,
            "numBytesSkippedToReduceWriteAmplification": 0,
            "startTimeMs": self.started_ms,
            "endTimeMs": self.started_ms,
            "totalClusterParallelism": 1,
            "totalScheduledTasks": 0,
            "deletionVectorStats": vectors,
            "numTableColumns": self.n_columns,
            "numTableColumnsWithStats": n_indexed,
        })
    }
}

fn size_stats(sizes: &[i64]) -> Value {
    let total: i64 = sizes.iter().sum();
    let average = if sizes.is_empty() { 0.0 } else { total as f64 / sizes.len() as f64 };
    json!({
        "min": sizes.iter().min(),
        "max": sizes.iter().max(),
        "avg": average,
        "totalFiles": sizes.len(),
        "totalSize": total,
    })
}

/// One struct value; fields that are left out are NULL.
fn struct_row(of: &StructType, value: &Value) -> Result<ArrayRef, Diagnostic> {
    let schema = Arc::new(arrow::datatypes::Schema::new(of.to_arrow().fields().clone()));
    let mut decoder = ReaderBuilder::new(schema).build_decoder().map_err(Diagnostic::internal)?;
    decoder.serialize(&[value]).map_err(Diagnostic::internal)?;
    let batch = decoder.flush().map_err(Diagnostic::internal)?;
    let batch = batch.ok_or_else(|| Diagnostic::internal("the metrics of OPTIMIZE got lost"))?;
    let row: ArrayRef = Arc::new(StructArray::from(batch));
    if row.len() == 1 { Ok(row) } else { Err(Diagnostic::internal("the metrics of OPTIMIZE are one row")) }
}

fn metrics_type() -> StructType {
    let long = |name: &str| StructField::new(name, DataType::Long);
    let group = |name: &str, fields: Vec<StructField>| StructField::new(name, DataType::Struct(StructType { fields }));
    let longs = |name: &str, names: &[&str]| group(name, names.iter().map(|name| long(name)).collect());
    let sizes = |name: &str| {
        let average = StructField::new("avg", DataType::Double);
        group(name, vec![long("min"), long("max"), average, long("totalFiles"), long("totalSize")])
    };
    let cube = |name: &str| longs(name, &["num", "size"]);
    let cubes = |name: &str| longs(name, &["numFiles", "size"]);
    StructType {
        fields: vec![
            long("numFilesAdded"),
            long("numFilesRemoved"),
            sizes("filesAdded"),
            sizes("filesRemoved"),
            long("partitionsOptimized"),
            group(
                "zOrderStats",
                vec![
                    StructField::new("strategyName", DataType::String),
                    cube("inputCubeFiles"),
                    cube("inputOtherFiles"),
                    long("inputNumCubes"),
                    cube("mergedFiles"),
                    long("numOutputCubes"),
                    long("mergedNumCubes"),
                ],
            ),
            group(
                "clusteringStats",
                vec![
                    cubes("inputZCubeFiles"),
                    cubes("inputOtherFiles"),
                    long("inputNumZCubes"),
                    cubes("mergedFiles"),
                    long("numOutputZCubes"),
                ],
            ),
            long("numBins"),
            long("numBatches"),
            long("totalConsideredFiles"),
            long("totalFilesSkipped"),
            StructField::new("preserveInsertionOrder", DataType::Boolean),
            long("numFilesSkippedToReduceWriteAmplification"),
            long("numBytesSkippedToReduceWriteAmplification"),
            long("startTimeMs"),
            long("endTimeMs"),
            long("totalClusterParallelism"),
            long("totalScheduledTasks"),
            longs(
                "autoCompactParallelismStats",
                &[
                    "maxClusterActiveParallelism",
                    "minClusterActiveParallelism",
                    "maxSessionActiveParallelism",
                    "minSessionActiveParallelism",
                ],
            ),
            longs("deletionVectorStats", &["numDeletionVectorsRemoved", "numDeletionVectorRowsRemoved"]),
            long("numTableColumns"),
            long("numTableColumnsWithStats"),
        ],
    }
}
