//! The lessons of the project pass every gate that needs no engine.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::fs;
use std::path::{Path, PathBuf};

use lesson::{Block, Course, Lesson, lint, plan_checks, plan_examples, plan_prediction, stray_files};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lessons")
}

#[expect(clippy::disallowed_methods, reason = "the lessons are files of the checkout")]
fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn load() -> (Course, Vec<Lesson>) {
    let course = lesson::parse_course("lessons/course.toml", &read(&root().join("course.toml"))).unwrap();
    let mut lessons = Vec::new();
    for track in &course.tracks {
        for slug in &track.lessons {
            let path = format!("{}/{slug}.md", track.id);
            let parsed = lesson::parse(&format!("lessons/{path}"), &read(&root().join(&path)));
            lessons.push(parsed.unwrap_or_else(|problems| panic!("{path}: {problems:#?}")));
        }
    }
    (course, lessons)
}

#[expect(clippy::disallowed_methods, reason = "the lessons are files of the checkout")]
fn files_below(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            files_below(&entry.path(), &format!("{path}/"), found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn the_course_is_complete_and_clean() {
    let (course, lessons) = load();
    assert!(lessons.len() >= 4, "the four first lessons are there");
    let found: Vec<String> = lint(&course, &lessons).iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "{found:#?}");
    let mut paths = Vec::new();
    files_below(&root(), "", &mut paths);
    assert!(paths.len() > lessons.len());
    assert_eq!(stray_files(&course, &paths), []);
}

#[test]
fn every_lesson_opens_with_something_to_run() {
    let (_, lessons) = load();
    for lesson in &lessons {
        let first = lesson.first_run().unwrap_or_else(|| panic!("{} has nothing to run", lesson.slug));
        assert_eq!(first.error, None, "{} opens with a failure", lesson.slug);
        assert!(first.text.contains("MERGE INTO"), "{} opens with a MERGE to step through", lesson.slug);
    }
}

#[test]
fn plans_follow_the_lesson() {
    let (_, lessons) = load();
    for lesson in &lessons {
        for block in &lesson.blocks {
            if let Block::Predict(prediction) = block {
                assert!(plan_prediction(lesson, prediction).is_some(), "{}", prediction.name);
            }
        }
        assert!(plan_examples(lesson).iter().all(|example| example.session.prepare == [lesson.setup.clone()]));
        for exercise in &lesson.exercises {
            let sessions = plan_checks(lesson, exercise, "SELECT 1");
            assert_eq!(sessions.len(), exercise.variants.len() + 1);
            assert_eq!(sessions[0].variant, "BASE");
            for (session, variant) in sessions[1..].iter().zip(&exercise.variants) {
                assert_eq!(session.variant, variant.name);
                assert_eq!(session.prepare.last(), Some(&variant.patch));
                assert_eq!(session.prepare[0], lesson.setup);
            }
            assert!(sessions.iter().all(|session| session.runs == 2), "every exercise asks for a second run");
        }
    }
}
