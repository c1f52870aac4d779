//! `cargo xtask new-lesson`: a lesson that passes every gate that needs no engine, to be written over.

use anyhow::{Result, bail};

use crate::workspace::Workspace;

const TEMPLATE: &str = include_str!("new_lesson.md");

/// Writes `lessons/<track>/<slug>.md` and says where to list it. Never touches a file that is there.
pub(crate) fn new_lesson(workspace: &Workspace, args: &[String]) -> Result<()> {
    let [place, id] = args else {
        bail!("new-lesson takes a place and an id: `cargo xtask new-lesson basics/late-rows T3.4`");
    };
    let Some((track, slug)) = place.split_once('/').filter(|(track, slug)| is_slug(track) && is_slug(slug)) else {
        bail!("{place} is not <track>/<slug>, both of small letters, digits and hyphens");
    };
    let file = workspace.root.join("lessons").join(track).join(format!("{slug}.md"));
    if file.exists() {
        bail!("lessons/{place}.md is there already");
    }
    std::fs::create_dir_all(file.with_file_name(""))?;
    std::fs::write(&file, filled(slug, id))?;
    println!("lessons/{place}.md is written; list \"{slug}\" under the track \"{track}\" of lessons/course.toml");
    Ok(())
}

fn is_slug(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn filled(slug: &str, id: &str) -> String {
    TEMPLATE.replace("{id}", id).replace("{title}", &slug.replace('-', " "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lesson::{Course, Track};

    #[test]
    fn the_template_is_a_lesson_without_problems() {
        let lesson = lesson::parse("lessons/basics/late-rows.md", &filled("late-rows", "T3.4")).unwrap();
        assert_eq!((lesson.id.as_str(), lesson.title.as_str()), ("T3.4", "late rows"));
        let track = Track { id: "basics".into(), title: "Basics".into(), lessons: vec!["late-rows".into()] };
        let course = Course { format_version: lesson::FORMAT_VERSION, tracks: vec![track] };
        assert_eq!(lesson::lint(&course, &[lesson]), []);
    }

    #[test]
    fn a_place_outside_of_the_lessons_is_refused() {
        for place in ["basics", "../x", "basics/../x", "basics/", "Basics/x"] {
            let is_place = place.split_once('/').is_some_and(|(track, slug)| is_slug(track) && is_slug(slug));
            assert!(!is_place, "{place}");
        }
    }
}
