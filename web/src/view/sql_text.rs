//! SQL in colours, with a marked range.

use crate::sql::{Paint, paint};
use crate::view::markup::html;
use yew::prelude::*;

/// The text, piece by piece.
pub fn sql_text(text: &str, mark: Option<(u32, u32)>) -> Html {
    let mark = mark.map(|(start, end)| (start as usize, end as usize));
    let mut at = 0;
    let mut pieces = Vec::new();
    for (kind, piece) in paint(text) {
        let class = match kind {
            Paint::Plain => "",
            Paint::Keyword => "kw",
            Paint::Text => "str",
            Paint::Number => "lit",
            Paint::Comment => "rem",
        };
        for (part, is_marked) in cut(piece, at, mark) {
            pieces.push(if class.is_empty() && !is_marked {
                html! { { part } }
            } else {
                html! { <span class={if is_marked { format!("{class} mark") } else { class.to_string() }}>{ part }</span> }
            });
        }
        at += piece.len();
    }
    html! { <code>{ for pieces }</code> }
}

/// A piece that starts at `at`, cut where the mark begins and ends.
fn cut(piece: &str, at: usize, mark: Option<(usize, usize)>) -> Vec<(&str, bool)> {
    let Some((start, end)) = mark else { return vec![(piece, false)] };
    let inside = |position: usize| position.saturating_sub(at).min(piece.len());
    let (from, to) = (inside(start), inside(end.max(start)));
    match (piece.get(..from), piece.get(from..to), piece.get(to..)) {
        (Some(before), Some(marked), Some(after)) => {
            [(before, false), (marked, true), (after, false)].into_iter().filter(|(part, _)| !part.is_empty()).collect()
        }
        _ => vec![(piece, false)],
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_mark_cuts_the_pieces_it_touches() {
        assert_eq!(cut("abc", 0, Some((1, 2))), [("a", false), ("b", true), ("c", false)]);
        assert_eq!(cut("abc", 10, Some((0, 11))), [("a", true), ("bc", false)]);
        assert_eq!(cut("abc", 0, Some((3, 9))), [("abc", false)]);
        assert_eq!(cut("é", 0, Some((1, 2))), [("é", false)]);
    }
}
