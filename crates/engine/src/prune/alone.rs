//! What would have been pruned: a conjunct that rules out one file and no other that is read.
//!
//! Every candidate is bound and asked like a conjunct of the statement, so the answer is what the statement would do.

use super::{Conjunct, Known};
use crate::products::FileDecision;
use crate::sandbox::Context;
use delta::scalar::Scalar;
use delta::snapshot::Snapshot;
use delta::stats::ColumnStats;
use query::{Scope, bind};
use sql::parse_expr;

/// With more files than this nobody reads about single ones.
const MAX_FILES: usize = 24;
/// As many columns have statistics by default.
const MAX_COLUMNS: usize = 32;

/// Per decision: the text of such a conjunct; `None` for a file that is skipped anyway or that no single bound singles
/// out. `scope` holds the target's columns, and `prefix` is what the text puts before their names.
pub(crate) async fn would_skip(
    context: &Context<'_>,
    snapshot: &Snapshot,
    decisions: &[FileDecision],
    scope: &Scope,
    prefix: &str,
) -> Vec<Option<String>> {
    let mut found = vec![None; decisions.len()];
    if decisions.len() > MAX_FILES {
        return found;
    }
    let kept: Vec<usize> = (0..decisions.len()).filter(|idx| decisions.get(*idx).is_some_and(|one| one.kept)).collect();
    let add = |idx: &usize| snapshot.files().get(decisions.get(*idx)?.file);
    let known: Vec<Known<'_>> = kept.iter().filter_map(add).map(|add| Known::of(snapshot, add)).collect();
    for (at, (of_file, idx)) in known.iter().zip(&kept).enumerate() {
        for candidate in candidates(of_file, prefix) {
            if is_alone(context, &known, at, scope, &candidate).await {
                if let Some(found) = found.get_mut(*idx) {
                    *found = Some(candidate);
                }
                break;
            }
        }
    }
    found
}

/// Partition values first: they say most. Then bounds, column by column.
fn candidates(known: &Known<'_>, prefix: &str) -> Vec<String> {
    let fields = known.snapshot.schema().fields.iter().enumerate();
    let (partition, stored): (Vec<_>, Vec<_>) = fields.partition(|(idx, _)| known.is_partition(*idx));
    let mut texts = Vec::new();
    for (idx, field) in partition.into_iter().chain(stored).take(MAX_COLUMNS) {
        let Some(ColumnStats { min: Some(min), max: Some(max), .. }) = known.column(idx, &[]) else { continue };
        let (Some(low), Some(high)) = (literal(&min), literal(&max)) else { continue };
        let column = format!("{prefix}{}", quoted(&field.name));
        if low == high {
            texts.push(format!("{column} <> {low}"));
        }
        texts.push(format!("{column} < {low}"));
        texts.push(format!("{column} > {high}"));
        texts.push(format!("({column} < {low} OR {column} > {high})"));
    }
    texts
}

async fn is_alone(context: &Context<'_>, known: &[Known<'_>], at: usize, scope: &Scope, text: &str) -> bool {
    let Ok(expr) = parse_expr(text) else { return false };
    let Ok(bound) = bind(&context.session, &context.resolver(), scope, &expr).await else { return false };
    let conjunct = Conjunct::of(&bound, text);
    known.iter().enumerate().all(|(idx, file)| conjunct.may_hold(file) != (idx == at))
}

/// A name as a statement writes it.
fn quoted(name: &str) -> String {
    let is_plain = name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
        && !name.starts_with(|character: char| character.is_ascii_digit());
    if is_plain { name.to_owned() } else { format!("`{}`", name.replace('`', "``")) }
}

/// A value as a statement writes it, for types whose bounds are values that occur.
fn literal(value: &Scalar) -> Option<String> {
    match value {
        Scalar::Boolean(_) | Scalar::Int(_) | Scalar::Decimal(..) => Some(value.to_string()),
        Scalar::Date(_) => Some(format!("DATE '{value}'")),
        Scalar::String(text) if text.chars().all(|character| !character.is_control() && character != '\\') => {
            Some(format!("'{}'", text.replace('\'', "\\'")))
        }
        _ => None,
    }
}
