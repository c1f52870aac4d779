//! The statement: clause semantics, the duplicate rule with its exemption, row counts.

use super::expr::{Expr, Side};
use super::value::{Column, Row, Value, compare};
use std::cmp::Ordering;

/// A table: every insert is a file, or one file per partition value.
#[derive(Debug, Clone)]
pub struct Table {
    pub columns: Vec<Column>,
    /// The partition column.
    pub partition: Option<usize>,
    pub inserts: Vec<Vec<Row>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    Matched,
    NotMatched,
    NotMatchedBySource,
}

/// What a clause does. Columns are those of the target.
#[derive(Debug, Clone)]
pub enum Action {
    Update(Vec<(usize, Expr)>),
    Delete,
    /// Columns that are not named become NULL.
    Insert(Vec<(usize, Expr)>),
}

#[derive(Debug, Clone)]
pub struct Clause {
    pub when: When,
    pub condition: Option<Expr>,
    pub action: Action,
    /// Whether the action is written with `*`; it is given in full all the same.
    pub star: bool,
}

#[derive(Debug, Clone)]
pub struct Merge {
    pub on: Expr,
    pub clauses: Vec<Clause>,
}

/// What the commit counts, by the reference's names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metrics {
    pub source: usize,
    pub inserted: usize,
    pub matched_updated: usize,
    pub matched_deleted: usize,
    pub by_source_updated: usize,
    pub by_source_deleted: usize,
    pub copied: usize,
    pub files_removed: usize,
    pub files_added: usize,
    /// What `files_added` is where inserted rows are written apart from the others.
    pub files_apart: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    Insert,
    Delete,
    Before,
    After,
}

/// A row of the change feed.
pub type Change = (ChangeKind, Row);

/// The table afterwards.
#[derive(Debug, Clone)]
pub struct Merged {
    pub rows: Vec<Row>,
    pub metrics: Metrics,
    pub changes: Vec<Change>,
    /// Whether there was anything to commit.
    pub commits: bool,
}

/// Why the statement changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Two source rows match one target row.
    Duplicate,
    /// The same, but only in files that a reader of statistics may leave out: to succeed without them is right too.
    DuplicateUnlessSkipped,
    /// NULL in a NOT NULL column of a row that is written.
    Null,
    /// A row that was met several times makes the table grow, though nothing is inserted.
    Mismatch,
}

/// What became of a row that was there.
enum Fate {
    Kept,
    Updated(Row, When),
    Deleted(When),
}

/// The files of a table.
pub fn files_of(table: &Table) -> Vec<Vec<Row>> {
    table.inserts.iter().flat_map(|rows| split(rows.clone(), table.partition)).collect()
}

