//! Rows × files: a cell per row while they are few, shares of a bar else; and what the rewrite cost.

use crate::log_entries::cardinality;
use crate::view::bits;
use crate::view::glyph::glyph;
use crate::view::markup::html;
use crate::view::words;
use trace::{Amplification, FileRef, FileStatus, Outcome, Points, Scene, Strip, Tally, Trace};
use yew::prelude::*;

/// With more files than this only those are drawn that something happens to, and never more than this many of a kind.
const MAX_STRIPS: usize = 40;

/// The map, under the one number that it is about.
pub fn files(trace: &Trace, scene: &Scene, only: Option<Outcome>) -> Html {
    html! { <div class="heat">{ amplification(trace, &scene.tally) }{ map(trace, scene, None, only) }</div> }
}

/// What is written for what changes.
pub fn amplification(trace: &Trace, tally: &Tally) -> Html {
    let rows = |n: u64| words::count(n, "row");
    match tally.amplification() {
        Amplification::Nothing => {
            let will = trace.steps.iter().any(|step| step.phase() == trace::Phase::Write);
            let sentence = if will { "No row has been written yet." } else { "This statement writes no data file." };
            html! { <p id="amplification" class="empty">{ sentence }</p> }
        }
        Amplification::ForNothing { written } => html! {
            <p id="amplification" class="amplification"><strong>{ format!("{} rewritten for nothing", rows(written)) }</strong>{ ": no row changed." }</p>
        },
        Amplification::Factor { written, changed } => html! {
            <p id="amplification" class="amplification"><strong>{ format!("{}×", quotient(written, changed)) }</strong>
                { format!(" write amplification: {} written ÷ {} changed", rows(written), rows(changed)) }
            </p>
        },
    }
}

/// One decimal below a hundred, none above.
fn quotient(written: u64, changed: u64) -> String {
    let tenths = (written.saturating_mul(10) + changed / 2) / changed.max(1);
    let whole = tenths / 10;
    if whole >= 100 { words::thousands(whole) } else { format!("{whole}.{}", tenths % 10) }
}

/// The map alone; `lit` lights what a metric counts.
pub fn map(trace: &Trace, scene: &Scene, lit: Option<Points>, only: Option<Outcome>) -> Html {
    let strips = trace.strips(scene);
    let n_all = strips.len();
    let is_dull = |strip: &Strip| {
        let is_passed_by = matches!(strip.status, Some(FileStatus::Skipped | FileStatus::Left | FileStatus::Waiting));
        is_passed_by && strip.counts.is_empty()
    };
    let (old, new): (Vec<&Strip>, Vec<&Strip>) = strips.iter().partition(|strip| strip.status.is_some());
    let old = old.into_iter().filter(|strip| n_all <= MAX_STRIPS || !is_dull(strip)).take(MAX_STRIPS);
    let shown: Vec<&Strip> = old.chain(new.into_iter().take(MAX_STRIPS)).collect();
    let n_hidden = (n_all - shown.len()) as u64;
    html! {
        <>
            <table class="map">
                <caption class="unseen">{ "Rows of each file and what became of them" }</caption>
                <thead class="unseen"><tr>{ bits::column("file") }{ bits::column("rows") }</tr></thead>
                <tbody>{ for shown.iter().map(|strip| row(trace, strip, scene, lit, only)) }</tbody>
            </table>
            if n_all == 0 { { bits::empty("The table has no files yet.") } }
            if n_hidden > 0 { { bits::more(format!("and {} that are not drawn", words::count(n_hidden, "file"))) } }
        </>
    }
}

fn row(trace: &Trace, strip: &Strip, scene: &Scene, lit: Option<Points>, only: Option<Outcome>) -> Html {
    let (sign, word, class) = match strip.status {
        Some(status) => words::file_status(status),
        None if scene.committed => ("✓", "added", "added"),
        None => ("◍", "orphan", "orphan"),
    };
    let is_lit = lit.is_some_and(|lit| lit.is_of_files() && lit.lights(strip, None));
    let rows = if strip.cells.is_empty() { shares(strip) } else { cells(strip, lit, only) };
    let vector = vector(trace, scene, strip);
    html! {
        <tr class={format!("strip {class}{}", if is_lit { " lit" } else { "" })}>
            <th scope="row">{ &strip.label }<small>{ glyph(sign) }{ " " }{ word }</small></th>
            <td><div class="cells" aria-hidden="true">{ rows }</div><span class="counts">{ counts(strip) }</span>{ for vector.map(|vector| html! { <span class="counts vector">{ vector }</span> }) }</td>
        </tr>
    }
}

