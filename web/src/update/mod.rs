//! All behaviour of the page: a message changes the model and names what the browser must do.

mod desk;
mod engine;
mod files;
mod help;
mod keep;
mod open;
mod play;
mod playground;
mod share;
mod show;
mod view;

#[cfg(test)]
mod tests;

pub(crate) use share::link;

use crate::effect::Effect;
use crate::model::{Embed, Model};
use crate::msg::Msg;
use crate::route::Route;

/// Starts the page at an address. `build` is what the site's build calls itself.
pub fn start(build: &str, route: Route) -> (Model, Vec<Effect>) {
    start_at(build, route, String::new(), None)
}

/// The same where the page knows its own address, and whether it is inside another page.
pub fn start_at(build: &str, route: Route, base: String, embed: Option<Embed>) -> (Model, Vec<Effect>) {
    let mut model = Model { build: build.to_string(), base, embed, ..Model::default() };
    let mut effects = vec![Effect::FetchCourse];
    effects.extend(open::opened(&mut model, route));
    (model, effects)
}

/// The one place where the model changes. Pure: the same model and message give the same model
/// and effects.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    // It was for the one drawing of the editor that took another's place.
    model.editor.cursor = None;
    let before = help::subject(model);
    let mut effects = changed(model, msg);
    if help::subject(model) != before {
        effects.extend(help::changed(model));
    }
    effects
}

fn changed(model: &mut Model, msg: Msg) -> Vec<Effect> {
    match msg {
        Msg::Opened(route) => open::opened(model, route),
        Msg::CourseLoaded(course) => open::course_loaded(model, course),
        Msg::LessonLoaded { slug, file, saved } => open::lesson_loaded(model, &slug, file, saved),
        Msg::PlaygroundLoaded(saved) => open::playground_loaded(model, saved),
        Msg::Desk(msg) => desk::update(model, msg),
        Msg::Engine(generation, msg) => engine::update(model, generation, msg),
        Msg::Play(msg) => play::update(model, msg),
        Msg::View(msg) => view::update(model, msg),
        Msg::Rested(round) => help::rested(model, round),
        Msg::Playground(msg) => playground::update(model, msg),
        Msg::Keep(msg) => keep::update(model, msg),
        Msg::Share(msg) => share::update(model, msg),
        Msg::File(msg) => files::update(model, msg),
    }
}
