//! The lessons of the served site, as the page reads them.

use serde_json::Value;

use crate::browser::Browser;
use cli::webdriver::send;

/// An exercise of a lesson.
#[derive(Debug)]
pub(crate) struct Exercise {
    pub(crate) id: String,
    pub(crate) starter: String,
    pub(crate) solution: String,
}

/// The first exercise of a lesson. Panics where the site has no such lesson.
pub(crate) fn first_exercise(browser: &Browser, slug: &str) -> Exercise {
    let file = json(browser, &format!("lessons/{slug}.json"));
    let exercise = &file["lesson"]["exercises"][0];
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{slug} has a whole exercise")).to_owned();
    Exercise {
        id: text(&exercise["id"]),
        starter: text(&exercise["starter"]["text"]),
        solution: text(&exercise["solution"]["text"]),
    }
}

/// Slug and title of each lesson, in the order of the course.
pub(crate) fn lessons(browser: &Browser) -> Vec<(String, String)> {
    let index = json(browser, "lessons/index.json");
    let text = |value: &Value| value.as_str().expect("a lesson has a slug and a title").to_owned();
    let lessons = index["lessons"].as_array().expect("the course has lessons");
    lessons.iter().map(|lesson| (text(&lesson["slug"]), text(&lesson["title"]))).collect()
}

fn json(browser: &Browser, name: &str) -> Value {
    let (host, path) = browser.site.trim_start_matches("http://").split_once('/').expect("the site has a path");
    let (status, json) = send(host, "GET", &format!("/{path}{name}"), None).expect("the site answers");
    assert_eq!(status, 200, "{name}");
    json
}
