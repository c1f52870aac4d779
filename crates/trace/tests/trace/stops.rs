//! Granularity.

use crate::sample::merge;
use trace::*;

#[test]
fn phases_cover_all_steps_in_order() {
    let trace = merge();
    let phases: Vec<_> = trace.phases().into_iter().map(|phase| (phase.phase, phase.steps)).collect();
    assert_eq!(
        phases,
        [
            (Phase::Source, 0..1),
            (Phase::Prune, 1..4),
            (Phase::Join, 4..8),
            (Phase::Classify, 8..12),
            (Phase::Write, 12..13),
            (Phase::Commit, 13..15)
        ]
    );
}

#[test]
fn phase_stops_are_the_ends_of_phases() {
    let trace = merge();
    assert_eq!(trace.stops(Granularity::Phase), [0, 1, 4, 8, 12, 13, 15]);
    assert_eq!((trace.next_phase(0), trace.next_phase(5), trace.next_phase(8)), (1, 8, 12));
    assert_eq!((trace.previous_phase(15), trace.previous_phase(5), trace.previous_phase(1)), (13, 4, 0));
}

#[test]
fn file_stops_fall_between_files() {
    assert_eq!(merge().stops(Granularity::File), [0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15]);
}

#[test]
fn pair_stops_are_all_positions() {
    let trace = merge();
    assert_eq!(trace.stops(Granularity::Pair), (0..=trace.steps.len()).collect::<Vec<_>>());
}

#[test]
fn stepping_clamps_at_both_ends() {
    let trace = merge();
    for granularity in [Granularity::Phase, Granularity::File, Granularity::Pair] {
        assert_eq!(trace.next_stop(granularity, 15), 15);
        assert_eq!(trace.next_stop(granularity, 99), 15);
        assert_eq!(trace.previous_stop(granularity, 0), 0);
        assert_eq!(trace.previous_stop(granularity, 99), 15);
    }
}

#[test]
fn going_back_visits_the_same_stops() {
    let trace = merge();
    for granularity in [Granularity::Phase, Granularity::File, Granularity::Pair] {
        let stops = trace.stops(granularity);
        for pair in stops.windows(2) {
            assert_eq!(trace.next_stop(granularity, pair[0]), pair[1]);
            assert_eq!(trace.previous_stop(granularity, pair[1]), pair[0]);
        }
    }
}

#[test]
fn an_empty_trace_has_one_stop() {
    let mut trace = merge();
    trace.steps.clear();
    assert_eq!(trace.stops(Granularity::Phase), [0]);
    assert_eq!((trace.next_phase(0), trace.previous_phase(0)), (0, 0));
    assert_eq!(trace.phases(), []);
}
