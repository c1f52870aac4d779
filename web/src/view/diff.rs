//! Only the rows that are not what they were.

use crate::view::bits;
use crate::view::markup::html;
use crate::view::rows::{Line, RowsProps, rows, widths};
use crate::view::words;
use std::borrow::Cow;
use trace::{Difference, Outcome, RowImage, RowState, Scene, Trace};
use yew::prelude::*;

/// The differences decided up to the scene's step, in one table.
pub fn diff(trace: &Trace, scene: &Scene, only: Option<Outcome>) -> Html {
    let differences = trace.differences(scene);
    let n_same = n_untouched(trace, scene, &differences);
    let lines: Vec<Line<'_>> = differences.iter().filter_map(line).collect();
    let columns = &trace.target.columns;
    let cells = lines.iter().flat_map(|line| std::iter::once(line.cells).chain(line.before));
    let caption = format!("What differs in {}", trace.target.name);
    let table = rows(&RowsProps {
        caption: &caption,
        columns,
        lines: &lines,
        widths: &widths(columns, cells),
        head: true,
        only,
    });
    html! {
        <section class="side" aria-label="Differences">
            <h3>{ "What differs in " }{ bits::code(&trace.target.name) }
                { bits::facts(if scene.committed { "committed" } else { "decided so far, not committed" }) }
            </h3>
            if lines.is_empty() {
                { bits::empty(if trace.summarised { "There are too many rows to show one by one: see Files." } else { "No row differs yet: step on, or the statement changes none." }) }
            } else {
                <div class="file plain">{ table }</div>
            }
            if !trace.summarised { <p class="kept">{ format!("{} the same as before", words::count(n_same, "row")) }</p> }
        </section>
    }
}

fn line<'a>(difference: &Difference<'a>) -> Option<Line<'a>> {
    let cells: &'a RowImage = difference.after.or(difference.before)?;
    let (outcome, clause, focus) = (Some(difference.outcome), difference.clause, difference.focus);
    let before = difference.before.filter(|_| difference.after.is_some());
    Some(Line { cells, state: Cow::Owned(RowState { outcome, clause, focus, ..RowState::default() }), before })
}

fn n_untouched(trace: &Trace, scene: &Scene, differences: &[Difference<'_>]) -> u64 {
    let n_rows: u64 = trace.target.files.iter().map(|file| file.n_rows).sum();
    let n_gone = differences.iter().filter(|difference| difference.before.is_some()).count() as u64;
    debug_assert!(trace.summarised || scene.step <= trace.steps.len());
    n_rows.saturating_sub(n_gone)
}
