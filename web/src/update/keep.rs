//! What is kept in this browser, and what comes from elsewhere.

use crate::effect::Effect;
use crate::model::{Desk, Load, Model, Notice, Saved, SavedSheet, Sheet, Side, read_file};
use crate::msg::KeepMsg;

pub(super) fn update(model: &mut Model, msg: KeepMsg) -> Vec<Effect> {
    match msg {
        KeepMsg::NewVersion => {
            model.status = "A new version of MergeLab is here: it is used when the page is next loaded.".to_string();
        }
        KeepMsg::Forgets => model.forgets = true,
        KeepMsg::SavedElsewhere { place, saved } => saved_elsewhere(model, place, saved),
        KeepMsg::TakeTheirs(takes) => return take_theirs(model, takes),
        KeepMsg::Export => return vec![Effect::Export],
        KeepMsg::Import(text) => match read_file(&text) {
            Ok(work) => return vec![Effect::Import(work)],
            Err(sentence) => model.status = sentence,
        },
        KeepMsg::Imported(Ok(n_places)) => {
            model.status = format!("Work on {n_places} places was brought in: the newer of each text is kept.");
            // What is open is read again, so that the page shows what is kept now.
            let Some(place) = model.place().map(str::to_string) else { return Vec::new() };
            model.desks.put(&place, Desk { file: Load::Failed(String::new()), ..Desk::waiting() });
            let route = model.route.clone();
            return super::open::opened(model, route);
        }
        KeepMsg::Imported(Err(sentence)) => model.status = sentence,
    }
    Vec::new()
}

/// Everything about the open place, to be kept.
pub(super) fn keep(model: &Model) -> Vec<Effect> {
    let Some(place) = model.place().map(str::to_string) else { return Vec::new() };
    keep_place(model, &place)
}

/// Everything about a place, open or not, to be kept.
pub(super) fn keep_place(model: &Model, place: &str) -> Vec<Effect> {
    match model.desks.get(place) {
        Some(desk) if desk.is_kept => vec![Effect::Keep { place: place.to_string(), saved: record(desk) }],
        _ => Vec::new(),
    }
}

fn record(desk: &Desk) -> Saved {
    let sheets = desk.sheets.iter().filter(|sheet| sheet.at > 0).map(saved_sheet).collect();
    Saved { sheets, steps: desk.ledger.steps.clone(), steps_at: desk.ledger.at }
}

fn saved_sheet(sheet: &Sheet) -> SavedSheet {
    SavedSheet {
        id: sheet.id.clone(),
        text: (sheet.own() != sheet.pristine).then(|| sheet.own().to_string()),
        at: sheet.at,
        pass: sheet.pass.clone(),
        solved: sheet.solved,
        seen: sheet.seen,
    }
}

/// Puts what was kept into the sheets of a lesson or playground.
pub(super) fn restore(sheets: &mut [Sheet], saved: &[SavedSheet]) {
    for kept in saved {
        let Some(sheet) = sheets.iter_mut().find(|sheet| sheet.id == kept.id) else { continue };
        sheet.turn(Side::Mine);
        sheet.text = kept.text.clone().unwrap_or_else(|| sheet.pristine.clone());
        sheet.at = kept.at;
        sheet.pass.clone_from(&kept.pass);
        sheet.solved = kept.solved;
        sheet.seen = kept.seen;
    }
}

/// The last write wins; the window that lost is told and may take the other text.
fn saved_elsewhere(model: &mut Model, place: String, theirs: Saved) {
    let Some(desk) = model.desks.get(&place).filter(|desk| desk.is_kept) else { return };
    if !desk.sheets.is_empty() && record(desk) != theirs {
        model.notice = Some(Notice { place, theirs });
    }
}

fn take_theirs(model: &mut Model, takes: bool) -> Vec<Effect> {
    let Some(Notice { place, theirs }) = model.notice.take() else { return Vec::new() };
    if !takes {
        // This window's text is the one that a reload finds.
        return keep_place(model, &place);
    }
    if let Some(desk) = model.desks.get_mut(&place) {
        restore(&mut desk.sheets, &theirs.sheets);
        desk.ledger.steps = theirs.steps;
        desk.ledger.at = theirs.steps_at;
        desk.ledger.undone.clear();
    }
    model.status = "This is the text of the other window now.".to_string();
    if model.place() == Some(place.as_str()) && model.is_playground() {
        return super::playground::replay(model);
    }
    Vec::new()
}
