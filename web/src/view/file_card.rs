//! A data file: what is known about it, what was decided about it, its rows.

use crate::view::bits;
use crate::view::glyph::glyph;
use crate::view::markup::html;
use crate::view::rows::{self, Line, RowsProps, cell};
use crate::view::words;
use trace::{ColumnImage, ColumnRange, FileImage, Outcome, Reason};
use yew::prelude::*;

/// Rows of a file that are drawn.
pub const MAX_LINES: usize = 100;

/// What [`file_card`] draws.
pub struct FileCardProps<'a> {
    pub label: &'a str,
    pub file: &'a FileImage,
    pub columns: &'a [ColumnImage],
    pub widths: &'a [usize],
    pub lines: &'a [Line<'a>],
    /// Glyph, word and class of the state.
    pub status: (&'static str, &'static str, &'static str),
    /// Why it was skipped or read.
    pub reason: Option<&'a Reason>,
    pub head: bool,
    /// Whether the rows are shown; with many files only those that matter are.
    pub open: bool,
    pub only: Option<Outcome>,
}

/// A file card.
pub fn file_card(props: &FileCardProps<'_>) -> Html {
    let (sign, word, class) = props.status;
    let file = props.file;
    let n_hidden = file.n_rows.saturating_sub(props.lines.len().min(MAX_LINES) as u64);
    let is_skipped = class == "skipped";
    html! {
        <section class={format!("file {class}")} aria-label={format!("{}, {}, {}", props.label, words::count(file.n_rows, "row"), word)}>
            <header title={file.path.clone()}>
                <span class="status">{ glyph(sign) }{ " " }{ word }</span>
                <strong>{ props.label }</strong>
                <span class="facts">{ words::count(file.n_rows, "row") }{ " · " }{ words::bytes(file.size) }</span>
            </header>
            <div class="meta">
                { for props.reason.map(why) }
                if !file.ranges.is_empty() {
                    <details>
                        <summary>{ range_summary(&file.ranges, props.reason) }</summary>
                        <dl>{ for file.ranges.iter().map(range) }</dl>
                    </details>
                }
                if is_skipped && !props.lines.is_empty() {
                    <details><summary>{ "rows, never read" }</summary>{ rows(props) }</details>
                }
            </div>
            if props.open && !is_skipped && !props.lines.is_empty() { { rows(props) } }
            if props.open && !is_skipped && n_hidden > 0 {
                { bits::more(format!("and {} that are not shown", words::count(n_hidden, "row"))) }
            }
        </section>
    }
}

fn rows(props: &FileCardProps<'_>) -> Html {
    let caption = format!("Rows of {}", props.label);
    let FileCardProps { columns, lines, widths, head, only, .. } = *props;
    let lines = lines.get(..MAX_LINES).unwrap_or(lines);
    rows::rows(&RowsProps { caption: &caption, columns, lines, widths, head, only })
}

fn why(reason: &Reason) -> Html {
    html! {
        <p class="reason" title={reason.text.clone()}>
            if let Some(conjunct) = &reason.conjunct { { bits::code(conjunct) } } else { { "nothing to prune by" } }
            if let Some(statistic) = &reason.statistic { { " against " }<span class="statistic">{ statistic }</span> }
        </p>
    }
}

/// The range of the column that decided, or of the first one.
fn range_summary(ranges: &[ColumnRange], reason: Option<&Reason>) -> Html {
    let decided = reason.and_then(|reason| reason.column.as_deref());
    let shown = ranges.iter().find(|range| Some(range.column.as_str()) == decided).or(ranges.first());
    match shown {
        Some(range) => html! { <>{ &range.column }{ " " }{ cell(&range.min) }{ " … " }{ cell(&range.max) }</> },
        None => html! {},
    }
}

fn range(range: &ColumnRange) -> Html {
    html! {
        <>
            <dt>{ &range.column }</dt>
            <dd>
                { cell(&range.min) }{ " … " }{ cell(&range.max) }
                if let Some(nulls) = range.nulls.filter(|nulls| *nulls > 0) { { format!(", {nulls} NULL") } }
            </dd>
        </>
    }
}
