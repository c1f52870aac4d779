//! The whole page, from the model.

use crate::model::{Desk, Load, Model, Pane, SHARED, SheetKind};
use crate::msg::{Act, KeepMsg, Msg, ViewMsg};
use crate::view::article::Article;
use crate::view::button::{Look, button};
use crate::view::dialogs::dialogs;
use crate::view::embed::embedded;
use crate::view::header::header;
use crate::view::lesson_list::lesson_list;
use crate::view::markup::html;
use crate::view::playground::playground;
use crate::view::proof::proof;
use crate::view::result::{ResultProps, run_result};
use crate::view::stage::{StageProps, stage};
use crate::view::stopped::stopped;
use crate::view::timeline::{TimelineProps, timeline};
use crate::view::verdict::{VerdictProps, verdict};
use crate::view::workbench::workbench;
use lesson::Status;
use yew::prelude::*;

/// Draws the model; everything that the reader does becomes a message to `send`.
pub fn page(model: &Model, send: &Callback<Msg>) -> Html {
    if model.embed.is_some() {
        return embedded(model, &model.route.fragment(), send);
    }
    let desk = model.desk();
    let pane = match model.pane {
        Pane::Read => "read",
        Pane::Code => "code",
        Pane::Result => "outcome",
        Pane::Files => "files",
    };
    let n_runs = desk.and_then(|desk| desk.player.as_ref()).map_or(0, |player| player.traces.len());
    html! {
        <div class="page" data-pane={pane} data-runs={n_runs.to_string()}>
            { header(&model.engine, model.theme, send) }
            { panes(model.pane, send) }
            if is_settled(model) {
                <main>
                    { titles(model, desk) }
                    <div class="column reading">
                        { lesson_list(&model.course, &model.route) }
                        { reading(model, send) }
                    </div>
                    <pane-divider />
                    <div class="column working">{ for desk.map(|desk| working(model, desk, send)) }</div>
                    <pane-divider />
                    <div class="column state">
                        { for desk.map(|desk| {
                            let (shown, player) = (desk.shown.as_ref(), desk.player.as_ref());
                            stage(&StageProps { shown, player, tab: model.stage_tab, look: &desk.look, is_fresh: desk.is_fresh(), adds_up: model.is_playground(), send })
                        }) }
                    </div>
                </main>
            } else {
                <main><p class="empty">{ "Loading the lesson …" }</p></main>
            }
            { for desk.and_then(|desk| desk.player.as_ref().zip(desk.shown.as_ref())).map(|(player, shown)| {
                timeline(&TimelineProps { player, shown, send })
            }) }
            { notice(model, send) }
            <p id="status" class="status-line" role="status">{ &model.status }</p>
            { dialogs(model, send) }
        </div>
    }
}

/// Whether the first thing to show is there. Parts that came one by one would push each other about.
fn is_settled(model: &Model) -> bool {
    !matches!(model.course, Load::Waiting) && !model.desks.are_all_waiting()
}

/// Where the article is not in view, the page still has a title, and the pane a heading.
fn titles(model: &Model, desk: Option<&Desk>) -> Html {
    let pane = match model.pane {
        Pane::Read => return html! {},
        Pane::Code => "Code",
        Pane::Result => "Result",
        Pane::Files => "Files",
    };
    let title = desk.and_then(Desk::lesson_file).map_or("Playground", |file| file.lesson.title.as_str());
    html! { <><h1 class="pane-title unseen">{ title }</h1><h2 class="pane-title unseen">{ pane }</h2></> }
}

/// On a narrow screen one pane shows at a time; on a wide one all do and this is hidden.
fn panes(open: Pane, send: &Callback<Msg>) -> Html {
    let all = [(Pane::Read, "Read"), (Pane::Code, "Code"), (Pane::Result, "Result"), (Pane::Files, "Files")];
    html! {
        <nav class="panes" aria-label="Panes">{ for all.into_iter().map(|(pane, word)| {
            let look = Look { pressed: Some(pane == open), ..Look::default() };
            button(send, Act::View(ViewMsg::Pane(pane)), word, look)
        }) }</nav>
    }
}

/// Another window saved the same place: said once, and the reader decides.
fn notice(model: &Model, send: &Callback<Msg>) -> Html {
    if model.notice.as_ref().is_none_or(|notice| model.place() != Some(notice.place.as_str())) {
        return html! {};
    }
    let act =
        |takes, id, label| button(send, Act::Keep(KeepMsg::TakeTheirs(takes)), label, Look { id, ..Look::default() });
    html! {
        <p id="elsewhere" class="banner" role="alert">
            { "This place was changed in another window. The last to save wins." }
            { act(true, "take-theirs", "Show the other window's text") }
            { act(false, "keep-mine", "Keep this one") }
        </p>
    }
}

fn reading(model: &Model, send: &Callback<Msg>) -> Html {
    if model.is_playground() {
        return html! { <>{ for model.desk().map(|desk| playground(desk, &model.engine, model.place() == Some(SHARED), send)) }</> };
    }
    match model.desk().map(|desk| (desk, &desk.file)) {
        Some((desk, Load::Ready(Some(file)))) => html! {
            { yew::html! { <Article file={file.clone()} sheets={desk.sheets.clone()} predictions={desk.predictions.clone()} send={send.clone()} /> } }
        },
        Some((_, Load::Failed(sentence))) => html! { <p class="empty" role="alert">{ sentence }</p> },
        _ => html! { <p class="empty">{ "Loading the lesson …" }</p> },
    }
}

fn working(model: &Model, desk: &Desk, send: &Callback<Msg>) -> Html {
    let is_current = desk.current().is_some_and(|sheet| sheet.current_verdict().is_some());
    html! {
        <>
            { workbench(model, desk, send) }
            { stopped(&model.engine, send) }
            <div class="results">
                // What is newest comes first: a verdict on an older text stands below the run.
                if is_current { { for judged(model, desk, send) } }
                { for desk.shown.iter().map(|shown| {
                    run_result(&ResultProps { shown, is_fresh: desk.is_fresh(), send })
                }) }
                if !is_current { { for judged(model, desk, send) } }
            </div>
        </>
    }
}

fn judged(model: &Model, desk: &Desk, send: &Callback<Msg>) -> Option<Html> {
    let sheet = desk.current()?;
    let SheetKind::Exercise(id) = &sheet.kind else { return None };
    let exercise = desk.lesson_file()?.lesson.exercise(id)?;
    let (_, of_text) = sheet.verdict.as_ref()?;
    let is_current = sheet.current_verdict().is_some();
    let card = if is_current && of_text.status == Status::Passed && !sheet.seen {
        proof(model, desk, sheet, exercise, of_text, send)
    } else {
        html! {}
    };
    let told = verdict(&VerdictProps { verdict: of_text, exercise, is_current, send });
    Some(html! { <>{ told }{ card }</> })
}
