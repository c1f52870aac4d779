//! Versions of a key over time: half-open intervals, what is wrong with them, and the rows that hold at an instant.

use crate::{Cell, ColumnImage, RowImage};

/// Which columns make a history (slowly changing dimension, type 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntervalColumns {
    pub key: usize,
    /// From this instant on.
    pub start: usize,
    /// Up to, but not including, this one; NULL has no end.
    pub end: usize,
    /// Whether the row says of itself that it holds now.
    pub current: Option<usize>,
}

/// The versions of one key, by their start.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyHistory<'a> {
    pub key: &'a Cell,
    pub versions: Vec<&'a RowImage>,
    pub faults: Vec<Fault>,
}

/// What is wrong with the versions of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Nothing holds from the first instant to the second.
    Gap(String, String),
    /// Two versions hold from this instant on.
    Overlap(String),
    TwoCurrent,
}

impl IntervalColumns {
    /// Finds them by name and type; `None` for a table that keeps no history of this kind.
    pub fn of(columns: &[ColumnImage]) -> Option<Self> {
        let is_instant = |column: &ColumnImage| column.data_type == "date" || column.data_type.starts_with("timestamp");
        let names = |column: &ColumnImage, words: &[&str]| {
            let name = column.name.to_ascii_lowercase();
            name.split('_').any(|part| words.contains(&part))
        };
        let find = |words: &[&str]| columns.iter().position(|column| is_instant(column) && names(column, words));
        let (start, end) = (find(&["from", "start", "begin", "since"])?, find(&["to", "end", "until", "thru"])?);
        let is_flag =
            |column: &ColumnImage| column.data_type == "boolean" && names(column, &["current", "active", "latest"]);
        let is_key = |idx: &usize| {
            let name = columns.get(*idx).map(|column| column.name.to_ascii_lowercase()).unwrap_or_default();
            *idx != start && *idx != end && !name.ends_with("_sk") && name != "sk"
        };
        let key = (0..columns.len()).find(is_key)?;
        Some(Self { key, start, end, current: columns.iter().position(is_flag) })
    }

    /// The histories of all keys, in the order of the keys' text.
    pub fn histories<'a>(self, rows: &[&'a RowImage]) -> Vec<KeyHistory<'a>> {
        let mut histories: Vec<KeyHistory<'a>> = Vec::new();
        for row in rows {
            let Some(key) = row.get(self.key) else { continue };
            let at = match histories.binary_search_by(|history| history.key.cmp(key)) {
                Ok(at) => at,
                Err(at) => {
                    histories.insert(at, KeyHistory { key, versions: Vec::new(), faults: Vec::new() });
                    at
                }
            };
            if let Some(history) = histories.get_mut(at) {
                let starts_before = |version: &&RowImage| version.get(self.start) <= row.get(self.start);
                let at = history.versions.partition_point(starts_before);
                history.versions.insert(at, row);
            }
        }
        for history in &mut histories {
            history.faults = self.faults(&history.versions);
        }
        histories
    }

    fn faults(self, versions: &[&RowImage]) -> Vec<Fault> {
        let cell = |row: &RowImage, at: usize| row.get(at).cloned().flatten();
        let mut faults = Vec::new();
        for pair in versions.windows(2) {
            let [before, after] = pair else { continue };
            let (Some(start), end) = (cell(after, self.start), cell(before, self.end)) else { continue };
            match end {
                Some(end) if end < start => faults.push(Fault::Gap(end, start)),
                Some(end) if end == start => {}
                _ => faults.push(Fault::Overlap(start)),
            }
        }
        let is_current = |row: &&&RowImage| match self.current {
            Some(current) => cell(row, current).as_deref() == Some("true"),
            None => cell(row, self.end).is_none(),
        };
        if versions.iter().filter(is_current).count() > 1 {
            faults.push(Fault::TwoCurrent);
        }
        faults
    }

    /// The rows that hold at an instant, written as the columns' values are: `start <= instant < end`.
    pub fn as_of<'a>(self, rows: &[&'a RowImage], instant: &str) -> Vec<&'a RowImage> {
        let holds = |row: &&&RowImage| {
            let started = row.get(self.start).cloned().flatten().is_some_and(|start| start.as_str() <= instant);
            started && row.get(self.end).cloned().flatten().is_none_or(|end| instant < end.as_str())
        };
        rows.iter().filter(holds).copied().collect()
    }

    /// The instants at which something begins or ends, ascending: between two of them nothing changes.
    pub fn instants(self, rows: &[&RowImage]) -> Vec<String> {
        let mut instants: Vec<String> = Vec::new();
        for instant in rows.iter().flat_map(|row| [row.get(self.start), row.get(self.end)]).flatten().flatten() {
            if let Err(at) = instants.binary_search(instant) {
                instants.insert(at, instant.clone());
            }
        }
        instants
    }
}

/// Days since 1970-01-01 of a text that starts with a date; the rest of the day as a fraction is left out.
pub fn day_number(instant: &str) -> Option<i64> {
    let mut parts = instant.get(..10)?.splitn(3, '-');
    let mut next = || parts.next()?.parse::<i64>().ok();
    let (year, month, day) = (next()?, next()?, next()?);
    // Counted from March on, so that a leap day is the last of its year.
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * month + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}