/// Runs the statement. With `vectors` rows are marked as deleted instead of copying the others;
/// `skips_duplicates` goes on in spite of [`Failure::DuplicateUnlessSkipped`].
///
/// # Errors
/// The statement fails and the table stays as it is.
pub fn merge(
    table: &Table,
    source: &[Row],
    merge: &Merge,
    vectors: bool,
    skips_duplicates: bool,
) -> Result<Merged, Failure> {
    let files = files_of(table);
    // Nested loops: per file, per target row, the source rows on which ON is true.
    let on = |target: &Row, source: &Row| merge.on.eval(Some(target), Some(source)).is_true();
    let matches_of = |target: &Row| (0..source.len()).filter(|idx| on(target, &source[*idx])).collect();
    let matches: Vec<Vec<Vec<usize>>> =
        files.iter().map(|file| file.iter().map(matches_of).collect::<Vec<Vec<usize>>>()).collect();
    match duplicate(merge, source, &files, &matches) {
        Some(Failure::DuplicateUnlessSkipped) if skips_duplicates => {}
        Some(failure) => return Err(failure),
        None => {}
    }

    let mut metrics = Metrics { source: source.len(), ..Metrics::default() };
    let (mut stay, mut written, mut copied, mut changes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut inserts, mut n_touched) = (Vec::new(), 0);
    let exempt = is_exempt(merge);
    for (file, matches) in files.iter().zip(&matches) {
        let fates: Vec<Fate> =
            file.iter().zip(matches).map(|(row, matches)| fate(merge, row, source, matches)).collect();
        let n_kept = fates.iter().filter(|fate| matches!(fate, Fate::Kept)).count();
        let is_touched = if vectors { n_kept < file.len() } else { is_rewritten(merge, matches, &fates) };
        metrics.files_removed += usize::from(is_touched && (n_kept == 0 || !vectors));
        n_touched += if is_touched { file.len() } else { 0 };
        for ((row, fate), matches) in file.iter().zip(fates).zip(matches) {
            if is_touched && !vectors && !exempt {
                // The join that makes the rows gives one for each pair.
                copied.extend(matches.iter().skip(1).map(|_| row.clone()));
            }
            match fate {
                Fate::Kept if is_touched && !vectors => copied.push(row.clone()),
                Fate::Kept => stay.push(row.clone()),
                Fate::Updated(new, when) => {
                    *updates(&mut metrics, when) += 1;
                    changes.extend([(ChangeKind::Before, row.clone()), (ChangeKind::After, new.clone())]);
                    written.push(new);
                }
                Fate::Deleted(when) => {
                    *deletes(&mut metrics, when) += 1;
                    changes.push((ChangeKind::Delete, row.clone()));
                }
            }
        }
    }
    let is_matched = |idx: usize| matches.iter().flatten().any(|matches| matches.contains(&idx));
    for (_, row) in source.iter().enumerate().filter(|(idx, _)| !is_matched(*idx)) {
        if let Some(new) = inserted(table, merge, row) {
            metrics.inserted += 1;
            changes.push((ChangeKind::Insert, new.clone()));
            inserts.push(new);
        }
    }
    let lacks = |row: &Row| table.columns.iter().zip(row).any(|(column, cell)| column.required && cell.is_null());
    if written.iter().chain(&inserts).any(lacks) {
        return Err(Failure::Null);
    }
    metrics.copied = copied.len();
    let n_changed = written.len() + metrics.matched_deleted + metrics.by_source_deleted;
    let n_removed: usize = if vectors { n_changed } else { n_touched };
    if of(merge, When::NotMatched).count() == 0 && written.len() + copied.len() > n_removed {
        return Err(Failure::Mismatch);
    }
    let n_files = |rows: Vec<Row>| split(rows, table.partition).len();
    metrics.files_apart = n_files([written.clone(), copied.clone()].concat()) + n_files(inserts.clone());
    let new_files = split([written, inserts, copied].concat(), table.partition);
    metrics.files_added = new_files.len();
    let n_deleted = metrics.matched_deleted + metrics.by_source_deleted;
    let commits = metrics.files_added + metrics.files_removed + n_deleted > 0;
    stay.extend(new_files.into_iter().flatten());
    Ok(Merged { rows: stay, metrics, changes, commits })
}

fn of(merge: &Merge, when: When) -> impl Iterator<Item = &Clause> {
    merge.clauses.iter().filter(move |clause| clause.when == when)
}

/// Whether there are clauses of this kind only.
fn only(merge: &Merge, when: When) -> bool {
    merge.clauses.iter().all(|clause| clause.when == when)
}

fn holds(clause: &Clause, target: Option<&Row>, source: Option<&Row>) -> bool {
    clause.condition.as_ref().is_none_or(|condition| condition.eval(target, source).is_true())
}

/// One DELETE without condition as the only MATCHED clause may meet a row as often as it likes.
fn is_exempt(merge: &Merge) -> bool {
    let matched: Vec<&Clause> = of(merge, When::Matched).collect();
    matches!(matched.as_slice(), [Clause { condition: None, action: Action::Delete, .. }])
}

/// Whether the pair is a match that counts: in a statement of MATCHED clauses only, one on which their conditions, joined
/// by OR, are not unknown.
fn counts(merge: &Merge, target: &Row, source: &Row) -> bool {
    if !only(merge, When::Matched) {
        return true;
    }
    let truths = of(merge, When::Matched).map(|clause| match &clause.condition {
        Some(condition) => condition.eval(Some(target), Some(source)),
        None => Value::Bool(true),
    });
    let truths: Vec<Value> = truths.collect();
    truths.iter().any(Value::is_true) || !truths.iter().any(Value::is_null)
}

