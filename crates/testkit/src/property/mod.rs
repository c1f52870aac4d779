//! The engine against the naive model: random tables and statements, the same rows, counts and failures.

mod expressions;
mod generate;
mod smaller;
mod sql;

pub use expressions::Scope;
pub use generate::{Features, case, value};
pub use smaller::smaller;
pub use sql::{date, literal, money, setup, statement, type_name};

use crate::naive::{Column, Comparison, Expr, Failure, Merge, Merged, Row, Side, Table, Value, merge};
use crate::shrink::shrink;
use crate::world::World;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Tables and a statement, in the model's terms. The target is `tgt`, the source `src` or a subquery.
#[derive(Debug, Clone)]
pub struct Case {
    pub seed: u64,
    pub target: Table,
    pub source_columns: Vec<Column>,
    pub source: Vec<Row>,
    pub inline_source: bool,
    pub merge: Merge,
    /// `MERGE WITH SCHEMA EVOLUTION`.
    pub evolves: bool,
    /// How many of the target's last columns are new by it.
    pub n_new_columns: usize,
    /// `delta.enableDeletionVectors`.
    pub vectors: bool,
    /// `delta.enableChangeDataFeed`.
    pub change_feed: bool,
}

/// How an agreement came about, for suites that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    Changed,
    NothingToDo,
    Failed,
}

/// Where engine and model part, as text.
pub type Disagreement = String;

/// Seeds of each kind of agreement; the disagreements as ready cases.
#[derive(Debug, Clone, Default)]
pub struct Report {
    pub agreements: BTreeMap<Agreement, usize>,
    pub disagreements: Vec<String>,
}

/// Checks `count` cases from the first seed on. Each disagreement is made small first.
pub fn run(first_seed: u64, count: u64, features: impl Fn(u64) -> Features) -> Report {
    let mut report = Report::default();
    for seed in first_seed..first_seed + count {
        let found = case(seed, features(seed));
        match check(&found) {
            Ok(agreement) => *report.agreements.entry(agreement).or_default() += 1,
            Err(_) => {
                let small = shrink(found, smaller, |case| check(case).is_err(), 400);
                let why = check(&small).err().unwrap_or_default();
                report.disagreements.push(format!("seed {seed}: {why}\n{}", ready_case(&small)));
            }
        }
    }
    report
}

/// Runs a case on both.
///
/// # Errors
/// They disagree.
pub fn check(case: &Case) -> Result<Agreement, Disagreement> {
    let mut world = World::new();
    for text in setup(case) {
        world.run(&text).map_err(|problem| format!("the setup `{text}` fails: {problem}"))?;
    }
    let before = world.version("tgt")?;
    let result = world.run(&statement(case));
    let after = world.version("tgt")?;
    let expected = expected(case);
    let failure = match (&result, expected) {
        (Ok(_), Ok(merged)) => return compare(case, &mut world, &merged, (before, after)),
        (Ok(_), Err(Failure::DuplicateUnlessSkipped)) => {
            let merged = merge(&case.target, &case.source, &case.merge, case.vectors, true);
            let merged = merged.map_err(|failure| format!("it succeeds, the model fails: {failure:?}"))?;
            return compare(case, &mut world, &merged, (before, after));
        }
        (Ok(_), Err(failure)) => return Err(format!("it succeeds, the model fails: {failure:?}")),
        (Err(problem), Ok(_)) => return Err(format!("it fails: {problem}")),
        (Err(_), Err(failure)) => failure,
    };
    let condition = result.err().map(|problem| problem.condition).unwrap_or_default();
    same("condition", &condition_of(failure), &condition)?;
    same("version after the failure", &before, &after)?;
    Ok(Agreement::Failed)
}

fn expected(case: &Case) -> Result<Merged, Failure> {
    merge(&case.target, &case.source, &case.merge, case.vectors, false)
}

