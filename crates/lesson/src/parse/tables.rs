//! The TOML parts of a lesson: front matter, checks, predictions, and the heads of mistakes and variants.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::{Bound, CheckKind, Counter, Editor, FileBound, Kind, Language, Order, Quantity, Rowset};

use super::prose::line_of;

/// A complaint with a line counted from 0 within the text.
pub(super) type Complaint = (u32, String);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Front {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) minutes: u32,
    pub(super) concepts: Vec<String>,
    #[serde(default)]
    pub(super) requires: Vec<String>,
    #[serde(default)]
    pub(super) covers: Vec<String>,
    #[serde(default = "real")]
    pub(super) kind: Kind,
    #[serde(default = "first_instant")]
    pub(super) clock: String,
    #[serde(default = "sql_only")]
    pub(super) editor: Editor,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MistakeHead {
    pub(super) check: String,
    pub(super) variant: String,
    pub(super) says: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VariantHead {
    pub(super) summary: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PredictBody {
    pub(super) question: String,
    pub(super) run: String,
    pub(super) distractors: Vec<String>,
    query: Option<String>,
    table: Option<String>,
    metric: Option<String>,
    files: Option<Counter>,
}

/// What a check fence says, whatever its type.
pub(super) struct CheckBody {
    pub(super) title: String,
    pub(super) message: String,
    pub(super) variants: Vec<String>,
    pub(super) kind: CheckKind,
}

/// Reads a TOML text; unknown keys are refused.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Complaint> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(0, |span| line_of(text, span.start));
        (line, error.message().lines().collect::<Vec<_>>().join(" "))
    })
}

/// Splits a fence's text at its line of three dashes: a TOML head, and the rest with its first line.
pub(super) fn split_head(text: &str) -> Option<(&str, &str)> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if line.trim_end() == "---" {
            return Some((text.get(..start)?, text.get(end..)?));
        }
        start = end;
    }
    None
}

/// What the prediction asks for.
pub(super) fn quantity(body: &PredictBody) -> Result<Quantity, Complaint> {
    match (&body.query, &body.table, &body.metric, body.files) {
        (Some(query), None, None, None) => Ok(Quantity::Query(query.clone())),
        (None, Some(table), Some(metric), None) => {
            Ok(Quantity::Metric { table: table.clone(), metric: metric.clone() })
        }
        (None, Some(table), None, Some(counter)) => Ok(Quantity::Files { table: table.clone(), counter }),
        _ => Err((0, "a prediction needs `query`, or `table` with `metric` or `files`".to_owned())),
    }
}

/// Reads the body of a check.
pub(super) fn check(text: &str) -> Result<CheckBody, Complaint> {
    let Typed { kind } = read(text)?;
    match kind.as_str() {
        "rows_equal" => read::<RowsEqual>(text)?.into_check(),
        "metric" => read::<Metric>(text)?.into_check(),
        "files" => read::<Files>(text)?.into_check(),
        "error" => read::<ErrorCheck>(text).map(ErrorCheck::into_check),
        "invariant" => read::<Invariant>(text).map(Invariant::into_check),
        "idempotent" => read::<Idempotent>(text).map(Idempotent::into_check),
        "history" | "schema" | "log" | "shuffle_invariant" | "reader_consistent" | "ast" | "differs" | "classify"
        | "order_of" | "explain" => Err((0, format!("checks of type `{kind}` are not supported yet"))),
        _ => Err((0, format!("there is no check of type `{kind}`"))),
    }
}

/// Declares the TOML shape of one check type: the keys all checks share, and its own.
macro_rules! check_shape {
    ($name:ident { $($field:ident : $type:ty),* $(,)? }) => {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        struct $name {
            #[serde(rename = "type")]
            _type: String,
            title: String,
            #[serde(default)]
            message: String,
            #[serde(default)]
            variants: Vec<String>,
            $($field: $type,)*
        }

        impl $name {
            fn body(self, kind: CheckKind) -> CheckBody {
                CheckBody { title: self.title, message: self.message, variants: self.variants, kind }
            }
        }
    };
}

