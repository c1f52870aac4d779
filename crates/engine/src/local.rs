//! Rows that a program handed over or a statement gave back, as a table without files.

use arrow::compute::cast;
use arrow::datatypes::{Field, Schema};
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use async_trait::async_trait;
use query::{Column, Predicate, Table};
use spec::{Diagnostic, Ident, Name, Span};
use std::sync::Arc;

/// Stands before the number of such rows; no statement of SQL can write it without quotes.
const SCHEMA: &str = "@rows";

/// Rows in memory. They stay what they are, whatever happens to the tables they came from.
#[derive(Debug)]
pub(crate) struct LocalRows {
    columns: Vec<Column>,
    batches: Vec<RecordBatch>,
}

impl LocalRows {
    /// The rows under the types that their columns declare: names of nested fields, too, are those of the types.
    ///
    /// # Errors
    /// Values that cannot be of these types.
    pub(crate) fn new(columns: Vec<Column>, batches: &[RecordBatch]) -> Result<Self, Diagnostic> {
        let fields: Vec<Field> =
            columns.iter().map(|column| Field::new(&column.name, column.data_type.to_arrow(), true)).collect();
        let schema = Arc::new(Schema::new(fields));
        let conformed = batches.iter().map(|batch| {
            let arrays = batch.columns().iter().zip(schema.fields());
            let arrays = arrays.map(|(array, field)| cast(array, field.data_type())).collect::<Result<Vec<_>, _>>();
            let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
            arrays.and_then(|arrays| RecordBatch::try_new_with_options(Arc::clone(&schema), arrays, &options))
        });
        let batches = conformed.collect::<Result<Vec<_>, _>>().map_err(Diagnostic::internal)?;
        Ok(Self { columns, batches })
    }
}

/// The name under which rows are kept.
pub(crate) fn name_of(number: usize) -> Name {
    let part = |text: String| Ident::new(text, Span::default());
    Name { parts: vec![part(SCHEMA.to_owned()), part(number.to_string())] }
}

/// The number of the rows that a name stands for.
pub(crate) fn number_of(name: &Name) -> Option<usize> {
    match name.parts.as_slice() {
        [schema, number] if schema.value == SCHEMA => number.value.parse().ok(),
        _ => None,
    }
}

#[async_trait]
impl Table for LocalRows {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn is_delta(&self) -> bool {
        false
    }

    fn is_past(&self) -> bool {
        true
    }

    fn identifier(&self) -> &str {
        SCHEMA
    }

    fn n_bytes(&self) -> Option<u64> {
        None
    }

    async fn scan(&self, projection: &[usize], _: &[Predicate], _: usize) -> Result<Vec<Vec<RecordBatch>>, Diagnostic> {
        let project = |batch: &RecordBatch| batch.project(projection).map_err(Diagnostic::internal);
        Ok(vec![self.batches.iter().map(project).collect::<Result<Vec<_>, _>>()?])
    }
}
