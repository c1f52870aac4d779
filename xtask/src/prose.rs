//! Lessons before there is an engine: parsed here, with the recorded run that an earlier build left.
//!
//! `web/recorded/<slug>.json` holds the last accepted recording of every lesson, so that a fresh clone can
//! step through a run while the engine is still being compiled. `cargo xtask test` refuses a stale one.

use std::path::Path;

use anyhow::{Context, Result, bail};
use lesson::{Lesson, Problem};
use serde_json::{Value, json};

use crate::site::{Site, files_below};
use crate::workspace::Workspace;

const RECORDED: &str = "web/recorded";

/// Writes `lessons/` from the Markdown files. A recording that was made of exactly this lesson is kept.
pub(crate) fn add(workspace: &Workspace, site: &Site) -> Result<()> {
    let lessons = read_lessons(&workspace.root.join("lessons"))?;
    let mut course = Vec::new();
    for lesson in &lessons {
        course.push(json!({
            "id": lesson.id, "slug": lesson.slug, "title": lesson.title, "minutes": lesson.minutes
        }));
        let file = recording(workspace, site, lesson)?.unwrap_or_else(|| json!({ "lesson": lesson, "trace": null }));
        site.put(&format!("lessons/{}.json", lesson.slug), file.to_string().as_bytes())?;
    }
    site.put("lessons/index.json", json!({ "lessons": course }).to_string().as_bytes())
}

/// Makes the recordings of a built site the accepted ones.
pub(crate) fn accept_recordings(workspace: &Workspace, site: &Site) -> Result<()> {
    let accepted = Site::create(workspace.root.join(RECORDED))?;
    for (slug, file) in recorded_files(site)? {
        accepted.put(&format!("{slug}.json"), file.to_string().as_bytes())?;
    }
    println!("{RECORDED} holds what the lessons record now");
    Ok(())
}

/// Fails for a recording that is missing, left over, or not what the lessons record now.
pub(crate) fn check_recordings(workspace: &Workspace, site: &Site) -> Result<usize> {
    let folder = workspace.root.join(RECORDED);
    let fresh = recorded_files(site)?;
    let mut stale = Vec::new();
    for (slug, file) in &fresh {
        if read_json(&folder.join(format!("{slug}.json"))).as_ref() != Some(file) {
            stale.push(format!("{slug}.json"));
        }
    }
    let is_known = |name: &String| fresh.iter().any(|(slug, _)| *name == format!("{slug}.json"));
    stale.extend(files_below(&folder)?.into_iter().filter(|name| !is_known(name)));
    if !stale.is_empty() {
        bail!("{RECORDED} is not what the lessons record now ({}): run `cargo xtask record`", stale.join(", "));
    }
    Ok(fresh.len())
}

/// Slug and file of each lesson in the site.
fn recorded_files(site: &Site) -> Result<Vec<(String, Value)>> {
    let folder = site.folder.join("lessons");
    let names = files_below(&folder)?;
    let slugs = names.iter().filter_map(|name| name.strip_suffix(".json")).filter(|slug| *slug != "index");
    slugs
        .map(|slug| {
            let file = read_json(&folder.join(format!("{slug}.json")));
            Ok((slug.to_owned(), file.with_context(|| format!("lessons/{slug}.json is no JSON"))?))
        })
        .collect()
}

/// The newest recording of this very lesson: the site's own, else the accepted one.
fn recording(workspace: &Workspace, site: &Site, lesson: &Lesson) -> Result<Option<Value>> {
    let name = format!("{}.json", lesson.slug);
    let as_json = serde_json::to_value(lesson)?;
    let places = [site.folder.join("lessons").join(&name), workspace.root.join(RECORDED).join(&name)];
    let is_of_it = |file: &Value| !file["trace"].is_null() && without_answers(&file["lesson"]) == as_json;
    Ok(places.iter().filter_map(|file| read_json(file)).find(is_of_it))
}

