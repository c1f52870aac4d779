//! How outcomes, states and numbers look and are called. One word per idea, as in the lessons.

use trace::{FileStatus, Outcome, Phase};

/// How an outcome is shown: never by colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutcomeLook {
    pub glyph: &'static str,
    pub code: &'static str,
    pub word: &'static str,
    /// The class that carries colour and border.
    pub class: &'static str,
}

/// The look of an outcome.
pub fn outcome(outcome: Outcome) -> OutcomeLook {
    let (glyph, code, word, class) = match outcome {
        Outcome::Inserted => ("+", "INS", "inserted", "ins"),
        Outcome::Updated => ("~", "UPD", "updated", "upd"),
        Outcome::Deleted => ("−", "DEL", "deleted", "del"),
        Outcome::Copied => ("=", "CPY", "copied unchanged", "cpy"),
        Outcome::UpdatedBySource => ("◁", "NBS UPD", "updated, not matched by source", "nbs upd"),
        Outcome::DeletedBySource => ("◁", "NBS DEL", "deleted, not matched by source", "nbs del"),
        Outcome::Ignored => ("·", "NOP", "no clause fired", "nop"),
    };
    OutcomeLook { glyph, code, word, class }
}

/// Several source rows for one target row.
pub const CONFLICT: OutcomeLook =
    OutcomeLook { glyph: "!", code: "DUP", word: "several source rows for one target row", class: "dup" };

/// In the order of the legend.
pub const OUTCOMES: [Outcome; 7] = [
    Outcome::Inserted,
    Outcome::Updated,
    Outcome::Deleted,
    Outcome::Copied,
    Outcome::UpdatedBySource,
    Outcome::DeletedBySource,
    Outcome::Ignored,
];

/// Glyph, word and class of a file's state.
pub fn file_status(status: FileStatus) -> (&'static str, &'static str, &'static str) {
    match status {
        FileStatus::Waiting => ("○", "waiting", "waiting"),
        FileStatus::Skipped => ("⧄", "skipped", "skipped"),
        FileStatus::Scanned => ("◔", "scanned", "scanned"),
        FileStatus::Touched => ("●", "touched", "touched"),
        FileStatus::Left => ("◌", "left as it is", "left"),
        FileStatus::RowsHidden => ("◐", "rows hidden by a deletion vector", "touched"),
        FileStatus::Removed => ("✕", "removed", "removed"),
    }
}

/// A phase's name.
pub fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Source => "Source",
        Phase::Prune => "Prune",
        Phase::Join => "Join",
        Phase::Classify => "Classify",
        Phase::Write => "Write",
        Phase::Commit => "Commit",
    }
}

/// All phases, in order.
pub const PHASES: [Phase; 6] = [Phase::Source, Phase::Prune, Phase::Join, Phase::Classify, Phase::Write, Phase::Commit];

/// `1 row`, `2 rows`.
pub fn count(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{} {noun}s", thousands(n)) }
}

/// Digits in groups of three, set apart by a narrow space.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut grouped = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    grouped
}

/// A size as people read it.
pub fn bytes(n: u64) -> String {
    match n {
        0..1_000 => format!("{n} B"),
        1_000..1_000_000 => format!("{}.{} kB", n / 1_000, n % 1_000 / 100),
        _ => format!("{}.{} MB", n / 1_000_000, n % 1_000_000 / 100_000),
    }
}

/// Milliseconds since the epoch as `2026-01-15 00:00:01 UTC`.
pub fn instant(milliseconds: i64) -> String {
    let seconds = milliseconds.div_euclid(1_000);
    let (days, of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Year, month and day of a day number, counted in 400-year cycles from March on, so that a leap
/// day is the last of its year.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::{bytes, count, instant, thousands};

    #[test]
    fn numbers_read_well() {
        assert_eq!(thousands(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(thousands(999), "999");
        assert_eq!(count(1, "row"), "1 row");
        assert_eq!(count(0, "row"), "0 rows");
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(1_250), "1.2 kB");
        assert_eq!(bytes(5_300_000), "5.3 MB");
    }

    #[test]
    fn instants_follow_the_calendar() {
        assert_eq!(instant(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(instant(1_768_435_200_000), "2026-01-15 00:00:00 UTC");
        assert_eq!(instant(951_782_400_000), "2000-02-29 00:00:00 UTC");
        assert_eq!(instant(-1), "1969-12-31 23:59:59 UTC");
    }
}
