//! The engine's reasons and clauses as data for the page.

use engine::observe::{ActionKind, ClauseInfo, ClauseKind};
use engine::products::Why;
use spec::Span;
use trace::{ClauseImage, Outcome, Reason};

/// Why a file was skipped or kept, as one sentence and its parts.
pub(super) fn reason(why: &Why, has_condition: bool) -> Reason {
    let bare =
        |text: &str| Reason { text: text.to_owned(), conjunct: None, column: None, statistic: None, would_skip: None };
    match why {
        Why::NothingToPruneBy if !has_condition => {
            bare("There is no condition, so every row of the table is concerned.")
        }
        Why::NothingToPruneBy => bare(
            "No part of the condition uses columns of the target alone, so neither partition values nor statistics can rule a file out.",
        ),
        Why::BySourceReadsAll => {
            bare("WHEN NOT MATCHED BY SOURCE decides about every row of the target, so no file may be left out.")
        }
        Why::Possible { conjuncts } => Reason {
            text: format!("Its partition values and statistics leave room for {}.", quoted(conjuncts)),
            conjunct: conjuncts.first().cloned(),
            column: None,
            statistic: None,
            would_skip: None,
        },
        Why::NoStatistics { conjunct, column } => Reason {
            text: format!("The log holds no statistics of {column} for it, so `{conjunct}` cannot rule it out."),
            conjunct: Some(conjunct.clone()),
            column: Some(column.clone()),
            statistic: None,
            would_skip: None,
        },
        Why::RuledOut { conjunct, column, .. } if column.is_empty() => Reason {
            text: format!("`{conjunct}` cannot be true for any row."),
            conjunct: Some(conjunct.clone()),
            column: None,
            statistic: None,
            would_skip: None,
        },
        Why::RuledOut { conjunct, column, by_partition, evidence } => {
            let look = if *by_partition {
                format!("its partition value is {evidence}")
            } else {
                format!("the statistics of {column} in the log say {evidence}")
            };
            Reason {
                text: format!("`{conjunct}` cannot be true for any row of it: {look}."),
                conjunct: Some(conjunct.clone()),
                column: Some(column.clone()),
                statistic: Some(evidence.clone()),
                would_skip: None,
            }
        }
    }
}

fn quoted(conjuncts: &[String]) -> String {
    let quoted: Vec<_> = conjuncts.iter().map(|conjunct| format!("`{conjunct}`")).collect();
    match quoted.as_slice() {
        [] => "the condition".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A clause with its text; its span is made relative to the statement.
pub(super) fn clause(info: &ClauseInfo, text: &str, statement: Span) -> ClauseImage {
    let kind = match info.kind {
        ClauseKind::Matched => trace::ClauseKind::Matched,
        ClauseKind::NotMatched => trace::ClauseKind::NotMatched,
        ClauseKind::NotMatchedBySource => trace::ClauseKind::NotMatchedBySource,
        ClauseKind::Statement => trace::ClauseKind::Statement,
    };
    let action = match info.action {
        ActionKind::Update => "update",
        ActionKind::Delete => "delete",
        ActionKind::Insert => "insert",
    };
    let relative = |position: usize| position.saturating_sub(statement.start) as u32;
    ClauseImage {
        kind,
        action: action.to_owned(),
        text: info.span.of(text).to_owned(),
        span: (relative(info.span.start), relative(info.span.end)),
    }
}

/// What becomes of a row on which a clause acts.
pub(super) fn outcome(kind: ClauseKind, action: ActionKind) -> Outcome {
    match (kind, action) {
        (_, ActionKind::Insert) => Outcome::Inserted,
        (ClauseKind::NotMatchedBySource, ActionKind::Update) => Outcome::UpdatedBySource,
        (ClauseKind::NotMatchedBySource, ActionKind::Delete) => Outcome::DeletedBySource,
        (_, ActionKind::Update) => Outcome::Updated,
        (_, ActionKind::Delete) => Outcome::Deleted,
    }
}
