//! Links that carry work in their fragment: `#1` and base64url of deflated JSON.
//!
//! The digit is the version of the link. A decoder, once published, stays: `golden.txt` holds links of every version.
//! A link is a stranger's text: nothing in it runs by itself, and every size is bounded before memory is spent.

mod base64;
mod deflate;
mod inflate;
#[cfg(test)]
mod tests;

use crate::json::{is_shallow, quote, read};
use crate::model::Step;
use crate::route::is_slug;
use serde::Deserialize;

/// Longer links are warned about: some programs cut them.
pub const LONG: usize = 6_000;
/// Longer ones are better a file.
pub const TOO_LONG: usize = 16_000;
/// Nobody makes a link of this length here.
const MAX_LINK: usize = 200_000;
/// What a link may hold once it is unpacked.
const MAX_CONTENT: usize = 1_000_000;
const MAX_STEPS: usize = 1_000;

/// What a link carries.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Link {
    /// The lesson's slug; empty for the playground.
    pub place: String,
    /// The version of the lesson that it was made with.
    pub lesson: String,
    /// The sheet of the lesson.
    pub sheet: String,
    pub code: String,
    /// What ran before the code, in the playground.
    pub steps: Vec<Step>,
    /// Whose answers were shown.
    pub engine: String,
    /// How many steps of the run to show once it has run.
    pub step: Option<usize>,
}

/// Whether a fragment means to be such a link, of whatever version.
pub fn is_link(fragment: &str) -> bool {
    fragment.starts_with(|first: char| first.is_ascii_digit())
}

/// The fragment, without its `#`.
pub fn encode(link: &Link) -> String {
    let steps: Vec<String> =
        link.steps.iter().map(|step| format!("[{},{}]", quote(&step.kind), quote(&step.text))).collect();
    let json = format!(
        r#"{{"p":{},"l":{},"s":{},"c":{},"d":[{}],"e":{},"i":{}}}"#,
        quote(&link.place),
        quote(&link.lesson),
        quote(&link.sheet),
        quote(&link.code),
        steps.join(","),
        quote(&link.engine),
        link.step.map_or("null".to_string(), |step| step.to_string()),
    );
    format!("1{}", base64::encode(&deflate::deflate(json.as_bytes())))
}

/// Reads a fragment, without its `#`; the error is a sentence for the reader.
pub fn decode(fragment: &str) -> Result<Link, String> {
    if fragment.len() > MAX_LINK {
        return Err("This link is longer than any that MergeLab makes.".to_string());
    }
    let Some(version) = fragment.chars().next() else { return Err(broken("it is empty")) };
    match version {
        '1' => version_1(fragment.get(1..).unwrap_or_default()),
        _ => Err(format!(
            "This link is of version {version}; this page reads version 1. Reload the page, it may be old."
        )),
    }
}

#[derive(Deserialize)]
struct Version1 {
    #[serde(default)]
    p: String,
    #[serde(default)]
    l: String,
    #[serde(default)]
    s: String,
    c: String,
    #[serde(default)]
    d: Vec<(String, String)>,
    #[serde(default)]
    e: String,
    #[serde(default)]
    i: Option<usize>,
}

fn version_1(text: &str) -> Result<Link, String> {
    let packed = base64::decode(text).ok_or_else(|| broken("it was cut or changed on its way"))?;
    let bytes = inflate::inflate(&packed, MAX_CONTENT)
        .ok_or_else(|| broken("its content cannot be unpacked, or is larger than a link may hold"))?;
    let json = String::from_utf8(bytes).map_err(|_| broken("its content is no text"))?;
    if !is_shallow(&json) {
        return Err(broken("its content is not what it should be"));
    }
    let Version1 { p, l, s, c, d, e, i } = read(&json).map_err(|misfit| broken(&misfit.to_string()))?;
    if !(p.is_empty() || is_slug(&p)) || d.len() > MAX_STEPS {
        return Err(broken("its content is not what it should be"));
    }
    let steps = d.into_iter().map(|(kind, text)| Step { kind, text, file: String::new() }).collect();
    Ok(Link { place: p, lesson: l, sheet: s, code: c, steps, engine: e, step: i })
}

fn broken(why: &str) -> String {
    format!("This link cannot be read: {why}.")
}
