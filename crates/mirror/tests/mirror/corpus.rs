//! Statements of the project: recorded cases, lessons, the parser's own cases.

use spec::{InsertMode, MergeInto, Query, StatementKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What was found, with its text.
#[derive(Default)]
pub(crate) struct Corpus {
    pub(crate) merges: Vec<(String, MergeInto)>,
    pub(crate) queries: Vec<(String, Query)>,
}

/// Every MERGE and every query that the project's test data and lessons hold.
pub(crate) fn corpus() -> Corpus {
    let mut corpus = Corpus::default();
    texts().iter().for_each(|text| corpus.take(text));
    corpus
}

/// The texts that may hold statements, each once.
fn texts() -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for path in files("tests/suite", "jsonl") {
        for line in read(&path).lines() {
            strings(&serde_json::from_str(line).unwrap(), &mut |text| {
                texts.insert(text.to_owned());
            });
        }
    }
    for path in files("lessons", "md") {
        let text = read(&path);
        for fence in text.split("```sql").skip(1) {
            let body = fence.split_once('\n').map_or("", |(_, body)| body);
            texts.insert(body.split("```").next().unwrap().to_owned());
        }
    }
    for path in files("crates/sql/tests/sql/cases", "txt") {
        for case in read(&path).split("\n====\n") {
            texts.insert(case.split("\n----\n").next().unwrap().to_owned());
        }
    }
    texts
}

/// The expressions of the parser's own cases.
pub(crate) fn expressions() -> Vec<String> {
    let cases = ["precedence", "operands", "literals"];
    let file = |name: &str| root().join(format!("crates/sql/tests/sql/cases/{name}.txt"));
    let texts: Vec<String> = cases.iter().map(|name| read(&file(name))).collect();
    let case = |case: &str| case.split("\n----\n").next().unwrap().to_owned();
    texts.iter().flat_map(|text| text.split("\n====\n")).map(case).collect()
}

impl Corpus {
    fn take(&mut self, text: &str) {
        // Programs and prose hold no statement that can be read whole.
        let parsed = sql::parse(text);
        for statement in parsed.statements {
            let text = statement.span.of(text).to_owned();
            match statement.kind {
                StatementKind::Merge(merge) => self.merges.push((text, *merge)),
                StatementKind::Query(query) => self.queries.push((text, *query)),
                StatementKind::CreateView(view) => self.queries.push((text, view.query)),
                StatementKind::CreateTable(table) => {
                    self.queries.extend(table.query.map(|query| (text, query)));
                }
                StatementKind::Insert(insert) if !matches!(insert.mode, InsertMode::ReplaceWhere(_)) => {
                    self.queries.push((text, insert.source));
                }
                _ => {}
            }
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[allow(clippy::disallowed_methods, reason = "the statements are files of the project")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[allow(clippy::disallowed_methods, reason = "the statements are files of the project")]
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut folders = vec![root().join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn strings(value: &serde_json::Value, see: &mut dyn FnMut(&str)) {
    match value {
        serde_json::Value::String(text) => see(text),
        serde_json::Value::Array(items) => items.iter().for_each(|item| strings(item, see)),
        serde_json::Value::Object(fields) => fields.values().for_each(|field| strings(field, see)),
        _ => {}
    }
}
