//! The views of the stage: what each says of a lesson's run, and that none grows with the run's size.

use super::{render_html, words};
use crate::fixtures::{opened, report, trace};
use crate::model::{Look, Model, Origin, Player, STAGE_TABS, Shown, StageTab};
use crate::msg::{Msg, PlayMsg, ViewMsg};
use crate::shared::Shared;
use crate::update::update;
use crate::view::stage::{StageProps, stage};
use trace::{FileImage, FileRef, FilesEvent, Outcome, Phase, Reason, Step, Trace};
use yew::prelude::*;

fn shown() -> Shown {
    Shown {
        text: String::new(),
        sheet: 0,
        origin: Origin::Recorded,
        variant: None,
        report: Shared::new(report()),
        statement: Some(0),
        twin: None,
        again: None,
    }
}

fn drawn(trace: Trace, tab: StageTab, look: &Look) -> String {
    let mut player = Player::new(vec![Shared::new(trace)]);
    player.seek(player.last());
    let (shown, send) = (shown(), Callback::noop());
    let props = StageProps {
        shown: Some(&shown),
        player: Some(&player),
        tab,
        look,
        is_fresh: true,
        adds_up: false,
        send: &send,
    };
    render_html(stage(&props))
}

fn told(tab: StageTab) -> String {
    words(&drawn(trace(), tab, &Look::default()))
}

#[test]
fn every_view_has_a_tab_that_is_pressed_and_a_badge() {
    for (tab, word, _) in STAGE_TABS {
        let html = drawn(trace(), tab, &Look::default());
        let id = format!("id=\"tab-{}\"", word.to_lowercase());
        let button = html.split("<button").find(|button| button.contains(&id)).unwrap_or_else(|| panic!("{word}"));
        assert!(button.contains("aria-pressed=\"true\""), "{button}");
        assert!(html.contains("class=\"badge recorded\""));
        assert!(!html.contains("style="), "the page's policy forbids it");
    }
}

#[test]
fn the_open_view_is_remembered_and_every_view_has_a_key() {
    for (tab, word, key) in STAGE_TABS {
        let mut model = Model::default();
        let effects = update(&mut model, Msg::View(ViewMsg::Tab(tab)));
        assert_eq!(effects, [crate::effect::Effect::SaveTab(tab)]);
        assert_eq!(StageTab::parse(tab.name()), tab);
        let press = crate::keys::Press { key, ..crate::keys::Press::default() };
        assert_eq!(crate::keys::command(press), Some(Msg::View(ViewMsg::Tab(tab))), "{word}");
    }
    assert_eq!(StageTab::parse("nothing of the kind"), StageTab::Rows);
}

#[test]
fn the_map_says_what_the_rewrite_cost() {
    let told = told(StageTab::Files);
    assert!(told.contains("write amplification:") && told.contains(" written ÷ "), "{told}");
    let scene = trace().scene(usize::MAX);
    let html = drawn(trace(), StageTab::Files, &Look::default());
    let n_cells = html.matches("title=\"row ").count() as u64;
    let old: u64 = trace().target.files.iter().map(|file| file.n_rows).sum();
    assert_eq!(n_cells, old + scene.tally.rows_written, "one cell per row, old and new");
}

#[test]
fn a_rewrite_without_a_change_is_for_nothing() {
    let mut trace = trace();
    for step in &mut trace.steps {
        if let Step::Act { outcome, .. } | Step::ActMany { outcome, .. } = step {
            *outcome = Outcome::Copied;
        }
    }
    let told = words(&drawn(trace, StageTab::Files, &Look::default()));
    assert!(told.contains("rewritten for nothing") && !told.contains("÷"), "{told}");
}

#[test]
fn the_clause_grid_highlights_the_first_true_one_and_flags_the_dead() {
    let mut trace = trace();
    let html = drawn(trace.clone(), StageTab::Clauses, &Look::default());
    let n_acted = trace.steps.iter().filter(|step| matches!(step, Step::Act { clause: Some(_), .. })).count();
    assert_eq!(html.matches("class=\"acts\"").count(), n_acted);
    let dead = trace.clauses[0].clone();
    trace.clauses.push(dead);
    let told = words(&drawn(trace, StageTab::Clauses, &Look::default()));
    assert!(told.contains("dead") && told.contains("no row ever reached it"), "{told}");
}

#[test]
fn a_pressed_metric_lights_as_many_cells_as_it_counts() {
    let trace = trace();
    for (name, value) in &trace.commit.as_ref().unwrap().metrics {
        let is_cells = name.contains("Rows") && name != "numSourceRows" && trace::points("MERGE", name).is_some();
        let look = Look { lit: Some(name.clone()), ..Look::default() };
        let html = drawn(trace.clone(), StageTab::Metrics, &look);
        if is_cells {
            let n_lit = html
                .split("class=\"cell")
                .skip(1)
                .filter(|cell| cell.split('"').next().is_some_and(|class| class.contains(" lit")));
            assert_eq!(n_lit.count().to_string(), *value, "{name}");
        }
    }
}

#[test]
fn the_pruning_view_tells_the_conjunct_the_statistic_and_an_edit() {
    let mut trace = trace();
    trace.condition = Some("t.order_id = s.order_id".into());
    for step in &mut trace.steps {
        if let Step::ScanFile { reason, .. } = step {
            reason.would_skip = Some("t.order_id > 9".into());
        }
    }
    let told = words(&drawn(trace, StageTab::Pruning, &Look::default()));
    for piece in ["its day is the excluded one", "statistic of day", "AND t.order_id &gt; 9", "try it"] {
        assert!(told.contains(piece), "{piece}: {told}");
    }
}

