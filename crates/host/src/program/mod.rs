//! What a Python program asks of the engine, one request after the other.
//!
//! The program runs elsewhere (crate `python`; in the browser in a wasm module of its own) and knows tables, frames and
//! columns by names and numbers only. Every request is a plain value, and so is every answer: the frame that was made
//! with its columns, rows, text to print, or a complaint with the exception that PySpark would raise.

mod exception;
mod rows;
mod show;
mod stale;
mod values;

use crate::errors::range;
use crate::grid::grid;
use crate::limits::GRID_ROWS;
use crate::mirrored::{Language, mirrored};
use crate::recorder::Summary;
use crate::run::{Done, statement_report};
use crate::script::{Item, items};
use delta::schema::{StructField, StructType};
use engine::sandbox::{Outcome, Rows, Sandbox};
use frames::{Frames, Script};
use protocol::StatementReport;
use query::{Column, Looked};
use serde_json::{Value, json};
use spec::{
    CreateView, Diagnostic, Expr, ExprKind, Ident, Literal, Name, Query, QueryBody, Relation, Select, SelectItem, Span,
    Statement, StatementKind,
};
use std::collections::BTreeSet;

type Result<T> = std::result::Result<T, Diagnostic>;

/// What a program did that is to be seen, in the order in which it happened.
#[derive(Debug, Clone)]
pub enum Shown {
    /// Text that it printed.
    Text(String),
    /// A statement that ran, or a frame that it displayed.
    Statement(Box<StatementReport>),
}

impl Shown {
    /// The text, where it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Statement(_) => None,
        }
    }
}

/// Bytes of text that a program can print.
const MAX_PRINTED: usize = 1_000_000;

/// One run of a program.
#[derive(Debug)]
pub struct Program {
    script: Script,
    frames: Frames,
    looked: Looked,
    /// Frames of statements that give nothing back.
    empty: BTreeSet<u32>,
    complaints: Vec<Diagnostic>,
    shown: Vec<Shown>,
    n_printed: usize,
    written: Vec<String>,
    /// What the statements that write did, and the rows of the last one that gave some.
    summaries: Vec<Summary>,
    last_rows: Option<Rows>,
}

impl Program {
    /// Goes on with another program of the same session: names, frames and views stay.
    pub fn begin(&mut self, text: &str) {
        self.script.begin(text);
        self.n_printed = 0;
        self.written.clear();
        self.summaries.clear();
    }

    /// A program that has not asked for anything yet.
    pub fn new(text: &str) -> Self {
        Self {
            script: Script::new(text),
            frames: Frames::default(),
            looked: Looked::default(),
            empty: BTreeSet::new(),
            complaints: Vec::new(),
            shown: Vec::new(),
            n_printed: 0,
            written: Vec::new(),
            summaries: Vec::new(),
            last_rows: None,
        }
    }

    /// Answers a request; a complaint is an answer, too.
    pub async fn answer(&mut self, sandbox: &mut Sandbox, asked: &Value) -> Value {
        match Box::pin(self.reply(sandbox, asked)).await {
            Ok(reply) => reply,
            Err(problem) => {
                let at = if asked["make"].is_object() { &asked["make"] } else { asked };
                let place = frames::span_of(&self.script, at);
                let problem = self.in_program(problem, place);
                let error = exception::of(&problem, self.complaints.len());
                self.complaints.push(problem);
                json!({ "error": error })
            }
        }
    }

    /// Text that the program printed; what is more than anyone reads is left out.
    pub fn print(&mut self, text: &str) {
        if self.n_printed >= MAX_PRINTED {
            return;
        }
        self.n_printed += text.len();
        let text =
            if self.n_printed >= MAX_PRINTED { "\n… the program prints more than is shown here\n" } else { text };
        match self.shown.last_mut() {
            Some(Shown::Text(before)) => before.push_str(text),
            _ => self.shown.push(Shown::Text(text.to_owned())),
        }
    }

