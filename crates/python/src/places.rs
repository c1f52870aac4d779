//! Where the statements of a program are.
//!
//! The interpreter knows lines. The engine points at statements, of which one may go over many lines, and at the clauses
//! of a MERGE inside them.

use ruff_python_ast::{
    Expr, Stmt,
    visitor::{self, Visitor},
};
use ruff_python_parser::parse_module;
use ruff_text_size::{Ranged, TextRange};
use serde_json::{Value, json};

/// The statements and calls of a program, as byte ranges.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Where each line begins.
    lines: Vec<usize>,
    statements: Vec<TextRange>,
    /// Method calls: the name, and the range from the name to the closing parenthesis.
    calls: Vec<(String, TextRange)>,
}

impl Places {
    pub(crate) fn of(program: &str) -> Self {
        let mut places = Self { lines: vec![0], ..Self::default() };
        places.lines.extend(program.match_indices('\n').map(|(at, _)| at + 1));
        if let Ok(parsed) = parse_module(program) {
            for statement in &parsed.syntax().body {
                places.visit_stmt(statement);
            }
        }
        places.calls.sort_by_key(|(_, range)| range.start());
        places
    }

    /// Adds to a request that names a line the range of the statement there: `span`. The clauses of a MERGE get the
    /// ranges of their calls.
    pub(crate) fn add_to(&self, request: &mut Value) {
        if let Some(make) = request.get_mut("make") {
            return self.add_to(make);
        }
        let Some(line) = request["line"].as_u64() else { return };
        let Some(statement) = self.statement(line) else { return };
        request["span"] = json!([u32::from(statement.start()), u32::from(statement.end())]);
        let Some(clauses) = request.get_mut("clauses").and_then(Value::as_array_mut) else { return };
        let mut from = statement.start();
        for clause in clauses {
            let method = clause["method"].as_str().unwrap_or_default().to_owned();
            let inside = |range: &TextRange| statement.contains_range(*range) && range.start() >= from;
            let found =
                self.calls.iter().find(|(name, range)| *name == method && inside(range)).map(|(_, range)| *range);
            let own = found.or_else(|| self.statement(clause["line"].as_u64()?));
            if let Some(range) = own {
                clause["span"] = json!([u32::from(range.start()), u32::from(range.end())]);
                if found.is_some() {
                    from = range.end();
                }
            }
        }
    }

    /// The innermost statement that has a part of a line.
    fn statement(&self, line: u64) -> Option<TextRange> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        let start = *self.lines.get(index)?;
        let end = self.lines.get(index + 1).map_or(usize::MAX, |next| next.saturating_sub(1));
        let touches = |range: &&TextRange| usize::from(range.start()) <= end && usize::from(range.end()) > start;
        self.statements.iter().filter(touches).min_by_key(|range| range.len()).copied()
    }
}

impl<'a> Visitor<'a> for Places {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        self.statements.push(statement.range());
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Call(call) = expr
            && let Expr::Attribute(method) = call.func.as_ref()
        {
            let range = TextRange::new(method.attr.start(), call.end());
            self.calls.push((method.attr.to_string(), range));
        }
        visitor::walk_expr(self, expr);
    }
}
