//! The timeline: where we are, what just happened, and the ways to go.

use crate::frames::is_collapsed;
use crate::model::{Breaks, Player, Shown};
use crate::msg::{Act, Msg, PlayMsg};
use crate::view::button::{Look, button};
use crate::view::code::with_code;
use crate::view::markup::html;
use crate::view::words;
use trace::{Granularity, Phase, Tally, narrate};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Files that a play can be told to stop at.
const MAX_FILES: usize = 100;

/// What [`timeline`] draws.
pub struct TimelineProps<'a> {
    pub player: &'a Player,
    pub shown: &'a Shown,
    pub send: &'a Callback<Msg>,
}

/// The timeline, pinned at the bottom of the page.
pub fn timeline(props: &TimelineProps<'_>) -> Html {
    let player = props.player;
    let (is_first, is_last) = (player.at == 0, player.at == player.last());
    let go = |msg: PlayMsg, label: &str, look: Look<'_>| button(props.send, Act::Play(msg), label, look);
    let end = |name, title, off| Look { class: "end", name, title, off, ..Look::default() };
    let back = Look { name: "Back", title: "One step back (←)", off: is_first, ..Look::default() };
    let step = Look { id: "step", class: "primary", title: "One step forward (→)", off: is_last, ..Look::default() };
    let play = Look { id: "play", title: "Play or pause (Space)", ..Look::default() };
    html! {
        <section class="timeline" aria-label="Timeline">
            <div class="phases" role="group" aria-label="Phases">{ for words::PHASES.iter().map(|phase| tick(props, *phase)) }</div>
            <div class="track">{ slider(props) }{ marks(player) }</div>
            <div class="controls">
                { go(PlayMsg::Start, "⇤", end("First step", "First step (Home)", is_first)) }
                { go(PlayMsg::Back, "←", back) }
                { go(PlayMsg::Forward, "Step →", step) }
                { go(PlayMsg::End, "⇥", end("Last step", "Last step (End)", is_last)) }
                { go(PlayMsg::Toggle, if player.playing { "Pause" } else { "Play" }, play) }
                { speeds(props) }
                { granularities(props) }
                { go_to(props) }
                { breaks(props) }
            </div>
            <p id="narration" class="narration" role="status" aria-live="polite">{ for sentences(props).into_iter().map(|sentence| html! { <span>{ with_code(&sentence) }</span> }) }</p>
        </section>
    }
}

fn tick(props: &TimelineProps<'_>, phase: Phase) -> Html {
    let player = props.player;
    let current = player.frame().and_then(|frame| frame.phase);
    let end = player.frames.iter().rposition(|frame| frame.phase == Some(phase));
    let state = match (end, current) {
        (None, _) => "none",
        (Some(_), Some(now)) if now == phase => "now",
        (Some(_), Some(now)) if now > phase => "done",
        _ => "todo",
    };
    let title = format!("To the end of {}", words::phase(phase));
    let look = Look { class: state, title: &title, off: end.is_none(), is_current: state == "now", ..Look::default() };
    button(props.send, Act::Play(PlayMsg::Seek(end.unwrap_or_default())), words::phase(phase), look)
}

fn slider(props: &TimelineProps<'_>) -> Html {
    let player = props.player;
    let seek = props.send.reform(|event: InputEvent| {
        let value = event.target_unchecked_into::<HtmlInputElement>().value();
        Msg::Play(PlayMsg::Seek(value.parse().unwrap_or_default()))
    });
    let phase = player.frame().and_then(|frame| frame.phase).map_or("before the first step", words::phase);
    html! {
        <input id="timeline" type="range" min="0" max={player.last().to_string()} value={player.at.to_string()} oninput={seek}
            aria-label="Position" aria-valuetext={format!("{} of {}, {phase}", player.at, player.last())} />
    }
}

/// The version that readers see along the timeline, and the stops: for the eye; the stage says both in words.
fn marks(player: &Player) -> Html {
    let last = player.last().max(1);
    let x = |at: usize| (at * 1000 / last).to_string();
    let at_commit = player.frames.iter().rposition(|frame| frame.phase == Some(Phase::Commit)).unwrap_or(last);
    let Some(trace) = player.traces.first() else { return html! {} };
    let version = |version: Option<u64>| version.map_or("–".to_string(), |version| format!("v{version}"));
    let after = trace.commit.as_ref().map(|commit| commit.version);
    html! {
        <div class="readers" aria-hidden="true" title="The version that readers see">
            <span>{ version(trace.target.version) }</span>
            <svg viewBox="0 0 1000 10" preserveAspectRatio="none">
                <rect class="old" x="0" y="3" width={x(at_commit)} height="4" />
                if after.is_some() { <rect class="new" x={x(at_commit.saturating_sub(1))} y="3" width={x(1)} height="4" /> }
                { for player.stops.iter().map(|stop| {
                    let at = player.frames.iter().position(|frame| frame.steps.first().is_some_and(|done| done >= stop));
                    html! { <rect class="stop" x={x(at.unwrap_or(last))} y="0" width="4" height="10" /> }
                }) }
            </svg>
            <span>{ version(after.or(trace.target.version)) }</span>
        </div>
    }
}

