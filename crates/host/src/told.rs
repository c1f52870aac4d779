//! What a program did, as a report.

use crate::errors::{range, report};
use crate::interpreter::Interpreter;
use crate::lab::Lab;
use crate::program::Shown;
use crate::tables;
use protocol::{RunReport, StatementReport};
use spec::Diagnostic;

/// Runs a program and reports on what it printed and did, in the order in which it happened.
pub(crate) async fn run_program(lab: &mut Lab, interpreter: &Interpreter, text: &str) -> RunReport {
    let problem = interpreter.run(lab, text).await.err();
    let (shown, written) = match &mut lab.program {
        Some(program) => (program.take_shown(), program.written().to_vec()),
        None => (Vec::new(), Vec::new()),
    };
    let statements = told(shown, problem.as_ref());
    let (tables, problems) = Box::pin(tables::all(&lab.sandbox, &written)).await;
    let errors = problems.iter().map(report).collect();
    RunReport { total: statements.len(), statements, errors, tables, program: true }
}

/// Card by card, the failure last. A statement that failed and was forgiven did nothing.
fn told(shown: Vec<Shown>, problem: Option<&Diagnostic>) -> Vec<StatementReport> {
    let mut statements: Vec<StatementReport> = Vec::new();
    for shown in shown {
        match shown {
            Shown::Statement(report) if report.error.is_none() => statements.push(*report),
            Shown::Statement(_) => {}
            Shown::Text(text) => statements.push(StatementReport { printed: Some(text), ..card("PRINTED") }),
        }
    }
    if let Some(problem) = problem {
        let span = range(problem.span.unwrap_or_default());
        statements.push(StatementReport { span, error: Some(report(problem)), ..card("PYTHON") });
    }
    statements
}

fn card(kind: &str) -> StatementReport {
    StatementReport {
        span: (0, 0),
        kind: kind.to_owned(),
        grid: None,
        printed: None,
        version: None,
        trace: None,
        error: None,
        elsewhere: Vec::new(),
        mirror: None,
    }
}
