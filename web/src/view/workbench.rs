//! The middle column's upper half: which text, the editor, and what can be done with it.

use crate::model::{Desk, Engine, SheetKind};
use crate::msg::{Act, DeskMsg, Msg};
use crate::view::button::{Look, button, button_with};
use crate::view::editor::editor;
use crate::view::hints::hints;
use yew::prelude::*;

/// Tabs, editor and buttons.
pub fn workbench(desk: &Desk, engine: &Engine, send: &Callback<Msg>) -> Html {
    let Some(sheet) = desk.current() else { return html! {} };
    let act = |msg: DeskMsg, label: &str, id: &str, class: &'static str, title: &str, off: bool| {
        button(send, Act::Desk(msg), label, Look { id, class, title, off, ..Look::default() })
    };
    let is_exercise = matches!(sheet.kind, SheetKind::Exercise(_));
    let is_pristine = sheet.text == sheet.pristine;
    let is_flying = engine.flight.is_some();
    let queued = engine.waiting.is_some();
    let tabs = desk.sheets.iter().enumerate().map(|(idx, other)| {
        let is_open = idx == desk.sheet;
        let label = html! {
            <>{ &other.label }if other.solved { <span class="solved" title="solved once">{ " ✓" }</span> }</>
        };
        let look = Look { pressed: Some(is_open), ..Look::default() };
        button_with(send, Act::Desk(DeskMsg::PickSheet(idx)), label, look)
    });
    html! {
        <section class="workbench" aria-label="Editor">
            <div class="tabs" role="group" aria-label="Texts">{ for tabs }</div>
            { editor(&sheet.text, &sheet.label, mark(desk), send) }
            <div class="bar">
                { act(DeskMsg::Run, if queued { "Queued" } else { "Run" }, "run", "primary", "Run (Ctrl+Enter)", is_flying) }
                if is_exercise {
                    { act(DeskMsg::Check, "Check", "check", "", "Check on every variant (Ctrl+Shift+Enter)", is_flying) }
                }
                if is_flying || queued {
                    { act(DeskMsg::Cancel, "Stop", "stop", "", "Give this run up", false) }
                }
                <span class="spring" />
                if sheet.undo.is_some() {
                    { act(DeskMsg::UndoReset, "Undo", "undo", "", "Swap with the text before", false) }
                }
                { act(DeskMsg::Reset, "Reset", "reset", "", "Back to the lesson's text", is_pristine) }
                <span class="saved">{ if is_pristine { "as in the lesson" } else { "saved in this browser" } }</span>
            </div>
            if let SheetKind::Exercise(id) = &sheet.kind {
                { hints(hints_of(desk, id), sheet.hints, send) }
            }
        </section>
    }
}

fn hints_of<'a>(desk: &'a Desk, exercise: &str) -> &'a [String] {
    let exercise = desk.lesson_file().and_then(|file| file.lesson.exercise(exercise));
    exercise.map(|exercise| exercise.hints.as_slice()).unwrap_or_default()
}

/// Where the text that is shown went wrong, if the text is still that text.
fn mark(desk: &Desk) -> Option<(u32, u32)> {
    let shown = desk.shown.as_ref().filter(|_| desk.is_fresh())?;
    let of_statements = shown.report.statements.iter().filter_map(|statement| statement.error.as_ref());
    shown.report.errors.iter().chain(of_statements).find_map(|error| error.span)
}
