//! What the checks say about the learner's text.

use crate::model::Exercise;
use crate::msg::{Act, DeskMsg, Msg};
use crate::view::button::{Look, button};
use crate::view::code::with_code;
use crate::view::grid::grid;
use crate::view::markup::html;
use crate::view::rows::cell;
use lesson::{RowDiff, Status, Test, TestStatus, Verdict as VerdictData};
use protocol::GridColumn;
use yew::prelude::*;

/// What [`verdict`] draws.
pub struct VerdictProps<'a> {
    pub verdict: &'a VerdictData,
    pub exercise: &'a Exercise,
    /// Whether it is about the text as it is now.
    pub is_current: bool,
    pub send: &'a Callback<Msg>,
}

/// The verdict: status, the named mistake, the first failure in full, the list of all.
pub fn verdict(props: &VerdictProps<'_>) -> Html {
    let verdict = props.verdict;
    let (class, headline) = match verdict.status {
        Status::Passed => ("passed", "✓ Passed on every variant of the data"),
        Status::Failed => ("failed", "✗ Not yet"),
        Status::Broken => ("broken", "The lesson itself could not be run; this is not your mistake"),
    };
    let mistake = verdict.mistake.as_ref().and_then(|name| props.exercise.mistakes.iter().find(|m| m.name == *name));
    let shown = verdict.shown.and_then(|shown| verdict.tests.get(shown));
    html! {
        <section id="verdict" class={format!("verdict {class}{}", if props.is_current { "" } else { " stale" })} aria-label="Verdict" data-status={class}>
            <h3>{ headline }</h3>
            if !props.is_current { <p class="facts">{ "The text has changed since. Check again." }</p> }
            if let Some(mistake) = mistake { <p class="mistake">{ with_code(&mistake.says) }</p> }
            { for shown.map(|test| failure(props, test, mistake.is_some_and(|mistake| mistake.says == test.message))) }
            <ol class="tests">{ for verdict.tests.iter().map(line) }</ol>
        </section>
    }
}

fn line(test: &Test) -> Html {
    let (glyph, word, class) = match test.status {
        TestStatus::Passed => ("✓", "passed", "passed"),
        TestStatus::Failed => ("✗", "failed", "failed"),
        TestStatus::Skipped => ("–", "not asked", "skipped"),
    };
    html! {
        <li {class}>
            <span aria-hidden="true">{ glyph }</span><span class="unseen">{ word }</span>{ " " }{ with_code(&test.name) }
            if let Some(variant) = test.variant.as_ref().filter(|_| test.status == TestStatus::Failed) {
                <span class="facts">{ format!("on {variant}") }</span>
            }
        </li>
    }
}

/// `is_said`: the mistake's sentence above is the message already.
fn failure(props: &VerdictProps<'_>, test: &Test, is_said: bool) -> Html {
    let variant = test.variant.as_ref().and_then(|name| props.exercise.variants.iter().find(|v| v.name == *name));
    html! {
        <div class="failure">
            if !is_said { <p class="message">{ with_code(&test.message) }</p> }
            if let Some(variant) = variant {
                <p>{ format!("Variant {}: {}", variant.name, variant.summary) }</p>
                { open_variant(props, &variant.name) }
            }
            if let Some(rows) = &test.rows { { difference(rows) } }
        </div>
    }
}

/// Hidden data is blamed only by name, and can be looked at.
fn open_variant(props: &VerdictProps<'_>, name: &str) -> Html {
    let name = name.to_string();
    let label = format!("Run on {name}");
    button(props.send, Act::Desk(DeskMsg::RunVariant(name)), &label, Look::default())
}

fn difference(rows: &RowDiff) -> Html {
    let columns: Vec<GridColumn> =
        rows.columns.iter().map(|name| GridColumn { name: name.clone(), data_type: String::new() }).collect();
    let table = |title: &str, rows: &Vec<Vec<Option<String>>>| {
        if rows.is_empty() {
            return html! {};
        }
        let data = protocol::Grid { columns: columns.clone(), rows: rows.clone(), total: rows.len() as u64 };
        html! { <><h4>{ title }</h4>{ grid(&data, title) }</> }
    };
    html! {
        <>
            { table("Missing", &rows.missing) }
            { table("Not expected", &rows.unexpected) }
            if !rows.changed.is_empty() {
                <h4>{ "Expected and found" }</h4>
                <div class="grid"><div class="scroll"><table>
                    <thead><tr>{ for rows.columns.iter().map(|name| html! { <th scope="col">{ name }</th> }) }</tr></thead>
                    <tbody>{ for rows.changed.iter().map(|row| html! {
                        <tr>{ for row.expected.iter().zip(&row.found).map(|(expected, found)| html! {
                            <td class={if expected == found { "" } else { "changed" }}>
                                { cell(expected) }
                                if expected != found { { " ≠ " }<del>{ cell(found) }</del> }
                            </td>
                        }) }</tr>
                    }) }</tbody>
                </table></div></div>
            }
            if rows.more > 0 { <p class="facts">{ format!("and {} more", rows.more) }</p> }
        </>
    }
}
