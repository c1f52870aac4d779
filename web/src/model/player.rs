//! The timeline: one run, or two side by side, and where we are in it.

use crate::frames::{Frame, frame_at, frames};
use crate::model::Breaks;
use crate::shared::Shared;
use trace::{Granularity, Scene, Trace};

/// What is on the timeline. It starts paused at the first frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    /// One run, or the two of a twin.
    pub traces: Vec<Shared<Trace>>,
    pub granularity: Granularity,
    pub frames: Shared<Vec<Frame>>,
    /// Index into `frames`.
    pub at: usize,
    /// One per trace, of the current frame.
    pub scenes: Vec<Shared<Scene>>,
    pub playing: bool,
    /// 1 to 3.
    pub speed: u8,
    /// Counts plays, so that an alarm of an earlier play does nothing.
    pub play: u32,
    pub breaks: Breaks,
    /// The steps of the first run at which a condition is NULL.
    pub nulls: Vec<usize>,
    /// The positions in the first run at which a play stops.
    pub stops: Vec<usize>,
}

impl Player {
    /// Puts runs on the timeline, paused before the first step.
    pub fn new(traces: Vec<Shared<Trace>>) -> Player {
        let nulls = traces.first().map(|trace| trace.null_steps()).unwrap_or_default();
        let mut player = Player {
            traces,
            nulls,
            granularity: Granularity::default(),
            frames: Shared::new(Vec::new()),
            at: 0,
            scenes: Vec::new(),
            playing: false,
            speed: 1,
            play: 0,
            breaks: Breaks::default(),
            stops: Vec::new(),
        };
        player.cut(Granularity::default());
        player
    }

    /// The frame that is shown.
    pub fn frame(&self) -> Option<&Frame> {
        self.frames.get(self.at)
    }

    /// The last frame's index.
    pub fn last(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// Steps of run `run` that have happened.
    pub fn steps(&self, run: usize) -> usize {
        self.frame().and_then(|frame| frame.steps.get(run)).copied().unwrap_or(0)
    }

    /// Goes to a frame; beyond the last is the last.
    pub fn seek(&mut self, at: usize) {
        self.at = at.min(self.last());
        self.scenes =
            self.traces.iter().enumerate().map(|(run, trace)| Shared::new(trace.scene(self.steps(run)))).collect();
    }

    /// Asks for stops.
    pub fn break_at(&mut self, breaks: Breaks) {
        self.breaks = breaks;
        self.stops = self.traces.first().map(|trace| breaks.positions(trace, &self.nulls)).unwrap_or_default();
    }

    /// The first stop after the steps done, and not after the position `to`.
    pub fn next_stop(&self, to: usize) -> Option<usize> {
        let from = self.steps(0);
        self.stops.iter().copied().find(|stop| *stop > from && *stop <= to)
    }

    /// Goes to a position of the first run, row by row; always forward.
    pub fn stop_at(&mut self, position: usize) {
        let from = self.steps(0);
        self.cut(Granularity::Pair);
        self.seek(frame_at(&self.frames, position));
        if self.steps(0) <= from {
            self.seek(self.at + 1);
        }
    }

    /// Cuts the timeline anew and stays where at least nothing new has happened.
    pub fn cut(&mut self, granularity: Granularity) {
        let steps = self.steps(0);
        let traces: Vec<&Trace> = self.traces.iter().map(|trace| &**trace).collect();
        self.granularity = granularity;
        self.frames = Shared::new(frames(&traces, granularity));
        self.seek(frame_at(&self.frames, steps));
    }
}
