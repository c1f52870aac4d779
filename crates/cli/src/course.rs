//! The course as it lies in a folder.

use anyhow::{Context, Result, bail};
use lesson::{Course, Lesson, Problem};
use std::fs;
use std::path::Path;

/// A course, its lessons in the order of the tracks, and what is wrong with the files.
#[derive(Debug)]
pub struct Loaded {
    pub course: Course,
    pub lessons: Vec<Lesson>,
    pub problems: Vec<Problem>,
}

/// Reads `course.toml` and every lesson that it lists.
///
/// # Errors
/// The folder cannot be read, or the course file itself is broken.
pub fn load(folder: &Path) -> Result<Loaded> {
    let path = folder.join("course.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let course = match lesson::parse_course("lessons/course.toml", &text) {
        Ok(course) => course,
        Err(problems) => bail!("{}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    };
    let mut lessons = Vec::new();
    let mut problems = lesson::stray_files(&course, &files_below(folder, folder)?);
    for track in &course.tracks {
        for slug in &track.lessons {
            let relative = format!("{}/{slug}.md", track.id);
            let text = fs::read_to_string(folder.join(&relative))
                .with_context(|| format!("cannot read lessons/{relative}"))?;
            match lesson::parse(&format!("lessons/{relative}"), &text) {
                Ok(lesson) => lessons.push(lesson),
                Err(found) => problems.extend(found),
            }
        }
    }
    problems.extend(lesson::lint(&course, &lessons));
    Ok(Loaded { course, lessons, problems })
}

/// Paths relative to `root`, with `/`.
fn files_below(root: &Path, folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files_below(root, &path)?);
        } else {
            found.push(path.strip_prefix(root)?.to_string_lossy().replace('\\', "/"));
        }
    }
    found.sort();
    Ok(found)
}
