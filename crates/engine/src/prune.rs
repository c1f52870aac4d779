//! Which files a condition rules out, by partition values and statistics.
//!
//! A file is skipped only when a conjunct cannot be true for any of its rows, whatever they are:
//! unknown statistics, types that do not compare and conditions that are not understood keep it.
//! [`can_be_true`] and [`can_be_false`] carry three-valued logic through NOT.

pub(crate) mod alone;
mod generated;

use crate::partition;
use crate::products::{FileDecision, Why};
use delta::actions::{Add, PartitionValues};
use delta::partition::parse_partition_value;
use delta::scalar::Scalar;
use delta::snapshot::Snapshot;
use delta::stats::{ColumnStats, FileStats};
use query::{Bound, CompareOp, Predicate};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A condition that every interesting row must meet, and its text.
#[derive(Debug, Clone)]
pub(crate) struct Conjunct {
    /// Columns by position in the table.
    pub(crate) predicate: Predicate,
    /// As written.
    pub(crate) text: String,
    /// The same as expressions, one list of operands of AND per operand of OR: those on partition columns alone have
    /// one value for all rows of a file.
    exact: Vec<Vec<Bound>>,
}

impl Conjunct {
    /// One bound conjunct over target columns.
    pub(crate) fn of(bound: &Bound, script: &str) -> Self {
        Self {
            predicate: bound.predicate(),
            text: bound.span().of(script).to_owned(),
            exact: vec![vec![bound.clone()]],
        }
    }

    /// At least one of several conjunctions.
    pub(crate) fn any_of(alternatives: &[Vec<Bound>], script: &str) -> Self {
        let all = |parts: &Vec<Bound>| Predicate::And(parts.iter().map(Bound::predicate).collect());
        let text =
            |parts: &Vec<Bound>| parts.iter().map(|part| part.span().of(script)).collect::<Vec<_>>().join(" AND ");
        Self {
            predicate: Predicate::Or(alternatives.iter().map(all).collect()),
            text: alternatives.iter().map(text).collect::<Vec<_>>().join(" OR "),
            exact: alternatives.to_vec(),
        }
    }

    /// Whether it may be TRUE for a row of a partition, whatever the row's other columns hold.
    pub(crate) fn may_hold_in(&self, snapshot: &Snapshot, values: &PartitionValues) -> bool {
        let may = |part: &Bound| {
            !partition::is_on_partitions(snapshot, part)
                || partition::holds(snapshot.schema(), part, values).unwrap_or(true)
        };
        self.exact.iter().any(|parts| parts.iter().all(may))
    }

    fn may_hold(&self, known: &Known<'_>) -> bool {
        can_be_true(&self.predicate, known) && self.may_hold_in(known.snapshot, &known.add.partition_values)
    }

    /// The partition columns that it looks at.
    fn partition_columns(&self, snapshot: &Snapshot) -> BTreeSet<usize> {
        let parts = self.exact.iter().flatten().filter(|part| partition::is_on_partitions(snapshot, part));
        parts.flat_map(Bound::columns).collect()
    }
}

/// The files that a query's filter does not rule out, in the snapshot's order.
pub(crate) fn survivors(snapshot: &Snapshot, filter: &[Predicate]) -> Vec<usize> {
    let keeps = |file: &usize| {
        let known = Known::of(snapshot, &snapshot.files()[*file]);
        filter.iter().all(|predicate| can_be_true(predicate, &known))
    };
    (0..snapshot.files().len()).filter(keeps).collect()
}

/// One decision per file of the snapshot.
pub(crate) fn decide(snapshot: &Snapshot, conjuncts: &[Conjunct]) -> Vec<FileDecision> {
    let decision = |(file, add): (usize, &std::sync::Arc<Add>)| {
        let known = Known::of(snapshot, add);
        let why = match conjuncts.iter().find(|conjunct| !conjunct.may_hold(&known)) {
            Some(conjunct) => ruled_out(conjunct, &known),
            None if conjuncts.is_empty() => Why::NothingToPruneBy,
            None => kept(conjuncts, &known),
        };
        FileDecision { file, kept: !matches!(why, Why::RuledOut { .. }), why }
    };
    snapshot.files().iter().enumerate().map(decision).collect()
}

