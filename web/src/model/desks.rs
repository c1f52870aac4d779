//! The desks that are open.

use super::{Desk, Load};

/// One desk per place that was opened. There are only ever a few, so they are looked through.
#[derive(Debug, Default)]
pub struct Desks(Vec<(String, Desk)>);

impl Desks {
    /// The desk of a place, if it was opened.
    pub fn get(&self, place: &str) -> Option<&Desk> {
        self.0.iter().find(|(of, _)| of == place).map(|(_, desk)| desk)
    }

    /// The desk of a place, to change it.
    pub fn get_mut(&mut self, place: &str) -> Option<&mut Desk> {
        self.0.iter_mut().find(|(of, _)| of == place).map(|(_, desk)| desk)
    }

    /// Whether desks were opened and none of them has its lesson yet.
    pub fn are_all_waiting(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(|(_, desk)| matches!(desk.file, Load::Waiting))
    }

    /// Puts a desk at a place, instead of the one that was there.
    pub fn put(&mut self, place: &str, desk: Desk) {
        self.0.retain(|(of, _)| of != place);
        self.0.push((place.to_string(), desk));
    }
}
