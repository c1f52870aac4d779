//! How the new rows are split into the reference's output tasks, each of which writes files of its own.
//!
//! A task ends where the join that makes the rows has no row left of a part of its larger side, which is streamed past the
//! other: so the branches of a UNION ALL source stay apart where the source is streamed, and where every pair has to be
//! asked the rows of the other side that met none come last, in a task of their own (see [`super::sides`]).

use super::find::Found;
use super::sides::Sent;
use crate::batch::take_rows;
use crate::products::{From, MatchSet, Piece};
use arrow::array::{Array, BooleanArray};
use spec::Diagnostic;
use std::ops::Range;

/// Where every pair is asked: the rows that met none of the side that was sent whole are apart.
pub(crate) fn by_side(
    pieces: Vec<Piece>,
    sent: Sent,
    found: &Found,
    branches: &[usize],
) -> Result<Vec<Vec<Piece>>, Diagnostic> {
    match sent {
        Sent::Source => {
            let (inserted, kept) = pieces.into_iter().partition(|piece| matches!(piece.from, From::Inserted { .. }));
            Ok(vec![kept, inserted])
        }
        Sent::Target => {
            let mut tasks = by_branch(&pieces, branches, &found.matches)?;
            tasks.push(chosen(&pieces, &found.matches, |source| source.is_none())?);
            Ok(tasks)
        }
    }
}

/// A task for each branch of the source, whose numbers of rows are given in order. Rows that met no source row are in none.
pub(crate) fn by_branch(
    pieces: &[Piece],
    branches: &[usize],
    matches: &MatchSet,
) -> Result<Vec<Vec<Piece>>, Diagnostic> {
    let mut end = 0;
    let ranges = branches.iter().map(|n_rows| {
        let start = end;
        end += *n_rows as u64;
        start..end
    });
    let of_branch =
        |branch: Range<u64>| chosen(pieces, matches, |source| source.is_some_and(|row| branch.contains(&row)));
    ranges.map(of_branch).collect()
}

/// The rows whose source row is wanted.
fn chosen(
    pieces: &[Piece],
    matches: &MatchSet,
    wanted: impl Fn(Option<u64>) -> bool,
) -> Result<Vec<Piece>, Diagnostic> {
    let part = |piece: &Piece| part(piece, &source_rows(piece, matches).into_iter().map(&wanted).collect::<Vec<_>>());
    pieces.iter().filter_map(|piece| part(piece).transpose()).collect()
}

/// The source row that each row of the piece comes from, or was met by.
fn source_rows(piece: &Piece, matches: &MatchSet) -> Vec<Option<u64>> {
    match &piece.from {
        From::Inserted { source, .. } | From::Updated { source: Some(source), .. } => {
            source.iter().copied().map(Some).collect()
        }
        From::Updated { source: None, target, .. } => vec![None; target.len()],
        From::Copied { first, kept } => {
            let met = |row: u64| {
                let pair = matches.target.partition_point(|other| *other < row);
                (matches.target.get(pair) == Some(&row)).then(|| matches.source[pair])
            };
            copied_rows(*first, kept.as_ref(), piece.rows.num_rows()).map(met).collect()
        }
    }
}

/// The numbers of the rows of a copied piece.
fn copied_rows(first: u64, kept: Option<&BooleanArray>, n_rows: usize) -> impl Iterator<Item = u64> + '_ {
    let n_range = kept.map_or(n_rows, |kept| kept.len());
    (0..n_range).filter(move |row| kept.is_none_or(|kept| kept.value(*row))).map(move |row| first + row as u64)
}

/// The rows of a piece for which `wanted` is true; `None` where it is for none.
fn part(piece: &Piece, wanted: &[bool]) -> Result<Option<Piece>, Diagnostic> {
    let at: Vec<u64> = (0..wanted.len() as u64).filter(|row| wanted[*row as usize]).collect();
    if at.is_empty() {
        return Ok(None);
    }
    if at.len() == wanted.len() {
        return Ok(Some(piece.clone()));
    }
    let pick = |numbers: &[u64]| at.iter().map(|row| numbers[*row as usize]).collect::<Vec<u64>>();
    let from = match &piece.from {
        From::Updated { clause, target, source } => {
            From::Updated { clause: *clause, target: pick(target), source: source.as_deref().map(pick) }
        }
        From::Inserted { clause, source } => From::Inserted { clause: *clause, source: pick(source) },
        From::Copied { first, kept } => {
            let numbers: Vec<u64> = copied_rows(*first, kept.as_ref(), piece.rows.num_rows()).collect();
            let mut left = pick(&numbers).into_iter().peekable();
            let n_range = kept.as_ref().map_or(piece.rows.num_rows(), Array::len) as u64;
            let kept = (0..n_range).map(|row| Some(left.next_if_eq(&(first + row)).is_some())).collect();
            From::Copied { first: *first, kept: Some(kept) }
        }
    };
    Ok(Some(Piece { rows: take_rows(&piece.rows, &at)?, from }))
}
