//! Three-valued logic: what every condition of the statement is for every pair of rows, part by part.
//!
//! The engine evaluated each part; here the values are only looked up and put into words.

use crate::{Cell, ClauseKind, RowId, Step, Trace};
use serde::{Deserialize, Serialize};

/// The conditions of a statement and their truth values.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LogicImage {
    /// ON or WHERE first, then the conditions of clauses in their order.
    pub conditions: Vec<ConditionImage>,
}

/// One condition as a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConditionImage {
    /// The clause that it belongs to; absent for ON and WHERE.
    pub clause: Option<u32>,
    pub over: Over,
    /// Parents stand before their children; the first is the whole condition.
    pub nodes: Vec<NodeImage>,
}

/// Which rows a condition sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    Pair,
    Source,
    Target,
}

/// A part of a condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodeImage {
    /// Position of the part that this one stands in.
    pub parent: Option<u32>,
    pub op: LogicOp,
    /// As written.
    pub text: String,
    /// The columns it reads: whether of the source, and the position on that side.
    pub columns: Vec<(bool, u32)>,
    /// One letter per row or pair, see [`Truth::read`]; pairs are ordered by target row, then source row.
    pub values: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogicOp {
    And,
    Or,
    Not,
    /// Nothing that logic takes apart: a comparison, a test, a call, a column.
    Leaf,
}

/// A value of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    True,
    False,
    Null,
    /// Its evaluation stops the statement, e.g. a division by zero.
    Failed,
}

impl Truth {
    /// The letter's value: T, F, N; anything else failed.
    pub fn read(letter: u8) -> Truth {
        match letter {
            b'T' => Truth::True,
            b'F' => Truth::False,
            b'N' => Truth::Null,
            _ => Truth::Failed,
        }
    }

    /// As SQL writes it.
    pub fn word(self) -> &'static str {
        match self {
            Truth::True => "TRUE",
            Truth::False => "FALSE",
            Truth::Null => "NULL",
            Truth::Failed => "an error",
        }
    }
}

/// A target row, a source row, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pair {
    pub target: Option<RowId>,
    pub source: Option<u32>,
}

impl Trace {
    /// The condition of a clause, or ON or WHERE for `None`.
    pub fn condition_of(&self, clause: Option<u32>) -> Option<&ConditionImage> {
        self.logic.as_ref()?.conditions.iter().find(|condition| condition.clause == clause)
    }

    /// The value of a part of a condition; `None` where the pair lacks a row that the condition sees.
    pub fn truth(&self, condition: &ConditionImage, node: usize, pair: Pair) -> Option<Truth> {
        let source = pair.source.map(|source| source as usize);
        let at = match condition.over {
            Over::Source => source?,
            Over::Target => self.row_number(pair.target?)?,
            Over::Pair => self.row_number(pair.target?)? * self.source.as_ref()?.rows.len() + source?,
        };
        condition.nodes.get(node)?.values.as_bytes().get(at).map(|letter| Truth::read(*letter))
    }

    /// A row's number among all rows of the old files.
    fn row_number(&self, id: RowId) -> Option<usize> {
        let before = self.target.files.get(..id.file as usize)?;
        Some(before.iter().map(|file| file.rows.len()).sum::<usize>() + id.row as usize)
    }

    /// The cell that a part of a condition reads, with the column's name as the statement's sides have it.
    pub fn operand(&self, column: (bool, u32), pair: Pair) -> Option<(&str, &Cell)> {
        let at = column.1 as usize;
        let (columns, row) = if column.0 {
            let source = self.source.as_ref()?;
            (&source.columns, source.rows.get(pair.source? as usize)?)
        } else {
            let id = pair.target?;
            (&self.target.columns, self.target.files.get(id.file as usize)?.rows.get(id.row as usize)?)
        };
        Some((&columns.get(at)?.name, row.get(at)?))
    }