fn condition_of(failure: Failure) -> String {
    let condition = match failure {
        Failure::Duplicate | Failure::DuplicateUnlessSkipped => {
            "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE"
        }
        Failure::Null => "DELTA_NOT_NULL_CONSTRAINT_VIOLATED",
        Failure::Mismatch => "DELTA_NUM_RECORDS_MISMATCH",
    };
    condition.to_owned()
}

fn compare(
    case: &Case,
    world: &mut World,
    merged: &Merged,
    (before, after): (Option<u64>, Option<u64>),
) -> Result<Agreement, Disagreement> {
    same("rows", &bag(&merged.rows), &world.rows("SELECT * FROM tgt")?)?;
    // A changed schema is committed even if no row is.
    let commits = merged.commits || case.n_new_columns > 0;
    same("whether it commits", &commits, &(before != after))?;
    if !commits {
        return Ok(Agreement::NothingToDo);
    }
    let seen = world.last_metrics("tgt")?;
    // A join without an equality runs in as many tasks as the reference's, each with a file of its own.
    let is_one_task = case.target.partition.is_some() || joins_by_equality(&case.merge.on);
    let is_void = case.merge.on.conjuncts().into_iter().any(may_never_hold);
    for (name, count) in counts(merged).into_iter().filter(|(name, _)| is_one_task || *name != "numTargetFilesAdded") {
        let seen = seen.get(name).map(String::as_str);
        let mut right = vec![count];
        if name == "numSourceRows" && (is_void || !joins_by_equality(&case.merge.on)) {
            // One side of a join that asks every pair is read twice.
            right.push(2 * count);
        }
        if is_void {
            // What joins nothing by its text is left uncounted, or has its inserted rows in files of their own.
            match name {
                "numSourceRows" => right.push(0),
                "numTargetFilesAdded" => right.push(merged.metrics.files_apart),
                _ => {}
            }
        }
        if !right.iter().any(|count| seen == Some(count.to_string().as_str())) {
            return Err(format!("{name}: the model counts {right:?}, the commit says {seen:?}"));
        }
    }
    if case.change_feed {
        let version = after.unwrap_or(0);
        let text = format!("SELECT * FROM table_changes('tgt', {version}, {version})");
        let seen = world.rows(&text)?.into_iter().map(|row| without_version(&row)).collect::<Vec<_>>();
        same("change rows", &changes(merged), &crate::world::sorted(seen))?;
    }
    Ok(Agreement::Changed)
}

/// Whether the text of a conjunct can rule out every pair: it uses no column, compares a value with itself, or asks for
/// NULL.
fn may_never_hold(conjunct: &Expr) -> bool {
    let is_constant = !conjunct.uses(Side::Target) && !conjunct.uses(Side::Source);
    // The optimiser takes `CASE … THEN a ELSE a END` for `a`.
    let bare = |expr: &Expr| match expr {
        Expr::Case(_, then, otherwise) if format!("{then:?}") == format!("{otherwise:?}") => then.as_ref().clone(),
        Expr::Case(condition, then, _) if is_always_true(condition) => then.as_ref().clone(),
        Expr::Coalesce(values) => match values.iter().filter(|value| !is_null(value)).collect::<Vec<_>>().as_slice() {
            [only] => (*only).clone(),
            _ => expr.clone(),
        },
        other => other.clone(),
    };
    let same_text = |left: &Expr, right: &Expr| format!("{:?}", bare(left)) == format!("{:?}", bare(right));
    let of_self = |expr: &Expr| matches!(expr, Expr::Compare(_, left, right) if same_text(left, right));
    is_constant
        || match conjunct {
            Expr::Not(inner) => of_self(inner) || matches!(inner.as_ref(), Expr::Not(_)),
            Expr::IsNull(_) => true,
            Expr::In(_, list) => list.iter().all(is_null),
            Expr::Compare(_, left, right) => same_text(left, right) || is_null(left) || is_null(right),
            _ => false,
        }
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(Value::Null, _))
}

/// Whether the condition is `a <=> a`.
fn is_always_true(condition: &Expr) -> bool {
    matches!(condition, Expr::Compare(Comparison::NullSafeEqual, left, right) if format!("{left:?}") == format!("{right:?}"))
}

