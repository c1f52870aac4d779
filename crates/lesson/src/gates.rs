//! The gates that need an engine, as functions over what it gave; the program that checks lessons only loops.
//!
//! Gate 1 is [`crate::lint()`]. Each function here is one gate for one thing and gives the reason for which it is
//! closed, or `None`.

use crate::{
    Answer, Example, Exercise, Mistake, MistakeRun, Observation, Order, Outcome, Prediction, Status, TestStatus,
    Verdict, diff, judge,
};

/// Gate 2: the starter fails at least one check on BASE.
pub fn starter_fails(exercise: &Exercise, starter: &[Observation], solution: &[Observation]) -> Option<String> {
    let verdict = judge(exercise, starter, solution, &[]);
    match verdict.status {
        Status::Broken => Some(shown_message(&verdict)),
        Status::Passed => Some("the starter passes".to_owned()),
        Status::Failed => {
            let on_base = verdict
                .tests
                .iter()
                .any(|test| test.status == TestStatus::Failed && test.variant.as_deref() == Some(Exercise::BASE));
            if on_base { None } else { Some("the starter fails no check on BASE".to_owned()) }
        }
    }
}

/// Gate 3: the solution passes every check on every variant, and a second set of runs gives the same rows.
pub fn solution_passes(exercise: &Exercise, first: &[Observation], second: &[Observation]) -> Option<String> {
    let verdict = judge(exercise, first, first, &[]);
    if verdict.status != Status::Passed {
        return Some(format!("the solution does not pass: {}", shown_message(&verdict)));
    }
    if first.len() != second.len() {
        return Some("the second set of runs is not complete".to_owned());
    }
    let differs = first.iter().zip(second).find(|(one, other)| !same_rows(one, other))?;
    Some(format!("the solution gives other rows when it is run again on {}", differs.0.variant))
}

/// Gate 4: the mistake fails first with the named check on the named variant, and earns its own sentence and no
/// other's. `all` holds every recorded mistake of the exercise on its own variant.
pub fn mistake_is_named(
    exercise: &Exercise,
    mistake: &Mistake,
    seen: &[Observation],
    solution: &[Observation],
    all: &[MistakeRun],
) -> Option<String> {
    let verdict = judge(exercise, seen, solution, all);
    let shown = verdict.shown.and_then(|test_idx| verdict.tests.get(test_idx));
    let Some(shown) = shown.filter(|_| verdict.status == Status::Failed) else {
        return Some(match verdict.status {
            Status::Broken => shown_message(&verdict),
            Status::Passed | Status::Failed => format!("the mistake `{}` passes", mistake.name),
        });
    };
    let variant = shown.variant.as_deref().unwrap_or_default();
    if shown.id != mistake.check || variant != mistake.variant {
        return Some(format!(
            "the mistake `{}` fails `{}` on {variant} ({}), not `{}` on {}",
            mistake.name, shown.id, shown.message, mistake.check, mistake.variant
        ));
    }
    // Another mistake with the same evidence would take, or lend, a sentence that is not its own.
    let alone = |run: &MistakeRun| judge(exercise, seen, solution, std::slice::from_ref(run)).mistake;
    let earned: Vec<String> = all.iter().filter_map(alone).collect();
    if earned == [mistake.name.clone()] {
        return None;
    }
    Some(format!("the mistake `{}` earns the sentences of: {}", mistake.name, earned.join(", ")))
}

/// Gate 6: the answer can be computed and no distractor equals it.
pub fn prediction_holds(prediction: &Prediction, observation: &Observation) -> Option<String> {
    let Some(answer) = crate::answer(prediction, observation) else {
        return Some(format!("the prediction `{}` has no answer", prediction.name));
    };
    if prediction.distractors.contains(&answer) {
        return Some(format!("a distractor of `{}` is the answer, {answer}", prediction.name));
    }
    match &prediction.answer {
        Some(told) if *told != answer => Some(format!("`{}` tells {told}, the engine {answer}", prediction.name)),
        _ => None,
    }
}

/// Gate 7: a `run` fence runs, an `error` fence fails as said.
pub fn example_runs(example: &Example, observation: &Observation) -> Option<String> {
    if let Some(failure) = &observation.prepared {
        return Some(format!("the setup failed: [{}] {}", failure.condition, failure.message));
    }
    let Some(outcome) = observation.runs.first() else {
        return Some(format!("`{}` was not run", example.name));
    };
    match (&outcome.error, &example.error) {
        (None, None) => None,
        (Some(error), Some(condition)) if error.condition == *condition => None,
        (Some(error), _) => Some(format!("`{}` failed: [{}] {}", example.name, error.condition, error.message)),
        (None, Some(condition)) => Some(format!("`{}` ran, and must fail with {condition}", example.name)),
    }
}

fn same_rows(left: &Observation, right: &Observation) -> bool {
    left.runs.len() == right.runs.len()
        && left.runs.iter().zip(&right.runs).all(|(one, other)| same_outcome(one, other))
}

fn same_outcome(left: &Outcome, right: &Outcome) -> bool {
    let (one, other) = (answers(left), answers(right));
    one.len() == other.len()
        && one.into_iter().zip(other).all(|pair| match pair {
            (Answer::Rows(one), Answer::Rows(other)) => diff(one, other, Order::Any).is_none(),
            (one, other) => one == other,
        })
}

fn answers(outcome: &Outcome) -> Vec<&Answer> {
    outcome.tables.iter().map(|table| &table.rows).chain(&outcome.queries).collect()
}

fn shown_message(verdict: &Verdict) -> String {
    let shown = verdict.shown.and_then(|test_idx| verdict.tests.get(test_idx));
    shown.map_or_else(String::new, |test| match &test.variant {
        Some(variant) => format!("`{}` on {variant}: {}", test.id, test.message),
        None => test.message.clone(),
    })
}
