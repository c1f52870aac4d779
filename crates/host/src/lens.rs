//! What a trace tells beyond the steps: the values of every condition, and what would have skipped a file.

use crate::limits::LOGIC_PAIRS;
use crate::recorder::Recorder;
use engine::lens::{Condition, Over, Part, PartOp, Truth};
use engine::sandbox::Sandbox;
use spec::Statement;
use trace::{ConditionImage, LogicImage, LogicOp, NodeImage, Step, Trace};

/// What was found out about a statement that ran.
#[derive(Debug, Default)]
pub(crate) struct Lens {
    conditions: Vec<Condition>,
    /// Per file of the snapshot.
    would_skip: Vec<Option<String>>,
}

/// Looks closer at a statement that ran. What cannot be found out is left out: a run is never worse for it.
pub(crate) async fn look(sandbox: &Sandbox, script: &str, statement: &Statement, recorder: &Recorder) -> Lens {
    let Some(seen) = recorder.seen() else { return Lens::default() };
    let n_target: Option<u64> = seen.target.snapshot.files().iter().map(|add| add.n_live_rows()).sum();
    let n_source = seen.source.map_or(1, |(_, rows)| rows.num_rows() as u64);
    let n_pairs = n_target.map(|n_target| n_target.max(1).saturating_mul(n_source.max(1)));
    let conditions = if n_pairs.is_some_and(|n_pairs| n_pairs <= LOGIC_PAIRS) {
        Box::pin(sandbox.conditions(script, statement, seen)).await.unwrap_or_default()
    } else {
        Vec::new()
    };
    let decisions = recorder.decisions();
    let would_skip = Box::pin(sandbox.would_skip(script, statement, seen.target, decisions)).await;
    Lens { conditions, would_skip }
}

impl Lens {
    /// Adds what was found to the trace of the same statement.
    pub(crate) fn onto(self, script: &str, trace: &mut Trace) {
        for step in &mut trace.steps {
            if let Step::ScanFile { file, reason } = step {
                reason.would_skip = self.would_skip.get(*file as usize).cloned().flatten();
            }
        }
        if !self.conditions.is_empty() && !trace.summarised {
            let conditions = self.conditions.iter().map(|condition| image(condition, script)).collect();
            trace.logic = Some(LogicImage { conditions });
        }
    }
}

fn image(condition: &Condition, script: &str) -> ConditionImage {
    ConditionImage {
        clause: condition.clause.map(|clause| clause as u32),
        over: match condition.over {
            Over::Pair => trace::Over::Pair,
            Over::Source => trace::Over::Source,
            Over::Target => trace::Over::Target,
        },
        nodes: condition.parts.iter().map(|part| node(part, script)).collect(),
    }
}

fn node(part: &Part, script: &str) -> NodeImage {
    let letter = |truth: &Truth| match truth {
        Truth::True => 'T',
        Truth::False => 'F',
        Truth::Null => 'N',
        Truth::Failed => 'E',
    };
    NodeImage {
        parent: part.parent.map(|parent| parent as u32),
        op: match part.op {
            PartOp::And => LogicOp::And,
            PartOp::Or => LogicOp::Or,
            PartOp::Not => LogicOp::Not,
            PartOp::Leaf => LogicOp::Leaf,
        },
        text: part.span.of(script).to_owned(),
        columns: part.columns.iter().map(|(is_source, column)| (*is_source, *column as u32)).collect(),
        values: part.values.iter().map(letter).collect(),
    }
}
