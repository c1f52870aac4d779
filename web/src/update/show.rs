//! Putting a report on the stage and on the timeline.

use crate::model::{Desk, Player};
use crate::shared::Shared;
use protocol::RunReport;
use trace::Trace;

/// The last statement that has something to step through: what a script builds up to.
fn last_traced(report: &RunReport) -> Option<usize> {
    report.statements.iter().rposition(|statement| statement.trace.is_some())
}

fn trace_of(report: &RunReport, statement: usize) -> Option<Shared<Trace>> {
    report.statements.get(statement).and_then(|statement| statement.trace.clone()).map(Shared::from)
}

/// Puts the last traced statement on the timeline, paused at its start. A twin puts both there.
pub(super) fn pick_last(desk: &mut Desk) {
    desk.player = None;
    desk.look.pair = None;
    desk.look.travel = None;
    desk.look.riddle = None;
    let Some(shown) = &mut desk.shown else { return };
    shown.statement = last_traced(&shown.report);
    let mut traces: Vec<Shared<Trace>> =
        shown.statement.and_then(|at| trace_of(&shown.report, at)).into_iter().collect();
    if let Some(twin) = &shown.twin {
        traces.extend(last_traced(&twin.report).and_then(|at| trace_of(&twin.report, at)));
    }
    if !traces.is_empty() {
        desk.player = Some(Player::new(traces));
    }
}

/// Shows as much of the run as so many steps; beyond the last is the last.
pub(super) fn go_to_step(desk: &mut Desk, steps: usize) {
    if let Some(player) = &mut desk.player {
        let at = crate::frames::frame_at(&player.frames, steps);
        player.seek(at);
    }
}

/// Puts one statement on the timeline, if it can be stepped through.
pub(super) fn pick(desk: &mut Desk, statement: usize) {
    let Some(shown) = &mut desk.shown else { return };
    if let Some(trace) = trace_of(&shown.report, statement) {
        shown.statement = Some(statement);
        desk.look.pair = None;
        desk.player = Some(Player::new(vec![trace]));
    }
}

/// One sentence for the status line.
pub(super) fn summary(report: &RunReport) -> String {
    let failed = report.statements.iter().find_map(|statement| statement.error.as_ref()).or(report.errors.first());
    match failed {
        Some(error) if report.program => format!("Stopped: {}.", error.condition),
        None if report.program => "The program ran.".to_string(),
        Some(error) => {
            let ran = report.statements.iter().filter(|statement| statement.error.is_none()).count();
            format!("Stopped: {}. {ran} of {} statements ran.", error.condition, report.total)
        }
        None => match report.total {
            1 => "1 statement ran.".to_string(),
            n => format!("{n} statements ran."),
        },
    }
}
