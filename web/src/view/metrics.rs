//! Counts: those of the steps so far, and those that the commit recorded.

use crate::view::words;
use trace::{Scene, Tally, Trace};
use yew::prelude::*;

/// Two tallies that do not know each other.
pub fn metrics(trace: &Trace, scene: &Scene) -> Html {
    let so_far = tally(&scene.tally);
    let recorded = trace.commit.as_ref().filter(|_| scene.committed);
    html! {
        <div class="metrics">
            <table>
                <caption>{ "Counted from the steps so far" }</caption>
                <tbody>{ for so_far.into_iter().map(|(name, n, note)| html! {
                    <tr><th scope="row">{ name }<small>{ note }</small></th><td class="num">{ words::thousands(n) }</td></tr>
                }) }</tbody>
            </table>
            if let Some(commit) = recorded {
                <table>
                    <caption>{ "operationMetrics of the commit" }</caption>
                    <tbody>{ for commit.metrics.iter().map(|(name, value)| html! {
                        <tr><th scope="row">{ name }</th><td class="num">{ value }</td></tr>
                    }) }</tbody>
                </table>
            } else {
                <p class="empty">{ "The commit has not recorded any metrics yet." }</p>
            }
        </div>
    }
}

fn tally(tally: &Tally) -> Vec<(&'static str, u64, &'static str)> {
    let unrecorded = "not in DESCRIBE HISTORY";
    vec![
        ("source rows", tally.source_rows, ""),
        ("files skipped", tally.files_skipped, unrecorded),
        ("files scanned", tally.files_scanned, unrecorded),
        ("files touched", tally.files_touched, unrecorded),
        ("pairs matched", tally.pairs, unrecorded),
        ("rows inserted", tally.inserted, ""),
        ("rows updated", tally.updated, ""),
        ("rows deleted", tally.deleted, ""),
        ("rows updated, not matched by source", tally.updated_by_source, ""),
        ("rows deleted, not matched by source", tally.deleted_by_source, ""),
        ("rows copied unchanged", tally.copied, ""),
        ("rows written", tally.rows_written, ""),
        ("files added", tally.files_added, ""),
        ("files removed", tally.files_removed, ""),
        ("files with hidden rows", tally.files_hidden, ""),
    ]
}
