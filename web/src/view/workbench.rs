//! The middle column's upper half: which text, the editor, and what can be done with it.

use crate::model::{Desk, EditorKind, Model, Sheet, SheetKind, Side};
use crate::msg::{Act, DeskMsg, Msg, ViewMsg};
use crate::view::button::{Look, button, button_with};
use crate::view::editor::{EditorProps, editor};
use crate::view::hints::hints;
use crate::view::markup::html;
use crate::view::problems::problems;
use crate::view::result::mirrored;
use crate::view::sides::{looked_at, sides};
use crate::view::touch_keys::touch_keys;
use yew::prelude::*;

/// Tabs, editor and buttons.
pub fn workbench(model: &Model, desk: &Desk, send: &Callback<Msg>) -> Html {
    let engine = &model.engine;
    let Some(sheet) = desk.current() else { return html! {} };
    let act = |msg: DeskMsg, label: &str, id: &str, class: &'static str, title: &str, off: bool| {
        button(send, Act::Desk(msg), label, Look { id, class, title, off, ..Look::default() })
    };
    let is_exercise = matches!(sheet.kind, SheetKind::Exercise(_));
    let is_pristine = sheet.own() == sheet.pristine;
    let is_flying = engine.flight.is_some();
    let queued = engine.waiting.is_some();
    let tabs = desk.sheets.iter().enumerate().map(|(idx, other)| {
        let is_open = idx == desk.sheet;
        let label = html! {
            <>{ &other.label }{ tick(desk, other) }</>
        };
        let look = Look { pressed: Some(is_open), ..Look::default() };
        button_with(send, Act::Desk(DeskMsg::PickSheet(idx)), label, look)
    });
    html! {
        <section class="workbench" aria-label="Editor">
            <div class="tabs" role="group" aria-label="Texts">{ for tabs }</div>
            { if sheet.side == Side::Mine { text(model, sheet, send) } else { looked_at(sheet, None, send) } }
            { touch_keys(send) }
            // One node, be it empty: were there one more, all before it would be drawn anew, the editor among them.
            { model.told().map(|told| problems(told, model.is_told_fresh(), send)).unwrap_or_default() }
            { if model.editor.both { other_language(model, sheet, send) } else { Html::default() } }
            <div class="bar">
                { act(DeskMsg::Run, if queued { "Queued" } else { "Run" }, "run", "primary", "Run (Ctrl+Enter)", is_flying) }
                if !model.is_playground() {
                    { act(DeskMsg::RunTwice, "Run twice", "run-twice", "", "Run, then run the same batch again on what came out", is_flying) }
                }
                if is_exercise {
                    { act(DeskMsg::Check, "Check", "check", "", "Check on every variant (Ctrl+Shift+Enter)", is_flying) }
                }
                if is_flying || queued {
                    { act(DeskMsg::Cancel, "Stop", "stop", "", "Give this run up", false) }
                }
                { sides(sheet, send) }
                <span class="spring" />
                { act(DeskMsg::Undo, "Undo", "undo", "", "Undo (Ctrl+Z in the editor)", !sheet.history.can_undo()) }
                { act(DeskMsg::Redo, "Redo", "redo", "", "Redo (Ctrl+Shift+Z in the editor)", !sheet.history.can_redo()) }
                { act(DeskMsg::Reset, "Reset", "reset", "", "Back to the lesson's text", is_pristine) }
                { both(model, send) }
                { choice(model, send) }
                <span class="saved">{ saved(desk, is_pristine, model.forgets) }</span>
            </div>
            if let SheetKind::Exercise(id) = &sheet.kind {
                { hints(hints_of(desk, id), sheet.hints, send) }
                <div class="hints">
                    { act(DeskMsg::Solution, "Show a solution", "solution", "quiet", "The exercise is then marked as seen", false) }
                </div>
            }
        </section>
    }
}

