//! The colours, remembered. A browser that forbids it (private windows) just forgets.

use crate::model::Theme;
use web_sys::Storage;

const THEME: &str = "mergelab/theme";

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