    /// What there is to be seen since the last call.
    pub fn take_shown(&mut self) -> Vec<Shown> {
        std::mem::take(&mut self.shown)
    }

    /// The complaint of that number: an exception that nobody caught names it.
    pub fn complaint(&self, number: usize) -> Option<&Diagnostic> {
        self.complaints.get(number)
    }

    /// The tables that were written to, in order.
    pub fn written(&self) -> &[String] {
        &self.written
    }

    /// The place of a line of the program, counted from 1, in the program's text.
    fn line(&self, line: u64) -> Option<Span> {
        self.script.shown(self.script.line(line))
    }

    /// What stopped the program, from the failure that its interpreter tells: the engine's own complaint, or an exception as
    /// a complaint about the line that raised it.
    pub(crate) fn problem_of(&self, failure: &Value) -> Diagnostic {
        let complaint = failure["complaint"].as_u64().and_then(|number| usize::try_from(number).ok());
        if let Some(problem) = complaint.and_then(|number| self.complaint(number)) {
            return problem.clone();
        }
        let text = |key: &str| failure[key].as_str().unwrap_or_default();
        let condition = if failure["condition"].is_string() { text("condition") } else { text("kind") };
        let line = failure["lines"].as_array().and_then(|lines| lines.last()?.as_u64());
        let problem = Diagnostic::new(condition, "", text("message"), line.and_then(|line| self.line(line)));
        match failure["hint"].as_str() {
            Some(hint) => problem.with_hint(hint),
            None => problem,
        }
    }

    /// What the statements of the program that write did, in order.
    pub fn summaries(&self) -> &[Summary] {
        &self.summaries
    }

    /// What the last statement of a cell of SQL that gives rows gave.
    pub fn last_rows(&self) -> Option<&Rows> {
        self.last_rows.as_ref()
    }

    /// Runs a cell of SQL in the same session: its statements one by one, up to the first that fails.
    ///
    /// # Errors
    /// What is wrong with that one.
    pub async fn run_sql(&mut self, sandbox: &mut Sandbox, text: &str) -> Result<()> {
        self.begin(text);
        let placed = self.script.placed(text, 1);
        for item in items(&placed) {
            let ran = match item {
                Item::Unreadable(problem) => Err(problem),
                Item::Statement(statement) => {
                    let outcome = Box::pin(self.outcome(sandbox, &statement)).await;
                    outcome.map(|outcome| self.last_rows = outcome.rows.or_else(|| self.last_rows.take()))
                }
            };
            ran.map_err(|problem| self.in_program(problem, Span::default()))?;
        }
        Ok(())
    }

    /// The columns and rows of a frame, for those who check what a program made.
    ///
    /// # Errors
    /// There is no such frame, or its rows cannot be read.
    pub async fn rows_of(&self, sandbox: &Sandbox, frame: u32) -> Result<Rows> {
        if self.empty.contains(&frame) {
            return Ok(Rows { columns: Vec::new(), batches: Vec::new() });
        }
        sandbox.rows(self.script.text(), self.frames.query(frame)?).await
    }

    /// The complaint with places that the program has.
    fn in_program(&self, problem: Diagnostic, line: Span) -> Diagnostic {
        let mut problem = problem.or_at(line);
        let fallback = self.script.shown(line);
        problem.span = problem.span.and_then(|span| self.script.shown(span)).or(fallback);
        let edits = std::mem::take(&mut problem.edits);
        let shown = |edit: spec::Edit| Some(spec::Edit { span: self.script.shown(edit.span)?, ..edit });
        problem.edits = edits.into_iter().filter_map(shown).collect();
        for sample in &mut problem.rows {
            sample.spans.clear();
        }
        problem
    }

