use super::{check, render, render_html, words};
use crate::fixtures::{file, report, trace};
use crate::model::{Origin, Player, Shown};
use crate::shared::Shared;
use crate::view::error_card::error_card;
use crate::view::grid::grid;
use crate::view::log::log;
use crate::view::rows::{Line, RowsProps, rows};
use crate::view::scene_tables::{SceneTables, SceneTablesProps};
use crate::view::sql_text::sql_text;
use crate::view::timeline::{TimelineProps, timeline};
use crate::view::verdict::{VerdictProps, verdict};
use lesson::{ChangedRow, RowDiff, Status, Test, TestStatus};
use protocol::{Edit, ErrorReport, GridColumn, RowSample};
use std::borrow::Cow;
use trace::{Outcome, RowState};
use yew::prelude::*;

fn text(value: &str) -> Option<String> {
    Some(value.to_string())
}

#[test]
fn null_is_not_the_text_null_and_markup_is_only_text() {
    let columns = vec![
        GridColumn { name: "<b>".into(), data_type: "string".into() },
        GridColumn { name: "n".into(), data_type: "bigint".into() },
    ];
    let rows =
        vec![vec![None, text("1")], vec![text("NULL"), None], vec![text("<script>alert(1)</script>"), text("2")]];
    let html = render_html(grid(&protocol::Grid { columns, rows, total: 1234 }, "Rows"));
    assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
    assert!(words(&html).contains("first 3 of 1\u{202f}234 rows"));
    check("grid", &html);
}

#[test]
fn each_outcome_has_a_glyph_a_word_and_a_class() {
    let trace = trace();
    let cells = vec![text("7"), None, text("open"), text("1.50")];
    let old = vec![text("7"), None, text("paid"), None];
    let outcomes = crate::view::words::OUTCOMES.map(Some).into_iter().chain([None]);
    let lines = outcomes.map(|outcome| Line {
        cells: &cells,
        state: Cow::Owned(RowState { outcome, clause: outcome.map(|_| 1), ..RowState::default() }),
        before: (outcome == Some(Outcome::Updated)).then_some(&old),
    });
    let mut lines: Vec<Line> = lines.collect();
    let conflict = RowState { conflict: true, focus: true, matches: 2, ..RowState::default() };
    let nothing = vec![None; 4];
    lines.push(Line { cells: &nothing, state: Cow::Owned(conflict), before: None });
    let props = RowsProps {
        caption: "All outcomes",
        columns: &trace.target.columns,
        lines: &lines,
        widths: &[8, 10, 6, 6],
        head: true,
        only: None,
    };
    check("rows", &render_html(rows(&props)));
}

fn scene(step: usize) -> String {
    let trace = trace();
    let scene = Shared::new(trace.scene(step));
    render::<SceneTables>(SceneTablesProps { trace: Shared::new(trace), scene, only: None, label: None })
}

#[test]
fn a_file_tells_what_was_decided_and_by_what() {
    let start = words(&scene(0));
    assert!(start.contains("waiting") && !start.contains("skipped"));
    let pruned = words(&scene(4));
    assert!(pruned.contains("skipped file 2 (day = 2026-01-13)"), "{pruned}");
    assert!(
        pruned.contains("t.day &lt;&gt; DATE &#x27;2026-01-13&#x27;")
            || pruned.contains("t.day &lt;&gt; DATE '2026-01-13'"),
        "{pruned}"
    );
}

#[test]
fn written_files_are_orphans_until_the_commit() {
    let n_steps = trace().steps.len();
    let written = words(&scene(n_steps - 3));
    assert!(written.contains("Orphans: they are in the store") && written.contains("not committed"), "{written}");
    let committed = words(&scene(n_steps));
    assert!(!committed.contains("rphan") && committed.contains("added"), "{committed}");
    assert!(committed.contains("1 file of the old version still in the table"), "{committed}");
}

