//! Which key does what. One table: the handler reads it and the shortcut sheet prints it.

use crate::model::{Dialog, STAGE_TABS};
use crate::msg::{DeskMsg, Msg, PlayMsg, ViewMsg};

/// A key press and where the keyboard was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Press<'a> {
    /// As the browser names it: `ArrowLeft`, `Enter`, `g`.
    pub key: &'a str,
    /// Control, or Command on a Mac.
    pub ctrl: bool,
    pub shift: bool,
    pub alt: bool,
    pub focus: Focus,
}

/// What the keyboard is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Focus {
    #[default]
    Page,
    /// The timeline's slider: the arrows are the page's, not the browser's.
    Timeline,
    /// A text field: only keys with a modifier act.
    Text,
    /// The editor: a text field whose undo is the page's.
    Editor,
    /// Something that a space presses.
    Control,
    /// Something that uses the arrows itself, or a window over the page.
    Own,
}

/// The message for a press, if the page takes it from the browser.
pub fn command(press: Press) -> Option<Msg> {
    if press.focus == Focus::Own {
        return None;
    }
    if press.ctrl {
        return match (press.key, press.shift, press.alt) {
            ("Enter", false, false) => Some(Msg::Desk(DeskMsg::Run)),
            ("Enter", true, false) => Some(Msg::Desk(DeskMsg::Check)),
            _ if press.focus == Focus::Editor => history(press),
            _ => None,
        };
    }
    if press.alt {
        return press.key.eq_ignore_ascii_case("h").then_some(Msg::Desk(DeskMsg::Hint));
    }
    if press.key == "F8" {
        return Some(Msg::Desk(DeskMsg::NextProblem { forward: !press.shift }));
    }
    match press.focus {
        Focus::Text | Focus::Editor | Focus::Own => None,
        Focus::Page | Focus::Timeline | Focus::Control => plain(press),
    }
}

fn history(press: Press) -> Option<Msg> {
    match (press.key, press.shift, press.alt) {
        ("z", false, false) => Some(Msg::Desk(DeskMsg::Undo)),
        ("z" | "Z", true, false) | ("y", false, false) => Some(Msg::Desk(DeskMsg::Redo)),
        _ => None,
    }
}

fn plain(press: Press) -> Option<Msg> {
    let play = |msg| Some(Msg::Play(msg));
    let view = |msg| Some(Msg::View(msg));
    match (press.key, press.shift) {
        ("ArrowRight", false) => play(PlayMsg::Forward),
        ("ArrowLeft", false) => play(PlayMsg::Back),
        ("ArrowRight", true) => play(PlayMsg::NextPhase),
        ("ArrowLeft", true) => play(PlayMsg::PreviousPhase),
        ("Home", false) => play(PlayMsg::Start),
        ("End", false) => play(PlayMsg::End),
        (" ", false) if press.focus != Focus::Control => play(PlayMsg::Toggle),
        ("1", _) => play(PlayMsg::Speed(1)),
        ("2", _) => play(PlayMsg::Speed(2)),
        ("3", _) => play(PlayMsg::Speed(3)),
        ("g", false) => play(PlayMsg::AskStep),
        ("b", false) => play(PlayMsg::NextBreak),
        ("d", false) => view(ViewMsg::Diff),
        ("?", _) => view(ViewMsg::Open(Dialog::Shortcuts)),
        (key, false) => {
            let tab = STAGE_TABS.iter().find(|(_, _, own)| *own == key)?;
            view(ViewMsg::Tab(tab.0))
        }
        _ => None,
    }
}