    async fn reply(&mut self, sandbox: &mut Sandbox, asked: &Value) -> Result<Value> {
        let text = |key: &str| asked[key].as_str().unwrap_or_default();
        let line = asked["line"].as_u64().unwrap_or(0);
        let span = frames::span_of(&self.script, asked);
        match text("do") {
            "begin" => {
                self.begin(text("text"));
                Ok(json!({}))
            }
            "sql_cell" => self.run_sql(sandbox, text("text")).await.map(|()| json!({})),
            "frame" => self.make(sandbox, &asked["make"]).await,
            "type" => Ok(json!({ "type": values::type_of(text("text"))? })),
            "column" => {
                let mut name = frames::parse_name(text("name"))?;
                name.parts.iter_mut().for_each(|part| part.span = span);
                let (frame, query) = self.asked(asked)?;
                let look = sandbox.look(self.script.text(), query, frame, &self.looked).await?;
                let (index, path) = look.resolve(&name)?;
                let path: Vec<&str> = path.iter().map(|part| part.value.as_str()).collect();
                Ok(json!({ "index": index, "path": path }))
            }
            "dropped" => {
                let column = frames::expr(&mut self.script, &asked["column"])?;
                let (frame, query) = self.asked(asked)?;
                let look = sandbox.look(self.script.text(), query, frame, &self.looked).await?;
                Ok(json!({ "indexes": look.positions(&column) }))
            }
            "rows" => {
                let query = self.limited(asked, asked["limit"].as_u64())?;
                let Some(query) = query else { return Ok(json!({ "rows": [] })) };
                let rows = sandbox.rows(self.script.text(), &query).await?;
                let mut rows = values::rows(&rows)?;
                if let Some(last) = asked["last"].as_u64() {
                    rows.drain(..rows.len().saturating_sub(usize::try_from(last).unwrap_or(usize::MAX)));
                }
                Ok(json!({ "rows": rows }))
            }
            "show" => self.show(sandbox, asked).await,
            "explain" => Ok(json!({ "text": EXPLAINED })),
            "text" => Ok(json!({ "text": query::text_of(&frames::expr(&mut self.script, &asked["column"])?) })),
            "view" => self.view(sandbox, asked, span).await,
            "display" => self.display(sandbox, asked, span).await,
            "set" => sandbox.set(text("key"), text("value")).map(|()| json!({})),
            "get" => Ok(json!({ "value": sandbox.setting(text("key")) })),
            "reset" => {
                sandbox.reset(text("key"));
                Ok(json!({}))
            }
            "settings" => Ok(json!({ "all": sandbox.settings().collect::<Vec<_>>() })),
            "exists" => Ok(json!({ "exists": sandbox.knows(&frames::parse_name(text("name"))?) })),
            "now" => Ok(json!({ "micros": sandbox.env().clock.now_ms() * 1_000 })),
            "sql" => self.sql(sandbox, asked, line).await,
            "delta_table" | "is_delta" => self.delta_table(sandbox, asked, span).await,
            "merge" => {
                self.stale_source(sandbox, asked).await?;
                self.same_columns(sandbox, asked).await?;
                let merge = frames::merge(&mut self.script, &self.frames, asked)?;
                let span = merge.span;
                let merge = StatementKind::Merge(Box::new(merge));
                let mirror = mirrored(&merge, Language::Python);
                let answer = self.run(sandbox, merge, span).await;
                if let Some(Shown::Statement(report)) = self.shown.last_mut() {
                    report.mirror = mirror;
                }
                answer
            }
            "delete" => {
                let delete = frames::delete(&mut self.script, asked)?;
                self.known_to(sandbox, asked, &delete.table, delete.filter.iter().cloned().collect()).await?;
                self.run(sandbox, StatementKind::Delete(Box::new(delete)), span).await
            }
            "update" => {
                let update = frames::update(&mut self.script, asked)?;
                let column = |name: &Name| Expr::new(ExprKind::Column(name.clone()), name.span());
                let pairs = update.assignments.iter().flat_map(|pair| [column(&pair.column), pair.value.clone()]);
                let exprs = update.filter.iter().cloned().chain(pairs).collect();
                self.known_to(sandbox, asked, &update.table, exprs).await?;
                self.run(sandbox, StatementKind::Update(Box::new(update)), span).await
            }
            "command" => {
                let command = frames::command(&mut self.script, asked)?;
                self.run(sandbox, command, span).await
            }
            // The rows are computed, and nobody gets them.
            "write" if text("format") == "noop" => {
                let (_, query) = self.asked(asked)?;
                sandbox.drain(self.script.text(), query).await.map(|()| json!({}))
            }
            "write" => {
                let write = frames::write(&mut self.script, &self.frames, asked)?;
                self.run(sandbox, write, span).await
            }
            "write_to" => {
                let write = frames::write_to(&mut self.script, &self.frames, asked)?;
                self.run(sandbox, write, span).await
            }
            "create" => {
                let create = frames::create(&mut self.script, asked)?;
                self.run(sandbox, StatementKind::CreateTable(Box::new(create)), span).await
            }
            other => Err(Diagnostic::internal(format!("no request: {other}"))),
        }
    }

