//! What two runs on the same data cost.

use crate::view::markup::html;
use crate::view::words;
use trace::{Scene, Tally};
use yew::prelude::*;

type Counter = (&'static str, &'static str, fn(&Tally) -> u64);

const COUNTERS: [Counter; 4] = [
    ("files scanned", "not in DESCRIBE HISTORY", |tally| tally.files_scanned),
    ("files skipped", "not in DESCRIBE HISTORY", |tally| tally.files_skipped),
    ("files rewritten", "", |tally| tally.files_touched),
    ("rows copied", "", |tally| tally.copied),
];

/// The difference bar: one pair of bars per counter, up to the current step.
pub fn difference(first: &Scene, second: &Scene, labels: &(String, String)) -> Html {
    html! {
        <table class="difference">
            <caption>{ "What the two runs have cost so far" }</caption>
            <thead><tr><td></td><th scope="col">{ &labels.0 }</th><th scope="col">{ &labels.1 }</th></tr></thead>
            <tbody>{ for COUNTERS.iter().map(|(name, note, of)| {
                let (first, second) = (of(&first.tally), of(&second.tally));
                let most = first.max(second).max(1).to_string();
                let bar = |n: u64| html! {
                    <td><meter min="0" max={most.clone()} value={n.to_string()} aria-hidden="true" /><span class="num">{ words::thousands(n) }</span></td>
                };
                html! { <tr><th scope="row">{ *name }<small>{ *note }</small></th>{ bar(first) }{ bar(second) }</tr> }
            }) }</tbody>
        </table>
    }
}
