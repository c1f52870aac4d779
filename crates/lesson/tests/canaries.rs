//! One broken lesson per static rule and per gate: each must be rejected with the message an author needs.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use common::{LESSON, PATH, broken, failed, failure, left, seen};
use lesson::{
    Course, Example, Lesson, MistakeRun, Observation, Prediction, Quantity, Session, Track, gates, lint, stray_files,
};

fn course(lessons: &[&str]) -> Course {
    let lessons = lessons.iter().map(|slug| (*slug).to_owned()).collect();
    Course { format_version: 1, tracks: vec![Track { id: "basics".to_owned(), title: "Basics".to_owned(), lessons }] }
}

fn parsed(text: &str) -> Lesson {
    lesson::parse(PATH, text).unwrap()
}

fn findings(text: &str) -> Vec<String> {
    lint(&course(&["pots"]), &[parsed(text)]).into_iter().map(|problem| problem.to_string()).collect()
}

#[test]
fn a_right_lesson_has_no_findings() {
    assert_eq!(findings(LESSON), Vec::<String>::new());
}

#[test]
fn gate_1_rejects_each_broken_lesson_with_its_message() {
    let without_hint = broken("```md hint\nA second hint.\n```\n", "");
    let without_mistake = LESSON.split("```sql mistake").next().unwrap().to_owned();
    let task = "Merge into `pots`, so that `numTargetRowsUpdated` is right.";
    for (text, message) in [
        (broken("title = \"Pots\"", "title = \" \""), "the title is empty"),
        (broken("minutes = 3", "minutes = 0"), "`minutes` is 0"),
        (broken("minutes = 3", "minutes = 3\nrequires = [\"T8.8\"]"), "`requires` names `T8.8`"),
        (broken("minutes = 3", "minutes = 3\nrequires = [\"T9.9\"]"), "`requires` names `T9.9`"),
        (broken("S0:1-2", "seed 0"), "`covers` holds `seed 0`"),
        (broken("S0:1-2", "S0:1-"), "`covers` holds `S0:1-`"),
        (without_hint, "fewer than two hints"),
        (without_mistake, "exercise `a` has no mistake"),
        (broken(task, "Merge into `pots`."), "the check uses `numTargetRowsUpdated`"),
        (broken(task, "Merge `numTargetRowsUpdated` potsherds."), "the check uses `pots`"),
        (broken(task, ""), "exercise `a` has no task"),
        (broken("check = \"rows\"", "check = \"row\""), "the mistake fails `row`, which is no check"),
        (broken("variant = \"TIE\"", "variant = \"LATE\""), "the mistake fails on `LATE`, which is no variant"),
        (broken("at_most = 2", "at_most = 2\nvariants = [\"LATE\"]"), "the check is asked on `LATE`"),
        (broken("run = \"first\"", "run = \"last\""), "the prediction runs `last`, which is no example"),
        (broken("distractors = [\"7\"]", "distractors = []"), "the prediction has no distractors"),
        (broken("distractors = [\"7\"]", "distractors = [\"7\", \"7\"]"), "distractor `7` is there twice"),
        (broken("toml check=updated", "toml check=rows"), "check `rows` is there twice"),
        (broken("## Exercise", "```sql run=first\nSELECT 1;\n```\n\n## Exercise"), "example `first` is there twice"),
    ] {
        let found = findings(&text);
        assert!(found.iter().any(|finding| finding.contains(message)), "{message}: {found:?}");
        assert!(found.iter().all(|finding| finding.starts_with("lessons/basics/pots.md:")), "{found:?}");
    }
}

#[test]
fn gate_1_compares_the_course_with_the_lessons() {
    let lessons = [parsed(LESSON)];
    let found = |course: &Course, lessons: &[Lesson]| -> Vec<String> {
        lint(course, lessons).into_iter().map(|problem| problem.message).collect()
    };
    assert_eq!(found(&course(&["pots", "pots"]), &lessons), ["`basics/pots` is listed twice"]);
    assert_eq!(found(&course(&["pots", "pans"]), &lessons), ["`basics/pans` is listed and has no file"]);
    assert_eq!(found(&course(&[]), &lessons), ["`basics/pots` is not listed"]);
    let other = Course { format_version: 2, ..course(&["pots"]) };
    assert_eq!(found(&other, &lessons), ["format_version is 2, not 1"]);
    let twin = Lesson { slug: "pans".to_owned(), ..parsed(LESSON) };
    assert_eq!(found(&course(&["pots", "pans"]), &[parsed(LESSON), twin]), ["lesson id `T9.9` is there twice"]);
}

#[test]
fn gate_1_finds_stray_files() {
    let paths = ["course.toml", "README.md", "basics/pots.md", "basics/old.md"].map(str::to_owned);
    let found = stray_files(&course(&["pots"]), &paths);
    assert_eq!(found.iter().map(|problem| problem.path.as_str()).collect::<Vec<_>>(), ["lessons/basics/old.md"]);
}

const RIGHT: &[&[&str]] = &[&["1", "2"]];
const WRONG: &[&[&str]] = &[&["1", "3"]];

fn both(base: &[&[&str]], tie: &[&[&str]]) -> Vec<Observation> {
    vec![seen("BASE", vec![left(base)]), seen("TIE", vec![left(tie)])]
}