    /// Why a part has its value: one sentence.
    pub fn explain(&self, condition: &ConditionImage, node: usize, pair: Pair) -> String {
        let (Some(image), Some(value)) = (condition.nodes.get(node), self.truth(condition, node, pair)) else {
            return String::new();
        };
        let children: Vec<Truth> = (0..condition.nodes.len())
            .filter(|child| condition.nodes.get(*child).is_some_and(|child| child.parent == Some(node as u32)))
            .filter_map(|child| self.truth(condition, child, pair))
            .collect();
        let has_null = children.contains(&Truth::Null);
        match (image.op, value) {
            (_, Truth::Failed) => "It cannot be evaluated for this pair.".to_owned(),
            (LogicOp::Leaf, Truth::Null) => self.null_operands(image, pair),
            (LogicOp::Leaf, _) => String::new(),
            (LogicOp::Not, Truth::Null) => "NOT NULL is NULL: what is unknown stays unknown.".to_owned(),
            (LogicOp::Not, _) => "NOT turns it around.".to_owned(),
            (LogicOp::And, Truth::Null) => "NULL wins: no part is FALSE, and not every part is TRUE.".to_owned(),
            (LogicOp::And, Truth::False) if has_null => "FALSE wins over NULL in an AND.".to_owned(),
            (LogicOp::And, Truth::False) => "One FALSE is enough to make an AND FALSE.".to_owned(),
            (LogicOp::And, Truth::True) => "Every part is TRUE.".to_owned(),
            (LogicOp::Or, Truth::Null) => "NULL wins: no part is TRUE, and not every part is FALSE.".to_owned(),
            (LogicOp::Or, Truth::True) if has_null => "TRUE wins over NULL in an OR.".to_owned(),
            (LogicOp::Or, Truth::True) => "One TRUE is enough to make an OR TRUE.".to_owned(),
            (LogicOp::Or, Truth::False) => "Every part is FALSE.".to_owned(),
        }
    }

    fn null_operands(&self, image: &NodeImage, pair: Pair) -> String {
        let operands = image.columns.iter().filter_map(|column| self.operand(*column, pair));
        let nulls: Vec<String> =
            operands.filter(|(_, cell)| cell.is_none()).map(|(name, _)| format!("`{name}`")).collect();
        match nulls.as_slice() {
            [] => "An unknown value inside makes it unknown.".to_owned(),
            [one] => format!("{one} is NULL, and a comparison with an unknown value is unknown."),
            [first @ .., last] => {
                format!("{} and {last} are NULL, and unknown values do not compare.", first.join(", "))
            }
        }
    }

    /// The steps at which a condition that was asked about their rows is NULL.
    pub fn null_steps(&self) -> Vec<usize> {
        let is_null = |(idx, step): (usize, &Step)| self.meets_null(step).then_some(idx);
        if self.logic.is_none() { Vec::new() } else { self.steps.iter().enumerate().filter_map(is_null).collect() }
    }

    fn meets_null(&self, step: &Step) -> bool {
        let Step::Act { clause, target, source, .. } = step else { return false };
        let pair = Pair { target: *target, source: *source };
        let is_null = |condition: &ConditionImage, pair| self.truth(condition, 0, pair) == Some(Truth::Null);
        // A source row that met no target row, although for one of them ON is NULL, not FALSE.
        let unmet = target.is_none()
            && self.condition_of(None).is_some_and(|on| {
                on.over == Over::Pair
                    && self.target_rows().any(|target| is_null(on, Pair { target: Some(target), ..pair }))
            });
        let kind = kind_of(pair);
        let asked =
            self.clauses.iter().enumerate().take_while(|(idx, _)| clause.is_none_or(|acting| *idx <= acting as usize));
        let mut asked = asked.filter(|(_, image)| image.kind == kind);
        unmet || asked.any(|(idx, _)| self.condition_of(Some(idx as u32)).is_some_and(|own| is_null(own, pair)))
    }

    /// All target rows that have an image, in file order.
    pub fn target_rows(&self) -> impl Iterator<Item = RowId> {
        let files = self.target.files.iter().enumerate();
        files.flat_map(|(file, image)| {
            (0..image.rows.len()).map(move |row| RowId { file: file as u32, row: row as u32 })
        })
    }
}

/// The kind of clauses that decide about a pair.
pub(crate) fn kind_of(pair: Pair) -> ClauseKind {
    match (pair.target, pair.source) {
        (Some(_), Some(_)) => ClauseKind::Matched,
        (Some(_), None) => ClauseKind::NotMatchedBySource,
        (None, _) => ClauseKind::NotMatched,
    }
}
