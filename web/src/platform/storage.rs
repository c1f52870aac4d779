//! What this browser remembers. A browser that forbids it (private windows) just forgets.

use crate::model::{EditorKind, StageTab, Theme};
use crate::msg::Saved;
use web_sys::Storage;

const THEME: &str = "mergelab/theme";
const EDITOR: &str = "mergelab/editor";
const TAB: &str = "mergelab/tab";

fn storage() -> Option<Storage> {
    web_sys::window().and_then(|window| window.local_storage().ok().flatten())
}

/// Where things about one sheet of a lesson are kept; slugs and names hold no slash.
fn prefix(kind: &str, place: &str) -> String {
    format!("mergelab/{kind}/{place}/")
}

fn save(key: &str, value: &str) {
    if let Some(storage) = storage() {
        // Full or forbidden: the text lives on in the page.
        let _ = storage.set_item(key, value);
    }
}

pub(super) fn save_text(place: &str, sheet: &str, text: &str) {
    save(&format!("{}{sheet}", prefix("text", place)), text);
}

pub(super) fn forget_text(place: &str, sheet: &str) {
    if let Some(storage) = storage() {
        // As in `save`.
        let _ = storage.remove_item(&format!("{}{sheet}", prefix("text", place)));
    }
}

pub(super) fn save_solved(place: &str, sheet: &str) {
    save(&format!("{}{sheet}", prefix("solved", place)), "yes");
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

pub(super) fn save_tab(tab: StageTab) {
    save(TAB, tab.name());
}

pub(super) fn tab() -> StageTab {
    let saved = storage().and_then(|storage| storage.get_item(TAB).ok().flatten());
    StageTab::parse(&saved.unwrap_or_default())
}

/// Everything about one lesson.
pub(super) fn saved(place: &str) -> Saved {
    let mut saved = Saved::default();
    let Some(storage) = storage() else { return saved };
    let (texts, solved) = (prefix("text", place), prefix("solved", place));
    let n_keys = storage.length().unwrap_or(0);
    for key in (0..n_keys).filter_map(|idx| storage.key(idx).ok().flatten()) {
        if let Some(sheet) = key.strip_prefix(&texts) {
            let text = storage.get_item(&key).ok().flatten().unwrap_or_default();
            saved.texts.push((sheet.to_string(), text));
        } else if let Some(sheet) = key.strip_prefix(&solved) {
            saved.solved.push(sheet.to_string());
        }
    }
    saved
}
