//! `mergelab check lessons`: every gate on every lesson, one named result each.

use host::{Interpreter, observe};
use lesson::{
    Block, Exercise, Lesson, MistakeRun, Observation, gates, plan_checks, plan_examples, plan_mistake, plan_prediction,
};

/// The result of one gate on one part of a lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// E.g. `pruned-or-not/b: gate 4, mistake rank`.
    pub name: String,
    /// What is wrong; `None` where the gate holds.
    pub problem: Option<String>,
}

/// All gates that need the engine.
pub async fn check(lesson: &Lesson, interpreter: &Interpreter) -> Vec<Gate> {
    let mut results = Vec::new();
    for example in plan_examples(lesson) {
        let seen = observe(&example.session, interpreter).await;
        results.push(Gate {
            name: format!("{}: gate 7, example {}", lesson.slug, example.name),
            problem: gates::example_runs(&example, &seen),
        });
    }
    for block in &lesson.blocks {
        let Block::Predict(prediction) = block else { continue };
        let problem = match plan_prediction(lesson, prediction) {
            None => Some(format!("there is no example `{}`", prediction.run)),
            Some(session) => gates::prediction_holds(prediction, &observe(&session, interpreter).await),
        };
        results.push(Gate { name: format!("{}: gate 6, prediction {}", lesson.slug, prediction.name), problem });
    }
    for exercise in &lesson.exercises {
        results.extend(check_exercise(lesson, exercise, interpreter).await);
    }
    results
}

async fn check_exercise(lesson: &Lesson, exercise: &Exercise, interpreter: &Interpreter) -> Vec<Gate> {
    let place = format!("{}/{}", lesson.slug, exercise.id);
    let solution = runs(lesson, exercise, &exercise.solution.text, interpreter).await;
    let again = runs(lesson, exercise, &exercise.solution.text, interpreter).await;
    let starter = runs(lesson, exercise, &exercise.starter.text, interpreter).await;
    let mut results = vec![
        Gate {
            name: format!("{place}: gate 2, the starter fails"),
            problem: gates::starter_fails(exercise, &starter, &solution),
        },
        Gate {
            name: format!("{place}: gate 3, the solution passes"),
            problem: gates::solution_passes(exercise, &solution, &again),
        },
    ];
    let mut all = Vec::new();
    for mistake in &exercise.mistakes {
        let observation = observe(&plan_mistake(lesson, exercise, mistake), interpreter).await;
        all.push(MistakeRun { name: mistake.name.clone(), observation });
    }
    for mistake in &exercise.mistakes {
        let seen = runs(lesson, exercise, &mistake.script.text, interpreter).await;
        results.push(Gate {
            name: format!("{place}: gate 4, mistake {}", mistake.name),
            problem: gates::mistake_is_named(exercise, mistake, &seen, &solution, &all),
        });
    }
    results
}

async fn runs(lesson: &Lesson, exercise: &Exercise, text: &str, interpreter: &Interpreter) -> Vec<Observation> {
    let mut seen = Vec::new();
    for session in plan_checks(lesson, exercise, text) {
        seen.push(observe(&session, interpreter).await);
    }
    seen
}
