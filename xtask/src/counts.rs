//! Reads how many cases a test program ran from what it prints.

use std::collections::BTreeMap;

/// Cases of a suite.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// Ignored or skipped.
    pub(crate) skipped: usize,
}

impl Count {
    /// One step that passed.
    pub(crate) const ONE: Count = Count { passed: 1, failed: 0, skipped: 0 };

    pub(crate) fn plus(self, other: Count) -> Count {
        Count {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }
}

/// The output of one or more test programs, read line by line.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    current: Option<Program>,
    programs: BTreeMap<Program, Count>,
}

/// A test program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Program {
    /// The name of its file without cargo's hash.
    name: String,
    /// Unit tests of a crate and documentation tests may be none; a suite of its own may not.
    may_be_empty: bool,
}

impl Reader {
    /// Takes the next line.
    pub(crate) fn line(&mut self, line: &str) {
        if let Some(program) = started(line) {
            self.programs.entry(program.clone()).or_default();
            self.current = Some(program);
        } else if let Some(count) = libtest_result(line).or_else(|| plain_result(line)) {
            let unnamed = || Program { name: "tests".to_owned(), may_be_empty: false };
            let program = self.current.clone().unwrap_or_else(unnamed);
            let known = self.programs.entry(program).or_default();
            *known = known.plus(count);
        }
    }

    /// The sum over all programs.
    pub(crate) fn total(&self) -> Count {
        self.programs.values().fold(Count::default(), |sum, count| sum.plus(*count))
    }

    /// Each program that ran cases, with its count, in alphabetical order.
    pub(crate) fn suites(&self) -> impl Iterator<Item = (&str, Count)> {
        self.programs
            .iter()
            .map(|(program, count)| (program.name.as_str(), *count))
            .filter(|(_, count)| *count != Count::default())
    }

    /// Suites that ran no case, and suites that skipped one, each as a sentence.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let mut complaints = Vec::new();
        for (program, count) in &self.programs {
            if count.passed + count.failed == 0 && !program.may_be_empty {
                complaints.push(format!("the suite {} ran no case", program.name));
            }
            if count.skipped > 0 {
                complaints.push(format!("{} skipped {} cases", program.name, count.skipped));
            }
        }
        if self.total().passed + self.total().failed == 0 {
            complaints.push("no case was run at all".to_owned());
        }
        complaints
    }
}

/// `Running unittests src/lib.rs (…/deps/name-hash)`, `Running suite/x.rs (…/deps/x-hash)`, `Doc-tests name`.
fn started(line: &str) -> Option<Program> {
    let line = line.trim();
    if let Some(name) = line.strip_prefix("Doc-tests ") {
        return Some(Program { name: format!("{name} (documentation)"), may_be_empty: true });
    }
    let (source, file) = line.strip_prefix("Running ")?.strip_suffix(')')?.split_once(" (")?;
    let file = file.rsplit(['/', '\\']).next()?;
    let name = file.rsplit_once('-').map_or(file, |(name, _)| name).trim_end_matches(".wasm");
    let is_unit = source.starts_with("unittests ");
    Some(Program { name: if is_unit { format!("{name} (unit)") } else { name.to_owned() }, may_be_empty: is_unit })
}

/// `test result: ok. 3 passed; 0 failed; 0 ignored; …`, of libtest and of wasm-bindgen-test.
fn libtest_result(line: &str) -> Option<Count> {
    let (_, numbers) = line.trim().strip_prefix("test result: ")?.split_once(". ")?;
    let number = |name: &str| {
        numbers.split(';').find_map(|part| part.trim().strip_suffix(name)?.trim().parse::<usize>().ok()).unwrap_or(0)
    };
    Some(Count { passed: number("passed"), failed: number("failed"), skipped: number("ignored") })
}

/// `3 passed, 0 failed[, 0 skipped]`, alone on a line or behind `word: `.
fn plain_result(line: &str) -> Option<Count> {
    let line = line.trim();
    let line = match line.split_once(": ") {
        Some((word, rest)) if !word.contains(' ') => rest,
        _ => line,
    };
    let mut parts = line.split(", ");
    let passed = parts.next()?.strip_suffix(" passed")?.parse().ok()?;
    let failed = parts.next()?.strip_suffix(" failed")?.parse().ok()?;
    let skipped = match parts.next() {
        Some(part) => part.strip_suffix(" skipped")?.parse().ok()?,
        None => 0,
    };
    parts.next().is_none().then_some(Count { passed, failed, skipped })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Reader {
        let mut reader = Reader::default();
        text.lines().for_each(|line| reader.line(line));
        reader
    }

    #[test]
    fn cases_are_counted_per_program() {
        let reader = read(
            "     Running unittests src/lib.rs (/t/debug/deps/delta-0a1b)\n\
             test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
             \x20    Running suite/edges.rs (/t/debug/deps/edges-ff00)\n\
             test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n",
        );
        let suites: Vec<_> = reader.suites().collect();
        assert_eq!(suites[0], ("delta (unit)", Count { passed: 3, failed: 0, skipped: 0 }));
        assert_eq!(suites[1], ("edges", Count { passed: 1, failed: 2, skipped: 0 }));
        assert_eq!(reader.total(), Count { passed: 4, failed: 2, skipped: 0 });
        assert_eq!(reader.complaints(), Vec::<String>::new());
    }

    #[test]
    fn an_empty_suite_is_told_and_an_empty_crate_is_not() {
        let reader = read(
            "     Running unittests src/main.rs (/t/deps/web-1)\n\
             test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\
             \x20    Running suite/conform.rs (/t/deps/conform-2)\n\
             test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out\n\
             \x20    Running suite/crashed.rs (/t/deps/crashed-3)\n\
             \x20  Doc-tests delta\n\
             test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
        );
        assert_eq!(reader.complaints(), ["the suite conform ran no case", "the suite crashed ran no case"]);
    }

    #[test]
    fn skipping_is_never_silent() {
        let reader = read(
            "     Running suite/a.rs (/t/deps/a-1)\n\
             test result: ok. 1 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out\n",
        );
        assert_eq!(reader.complaints(), ["a skipped 2 cases"]);
    }

    #[test]
    fn nothing_at_all_is_a_complaint() {
        assert_eq!(read("hello\n").complaints(), ["no case was run at all"]);
    }

    #[test]
    fn the_plain_closing_line_counts() {
        assert_eq!(plain_result("12 passed, 0 failed, 1 skipped"), Some(Count { passed: 12, failed: 0, skipped: 1 }));
        assert_eq!(plain_result("lessons: 4 passed, 1 failed"), Some(Count { passed: 4, failed: 1, skipped: 0 }));
        assert_eq!(plain_result("so 4 passed, 1 failed"), None);
        assert_eq!(plain_result("4 passed, 1 failed, and more"), None);
    }
}