    /// The frame that a request is about.
    fn asked(&self, asked: &Value) -> Result<(u32, &Query)> {
        let frame = asked["frame"].as_u64().and_then(|frame| u32::try_from(frame).ok()).unwrap_or(u32::MAX);
        Ok((frame, self.frames.query(frame)?))
    }

    /// Its query with at most `limit` rows; `None` for a frame without columns.
    fn limited(&self, asked: &Value, limit: Option<u64>) -> Result<Option<Query>> {
        let (frame, query) = self.asked(asked)?;
        if self.empty.contains(&frame) {
            return Ok(None);
        }
        let Some(limit) = limit else { return Ok(Some(query.clone())) };
        let span = query.span;
        let limit = Expr::new(ExprKind::Literal(Literal::Long(i64::try_from(limit).unwrap_or(i64::MAX))), span);
        let body = QueryBody::Query(Box::new(query.clone()));
        Ok(Some(Query {
            ctes: Vec::new(),
            body,
            order_by: Vec::new(),
            limit: Some(limit),
            offset: None,
            seen: Vec::new(),
            span,
        }))
    }

    async fn make(&mut self, sandbox: &mut Sandbox, make: &Value) -> Result<Value> {
        if let Some(given) = make["rows"].as_array() {
            let rows = rows::of_program(&make["schema"], given)?;
            return self.keep(sandbox, rows).await;
        }
        let frame = self.frames.make(&mut self.script, make)?;
        self.known(sandbox, frame).await
    }

    /// The frame with its columns; one that is refused is forgotten.
    async fn known(&mut self, sandbox: &Sandbox, frame: u32) -> Result<Value> {
        let looked = match self.frames.query(frame) {
            Ok(query) => Box::pin(sandbox.look(self.script.text(), query, frame, &self.looked)).await,
            Err(problem) => Err(problem),
        };
        match looked {
            Ok(look) => {
                self.looked.add(frame, &look);
                self.frames.see(frame, look.seen().to_vec());
                Ok(json!({ "frame": frame, "schema": schema(look.columns()) }))
            }
            Err(problem) => {
                self.frames.forget_last();
                Err(problem)
            }
        }
    }

    /// Rows as a frame.
    async fn keep(&mut self, sandbox: &mut Sandbox, rows: Rows) -> Result<Value> {
        if rows.columns.is_empty() {
            return self.nothing();
        }
        let name = sandbox.keep_rows(rows)?;
        let frame = self.frames.keep(reading(name))?;
        self.known(sandbox, frame).await
    }

    fn nothing(&mut self) -> Result<Value> {
        let frame = self.frames.keep(reading(Name::bare(Ident::new("nothing", Span::default()))))?;
        self.empty.insert(frame);
        Ok(json!({ "frame": frame, "schema": schema(&[]) }))
    }

