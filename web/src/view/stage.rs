//! The state column: what the statement did, seen from several sides, at the step that the timeline is at.

use crate::model::{Look, Player, STAGE_TABS, Shown, StageTab};
use crate::msg::{Act, Msg, ViewMsg};
use crate::shared::Shared;
use crate::view::badge::badge;
use crate::view::bits;
use crate::view::button::{self, button};
use crate::view::clauses::clauses;
use crate::view::diff::diff;
use crate::view::difference::difference;
use crate::view::heat::files;
use crate::view::history::history;
use crate::view::intervals::intervals;
use crate::view::joins::joins;
use crate::view::legend::legend;
use crate::view::log::log;
use crate::view::logic::logic;
use crate::view::markup::html;
use crate::view::metrics::metrics;
use crate::view::pruning::{Script, pruning};
use crate::view::scene_tables::SceneTables;
use trace::{Scene, Trace};
use yew::prelude::*;

/// What [`stage`] draws.
pub struct StageProps<'a> {
    pub shown: Option<&'a Shown>,
    pub player: Option<&'a Player>,
    pub tab: StageTab,
    pub look: &'a Look,
    /// Whether the text is still the one that ran, so that an edit fits it.
    pub is_fresh: bool,
    /// Statements add up: what ran is not run again.
    pub adds_up: bool,
    pub send: &'a Callback<Msg>,
}

/// The stage.
pub fn stage(props: &StageProps<'_>) -> Html {
    let Some(shown) = props.shown else {
        return html! { <section class="stage" aria-label="State">{ bits::empty("Run a statement to see its files, rows and log entry here.") }</section> };
    };
    let tabs = STAGE_TABS.iter().map(|(tab, word, key)| {
        let title = format!("{word} ({key})");
        let id = format!("tab-{}", word.to_ascii_lowercase());
        let look = button::Look { id: &id, title: &title, pressed: Some(*tab == props.tab), ..button::Look::default() };
        button(props.send, Act::View(ViewMsg::Tab(*tab)), word, look)
    });
    html! {
        <section id="stage" class="stage" aria-label="State">
            <div class="tabs" role="group" aria-label="Parts of the state">
                { for tabs }<span class="spring" />{ badge(shown.origin) }
            </div>
            { for props.player.map(reader) }
            <div class="panel" data-tab={props.tab.name()}>{ panel(props, shown) }</div>
        </section>
    }
}

/// What someone who opens the table now would get.
fn reader(player: &Player) -> Html {
    html! {
        <p class="reader">
            { for player.traces.iter().zip(&player.scenes).take(1).map(|(trace, scene)| {
                let n_rows = scene.reader_rows(trace).len();
                let version = scene.reader_version.map_or("no version".to_string(), |version| format!("version {version}"));
                let rows = if trace.summarised { String::new() } else { format!(" · {}", crate::view::words::count(n_rows as u64, "row")) };
                let n_orphans = scene.written.iter().filter(|exists| **exists && !scene.committed).count() as u64;
                let orphans = if n_orphans > 0 {
                    format!(" · {} in the store that no version lists", crate::view::words::count(n_orphans, "orphan file"))
                } else { String::new() };
                html! { <>{ "A reader now sees " }<strong id="reader-version">{ version }</strong>{ rows }<span id="orphans">{ orphans }</span></> }
            }) }
        </p>
    }
}

fn panel(props: &StageProps<'_>, shown: &Shown) -> Html {
    let Some(player) = props.player else {
        return match props.tab {
            StageTab::History => history(props, shown, ""),
            _ => html! { { bits::empty("Nothing to step through: the run wrote to no table.") } },
        };
    };
    let labels = shown.twin.as_ref().map(|twin| twin.labels.clone());
    let compared = match (&labels, player.scenes.as_slice()) {
        (Some(labels), [first, second]) => difference(first, second, labels),
        _ => html! {},
    };
    if props.tab == StageTab::History {
        return player.traces.iter().take(1).map(|trace| history(props, shown, &trace.target.name)).collect();
    }
    let label = |run: usize| {
        labels.as_ref().map(|both| AttrValue::from(if run == 0 { both.0.clone() } else { both.1.clone() }))
    };
    let runs = player.traces.iter().zip(&player.scenes).enumerate();
    let runs =
        runs.map(|(run, (trace, scene))| one_run(props, shown, Run { idx: run, trace, scene, label: label(run) }));
    html! {
        <>
            if props.tab == StageTab::Rows || props.tab == StageTab::Files { { compared } }
            if props.tab == StageTab::Rows { { diff_toggle(props) } }
            <div class={if player.traces.len() > 1 { "runs two" } else { "runs" }}>{ for runs }</div>
            if props.tab == StageTab::Rows || props.tab == StageTab::Files || props.tab == StageTab::Metrics {
                { legend(props.look.only, props.send) }
            }
        </>
    }
}

fn diff_toggle(props: &StageProps<'_>) -> Html {
    let look = button::Look {
        id: "diff",
        title: "Show only what differs (d)",
        pressed: Some(props.look.diff),
        ..button::Look::default()
    };
    html! { <div class="bar">{ button(props.send, Act::View(ViewMsg::Diff), "Only what differs", look) }</div> }
}

/// One of the runs on the timeline.
struct Run<'a> {
    idx: usize,
    trace: &'a Shared<Trace>,
    scene: &'a Shared<Scene>,
    label: Option<AttrValue>,
}

fn one_run(props: &StageProps<'_>, shown: &Shown, run: Run<'_>) -> Html {
    let (trace, scene, look, send) = (run.trace, run.scene, props.look, props.send);
    if props.tab == StageTab::Rows && !look.diff {
        return yew::html! { <SceneTables trace={trace.clone()} scene={scene.clone()} only={look.only} label={run.label} /> };
    }
    let drawn = match props.tab {
        StageTab::Rows => diff(trace, scene, look.only),
        StageTab::Files => files(trace, scene, look.only),
        StageTab::Clauses => clauses(trace, scene, send),
        StageTab::Logic => logic(trace, scene, look.pair, send),
        StageTab::Pruning => pruning(trace, scene, Script::of(shown, run.idx, props.is_fresh).as_ref(), send),
        StageTab::Intervals => intervals(trace, scene, look.as_of, send),
        StageTab::Plan => joins(trace, scene),
        StageTab::Metrics => metrics(trace, scene, look, send),
        StageTab::Log => log(trace, scene, shown.table(run.idx, &trace.target.name), send),
        StageTab::History => html! {},
    };
    html! { <div class="run">{ for run.label.map(run_label) }{ drawn }</div> }
}

fn run_label(label: AttrValue) -> Html {
    html! { <h3 class="run-label">{ label }</h3> }
}
