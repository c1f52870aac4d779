//! Programs by requests, as the page's worker serves them: the host on one side, an interpreter on the other.

use crate::cases::load;
use cli::python::apart;
use cli::served::Served;
use lesson::Status;
use protocol::{PlayStep, ReplyBody, Request, RunReport};
use serde_json::Value;

/// What `worker.js` is in the browser.
pub(crate) struct Worker(Served);

impl Worker {
    pub(crate) fn new() -> Self {
        Self(Served::new())
    }

    fn report(&mut self, body: Request) -> RunReport {
        match self.0.serve(body) {
            ReplyBody::Ran(report) => *report,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn run(&mut self, setup: &str, text: &str) -> RunReport {
        self.report(Request::Run { setup: setup.into(), text: text.into(), clock: None })
    }

    fn play(&mut self, steps: &[&str], text: &str) -> RunReport {
        let steps = steps.iter().map(|step| PlayStep::Sql((*step).to_owned())).collect();
        self.report(Request::Play { steps, text: text.into() })
    }
}

fn printed(report: &RunReport) -> String {
    report.statements.iter().filter_map(|statement| statement.printed.as_deref()).collect()
}

fn problem(report: &RunReport) -> &protocol::ErrorReport {
    report.statements.last().and_then(|statement| statement.error.as_ref()).unwrap()
}

/// Every recorded program is taken for one, and prints by requests what it prints on the reference.
#[test]
fn programs_print_the_same_by_requests() {
    apart(|| {
        let cases = load("programs.jsonl");
        let mut worker = Worker::new();
        let mut faults = Vec::new();
        let mut n_compared = 0;
        for case in &cases {
            let expected = case.expect.get("printed").and_then(Value::as_str).unwrap_or_default();
            if expected.is_empty() {
                continue;
            }
            let report = worker.run(&case.setup(), &case.script());
            n_compared += 1;
            if !report.program || printed(&report) != expected {
                faults.push(format!("{}: {}\ninstead of\n{expected}\n{report:#?}", case.id, printed(&report)));
            }
        }
        println!("{n_compared} programs");
        assert!(n_compared >= 100 && faults.is_empty(), "{} of {n_compared}:\n{}", faults.len(), faults.join("\n"));
    });
}

/// In a playground, programs and SQL share tables and views, programs share names, and a failed run leaves nothing.
#[test]
fn a_playground_mixes_both_languages() {
    apart(|| {
        let mut worker = Worker::new();
        let first = "rows = spark.createDataFrame([(1, 'a'), (2, 'b')], ['id', 'v'])\nrows.write.saveAsTable('t')\n";
        assert!(worker.play(&[], first).program);
        let steps = [first];
        let report = worker.play(&steps, "print(rows.count())");
        assert_eq!(printed(&report), "2\n", "names stay");
        let report = worker.play(&[first, "print(rows.count())"], "SELECT count(*) AS n FROM t");
        assert_eq!(report.statements[0].grid.as_ref().unwrap().rows[0][0].as_deref(), Some("2"));
        let report =
            worker.play(&steps, "spark.sql('INSERT INTO t VALUES (3, \"c\")')\nspark.table('t').filter(nope)\n");
        assert_eq!(problem(&report).condition, "NameError");
        assert!(problem(&report).span.is_some(), "the line is told");
        let report = worker.play(&steps, "print(spark.table('t').count())");
        assert_eq!(printed(&report), "2\n", "what a failed run wrote is gone");
        // A new worker, as after a reload, takes all steps again.
        let mut again = Worker::new();
        let report =
            again.play(&[first, "INSERT INTO t VALUES (4, 'd')"], "print(rows.count(), spark.table('t').count())");
        assert_eq!(printed(&report), "2 3\n");
    });
}

/// A complaint of the engine comes with its condition and place; a step that fails is told as one.
#[test]
fn what_stops_a_program_is_told_like_sql() {
    apart(|| {
        let mut worker = Worker::new();
        let text = "print('before')\nspark.sql('SELECT nope FROM VALUES (1) AS t(id)')\n";
        let report = worker.play(&[], text);
        assert_eq!(printed(&report), "before\n");
        let error = problem(&report);
        assert!(error.condition.starts_with("UNRESOLVED_COLUMN"), "{error:?}");
        let (start, end) = error.span.unwrap();
        assert_eq!(&text[start as usize..end as usize], "nope");
        let report = worker.play(&[text], "SELECT 1");
        assert!(report.statements.is_empty() && report.errors.len() == 1, "{report:?}");
    });
}

/// A new run knows nothing of the one before, though the interpreter is the same.
#[test]
fn a_run_forgets_the_one_before() {
    apart(|| {
        let mut worker = Worker::new();
        let first = "import random, builtins
import pyspark.sql.functions as F
random.seed(1)
a = random.random()
F.kept = 1
mine = 2
print(round(2.675, 2), a)
";
        let before = worker.run("", first);
        let after = worker.run("", first);
        assert_eq!(printed(&before), printed(&after));
        let report = worker
            .run("", "import pyspark.sql.functions as G\nprint(hasattr(G, 'kept'), 'mine' in globals(), G is F)\n");
        assert_eq!(printed(&report), "False False True\n", "{report:?}");
    });
}

/// An exercise takes a program where it takes SQL: on every variant, twice where it must bear that.
#[test]
fn an_exercise_is_checked_in_python_too() {
    let lessons = cli::course::load(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../lessons")).unwrap();
    let lesson = lessons.lessons.iter().find(|lesson| lesson.slug == "first-upsert").unwrap();
    let upsert = "from delta.tables import DeltaTable
t = DeltaTable.forName(spark, 'stock')
(t.alias('t').merge(spark.table('parcel').alias('s'), 't.sku = s.sku')
 .whenMatchedUpdateAll()
 .whenNotMatchedInsertAll()
 .execute())
";
    for (text, passes) in [(upsert.to_owned(), true), (upsert.replace(" .whenNotMatchedInsertAll()\n", ""), false)] {
        let request = Request::Check { lesson: Box::new(lesson.clone()), exercise: "a".into(), text };
        let ReplyBody::Checked { verdict, run } = apart(|| Worker::new().0.serve(request)) else { panic!("a verdict") };
        assert_eq!(verdict.status == Status::Passed, passes, "{verdict:#?}");
        assert!(run.program && run.statements.iter().any(|statement| statement.trace.is_some()));
        let mistake = verdict.mistake.is_some();
        assert_eq!(mistake, !passes, "the named mistake is known in either language: {verdict:#?}");
    }
}