/// Passed with the text as it is, or solved once, or only seen.
fn tick(desk: &Desk, sheet: &Sheet) -> Html {
    let version = desk.lesson_file().map(|file| file.version.as_str()).unwrap_or_default();
    let (sign, word) = match (sheet.passes(version), sheet.solved, sheet.seen) {
        (true, _, _) => (" ✓", "passed"),
        (_, true, _) => (" (✓)", "solved once; this text has not been checked"),
        (_, _, true) => (" ○", "seen: the solution was shown"),
        _ => return html! {},
    };
    html! { <><span class="solved" title={word} aria-hidden="true">{ sign }</span><span class="unseen">{ word }</span></> }
}

fn saved(desk: &Desk, is_pristine: bool, forgets: bool) -> &'static str {
    match (desk.is_kept, is_pristine, forgets) {
        (false, _, _) => "from a link, not saved",
        (_, true, _) => "as in the lesson",
        (_, _, true) => "not saved: this browser keeps nothing",
        (_, _, false) => "saved in this browser",
    }
}

fn hints_of<'a>(desk: &'a Desk, exercise: &str) -> &'a [String] {
    let exercise = desk.lesson_file().and_then(|file| file.lesson.exercise(exercise));
    exercise.map(|exercise| exercise.hints.as_slice()).unwrap_or_default()
}

fn text(model: &Model, sheet: &Sheet, send: &Callback<Msg>) -> Html {
    let problems = model.problems();
    editor(EditorProps {
        key: &format!("{} {}", model.place().unwrap_or_default(), sheet.id),
        text: &sheet.text,
        label: &sheet.label,
        problems: &problems,
        completions: &model.help.completions,
        is_full: model.editor.is_full(),
        cursor: model.editor.cursor,
        send,
    })
}

/// The text in the other language, as far as it is known.
fn other_language(model: &Model, sheet: &Sheet, send: &Callback<Msg>) -> Html {
    let told = model.told().filter(|_| model.is_told_fresh() && sheet.side == Side::Mine);
    let known = told.and_then(|told| told.help.mirror.as_ref());
    let Some(mirror) = known else {
        let why =
            "SQL that can be read is shown here in PySpark. What a program merges is shown in SQL once it has run.";
        return html! { <section id="other-language" class="mirror" aria-label="The other language"><p class="hint">{ why }</p></section> };
    };
    let edit = protocol::Edit {
        label: "Use this text".into(),
        span: (0, u32::try_from(sheet.text.len()).unwrap_or(u32::MAX)),
        replacement: mirror.text.clone(),
    };
    let title = "Put the program into the editor; Undo brings the SQL back";
    let look = Look { id: "use-other", title, ..Look::default() };
    html! {
        <section id="other-language" class="mirror" aria-label="The same in PySpark">
            <h4>{ "The same in PySpark" }</h4>
            { mirrored(mirror, send, button(send, Act::Desk(DeskMsg::ApplyTold(edit)), "Use this text", look)) }
        </section>
    }
}

/// Whether the text is shown in the other language too; remembered.
fn both(model: &Model, send: &Callback<Msg>) -> Html {
    let title = "Show the text in PySpark too; remembered in this browser";
    let look =
        Look { id: "both-languages", class: "quiet", title, pressed: Some(model.editor.both), ..Look::default() };
    button(send, Act::View(ViewMsg::Both(!model.editor.both)), "Both languages", look)
}

/// Which of the two editors; remembered.
fn choice(model: &Model, send: &Callback<Msg>) -> Html {
    let is_plain = model.editor.kind == EditorKind::Plain;
    let other = if is_plain { EditorKind::Full } else { EditorKind::Plain };
    let title = "A plain text area, without colours of errors, completion and search; remembered in this browser";
    let look = Look { id: "plain-editor", class: "quiet", title, pressed: Some(is_plain), ..Look::default() };
    button(send, Act::View(ViewMsg::Editor(other)), "Plain text", look)
}
