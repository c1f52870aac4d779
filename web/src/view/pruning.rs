//! Why each file was read or skipped, by which part of the condition and which statistic, and what would have skipped it.

use crate::model::Shown;
use crate::msg::{Act, DeskMsg, Msg};
use crate::view::bits;
use crate::view::button::{Look, button};
use crate::view::code::with_code;
use crate::view::glyph::glyph;
use crate::view::markup::html;
use crate::view::words;
use protocol::Edit;
use trace::{FilesEvent, Reason, Scene, Step, Trace};
use yew::prelude::*;

/// Where the statement stands in the text that ran, for edits.
pub struct Script {
    start: u32,
}

impl Script {
    /// The place of the statement on the timeline; none where the text has changed or two runs are compared.
    pub fn of(shown: &Shown, run: usize, is_fresh: bool) -> Option<Script> {
        let statement = shown.report.statements.get(shown.statement?)?;
        (is_fresh && run == 0 && shown.twin.is_none()).then_some(Script { start: statement.span.0 })
    }
}

/// The edit that joins a conjunct to the statement's condition; `None` for a statement without one.
pub fn narrowed(trace: &Trace, start: u32, conjunct: &str, label: String) -> Option<Edit> {
    let condition = trace.condition.as_deref()?;
    let at = start + u32::try_from(trace.statement.find(condition)?).ok()?;
    let is_disjunction = condition.to_ascii_uppercase().split_whitespace().any(|word| word == "OR");
    let condition_text = if is_disjunction { format!("({condition})") } else { condition.to_string() };
    let span = (at, at + u32::try_from(condition.len()).ok()?);
    Some(Edit { label, span, replacement: format!("{condition_text} AND {conjunct}") })
}

/// The decisions made up to the scene's step.
pub fn pruning(trace: &Trace, scene: &Scene, script: Option<&Script>, send: &Callback<Msg>) -> Html {
    let done = trace.steps.iter().take(scene.step);
    let decisions: Vec<Html> = done.filter_map(|step| decision(trace, step, script, send)).collect();
    let tally = &scene.tally;
    html! {
        <div class="pruning">
            if decisions.is_empty() {
                { bits::empty(if trace.target.files.is_empty() { "The table has no files, so there is nothing to prune." } else { "No file has been decided about yet: step into the phase Prune." }) }
            } else {
                <p class="facts">{ format!("{} skipped, {} read; decided from the log alone, before any file is opened.",
                    words::count(tally.files_skipped, "file"), words::count(tally.files_scanned, "file")) }</p>
                if tally.files_skipped == 0 && scene.tally.files_scanned > 0 {
                    { bits::empty("No file was pruned: nothing in the condition rules one out by its partition values or statistics.") }
                }
                <div class="scroll" tabindex="0" role="group" aria-label="Decisions about files"><table class="decisions">
                    <caption class="unseen">{ "Why each file was read or skipped" }</caption>
                    <thead><tr>{ bits::column("file") }{ bits::column("because") }{ bits::column("what would skip it") }</tr></thead>
                    <tbody>{ for decisions }</tbody>
                </table></div>
            }
        </div>
    }
}

fn decision(trace: &Trace, step: &Step, script: Option<&Script>, send: &Callback<Msg>) -> Option<Html> {
    let one = |file: &u32| trace.file_label(*file);
    let many = |files: &Vec<u32>| words::count(files.len() as u64, "file");
    let (label, is_kept, reason) = match step {
        Step::SkipFile { file, reason } => (one(file), false, reason),
        Step::ScanFile { file, reason } => (one(file), true, reason),
        Step::Files { event: FilesEvent::Skipped { reason }, files } => (many(files), false, reason),
        Step::Files { event: FilesEvent::Scanned { reason }, files } => (many(files), true, reason),
        _ => return None,
    };
    let (sign, word, class) = if is_kept { ("◔", "read", "scanned") } else { ("⧄", "skipped", "skipped") };
    Some(html! {
        <tr class={class}>
            <th scope="row">{ &label }<small>{ glyph(sign) }{ " " }{ word }</small></th>
            <td>
                { with_code(&reason.text) }
                if let Some(statistic) = &reason.statistic {
                    { bits::small(format!("statistic of {}: {statistic}", reason.column.as_deref().unwrap_or("the file"))) }
                }
            </td>
            <td>{ if is_kept { counterfactual(trace, &label, reason, script, send) } else { html! { { bits::small("skipped already") } } } }</td>
        </tr>
    })
}

fn counterfactual(trace: &Trace, label: &str, reason: &Reason, script: Option<&Script>, send: &Callback<Msg>) -> Html {
    let Some(conjunct) = &reason.would_skip else {
        return html! { { bits::small("no single bound rules out this file alone") } };
    };
    let edit = script.and_then(|script| narrowed(trace, script.start, conjunct, format!("skip {label}")));
    html! {
        <>
            { bits::code(format!("AND {conjunct}")) }
            { for edit.map(|edit| button(send, Act::Desk(DeskMsg::Apply(edit)), "try it", Look { class: "link", title: "Put it into the text", ..Look::default() })) }
        </>
    }
}
