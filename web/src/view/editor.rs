//! The text: in the full editor once its bundle is here, else in a text area.
//!
//! Both carry the id `editor` on what takes the keyboard and tell of typing by an `input` event. Under the text area
//! lies a painted copy, so the browser keeps all that makes a text field good: undo, spelling, paste, screen readers.

use crate::json::quote;
use crate::model::{Problem, Severity};
use crate::msg::{DeskMsg, Msg};
use crate::span::utf16_offset;
use crate::view::markup::html;
use crate::view::sql_text::sql_text;
use web_sys::{HtmlElement, HtmlTextAreaElement};
use yew::prelude::*;

/// What the editor shows.
#[derive(Debug, Clone, Copy)]
pub struct EditorProps<'a> {
    /// Differs for every text that has a life of its own.
    pub key: &'a str,
    pub text: &'a str,
    pub label: &'a str,
    pub problems: &'a [Problem<'a>],
    /// What can be completed, as JSON.
    pub completions: &'a str,
    pub is_full: bool,
    /// Where the keyboard is to go on, in UTF-16 units.
    pub cursor: Option<(u32, u32)>,
    pub send: &'a Callback<Msg>,
}

/// The editor in use.
pub fn editor(props: EditorProps<'_>) -> Html {
    if props.is_full { full(&props) } else { plain(&props) }
}

fn full(props: &EditorProps<'_>) -> Html {
    let send = props.send.clone();
    let typed = Callback::from(move |event: InputEvent| {
        let Some(target) = event.target_dyn_into::<HtmlElement>() else { return };
        // Fields inside of the editor, such as that of its search, have events of their own.
        if target.tag_name() == "SQL-EDITOR" {
            send.emit(Msg::Desk(DeskMsg::Typed(value(&target))));
        }
    });
    let cursor = props.cursor.map(|(start, end)| format!("{start},{end}"));
    html! {
        <div class="editor full" key={format!("full {}", props.key)}>
            <sql-editor text={props.text.to_string()} problems={problems_json(props)} words={props.completions.to_string()}
                cursor={cursor} oninput={typed}
                label={format!("{}. Tab indents; to leave the editor press Escape, then Tab.", props.label)} />
        </div>
    }
}

/// Both editors answer like a text area.
fn value(target: &HtmlElement) -> String {
    use wasm_bindgen::JsCast;
    target.unchecked_ref::<HtmlTextAreaElement>().value()
}

fn plain(props: &EditorProps<'_>) -> Html {
    let typed = props.send.reform(|event: InputEvent| {
        Msg::Desk(DeskMsg::Typed(event.target_unchecked_into::<HtmlTextAreaElement>().value()))
    });
    let text = props.text;
    let numbers: Vec<String> = (1..=text.matches('\n').count() + 1).map(|line| line.to_string()).collect();
    // A trailing line break has no height of its own in the painted copy.
    let painted = format!("{text}\n");
    // One place is marked, and only where the text is the one that it is about.
    let errors = props.problems.iter().filter(|problem| problem.severity == Severity::Error);
    let mark = errors.filter(|problem| problem.text == text).map(|problem| problem.span).next();
    html! {
        <div class="editor" key={format!("plain {}", props.key)}>
            <pre class="gutter" aria-hidden="true">{ numbers.join("\n") }</pre>
            <div class="sheet">
                <pre class="paint" aria-hidden="true">{ sql_text(&painted, mark) }</pre>
                <textarea id="editor" value={text.to_string()} oninput={typed} spellcheck="false" autocomplete="off"
                    autocapitalize="off" wrap="off" aria-label={format!("{}. Tab leaves the editor.", props.label)}
                    aria-invalid={mark.is_some().to_string()} />
            </div>
        </div>
    }
}

/// The problems as the full editor reads them.
fn problems_json(props: &EditorProps<'_>) -> String {
    let problem = |problem: &Problem<'_>| {
        let at = |byte: u32| utf16_offset(problem.text, byte);
        let severity = match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let edits = problem.report.edits.iter().map(|edit| {
            let (from, to) = (at(edit.span.0), at(edit.span.1));
            let (label, insert) = (quote(&edit.label), quote(&edit.replacement));
            format!(r#"{{"label":{label},"from":{from},"to":{to},"insert":{insert}}}"#)
        });
        let edits: Vec<String> = edits.collect();
        let (from, to) = (at(problem.span.0), at(problem.span.1));
        let (condition, message) = (quote(&problem.report.condition), quote(&problem.report.message));
        format!(
            r#"{{"severity":"{severity}","from":{from},"to":{to},"condition":{condition},"message":{message},"edits":[{}]}}"#,
            edits.join(",")
        )
    };
    format!("[{}]", props.problems.iter().map(problem).collect::<Vec<_>>().join(","))
}