/// A lesson as its author wrote it: the recorder also answers its predictions.
fn without_answers(lesson: &Value) -> Value {
    let mut lesson = lesson.clone();
    for block in lesson["blocks"].as_array_mut().into_iter().flatten() {
        if let Some(prediction) = block.get_mut("predict") {
            prediction["answer"] = Value::Null;
        }
    }
    lesson
}

fn read_json(file: &Path) -> Option<Value> {
    serde_json::from_str(&std::fs::read_to_string(file).ok()?).ok()
}

fn read_lessons(folder: &Path) -> Result<Vec<Lesson>> {
    let read =
        |name: &str| std::fs::read_to_string(folder.join(name)).with_context(|| format!("cannot read lessons/{name}"));
    let course = lesson::parse_course("lessons/course.toml", &read("course.toml")?).map_err(|all| told(&all))?;
    let mut lessons = Vec::new();
    for track in &course.tracks {
        for slug in &track.lessons {
            let name = format!("{}/{slug}.md", track.id);
            lessons.push(lesson::parse(&format!("lessons/{name}"), &read(&name)?).map_err(|all| told(&all))?);
        }
    }
    Ok(lessons)
}

fn told(problems: &[Problem]) -> anyhow::Error {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    anyhow::anyhow!("the lessons cannot be read:\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COURSE: &str = "format_version = 1\n[[tracks]]\nid = \"t\"\ntitle = \"T\"\nlessons = [\"l\"]\n";
    const LESSON: &str = "+++\nid = \"T1.1\"\ntitle = \"L\"\nminutes = 1\nconcepts = [\"MERGE\"]\ncovers = []\n+++\n\nProse.\n\n\
        ```sql setup\nSELECT 1;\n```\n\n```sql run=a\nSELECT 1;\n```\n";

    fn workspace(name: &str) -> Workspace {
        let root = std::env::temp_dir().join(format!("xtask-prose-{name}-{}", std::process::id()));
        std::fs::create_dir_all(root.join("lessons/t")).unwrap();
        std::fs::write(root.join("lessons/course.toml"), COURSE).unwrap();
        std::fs::write(root.join("lessons/t/l.md"), LESSON).unwrap();
        Workspace { target: root.join("target"), root }
    }

    fn lesson_file(site: &Site) -> Value {
        read_json(&site.folder.join("lessons/l.json")).unwrap()
    }

    #[test]
    fn a_recording_lasts_as_long_as_its_lesson_is_the_same() {
        let workspace = workspace("kept");
        let site = Site::create(workspace.target.join("site")).unwrap();
        add(&workspace, &site).unwrap();
        assert_eq!(lesson_file(&site)["trace"], Value::Null);

        let mut recorded = lesson_file(&site);
        recorded["trace"] = json!({ "steps": 3 });
        site.put("lessons/l.json", recorded.to_string().as_bytes()).unwrap();
        accept_recordings(&workspace, &site).unwrap();
        let fresh = Site::create(workspace.target.join("site")).unwrap();
        add(&workspace, &fresh).unwrap();
        assert_eq!(lesson_file(&fresh), recorded);

        std::fs::write(workspace.root.join("lessons/t/l.md"), LESSON.replace("Prose", "Other prose")).unwrap();
        add(&workspace, &fresh).unwrap();
        assert_eq!(lesson_file(&fresh)["trace"], Value::Null);
        std::fs::remove_dir_all(&workspace.root).unwrap();
    }

    #[test]
    fn a_stale_recording_is_refused_until_it_is_accepted() {
        let workspace = workspace("stale");
        let site = Site::create(workspace.target.join("site")).unwrap();
        add(&workspace, &site).unwrap();
        let message = check_recordings(&workspace, &site).unwrap_err().to_string();
        assert!(message.contains("l.json") && message.contains("cargo xtask record"), "{message}");
        accept_recordings(&workspace, &site).unwrap();
        assert_eq!(check_recordings(&workspace, &site).unwrap(), 1);
        std::fs::write(workspace.root.join(RECORDED).join("gone.json"), "{}").unwrap();
        assert!(check_recordings(&workspace, &site).unwrap_err().to_string().contains("gone.json"));
        std::fs::remove_dir_all(&workspace.root).unwrap();
    }
}