#[test]
fn gate_2_rejects_a_starter_that_passes_on_base() {
    let lesson = parsed(LESSON);
    let solution = both(RIGHT, RIGHT);
    let gate = |starter: &[Observation]| gates::starter_fails(&lesson.exercises[0], starter, &solution);
    assert_eq!(gate(&both(WRONG, WRONG)), None);
    assert_eq!(gate(&both(RIGHT, RIGHT)).unwrap(), "the starter passes");
    assert_eq!(gate(&both(RIGHT, WRONG)).unwrap(), "the starter fails no check on BASE");
}

#[test]
fn gate_3_rejects_a_solution_that_fails_or_wavers() {
    let lesson = parsed(LESSON);
    let gate =
        |first: &[Observation], second: &[Observation]| gates::solution_passes(&lesson.exercises[0], first, second);
    assert_eq!(gate(&both(RIGHT, RIGHT), &both(RIGHT, RIGHT)), None);
    assert!(gate(&both(RIGHT, RIGHT), &both(RIGHT, WRONG)).unwrap().contains("other rows when it is run again on TIE"));
    let failing = [seen("BASE", vec![left(RIGHT)]), seen("TIE", vec![failed("X")])];
    assert!(gate(&failing, &failing).unwrap().contains("[X] it went wrong"));
}

#[test]
fn gate_4_rejects_a_mistake_that_passes_fails_elsewhere_or_is_not_alone() {
    let mut lesson = parsed(LESSON);
    let mut second = lesson.exercises[0].mistakes[0].clone();
    second.name = "other".to_owned();
    lesson.exercises[0].mistakes.push(second);
    let exercise = &lesson.exercises[0];
    let mistake = &exercise.mistakes[0];
    let run =
        |name: &str, rows: &[&[&str]]| MistakeRun { name: name.to_owned(), observation: seen("TIE", vec![left(rows)]) };
    let solution = both(RIGHT, RIGHT);
    let apart = [run("append", WRONG), run("other", &[])];
    let gate =
        |seen: &[Observation], all: &[MistakeRun]| gates::mistake_is_named(exercise, mistake, seen, &solution, all);
    assert_eq!(gate(&both(RIGHT, WRONG), &apart), None);
    assert_eq!(gate(&both(RIGHT, RIGHT), &apart).unwrap(), "the mistake `append` passes");
    assert!(gate(&both(WRONG, WRONG), &apart).unwrap().starts_with("the mistake `append` fails `rows` on BASE"));
    let alike = [run("append", WRONG), run("other", WRONG)];
    assert_eq!(
        gate(&both(RIGHT, WRONG), &alike).unwrap(),
        "the mistake `append` earns the sentences of: append, other"
    );
}

#[test]
fn gate_6_rejects_a_distractor_that_is_the_answer() {
    let prediction = Prediction {
        name: "n".to_owned(),
        question: String::new(),
        run: "first".to_owned(),
        quantity: Quantity::Metric { table: "pots".to_owned(), metric: "rows".to_owned() },
        distractors: vec!["3".to_owned()],
        answer: None,
        line: 1,
    };
    let observed = |number: i64| {
        let mut outcome = left(RIGHT);
        outcome.tables[0].metrics.insert("rows".to_owned(), number);
        seen("BASE", vec![outcome])
    };
    assert_eq!(gates::prediction_holds(&prediction, &observed(2)), None);
    assert_eq!(gates::prediction_holds(&prediction, &observed(3)).unwrap(), "a distractor of `n` is the answer, 3");
    let no_metric = seen("BASE", vec![left(RIGHT)]);
    assert_eq!(gates::prediction_holds(&prediction, &no_metric).unwrap(), "the prediction `n` has no answer");
    let told = Prediction { answer: Some("9".to_owned()), ..prediction };
    assert_eq!(gates::prediction_holds(&told, &observed(2)).unwrap(), "`n` tells 9, the engine 2");
}

#[test]
fn gate_7_rejects_an_example_that_does_as_it_likes() {
    let session = Session {
        variant: "BASE".to_owned(),
        clock: String::new(),
        prepare: Vec::new(),
        text: String::new(),
        runs: 1,
        tables: Vec::new(),
        queries: Vec::new(),
    };
    let runs = Example { name: "e".to_owned(), error: None, session: session.clone() };
    let fails = Example { name: "e".to_owned(), error: Some("X".to_owned()), session };
    let ok = seen("BASE", vec![left(RIGHT)]);
    let failed_with = |condition: &str| seen("BASE", vec![failed(condition)]);
    assert_eq!(gates::example_runs(&runs, &ok), None);
    assert_eq!(gates::example_runs(&fails, &failed_with("X")), None);
    assert_eq!(gates::example_runs(&fails, &ok).unwrap(), "`e` ran, and must fail with X");
    assert!(gates::example_runs(&fails, &failed_with("Y")).unwrap().contains("[Y]"));
    assert!(gates::example_runs(&runs, &failed_with("X")).unwrap().contains("[X]"));
    let broken_setup = Observation { prepared: Some(failure("S")), runs: Vec::new(), ..ok };
    assert!(gates::example_runs(&runs, &broken_setup).unwrap().starts_with("the setup failed: [S]"));
}
