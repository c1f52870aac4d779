//! Diagnostics as the page shows them.

use protocol::{Edit, ErrorReport, RowSample};
use spec::{Diagnostic, Span};

/// A complaint about the learner's script.
pub(crate) fn report(diagnostic: &Diagnostic) -> ErrorReport {
    let sample = |sample: &spec::RowSample| RowSample {
        title: sample.title.clone(),
        columns: sample.columns.clone(),
        rows: sample.rows.clone(),
        total: sample.total as u64,
        spans: sample.spans.iter().copied().map(range).collect(),
    };
    let edit = |edit: &spec::Edit| Edit {
        label: edit.label.clone(),
        span: range(edit.span),
        replacement: edit.replacement.clone(),
    };
    let message = match &diagnostic.wrapped_in {
        Some(outer) => format!("[{outer}] {}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    ErrorReport {
        condition: diagnostic.condition.clone(),
        sqlstate: diagnostic.sqlstate.clone(),
        message,
        span: diagnostic.span.map(range),
        rows: diagnostic.rows.iter().map(sample).collect(),
        hint: diagnostic.hint.clone(),
        edits: diagnostic.edits.iter().map(edit).collect(),
    }
}

/// A complaint about a script that the learner does not see: no place in the learner's text is to blame.
pub(crate) fn report_elsewhere(diagnostic: &Diagnostic, script: &str) -> ErrorReport {
    let mut report = report(diagnostic);
    report.message = format!("{script}: {}", report.message);
    report.span = None;
    report.edits.clear();
    report
}

/// A span as the protocol has it.
pub(crate) fn range(span: Span) -> (u32, u32) {
    (span.start as u32, span.end as u32)
}
