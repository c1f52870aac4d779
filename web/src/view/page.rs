//! The whole page, from the model.

use crate::model::{Desk, Load, Model, Pane, SheetKind};
use crate::msg::{Act, Msg, ViewMsg};
use crate::route::Route;
use crate::view::article::Article;
use crate::view::button::{Look, button};
use crate::view::dialogs::dialogs;
use crate::view::header::header;
use crate::view::lesson_list::lesson_list;
use crate::view::result::{ResultProps, run_result};
use crate::view::stage::{StageProps, stage};
use crate::view::stopped::stopped;
use crate::view::timeline::{TimelineProps, timeline};
use crate::view::verdict::{VerdictProps, verdict};
use crate::view::workbench::workbench;
use yew::prelude::*;

/// Draws the model; everything that the reader does becomes a message to `send`.
pub fn page(model: &Model, send: &Callback<Msg>) -> Html {
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
            <main>
                <div class="column reading">
                    { lesson_list(&model.course, &model.route) }
                    { reading(model, send) }
                </div>
                <div class="column working">{ for desk.map(|desk| working(model, desk, send)) }</div>
                <div class="column state">
                    { for desk.map(|desk| {
                        let (shown, player) = (desk.shown.as_ref(), desk.player.as_ref());
                        stage(&StageProps { shown, player, tab: model.stage_tab, look: &desk.look, is_fresh: desk.is_fresh(), send })
                    }) }
                </div>
            </main>
            { for desk.and_then(|desk| desk.player.as_ref().zip(desk.shown.as_ref())).map(|(player, shown)| {
                timeline(&TimelineProps { player, shown, send })
            }) }
            <p id="status" class="status-line" role="status">{ &model.status }</p>
            { dialogs(model.dialog, send) }
        </div>
    }
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

fn reading(model: &Model, send: &Callback<Msg>) -> Html {
    if model.route == Route::Playground {
        return html! {
            <article id="article" aria-label="Playground">
                <h1>{ "Playground" }</h1>
                <p>{ "A free script. Every run starts from an empty store and the same clock, so the same text always gives the same files. The tables it leaves are under History." }</p>
            </article>
        };
    }
    match model.desk().map(|desk| (desk, &desk.file)) {
        Some((desk, Load::Ready(Some(file)))) => html! {
            <Article file={file.clone()} sheets={desk.sheets.clone()} predictions={desk.predictions.clone()} send={send.clone()} />
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
                if is_current { { for judged(desk, send) } }
                { for desk.shown.iter().map(|shown| {
                    run_result(&ResultProps { shown, is_fresh: desk.is_fresh(), send })
                }) }
                if !is_current { { for judged(desk, send) } }
            </div>
        </>
    }
}

fn judged(desk: &Desk, send: &Callback<Msg>) -> Option<Html> {
    let sheet = desk.current()?;
    let SheetKind::Exercise(id) = &sheet.kind else { return None };
    let exercise = desk.lesson_file()?.lesson.exercise(id)?;
    let (_, of_text) = sheet.verdict.as_ref()?;
    let is_current = sheet.current_verdict().is_some();
    Some(verdict(&VerdictProps { verdict: of_text, exercise, is_current, send }))
}
