//! All behaviour of the page: a message changes the model and names what the browser must do.

mod desk;
mod engine;
mod help;
mod open;
mod play;
mod show;
mod view;

#[cfg(test)]
mod tests;

use crate::effect::Effect;
use crate::model::Model;
use crate::msg::Msg;
use crate::route::Route;

/// Starts the page at an address. `build` is what the site's build calls itself.
pub fn start(build: &str, route: Route) -> (Model, Vec<Effect>) {
    let mut model = Model { build: build.to_string(), ..Model::default() };
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
    }
}
