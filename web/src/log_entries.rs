//! The entries of a table's `_delta_log`, and what each changed since the one before.

use crate::json::{member, read};
use crate::view::words;
use protocol::TableReport;

/// One commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry<'a> {
    pub version: u64,
    pub path: &'a str,
    /// One JSON action per line.
    pub text: &'a str,
}

/// The commits up to a version, oldest first.
pub fn entries(table: &TableReport, up_to: Option<u64>) -> Vec<LogEntry<'_>> {
    let entry = |object: &'_ protocol::TableFile| Some((version_of(&object.path)?, object.path.ends_with(".json")));
    let texts = table.objects.iter().filter_map(|object| {
        let (version, is_entry) = entry(object)?;
        let text = object.text.as_deref().filter(|_| is_entry)?;
        Some(LogEntry { version, path: &object.path, text })
    });
    texts.filter(|entry| up_to.is_some_and(|up_to| entry.version <= up_to)).collect()
}

/// The checkpoints up to a version: version, path and size.
pub fn checkpoints(table: &TableReport, up_to: Option<u64>) -> Vec<(u64, &str, u64)> {
    let found = table.objects.iter().filter(|object| object.path.contains(".checkpoint."));
    let found = found.filter_map(|object| Some((version_of(&object.path)?, object.path.as_str(), object.size)));
    found.filter(|(version, _, _)| up_to.is_some_and(|up_to| *version <= up_to)).collect()
}

/// `_delta_log/00000000000000000003.json` is of version 3.
fn version_of(path: &str) -> Option<u64> {
    path.strip_prefix("_delta_log/")?.split('.').next()?.parse().ok()
}

/// The raw text of a member of an object; nothing where the text is no such object.
fn part<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    member(text, name).ok().flatten()
}

fn string(text: &str, name: &str) -> Option<String> {
    read(part(text, name)?).ok()
}

fn number(text: &str, name: &str) -> Option<u64> {
    part(text, name)?.trim().parse().ok()
}

/// How many rows the deletion vector that an entry gives to a file marks, earlier ones too.
pub fn cardinality(text: &str, path: &str) -> Option<u64> {
    let add = actions(text, "add").find(|add| string(add, "path").as_deref() == Some(path))?;
    number(part(add, "deletionVector")?, "cardinality")
}

/// What the operation calls itself.
pub fn operation(text: &str) -> Option<String> {
    actions(text, "commitInfo").next().and_then(|info| string(info, "operation"))
}

fn actions<'a>(text: &'a str, name: &'static str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| part(line, name))
}