    async fn show(&mut self, sandbox: &Sandbox, asked: &Value) -> Result<Value> {
        let n = asked["n"].as_i64().unwrap_or(20).max(0);
        let n = usize::try_from(n).unwrap_or(0);
        let query = self.limited(asked, Some(n as u64 + 1))?;
        let rows = match &query {
            Some(query) => sandbox.rows(self.script.text(), query).await?,
            None => Rows { columns: Vec::new(), batches: Vec::new() },
        };
        let truncate = usize::try_from(asked["truncate"].as_i64().unwrap_or(20)).unwrap_or(0);
        let text = show::text(&rows, n, truncate, asked["vertical"].as_bool().unwrap_or(false))?;
        Ok(json!({ "text": text }))
    }

    async fn view(&mut self, sandbox: &mut Sandbox, asked: &Value, span: Span) -> Result<Value> {
        let name = frames::parse_name(asked["name"].as_str().unwrap_or_default())?;
        let name = Name { parts: name.parts.into_iter().map(|part| Ident::new(part.value, span)).collect() };
        let or_replace = asked["replace"].as_bool().unwrap_or(false);
        let (_, query) = self.asked(asked)?;
        let view = CreateView { name, or_replace, temporary: true, columns: Vec::new(), query: query.clone() };
        let statement = Statement { kind: StatementKind::CreateView(Box::new(view)), span };
        let text = self.script.text().to_owned();
        Box::pin(sandbox.execute(&text, &statement, &mut engine::observe::Silent)).await?;
        Ok(json!({}))
    }

    /// `display(df)`: its rows as the page shows those of a SELECT.
    async fn display(&mut self, sandbox: &Sandbox, asked: &Value, span: Span) -> Result<Value> {
        let query = self.limited(asked, Some(GRID_ROWS as u64 + 1))?;
        let Some(query) = query else { return Ok(json!({})) };
        let rows = sandbox.rows(self.script.text(), &query).await?;
        let report = StatementReport {
            span: range(self.script.shown(span).unwrap_or_default()),
            kind: "DISPLAY".to_owned(),
            grid: Some(grid(&rows)?),
            printed: None,
            version: None,
            trace: None,
            error: None,
            elsewhere: Vec::new(),
            mirror: None,
        };
        self.shown.push(Shown::Statement(Box::new(report)));
        Ok(json!({}))
    }

    async fn sql(&mut self, sandbox: &mut Sandbox, asked: &Value, line: u64) -> Result<Value> {
        let text = values::with_parameters(asked, &mut self.script)?;
        let placed = self.script.placed(&text, line);
        let mut parsed = sql::parse(&placed);
        if let Some(problem) = parsed.diagnostics.into_iter().next() {
            return Err(problem);
        }
        let n_statements = parsed.statements.len();
        match (parsed.statements.pop(), n_statements) {
            (Some(Statement { kind: StatementKind::Query(query), .. }), 1) => {
                let frame = self.frames.keep(*query)?;
                self.known(sandbox, frame).await
            }
            (Some(statement), 1) => self.execute(sandbox, statement).await,
            (Some(second), _) => {
                let message = "spark.sql runs one statement; this text holds several.";
                Err(Diagnostic::syntax(message, second.span).with_hint("Call spark.sql once for each."))
            }
            (None, _) => Err(Diagnostic::syntax("There is no statement in this text.", self.script.line(line))),
        }
    }

