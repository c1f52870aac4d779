//! The proof card of a passed exercise: what was written, on which data, and a link that shows it.

use crate::model::{Desk, Exercise, LessonFile, Model, Sheet, fingerprint};
use crate::msg::{Act, Msg, ViewMsg};
use crate::share::encode;
use crate::update::link;
use crate::view::button::{Look, button};
use crate::view::markup::html;
use lesson::{TestStatus, Verdict};
use yew::prelude::*;

/// The commit is where it is decided; every run ends with it, and a step beyond the last is the last.
const DECISIVE: usize = u32::MAX as usize;

/// The card of a verdict that is about the text as it is now.
pub fn proof(
    model: &Model,
    desk: &Desk,
    sheet: &Sheet,
    exercise: &Exercise,
    verdict: &Verdict,
    send: &Callback<Msg>,
) -> Html {
    let Some(file) = desk.lesson_file() else { return html! {} };
    let fragment = encode(&link(model, desk, sheet, &sheet.text, Some(DECISIVE)));
    let link = format!("{}#{fragment}", model.base);
    let facts = facts(model, file, exercise, verdict);
    let told: Vec<String> = facts.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let card = format!("{}\n\n{}\n\n{}\n\n{link}\n", exercise.title, sheet.text.trim_end(), told.join("\n"));
    let copy = Look { id: "copy-proof", ..Look::default() };
    html! {
        <details id="proof" class="proof">
            <summary>{ "Proof card" }</summary>
            <pre>{ &sheet.text }</pre>
            <dl>{ for facts.iter().map(|(name, value)| html! { <><dt>{ *name }</dt><dd>{ value }</dd></> }) }</dl>
            <p><a id="proof-link" href={format!("#{fragment}")}>{ "Replay it at the commit" }</a></p>
            { button(send, Act::View(ViewMsg::Copy(card)), "Copy the card", copy) }
        </details>
    }
}

fn facts(model: &Model, file: &LessonFile, exercise: &Exercise, verdict: &Verdict) -> [(&'static str, String); 5] {
    let n_passed = verdict.tests.iter().filter(|test| test.status == TestStatus::Passed).count();
    let variants: Vec<&str> = exercise.variants.iter().map(|variant| variant.name.as_str()).collect();
    [
        ("Exercise", format!("{}, {}", file.lesson.title, exercise.title)),
        ("Data", fingerprint(&format!("{}\n{}", file.lesson.setup, exercise.setup))),
        ("Engine", format!("MergeLab {}, answers like {}", model.build, protocol::ANSWERS_LIKE)),
        ("Checks passed", format!("{n_passed} of {}", verdict.tests.len())),
        ("Variants survived", if variants.is_empty() { "none hidden".to_string() } else { variants.join(", ") }),
    ]
}
