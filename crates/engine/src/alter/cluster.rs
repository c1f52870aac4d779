//! CLUSTER BY: other clustering columns, for files that are written from now on.

use super::{Altering, Draft};
use crate::clustering;
use serde_json::Value;
use spec::{Diagnostic, Name};

/// The table clustered by these columns, or by none. A table that is clustered already gets no new metadata.
pub(super) fn cluster_by(table: &Altering<'_>, names: &[Name]) -> Result<Draft, Diagnostic> {
    let snapshot = &table.snapshot;
    if !snapshot.partition_columns().is_empty() {
        let message = "CLUSTER BY is not allowed on a partitioned table.";
        let condition = "DELTA_ALTER_TABLE_CLUSTER_BY_ON_PARTITIONED_TABLE_NOT_ALLOWED";
        return Err(Diagnostic::new(condition, "42000", message, table.span));
    }
    let columns = clustering::columns(snapshot.schema(), names)?;
    let text =
        |paths: &[Vec<String>]| Value::String(paths.iter().map(|path| path.join(".")).collect::<Vec<_>>().join(","));
    let parameters =
        vec![("oldClusteringColumns", text(&clustering::of(snapshot))), ("newClusteringColumns", text(&columns))];
    let mut draft = table.draft("CLUSTER BY", parameters);
    draft.requested.features.insert(clustering::FEATURE.to_owned());
    draft.domain = Some(clustering::domain_of(snapshot.schema(), &columns));
    Ok(draft)
}
