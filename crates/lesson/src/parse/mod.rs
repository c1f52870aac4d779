//! One Markdown file to a [`Lesson`]: front matter, prose, fences.
//!
//! ```text
//! +++                                  TOML front matter, see `tables::Front`
//! id = "T1.2"
//! +++
//! Prose. Then an example:              -> Block::Html, Block::Code
//!
//! ## Exercise a: Its title             -> Block::Exercise; up to the next heading of level 2 everything
//! The task.                               belongs to the exercise
//! ```
//!
//! A fence's info string is `<language> <role>[=<name>] [<key>=<value>]…`.
//!
//! | fence | where | body |
//! |---|---|---|
//! | `sql setup` | article, exercise | SQL; several are joined |
//! | `sql run[=<name>] [label="…"]` | article | an example |
//! | `sql twin=<name> [label="…"]` | article, right after the `run=<name>` it belongs to | an example |
//! | `sql error=<CONDITION> [label="…"]` | article | an example that must fail |
//! | `toml predict=<name>` | article | `question`, `run`, `distractors`, and `query` or `table` with `metric` or `files` |
//! | `sql starter`, `sql solution` | exercise, once | SQL |
//! | `md hint` | exercise | Markdown, weakest first |
//! | `toml check=<id>` | exercise | `type`, `title`, `message`, `variants`, and the keys of the type |
//! | `sql variant=<NAME>` | exercise | TOML with `summary`, a line `---`, SQL |
//! | `sql mistake=<name>` | exercise | TOML with `check`, `variant`, `says`, a line `---`, SQL |
//!
//! Everything unknown is a [`Problem`] with its line; all problems of a file are found in one go.

mod builder;
mod info;
mod prose;
mod tables;

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

use crate::{Course, Lesson, Problem};
use builder::{Builder, Fence};

/// Reads `course.toml`. Fails on anything that is not in [`Course`].
pub fn parse_course(path: &str, text: &str) -> Result<Course, Vec<Problem>> {
    tables::read(text).map_err(|(line, message)| vec![Problem { path: path.to_owned(), line: line + 1, message }])
}

/// Reads one lesson; `path` ends in `<track>/<slug>.md`. Fails with every problem that the text has.
pub fn parse(path: &str, text: &str) -> Result<Lesson, Vec<Problem>> {
    let problem = |line: u32, message: String| Problem { path: path.to_owned(), line, message };
    let Some((front_text, body, n_front_lines)) = split_front(text) else {
        return Err(vec![problem(1, "a lesson opens with TOML front matter between two lines `+++`".to_owned())]);
    };
    let front: tables::Front = tables::read(front_text).map_err(|(line, message)| vec![problem(line + 2, message)])?;
    let mut builder = Builder::new(path, front);
    read_body(body, n_front_lines, &mut builder);
    builder.finish()
}

/// Front matter, body, and the number of lines before the body.
fn split_front(text: &str) -> Option<(&str, &str, u32)> {
    let rest = text.strip_prefix("+++\n")?;
    let (front, body) = rest.split_once("\n+++\n")?;
    let offset = text.len().checked_sub(body.len())?;
    Some((front, body, prose::line_of(text, offset)))
}

/// Feeds the builder with prose, exercise headings and fences, in order.
fn read_body(body: &str, n_lines_before: u32, builder: &mut Builder) {
    let events: Vec<(Event<'_>, Range<usize>)> = Parser::new_ext(body, prose::OPTIONS).into_offset_iter().collect();
    let line_at = |offset: usize| n_lines_before + prose::line_of(body, offset) + 1;
    let mut pending: Vec<Event<'_>> = Vec::new();
    let mut depth = 0_usize;
    let mut position = 0;
    while let Some((event, range)) = events.get(position) {
        let line = line_at(range.start);
        position += 1;
        if let Some(message) = prose::refused(event) {
            builder.problem(line, message);
        }
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                if depth > 0 {
                    builder.problem(line, "a fence may not stand inside a list, a quote or a table");
                }
                builder.prose(std::mem::take(&mut pending));
                let text = fence_text(&events, &mut position);
                match kind {
                    CodeBlockKind::Fenced(info) => builder.fence(Fence { info, text, line }),
                    CodeBlockKind::Indented => builder.problem(line, "an indented code block; write a fence"),
                }
            }
            Event::Start(Tag::Heading { level, .. }) => {
                let title = prose::heading_text(events.get(position..).unwrap_or_default());
                if *level <= HeadingLevel::H2 {
                    builder.prose(std::mem::take(&mut pending));
                }
                if builder.heading(*level, &title, line) {
                    skip_heading(&events, &mut position);
                } else {
                    depth += 1;
                    if let Event::Start(tag) = event {
                        pending.push(Event::Start(prose::with_anchor(tag.clone(), &title)));
                    }
                }
            }
            event => {
                match event {
                    Event::Start(_) => depth += 1,
                    Event::End(_) => depth = depth.saturating_sub(1),
                    _ => {}
                }
                pending.push(event.clone());
            }
        }
    }
    builder.prose(pending);
}

/// The text of the code block that has just been opened; moves past its end.
fn fence_text(events: &[(Event<'_>, Range<usize>)], position: &mut usize) -> String {
    let mut text = String::new();
    while let Some((event, _)) = events.get(*position) {
        *position += 1;
        match event {
            Event::Text(part) => text.push_str(part),
            Event::End(TagEnd::CodeBlock) => break,
            _ => {}
        }
    }
    text
}

fn skip_heading(events: &[(Event<'_>, Range<usize>)], position: &mut usize) {
    while let Some((event, _)) = events.get(*position) {
        *position += 1;
        if matches!(event, Event::End(TagEnd::Heading(_))) {
            break;
        }
    }
}
