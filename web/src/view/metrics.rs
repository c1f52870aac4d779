//! Counts: those of the steps so far, and those that the commit recorded. A recorded one lights what it counts.

use crate::model::Look;
use crate::msg::{Act, Msg, ViewMsg};
use crate::view::bits;
use crate::view::button::{self, button};
use crate::view::heat::map;
use crate::view::markup::html;
use crate::view::words;
use trace::{CommitImage, Points, Scene, Tally, Trace, points};
use yew::prelude::*;

/// Two tallies that do not know each other, and the map of what the pressed one counts.
pub fn metrics(trace: &Trace, scene: &Scene, look: &Look, send: &Callback<Msg>) -> Html {
    let so_far = tally(&scene.tally);
    let recorded = trace.commit.as_ref().filter(|_| scene.committed);
    html! {
        <div class="metrics">
            if let Some(commit) = recorded { { of_commit(trace, scene, commit, look, send) } } else {
                { bits::empty("The commit has not recorded any metrics yet.") }
            }
            <table>
                <caption>{ "Counted from the steps so far" }</caption>
                <tbody>{ for so_far.into_iter().map(|(name, n, note)| html! {
                    <tr><th scope="row">{ name }{ bits::small(note) }</th><td class="num">{ words::thousands(n) }</td></tr>
                }) }</tbody>
            </table>
        </div>
    }
}

fn of_commit(trace: &Trace, scene: &Scene, commit: &CommitImage, look: &Look, send: &Callback<Msg>) -> Html {
    let lit = look.lit.as_deref().and_then(|metric| points(&trace.operation, metric));
    html! {
        <section aria-label="Metrics of the commit">
            if let Some(lit) = lit { { lights(trace, scene, lit, look) } } else {
                { bits::empty("Press a metric to light what it counts.") }
            }
            <table>
                <caption>{ "operationMetrics of the commit" }</caption>
                <tbody>{ for commit.metrics.iter().map(|(name, value)| {
                    let shown = if points(&trace.operation, name).is_some() { pointing(name, look, send) } else { html! { { name } } };
                    html! { <tr><th scope="row">{ shown }</th><td class="num">{ value }</td></tr> }
                }) }</tbody>
            </table>
        </section>
    }
}

fn pointing(name: &str, look: &Look, send: &Callback<Msg>) -> Html {
    let pressed = Some(look.lit.as_deref() == Some(name));
    let props = button::Look { class: "metric", title: "Light what it counts", pressed, ..button::Look::default() };
    button(send, Act::View(ViewMsg::Light(name.to_string())), name, props)
}

fn lights(trace: &Trace, scene: &Scene, lit: Points, look: &Look) -> Html {
    let noun = match lit {
        Points::RemovedFiles | Points::ReplacedFiles | Points::NewFiles => "file",
        Points::SourceRows => "source row",
        Points::OldRows(_) | Points::NewRows(_) => "row",
    };
    let count = words::count(trace.count_lit(scene, lit), noun);
    html! {
        <>
            <p id="lit" class="lights" role="status">{ format!("{} counts {count}", look.lit.as_deref().unwrap_or_default()) }</p>
            if lit != Points::SourceRows { { map(trace, scene, Some(lit), None) } }
        </>
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