fn cells(strip: &Strip, lit: Option<Points>, only: Option<Outcome>) -> Html {
    let is_marked = |outcome: &Option<Outcome>| {
        strip.status == Some(FileStatus::RowsHidden) && outcome.is_some_and(Outcome::leaves)
    };
    let cell = |(idx, row): (usize, Option<Option<Outcome>>)| {
        let Some(outcome) = row else {
            let title = format!("row {}: hidden by an earlier deletion vector", idx + 1);
            return html! { <span class="cell dv gone" {title}>{ "⊘" }</span> };
        };
        let look = outcome.map(words::outcome);
        let vector = is_marked(&outcome);
        let is_lit = lit.is_some_and(|lit| !lit.is_of_files() && lit.lights(strip, outcome));
        let is_dim = (only.is_some() && only != outcome) || (lit.is_some() && !is_lit);
        let class = format!(
            "cell {}{}{}{}",
            look.map_or("", |look| look.class),
            if vector { " dv" } else { "" },
            if is_lit { " lit" } else { "" },
            if is_dim { " dim" } else { "" }
        );
        let title = format!("row {}: {}", idx + 1, look.map_or("nothing happened to it", |look| look.word));
        html! { <span {class} {title}>{ if vector { "⊘" } else { look.map_or("", |look| look.glyph) } }</span> }
    };
    strip.stored().into_iter().enumerate().map(cell).collect()
}

/// The bitmap in words: the cells that it marks, and what the log says of it.
fn vector(trace: &Trace, scene: &Scene, strip: &Strip) -> Option<String> {
    let Some(FileRef::Old(file)) = strip.file else { return None };
    let file = trace.target.files.get(file as usize)?;
    let n_before = strip.hidden.len() as u64;
    let is_hiding = strip.status == Some(FileStatus::RowsHidden);
    let leaving = strip.counts.iter().filter(|(outcome, _)| is_hiding && outcome.leaves());
    let n_marked = n_before + leaving.map(|(_, rows)| rows).sum::<u64>();
    if n_marked == 0 {
        return None;
    }
    let of = words::count(file.n_rows + n_before, "row");
    let mut told = format!("⊘ deletion vector: marks {} of {of}", words::thousands(n_marked));
    let entry = trace.commit.as_ref().filter(|_| scene.committed && is_hiding);
    let logged = entry.and_then(|entry| cardinality(&entry.log_text, &file.path));
    if let Some(cardinality) = logged {
        told.push_str(&format!("; cardinality {cardinality} in the log"));
    }
    // Of a large file the earlier ones are known from the log alone.
    let n_earlier = logged.map_or(n_before, |cardinality| n_before + cardinality.saturating_sub(n_marked));
    if n_earlier > 0 {
        told.push_str(&format!(", {n_earlier} of them by earlier commits"));
    }
    Some(told)
}

/// Bars as wide as their share; colours and glyphs as everywhere, widths as attributes, for no style may be inline.
fn shares(strip: &Strip) -> Html {
    let total = strip.n_rows.max(1);
    let mut before = 0;
    let bars = strip.counts.iter().map(|(outcome, rows)| {
        let x = before * 1000 / total;
        before += rows;
        let width = before * 1000 / total - x;
        html! { <rect class={words::outcome(outcome).class} x={x.to_string()} y="0" width={width.to_string()} height="10" /> }
    });
    html! { <svg class="share" viewBox="0 0 1000 10" preserveAspectRatio="none">{ for bars }</svg> }
}

fn counts(strip: &Strip) -> String {
    let mut parts: Vec<String> = strip
        .counts
        .iter()
        .filter(|(outcome, _)| *outcome != Outcome::Ignored)
        .map(|(outcome, rows)| {
            format!("{} {} {}", words::outcome(outcome).glyph, words::thousands(rows), words::outcome(outcome).word)
        })
        .collect();
    if parts.is_empty() || matches!(strip.file, Some(FileRef::Old(_))) && strip.counts.total() < strip.n_rows {
        parts.insert(0, words::count(strip.n_rows, "row"));
    }
    parts.join(" · ")
}
