//! Texts with placeholders for what differs from run to run: `{uuid}`, `{file}`, `{volatile}`, `{dir}`, `{warehouse}`.

use super::observe::DIR;
use engine::WAREHOUSE;

/// Placeholders for any text.
const ANY: [&str; 3] = ["{volatile}", "{uuid}", "{file}"];

/// Whether the expected text is one placeholder that anything may stand for.
pub(super) fn is_anything(expected: &str) -> bool {
    ANY.contains(&expected)
}

/// Whether the text is as expected, placeholders filled in.
pub(super) fn matches(expected: &str, seen: &str) -> bool {
    if expected == seen || is_anything(expected) {
        return true;
    }
    let expected = expected.replace("{warehouse}", WAREHOUSE).replace("{dir}", DIR.trim_start_matches('/'));
    match_from(&expected, seen)
}

fn match_from(expected: &str, seen: &str) -> bool {
    let first = ANY.iter().filter_map(|mask| expected.find(mask).map(|at| (at, *mask))).min();
    let Some((at, mask)) = first else { return expected == seen };
    let (before, after) = (&expected[..at], &expected[at + mask.len()..]);
    let Some(rest) = seen.strip_prefix(before) else { return false };
    let mut ends = rest.char_indices().map(|(end, _)| end).chain([rest.len()]);
    ends.any(|end| match_from(after, &rest[end..]))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn placeholders_stand_for_any_text_or_for_the_folders_of_the_run() {
        assert!(matches("{warehouse}/tgt/{file}", "warehouse/tgt/part-1.parquet"));
        assert!(matches("col-{uuid}", "col-12") && matches("{volatile}", ""));
        assert!(!matches("{warehouse}/tgt", "warehouse/other") && !matches("a{file}b", "a1c"));
    }
}
