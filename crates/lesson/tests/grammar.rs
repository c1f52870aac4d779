//! The grammar: what is read, what is refused, and where the refusal points.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests")]

mod common;

use common::{LESSON, PATH, broken};
use lesson::{Block, Bound, CheckKind, Counter, Quantity};

#[test]
fn a_complete_lesson_is_read_into_its_parts() {
    let lesson = lesson::parse(PATH, LESSON).unwrap();
    assert_eq!((lesson.track.as_str(), lesson.slug.as_str()), ("basics", "pots"));
    assert_eq!(lesson.clock, "2026-01-15T00:00:00Z");
    assert_eq!(lesson.setup, "CREATE TABLE pots (id INT, n INT) USING DELTA;\n");
    let kinds: Vec<&str> = lesson
        .blocks
        .iter()
        .map(|block| match block {
            Block::Html(_) => "html",
            Block::Code(_) => "code",
            Block::Twin(_) => "twin",
            Block::Predict(_) => "predict",
            Block::Exercise(_) => "exercise",
        })
        .collect();
    assert_eq!(kinds, ["html", "code", "predict", "code", "exercise"]);
    assert_eq!(lesson.first_run().unwrap().label, "Look at it");
    let Block::Predict(prediction) = &lesson.blocks[2] else { panic!("a prediction") };
    assert_eq!(prediction.quantity, Quantity::Query("SELECT count(*) FROM pots".to_owned()));
    assert_eq!(prediction.answer, None);
    let exercise = lesson.exercise("a").unwrap();
    assert_eq!(exercise.title, "Count them");
    assert_eq!(exercise.hints[0], "<p>A first <strong>hint</strong>.</p>\n");
    assert_eq!(exercise.variants[0].patch, "INSERT INTO pots VALUES (1, 1);\n");
    assert_eq!(exercise.mistakes[0].says, "You appended.");
    assert_eq!(exercise.mistakes[0].script.text, "INSERT INTO pots VALUES (2, 2);\n");
}

#[test]
fn a_lesson_travels_as_json() {
    let lesson = lesson::parse(PATH, LESSON).unwrap();
    let text = serde_json::to_string(&lesson).unwrap();
    assert_eq!(serde_json::from_str::<lesson::Lesson>(&text).unwrap(), lesson);
}

#[test]
fn prose_is_escaped() {
    let lesson = lesson::parse(PATH, LESSON).unwrap();
    let html = "<p>Prose with <code>a &lt; b</code>, \"quotes\" &amp; an ampersand.</p>\n";
    assert_eq!(lesson.blocks[0], Block::Html(html.to_owned()));
}

#[test]
fn a_heading_can_be_linked_to() {
    let text = broken("Prose with", "### Why `ON` decides\n\nProse with");
    let lesson = lesson::parse(PATH, &text).unwrap();
    let Block::Html(html) = &lesson.blocks[0] else { panic!("prose") };
    assert!(html.starts_with("<h3 id=\"why-on-decides\">Why <code>ON</code> decides</h3>"), "{html}");
}

#[test]
fn html_of_an_author_is_refused_wherever_it_stands() {
    for html in ["<script>alert(1)</script>", "a <b onclick=\"x\">b</b>", "<!-- note -->"] {
        let text = broken("Prose with", &format!("{html}\n\nProse with"));
        assert!(problems(&text)[0].starts_with("9: raw HTML is not allowed"), "{html}");
    }
    let text = broken("A second hint.", "A <i>second</i> hint.");
    let line = line_of(&text, "<i>second</i>");
    assert!(problems(&text)[0].starts_with(&format!("{line}: raw HTML is not allowed")));
}

#[test]
fn a_link_that_runs_code_is_refused() {
    for target in ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x"] {
        let text = broken("Prose with", &format!("[x]({target}) Prose with"));
        assert!(problems(&text)[0].contains("only https:"), "{target}");
    }
    for target in ["https://example.org", "../basics/x", "#rule", "a/b:c"] {
        assert!(lesson::parse(PATH, &broken("Prose with", &format!("[x]({target}) Prose with"))).is_ok(), "{target}");
    }
}

