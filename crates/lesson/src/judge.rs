//! The judge: from what was observed to a verdict. Pure; it knows rows, counts and conditions, no engine.

mod fault;

use crate::{Exercise, Failure, Mistake, MistakeRun, Observation, RowDiff, Status, Test, TestStatus, Verdict};

use fault::{check_fault, run_fault, same_evidence};

/// Why an expectation does not hold.
#[derive(Debug, Clone, PartialEq)]
struct Fault {
    message: String,
    rows: Option<RowDiff>,
}

/// How one expectation went on one variant.
enum Asked {
    Holds,
    Fails(Fault),
    /// The text had failed before.
    NotReached,
}

/// Judges what a text gave against what the solution gave.
///
/// All three lists of observations come from [`crate::plan_checks`] and [`crate::plan_mistake`]. Everything holds:
/// passed. Otherwise the first failure (variants in order, and checks in order within a variant) is
/// the one shown; if a mistake in `mistakes` fails there with the same evidence, its sentence is the message; else
/// the message tells the difference. A verdict is `Broken` if setup, patch or solution failed.
pub fn judge(
    exercise: &Exercise,
    learner: &[Observation],
    solution: &[Observation],
    mistakes: &[MistakeRun],
) -> Verdict {
    if let Some(failure) = broken(exercise, learner, solution) {
        return broken_verdict(failure);
    }
    let mut first: Option<(usize, usize)> = None;
    let mut tests = Vec::new();
    for test_idx in 0..=exercise.checks.len() {
        let (test, failed_at) = test(exercise, test_idx, learner, solution);
        let place = failed_at.map(|variant_idx| (variant_idx, test_idx));
        first = match (first, place) {
            (Some(known), Some(new)) => Some(known.min(new)),
            (known, new) => known.or(new),
        };
        tests.push(test);
    }
    let mut verdict = Verdict {
        version: crate::FORMAT_VERSION,
        status: if first.is_none() { Status::Passed } else { Status::Failed },
        mistake: None,
        shown: first.map(|(_, test_idx)| test_idx),
        tests,
    };
    name_mistake(exercise, learner, mistakes, &mut verdict);
    verdict
}

/// The recorded mistakes that fail first where this verdict does: those worth running for a second [`judge()`].
pub fn candidates<'a>(exercise: &'a Exercise, verdict: &Verdict) -> Vec<&'a Mistake> {
    let Some(shown) = verdict.shown.and_then(|test_idx| verdict.tests.get(test_idx)) else {
        return Vec::new();
    };
    exercise
        .mistakes
        .iter()
        .filter(|mistake| mistake.check == shown.id && shown.variant.as_deref() == Some(mistake.variant.as_str()))
        .collect()
}

fn name_mistake(exercise: &Exercise, learner: &[Observation], mistakes: &[MistakeRun], verdict: &mut Verdict) {
    let made = candidates(exercise, verdict).into_iter().find(|mistake| {
        let seen = learner.iter().find(|observation| observation.variant == mistake.variant);
        let recorded = mistakes.iter().find(|run| run.name == mistake.name);
        match (seen, recorded) {
            (Some(seen), Some(run)) => same_evidence(exercise, &mistake.check, seen, &run.observation),
            _ => false,
        }
    });
    let Some(mistake) = made else { return };
    let Some(test) = verdict.shown.and_then(|test_idx| verdict.tests.get_mut(test_idx)) else { return };
    test.message = mistake.says.clone();
    verdict.mistake = Some(mistake.name.clone());
}

/// One test over all variants, and the position of the first variant on which it failed. Test 0 is `run`.
fn test(
    exercise: &Exercise,
    test_idx: usize,
    learner: &[Observation],
    solution: &[Observation],
) -> (Test, Option<usize>) {
    let check = test_idx.checked_sub(1).and_then(|check_idx| exercise.checks.get(check_idx));
    let mut test = Test {
        id: check.map_or(Exercise::RUN, |check| &check.id).to_owned(),
        name: check.map_or("The text runs", |check| &check.title).to_owned(),
        status: TestStatus::Passed,
        message: String::new(),
        variant: None,
        rows: None,
        step: None,
    };
    for (variant_idx, (seen, wanted)) in learner.iter().zip(solution).enumerate() {
        let asked = match check {
            None => run_fault(exercise, seen).map_or(Asked::Holds, Asked::Fails),
            Some(check) => check_fault(exercise, check, seen, wanted),
        };
        match asked {
            Asked::Holds => {}
            Asked::NotReached => test.status = TestStatus::Skipped,
            Asked::Fails(fault) => {
                test.status = TestStatus::Failed;
                test.message = fault.message;
                test.rows = fault.rows;
                test.variant = Some(seen.variant.clone());
                return (test, Some(variant_idx));
            }
        }
    }
    (test, None)
}

/// What makes judging senseless, if anything.
fn broken(exercise: &Exercise, learner: &[Observation], solution: &[Observation]) -> Option<Failure> {
    let names: Vec<&str> =
        std::iter::once(Exercise::BASE).chain(exercise.variants.iter().map(|variant| variant.name.as_str())).collect();
    for observations in [learner, solution] {
        if !observations.iter().map(|observation| observation.variant.as_str()).eq(names.iter().copied()) {
            return Some(internal("the observations are not those of the exercise's variants"));
        }
        for observation in observations {
            if let Some(failure) = &observation.prepared {
                return Some(failure.clone());
            }
            if observation.runs.is_empty() {
                return Some(internal("the text was not run"));
            }
        }
    }
    solution.iter().find(|seen| run_fault(exercise, seen).is_some()).map(|seen| {
        let error = seen.runs.first().and_then(|outcome| outcome.error.clone());
        error.unwrap_or_else(|| internal("the solution did not fail as its `error` check asks"))
    })
}

fn internal(message: &str) -> Failure {
    Failure { condition: "INTERNAL_ERROR".to_owned(), message: message.to_owned() }
}

fn broken_verdict(failure: Failure) -> Verdict {
    let test = Test {
        id: "lesson".to_owned(),
        name: "The lesson itself runs".to_owned(),
        status: TestStatus::Failed,
        message: format!("This lesson is broken, not your text: [{}] {}", failure.condition, failure.message),
        variant: None,
        rows: None,
        step: None,
    };
    Verdict { version: crate::FORMAT_VERSION, status: Status::Broken, mistake: None, shown: Some(0), tests: vec![test] }
}
