//! Gate 1: what can be wrong with lessons without running anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::{Block, CheckKind, Course, Exercise, Lesson, Rowset, session};

/// Something an author must repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub path: String,
    /// Counted from 1.
    pub line: u32,
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// The fewest hints of an exercise.
const HINTS: usize = 2;

/// Everything wrong with a course and its lessons that can be seen without an engine; empty if all is well.
pub fn lint(course: &Course, lessons: &[Lesson]) -> Vec<Problem> {
    let mut problems = lint_course(course, lessons);
    let ids: BTreeSet<&str> = lessons.iter().map(|lesson| lesson.id.as_str()).collect();
    for lesson in lessons {
        let mut findings = Findings { path: path_of(&lesson.track, &lesson.slug), problems: Vec::new() };
        lint_lesson(lesson, &ids, &mut findings);
        problems.append(&mut findings.problems);
    }
    problems
}

/// The files under `lessons/` that belong to nothing; `paths` are relative to it.
pub fn stray_files(course: &Course, paths: &[String]) -> Vec<Problem> {
    let listed: BTreeSet<String> = listed(course).map(|(track, slug)| format!("{track}/{slug}.md")).collect();
    paths
        .iter()
        .filter(|path| !listed.contains(*path) && !["course.toml", "README.md"].contains(&path.as_str()))
        .map(|path| Problem {
            path: format!("lessons/{path}"),
            line: 1,
            message: "a stray file: no track of course.toml lists it".to_owned(),
        })
        .collect()
}

struct Findings {
    path: String,
    problems: Vec<Problem>,
}

impl Findings {
    fn push(&mut self, line: u32, message: impl Into<String>) {
        self.problems.push(Problem { path: self.path.clone(), line, message: message.into() });
    }

    fn unique<'a>(&mut self, what: &str, names: impl Iterator<Item = (&'a str, u32)>) {
        let mut seen = BTreeSet::new();
        for (name, line) in names {
            if !seen.insert(name) {
                self.push(line, format!("{what} `{name}` is there twice"));
            }
        }
    }
}

fn path_of(track: &str, slug: &str) -> String {
    format!("lessons/{track}/{slug}.md")
}

fn listed(course: &Course) -> impl Iterator<Item = (&str, &str)> {
    course.tracks.iter().flat_map(|track| track.lessons.iter().map(|slug| (track.id.as_str(), slug.as_str())))
}

fn lint_course(course: &Course, lessons: &[Lesson]) -> Vec<Problem> {
    let mut findings = Findings { path: "lessons/course.toml".to_owned(), problems: Vec::new() };
    if course.format_version != crate::FORMAT_VERSION {
        let message = format!("format_version is {}, not {}", course.format_version, crate::FORMAT_VERSION);
        findings.push(1, message);
    }
    let mut times_listed: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for place in listed(course) {
        *times_listed.entry(place).or_default() += 1;
    }
    for (&(track, slug), &times) in &times_listed {
        if times > 1 {
            findings.push(1, format!("`{track}/{slug}` is listed twice"));
        }
        if !lessons.iter().any(|lesson| lesson.track == track && lesson.slug == slug) {
            findings.push(1, format!("`{track}/{slug}` is listed and has no file"));
        }
    }
    for lesson in lessons {
        if !times_listed.contains_key(&(lesson.track.as_str(), lesson.slug.as_str())) {
            findings.push(1, format!("`{}/{}` is not listed", lesson.track, lesson.slug));
        }
    }
    findings.unique("lesson id", lessons.iter().map(|lesson| (lesson.id.as_str(), 1)));
    findings.unique("track", course.tracks.iter().map(|track| (track.id.as_str(), 1)));
    findings.problems
}

