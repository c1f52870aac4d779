//! Cases under other table properties: how a table keeps its changes must not change what statements do to its rows.

use super::{Case, Observed, Seen, Verdict, difference, refused, run, run_with};
use crate::value::sorted;
use anyhow::Result;
use serde_json::{Map, Value};

const VECTORS: &str = "delta.enableDeletionVectors";
const FEED: &str = "delta.enableChangeDataFeed";

/// Properties that a case's table gets besides its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    pub deletion_vectors: bool,
    pub change_feed: bool,
}

/// All but the one that changes nothing.
pub const VARIANTS: [Variant; 3] = [
    Variant { deletion_vectors: false, change_feed: true },
    Variant { deletion_vectors: true, change_feed: false },
    Variant { deletion_vectors: true, change_feed: true },
];

impl Variant {
    /// `change feed`, `deletion vectors` or both.
    pub fn name(self) -> &'static str {
        match (self.deletion_vectors, self.change_feed) {
            (false, false) => "neither",
            (false, true) => "change feed",
            (true, false) => "deletion vectors",
            (true, true) => "deletion vectors and change feed",
        }
    }

    /// The properties, as CREATE TABLE takes them.
    pub fn properties(self) -> Vec<(&'static str, &'static str)> {
        let mut properties = Vec::new();
        if self.deletion_vectors {
            properties.push((VECTORS, "true"));
        }
        if self.change_feed {
            properties.push((FEED, "true"));
        }
        properties
    }

    /// Whether the case leaves all of the properties to the variant.
    pub fn applies_to(self, case: &Case) -> bool {
        let sets =
            |text: &String| self.properties().iter().any(|(key, _)| text.contains(key.trim_start_matches("delta.")));
        !case.create.iter().chain(case.conf.keys()).chain([&case.statement]).any(sets)
    }
}

/// Runs a case as it is and in a variant: rows, result and row metrics other than those of copied rows must be the same,
/// and a failure the same failure. With the change feed on, what it tells must lead from the old rows to the new ones.
/// `None` for a case that the variant does not apply to.
pub async fn judge_variant(case: &Case, variant: Variant) -> Option<Verdict> {
    if !variant.applies_to(case) {
        return None;
    }
    let verdict = match (run(case).await, run_with(case, &variant.properties()).await) {
        (Ok(mut plain), Ok(mut varied)) => compared(case, variant, &mut plain, &mut varied).await,
        (Err(error), _) | (_, Err(error)) => Ok(refused(&error.to_string())),
    };
    Some(verdict.unwrap_or_else(|error| refused(&error.to_string())))
}

async fn compared(case: &Case, variant: Variant, plain: &mut Observed, varied: &mut Observed) -> Result<Verdict> {
    let condition = |observed: &Observed| observed.problem().map(|problem| problem.condition.clone());
    let (of_plain, of_varied) = (condition(plain), condition(varied));
    if of_varied.as_deref() == Some(super::NOT_SUPPORTED) {
        return Ok(refused(&format!("{} {:?}", super::NOT_SUPPORTED, varied.problem())));
    }
    if of_plain != of_varied {
        return Ok(Verdict::Failed(vec![format!("plainly {of_plain:?}, now {of_varied:?}")]));
    }
    if of_varied.is_some() {
        let kept = varied.n_versions() == 0;
        return Ok(if kept { Verdict::Passed } else { Verdict::Failed(vec!["it fails and commits".to_owned()]) });
    }
    let mut wrong = Vec::new();
    for key in ["rows", "result", "metrics"] {
        // Where nothing has to be marked a plain table may still be copied, which is a commit.
        if key == "metrics" && (plain.n_versions() == 0 || varied.n_versions() == 0) {
            continue;
        }
        let (Seen::Value(expected), Seen::Value(seen)) = (plain.see(case, key).await?, varied.see(case, key).await?)
        else {
            continue;
        };
        let (expected, seen) = match key {
            "metrics" => (row_metrics(&expected), row_metrics(&seen)),
            _ => (expected, seen),
        };
        wrong.extend(difference(key, &expected, &seen, &Map::new()).map(|text| format!("{key}: {text}")));
    }
    if variant.change_feed && varied.n_versions() == 1 {
        wrong.extend(feed_difference(case, varied).await?);
    }
    Ok(if wrong.is_empty() { Verdict::Passed } else { Verdict::Failed(wrong) })
}

fn row_metrics(metrics: &Value) -> Value {
    let counts_rows =
        |name: &str| name == "numSourceRows" || name.starts_with("numTargetRows") && name != "numTargetRowsCopied";
    let metrics = metrics.as_object().into_iter().flatten();
    Value::Object(
        metrics.filter(|(name, _)| counts_rows(name)).map(|(name, count)| (name.clone(), count.clone())).collect(),
    )
}

/// What is wrong if the old rows without those that are gone, and with those that are new, are not the table's rows.
async fn feed_difference(case: &Case, observed: &mut Observed) -> Result<Option<String>> {
    let Some(rows) = observed.rows_before().await? else { return Ok(None) };
    let mut rows: Vec<Value> = rows.iter().map(without_null_fields).collect();
    let (Seen::Value(after), Seen::Value(changes)) =
        (observed.see(case, "rows").await?, observed.see(case, "changes").await?)
    else {
        return Ok(None);
    };
    let (mut gone, mut new) = (Vec::new(), Vec::new());
    for change in changes["rows"].as_array().into_iter().flatten() {
        let Some((kind, row)) = change.as_array().and_then(|values| values.split_last()) else { continue };
        let row = without_null_fields(&Value::Array(row.to_vec()));
        match kind.as_str() {
            Some("delete" | "update_preimage") => gone.push(row),
            Some("insert" | "update_postimage") => new.push(row),
            _ => return Ok(Some(format!("changes: {kind} is no change type"))),
        }
    }
    for row in gone {
        match rows.iter().position(|known| *known == row) {
            Some(at) => drop(rows.swap_remove(at)),
            None => return Ok(Some(format!("changes: {row} is gone, but was not there"))),
        }
    }
    rows.extend(new);
    let after: Vec<Value> = after.as_array().into_iter().flatten().map(without_null_fields).collect();
    let expected = Value::Array(sorted(&after));
    Ok(difference("rows", &expected, &Value::Array(rows), &Map::new()).map(|text| format!("changes: {text}")))
}

/// Old rows lack the fields that a struct got since; read with today's columns they are NULL.
fn without_null_fields(value: &Value) -> Value {
    match value {
        Value::Array(values) => values.iter().map(without_null_fields).collect(),
        Value::Object(fields) => {
            let known = fields.iter().filter(|(_, value)| !value.is_null());
            Value::Object(known.map(|(name, value)| (name.clone(), without_null_fields(value))).collect())
        }
        other => other.clone(),
    }
}