/// What the entry at `at` changed since the entries before it: one sentence each.
pub fn changes(entries: &[LogEntry<'_>], at: usize) -> Vec<String> {
    let Some(entry) = entries.get(at) else { return Vec::new() };
    let before = entries.get(..at).unwrap_or(&[]);
    let mut changes = definition(entry.text, before);
    let removed: Vec<&str> = actions(entry.text, "remove").collect();
    let paths: Vec<String> = removed.iter().filter_map(|remove| string(remove, "path")).collect();
    let (mut n_new, mut n_rows, mut n_marked, mut n_hidden) = (0, 0, 0, 0);
    for add in actions(entry.text, "add") {
        if string(add, "path").is_some_and(|path| paths.contains(&path)) {
            n_marked += 1;
            n_hidden += part(add, "deletionVector").and_then(|vector| number(vector, "cardinality")).unwrap_or(0);
        } else {
            n_new += 1;
            n_rows += string(add, "stats").and_then(|stats| number(&stats, "numRecords")).unwrap_or(0);
        }
    }
    let n_gone = removed.len() as u64 - n_marked.min(removed.len() as u64);
    let n_feed = actions(entry.text, "cdc").count() as u64;
    let mut say = |n: u64, sentence: String| (n > 0).then(|| changes.push(sentence));
    say(n_new, format!("adds {} with {}", words::count(n_new, "file"), words::count(n_rows, "row")));
    say(n_gone, format!("removes {}; the bytes stay in the store for time travel", words::count(n_gone, "file")));
    let hides = format!("deletion vectors now hide {}", words::count(n_hidden, "row"));
    say(n_marked, format!("keeps {} with fewer rows: {hides}", words::count(n_marked, "file")));
    say(n_feed, format!("records its changes in {}", words::count(n_feed, "change file")));
    changes
}

/// Changes of protocol and metadata.
fn definition(text: &str, before: &[LogEntry<'_>]) -> Vec<String> {
    let last = |name: &'static str| before.iter().rev().find_map(|entry| actions(entry.text, name).next());
    let mut changes = Vec::new();
    if let Some(new) = actions(text, "protocol").next() {
        let versions = |protocol: &str| (number(protocol, "minReaderVersion"), number(protocol, "minWriterVersion"));
        let (reader, writer) = versions(new);
        let now = format!("{}/{}", reader.unwrap_or(1), writer.unwrap_or(1));
        changes.push(match last("protocol").map(versions) {
            None => format!("says which protocol it needs: reader/writer {now}"),
            Some(_) => format!("asks for another protocol: reader/writer {now}"),
        });
    }
    if let Some(new) = actions(text, "metaData").next() {
        let Some(old) = last("metaData") else {
            changes.push("defines the table: columns, partitioning, properties".to_string());
            return changes;
        };
        let parts =
            [("schemaString", "columns"), ("partitionColumns", "partitioning"), ("configuration", "properties")];
        let differs = |name: &str| part(old, name) != part(new, name);
        let named: Vec<&str> = parts.iter().filter(|(name, _)| differs(name)).map(|(_, word)| *word).collect();
        let what = if named.is_empty() { "definition".to_string() } else { named.join(" and ") };
        changes.push(format!("changes the table's {what}"));
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::{cardinality, changes, checkpoints, entries, operation};
    use protocol::{TableFile, TableReport};

    fn table() -> TableReport {
        let entry = |version: u64, text: &str| TableFile {
            path: format!("_delta_log/{version:020}.json"),
            size: 1,
            text: Some(text.to_string()),
        };
        let objects = vec![
            entry(
                0,
                "{\"commitInfo\":{\"operation\":\"CREATE TABLE\"}}\n{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}\n\
                 {\"metaData\":{\"schemaString\":\"a\",\"configuration\":{}}}\n",
            ),
            entry(1, "{\"add\":{\"path\":\"p\",\"stats\":\"{\\\"numRecords\\\":3}\"}}"),
            TableFile { path: format!("_delta_log/{:020}.checkpoint.parquet", 1), size: 9, text: None },
            entry(
                2,
                "{\"metaData\":{\"schemaString\":\"b\",\"configuration\":{}}}\n{\"remove\":{\"path\":\"p\"}}\n\
                 {\"add\":{\"path\":\"p\",\"deletionVector\":{\"cardinality\":2}}}\n{\"cdc\":{\"path\":\"c\"}}",
            ),
        ];
        TableReport { name: "t".into(), columns: vec![], version: Some(2), files: vec![], history: vec![], objects }
    }

    #[test]
    fn every_entry_says_what_it_changed() {
        let table = table();
        let log = entries(&table, Some(2));
        assert_eq!(log.iter().map(|entry| entry.version).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(operation(log[0].text).as_deref(), Some("CREATE TABLE"));
        assert_eq!(
            changes(&log, 0),
            ["says which protocol it needs: reader/writer 1/2", "defines the table: columns, partitioning, properties"]
        );
        assert_eq!(changes(&log, 1), ["adds 1 file with 3 rows"]);
        assert_eq!(
            changes(&log, 2),
            [
                "changes the table's columns",
                "keeps 1 file with fewer rows: deletion vectors now hide 2 rows",
                "records its changes in 1 change file"
            ]
        );
        assert_eq!(checkpoints(&table, Some(2)).len(), 1);
        assert_eq!((cardinality(log[2].text, "p"), cardinality(log[1].text, "p")), (Some(2), None));
    }

    #[test]
    fn a_reader_of_an_old_version_sees_the_old_log() {
        let table = table();
        assert_eq!(entries(&table, Some(0)).len(), 1);
        assert_eq!(entries(&table, None).len(), 0);
        assert_eq!(checkpoints(&table, Some(0)).len(), 0);
    }
}
