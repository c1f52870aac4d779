//! What is kept in this browser: records in its database, the colours in its local storage.

use crate::model::{Placed, Saved, SavedSheet, write_file};
use crate::msg::{FileMsg, KeepMsg, Msg};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::Callback;

const WORK: &str = "work";
/// A record is written when nothing was typed for so long.
const WAIT_MILLISECONDS: u32 = 300;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = mergelab)]
    fn put(store: &str, key: &str, value: &str) -> js_sys::Promise;
    #[wasm_bindgen(js_namespace = mergelab)]
    fn get(store: &str, key: &str) -> js_sys::Promise;
    #[wasm_bindgen(js_namespace = mergelab)]
    fn keys(store: &str) -> js_sys::Promise;
    #[wasm_bindgen(js_namespace = mergelab, js_name = oldTexts)]
    fn old_texts(place: &str) -> js_sys::Array;
    #[wasm_bindgen(js_namespace = mergelab, js_name = forgetOld)]
    fn forget_old(place: &str);
    #[wasm_bindgen(js_namespace = mergelab, js_name = keepLast)]
    fn keep_last(place: &str, record: &str);
    #[wasm_bindgen(js_namespace = mergelab, js_name = lastOf)]
    fn last_of(place: &str) -> Option<String>;
    #[wasm_bindgen(js_namespace = mergelab, js_name = forgetLast)]
    fn forget_last(place: &str);
    #[wasm_bindgen(js_namespace = mergelab, js_name = keepsNothing)]
    fn keeps_nothing() -> js_sys::Promise;
    #[wasm_bindgen(js_namespace = mergelab, js_name = tellOthers)]
    fn tell_others(place: &str, record: &str);
    #[wasm_bindgen(js_namespace = mergelab)]
    fn download(name: &str, bytes: &JsValue, media_type: &str);
    #[wasm_bindgen(js_namespace = mergelab, js_name = resetLayout)]
    pub(super) fn reset_layout();
    #[wasm_bindgen(js_namespace = mergelab)]
    fn listen(said: &Closure<dyn Fn(String, String, String)>);
}

/// Records on their way into the database.
#[derive(Debug, Clone, Default)]
pub(super) struct Keeper(Rc<RefCell<OnTheirWay>>);

/// Places with what is kept of them.
type Records = Vec<(String, String)>;

#[derive(Debug, Default)]
struct OnTheirWay {
    waiting: Records,
    /// Given to the database, which has not said that it has them.
    given: Records,
}

impl Keeper {
    /// Keeps a record soon; one that waits for the same place is replaced.
    pub(super) fn keep(&self, place: &str, saved: &Saved) {
        let mut records = self.0.borrow_mut();
        let is_first = records.waiting.is_empty();
        records.waiting.retain(|(of, _)| of != place);
        records.waiting.push((place.to_string(), saved.write()));
        drop(records);
        if is_first {
            let keeper = self.clone();
            super::dom::after(WAIT_MILLISECONDS, move || keeper.write());
        }
    }

    fn write(&self) {
        let given = std::mem::take(&mut self.0.borrow_mut().waiting);
        self.0.borrow_mut().given.extend(given.iter().cloned());
        for (place, record) in given {
            let keeper = self.clone();
            spawn_local(async move {
                let is_kept = JsFuture::from(put(WORK, &place, &record)).await.is_ok();
                keeper.0.borrow_mut().given.retain(|given| *given != (place.clone(), record.clone()));
                if is_kept {
                    tell_others(&place, &record);
                }
            });
        }
    }

    /// The page goes: a database may be too slow now.
    fn write_at_once(&self) {
        let records = self.0.borrow();
        for (place, record) in records.given.iter().chain(&records.waiting) {
            keep_last(place, record);
        }
        drop(records);
        self.write();
    }
}

/// Listens to other windows, to picked files and to the end, for as long as the page lives.
pub(super) fn start(keeper: &Keeper, send: Callback<Msg>) {
    let to_page = send.clone();
    spawn_local(async move {
        if JsFuture::from(keeps_nothing()).await.is_ok_and(|nothing| nothing.is_truthy()) {
            to_page.emit(Msg::Keep(KeepMsg::Forgets));
        }
    });
    let keeper = keeper.clone();
    let said = Closure::<dyn Fn(String, String, String)>::new(move |kind: String, about: String, text: String| {
        match kind.as_str() {
            "leaving" => keeper.write_at_once(),
            "work" => send.emit(Msg::Keep(KeepMsg::Import(text))),
            "file" => send.emit(Msg::File(FileMsg::Taken { key: about, name: text })),
            "update" => send.emit(Msg::Keep(KeepMsg::NewVersion)),
            "refused" => send.emit(Msg::File(FileMsg::Refused(text))),
            "other" => {
                if let Ok(saved) = Saved::read(&text) {
                    send.emit(Msg::Keep(KeepMsg::SavedElsewhere { place: about, saved }));
                }
            }
            _ => {}
        }
    });
    listen(&said);
    said.forget();
}

/// What is kept of one place. What cannot be read is as if it were not there.
pub(super) async fn saved(place: &str) -> Saved {
    let mut saved = match JsFuture::from(get(WORK, place)).await {
        Ok(record) => record.as_string().and_then(|record| Saved::read(&record).ok()).unwrap_or_default(),
        Err(_) => Saved::default(),
    };
    let last = last_of(place).and_then(|record| Saved::read(&record).ok()).unwrap_or_default();
    let old = of_old(place);
    if last == Saved::default() && old == Saved::default() {
        return saved;
    }
    saved.merge(last);
    saved.merge(old);
    // It is forgotten elsewhere only once the database has it.
    if JsFuture::from(put(WORK, place, &saved.write())).await.is_ok() {
        forget_last(place);
        forget_old(place);
    }
    saved
}

/// Texts and solved exercises as the first version of this page kept them.
fn of_old(place: &str) -> Saved {
    let mut saved = Saved::default();
    for entry in old_texts(place).iter() {
        let entry = js_sys::Array::from(&entry);
        let text = |idx| entry.get(idx).as_string().unwrap_or_default();
        let id = text(1);
        let at = match saved.sheets.iter().position(|sheet| sheet.id == id) {
            Some(at) => at,
            None => {
                saved.sheets.push(SavedSheet { id, at: 1, ..SavedSheet::default() });
                saved.sheets.len() - 1
            }
        };
        let Some(sheet) = saved.sheets.get_mut(at) else { continue };
        match text(0).as_str() {
            "text" => sheet.text = Some(text(2)),
            _ => sheet.solved = true,
        }
    }
    saved
}

/// Downloads everything that is kept, as one file.
pub(super) async fn export() {
    let mut work = Vec::new();
    if let Ok(places) = JsFuture::from(keys(WORK)).await {
        for place in js_sys::Array::from(&places).iter().filter_map(|place| place.as_string()) {
            let saved = saved(&place).await;
            work.push(Placed { place, saved });
        }
    }
    download("mergelab-work.json", &write_file(&work).into(), "application/json");
}

/// Brings in work: per text the newer wins. Gives the number of places.
pub(super) async fn import(work: Vec<Placed>) -> Result<usize, String> {
    let n_places = work.len();
    for Placed { place, saved: theirs } in work {
        let mut mine = saved(&place).await;
        mine.merge(theirs);
        let written = JsFuture::from(put(WORK, &place, &mine.write())).await;
        written.map_err(|_| "This browser did not keep what was brought in.".to_string())?;
    }
    Ok(n_places)
}
