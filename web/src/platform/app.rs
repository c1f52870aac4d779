//! The root component: holds the model, hands messages to `update`, carries out effects.

use super::names::Names;
use super::worker::Engine;
use super::{dom, editor, fetch, keep, keyboard, storage};
use crate::effect::Effect;
use crate::model::Model;
use crate::msg::{DeskMsg, EngineMsg, KeepMsg, Msg, ViewMsg};
use crate::update::{start_at, update};
use crate::view::page;
use crate::wire::Ask;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::prelude::*;

/// The page in a browser.
pub(crate) struct App {
    model: Model,
    names: Names,
    engine: Option<Engine>,
    keeper: keep::Keeper,
    send: Callback<Msg>,
}

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let send = ctx.link().callback(|msg: Msg| msg);
        let names = Names::read();
        let (base, embed) = dom::address();
        let (mut model, effects) = start_at(&names.build, dom::route(), base, embed);
        model.theme = storage::theme();
        model.editor.kind = storage::editor();
        model.editor.both = storage::both();
        model.stage_tab = storage::tab();
        dom::set_theme(model.theme);
        let keeper = keep::Keeper::default();
        keep::start(&keeper, send.clone());
        keyboard::listen(send.clone());
        listen_to_address(send.clone());
        let mut app = App { model, names, engine: None, keeper, send };
        effects.into_iter().for_each(|effect| app.carry_out(effect));
        app
    }

    fn update(&mut self, _: &Context<Self>, msg: Msg) -> bool {
        self.model.now_ms = js_sys::Date::now() as u64;
        let effects = update(&mut self.model, msg);
        effects.into_iter().for_each(|effect| self.carry_out(effect));
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        page(&self.model, &self.send)
    }
}

impl App {
    fn carry_out(&mut self, effect: Effect) {
        let send = self.send.clone();
        match effect {
            Effect::FetchCourse => spawn_local(async move {
                send.emit(Msg::CourseLoaded(fetch::json("lessons/index.json").await));
            }),
            Effect::FetchLesson(slug) => spawn_local(async move {
                let file = fetch::lesson(&slug).await.map(Box::new);
                send.emit(Msg::LessonLoaded { saved: keep::saved(&slug).await, file, slug });
            }),
            Effect::OpenPlayground(place) => spawn_local(async move {
                send.emit(Msg::PlaygroundLoaded(keep::saved(place).await));
            }),
            Effect::Redirect(route) => dom::redirect(&route),
            Effect::SetTitle(title) => dom::set_title(&title),
            Effect::SetTheme(theme) => {
                dom::set_theme(theme);
                storage::save_theme(theme);
            }
            Effect::SaveTab(tab) => storage::save_tab(tab),
            Effect::Keep { place, saved } => self.keeper.keep(&place, &saved),
            Effect::SendFile(key) => self.engine.iter().for_each(|engine| engine.send_files(&key)),
            Effect::Download(table) => self.engine.iter().for_each(|engine| engine.zip(&table)),
            Effect::Export => spawn_local(keep::export()),
            Effect::Import(work) => spawn_local(async move {
                send.emit(Msg::Keep(KeepMsg::Imported(keep::import(work).await)));
            }),
            Effect::StartEngine(generation) => self.start_engine(generation),
            Effect::Send(request) => self.ask(&request),
            // After the view is drawn: the element may only then be there, or hold the new text.
            Effect::Select { start, end } => dom::after(0, move || editor::select(start, end)),
            Effect::SelectNext { places, forward } => dom::after(0, move || {
                if let Some(idx) = editor::select_next(&places, forward) {
                    send.emit(Msg::Desk(DeskMsg::AtProblem(idx)));
                }
            }),
            // After this message is done with: what is written is a message too.
            Effect::Insert { before, after } => dom::after(0, move || editor::insert(before, after, &send)),
            Effect::LoadEditor => editor::load(&self.names, send),
            Effect::SaveEditor(kind) => storage::save_editor(kind),
            Effect::SaveBoth(both) => storage::save_both(both),
            Effect::ResetLayout => keep::reset_layout(),
            Effect::ShowDialog => dom::after(0, dom::show_dialog),
            Effect::CloseDialog => dom::close_dialog(),
            Effect::Focus(id) => dom::after(0, move || dom::focus(id)),
            Effect::Copy(text) => copy(text, send),
            Effect::After { milliseconds, msg } => dom::after(milliseconds, move || send.emit(*msg)),
        }
    }

    fn start_engine(&mut self, generation: u32) {
        // The old worker ends before the new one begins: two of them would need twice the memory.
        self.engine = None;
        let to_page = self.send.reform(move |msg| Msg::Engine(generation, msg));
        match Engine::start(&self.names, to_page.clone()) {
            Ok(engine) => self.engine = Some(engine),
            Err(sentence) => dom::after(0, move || to_page.emit(EngineMsg::Unavailable(sentence))),
        }
    }

    fn ask(&mut self, request: &protocol::Envelope<Ask>) {
        let sent = self.engine.as_ref().map_or(Err("There is no engine.".to_string()), |engine| engine.send(request));
        if let Err(message) = sent {
            let (send, generation) = (self.send.clone(), self.model.engine.generation);
            dom::after(0, move || send.emit(Msg::Engine(generation, EngineMsg::Panicked(message))));
        }
    }
}

fn copy(text: String, send: Callback<Msg>) {
    let Some(window) = web_sys::window() else { return };
    let written = window.navigator().clipboard().write_text(&text);
    spawn_local(async move {
        let worked = JsFuture::from(written).await.is_ok();
        send.emit(Msg::View(ViewMsg::Copied(worked)));
    });
}

fn listen_to_address(send: Callback<Msg>) {
    let Some(window) = web_sys::window() else { return };
    let changed = Closure::<dyn Fn()>::new(move || send.emit(Msg::Opened(dom::route())));
    window.set_onhashchange(Some(changed.as_ref().unchecked_ref()));
    changed.forget();
}
