//! PySpark programs, natively.

use crate::cases::load;
use cli::conform::{Verdict, judge};
use cli::python::{Notebook, Stopped, apart};
use engine::env::{Env, START_MS};
use engine::sandbox::Sandbox;
use host::{Host, Shown, block_on};
use protocol::{ReplyBody, Request, StatementReport};

/// Runs a program in an empty sandbox; what it showed, and why it stopped.
fn ran(text: &str) -> (Vec<Shown>, Option<Stopped>) {
    apart(|| {
        let notebook = Notebook::new(Sandbox::new(Env::deterministic(START_MS))).unwrap();
        let result = notebook.run(text);
        (notebook.shown(), result.err())
    })
}

fn printed(shown: &[Shown]) -> String {
    shown.iter().filter_map(Shown::text).collect()
}

fn statements(shown: &[Shown]) -> Vec<&StatementReport> {
    fn report(shown: &Shown) -> Option<&StatementReport> {
        match shown {
            Shown::Statement(report) => Some(report),
            Shown::Text(_) => None,
        }
    }
    shown.iter().filter_map(report).collect()
}

/// What a program must print and raise was recorded on the reference.
#[test]
fn programs_print_what_they_print_on_the_reference() {
    let cases = load("programs.jsonl");
    let mut faults = Vec::new();
    for case in &cases {
        match block_on(judge(case)) {
            Verdict::Passed => {}
            Verdict::Failed(lines) => faults.push(format!("{}: {}", case.id, lines.join("; "))),
            Verdict::NotSupported(what) => faults.push(format!("{}: refused: {what}", case.id)),
        }
    }
    println!("{} programs", cases.len());
    assert!(cases.len() >= 213 && faults.is_empty(), "{} of {}:\n{}", faults.len(), cases.len(), faults.join("\n"));
}

const TABLES: &str = "spark.sql('CREATE TABLE t (id INT, v STRING) USING DELTA')\nspark.sql(\"INSERT INTO t VALUES (1, 'a'), (2, 'b')\")\n";

/// A MERGE of a program is told like one of SQL, and its clauses are the calls that wrote them.
#[test]
fn a_merge_of_a_program_points_at_its_calls() {
    let program = format!(
        "{TABLES}s = spark.sql(\"SELECT 2 AS id, 'B' AS v UNION ALL SELECT 3, 'C'\")\n(DeltaTable.forName(spark, 't').alias('t')\n    \
         .merge(s.alias('s'), 't.id = s.id')\n    .whenMatchedUpdate(set={{'v': 's.v'}})\n    .whenNotMatchedInsertAll()\n    .execute())\n"
    );
    let (shown, stopped) = ran(&program);
    assert!(stopped.is_none(), "{stopped:?}");
    let reports = statements(&shown);
    let merge = reports.iter().find(|report| report.kind == "MERGE").unwrap();
    let text = |(start, end): (u32, u32)| &program[start as usize..end as usize];
    assert!(text(merge.span).starts_with("(DeltaTable.forName") || text(merge.span).starts_with("DeltaTable.forName"));
    let trace = merge.trace.as_ref().unwrap();
    let of_statement = |(start, end): (u32, u32)| &trace.statement[start as usize..end as usize];
    let clauses: Vec<&str> = trace.clauses.iter().map(|clause| of_statement(clause.span)).collect();
    assert_eq!(clauses, ["whenMatchedUpdate(set={'v': 's.v'})", "whenNotMatchedInsertAll()"]);
    assert_eq!(merge.version, Some(2));
}

/// An error in SQL that a program holds as text underlines its very word.
#[test]
fn a_wrong_name_is_underlined_where_it_stands() {
    let program = format!("{TABLES}df = spark.table('t')\ndf.filter('nope > 1').show()\n");
    let (_, stopped) = ran(&program);
    let problem = stopped.unwrap().problem();
    assert_eq!(problem.condition, "UNRESOLVED_COLUMN.WITH_SUGGESTION");
    assert_eq!(problem.span.unwrap().of(&program), "nope");
    let (_, stopped) = ran(&format!("{TABLES}name = 'no' + 'pe'\nspark.table('t').select(name)\n"));
    let problem = stopped.unwrap().problem();
    assert_eq!(problem.condition, "UNRESOLVED_COLUMN.WITH_SUGGESTION", "a name that was built is told with its line");
}