/// What is known of a file without opening it.
struct Known<'a> {
    snapshot: &'a Snapshot,
    add: &'a Add,
    stats: Option<FileStats>,
}

impl<'a> Known<'a> {
    fn of(snapshot: &'a Snapshot, add: &'a Add) -> Self {
        let stats = add.stats.as_deref().and_then(|json| FileStats::parse(json, snapshot.schema()));
        Self { snapshot, add, stats }
    }

    fn n_rows(&self) -> Option<i64> {
        self.stats.as_ref().map(|stats| stats.num_records)
    }

    fn is_partition(&self, column: usize) -> bool {
        let field = self.snapshot.schema().fields.get(column);
        field.is_some_and(|field| self.snapshot.partition_columns().contains(&field.name))
    }

    /// The bounds of a column or of a field in it; `None` where nothing is known.
    fn column(&self, column: usize, path: &[String]) -> Option<ColumnStats> {
        let field = self.snapshot.schema().fields.get(column)?;
        if self.is_partition(column) && path.is_empty() {
            let value = parse_partition_value(self.add.partition_value(field), &field.data_type).ok()?;
            let n_rows = self.n_rows();
            let nulls = if value.is_none() { n_rows.or(Some(i64::MAX)) } else { Some(0) };
            return Some(ColumnStats { min: value.clone(), max: value, nulls });
        }
        let mut names: Vec<&str> = vec![&field.name];
        names.extend(path.iter().map(String::as_str));
        if let Some(mut found) = self.stats.as_ref().and_then(|stats| stats.column(&names)) {
            found.max = found.max.map(widened);
            return Some(found);
        }
        if path.is_empty() { generated::bounds(self.snapshot, self.add, field) } else { None }
    }

    /// True when every row has NULL there.
    fn is_all_null(&self, column: usize, path: &[String]) -> bool {
        let Some(found) = self.column(column, path) else { return false };
        match (found.nulls, self.n_rows()) {
            (Some(i64::MAX), _) => true,
            (Some(nulls), Some(n_rows)) => nulls >= n_rows,
            _ => false,
        }
    }

    /// The statistic as text: `day = 2026-01-02`, or `min 5, max 9, 0 NULLs`.
    fn evidence(&self, column: usize, path: &[String]) -> (String, String) {
        let mut name = self.snapshot.schema().fields.get(column).map_or_else(String::new, |field| field.name.clone());
        for part in path {
            name.push('.');
            name.push_str(part);
        }
        let text = |value: &Option<Scalar>| value.as_ref().map_or_else(|| "NULL".to_owned(), Scalar::to_string);
        let evidence = match self.column(column, path) {
            None => "no statistics".to_owned(),
            Some(found) if self.is_partition(column) => format!("{name} = {}", text(&found.min)),
            Some(_) if self.is_all_null(column, path) => "only NULLs".to_owned(),
            Some(found) => {
                let nulls = found.nulls.map_or_else(String::new, |nulls| format!(", {nulls} NULLs"));
                format!("min {}, max {}{nulls}", text(&found.min), text(&found.max))
            }
        };
        (name, evidence)
    }
}

// Statistics hold whole milliseconds, so the largest value may lie up to one above.
fn widened(max: Scalar) -> Scalar {
    match max {
        Scalar::Timestamp(micros) => Scalar::Timestamp(micros.saturating_add(1_000)),
        Scalar::TimestampNtz(micros) => Scalar::TimestampNtz(micros.saturating_add(1_000)),
        other => other,
    }
}

