//! Links: made of what is open, and opened without running anything.

use crate::effect::Effect;
use crate::model::{Desk, Dialog, Load, Model, SHARED, Sheet, SheetKind, Side};
use crate::msg::ShareMsg;
use crate::route::Route;
use crate::share::{Link, decode, encode};
use crate::update::keep::keep;

pub(super) fn update(model: &mut Model, msg: ShareMsg) -> Vec<Effect> {
    match msg {
        ShareMsg::Open => {
            model.link = made(model);
            model.dialog = Some(Dialog::Share);
            vec![Effect::ShowDialog]
        }
        ShareMsg::Adopt => adopt(model),
    }
}

/// The link to what is open now, as a fragment without its `#`.
fn made(model: &Model) -> Option<String> {
    let desk = model.desk()?;
    let sheet = desk.current()?;
    let step = desk.player.as_ref().filter(|_| desk.is_fresh()).map(|player| player.steps(0));
    Some(encode(&link(model, desk, sheet, &sheet.text, step)))
}

/// A link to a text of a sheet.
pub(crate) fn link(model: &Model, desk: &Desk, sheet: &Sheet, code: &str, step: Option<usize>) -> Link {
    let file = desk.lesson_file();
    Link {
        place: if file.is_some() { model.place().unwrap_or_default().to_string() } else { String::new() },
        lesson: file.map(|file| file.version.clone()).unwrap_or_default(),
        sheet: sheet.id.clone(),
        code: code.to_string(),
        // A file stays in the browser that has it; its rows do not fit a link.
        steps: desk.ledger.steps.iter().filter(|step| step.file.is_empty()).cloned().collect(),
        engine: model.build.clone(),
        step,
    }
}

/// Opens a link: what it carries is shown and waits for the reader's Run.
pub(super) fn opened(model: &mut Model, fragment: &str) -> Result<Option<Route>, String> {
    let link = decode(fragment)?;
    if !link.place.is_empty() {
        let route = Route::Lesson(link.place.clone());
        model.incoming = Some(link);
        return Ok(Some(route));
    }
    let mut sheet = Sheet::new("script", "Script", SheetKind::Free, &link.code);
    sheet.label = "Script from the link".to_string();
    let mut desk = Desk { file: Load::Ready(None), sheets: vec![sheet], is_kept: false, ..Desk::waiting() };
    desk.ledger.steps = link.steps;
    desk.wanted_step = wanted(model, link.step);
    model.desks.put(SHARED, desk);
    Ok(None)
}

/// Puts a link's text beside the learner's own, once the lesson is there.
pub(super) fn arrived(model: &mut Model, slug: &str) {
    let Some(link) = model.incoming.take_if(|link| link.place == slug) else { return };
    let step = wanted(model, link.step);
    let Some(desk) = model.desks.get_mut(slug) else { return };
    let is_other = desk.lesson_file().is_some_and(|file| file.version != link.lesson);
    let at = desk.sheets.iter().position(|sheet| sheet.id == link.sheet).unwrap_or(0);
    let Some(sheet) = desk.sheets.get_mut(at) else { return };
    let n_lines = link.code.lines().count();
    sheet.turn(Side::Mine);
    sheet.shared = Some(link.code);
    sheet.turn(Side::Shared);
    let label = sheet.label.clone();
    desk.sheet = at;
    desk.wanted_step = step;
    let since = if is_other { " The lesson has changed since the link was made." } else { "" };
    model.status = format!(
        "From a link: {n_lines} lines for {label}, on the lesson's own data. Nothing ran yet; yours is under Mine.{since}"
    );
}

/// An embedding page may name another step than the link.
fn wanted(model: &Model, step: Option<usize>) -> Option<usize> {
    model.embed.as_ref().and_then(|embed| embed.step).or(step)
}

/// Takes a shared playground over: its steps and text become the learner's own, and those of before are taken back.
fn adopt(model: &mut Model) -> Vec<Effect> {
    let now_ms = model.now_ms;
    let Some(shared) = model.desks.get(SHARED).cloned() else { return Vec::new() };
    let Some(text) = shared.current().map(|sheet| sheet.text.clone()) else { return Vec::new() };
    let steps = shared.ledger.steps;
    let place = crate::model::PLAYGROUND;
    let Some(own) = model.desks.get_mut(place).filter(|own| own.file.ready().is_some()) else {
        // The learner's own is not read yet: it must not be overwritten unseen.
        model.adopting = true;
        model.route = Route::Playground;
        return vec![Effect::Redirect(Route::Playground)];
    };
    own.ledger.reset(now_ms);
    own.ledger.steps = steps;
    own.ledger.at = now_ms;
    if let Some(sheet) = own.current_mut() {
        sheet.write(text);
        sheet.at = now_ms;
    }
    model.adopting = false;
    model.route = Route::Playground;
    model.status = "This is your playground now. Undo, or Empty and Redo, bring back what was here.".to_string();
    let mut effects = vec![Effect::Redirect(Route::Playground)];
    effects.extend(keep(model));
    effects.extend(super::playground::replay(model));
    effects
}

/// The learner's playground was read: a shared one that waits is taken over now.
pub(super) fn own_is_there(model: &mut Model) -> Vec<Effect> {
    if model.adopting { adopt(model) } else { Vec::new() }
}