#[test]
fn the_log_entry_is_not_there_before_the_commit() {
    let trace = trace();
    let entry_at = |step: usize| words(&render_html(log(&trace, &trace.scene(step), None, &Callback::noop())));
    assert_eq!(entry_at(trace.steps.len() - 1), "No new entry in _delta_log yet. Readers see version 2.");
    let entry = entry_at(trace.steps.len());
    assert!(entry.contains("_delta_log/00000000000000000003.json"));
    for action in ["commitInfo", "remove", "add"] {
        assert!(entry.contains(action), "{action}");
    }
}

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

#[test]
fn the_timeline_invites_and_then_tells() {
    let mut player = Player::new(vec![Shared::new(trace())]);
    let told_by =
        |player: &Player| render_html(timeline(&TimelineProps { player, shown: &shown(), send: &Callback::noop() }));
    let html = told_by(&player);
    assert!(words(&html).contains("Before the first step. The table is at version 2."), "{html}");
    check("timeline", &html);
    player.seek(player.last());
    let html = told_by(&player);
    let told = trace::narrate(&player.traces[0], player.steps(0) - 1);
    assert!(!told.is_empty() && words(&html).contains(&told), "{html}");
    assert!(html.contains(r#"id="step" class="primary" disabled"#) || html.contains("disabled"), "{html}");
}

fn error(span: Option<(u32, u32)>) -> ErrorReport {
    ErrorReport {
        condition: "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE".into(),
        sqlstate: "21506".into(),
        message: "Several source rows matched.".into(),
        span,
        rows: vec![RowSample {
            title: "Source rows".into(),
            columns: vec!["id".into(), "v".into()],
            rows: vec![vec![text("1"), None]],
            total: 1,
            spans: vec![(2, 3)],
        }],
        hint: Some("Keep one row per key.".into()),
        edits: vec![Edit { label: "deduplicate".into(), span: (0, 1), replacement: "x".into() }],
    }
}

#[test]
fn an_error_says_what_where_which_rows_why_and_what_to_try() {
    let card = |is_fresh| render_html(error_card(&error(Some((4, 6))), "a\nb cd", is_fresh, &Callback::noop()));
    let html = card(true);
    let told = words(&html);
    let order = [
        "DELTA_MULTIPLE",
        "line 2, column 3",
        "Several source rows matched.",
        "Source rows",
        "Written in",
        "Keep one row",
        "Try: deduplicate",
    ];
    let places: Vec<_> = order.iter().map(|piece| told.find(piece)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{told}");
    assert!(!html.contains("disabled"));
    assert!(card(false).contains("disabled"), "an edit for another text cannot be pressed");
}

#[test]
fn a_verdict_names_the_mistake_the_variant_and_the_rows() {
    let rows = RowDiff {
        columns: vec!["order_id".into(), "status".into()],
        changed: vec![ChangedRow { expected: vec![text("4"), None], found: vec![text("4"), text("open")] }],
        more: 2,
        ..RowDiff::default()
    };
    let test = |status, message: &str, rows| Test {
        id: "rows".into(),
        name: "The table holds the right rows".into(),
        status,
        message: message.into(),
        variant: Some("NULL_T".into()),
        rows,
        step: None,
    };
    let judged = lesson::Verdict {
        version: 1,
        status: Status::Failed,
        mistake: Some("null-status".into()),
        shown: Some(1),
        tests: vec![
            Test { variant: None, ..test(TestStatus::Passed, "", None) },
            test(TestStatus::Failed, "One row differs.", Some(rows)),
        ],
    };
    let html = render_html(verdict(&VerdictProps {
        verdict: &judged,
        exercise: &file().lesson.exercises[0],
        is_current: true,
        send: &Callback::noop(),
    }));
    let told = words(&html);
    for piece in [
        "A comparison with NULL is never true",
        "Variant NULL_T: One order has no status yet.",
        "Run on NULL_T",
        "and 2 more",
    ] {
        assert!(told.contains(piece), "{piece}: {told}");
    }
    check("verdict", &html);
}

#[test]
fn sql_is_painted_and_marked() {
    check("sql_text", &render_html(sql_text("SELECT idd -- é\nFROM 't'", Some((7, 10)))));
}