#[test]
fn an_unknown_key_of_the_front_matter_is_refused_at_its_line() {
    let text = broken("minutes = 3", "minutes = 3\ncolour = \"red\"");
    let found = problems(&text);
    assert!(found[0].starts_with("5: unknown field `colour`"), "{found:?}");
}

#[test]
fn an_unknown_role_key_or_language_is_refused_at_its_line() {
    for (from, to, message) in [
        ("sql starter", "sql begin", "there is no role `begin`"),
        ("sql starter", "sql", "a fence needs a role after `sql`"),
        ("sql starter", "sql starter colour=red", "a fence `starter` has no key `colour`"),
        ("sql starter", "sql starter=x", "a fence `starter` takes no name"),
        ("sql starter", "python starter", "Python is not supported yet"),
        ("sql starter", "rust starter", "a fence `starter` is written in sql, not in `rust`"),
        ("sql run=first", "sql run=first clock=+1d", "`clock` on a fence is not supported yet"),
        ("toml check=rows", "sql check=rows", "a fence `check` is written in toml"),
        ("toml check=rows", "toml check", "a fence `check` needs a name"),
        ("toml check=rows", "toml check=run", "`run` is the check that every exercise has"),
        ("sql variant=TIE", "sql variant=tie", "`tie` is not a variant's name"),
        ("md hint", "sql hint", "a hint is Markdown"),
        ("label=\"Look at it\"", "label=\"Look at it", "a quote is not closed"),
    ] {
        let text = broken(from, to);
        let expected = format!("{}: {message}", line_of(LESSON, from));
        let found = problems(&text);
        assert!(found.iter().any(|problem| problem.starts_with(&expected)), "{to}: {found:?}, not {expected}");
    }
}

#[test]
fn an_unknown_key_of_a_check_is_refused_at_its_own_line() {
    let text = broken("order = \"any\"", "order = \"any\"\nsorted = true");
    let expected = format!("{}: unknown field `sorted`", line_of(&text, "sorted = true"));
    assert!(problems(&text)[0].starts_with(&expected), "{:?}", problems(&text));
}

#[test]
fn a_check_of_a_later_release_is_named_as_such() {
    for kind in ["history", "schema", "log", "shuffle_invariant", "reader_consistent", "ast", "differs", "explain"] {
        let text = broken("type = \"rows_equal\"", &format!("type = \"{kind}\""));
        assert!(problems(&text)[0].ends_with(&format!("checks of type `{kind}` are not supported yet")));
    }
    let text = broken("type = \"rows_equal\"", "type = \"rows_equals\"");
    assert!(problems(&text)[0].ends_with("there is no check of type `rows_equals`"));
}

#[test]
fn every_check_type_is_read() {
    for (toml, expected) in [
        (
            "type = \"files\"\ntable = \"pots\"\nscanned = { at_most = 2 }\nremoved = { equals = 1 }",
            CheckKind::Files {
                table: "pots".to_owned(),
                bounds: vec![
                    lesson::FileBound { counter: Counter::Removed, bound: Bound::Equals(1) },
                    lesson::FileBound { counter: Counter::Scanned, bound: Bound::AtMost(2) },
                ],
            },
        ),
        ("type = \"error\"\ncondition = \"X\"", CheckKind::Error { condition: "X".to_owned() }),
        ("type = \"invariant\"\nquery = \"SELECT 1\"", CheckKind::Invariant { query: "SELECT 1".to_owned() }),
        ("type = \"idempotent\"\ntables = [\"pots\"]", CheckKind::Idempotent { tables: vec!["pots".to_owned()] }),
        (
            "type = \"metric\"\ntable = \"pots\"\nmetric = \"m\"\nsame_as_solution = true",
            CheckKind::Metric { table: "pots".to_owned(), metric: "m".to_owned(), bound: Bound::SameAsSolution },
        ),
    ] {
        let text = broken("type = \"rows_equal\"", &format!("title = \"x\"\n{toml}"));
        let text = text.replacen("\ntitle = \"The rows\"\ntable = \"pots\"\norder = \"any\"", "", 1);
        assert_eq!(lesson::parse(PATH, &text).unwrap().exercises[0].checks[0].kind, expected);
    }
}

