//! Rows of a table with what became of them.

use crate::view::markup::html;
use crate::view::words;
use std::borrow::Cow;
use trace::{Cell, ColumnImage, Outcome, RowImage, RowState};
use yew::prelude::*;

/// A row, its state, and the cells it had before.
#[derive(Debug, Clone, PartialEq)]
pub struct Line<'a> {
    pub cells: &'a RowImage,
    pub state: Cow<'a, RowState>,
    /// For a rewritten row: the old one, to show what changed.
    pub before: Option<&'a RowImage>,
}

/// What [`rows`] draws.
pub struct RowsProps<'a> {
    /// What the table is called for those who do not see it.
    pub caption: &'a str,
    pub columns: &'a [ColumnImage],
    pub lines: &'a [Line<'a>],
    /// Column widths in characters; tables with the same widths line up.
    pub widths: &'a [usize],
    /// Whether the column names are visible; they are always there.
    pub head: bool,
    /// Isolates one outcome.
    pub only: Option<Outcome>,
}

/// The widest column, in characters; the style sheet has a class for each width up to it.
pub const MAX_WIDTH: usize = 24;

/// Widths that fit names (which are set in a wider face) and values of all these rows, 3 to 24 characters.
pub fn widths<'a>(columns: &[ColumnImage], rows: impl Iterator<Item = &'a RowImage>) -> Vec<usize> {
    let mut widths: Vec<usize> = columns.iter().map(|column| column.name.chars().count() + 1).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.as_deref().unwrap_or("NULL").chars().count());
        }
    }
    widths.into_iter().map(|width| width.clamp(3, MAX_WIDTH)).collect()
}

/// A table of rows.
pub fn rows(props: &RowsProps<'_>) -> Html {
    let numeric: Vec<bool> = props.columns.iter().map(|column| is_numeric(&column.data_type)).collect();
    html! {
        <table class="rows">
            <caption class="unseen">{ props.caption }</caption>
            <colgroup>
                <col class="glyph" />
                { for props.widths.iter().map(|width| html! { <col class={format!("w{width}")} /> }) }
                <col />
            </colgroup>
            <thead class={if props.head { "" } else { "flat" }}>
                <tr>
                    <th scope="col"><span class="unseen">{ "outcome" }</span></th>
                    { for props.columns.iter().zip(&numeric).map(|(column, numeric)| html! {
                        <th scope="col" class={if *numeric { "num" } else { "" }} title={column.data_type.clone()}>
                            { &column.name }
                            if column.partition { <span class="part" title="partition column">{ "▤" }</span> }
                        </th>
                    }) }
                    <th scope="col"><span class="unseen">{ "clause" }</span></th>
                </tr>
            </thead>
            <tbody>{ for props.lines.iter().map(|line| row(line, &numeric, props.only)) }</tbody>
        </table>
    }
}

fn row(line: &Line<'_>, numeric: &[bool], only: Option<Outcome>) -> Html {
    let look = if line.state.conflict { Some(words::CONFLICT) } else { line.state.outcome.map(words::outcome) };
    let is_dim = only.is_some() && line.state.outcome != only;
    let met = if look.is_none() && line.state.matches > 0 { "met" } else { "" };
    let focus = if line.state.focus { " focus" } else { "" };
    let dim = if is_dim { " dim" } else { "" };
    let class = format!("{}{focus}{dim}", look.map_or(met, |look| look.class));
    let clause = line.state.clause.map(|clause| format!(" · clause {}", clause + 1)).unwrap_or_default();
    let code = look.map(|look| format!("{}{clause}", look.code)).unwrap_or_default();
    let (glyph, text) = match look {
        Some(look) => (look.glyph, look.word.to_string()),
        None if line.state.matches > 0 => ("⋈", format!("{} so far", words::count(line.state.matches.into(), "match"))),
        None => ("", String::new()),
    };
    html! {
        <tr {class}>
            <td class="glyph" title={text.clone()}>
                <span aria-hidden="true">{ glyph }</span><span class="unseen">{ text }</span>
            </td>
            { for line.cells.iter().enumerate().map(|(idx, value)| {
                let before = line.before.and_then(|row| row.get(idx)).filter(|before| *before != value);
                let class = match (numeric.get(idx) == Some(&true), before.is_some()) {
                    (true, true) => "num changed",
                    (true, false) => "num",
                    (false, true) => "changed",
                    (false, false) => "",
                };
                html! {
                    <td {class}>
                        if let Some(before) = before { <del>{ cell(before) }</del>{ " " } }
                        if before.is_some() { <ins>{ cell(value) }</ins> } else { { cell(value) } }
                    </td>
                }
            }) }
            <td class="code" aria-hidden={clause.is_empty().then_some("true")}>{ code }</td>
        </tr>
    }
}

/// A value; NULL looks like no text can.
pub fn cell(value: &Cell) -> Html {
    match value {
        Some(text) => html! { { text } },
        None => html! { <span class="null">{ "NULL" }</span> },
    }
}

/// Whether values of a Spark type line up on the right.
pub fn is_numeric(data_type: &str) -> bool {
    ["tinyint", "smallint", "int", "bigint", "float", "double", "byte", "short", "integer", "long"].contains(&data_type)
        || data_type.starts_with("decimal")
}
