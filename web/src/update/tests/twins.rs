use crate::fixtures::{desk, ran, ready, report, sent, trace};
use crate::frames::{frames, is_collapsed};
use crate::msg::{DeskMsg, Msg, PlayMsg};
use crate::update::update;
use crate::wire::Ask;
use protocol::ErrorReport;
use trace::{Granularity, Step};

#[test]
fn both_statements_run_on_the_same_data_and_share_one_timeline() {
    let mut model = ready();
    let effects = desk(&mut model, DeskMsg::RunTwin(0));
    let Ask::Run { setup: first_setup, text: first, .. } = sent(&effects).unwrap().body.clone() else {
        panic!("a run")
    };
    let effects = ran(&mut model, report());
    let Ask::Run { setup, text, .. } = sent(&effects).unwrap().body.clone() else { panic!("a second run") };
    assert_eq!(setup, first_setup);
    assert_ne!(text, first);
    ran(&mut model, report());
    let open = model.desk().unwrap();
    let labels = &open.shown.as_ref().unwrap().twin.as_ref().unwrap().labels;
    assert_eq!(labels, &("Without the day".to_string(), "With the day".to_string()));
    assert_eq!(open.player.as_ref().unwrap().traces.len(), 2);
    update(&mut model, Msg::Play(PlayMsg::End));
    assert!(model.desk().unwrap().player.as_ref().unwrap().scenes.iter().all(|scene| scene.committed));
}

#[test]
fn a_twin_that_is_not_there_asks_nothing() {
    let mut model = ready();
    assert_eq!(desk(&mut model, DeskMsg::RunTwin(7)), []);
}

#[test]
fn twin_runs_enter_each_phase_together() {
    let (long, mut short) = (trace(), trace());
    short.steps.retain(|step| !matches!(step, Step::Match { .. } | Step::Act { .. }));
    for granularity in [Granularity::Phase, Granularity::File, Granularity::Pair] {
        let frames = frames(&[&long, &short], granularity);
        assert_eq!(frames[0].steps, [0, 0]);
        assert_eq!(frames.last().unwrap().steps, [long.steps.len(), short.steps.len()]);
        for pair in frames.windows(2) {
            assert!(pair[0].phase <= pair[1].phase);
            assert!(pair[0].steps.iter().zip(&pair[1].steps).all(|(before, after)| before <= after));
            assert_ne!(pair[0].steps, pair[1].steps, "every frame shows something new");
        }
        for frame in &frames[1..] {
            for (trace, steps) in [(&long, frame.steps[0]), (&short, frame.steps[1])] {
                let reached = steps.checked_sub(1).map(|idx| trace.steps[idx].phase());
                assert!(reached <= frame.phase, "no run is ahead of the frame's phase");
            }
        }
    }
}

#[test]
fn a_long_run_is_told_file_by_file() {
    let mut long = trace();
    let pair = long.steps.iter().find(|step| matches!(step, Step::Match { .. })).unwrap().clone();
    let at = long.steps.iter().position(|step| *step == pair).unwrap();
    long.steps.splice(at..at, std::iter::repeat_n(pair, 500));
    assert!(is_collapsed(&long));
    let rows = frames(&[&long], Granularity::Pair);
    assert_eq!(rows, frames(&[&long], Granularity::File));
    assert_eq!(rows.last().unwrap().steps, [long.steps.len()], "nothing is cut off");
}

#[test]
fn a_batch_runs_twice_in_one_run_and_its_second_half_is_judged() {
    let mut model = ready();
    let effects = desk(&mut model, DeskMsg::RunTwice);
    let Ask::Run { text, .. } = sent(&effects).unwrap().body.clone() else { panic!("a run") };
    let once = model.desk().unwrap().current().unwrap().text.clone();
    assert_eq!(text.matches(once.trim()).count(), 2, "{text}");
    let mut twice = report();
    twice.statements.extend(report().statements);
    ran(&mut model, twice);
    let shown = model.desk().unwrap().shown.as_ref().unwrap();
    assert_eq!((shown.again, &shown.text), (Some(trace().rows_changed()), &text));
    assert!(trace().rows_changed() > 0);

    desk(&mut model, DeskMsg::RunTwice);
    let mut failed = report();
    failed.statements[0].error = Some(ErrorReport {
        condition: "X".into(),
        sqlstate: String::new(),
        message: String::new(),
        span: None,
        rows: vec![],
        hint: None,
        edits: vec![],
    });
    ran(&mut model, failed);
    assert_eq!(model.desk().unwrap().shown.as_ref().unwrap().again, None, "half a run says nothing");
}
