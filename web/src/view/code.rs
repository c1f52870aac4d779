//! Sentences in which backticks set code apart.

use crate::view::markup::html;
use yew::prelude::*;

/// The sentence, with what stands between backticks as code. A backtick without a partner stays what it is.
pub fn with_code(sentence: &str) -> Html {
    let parts: Vec<&str> = sentence.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return html! { { sentence } };
    }
    let part = |(idx, part): (usize, &&str)| {
        let text = (*part).to_string();
        if idx.is_multiple_of(2) {
            html! { { text } }
        } else {
            html! { <code>{ text }</code> }
        }
    };
    parts.iter().enumerate().map(part).collect()
}