    async fn delta_table(&mut self, sandbox: &Sandbox, asked: &Value, span: Span) -> Result<Value> {
        let asks = asked["do"].as_str() == Some("is_delta");
        let name = frames::target(asked, span)?;
        let relation = Relation::Table { name: name.clone(), time_travel: None, alias: None, span };
        let looked = sandbox.look(self.script.text(), &all_of(relation, span), 0, &self.looked).await;
        let is_delta = match sandbox.table(&name) {
            Some(entry) => matches!(entry.format, engine::Format::Delta),
            None => false,
        };
        match looked {
            _ if asks => Ok(json!({ "is": looked.is_ok() && is_delta })),
            Ok(_) if is_delta => Ok(json!({})),
            Err(problem) if asked["name"].is_string() && problem.condition == "TABLE_OR_VIEW_NOT_FOUND" => Err(problem),
            // A table without columns is one all the same.
            Err(problem) if is_delta && problem.condition != "PATH_NOT_FOUND" => Ok(json!({})),
            _ => {
                let what = asked["path"].as_str().or(asked["name"].as_str()).unwrap_or_default();
                let message = format!("`{what}` is not a Delta table.");
                Err(Diagnostic::new("DELTA_MISSING_DELTA_TABLE", "42P01", message, span))
            }
        }
    }

    async fn run(&mut self, sandbox: &mut Sandbox, kind: StatementKind, span: Span) -> Result<Value> {
        self.execute(sandbox, Statement { kind, span }).await
    }

    /// Runs a statement and tells of it; its rows become a frame.
    async fn execute(&mut self, sandbox: &mut Sandbox, statement: Statement) -> Result<Value> {
        match Box::pin(self.outcome(sandbox, &statement)).await? {
            Outcome { rows: Some(rows), .. } => self.keep(sandbox, rows).await,
            Outcome { rows: None, .. } => self.nothing(),
        }
    }

    async fn outcome(&mut self, sandbox: &mut Sandbox, statement: &Statement) -> Result<Outcome> {
        let text = self.script.text().to_owned();
        let Done { mut report, summary, result } = Box::pin(statement_report(sandbox, &text, statement)).await;
        let shown = |span: Span| self.script.shown(span);
        report.span = range(shown(statement.span).unwrap_or_default());
        self.written.extend(summary.as_ref().map(|summary| summary.table.clone()));
        self.summaries.extend(summary);
        if let Some(error) = &mut report.error {
            let of_range = |(start, end): (u32, u32)| shown(Span::new(start as usize, end as usize)).map(range);
            error.span = error.span.and_then(of_range);
            let edits = std::mem::take(&mut error.edits);
            let edit = |edit: protocol::Edit| Some(protocol::Edit { span: of_range(edit.span)?, ..edit });
            error.edits = edits.into_iter().filter_map(edit).collect();
        }
        self.shown.push(Shown::Statement(Box::new(report)));
        result
    }
}

const EXPLAINED: &str = "The engine here is not Spark's, so its plan would say nothing of Spark's: run the MERGE and step \
                         through what it did.";

/// The columns of a frame as the schema that PySpark shows.
fn schema(columns: &[Column]) -> Value {
    let field = |column: &Column| StructField {
        nullable: column.nullable,
        ..StructField::new(column.name.as_str(), column.data_type.clone())
    };
    let fields = columns.iter().map(field).collect();
    serde_json::from_str(&StructType { fields }.to_json()).unwrap_or_default()
}

/// A query that reads rows which are kept under a name.
fn reading(name: Name) -> Query {
    let span = Span::default();
    let body = QueryBody::Table(name);
    let inner =
        Query { ctes: Vec::new(), body, order_by: Vec::new(), limit: None, offset: None, seen: Vec::new(), span };
    all_of(Relation::Subquery { query: Box::new(inner), lateral: false, alias: None, frame: None, span }, span)
}

/// `SELECT *` of a relation.
fn all_of(from: Relation, span: Span) -> Query {
    let select = Select {
        distinct: false,
        items: vec![SelectItem::Star { qualifier: None, except: Vec::new(), span }],
        from: vec![from],
        lateral_views: Vec::new(),
        filter: None,
        group_by: spec::GroupBy::None,
        having: None,
        windows: Vec::new(),
        exchanges: Vec::new(),
        span,
    };
    let body = QueryBody::Select(Box::new(select));
    Query { ctes: Vec::new(), body, order_by: Vec::new(), limit: None, offset: None, seen: Vec::new(), span }
}
