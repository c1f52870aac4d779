//! The playground: steps that add up, and statements that run after them.
//!
//! The page names all steps every time and the host remembers which ones its sandbox holds. So a new worker, an undo
//! and a reload need nothing special: what is missing is run, and where the steps are others all of them are.

use crate::interpreter::Interpreter;
use crate::lab::Lab;
use crate::own::{self, Files};
use engine::sandbox::Sandbox;
use protocol::{Edit, MAKE_SAMPLES, PlayStep, RunReport};
use spec::{Diagnostic, Name};

/// The steps that a sandbox holds.
pub(crate) type Played = Vec<PlayStep>;

/// The lab and the steps that are still to be taken in it, if it holds no others.
pub(crate) fn rest(there: Option<(Lab, Played)>, steps: &[PlayStep]) -> Option<(Lab, &[PlayStep])> {
    let (lab, played) = there?;
    steps.strip_prefix(played.as_slice()).map(|rest| (lab, rest))
}

/// Takes steps without telling of them.
///
/// # Errors
/// What is wrong with the first step that fails.
pub(crate) async fn prepared(
    mut lab: Lab,
    interpreter: &Interpreter,
    files: &Files,
    steps: &[PlayStep],
) -> Result<Lab, Diagnostic> {
    for step in steps {
        match step {
            PlayStep::Sql(text) => lab.take(interpreter, text).await?,
            PlayStep::File { key, table } => Box::pin(own::load(&mut lab.sandbox, files, key, table)).await?,
        }
    }
    Ok(lab)
}

/// What the sandbox holds after a run: every statement of the text is a step, a program is one. After
/// a failure `None`, because a failed
/// run is no step and the clock has gone on: the next request starts afresh, and so gives what a reload gives.
pub(crate) fn after(steps: &[PlayStep], text: &str, report: &RunReport) -> Option<Played> {
    let failed = !report.errors.is_empty() || report.statements.iter().any(|statement| statement.error.is_some());
    if failed {
        return None;
    }
    if report.program {
        return Some(steps.iter().cloned().chain([PlayStep::Sql(text.to_owned())]).collect());
    }
    let ran = report.statements.iter().map(|statement| {
        let (start, end) = statement.span;
        PlayStep::Sql(text.get(start as usize..end as usize).unwrap_or_default().to_owned())
    });
    Some(steps.iter().cloned().chain(ran).collect())
}

/// Where a table was not found, offers DDL and rows for all tables that the text needs and nobody has.
pub(crate) fn offer_samples(sandbox: &Sandbox, text: &str, report: &mut RunReport) {
    let errors = report.statements.iter_mut().filter_map(|statement| statement.error.as_mut());
    let Some(error) = errors.last().filter(|error| error.condition == "TABLE_OR_VIEW_NOT_FOUND") else { return };
    let is_known = |name: &Name| sandbox.knows(name);
    if let Some(replacement) = sample::script(&sql::parse(text).statements, &is_known) {
        error.edits.push(Edit { label: MAKE_SAMPLES.to_owned(), span: (0, 0), replacement });
    }
}
