//! A source that is not all there empties the table.

use super::warning;
use spec::{Diagnostic, MergeInto, NotMatchedBySourceAction};

pub(super) fn check(merge: &MergeInto, warnings: &mut Vec<Diagnostic>) {
    let deletes_all = merge
        .not_matched_by_source
        .iter()
        .filter(|clause| clause.condition.is_none() && clause.action == NotMatchedBySourceAction::Delete);
    warnings.extend(deletes_all.map(|clause| {
        warning(
            "UNCONDITIONAL_DELETE",
            clause.span,
            "Every target row that the source does not name is deleted.",
            "A source with only a part of the data, or an empty one after a failed load, empties the table. Say with \
             AND which rows the source speaks for.",
        )
    }));
}
