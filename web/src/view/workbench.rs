//! The middle column's upper half: which text, the editor, and what can be done with it.

use crate::model::{Desk, Engine, Sheet, SheetKind, Side};
use crate::msg::{Act, DeskMsg, Msg};
use crate::view::button::{Look, button, button_with};
use crate::view::editor::editor;
use crate::view::hints::hints;
use crate::view::sides::{looked_at, sides};
use yew::prelude::*;

/// Tabs, editor and buttons.
pub fn workbench(desk: &Desk, engine: &Engine, forgets: bool, send: &Callback<Msg>) -> Html {
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
            if sheet.side == Side::Mine {
                { editor(&sheet.text, &sheet.label, mark(desk), send) }
            } else {
                { looked_at(sheet, mark(desk), send) }
            }
            <div class="bar">
                { act(DeskMsg::Run, if queued { "Queued" } else { "Run" }, "run", "primary", "Run (Ctrl+Enter)", is_flying) }
                if is_exercise {
                    { act(DeskMsg::Check, "Check", "check", "", "Check on every variant (Ctrl+Shift+Enter)", is_flying) }
                }
                if is_flying || queued {
                    { act(DeskMsg::Cancel, "Stop", "stop", "", "Give this run up", false) }
                }
                { sides(sheet, send) }
                <span class="spring" />
                if sheet.undo.is_some() {
                    { act(DeskMsg::UndoReset, "Undo", "undo", "", "Swap with the text before", false) }
                }
                { act(DeskMsg::Reset, "Reset", "reset", "", "Back to the lesson's text", is_pristine) }
                <span class="saved">{ saved(desk, is_pristine, forgets) }</span>
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

/// Where the text that is shown went wrong, if the text is still that text.
fn mark(desk: &Desk) -> Option<(u32, u32)> {
    let shown = desk.shown.as_ref().filter(|_| desk.is_fresh())?;
    let of_statements = shown.report.statements.iter().filter_map(|statement| statement.error.as_ref());
    shown.report.errors.iter().chain(of_statements).find_map(|error| error.span)
}
