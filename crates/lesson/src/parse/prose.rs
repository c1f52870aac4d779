//! Prose to HTML. An author writes Markdown; HTML of the author's own is refused, everything else is escaped.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// What the rest of the grammar understands of Markdown: CommonMark and tables.
pub(super) const OPTIONS: Options = Options::ENABLE_TABLES;

/// Renders events that belong together.
pub(super) fn render(events: Vec<Event<'_>>) -> String {
    let mut rendered = String::new();
    html::push_html(&mut rendered, events.into_iter());
    rendered
}

/// Renders a text that holds no fences of its own (a hint, a question); problems carry lines counted from 0.
pub(super) fn render_text(text: &str) -> Result<String, Vec<(u32, String)>> {
    let mut problems = Vec::new();
    let mut events = Vec::new();
    for (event, range) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
        let message = match &event {
            Event::Start(Tag::CodeBlock(_)) => Some("no code block may stand here".to_owned()),
            event => refused(event),
        };
        if let Some(message) = message {
            problems.push((line_of(text, range.start), message));
        }
        events.push(event);
    }
    if problems.is_empty() { Ok(render(events)) } else { Err(problems) }
}

/// Why an event must not stand in prose, if it must not.
pub(super) fn refused(event: &Event<'_>) -> Option<String> {
    match event {
        Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock) => {
            Some("raw HTML is not allowed; write Markdown, or `code` for an angle bracket".to_owned())
        }
        Event::Start(Tag::Image { .. }) => Some("pictures are not supported".to_owned()),
        Event::Start(Tag::Link { dest_url, .. }) if !is_safe_link(dest_url) => {
            Some(format!("a link to `{dest_url}`: only https:, http:, # and relative paths are allowed"))
        }
        _ => None,
    }
}

/// The heading's tag with an id made of its text, so that it can be linked to.
pub(super) fn with_anchor<'a>(tag: Tag<'a>, title: &str) -> Tag<'a> {
    match tag {
        Tag::Heading { level, classes, attrs, .. } => {
            Tag::Heading { level, id: Some(CowStr::from(anchor(title))), classes, attrs }
        }
        tag => tag,
    }
}

/// The plain text of events up to the end of the heading they open with.
pub(super) fn heading_text(events: &[(Event<'_>, std::ops::Range<usize>)]) -> String {
    let mut text = String::new();
    for (event, _) in events {
        match event {
            Event::Text(part) | Event::Code(part) => text.push_str(part),
            Event::End(TagEnd::Heading(_)) => break,
            _ => {}
        }
    }
    text
}

/// The number of line breaks before `offset`.
pub(super) fn line_of(text: &str, offset: usize) -> u32 {
    let before = text.as_bytes().iter().take(offset);
    u32::try_from(before.filter(|byte| **byte == b'\n').count()).unwrap_or(u32::MAX)
}

fn anchor(title: &str) -> String {
    let words: Vec<String> = title
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}

fn is_safe_link(target: &str) -> bool {
    let scheme = target.split(['/', '#', '?']).next().and_then(|start| start.split_once(':'));
    match scheme {
        None => true,
        Some((scheme, _)) => scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http"),
    }
}
