//! Telling which rows break a rule, and with which values.

use arrow::array::Array;
use arrow::record_batch::RecordBatch;
use delta::schema::StructType;
use query::display;
use spec::{Diagnostic, RowSample};

/// How many rows a complaint shows.
const SHOWN: usize = 5;

/// `DELTA_VIOLATE_CONSTRAINT_WITH_VALUES` with the values of the first row in the message.
pub(super) fn violation(
    name: &str,
    text: &str,
    schema: &StructType,
    used: &[usize],
    rows: &RecordBatch,
    failing: &[u64],
) -> Diagnostic {
    let first = failing.first().copied().unwrap_or_default();
    let value = |idx: &usize| {
        let field = schema.fields.get(*idx)?;
        Some(format!(" - {} : {}", field.name, cell(rows, *idx, first).unwrap_or_else(|| "null".into())))
    };
    let values: Vec<String> = used.iter().filter_map(value).collect();
    let message = format!("{name} ({text}) violated by row with values:\n{}", values.join("\n"));
    let mut problem = Diagnostic::new("DELTA_VIOLATE_CONSTRAINT_WITH_VALUES", "23001", message, None);
    problem.hint = Some(if name == "Generated Column" {
        "The table computes this column: leave it out, or give exactly the value that it computes.".into()
    } else {
        "A row violates a CHECK unless the condition is true: NULL is a violation too.".into()
    });
    problem.rows.push(sample(schema, rows, failing));
    problem
}

/// The rows that are to blame, as text.
pub(super) fn sample(schema: &StructType, rows: &RecordBatch, failing: &[u64]) -> RowSample {
    let n_columns = rows.num_columns().min(schema.fields.len());
    let texts = failing.iter().take(SHOWN).map(|row| (0..n_columns).map(|idx| cell(rows, idx, *row)).collect());
    RowSample {
        title: "rows that may not be written".into(),
        columns: schema.fields.iter().take(n_columns).map(|field| field.name.clone()).collect(),
        rows: texts.collect(),
        total: failing.len(),
        spans: Vec::new(),
    }
}

fn cell(rows: &RecordBatch, column: usize, row: u64) -> Option<String> {
    let array = rows.columns().get(column)?;
    let text = display(&array.slice(row as usize, 1)).ok()?;
    text.is_valid(0).then(|| text.value(0).to_owned())
}