/// The shortcut sheet: keys and what they do.
pub const SHEET: &[(&str, &str)] = &[
    ("Ctrl+Enter", "Run"),
    ("Ctrl+Shift+Enter", "Check on every variant of the data"),
    ("Alt+H", "Next hint"),
    ("F8 / Shift+F8", "Next / previous error or warning in the text"),
    ("Ctrl+Space", "Complete a name (in the editor)"),
    ("Ctrl+Z / Ctrl+Shift+Z", "Undo / redo (in the editor)"),
    ("Ctrl+F", "Search (in the editor)"),
    ("Esc, then Tab", "Leave the editor"),
    ("→ / ←", "One step forward / back"),
    ("Shift+→ / Shift+←", "To the end of the next / previous phase"),
    ("Home / End", "First / last step"),
    ("Space", "Play or pause (outside buttons)"),
    ("1 2 3", "Speed of play"),
    ("g", "Go to a step by its number"),
    ("b", "Go on to the next stop that was asked for"),
    ("t", "Show the rows before and after"),
    ("d", "Show only what differs, or all rows"),
    ("f", "Show what became of the rows of each file"),
    ("c", "Show which clause acted on which row"),
    ("o", "Look into the conditions: TRUE, FALSE, NULL"),
    ("p", "Show why files were read or skipped"),
    ("n", "Show the joins of the plan"),
    ("m", "Show the metrics"),
    ("l", "Show the log"),
    ("h", "Show the history"),
    ("i", "Show the intervals of each key"),
    ("?", "This sheet"),
];

#[cfg(test)]
mod tests {
    use super::{Focus, Press, command};
    use crate::msg::{DeskMsg, Msg, PlayMsg};

    fn press(key: &str, focus: Focus) -> Press<'_> {
        Press { key, focus, ..Press::default() }
    }

    #[test]
    fn letters_and_arrows_belong_to_a_text_field() {
        for key in ["g", "1", "?", "ArrowLeft", "Home", " ", "Enter", "l", "z"] {
            assert_eq!(command(press(key, Focus::Text)), None, "{key}");
            assert_eq!(command(press(key, Focus::Editor)), None, "{key}");
        }
        assert_eq!(command(press("ArrowRight", Focus::Page)), Some(Msg::Play(PlayMsg::Forward)));
    }

    #[test]
    fn enter_alone_never_runs() {
        for focus in [Focus::Page, Focus::Timeline, Focus::Text, Focus::Control] {
            assert_eq!(command(press("Enter", focus)), None);
            let run = Press { ctrl: true, ..press("Enter", focus) };
            assert_eq!(command(run), Some(Msg::Desk(DeskMsg::Run)));
            assert_eq!(command(Press { shift: true, ..run }), Some(Msg::Desk(DeskMsg::Check)));
        }
    }

    #[test]
    fn undo_is_the_page_s_in_the_editor_only() {
        let undo = |focus| command(Press { ctrl: true, ..press("z", focus) });
        assert_eq!(undo(Focus::Editor), Some(Msg::Desk(DeskMsg::Undo)));
        assert_eq!((undo(Focus::Text), undo(Focus::Page)), (None, None));
        let redo = Press { ctrl: true, shift: true, ..press("Z", Focus::Editor) };
        assert_eq!(command(redo), Some(Msg::Desk(DeskMsg::Redo)));
    }

    #[test]
    fn f8_goes_both_ways() {
        let next = command(press("F8", Focus::Editor));
        assert_eq!(next, Some(Msg::Desk(DeskMsg::NextProblem { forward: true })));
        let previous = command(Press { shift: true, ..press("F8", Focus::Page) });
        assert_eq!(previous, Some(Msg::Desk(DeskMsg::NextProblem { forward: false })));
    }

    #[test]
    fn a_space_on_a_button_presses_the_button() {
        assert_eq!(command(press(" ", Focus::Control)), None);
        assert_eq!(command(press(" ", Focus::Timeline)), Some(Msg::Play(PlayMsg::Toggle)));
    }

    #[test]
    fn a_window_over_the_page_keeps_its_keys() {
        assert_eq!(command(Press { ctrl: true, ..press("Enter", Focus::Own) }), None);
    }
}
