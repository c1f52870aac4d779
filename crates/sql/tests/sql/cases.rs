//! Runs the case files: blocks of `text`, `----`, `expectation`, separated by an empty line and
//! `====`.

use crate::{sexpr, sexpr_statement};
use std::fmt::Write;

const SEPARATOR: &str = "\n====\n";
const ARROW: &str = "\n----\n";

/// What a case file feeds.
#[derive(Clone, Copy)]
enum Entry {
    Script,
    Expression,
    DataType,
}

fn answer(entry: Entry, text: &str) -> String {
    let one = |result: Result<String, spec::Diagnostic>| match result {
        Ok(meaning) => meaning,
        Err(diagnostic) => complaint(text, &diagnostic),
    };
    match entry {
        Entry::Expression => one(sql::parse_expr(text).map(|expr| sexpr::expr(&expr))),
        Entry::DataType => one(sql::parse_data_type(text).map(|data_type| sexpr::data_type(&data_type))),
        Entry::Script => {
            let parsed = sql::parse(text);
            let statements = parsed.statements.iter().map(sexpr_statement::statement);
            let complaints = parsed.diagnostics.iter().map(|diagnostic| complaint(text, diagnostic));
            statements.chain(complaints).collect::<Vec<_>>().join("\n")
        }
    }
}

fn complaint(text: &str, diagnostic: &spec::Diagnostic) -> String {
    let at = diagnostic.span.map_or("nowhere".to_owned(), |span| format!("«{}»", span.of(text)));
    let mut shown = format!("! {} {} {at}\n  {}", diagnostic.condition, diagnostic.sqlstate, diagnostic.message);
    if let Some(hint) = &diagnostic.hint {
        write!(shown, "\n  hint: {hint}").unwrap();
    }
    for edit in &diagnostic.edits {
        write!(shown, "\n  edit: «{}» -> {}", edit.span.of(text), edit.replacement).unwrap();
    }
    shown
}

#[allow(clippy::disallowed_methods, reason = "the suite rewrites its own expectations on request")]
fn check(file: &str, content: &str, entry: Entry) {
    let mut rewritten = Vec::new();
    let mut failures = String::new();
    for case in content.trim_end().split(SEPARATOR) {
        let (text, expected) = case.split_once(ARROW).unwrap_or((case, ""));
        let actual = answer(entry, text);
        if actual.trim() != expected.trim() {
            write!(failures, "\n{text}\n  expected: {expected}\n  actual:   {actual}\n").unwrap();
        }
        rewritten.push(format!("{text}{ARROW}{actual}"));
    }
    assert!(rewritten.len() > 3, "{file} has hardly any cases");
    if std::env::var("UPDATE_EXPECT").is_ok() {
        let path = format!("{}/tests/sql/cases/{file}.txt", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, rewritten.join(SEPARATOR) + "\n").unwrap();
        return;
    }
    assert!(failures.is_empty(), "{file}:{failures}");
}

macro_rules! case_files {
    ($($name:ident: $entry:ident),+ $(,)?) => {
        $(
            #[test]
            fn $name() {
                let content = include_str!(concat!("cases/", stringify!($name), ".txt"));
                check(stringify!($name), content, Entry::$entry);
            }
        )+
    };
}

case_files! {
    precedence: Expression,
    operands: Expression,
    literals: Expression,
    types: DataType,
    queries: Script,
    statements: Script,
    definitions: Script,
    merge: Script,
    merge_errors: Script,
    syntax_errors: Script,
    refused: Script,
    python: Script,
}