fn ruled_out(conjunct: &Conjunct, known: &Known<'_>) -> Why {
    let by_statistics = (!can_be_true(&conjunct.predicate, known)).then(|| decisive(&conjunct.predicate, known));
    let by_value = || conjunct.partition_columns(known.snapshot).first().map(|column| (*column, Vec::new()));
    let (column, path) = by_statistics.flatten().or_else(by_value).unwrap_or((usize::MAX, Vec::new()));
    let (name, evidence) = known.evidence(column, &path);
    let by_partition = known.is_partition(column);
    let evidence = if name.is_empty() { "it is never true".to_owned() } else { evidence };
    Why::RuledOut { conjunct: conjunct.text.clone(), column: name, by_partition, evidence }
}

fn kept(conjuncts: &[Conjunct], known: &Known<'_>) -> Why {
    let without = conjuncts.iter().find_map(|conjunct| {
        let (column, path) =
            columns_of(&conjunct.predicate).into_iter().find(|(c, path)| known.column(*c, path).is_none())?;
        Some(Why::NoStatistics { conjunct: conjunct.text.clone(), column: known.evidence(column, &path).0 })
    });
    without.unwrap_or_else(|| Why::Possible {
        conjuncts: conjuncts.iter().map(|conjunct| conjunct.text.clone()).collect(),
    })
}

/// The column of the first part that is never true for the file.
fn decisive(predicate: &Predicate, known: &Known<'_>) -> Option<(usize, Vec<String>)> {
    if let Predicate::And(parts) = predicate {
        return parts.iter().find(|part| !can_be_true(part, known)).and_then(|part| decisive(part, known));
    }
    columns_of(predicate).into_iter().next()
}

fn columns_of(predicate: &Predicate) -> Vec<(usize, Vec<String>)> {
    match predicate {
        Predicate::And(parts) | Predicate::Or(parts) => parts.iter().flat_map(columns_of).collect(),
        Predicate::Not(inner) => columns_of(inner),
        Predicate::Compare { column, path, .. }
        | Predicate::In { column, path, .. }
        | Predicate::IsNull { column, path }
        | Predicate::IsNotNull { column, path }
        | Predicate::StartsWith { column, path, .. } => vec![(*column, path.clone())],
        Predicate::NullRejecting { columns } => columns.iter().map(|column| (*column, Vec::new())).collect(),
        Predicate::True | Predicate::False | Predicate::Opaque => Vec::new(),
    }
}

/// Whether the predicate may be TRUE for some row of the file.
fn can_be_true(predicate: &Predicate, known: &Known<'_>) -> bool {
    match predicate {
        Predicate::And(parts) => parts.iter().all(|part| can_be_true(part, known)),
        Predicate::Or(parts) => parts.iter().any(|part| can_be_true(part, known)),
        Predicate::Not(inner) => can_be_false(inner, known),
        Predicate::Compare { column, path, op, value } => can_compare(known, *column, path, *op, value),
        Predicate::In { column, path, values, .. } => can_be_in(known, *column, path, values),
        Predicate::IsNull { column, path } => {
            known.column(*column, path).is_none_or(|found| found.nulls.is_none_or(|nulls| nulls > 0))
        }
        Predicate::IsNotNull { column, path } => !known.is_all_null(*column, path),
        Predicate::StartsWith { column, path, prefix } => can_start_with(known, *column, path, prefix),
        Predicate::NullRejecting { columns } => !columns.iter().any(|column| known.is_all_null(*column, &[])),
        Predicate::False => false,
        Predicate::True | Predicate::Opaque => true,
    }
}

