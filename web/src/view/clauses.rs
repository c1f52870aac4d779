//! Row × clause: the first clause whose condition is true acts; what stands behind it is not asked.

use crate::msg::{Act, Msg, PlayMsg, ViewMsg};
use crate::view::bits;
use crate::view::button::{Look, button};
use crate::view::markup::html;
use crate::view::words;
use trace::{ClauseKind, Firing, FiringGrid, FiringRow, Scene, Trace, Truth};
use yew::prelude::*;

/// Rows drawn at most.
const MAX_ROWS: usize = 200;

/// The grid up to the scene's step.
pub fn clauses(trace: &Trace, scene: &Scene, send: &Callback<Msg>) -> Html {
    let grid = trace.firing(scene);
    let is_done = scene.step == trace.steps.len();
    let shown = grid.rows.iter().take(MAX_ROWS);
    let n_hidden = grid.n_counted + grid.rows.len().saturating_sub(MAX_ROWS) as u64;
    html! {
        <div class="firing">
            <ol class="clause-list">{ for trace.clauses.iter().enumerate().map(|(idx, clause)| {
                let is_dead = is_done && grid.dead().any(|dead| dead == idx);
                html! {
                    <li class={if is_dead { "dead" } else { "" }}>
                        { bits::code(&clause.text) }
                        { bits::facts(fate(&grid, idx, is_done)) }
                        if is_dead { <strong class="flag">{ "dead" }</strong> }
                    </li>
                }
            }) }</ol>
            if grid.rows.is_empty() {
                { bits::empty(if grid.n_counted > 0 { "There are too many rows to show one by one; the counts are exact." } else { "No row has met a clause yet: step into the phase Classify." }) }
            } else {
                { table(trace, shown, send) }
            }
            if n_hidden > 0 && !grid.rows.is_empty() { { bits::more(format!("and {} that are only counted", words::count(n_hidden, "row"))) } }
        </div>
    }
}

fn table<'a>(trace: &Trace, shown: impl Iterator<Item = &'a FiringRow>, send: &Callback<Msg>) -> Html {
    html! {
        <div class="scroll" tabindex="0" role="group" aria-label="Clause firing grid">
            <table class="grid-of-clauses">
                <caption class="unseen">{ "Which clause acts on which row" }</caption>
                <thead><tr>
                    { bits::column("row") }
                    { for trace.clauses.iter().enumerate().map(|(idx, clause)| html! {
                        <th scope="col" title={clause.text.clone()}>{ idx + 1 }{ bits::small(kind(clause.kind)) }</th>
                    }) }
                    { bits::column("outcome") }
                </tr></thead>
                <tbody>{ for shown.map(|row| one_row(trace, row, send)) }</tbody>
            </table>
        </div>
    }
}

fn one_row(trace: &Trace, row: &FiringRow, send: &Callback<Msg>) -> Html {
    let label = trace.pair_label(row.pair);
    let look = words::outcome(row.outcome);
    let step = Look { class: "link", title: "Go to the step that tells it", ..Look::default() };
    let why = Look { class: "link", title: "Look into the conditions for this row", ..Look::default() };
    html! {
        <tr class={look.class}>
            <th scope="row">
                { button(send, Act::Play(PlayMsg::Step(row.step)), &label, step) }
                if trace.logic.is_some() { { button(send, Act::View(ViewMsg::Ask(Some(row.pair))), "why", why) } }
            </th>
            { for row.cells.iter().map(|cell| firing(*cell)) }
            <td class="outcome"><span aria-hidden="true">{ look.glyph }</span>{ " " }{ look.word }</td>
        </tr>
    }
}

fn firing(cell: Firing) -> Html {
    let (class, sign, word) = match cell {
        Firing::OtherKind => ("other", "", "for rows of another kind"),
        Firing::NotTrue(Some(Truth::Null)) => ("null-truth", "NULL", ", so not true"),
        Firing::NotTrue(Some(Truth::False)) => ("false-truth", "FALSE", ""),
        Firing::NotTrue(_) => ("false-truth", "not true", ""),
        Firing::Acts => ("acts", "✓ acts", ", the first that is true"),
        Firing::NotAsked => ("unasked", "–", "not asked: an earlier clause acts"),
    };
    html! { <td {class} title={format!("{sign}{word}")}>{ sign }<span class="unseen">{ word }</span></td> }
}

fn kind(kind: ClauseKind) -> &'static str {
    match kind {
        ClauseKind::Matched => "matched",
        ClauseKind::NotMatched => "not matched",
        ClauseKind::NotMatchedBySource => "not matched by source",
        ClauseKind::Statement => "every hit",
    }
}

fn fate(grid: &FiringGrid, clause: usize, is_done: bool) -> String {
    let acted = grid.acted.get(clause).copied().unwrap_or(0);
    let asked = grid.asked.get(clause).copied().unwrap_or(0);
    match (acted, asked, is_done) {
        (0, _, false) => "has not acted yet".to_string(),
        (0, 0, true) => "no row ever reached it".to_string(),
        (0, asked, true) => format!("asked about {}, true for none", words::count(asked, "row")),
        (acted, _, _) => format!("acted on {}", words::count(acted, "row")),
    }
}
