//! Where stepping stops: at every step, after each file, or after each phase.
//!
//! A position is the number of steps done, so it runs from 0 to `Trace::steps.len()`, and a stop is
//! the position at which everything of its group has happened.

use crate::{FileRef, Phase, Step, Trace};
use std::ops::Range;

/// How far one key press goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Granularity {
    #[default]
    Phase,
    File,
    /// One step: a pair, a row, a decision.
    Pair,
}

/// The steps of one phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseSteps {
    pub phase: Phase,
    /// Indices into `Trace::steps`; never empty.
    pub steps: Range<usize>,
}

impl Trace {
    /// The phases that have steps, in order.
    pub fn phases(&self) -> Vec<PhaseSteps> {
        let mut phases: Vec<PhaseSteps> = Vec::new();
        for (idx, step) in self.steps.iter().enumerate() {
            let phase = step.phase();
            match phases.last_mut() {
                Some(last) if last.phase == phase => last.steps.end = idx + 1,
                _ => phases.push(PhaseSteps { phase, steps: idx..idx + 1 }),
            }
        }
        phases
    }

    /// The position after the phase that comes next at `position`; the end where there is none.
    pub fn next_phase(&self, position: usize) -> usize {
        self.next_stop(Granularity::Phase, position)
    }

    /// The position at which the previous phase was complete; the start where there is none.
    pub fn previous_phase(&self, position: usize) -> usize {
        self.previous_stop(Granularity::Phase, position)
    }

    /// The first stop behind `position`; the end where there is none.
    pub fn next_stop(&self, granularity: Granularity, position: usize) -> usize {
        (position + 1..self.steps.len())
            .find(|candidate| self.is_stop(granularity, *candidate))
            .unwrap_or(self.steps.len())
    }

    /// The last stop before `position`; the start where there is none.
    pub fn previous_stop(&self, granularity: Granularity, position: usize) -> usize {
        (1..position.min(self.steps.len() + 1))
            .rev()
            .find(|candidate| self.is_stop(granularity, *candidate))
            .unwrap_or(0)
    }

    /// All stops, from 0 to the end.
    pub fn stops(&self, granularity: Granularity) -> Vec<usize> {
        (0..=self.steps.len()).filter(|position| self.is_stop(granularity, *position)).collect()
    }

    // Between two steps there is a stop where the group changes.
    fn is_stop(&self, granularity: Granularity, position: usize) -> bool {
        if position == 0 || position >= self.steps.len() {
            return position <= self.steps.len();
        }
        match (self.steps.get(position - 1), self.steps.get(position)) {
            (Some(before), Some(after)) => match granularity {
                Granularity::Pair => true,
                Granularity::File => file_group(before) != file_group(after),
                Granularity::Phase => before.phase() != after.phase(),
            },
            _ => false,
        }
    }
}

fn file_group(step: &Step) -> (Phase, Option<FileRef>, bool) {
    // Each summary of many files is a stop of its own kind, not one group with what has no file.
    (step.phase(), step.file(), matches!(step, Step::Files { .. }))
}