/// Whether the predicate may be FALSE (not merely NULL) for some row of the file.
fn can_be_false(predicate: &Predicate, known: &Known<'_>) -> bool {
    match predicate {
        Predicate::And(parts) => parts.iter().any(|part| can_be_false(part, known)),
        Predicate::Or(parts) => parts.iter().all(|part| can_be_false(part, known)),
        Predicate::Not(inner) => can_be_true(inner, known),
        Predicate::Compare { column, path, op, value } => match opposite(*op) {
            Some(op) => can_compare(known, *column, path, op, value),
            // NOT (c <=> v) is also true where c is NULL.
            None => {
                can_compare(known, *column, path, CompareOp::NotEq, value)
                    || known.column(*column, path).is_none_or(|found| found.nulls.is_none_or(|nulls| nulls > 0))
            }
        },
        // NOT IN over a list with NULL is never true.
        Predicate::In { has_null: true, .. } | Predicate::True => false,
        Predicate::In { column, path, .. } | Predicate::StartsWith { column, path, .. } => {
            !known.is_all_null(*column, path)
        }
        Predicate::IsNull { column, path } => !known.is_all_null(*column, path),
        Predicate::IsNotNull { column, path } => {
            known.column(*column, path).is_none_or(|found| found.nulls.is_none_or(|nulls| nulls > 0))
        }
        Predicate::NullRejecting { columns } => !columns.iter().any(|column| known.is_all_null(*column, &[])),
        // FALSE stands for NULL too, so its negation may be true or not.
        Predicate::False | Predicate::Opaque => true,
    }
}

/// The operator that is true where `op` is false; none for `<=>`, which is never NULL.
fn opposite(op: CompareOp) -> Option<CompareOp> {
    Some(match op {
        CompareOp::Eq => CompareOp::NotEq,
        CompareOp::NotEq => CompareOp::Eq,
        CompareOp::Lt => CompareOp::GtEq,
        CompareOp::LtEq => CompareOp::Gt,
        CompareOp::Gt => CompareOp::LtEq,
        CompareOp::GtEq => CompareOp::Lt,
        CompareOp::NullSafeEq => return None,
    })
}

fn can_compare(known: &Known<'_>, column: usize, path: &[String], op: CompareOp, value: &Scalar) -> bool {
    if known.is_all_null(column, path) {
        return false;
    }
    let Some(ColumnStats { min: Some(min), max: Some(max), .. }) = known.column(column, path) else { return true };
    let (Some(low), Some(high)) = (min.partial_cmp(value), max.partial_cmp(value)) else { return true };
    match op {
        CompareOp::Eq | CompareOp::NullSafeEq => low != Ordering::Greater && high != Ordering::Less,
        // Text bounds may be cut, so equal bounds do not mean a single value.
        CompareOp::NotEq => {
            let is_exact = known.is_partition(column) || is_exact(value);
            !(low == Ordering::Equal && high == Ordering::Equal && is_exact)
        }
        CompareOp::Lt => low == Ordering::Less,
        CompareOp::LtEq => low != Ordering::Greater,
        CompareOp::Gt => high == Ordering::Greater,
        CompareOp::GtEq => high != Ordering::Less,
    }
}

/// Whether bounds of this type are values that occur, not mere limits.
fn is_exact(value: &Scalar) -> bool {
    !matches!(value, Scalar::Timestamp(_) | Scalar::TimestampNtz(_))
        && !matches!(value, Scalar::String(text) if text.chars().count() >= 32)
}

/// As the reference: through the smallest and the largest value of the list.
fn can_be_in(known: &Known<'_>, column: usize, path: &[String], values: &[Scalar]) -> bool {
    let least = values.iter().reduce(|best, next| if next < best { next } else { best });
    let most = values.iter().reduce(|best, next| if next > best { next } else { best });
    let (Some(least), Some(most)) = (least, most) else { return false };
    can_compare(known, column, path, CompareOp::GtEq, least) && can_compare(known, column, path, CompareOp::LtEq, most)
}

fn can_start_with(known: &Known<'_>, column: usize, path: &[String], prefix: &str) -> bool {
    if known.is_all_null(column, path) {
        return false;
    }
    let Some(ColumnStats { min: Some(Scalar::String(min)), max: Some(Scalar::String(max)), .. }) =
        known.column(column, path)
    else {
        return true;
    };
    let cut = |text: &str| text.as_bytes()[..text.len().min(prefix.len())].to_vec();
    cut(&min).as_slice() <= prefix.as_bytes() && cut(&max).as_slice() >= prefix.as_bytes()
}
