//! Which reference the engine answers like, and where it is known not to.

/// The reference.
pub const ANSWERS_LIKE: &str = "Delta Lake 4.4.0 on Spark 4.0.1";

/// A sentence a difference, and below it, indented, the recorded cases that show it, as the suites tell them.
pub const KNOWN_DIFFERENCES: &str = include_str!("known_differences.txt");

/// The sentences.
pub fn known_differences() -> impl Iterator<Item = &'static str> {
    KNOWN_DIFFERENCES.lines().filter(|line| !line.starts_with(' '))
}

/// The cases that show a difference: `<id>: <what differs>`.
pub fn cases_that_differ() -> impl Iterator<Item = &'static str> {
    KNOWN_DIFFERENCES.lines().filter(|line| line.starts_with(' ')).map(str::trim_start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_a_sentence_with_cases() {
        let sentences: Vec<&str> = known_differences().collect();
        assert!(sentences.iter().all(|sentence| sentence.ends_with('.') && sentence.len() > 40));
        assert!(cases_that_differ().count() >= sentences.len());
        assert!(!KNOWN_DIFFERENCES.starts_with(' '));
    }
}