/// The stops that a reader can ask for.
fn breaks(props: &TimelineProps<'_>) -> Html {
    let player = props.player;
    let Some(trace) = player.traces.first() else { return html! {} };
    let own = player.breaks;
    let on_nulls = Act::Play(PlayMsg::Break(Breaks { nulls: !own.nulls, ..own }));
    let nulls = Look {
        id: "break-null",
        title: "Stop where a condition is NULL for the rows of a step",
        off: player.nulls.is_empty(),
        pressed: Some(own.nulls),
        ..Look::default()
    };
    let pick = props.send.reform(move |event: Event| {
        let at = event.target_unchecked_into::<HtmlSelectElement>().selected_index();
        Msg::Play(PlayMsg::Break(Breaks { file: u32::try_from(at - 1).ok(), ..own }))
    });
    let next =
        Look { id: "next-stop", title: "Go on to the next stop (b)", off: player.stops.is_empty(), ..Look::default() };
    html! {
        <span class="breaks" role="group" aria-label="Stops">
            { button(props.send, on_nulls, "stop at NULL", nulls) }
            <select id="break-file" onchange={pick} aria-label="Stop at a file" title="Stop where this file comes up">
                <option selected={own.file.is_none()}>{ "stop at file …" }</option>
                { for (0..trace.target.files.len().min(MAX_FILES) as u32).map(|file| html! {
                    <option selected={own.file == Some(file)}>{ trace.file_label(file) }</option>
                }) }
            </select>
            { button(props.send, Act::Play(PlayMsg::NextBreak), "next stop", next) }
        </span>
    }
}

fn speeds(props: &TimelineProps<'_>) -> Html {
    html! {
        <span class="group speeds" role="group" aria-label="Speed">
            { for (1..=3u8).map(|speed| {
                let title = format!("Speed {speed} ({speed})");
                let look = Look { title: &title, pressed: Some(props.player.speed == speed), ..Look::default() };
                button(props.send, Act::Play(PlayMsg::Speed(speed)), &format!("{speed}×"), look)
            }) }
        </span>
    }
}

fn granularities(props: &TimelineProps<'_>) -> Html {
    let all = [(Granularity::Phase, "phase"), (Granularity::File, "file"), (Granularity::Pair, "row")];
    let is_collapsed = props.player.traces.iter().any(|trace| is_collapsed(trace));
    html! {
        <span class="group" role="group" aria-label="One step is a">
            { for all.into_iter().map(|(granularity, word)| {
                let off = granularity == Granularity::Pair && is_collapsed;
                let title = if off { "Too many rows to tell one by one".to_string() } else { format!("One step is a {word}") };
                let look = Look { title: &title, off, pressed: Some(props.player.granularity == granularity), ..Look::default() };
                button(props.send, Act::Play(PlayMsg::Granularity(granularity)), word, look)
            }) }
        </span>
    }
}

fn go_to(props: &TimelineProps<'_>) -> Html {
    let last = props.player.last();
    let seek = props.send.reform(|event: Event| {
        let value = event.target_unchecked_into::<HtmlInputElement>().value();
        Msg::Play(PlayMsg::Seek(value.parse().unwrap_or_default()))
    });
    html! {
        <label class="go-to" title="Go to a step (g)">
            <input id="go-to-step" type="number" min="0" max={last.to_string()} value={props.player.at.to_string()} onchange={seek} aria-label="Step" />
            <span id="step-count">{ format!("/ {last}") }</span>
        </label>
    }
}

/// One sentence per run about its latest step, or an invitation before the first.
fn sentences(props: &TimelineProps<'_>) -> Vec<String> {
    let player = props.player;
    if player.at == 0 {
        let version = player.traces.first().and_then(|trace| trace.target.version);
        let seen = version.map(|version| format!(" The table is at version {version}.")).unwrap_or_default();
        return vec![format!("Before the first step.{seen} Press Step → or the right arrow key.")];
    }
    let labels = props.shown.twin.as_ref().map(|twin| [twin.labels.0.clone(), twin.labels.1.clone()]);
    let runs = player.traces.iter().enumerate().map(|(run, trace)| {
        let sentence = player.steps(run).checked_sub(1).map(|idx| narrate(trace, idx)).unwrap_or_default();
        match labels.as_ref().and_then(|labels| labels.get(run)) {
            Some(label) => format!("{label}: {sentence}"),
            None => sentence,
        }
    });
    let mut sentences: Vec<String> = runs.collect();
    if let (Granularity::Phase, [scene]) = (player.granularity, player.scenes.as_slice()) {
        sentences.insert(0, so_far(player.frame().and_then(|frame| frame.phase), &scene.tally));
    }
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// What a whole phase came to; the narration behind it tells its last step.
fn so_far(phase: Option<Phase>, tally: &Tally) -> String {
    let rows = |n: u64, word: &str| format!("{} {word}", words::count(n, "row"));
    let files = |n: u64, word: &str| format!("{} {word}", words::count(n, "file"));
    let counts = match phase {
        Some(Phase::Prune) => vec![files(tally.files_skipped, "skipped"), files(tally.files_scanned, "scanned")],
        Some(Phase::Join) => vec![words::count(tally.pairs, "pair"), files(tally.files_touched, "touched")],
        Some(Phase::Classify) => vec![
            rows(tally.inserted, "inserted"),
            rows(tally.updated + tally.updated_by_source, "updated"),
            rows(tally.deleted + tally.deleted_by_source, "deleted"),
            rows(tally.copied, "copied unchanged"),
        ],
        Some(Phase::Write) => vec![files(tally.files_added, "written"), rows(tally.rows_written, "in them")],
        None | Some(Phase::Source | Phase::Commit) => return String::new(),
    };
    format!("In all: {}.", counts.join(", "))
}
