//! What the engine answers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trace::{Cell, FileImage, Trace};

/// The one answer to a request.
pub type Reply = ReplyBody;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum ReplyBody {
    /// The engine's protocol version and build.
    Hello {
        version: u32,
        build: String,
    },
    Ran(Box<RunReport>),
    /// The verdict on all variants, and what the text did with the data that the learner sees.
    Checked {
        verdict: Box<lesson::Verdict>,
        run: Box<RunReport>,
    },
    Table(Box<TableReport>),
    Assisted(Box<Assistance>),
    /// What the language has, whatever the text is.
    Words {
        /// In upper case.
        keywords: Vec<String>,
        functions: Vec<String>,
        /// What a Python program can write behind a dot: first what stands before the dot, then the names, with spaces.
        members: Vec<String>,
    },
    /// In the order of the paths.
    Fingerprints {
        objects: Vec<Fingerprint>,
    },
    /// The request could not be served at all (unknown table, mismatched version).
    Refused {
        message: String,
    },
}

/// Progress, before the reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum Note {
    /// Statement `done` of `total` has finished.
    Progress { done: usize, total: usize },
}

/// What a script did. `statements` ends with the failing one, if any.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    pub statements: Vec<StatementReport>,
    /// How many statements the text has; more than `statements` when one failed.
    pub total: usize,
    /// Complaints about the text as a whole (it could not be read, or the setup failed).
    pub errors: Vec<ErrorReport>,
    /// The tables that exist now, by name, targets of the script first.
    pub tables: Vec<TableReport>,
    /// Whether the text was a Python program: then it is one step, whatever statements it made.
    #[serde(default, skip_serializing_if = "is_false")]
    pub program: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// What can be told about a text without running it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Assistance {
    /// The tables and views that exist at the end of the text, by name.
    pub relations: Vec<RelationSummary>,
    /// What cannot be read.
    pub errors: Vec<ErrorReport>,
    /// What can be read and run, and is still a trap.
    pub warnings: Vec<ErrorReport>,
    /// The whole text in the other language; only SQL that can be read has such a form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mirror: Option<Mirror>,
}

/// A table or view to name in a statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelationSummary {
    pub name: String,
    pub is_view: bool,
    /// Empty where it takes a run to know them; a type may be empty for the same reason.
    pub columns: Vec<GridColumn>,
}

/// One statement of a script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatementReport {
    /// Byte range in the script.
    pub span: (u32, u32),
    /// `MERGE`, `SELECT`, `CREATE TABLE`, …
    pub kind: String,
    /// Rows that the statement gave back.
    pub grid: Option<Grid>,
    /// What a program printed at this place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
    /// The version that it committed.
    pub version: Option<u64>,
    /// For statements that write.
    #[serde(with = "shared")]
    pub trace: Option<Arc<Trace>>,
    pub error: Option<ErrorReport>,
    /// What other engines do with the same statement, as far as it is recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<Elsewhere>,
    /// A MERGE in the other language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mirror: Option<Mirror>,
}

/// A statement in the language that it was not written in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mirror {
    /// Whether that is Python.
    pub python: bool,
    pub text: String,
    /// What it cannot say, a sentence for each comment that marks a place in the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One engine's way with a statement beside ours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Elsewhere {
    /// Its name and version.
    pub engine: String,
    pub here: String,
    pub there: String,
    pub differs: bool,
}

/// Rows as text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    pub columns: Vec<GridColumn>,
    /// At most the first 1 000.
    pub rows: Vec<Vec<Cell>>,
    /// How many there are.
    pub total: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GridColumn {
    pub name: String,
    /// Spark's name of the type.
    pub data_type: String,
}

/// A complaint, in the order in which it is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorReport {
    pub condition: String,
    pub sqlstate: String,
    pub message: String,
    /// Byte range in the script.
    pub span: Option<(u32, u32)>,
    pub rows: Vec<RowSample>,
    pub hint: Option<String>,
    pub edits: Vec<Edit>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowSample {
    pub title: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
    pub total: u64,
    /// The byte range of the script that writes each of `rows`; empty where that cannot be known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<(u32, u32)>,
}

/// A suggested change of the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    pub label: String,
    pub span: (u32, u32),
    pub replacement: String,
}

/// A table as it is now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableReport {
    pub name: String,
    pub columns: Vec<trace::ColumnImage>,
    pub version: Option<u64>,
    pub files: Vec<FileImage>,
    /// Newest first.
    pub history: Vec<HistoryEntry>,
    /// All objects under the table's folder, data files no longer referenced included.
    pub objects: Vec<TableFile>,
}

/// One object in the store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableFile {
    pub path: String,
    pub size: u64,
    /// For log entries the text, for data files what their footer says; of the newest ones only.
    pub text: Option<String>,
}

/// One line of DESCRIBE HISTORY.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    pub version: u64,
    /// Milliseconds since the epoch.
    pub timestamp: i64,
    pub operation: String,
    /// Name and value, as in the log.
    pub parameters: Vec<(String, String)>,
    pub metrics: Vec<(String, String)>,
}

/// What an object in the store holds, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// FNV-1a, 64 bits, as 16 hex digits.
    pub hash: String,
}

/// A pointer is written as what it points to.
mod shared {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    pub(super) fn serialize<T: Serialize, S: Serializer>(value: &Option<Arc<T>>, to: S) -> Result<S::Ok, S::Error> {
        value.as_deref().serialize(to)
    }

    pub(super) fn deserialize<'de, T, D>(from: D) -> Result<Option<Arc<T>>, D::Error>
    where
        T: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Ok(Option::<T>::deserialize(from)?.map(Arc::new))
    }
}