/// Python's own complaints come with the program's lines, and with a hint where many make the slip.
#[test]
fn slips_of_python_have_hints() {
    for (program, kind, line, hint) in [
        (
            "df = spark.range(3)\ndf.filter((F.col('id') > 1) and (F.col('id') < 3))",
            "PySparkValueError",
            2,
            "(…) & (…)",
        ),
        ("x = 1\ncol('id')", "NameError", 2, "F.col"),
        ("def f():\n    return g()\ndef g():\n    return 1 / 0\nf()", "ZeroDivisionError", 4, ""),
        ("def f():\n    return f()\nf()", "RecursionError", 2, "without an end"),
        ("spark.range(1).nope()", "PySparkAttributeError", 1, ""),
        ("spark.range(1).wher('id > 1')", "PySparkAttributeError", 1, ""),
        ("import pandas", "ModuleNotFoundError", 1, ""),
        ("x = (1", "SyntaxError", 1, ""),
        ("spark.range(1)\n.show()", "SyntaxError", 2, "parentheses"),
    ] {
        let Some(Stopped::Python(failure)) = ran(program).1 else { panic!("{program} does not stop in Python") };
        assert_eq!(failure.kind, kind, "{program}: {failure:?}");
        assert_eq!(failure.lines.last(), Some(&line), "{program}: {failure:?}");
        assert!(failure.hint.clone().unwrap_or_default().contains(hint), "{program}: {failure:?}");
    }
    let (_, stopped) = ran("spark.range(1).wher('id > 1')");
    assert!(stopped.unwrap().problem().message.contains("Did you mean: 'where'?"));
    let (_, stopped) = ran("spark.range(1).rdd");
    assert!(stopped.unwrap().problem().message.contains("MergeLab does not"), "PySpark has it, this has not");
}

/// A text may mix languages, as notebooks do; lines are those of the whole text.
#[test]
fn cells_of_both_languages_share_tables_and_names() {
    let notebook = "%sql\nCREATE TABLE t (id INT) USING DELTA;\nINSERT INTO t VALUES (1);\n%python\ndf = spark.table('t')\n%sql\nINSERT INTO t VALUES (2);\n%python\nprint(df.count())\n1 / 0\n";
    let (shown, stopped) = ran(notebook);
    assert_eq!(printed(&shown), "2\n", "a frame reads the table again");
    let Some(Stopped::Python(failure)) = stopped else { panic!("{stopped:?}") };
    assert_eq!(failure.lines, [10]);
    let above = "CREATE TABLE t (id INT) USING DELTA;  -- first\nINSERT INTO t VALUES (5);\nspark.table('t').show()\n";
    let (shown, stopped) = ran(above);
    assert!(stopped.is_none(), "{stopped:?}");
    assert_eq!(statements(&shown).len(), 2);
    assert!(printed(&shown).contains("|  5|"));
}

/// What an editor completes from is what the modules define.
#[test]
fn the_members_that_are_offered_are_those_that_there_are() {
    let ReplyBody::Words { members, .. } = block_on(Host::new("t").handle(Request::Words, &mut |_| ())) else {
        panic!("no words")
    };
    let program = "from pyspark.sql import column, dataframe, group, readwriter, window
import delta.tables as d
for name, o in [('Column', column.Column), ('DataFrame', dataframe.DataFrame),
                ('DataFrameReader', readwriter.DataFrameReader), ('DataFrameWriter', readwriter.DataFrameWriter),
                ('DeltaMergeBuilder', d.DeltaMergeBuilder), ('DeltaOptimizeBuilder', d.DeltaOptimizeBuilder),
                ('DeltaTable', d.DeltaTable), ('DeltaTableBuilder', d.DeltaTableBuilder), ('F', F),
                ('GroupedData', group.GroupedData), ('SparkSession', spark), ('Window', window.Window),
                ('WindowSpec', window.WindowSpec)]:
    print(name, ' '.join(n for n in sorted(dir(o)) if n[0].islower()))
";
    let (shown, stopped) = ran(program);
    assert!(stopped.is_none(), "{stopped:?}");
    let there = printed(&shown);
    let there: Vec<&str> = there.lines().collect();
    assert_eq!(members, there, "crates/frames/src/words.rs is to say this");
}

/// What has no end is bounded, and says so.
#[test]
fn programs_are_bounded() {
    let (shown, stopped) = ran("for i in range(300_000):\n    print('a line of some length')\nprint('end')");
    assert!(stopped.is_none());
    let text = printed(&shown);
    assert!(text.len() < 1_100_000 && text.ends_with("the program prints more than is shown here\n"));
    let (_, stopped) = ran("df = spark.range(1)\nwhile True:\n    df = df.withColumn('x', F.lit(1))\n");
    assert_eq!(stopped.unwrap().problem().condition, "MERGELAB_TOO_MANY_FRAMES");
    let (_, stopped) = ran("open('/etc/passwd')");
    assert_eq!(stopped.unwrap().problem().condition, "OSError", "there are no files");
}

/// Frames of a failed program are no harm to what comes after it, and an exception can be caught.
#[test]
fn exceptions_are_caught_by_their_classes() {
    let (shown, stopped) = ran(
        "from pyspark.errors import AnalysisException, PySparkValueError\ntry:\n    spark.table('nope')\nexcept AnalysisException as e:\n    print(e.getCondition())\ntry:\n    bool(F.col('a'))\nexcept PySparkValueError as e:\n    print(e.getErrorClass())\ntry:\n    spark.range(1).select(F.raise_error(F.lit('boo'))).collect()\nexcept Exception as e:\n    print(type(e).__name__)\nprint('on')",
    );
    assert!(stopped.is_none(), "{stopped:?}");
    let text = printed(&shown);
    assert!(
        text.starts_with("TABLE_OR_VIEW_NOT_FOUND\nCANNOT_CONVERT_COLUMN_INTO_BOOL\nSparkRuntimeException\non\n"),
        "{text}"
    );
}