#[test]
fn only_what_differs_is_shown_when_asked() {
    let look = Look { diff: true, ..Look::default() };
    let all = words(&drawn(trace(), StageTab::Rows, &look));
    assert!(all.contains("What differs in") && !all.contains("Target before"), "{all}");
    let mut model = opened();
    update(&mut model, Msg::View(ViewMsg::Diff));
    assert!(model.desk().unwrap().look.diff);
}

#[test]
fn the_log_shows_every_commit_up_to_the_readers_version() {
    let told = told(StageTab::Log);
    for version in 0..=3 {
        assert!(told.contains(&format!("version {version}")), "{version}: {told}");
    }
}

/// As many steps and rows as a host ever tells of a MERGE of 200 000 rows over 2 000 files.
fn huge() -> Trace {
    let mut trace = trace();
    let file = |idx: u32| FileImage {
        n_rows: 100,
        path: format!("part-{idx}.parquet"),
        rows: trace.target.files[0].rows[..2].to_vec(),
        ..trace.target.files[0].clone()
    };
    trace.target.files = (0..2_000).map(file).collect();
    trace.written = (0..2_000).map(|_| trace.written[0].clone()).collect();
    for written in &mut trace.written {
        written.file.n_rows = 100;
    }
    let all: Vec<u32> = (0..2_000).collect();
    let reason = Reason { text: "Because.".into(), conjunct: None, column: None, statistic: None, would_skip: None };
    let many = |event| Step::Files { event, files: all.clone() };
    trace.steps = vec![
        Step::ReadSource { rows: 200_000 },
        many(FilesEvent::Scanned { reason }),
        many(FilesEvent::Matched { pairs: 150_000 }),
        many(FilesEvent::Touched { matches: 150_000 }),
        many(FilesEvent::Acted { outcome: Outcome::Updated, clause: Some(0), rows: 150_000 }),
        many(FilesEvent::Acted { outcome: Outcome::Copied, clause: None, rows: 50_000 }),
        many(FilesEvent::Written { rows: 200_000 }),
        many(FilesEvent::Removed),
        Step::Commit { version: 3 },
    ];
    trace.summarised = true;
    trace
}

#[test]
fn a_huge_run_is_drawn_by_its_counts() {
    for (tab, word, _) in STAGE_TABS {
        let html = drawn(huge(), tab, &Look::default());
        assert!(html.len() < 250_000, "{word}: {} bytes", html.len());
    }
    let told = words(&drawn(huge(), StageTab::Files, &Look::default()));
    assert!(told.contains("all 2000 new files") || told.contains("files that are not drawn"), "{told}");
    let cost = "write amplification: 200\u{202f}000 rows written ÷ 150\u{202f}000 rows changed";
    assert!(told.contains("1.3×") && told.contains(cost), "{told}");
}

#[test]
fn a_stop_at_a_file_halts_the_play_there() {
    let mut model = opened();
    let player = |model: &Model| model.desk().unwrap().player.clone().unwrap();
    let file = (0..3)
        .find(|file| trace().steps.iter().any(|step| matches!(step, Step::TouchFile { file: of, .. } if of == file)));
    let breaks = crate::model::Breaks { nulls: false, file };
    update(&mut model, Msg::Play(PlayMsg::Break(breaks)));
    update(&mut model, Msg::Play(PlayMsg::Toggle));
    let mut n_stops = 0;
    for _ in 0..200 {
        let now = player(&model);
        update(&mut model, Msg::Play(PlayMsg::Tick(now.play)));
        if now.playing && !player(&model).playing && player(&model).at < player(&model).last() {
            n_stops += 1;
            let at = player(&model).steps(0);
            assert_eq!(trace().steps[at - 1].file(), file.map(FileRef::Old), "stopped behind a step about the file");
            assert!(model.status.starts_with("Stopped: file"), "{}", model.status);
            update(&mut model, Msg::Play(PlayMsg::Toggle));
        }
    }
    assert!(n_stops >= 3, "scan, join and classify: {n_stops}");
    assert_eq!(player(&model).frame().unwrap().phase, Some(Phase::Commit), "and the play ends");
}

#[test]
fn the_next_stop_is_said_to_be_missing_where_none_is_ahead() {
    let mut model = opened();
    update(&mut model, Msg::Play(PlayMsg::NextBreak));
    assert_eq!(model.status, "There is no stop ahead.");
}

#[test]
fn a_row_of_the_grid_leads_to_its_step_and_to_its_conditions() {
    let mut model = opened();
    update(&mut model, Msg::Play(PlayMsg::Step(5)));
    assert_eq!(model.desk().unwrap().player.as_ref().unwrap().steps(0), 5);
    let pair = trace::Pair { target: None, source: Some(1) };
    update(&mut model, Msg::View(ViewMsg::Ask(Some(pair))));
    assert_eq!((model.stage_tab, model.desk().unwrap().look.pair), (StageTab::Logic, Some(pair)));
}

#[test]
fn the_history_offers_every_version_and_to_bring_back_the_old_ones() {
    let mut shown = shown();
    let mut report = report();
    report.statements.truncate(1);
    shown.report = Shared::new(report);
    let (player, look, send) = (Player::new(vec![Shared::new(trace())]), Look::default(), Callback::noop());
    let tab = StageTab::History;
    let props = StageProps {
        shown: Some(&shown),
        player: Some(&player),
        tab,
        look: &look,
        is_fresh: true,
        adds_up: false,
        send: &send,
    };
    let told = words(&render_html(stage(&props)));
    let current = shown.report.tables[0].version.unwrap();
    for version in 0..=current {
        assert!(told.contains(&format!("Rows of version {version}")), "{told}");
        assert_eq!(told.contains(&format!("RESTORE to version {version}")), version < current, "{version}");
    }
}
