//! The state column: tables and files, log, metrics, history of what is on the timeline.

use crate::model::{Player, Shown, StageTab};
use crate::msg::{Act, Msg, ViewMsg};
use crate::view::badge::badge;
use crate::view::button::{Look, button};
use crate::view::difference::difference;
use crate::view::history::history;
use crate::view::legend::legend;
use crate::view::log::log;
use crate::view::metrics::metrics;
use crate::view::scene_tables::SceneTables;
use trace::Outcome;
use yew::prelude::*;

/// What [`stage`] draws.
pub struct StageProps<'a> {
    pub shown: Option<&'a Shown>,
    pub player: Option<&'a Player>,
    pub tab: StageTab,
    pub only: Option<Outcome>,
    pub send: &'a Callback<Msg>,
}

const TABS: [(StageTab, &str, &str); 4] = [
    (StageTab::Rows, "Rows and files", "t"),
    (StageTab::Log, "Log", "l"),
    (StageTab::Metrics, "Metrics", "m"),
    (StageTab::History, "History", "h"),
];

/// The stage.
pub fn stage(props: &StageProps<'_>) -> Html {
    let Some(shown) = props.shown else {
        return html! { <section class="stage" aria-label="State"><p class="empty">{ "Run a statement to see its files, rows and log entry here." }</p></section> };
    };
    let tabs = TABS.iter().map(|(tab, word, key)| {
        let tab = *tab;
        let title = format!("{word} ({key})");
        let look = Look { title: &title, pressed: Some(tab == props.tab), ..Look::default() };
        button(props.send, Act::View(ViewMsg::Tab(tab)), word, look)
    });
    html! {
        <section id="stage" class="stage" aria-label="State">
            <div class="tabs" role="group" aria-label="Parts of the state">
                { for tabs }<span class="spring" />{ badge(shown.origin) }
            </div>
            { for props.player.map(reader) }
            <div class="panel">{ panel(props, shown) }</div>
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
                html! { <>{ "A reader now sees " }<strong id="reader-version">{ version }</strong>{ rows }</> }
            }) }
        </p>
    }
}

fn panel(props: &StageProps<'_>, shown: &Shown) -> Html {
    let Some(player) = props.player else {
        return match props.tab {
            StageTab::History => history(&shown.report, ""),
            _ => html! { <p class="empty">{ "Nothing to step through: the run wrote to no table." }</p> },
        };
    };
    let labels = shown.twin.as_ref().map(|twin| twin.labels.clone());
    let label = |run: usize| {
        labels.as_ref().map(|both| AttrValue::from(if run == 0 { both.0.clone() } else { both.1.clone() }))
    };
    let runs = player.traces.iter().zip(&player.scenes).enumerate();
    match props.tab {
        StageTab::Rows => html! {
            <>
                if let (Some(labels), [first, second]) = (&labels, player.scenes.as_slice()) {
                    { difference(first, second, labels) }
                }
                <div class={if player.traces.len() > 1 { "runs two" } else { "runs" }}>
                    { for runs.map(|(run, (trace, scene))| html! {
                        <SceneTables trace={trace.clone()} scene={scene.clone()} only={props.only} label={label(run)} />
                    }) }
                </div>
                { legend(props.only, props.send) }
            </>
        },
        StageTab::Log => runs
            .map(|(run, (trace, scene))| {
                html! {
                    <>
                        { for label(run).map(run_label) }
                        { log(trace, scene, props.send) }
                    </>
                }
            })
            .collect(),
        StageTab::Metrics => runs
            .map(|(run, (trace, scene))| {
                html! {
                    <>
                        { for label(run).map(run_label) }
                        { metrics(trace, scene) }
                    </>
                }
            })
            .collect(),
        StageTab::History => {
            player.traces.iter().take(1).map(|trace| history(&shown.report, &trace.target.name)).collect()
        }
    }
}

fn run_label(label: AttrValue) -> Html {
    html! { <h3 class="run-label">{ label }</h3> }
}
