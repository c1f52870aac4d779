//! Says whether what is shown is real or recorded.

use crate::model::Origin;
use crate::view::markup::html;
use yew::prelude::*;

/// `real` for what this tab's engine did, `recorded` for what the site's build did with it.
pub fn badge(origin: Origin) -> Html {
    let (word, title) = match origin {
        Origin::Live => ("real", "The engine in this tab did this."),
        Origin::Recorded => ("recorded", "The same engine did this when the site was built. Run it to do it here."),
    };
    html! { <span class={format!("badge {word}")} {title}>{ word }</span> }
}
