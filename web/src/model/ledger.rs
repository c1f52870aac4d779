//! The playground's steps: what has run, and what was taken back and can come again.

use super::Step;
use protocol::RunReport;

/// Steps in their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ledger {
    pub steps: Vec<Step>,
    /// Taken back, the next one to come again last.
    pub undone: Vec<Step>,
    /// When the steps changed, in milliseconds since the epoch.
    pub at: u64,
    /// The saved steps are still to be replayed.
    pub is_stale: bool,
}

impl Ledger {
    /// Adds a step; what was taken back before it is gone.
    pub fn push(&mut self, step: Step, now_ms: u64) {
        self.undone.clear();
        self.steps.push(step);
        self.at = now_ms;
    }

    /// Adds every statement of a text that ran without an error. False if one failed: then none of them counts.
    pub fn add(&mut self, text: &str, report: &RunReport, now_ms: u64) -> bool {
        let failed = !report.errors.is_empty() || report.statements.iter().any(|statement| statement.error.is_some());
        if failed {
            return false;
        }
        if report.program {
            // A program is one step, whatever statements it made.
            self.push(Step { kind: "PYTHON".to_string(), text: text.to_string(), file: String::new() }, now_ms);
            return true;
        }
        for statement in &report.statements {
            let text = crate::span::slice(text, statement.span).unwrap_or_default().to_string();
            self.push(Step { kind: statement.kind.clone(), text, file: String::new() }, now_ms);
        }
        true
    }

    /// Takes back the last step that changed something, with what was only looked at after it. False if there is none.
    pub fn undo(&mut self, now_ms: u64) -> bool {
        let Some(last) = self.steps.iter().rposition(Step::changes) else { return false };
        let mut back = self.steps.split_off(last);
        back.reverse();
        self.undone.append(&mut back);
        self.at = now_ms;
        true
    }

    /// Takes a step again, with what was looked at after it. False if none was taken back.
    pub fn redo(&mut self, now_ms: u64) -> bool {
        let Some(step) = self.undone.pop() else { return false };
        self.steps.push(step);
        while let Some(step) = self.undone.pop_if(|step| !step.changes()) {
            self.steps.push(step);
        }
        self.at = now_ms;
        true
    }

    /// Takes everything back. False if there is nothing.
    pub fn reset(&mut self, now_ms: u64) -> bool {
        let mut back = std::mem::take(&mut self.steps);
        let did = !back.is_empty();
        back.reverse();
        self.undone.append(&mut back);
        self.at = now_ms;
        did
    }
}

impl Step {
    /// Whether tables, views or settings are others after it.
    pub fn changes(&self) -> bool {
        let looks = ["SELECT", "DESCRIBE", "SHOW"];
        !looks.iter().any(|word| self.kind.starts_with(word))
    }
}

#[cfg(test)]
mod tests {
    use super::Ledger;
    use crate::model::Step;

    fn step(kind: &str) -> Step {
        Step { kind: kind.into(), text: kind.to_lowercase(), file: String::new() }
    }

    fn kinds(steps: &[Step]) -> Vec<&str> {
        steps.iter().map(|step| step.kind.as_str()).collect()
    }

    #[test]
    fn undo_takes_back_the_last_change_and_redo_brings_it_again() {
        let mut ledger = Ledger::default();
        for kind in ["CREATE TABLE", "INSERT", "SELECT", "MERGE", "SELECT", "DESCRIBE HISTORY"] {
            ledger.push(step(kind), 1);
        }
        assert!(ledger.undo(2));
        assert_eq!(kinds(&ledger.steps), ["CREATE TABLE", "INSERT", "SELECT"]);
        assert!(ledger.undo(3));
        assert_eq!(kinds(&ledger.steps), ["CREATE TABLE"]);
        assert!(ledger.redo(4));
        assert_eq!(kinds(&ledger.steps), ["CREATE TABLE", "INSERT", "SELECT"]);
        assert!(ledger.redo(5) && !ledger.redo(6));
        assert_eq!(ledger.steps.len(), 6);
    }

    #[test]
    fn a_new_step_ends_what_could_come_again() {
        let mut ledger = Ledger::default();
        ledger.push(step("INSERT"), 1);
        ledger.undo(2);
        ledger.push(step("DELETE"), 3);
        assert!(!ledger.redo(4));
        assert_eq!(kinds(&ledger.steps), ["DELETE"]);
    }

    #[test]
    fn a_reset_can_be_taken_back() {
        let mut ledger = Ledger::default();
        assert!(!ledger.reset(1) && !ledger.undo(1));
        for kind in ["CREATE TABLE", "INSERT"] {
            ledger.push(step(kind), 2);
        }
        assert!(ledger.reset(3));
        assert!(ledger.redo(4) && ledger.redo(5));
        assert_eq!(kinds(&ledger.steps), ["CREATE TABLE", "INSERT"]);
    }
}
