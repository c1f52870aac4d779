//! The rows that a statement gave back.

use crate::shared::Shared;
use crate::view::markup::html;
use crate::view::rows::{cell, is_numeric};
use crate::view::words;
use protocol::{Grid, RunReport};
use yew::prelude::*;

/// Which statement of which report.
#[derive(Properties, PartialEq)]
pub struct StatementGridProps {
    pub report: Shared<RunReport>,
    pub idx: usize,
}

/// The rows of one statement of a report. A component, so that up to a thousand rows are drawn
/// once and not with every key that is pressed.
#[component]
pub fn StatementGrid(props: &StatementGridProps) -> Html {
    let statement = props.report.statements.get(props.idx);
    match statement.and_then(|statement| statement.grid.as_ref()) {
        Some(data) => grid(data, &format!("Rows of statement {}", props.idx + 1)),
        None => html! {},
    }
}

/// A table with Spark's types under the names, at most as many rows as the engine sent.
pub fn grid(grid: &Grid, caption: &str) -> Html {
    let numeric: Vec<bool> = grid.columns.iter().map(|column| is_numeric(&column.data_type)).collect();
    let class = |idx: usize| if numeric.get(idx) == Some(&true) { "num" } else { "" };
    let shown = grid.rows.len() as u64;
    html! {
        <div class="grid">
            <div class="scroll" tabindex="0" role="group" aria-label={caption.to_string()}>
                <table>
                    <caption class="unseen">{ caption }</caption>
                    <thead><tr>
                        { for grid.columns.iter().enumerate().map(|(idx, column)| html! {
                            <th scope="col" class={class(idx)}>{ &column.name }<small>{ &column.data_type }</small></th>
                        }) }
                    </tr></thead>
                    <tbody>
                        { for grid.rows.iter().map(|row| html! {
                            <tr>{ for row.iter().enumerate().map(|(idx, value)| html! { <td class={class(idx)}>{ cell(value) }</td> }) }</tr>
                        }) }
                    </tbody>
                </table>
            </div>
            <p class="facts">
                { if shown < grid.total { format!("first {} of {}", words::thousands(shown), words::count(grid.total, "row")) }
                  else { words::count(grid.total, "row") } }
            </p>
        </div>
    }
}