/// The duplicate rule: no target row may be joined with two source rows. Insert-only statements do not look.
fn duplicate(merge: &Merge, source: &[Row], files: &[Vec<Row>], matches: &[Vec<Vec<usize>>]) -> Option<Failure> {
    let matched: Vec<&Clause> = of(merge, When::Matched).collect();
    if is_exempt(merge) || only(merge, When::NotMatched) {
        return None;
    }
    let is_duplicate = |row: &Row, matches: &[usize]| {
        matches.len() > 1 && matches.iter().filter(|idx| counts(merge, row, &source[**idx])).count() > 1
    };
    let has_duplicate = |file: &[Row], matches: &[Vec<usize>]| {
        file.iter().zip(matches).any(|(row, matches)| is_duplicate(row, matches))
    };
    let with_duplicate = files.iter().zip(matches).filter(|(file, matches)| has_duplicate(file, matches));
    let files: Vec<&Vec<Row>> = with_duplicate.map(|(file, _)| file).collect();
    // In a statement of MATCHED clauses only, what their conditions say of target columns may rule a file out.
    let must_be_read = |file: &&Vec<Row>| file.iter().any(|row| matched.iter().any(|clause| may_act(clause, row)));
    match files.as_slice() {
        [] => None,
        files if !only(merge, When::Matched) || files.iter().any(must_be_read) => Some(Failure::Duplicate),
        _ => Some(Failure::DuplicateUnlessSkipped),
    }
}

/// Whether the parts of the condition that need no source row hold.
fn may_act(clause: &Clause, target: &Row) -> bool {
    let parts = clause.condition.as_ref().map(Expr::conjuncts).unwrap_or_default();
    parts.iter().filter(|part| !part.uses(Side::Source)).all(|part| part.eval(Some(target), None).is_true())
}

/// The first clause that holds acts.
fn fate(merge: &Merge, target: &Row, source: &[Row], matches: &[usize]) -> Fate {
    let when = if matches.is_empty() { When::NotMatchedBySource } else { When::Matched };
    let acts = |met: &&Row| of(merge, when).any(|clause| holds(clause, Some(target), Some(*met)));
    let pairs = || matches.iter().map(|idx| &source[*idx]);
    let met = pairs().find(acts).or_else(|| pairs().next());
    match of(merge, when).find(|clause| holds(clause, Some(target), met)).map(|clause| &clause.action) {
        Some(Action::Update(sets)) => {
            let mut new = target.clone();
            sets.iter().for_each(|(column, value)| new[*column] = value.eval(Some(target), met));
            Fate::Updated(new, when)
        }
        Some(Action::Delete) => Fate::Deleted(when),
        Some(Action::Insert(_)) | None => Fate::Kept,
    }
}

/// Whether a file is written anew: one of its rows is in the join, and in a statement of MATCHED clauses only, a
/// clause acts on one.
fn is_rewritten(merge: &Merge, matches: &[Vec<usize>], fates: &[Fate]) -> bool {
    let is_matched = matches.iter().any(|matches| !matches.is_empty());
    let acts = fates.iter().any(|fate| !matches!(fate, Fate::Kept));
    match (only(merge, When::NotMatched), only(merge, When::Matched)) {
        (true, _) => false,
        (_, true) => acts,
        _ => is_matched || of(merge, When::NotMatchedBySource).count() > 0,
    }
}

/// The new row of a source row that matched nothing.
fn inserted(table: &Table, merge: &Merge, source: &Row) -> Option<Row> {
    let clause = of(merge, When::NotMatched).find(|clause| holds(clause, None, Some(source)))?;
    let Action::Insert(values) = &clause.action else { return None };
    let mut new = vec![Value::Null; table.columns.len()];
    values.iter().for_each(|(column, value)| new[*column] = value.eval(None, Some(source)));
    Some(new)
}

fn updates(metrics: &mut Metrics, when: When) -> &mut usize {
    if when == When::Matched { &mut metrics.matched_updated } else { &mut metrics.by_source_updated }
}

fn deletes(metrics: &mut Metrics, when: When) -> &mut usize {
    if when == When::Matched { &mut metrics.matched_deleted } else { &mut metrics.by_source_deleted }
}

/// Rows as they are written: together, or by partition value. An empty text is no partition value, but NULL.
fn split(rows: Vec<Row>, partition: Option<usize>) -> Vec<Vec<Row>> {
    let mut files: Vec<Vec<Row>> = Vec::new();
    for mut row in rows {
        if let Some(idx) = partition
            && matches!(&row[idx], Value::Text(text) if text.is_empty())
        {
            row[idx] = Value::Null;
        }
        let is_home = |file: &&mut Vec<Row>| partition.is_none_or(|idx| is_same(&file[0][idx], &row[idx]));
        match files.iter_mut().find(is_home) {
            Some(file) => file.push(row),
            None => files.push(vec![row]),
        }
    }
    files
}

fn is_same(left: &Value, right: &Value) -> bool {
    compare(left, right).map_or(left.is_null() && right.is_null(), |order| order == Ordering::Equal)
}
