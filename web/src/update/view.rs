//! What is shown, and where.

use crate::effect::Effect;
use crate::model::{EditorKind, Model, StageTab};
use crate::msg::ViewMsg;

pub(super) fn update(model: &mut Model, msg: ViewMsg) -> Vec<Effect> {
    match msg {
        ViewMsg::Pane(pane) => model.pane = pane,
        ViewMsg::Tab(tab) => {
            model.stage_tab = tab;
            return vec![Effect::SaveTab(tab)];
        }
        ViewMsg::Theme(theme) => {
            model.theme = theme;
            return vec![Effect::SetTheme(theme)];
        }
        ViewMsg::Editor(kind) => {
            model.editor.kind = kind;
            model.editor.cursor = None;
            return std::iter::once(Effect::SaveEditor(kind)).chain(want_editor(model)).collect();
        }
        ViewMsg::Both(both) => {
            model.editor.both = both;
            return vec![Effect::SaveBoth(both)];
        }
        ViewMsg::EditorArrived(cursor) => {
            model.editor.arrived = true;
            model.editor.cursor = cursor;
        }
        ViewMsg::Open(dialog) => {
            model.dialog = Some(dialog);
            return vec![Effect::ShowDialog];
        }
        ViewMsg::ResetLayout => return vec![Effect::ResetLayout],
        ViewMsg::CloseDialog => {
            model.dialog = None;
            return vec![Effect::CloseDialog];
        }
        ViewMsg::Only(_)
        | ViewMsg::Diff
        | ViewMsg::Light(_)
        | ViewMsg::Ask(_)
        | ViewMsg::AsOf(_)
        | ViewMsg::Riddle(_) => look(model, msg),
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

/// What is picked a second time is let go.
fn look(model: &mut Model, msg: ViewMsg) {
    if matches!(msg, ViewMsg::Ask(Some(_))) {
        model.stage_tab = StageTab::Logic;
    }
    let Some(desk) = model.desk_mut() else { return };
    let look = &mut desk.look;
    match msg {
        ViewMsg::Only(outcome) => look.only = outcome.filter(|_| look.only != outcome),
        ViewMsg::Diff => look.diff = !look.diff,
        ViewMsg::Light(metric) => look.lit = Some(metric).filter(|metric| look.lit.as_ref() != Some(metric)),
        ViewMsg::Ask(pair) => look.pair = pair,
        ViewMsg::AsOf(at) => look.as_of = Some(at),
        ViewMsg::Riddle(riddle) => look.riddle = riddle,
        _ => {}
    }
}
