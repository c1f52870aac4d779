//! Small pieces that many views draw: one function each, for markup is the larger part of the page's bytes.

use crate::view::markup::{Markup, html};
use yew::prelude::*;

fn element(tag: &'static str, class: &'static str, text: &str) -> Html {
    let mut markup = Markup::new();
    markup.open(tag, &["class"]);
    markup.fixed(class);
    markup.add(text);
    markup.close();
    markup.done()
}

/// A sentence instead of what is not there.
pub fn empty(text: impl AsRef<str>) -> Html {
    element("p", "empty", text.as_ref())
}

/// How much more there is.
pub fn more(text: impl AsRef<str>) -> Html {
    element("p", "more", text.as_ref())
}

/// Numbers beside a name.
pub fn facts(text: impl AsRef<str>) -> Html {
    element("span", "facts", text.as_ref())
}

/// A remark.
pub fn small(text: impl AsRef<str>) -> Html {
    element("small", "", text.as_ref())
}

/// Something as it is written.
pub fn code(text: impl AsRef<str>) -> Html {
    element("code", "", text.as_ref())
}

/// The heading of a column.
pub fn column(text: impl AsRef<str>) -> Html {
    let text = text.as_ref().to_string();
    html! { <th scope="col">{ text }</th> }
}

/// A part of a table that scrolls by itself and can be reached by keyboard.
pub fn scroll(label: &'static str, inner: Html) -> Html {
    html! { <div class="scroll" tabindex="0" role="group" aria-label={label}>{ inner }</div> }
}