fn joins_by_equality(on: &Expr) -> bool {
    let one_side = |expr: &Expr, side: Side, other: Side| expr.uses(side) && !expr.uses(other);
    let (target, source) = (Side::Target, Side::Source);
    on.conjuncts().iter().any(|part| match part {
        Expr::Compare(Comparison::Equal | Comparison::NullSafeEqual, left, right) => {
            (one_side(left, target, source) && one_side(right, source, target))
                || (one_side(left, source, target) && one_side(right, target, source))
        }
        _ => false,
    })
}

/// The columns that a change row has besides: its kind stays, version and time go.
fn without_version(row: &Json) -> Json {
    let cells = row.as_array().cloned().unwrap_or_default();
    let kept = cells.len().saturating_sub(2);
    Json::Array(cells.into_iter().take(kept).collect())
}

fn changes(merged: &Merged) -> Vec<Json> {
    use crate::naive::ChangeKind::{After, Before, Delete, Insert};
    let rows = merged.changes.iter().map(|(kind, row)| {
        let kind = match kind {
            Insert => "insert",
            Delete => "delete",
            Before => "update_preimage",
            After => "update_postimage",
        };
        Json::Array(row.iter().map(json_of).chain([json!(kind)]).collect())
    });
    crate::world::sorted(rows.collect())
}

fn counts(merged: &Merged) -> Vec<(&'static str, usize)> {
    let metrics = &merged.metrics;
    let updated = metrics.matched_updated + metrics.by_source_updated;
    vec![
        ("numSourceRows", metrics.source),
        ("numTargetRowsInserted", metrics.inserted),
        ("numTargetRowsUpdated", updated),
        ("numTargetRowsMatchedUpdated", metrics.matched_updated),
        ("numTargetRowsNotMatchedBySourceUpdated", metrics.by_source_updated),
        ("numTargetRowsDeleted", metrics.matched_deleted + metrics.by_source_deleted),
        ("numTargetRowsMatchedDeleted", metrics.matched_deleted),
        ("numTargetRowsNotMatchedBySourceDeleted", metrics.by_source_deleted),
        ("numTargetRowsCopied", metrics.copied),
        ("numOutputRows", metrics.inserted + updated + metrics.copied),
        ("numTargetFilesRemoved", metrics.files_removed),
        ("numTargetFilesAdded", metrics.files_added),
    ]
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: &T, seen: &T) -> Result<(), Disagreement> {
    if expected == seen {
        return Ok(());
    }
    Err(format!("{what}: the model says {expected:?}, the engine {seen:?}"))
}

fn bag(rows: &[Row]) -> Vec<Json> {
    crate::world::sorted(rows.iter().map(|row| Json::Array(row.iter().map(json_of).collect())).collect())
}

/// As recorded cases write it.
fn json_of(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => json!(value),
        Value::Int(value) => json!(value),
        Value::Money(hundredths) => json!(money(*hundredths)),
        Value::Double(value) if value.is_nan() => json!("NaN"),
        Value::Double(value) if value.is_infinite() => json!(if *value > 0.0 { "Infinity" } else { "-Infinity" }),
        Value::Double(value) if *value == 0.0 && value.is_sign_negative() => json!("-0.0"),
        Value::Double(value) => json!(value),
        Value::Text(text) => json!(text),
        Value::Date(days) => json!(date(*days)),
    }
}

/// The case as a line for `tests/suite`, with what the model expects.
pub fn ready_case(case: &Case) -> String {
    let expect = match expected(case) {
        Ok(merged) => {
            json!({ "rows": bag(&merged.rows), "commits": u64::from(merged.commits || case.n_new_columns > 0) })
        }
        Err(failure) => json!({ "error_class": condition_of(failure), "commits": 0 }),
    };
    json!({
        "id": format!("property-{}", case.seed),
        "group": "property",
        "create": setup(case),
        "merge": statement(case),
        "expect": expect,
    })
    .to_string()
}
