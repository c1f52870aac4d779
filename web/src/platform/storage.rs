//! The colours, remembered. A browser that forbids it (private windows) just forgets.

use crate::model::{EditorKind, StageTab, Theme};
use web_sys::Storage;

const THEME: &str = "mergelab/theme";
const EDITOR: &str = "mergelab/editor";
const TAB: &str = "mergelab/tab";
const LANGUAGES: &str = "mergelab/languages";

fn storage() -> Option<Storage> {
    web_sys::window().and_then(|window| window.local_storage().ok().flatten())
}

fn save(key: &str, value: &str) {
    if let Some(storage) = storage() {
        // Full or forbidden: the choice holds as long as the page does.
        let _ = storage.set_item(key, value);
    }
}

pub(super) fn save_theme(theme: Theme) {
    save(THEME, theme.name());
}

pub(super) fn theme() -> Theme {
    let saved = storage().and_then(|storage| storage.get_item(THEME).ok().flatten());
    Theme::parse(&saved.unwrap_or_default())
}

pub(super) fn save_editor(kind: EditorKind) {
    save(EDITOR, kind.name());
}

pub(super) fn editor() -> EditorKind {
    let saved = storage().and_then(|storage| storage.get_item(EDITOR).ok().flatten());
    EditorKind::parse(&saved.unwrap_or_default())
}

pub(super) fn save_both(both: bool) {
    save(LANGUAGES, if both { "both" } else { "own" });
}

pub(super) fn both() -> bool {
    storage().and_then(|storage| storage.get_item(LANGUAGES).ok().flatten()).is_some_and(|saved| saved == "both")
}

pub(super) fn save_tab(tab: StageTab) {
    save(TAB, tab.name());
}

pub(super) fn tab() -> StageTab {
    let saved = storage().and_then(|storage| storage.get_item(TAB).ok().flatten());
    StageTab::parse(&saved.unwrap_or_default())
}
