//! Three-valued logic: for a pair of rows the tree of each condition, with TRUE, FALSE or NULL at every part.

use crate::msg::{Act, Msg, ViewMsg};
use crate::view::bits;
use crate::view::button::{Look, button};
use crate::view::code::with_code;
use crate::view::markup::html;
use crate::view::rows::cell;
use trace::{ConditionImage, LogicOp, Over, Pair, RowId, Scene, Step, Trace, Truth};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The inspector, for the picked pair or for that of the latest step.
pub fn logic(trace: &Trace, scene: &Scene, picked: Option<Pair>, send: &Callback<Msg>) -> Html {
    let Some(logic) = trace.logic.as_ref().filter(|logic| !logic.conditions.is_empty()) else {
        let sentence = if trace.summarised {
            "There are too many rows to evaluate every pair: make the tables smaller to look into the conditions."
        } else {
            "This statement has no condition that could be TRUE, FALSE or NULL."
        };
        return html! { { bits::empty(sentence) } };
    };
    let pair = picked.unwrap_or_else(|| of_step(trace, scene.step));
    let follow = Look { class: "link", title: "Show the rows of the latest step again", ..Look::default() };
    html! {
        <div class="logic">
            <div class="picks">
                { target_pick(trace, pair, send) }
                { source_pick(trace, pair, send) }
                if picked.is_some() { { button(send, Act::View(ViewMsg::Ask(None)), "follow the timeline", follow) } }
            </div>
            { for logic.conditions.iter().map(|condition| one(trace, condition, pair)) }
        </div>
    }
}

/// The rows that the latest step is about, or the nearest before it that was about rows; else the first of each side.
fn of_step(trace: &Trace, step: usize) -> Pair {
    let done = trace.steps.get(..step.min(trace.steps.len())).unwrap_or(&[]);
    let latest = done.iter().rev().find_map(|step| match step {
        Step::Match { target, source } => Some(Pair { target: Some(*target), source: Some(*source) }),
        Step::Act { target, source, .. } => Some(Pair { target: *target, source: *source }),
        Step::Duplicate { target, sources } => Some(Pair { target: Some(*target), source: sources.first().copied() }),
        _ => None,
    });
    let has_source = trace.source.as_ref().is_some_and(|source| !source.rows.is_empty());
    let first = Pair { target: trace.target_rows().next(), source: has_source.then_some(0) };
    latest
        .map_or(first, |latest| Pair { target: latest.target.or(first.target), source: latest.source.or(first.source) })
}

fn target_pick(trace: &Trace, pair: Pair, send: &Callback<Msg>) -> Html {
    let rows: Vec<RowId> = trace.target_rows().collect();
    let at = pair.target.and_then(|target| rows.iter().position(|row| *row == target));
    let labels = rows.iter().map(|row| trace.pair_label(Pair { target: Some(*row), source: None })).collect();
    let source = pair.source;
    pick("logic-target", "Target row", labels, at, send, move |at| Pair { target: rows.get(at).copied(), source })
}

fn source_pick(trace: &Trace, pair: Pair, send: &Callback<Msg>) -> Html {
    let n_rows = trace.source.as_ref().map_or(0, |source| source.rows.len() as u32);
    let labels = (0..n_rows).map(|row| trace.pair_label(Pair { target: None, source: Some(row) })).collect();
    let target = pair.target;
    let at = pair.source.map(|source| source as usize);
    pick("logic-source", "Source row", labels, at, send, move |at| Pair { target, source: Some(at as u32) })
}

fn pick(
    id: &'static str,
    word: &'static str,
    labels: Vec<String>,
    at: Option<usize>,
    send: &Callback<Msg>,
    pair: impl Fn(usize) -> Pair + 'static,
) -> Html {
    if labels.is_empty() {
        return html! {};
    }
    let onchange = send.reform(move |event: Event| {
        let at = event.target_unchecked_into::<HtmlSelectElement>().selected_index();
        Msg::View(ViewMsg::Ask(Some(pair(usize::try_from(at).unwrap_or(0)))))
    });
    html! {
        <label>{ word }
            <select {id} {onchange}>{ for labels.into_iter().enumerate().map(|(idx, label)| html! {
                <option value={idx.to_string()} selected={Some(idx) == at}>{ label }</option>
            }) }</select>
        </label>
    }
}

fn one(trace: &Trace, condition: &ConditionImage, pair: Pair) -> Html {
    let name = match condition.clause {
        Some(clause) => trace.clause_label(clause),
        None if trace.operation == "MERGE" => "ON".to_string(),
        None => "WHERE".to_string(),
    };
    let sees = match condition.over {
        Over::Pair => "sees both rows",
        Over::Source => "sees the source row only",
        Over::Target => "sees the target row only",
    };
    let verdict = match trace.truth(condition, 0, pair) {
        Some(Truth::True) => "so it holds",
        Some(Truth::False) => "so it does not hold",
        Some(Truth::Null) => "and NULL is not TRUE: it does not hold",
        Some(Truth::Failed) => "which stops the statement",
        None => "for want of a row",
    };
    html! {
        <section class="condition" aria-label={name.clone()}>
            <h4>{ with_code(&name) }{ bits::facts(format!("{sees} · {verdict}")) }</h4>
            <ul class="tree">{ node(trace, condition, 0, pair) }</ul>
        </section>
    }
}

fn node(trace: &Trace, condition: &ConditionImage, at: usize, pair: Pair) -> Html {
    let Some(image) = condition.nodes.get(at) else { return html! {} };
    let value = trace.truth(condition, at, pair);
    let children = (at + 1..condition.nodes.len())
        .filter(|child| condition.nodes.get(*child).is_some_and(|child| child.parent == Some(at as u32)));
    let label = match image.op {
        LogicOp::And => "AND",
        LogicOp::Or => "OR",
        LogicOp::Not => "NOT",
        LogicOp::Leaf => image.text.as_str(),
    };
    let operands = image.columns.iter().filter(|_| image.op == LogicOp::Leaf);
    html! {
        <li>
            { truth(value) }{ " " }{ bits::code(label) }
            { for operands.filter_map(|column| trace.operand(*column, pair).map(|operand| (column.0, operand))).map(|(is_source, (name, value))| html! {
                <span class="operand">{ if is_source { "source " } else { "" } }{ name }{ " = " }{ cell(value) }</span>
            }) }
            <span class="because">{ with_code(&trace.explain(condition, at, pair)) }</span>
            if image.op != LogicOp::Leaf { <ul>{ for children.map(|child| node(trace, condition, child, pair)) }</ul> }
        </li>
    }
}

fn truth(value: Option<Truth>) -> Html {
    let (class, word) = match value {
        Some(Truth::True) => ("yes", "TRUE"),
        Some(Truth::False) => ("no", "FALSE"),
        Some(Truth::Null) => ("unknown", "NULL"),
        Some(Truth::Failed) => ("failed", "error"),
        None => ("none", "–"),
    };
    html! { <span class={format!("truth {class}")}>{ word }</span> }
}
