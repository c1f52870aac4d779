//! The stops of the timeline: which step of each run is shown at which position.

use trace::{Granularity, Phase, Step, Trace};

/// Above this many pairs, or this many decided rows, the finest granularity tells files, not rows.
pub const MAX_ROW_STEPS: usize = 200;

/// One position of the timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The phase that ends or goes on here; `None` at the start.
    pub phase: Option<Phase>,
    /// For each run, how many of its steps have happened.
    pub steps: Vec<usize>,
}

const PHASES: [Phase; 6] = [Phase::Source, Phase::Prune, Phase::Join, Phase::Classify, Phase::Write, Phase::Commit];

/// The frames of one run, or of several told together: they enter each phase at the same frame.
/// The first frame has no step of any run, the last has all of all.
pub fn frames(traces: &[&Trace], granularity: Granularity) -> Vec<Frame> {
    let mut frames = vec![Frame { phase: None, steps: vec![0; traces.len()] }];
    let stops: Vec<Vec<(Phase, usize)>> = traces.iter().map(|trace| stops(trace, granularity)).collect();
    for phase in PHASES {
        let of_phase: Vec<Vec<usize>> =
            stops.iter().map(|stops| stops.iter().filter(|s| s.0 == phase).map(|s| s.1).collect()).collect();
        let n_frames = of_phase.iter().map(Vec::len).max().unwrap_or(0);
        let before = frames.last().map(|frame| frame.steps.clone()).unwrap_or_default();
        for at in 0..n_frames {
            let steps = of_phase
                .iter()
                .zip(&before)
                .map(|(stops, before)| stops.get(at).or(stops.last()).copied().unwrap_or(*before));
            frames.push(Frame { phase: Some(phase), steps: steps.collect() });
        }
    }
    frames
}

/// Whether a run has too many rows to be told one by one.
pub fn is_collapsed(trace: &Trace) -> bool {
    let count = |is_it: fn(&&Step) -> bool| trace.steps.iter().filter(is_it).count();
    count(|step| matches!(step, Step::Match { .. })) > MAX_ROW_STEPS
        || count(|step| matches!(step, Step::Act { .. })) > MAX_ROW_STEPS
}

/// After which steps a run stops, with the phase of the step before the stop. Phases never go
/// back: a step of an earlier phase belongs to the phase that is going on.
fn stops(trace: &Trace, granularity: Granularity) -> Vec<(Phase, usize)> {
    let granularity =
        if granularity == Granularity::Pair && is_collapsed(trace) { Granularity::File } else { granularity };
    let mut phase = Phase::Source;
    let mut stops = Vec::new();
    for position in trace.stops(granularity) {
        let Some(step) = position.checked_sub(1).and_then(|idx| trace.steps.get(idx)) else { continue };
        phase = phase.max(step.phase());
        stops.push((phase, position));
    }
    stops
}

/// The frame that shows as much of the first run as `steps` did, and no more.
pub fn frame_at(frames: &[Frame], steps: usize) -> usize {
    frames.iter().rposition(|frame| frame.steps.first().is_some_and(|at| *at <= steps)).unwrap_or(0)
}

/// The last frame of the phase before the current one, or the next phase's last frame.
pub fn phase_stop(frames: &[Frame], at: usize, forward: bool) -> usize {
    let ends =
        |idx: &usize| frames.get(idx + 1).is_none_or(|next| frames.get(*idx).map(|f| f.phase) != Some(next.phase));
    let last = frames.len().saturating_sub(1);
    if forward { (at + 1..frames.len()).find(ends).unwrap_or(last) } else { (0..at).rev().find(ends).unwrap_or(0) }
}
