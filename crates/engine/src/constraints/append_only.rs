//! `delta.appendOnly`: UPDATE and DELETE are refused before they look for rows; a MERGE only where it would remove a
//! file, which the transaction itself checks.

use delta::properties::is_on;
use delta::snapshot::Snapshot;
use spec::{Diagnostic, Span};

/// Refuses to change rows of a table that takes only new ones.
///
/// # Errors
/// `DELTA_CANNOT_MODIFY_APPEND_ONLY`.
pub(crate) fn refuse_changes(snapshot: &Snapshot, span: Span) -> Result<(), Diagnostic> {
    if !is_on(snapshot.metadata(), "delta.appendOnly") {
        return Ok(());
    }
    let message = "This table only takes new rows: updates and deletes are not allowed.";
    Err(Diagnostic::new("DELTA_CANNOT_MODIFY_APPEND_ONLY", "42809", message, span)
        .with_hint("ALTER TABLE … SET TBLPROPERTIES ('delta.appendOnly' = 'false') allows changes again."))
}
