//! Views as HTML, without a browser. Small golden files show a component as it is; assertions say
//! what must hold wherever it is used.

mod components;
mod editor;
mod pages;
mod views;

use yew::prelude::*;

/// A component's HTML.
fn render<C: BaseComponent>(props: C::Properties) -> String
where
    C::Properties: 'static,
{
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let local = tokio::task::LocalSet::new();
    local.block_on(&runtime, yew::LocalServerRenderer::<C>::with_props(props).hydratable(false).render())
}

/// Compares a component's HTML with its golden file, one tag per line. `UPDATE_EXPECT=1` rewrites
/// the file instead.
#[allow(clippy::disallowed_methods, reason = "golden files are read and rewritten on a developer's machine")]
fn check(name: &str, html: &str) {
    let found = format!("{}\n", html.replace("><", ">\n<"));
    let path = format!("{}/src/fixtures/golden/{name}.html", env!("CARGO_MANIFEST_DIR"));
    if std::env::var("UPDATE_EXPECT").is_ok() {
        std::fs::write(&path, found).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == found, "{name}.html differs; found:\n{found}");
}

#[derive(Properties, PartialEq)]
struct PieceProps {
    html: Html,
}

#[component]
fn Piece(props: &PieceProps) -> Html {
    props.html.clone()
}

/// The HTML of a piece of a view.
fn render_html(html: Html) -> String {
    render::<Piece>(PieceProps { html })
}

/// The text between the tags, as a reader meets it.
fn words(html: &str) -> String {
    let pieces = html.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text);
    pieces.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}
