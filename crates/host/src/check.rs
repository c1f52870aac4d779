//! A learner's text against an exercise: plan, run, judge.

use crate::interpreter::Interpreter;
use crate::session::observe;
use lesson::{
    Exercise, Lesson, MistakeRun, Observation, Session, Verdict, candidates, judge, plan_checks, plan_mistake,
};
use protocol::Note;

/// Judges `text`. Progress is told per session.
pub async fn check(
    lesson: &Lesson,
    exercise: &Exercise,
    text: &str,
    interpreter: &Interpreter,
    notes: &mut dyn FnMut(Note),
) -> Verdict {
    let learner = plan_checks(lesson, exercise, text);
    let solution = plan_checks(lesson, exercise, &exercise.solution.text);
    let total = learner.len() + solution.len();
    let mut done = 0;
    let mut told = |done: &mut usize| {
        *done += 1;
        notes(Note::Progress { done: *done, total });
    };
    let mut seen = Vec::with_capacity(learner.len());
    for session in &learner {
        seen.push(Box::pin(observe(session, interpreter)).await);
        told(&mut done);
    }
    let mut expected = Vec::with_capacity(solution.len());
    for session in &solution {
        expected.push(Box::pin(observe(session, interpreter)).await);
        told(&mut done);
    }
    let verdict = judge(exercise, &seen, &expected, &[]);
    let mut runs = Vec::new();
    for mistake in candidates(exercise, &verdict) {
        let session: Session = plan_mistake(lesson, exercise, mistake);
        let observation: Observation = Box::pin(observe(&session, interpreter)).await;
        runs.push(MistakeRun { name: mistake.name.clone(), observation });
    }
    if runs.is_empty() { verdict } else { judge(exercise, &seen, &expected, &runs) }
}