fn lint_lesson(lesson: &Lesson, ids: &BTreeSet<&str>, findings: &mut Findings) {
    if lesson.title.trim().is_empty() {
        findings.push(1, "the title is empty");
    }
    if lesson.minutes == 0 {
        findings.push(1, "`minutes` is 0");
    }
    for required in &lesson.requires {
        if !ids.contains(required.as_str()) || *required == lesson.id {
            findings.push(1, format!("`requires` names `{required}`, which is no other lesson"));
        }
    }
    for lines in &lesson.covers {
        if !names_source_lines(lines) {
            findings.push(1, format!("`covers` holds `{lines}`, which is not like S0:13-33"));
        }
    }
    let examples = session::examples(lesson);
    findings.unique("example", examples.iter().map(|code| (code.name.as_str(), code.line)));
    for block in &lesson.blocks {
        let Block::Predict(prediction) = block else { continue };
        if !examples.iter().any(|code| code.name == prediction.run && code.error.is_none()) {
            findings.push(prediction.line, format!("the prediction runs `{}`, which is no example", prediction.run));
        }
        if prediction.distractors.is_empty() {
            findings.push(prediction.line, "the prediction has no distractors");
        }
        findings.unique("distractor", prediction.distractors.iter().map(|text| (text.as_str(), prediction.line)));
    }
    findings.unique("exercise", lesson.exercises.iter().map(|exercise| (exercise.id.as_str(), exercise.line)));
    for exercise in &lesson.exercises {
        lint_exercise(exercise, findings);
    }
}

fn lint_exercise(exercise: &Exercise, findings: &mut Findings) {
    let line = exercise.line;
    if exercise.hints.len() < HINTS {
        findings.push(line, format!("exercise `{}` has fewer than two hints", exercise.id));
    }
    for (count, what) in [
        (exercise.checks.len(), "check"),
        (exercise.variants.len(), "variant"),
        (exercise.mistakes.len(), "mistake"),
        (exercise.task.len(), "task"),
    ] {
        if count == 0 {
            findings.push(line, format!("exercise `{}` has no {what}", exercise.id));
        }
    }
    findings.unique("check", exercise.checks.iter().map(|check| (check.id.as_str(), check.line)));
    findings.unique("variant", exercise.variants.iter().map(|variant| (variant.name.as_str(), variant.line)));
    findings.unique("mistake", exercise.mistakes.iter().map(|mistake| (mistake.name.as_str(), mistake.line)));
    let is_variant =
        |name: &str| name == Exercise::BASE || exercise.variants.iter().any(|variant| variant.name == name);
    for mistake in &exercise.mistakes {
        if !is_variant(&mistake.variant) {
            findings.push(mistake.line, format!("the mistake fails on `{}`, which is no variant", mistake.variant));
        }
        if mistake.check != Exercise::RUN && !exercise.checks.iter().any(|check| check.id == mistake.check) {
            findings.push(mistake.line, format!("the mistake fails `{}`, which is no check", mistake.check));
        }
    }
    let prose = words_of_task(exercise);
    for check in &exercise.checks {
        for variant in check.variants.iter().filter(|variant| !is_variant(variant)) {
            findings.push(check.line, format!("the check is asked on `{variant}`, which is no variant"));
        }
        for name in names_used(&check.kind).into_iter().filter(|name| !prose.contains(name)) {
            findings.push(check.line, format!("the check uses `{name}`, and the task does not speak of it"));
        }
    }
}

/// The tables and metrics of a check, which a learner must have read of. Queries are the author's own matter.
fn names_used(kind: &CheckKind) -> Vec<&str> {
    match kind {
        CheckKind::RowsEqual { of: Rowset::Table(table), .. } | CheckKind::Files { table, .. } => vec![table],
        CheckKind::Metric { table, metric, .. } => vec![table, metric],
        CheckKind::Idempotent { tables } => tables.iter().map(String::as_str).collect(),
        CheckKind::Error { condition } => vec![condition],
        CheckKind::RowsEqual { of: Rowset::Query(_), .. } | CheckKind::Invariant { .. } => Vec::new(),
    }
}

fn words_of_task(exercise: &Exercise) -> BTreeSet<&str> {
    exercise
        .task
        .iter()
        .filter_map(|block| match block {
            Block::Html(html) => Some(html),
            _ => None,
        })
        .flat_map(|html| html.split(|letter: char| !letter.is_alphanumeric() && letter != '_'))
        .collect()
}

/// Whether a text has the form `S<digit>:<line>` or `S<digit>:<line>-<line>`.
fn names_source_lines(text: &str) -> bool {
    let Some((source, lines)) = text.split_once(':') else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    source.strip_prefix('S').is_some_and(is_number) && is_number(first) && is_number(last)
}
