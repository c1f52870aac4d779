//! How many rows met which outcome.

use crate::Outcome;
use serde::{Deserialize, Serialize};

/// Counts in the order of the outcomes; an outcome that no row met has none. A map of seven keys at most is a list.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Counts(Vec<(Outcome, u64)>);

impl Counts {
    /// Counts so many more rows; none leave things as they are.
    pub fn add(&mut self, outcome: Outcome, rows: u64) {
        let at = self.0.partition_point(|(other, _)| *other < outcome);
        match self.0.get_mut(at) {
            Some((other, n)) if *other == outcome => *n += rows,
            _ if rows > 0 => self.0.insert(at, (outcome, rows)),
            _ => {}
        }
    }

    /// All rows counted.
    pub fn total(&self) -> u64 {
        self.iter().map(|(_, rows)| rows).sum()
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Outcomes and their rows, all above 0.
    pub fn iter(&self) -> impl Iterator<Item = (Outcome, u64)> + '_ {
        self.0.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;
    use crate::Outcome;

    #[test]
    fn outcomes_come_in_their_order_and_only_once() {
        let mut counts = Counts::default();
        for (outcome, rows) in
            [(Outcome::Copied, 2), (Outcome::Inserted, 1), (Outcome::Copied, 3), (Outcome::Deleted, 0)]
        {
            counts.add(outcome, rows);
        }
        assert_eq!(counts.iter().collect::<Vec<_>>(), [(Outcome::Inserted, 1), (Outcome::Copied, 5)]);
        assert_eq!(counts.total(), 6);
    }
}