#[derive(Debug, Deserialize)]
struct Typed {
    #[serde(rename = "type")]
    kind: String,
}

check_shape!(RowsEqual { table: Option<String>, query: Option<String>, order: Order });
check_shape!(Metric {
    table: String,
    metric: String,
    equals: Option<i64>,
    at_most: Option<i64>,
    at_least: Option<i64>,
    same_as_solution: Option<bool>,
});
check_shape!(Files {
    table: String,
    added: Option<BoundKeys>,
    removed: Option<BoundKeys>,
    scanned: Option<BoundKeys>,
    skipped: Option<BoundKeys>,
});
check_shape!(ErrorCheck { condition: String });
check_shape!(Invariant { query: String });
check_shape!(Idempotent { tables: Vec<String> });

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BoundKeys {
    equals: Option<i64>,
    at_most: Option<i64>,
    at_least: Option<i64>,
    same_as_solution: Option<bool>,
}

impl BoundKeys {
    fn bound(&self) -> Result<Bound, Complaint> {
        match (self.equals, self.at_most, self.at_least, self.same_as_solution) {
            (Some(number), None, None, None) => Ok(Bound::Equals(number)),
            (None, Some(number), None, None) => Ok(Bound::AtMost(number)),
            (None, None, Some(number), None) => Ok(Bound::AtLeast(number)),
            (None, None, None, Some(true)) => Ok(Bound::SameAsSolution),
            _ => Err((0, "exactly one of `equals`, `at_most`, `at_least`, `same_as_solution = true`".to_owned())),
        }
    }
}

impl RowsEqual {
    fn into_check(self) -> Result<CheckBody, Complaint> {
        let of = match (self.table.clone(), self.query.clone()) {
            (Some(table), None) => Rowset::Table(table),
            (None, Some(query)) => Rowset::Query(query),
            _ => return Err((0, "exactly one of `table` and `query`".to_owned())),
        };
        let order = self.order;
        Ok(self.body(CheckKind::RowsEqual { of, order }))
    }
}

impl Metric {
    fn into_check(self) -> Result<CheckBody, Complaint> {
        let keys = BoundKeys {
            equals: self.equals,
            at_most: self.at_most,
            at_least: self.at_least,
            same_as_solution: self.same_as_solution,
        };
        let kind = CheckKind::Metric { table: self.table.clone(), metric: self.metric.clone(), bound: keys.bound()? };
        Ok(self.body(kind))
    }
}

impl Files {
    fn into_check(self) -> Result<CheckBody, Complaint> {
        let mut bounds = Vec::new();
        for (counter, keys) in [
            (Counter::Added, &self.added),
            (Counter::Removed, &self.removed),
            (Counter::Scanned, &self.scanned),
            (Counter::Skipped, &self.skipped),
        ] {
            if let Some(keys) = keys {
                bounds.push(FileBound { counter, bound: keys.bound()? });
            }
        }
        if bounds.is_empty() {
            return Err((0, "at least one of `added`, `removed`, `scanned`, `skipped`".to_owned()));
        }
        let kind = CheckKind::Files { table: self.table.clone(), bounds };
        Ok(self.body(kind))
    }
}

impl ErrorCheck {
    fn into_check(self) -> CheckBody {
        let kind = CheckKind::Error { condition: self.condition.clone() };
        self.body(kind)
    }
}

impl Invariant {
    fn into_check(self) -> CheckBody {
        let kind = CheckKind::Invariant { query: self.query.clone() };
        self.body(kind)
    }
}

impl Idempotent {
    fn into_check(self) -> CheckBody {
        let kind = CheckKind::Idempotent { tables: self.tables.clone() };
        self.body(kind)
    }
}

fn real() -> Kind {
    Kind::Real
}

fn first_instant() -> String {
    "2026-01-15T00:00:00Z".to_owned()
}

fn sql_only() -> Editor {
    Editor { languages: vec![Language::Sql] }
}
