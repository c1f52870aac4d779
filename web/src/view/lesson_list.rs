//! The way through the course.

use crate::model::{Course, Load};
use crate::route::Route;
use crate::shared::Shared;
use crate::view::markup::html;
use yew::prelude::*;

/// The lessons in order, and the playground.
pub fn lesson_list(course: &Load<Shared<Course>>, route: &Route) -> Html {
    let link = |place: Route, title: &str, facts: String| {
        let current = (place == *route).then_some("page");
        html! {
            <li><a href={place.fragment()} aria-current={current}>{ title }<span class="facts">{ facts }</span></a></li>
        }
    };
    let lessons = match course {
        Load::Waiting => html! { <li class="empty">{ "Loading the lessons …" }</li> },
        Load::Failed(sentence) => html! { <li class="empty" role="alert">{ sentence }</li> },
        Load::Ready(course) => course
            .lessons
            .iter()
            .map(|lesson| link(Route::Lesson(lesson.slug.clone()), &lesson.title, format!("{} min", lesson.minutes)))
            .collect(),
    };
    html! {
        <nav class="lessons" aria-label="Lessons">
            <ol>{ lessons }{ link(Route::Playground, "Playground", "free script".to_string()) }</ol>
        </nav>
    }
}