#[test]
fn a_check_needs_exactly_one_bound() {
    for bound in ["", "at_most = 2\nequals = 1", "same_as_solution = false"] {
        let text = broken("at_most = 2", bound);
        assert!(problems(&text)[0].contains("exactly one of `equals`"), "{bound}");
    }
}

#[test]
fn a_part_in_the_wrong_place_is_refused() {
    let in_article = broken("## Exercise a: Count them", "## Count them");
    assert!(problems(&in_article).iter().any(|problem| problem.contains("stands under a heading")));
    let in_exercise = broken("```sql starter", "```sql run\nSELECT 2;\n```\n\n```sql starter");
    assert!(problems(&in_exercise)[0].contains("`run` stands in the article"));
    let in_list = broken("```md hint\nA first", "- item\n\n  ```md hint\n  x\n  ```\n\n```md hint\nA first");
    assert!(problems(&in_list)[0].contains("may not stand inside a list"));
    let indented = broken("Prose with", "    SELECT 1\n\nProse with");
    assert!(problems(&indented)[0].contains("an indented code block"));
    let title = broken("Prose with", "# Pots\n\nProse with");
    assert!(problems(&title)[0].contains("the title stands in the front matter"));
}

#[test]
fn a_missing_starter_or_solution_is_told() {
    let text = broken("```sql starter\nSELECT 1;\n```\n", "");
    assert!(problems(&text)[0].ends_with("exercise `a` has no starter"));
    let text = broken("```sql starter", "```sql solution\nSELECT 3;\n```\n\n```sql starter");
    assert!(problems(&text)[0].ends_with("the exercise has a solution already"));
}

#[test]
fn a_twin_follows_its_run() {
    let pair = "```\n\n```sql twin=first label=\"Other\"\nSELECT 2;\n```\n\n```toml predict";
    let lesson = lesson::parse(PATH, &broken("```\n\n```toml predict", pair)).unwrap();
    let Block::Twin(twin) = &lesson.blocks[1] else { panic!("a twin") };
    assert_eq!((twin.first.name.as_str(), twin.second.name.as_str()), ("first", "first-twin"));
    assert_eq!(lesson.first_run().unwrap().name, "first");
    let apart = pair.replacen("```\n\n", "```\n\nProse between.\n\n", 1);
    assert!(problems(&broken("```\n\n```toml predict", &apart))[0].contains("must follow `run=first` directly"));
    let other = pair.replace("twin=first", "twin=second");
    assert!(problems(&broken("```\n\n```toml predict", &other))[0].contains("must follow `run=second` directly"));
}

#[test]
fn all_problems_are_found_in_one_go_and_in_order() {
    let text = broken("sql starter", "sql begin").replacen("md hint", "sql hint", 1);
    let lines: Vec<usize> =
        problems(&text).iter().map(|problem| problem.split(':').next().unwrap().parse().unwrap()).collect();
    assert!(lines.len() >= 3 && lines.is_sorted(), "{lines:?}");
}

#[test]
fn a_course_refuses_unknown_keys() {
    let text = "format_version = 1\n[[tracks]]\nid = \"a\"\ntitle = \"A\"\nlessons = []\ncolour = 1\n";
    let problems = lesson::parse_course("lessons/course.toml", text).unwrap_err();
    assert_eq!(problems[0].line, 6);
    assert!(lesson::parse_course("lessons/course.toml", &text.replace("colour = 1\n", "")).is_ok());
}

/// The problems of a text that must not parse, as `line: message`.
fn problems(text: &str) -> Vec<String> {
    let problems = lesson::parse(PATH, text).expect_err("the text must not parse");
    problems.into_iter().map(|problem| format!("{}: {}", problem.line, problem.message)).collect()
}

/// The line on which `needle` stands, counted from 1.
fn line_of(text: &str, needle: &str) -> usize {
    text.lines().position(|line| line.contains(needle)).expect("the needle is in the text") + 1
}
