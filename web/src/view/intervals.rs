//! The versions of every key as bars over time, what is wrong with them, and the rows that hold at an instant.

use crate::msg::{Msg, ViewMsg};
use crate::view::bits;
use crate::view::markup::html;
use crate::view::rows::{Line, RowsProps, cell, rows, widths};
use crate::view::words;
use std::borrow::Cow;
use trace::{Fault, IntervalColumns, KeyHistory, RowImage, RowState, Scene, Trace, day_number};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Keys drawn at most.
const MAX_KEYS: usize = 60;

/// The intervals that a reader of this step sees; `at` is the instant's number, the last without one.
pub fn intervals(trace: &Trace, scene: &Scene, at: Option<usize>, send: &Callback<Msg>) -> Html {
    let Some(columns) = IntervalColumns::of(&trace.target.columns) else {
        return html! { { bits::empty("This table keeps no history: it has no pair of columns such as valid_from and valid_to.") } };
    };
    let seen = scene.reader_rows(trace);
    let instants = columns.instants(&seen);
    if instants.is_empty() {
        return html! { { bits::empty("The table has no rows yet, so there is no interval to draw.") } };
    }
    let at = at.unwrap_or(usize::MAX).min(instants.len() - 1);
    let instant = instants.get(at).cloned().unwrap_or_default();
    let span = Span::of(&instants);
    let histories = columns.histories(&seen);
    let n_hidden = histories.len().saturating_sub(MAX_KEYS) as u64;
    html! {
        <div class="intervals">
            <table class="map">
                <caption class="unseen">{ "Versions of each key over time" }</caption>
                <tbody>{ for histories.iter().take(MAX_KEYS).map(|history| key(trace, columns, history, span, &instant)) }</tbody>
            </table>
            if n_hidden > 0 { { bits::more(format!("and {} that are not drawn", words::count(n_hidden, "key"))) } }
            { slider(at, instants.len(), &instant, send) }
            { holding(trace, &columns.as_of(&seen, &instant), &instant) }
        </div>
    }
}

/// The days drawn; an open end reaches a tenth beyond the last instant.
#[derive(Clone, Copy)]
struct Span {
    first: i64,
    days: i64,
}

impl Span {
    fn of(instants: &[String]) -> Span {
        let day = |instant: Option<&String>| instant.and_then(|instant| day_number(instant)).unwrap_or(0);
        let (first, last) = (day(instants.first()), day(instants.last()));
        Span { first, days: (last - first).max(1) * 11 / 10 + 1 }
    }

    fn x(self, instant: Option<&str>) -> i64 {
        instant.and_then(day_number).map_or(self.days, |day| day - self.first) * 1000 / self.days
    }
}

fn key(trace: &Trace, columns: IntervalColumns, history: &KeyHistory<'_>, span: Span, instant: &str) -> Html {
    let name = trace.target.columns.get(columns.key).map_or("", |column| column.name.as_str());
    let of = |row: &RowImage, at: usize| row.get(at).cloned().flatten();
    let bar = |row: &&RowImage| {
        let (start, end) = (of(row, columns.start), of(row, columns.end));
        let (from, to) = (span.x(start.as_deref()), span.x(end.as_deref()));
        let holds = columns.as_of(&[row], instant).len() == 1;
        let class = format!("bar{}{}", if holds { " holds" } else { "" }, if end.is_none() { " open" } else { "" });
        let title = format!("{} … {}", start.unwrap_or_default(), end.unwrap_or("no end".into()));
        html! { <rect {class} x={from.to_string()} y="3" width={(to - from).max(3).to_string()} height="14"><title>{ title }</title></rect> }
    };
    let x = span.x(Some(instant)).to_string();
    let told: Vec<String> = history
        .versions
        .iter()
        .map(|row| {
            let end = of(row, columns.end).map_or("no end".to_string(), |end| format!("before {end}"));
            format!("{} to {end}", of(row, columns.start).unwrap_or("NULL".into()))
        })
        .collect();
    html! {
        <tr>
            <th scope="row">{ name }{ " " }{ cell(history.key) }{ bits::small(words::count(history.versions.len() as u64, "version")) }</th>
            <td>
                <svg class="spans" viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">
                    { for history.versions.iter().map(bar) }
                    <rect class="instant" {x} y="0" width="2.5" height="20" />
                </svg>
                <span class="counts">{ told.join(" · ") }</span>
                { for history.faults.iter().map(|fault| html! { <strong class="flag">{ fault_text(fault) }</strong> }) }
            </td>
        </tr>
    }
}

fn fault_text(fault: &Fault) -> String {
    match fault {
        Fault::Gap(from, to) => format!("gap: nothing holds from {from} to {to}"),
        Fault::Overlap(at) => format!("overlap: two versions hold at {at}"),
        Fault::TwoCurrent => "two current versions".to_string(),
    }
}

fn slider(at: usize, n_instants: usize, instant: &str, send: &Callback<Msg>) -> Html {
    let oninput = send.reform(|event: InputEvent| {
        let value = event.target_unchecked_into::<HtmlInputElement>().value();
        Msg::View(ViewMsg::AsOf(value.parse().unwrap_or_default()))
    });
    html! {
        <label class="as-of">{ format!("as of {instant}") }
            <input id="as-of" type="range" min="0" max={(n_instants - 1).to_string()} value={at.to_string()} {oninput} aria-valuetext={instant.to_string()} />
        </label>
    }
}

fn holding(trace: &Trace, holding: &[&RowImage], instant: &str) -> Html {
    let columns = &trace.target.columns;
    let state = RowState::default();
    let lines: Vec<Line<'_>> =
        holding.iter().map(|cells| Line { cells, state: Cow::Borrowed(&state), before: None }).collect();
    let caption = format!("Rows that hold at {instant}");
    let widths = widths(columns, holding.iter().copied());
    html! {
        <section class="side" tabindex="0" aria-label={caption.clone()}>
            <h3>{ &caption }{ bits::facts(words::count(holding.len() as u64, "row")) }</h3>
            if !lines.is_empty() {
                <div class="file plain">{ rows(&RowsProps { caption: &caption, columns, lines: &lines, widths: &widths, head: true, only: None }) }</div>
            }
        </section>
    }
}
