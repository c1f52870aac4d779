//! What is shown, and where.

use crate::effect::Effect;
use crate::model::{EditorKind, Model};
use crate::msg::ViewMsg;

pub(super) fn update(model: &mut Model, msg: ViewMsg) -> Vec<Effect> {
    match msg {
        ViewMsg::Pane(pane) => model.pane = pane,
        ViewMsg::Tab(tab) => model.stage_tab = tab,
        ViewMsg::Theme(theme) => {
            model.theme = theme;
            return vec![Effect::SetTheme(theme)];
        }
        ViewMsg::Editor(kind) => {
            model.editor.kind = kind;
            model.editor.cursor = None;
            return std::iter::once(Effect::SaveEditor(kind)).chain(want_editor(model)).collect();
        }
        ViewMsg::EditorArrived(cursor) => {
            model.editor.arrived = true;
            model.editor.cursor = cursor;
        }
        ViewMsg::Open(dialog) => {
            model.dialog = Some(dialog);
            return vec![Effect::ShowDialog];
        }
        ViewMsg::CloseDialog => {
            model.dialog = None;
            return vec![Effect::CloseDialog];
        }
        ViewMsg::Only(outcome) => {
            if let Some(desk) = model.desk_mut() {
                desk.only = if desk.only == outcome { None } else { outcome };
            }
        }
        ViewMsg::Copy(text) => return vec![Effect::Copy(text)],
        ViewMsg::Copied(worked) => {
            model.status = if worked { "Copied." } else { "The browser did not allow copying." }.to_string();
        }
    }
    Vec::new()
}

/// Fetches the full editor once, and only for those who want it.
pub(super) fn want_editor(model: &mut Model) -> Vec<Effect> {
    if model.editor.kind == EditorKind::Plain || model.editor.wanted {
        return Vec::new();
    }
    model.editor.wanted = true;
    vec![Effect::LoadEditor]
}
