//! What the rows of a table must be: NOT NULL, CHECK, generated columns, lengths of CHAR and VARCHAR, appends only.
//!
//! [`Rules`] are bound once per statement. [`Rules::complete`] computes what a statement leaves to the table,
//! [`Rules::check`] looks at the final rows of every file before one is written, copied rows included.

mod append_only;
pub(crate) mod defaults;
mod dependents;
pub(crate) mod identity;
mod lengths;
mod not_null;
mod violation;

pub(crate) use append_only::refuse_changes;
pub(crate) use dependents::{dependents, stored_expression};

use crate::batch::positional;
use crate::products::Piece;
use crate::sandbox::Context;
use crate::table::columns_of;
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::record_batch::RecordBatch;
use delta::actions::Metadata;
use delta::features::GENERATION_EXPRESSION;
use delta::schema::{StructField, StructType};
use lengths::Length;
use not_null::NotNull;
use query::{AssignKind, Bound, Scope, bind};
use spec::{BinaryOp, CastMode, Diagnostic, Expr, ExprKind, Ident, Name, Span};
use std::collections::BTreeSet;
use std::sync::Arc;
use violation::violation;

/// The prefix of the properties that hold CHECK constraints.
pub(crate) const CHECK_PREFIX: &str = "delta.constraints.";

/// The rules of one table.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    schema: StructType,
    checks: Vec<Check>,
    not_null: Vec<NotNull>,
    lengths: Vec<Length>,
    generated: Vec<Generated>,
}

/// A condition that must be true; NULL is a violation.
#[derive(Debug, Clone)]
struct Check {
    /// `CHECK constraint positive` or `Generated Column`, as messages name it.
    name: String,
    text: String,
    condition: Bound,
}

/// A column whose value follows from others.
#[derive(Debug, Clone)]
struct Generated {
    column: usize,
    value: Bound,
    /// That the column has the value.
    check: Check,
}

impl Rules {
    /// The rules of a table with this definition.
    ///
    /// # Errors
    /// An expression in the definition that cannot be bound.
    pub(crate) async fn load(
        context: &Context<'_>,
        metadata: &Metadata,
        schema: &StructType,
        span: Span,
    ) -> Result<Self, Diagnostic> {
        let mut scope = Scope::new();
        scope.add(&[], &columns_of(schema));
        let mut checks = Vec::new();
        for (key, text) in &metadata.configuration {
            let Some(name) = key.strip_prefix(CHECK_PREFIX) else { continue };
            let name = format!("CHECK constraint {name}");
            let condition = bound(context, &scope, stored_expression(text, span)?).await?;
            checks.push(Check { name, text: text.clone(), condition });
        }
        let mut generated = Vec::new();
        for (column, field) in schema.fields.iter().enumerate() {
            let Some(text) = generation_expression(field) else { continue };
            let expr = stored_expression(text, span)?;
            let value = bound(context, &scope, expr.clone()).await?;
            let value = value.assign(&context.session, &field.data_type, AssignKind::Update)?;
            let condition = bound(context, &scope, is_value(field, expr)?).await?;
            let check =
                Check { name: "Generated Column".into(), text: format!("{} <=> {text}", field.name), condition };
            generated.push(Generated { column, value, check });
        }
        let lengths = lengths::of(schema);
        Ok(Self { schema: schema.clone(), checks, not_null: not_null::of(schema), lengths, generated })
    }

    /// Whether the table computes the column.
    pub(crate) fn is_generated(&self, column: usize) -> bool {
        self.generated.iter().any(|generated| generated.column == column)
    }

    /// The generated columns to compute anew when these columns are assigned: those that read one of them, unless they
    /// are given themselves.
    pub(crate) fn to_recompute(&self, assigned: &BTreeSet<usize>) -> Vec<usize> {
        let reads = |generated: &&Generated| {
            !assigned.contains(&generated.column) && !generated.value.columns().is_disjoint(assigned)
        };
        self.generated.iter().filter(reads).map(|generated| generated.column).collect()
    }

    /// The rows with the generated columns at `compute` computed, and texts in the length of their CHAR columns.
    ///
    /// # Errors
    /// An expression fails on a row.
    pub(crate) fn complete(&self, rows: &RecordBatch, compute: &[usize]) -> Result<RecordBatch, Diagnostic> {
        if compute.is_empty() && self.lengths.is_empty() {
            return Ok(rows.clone());
        }
        let mut columns: Vec<ArrayRef> = rows.columns().to_vec();
        for length in &self.lengths {
            if let Some(column) = columns.get_mut(length.column) {
                *column = length.fitted(column);
            }
        }
        let fitted = positional(columns.clone(), rows.num_rows())?;
        for generated in self.generated.iter().filter(|generated| compute.contains(&generated.column)) {
            if let Some(column) = columns.get_mut(generated.column) {
                *column = generated.value.evaluate(&fitted)?;
            }
        }
        positional(columns, rows.num_rows())
    }

    /// Looks at all rows that are about to be written.
    ///
    /// # Errors
    /// `DELTA_NOT_NULL_CONSTRAINT_VIOLATED`, `DELTA_VIOLATE_CONSTRAINT_WITH_VALUES` or
    /// `DELTA_EXCEED_CHAR_VARCHAR_LIMIT`, naming rows and values.
    pub(crate) fn check<'p>(&self, pieces: impl IntoIterator<Item = &'p Piece>) -> Result<(), Diagnostic> {
        for piece in pieces {
            self.check_rows(&piece.rows)?;
        }
        Ok(())
    }

    fn check_rows(&self, rows: &RecordBatch) -> Result<(), Diagnostic> {
        if rows.num_rows() == 0 {
            return Ok(());
        }
        for check in &self.checks {
            self.check_condition(check, rows)?;
        }
        for rule in &self.not_null {
            let failing = rule.failing(rows);
            if !failing.is_empty() {
                return Err(not_null::violated(&rule.path, &self.schema, rows, &failing));
            }
        }
        for rule in &self.lengths {
            let failing = rule.failing(rows);
            if !failing.is_empty() {
                return Err(rule.violated(&self.schema, rows, &failing));
            }
        }
        for generated in &self.generated {
            self.check_condition(&generated.check, rows)?;
        }
        Ok(())
    }

    fn check_condition(&self, check: &Check, rows: &RecordBatch) -> Result<(), Diagnostic> {
        let failing = Self::failing(&check.condition, rows)?;
        if failing.is_empty() {
            return Ok(());
        }
        let used: Vec<usize> = check.condition.columns().into_iter().collect();
        Err(violation(&check.name, &check.text, &self.schema, &used, rows, &failing))
    }

    /// The rows on which a condition is not true.
    ///
    /// # Errors
    /// The condition fails on a row.
    pub(crate) fn failing(condition: &Bound, rows: &RecordBatch) -> Result<Vec<u64>, Diagnostic> {
        let truth = condition.evaluate(rows)?;
        let truth = truth.as_boolean_opt().ok_or_else(|| Diagnostic::internal("a condition is not boolean"))?;
        let fails = |row: &usize| truth.is_null(*row) || !truth.value(*row);
        Ok((0..truth.len()).filter(fails).map(|row| row as u64).collect())
    }
}

/// The text of a generated column's expression.
pub(crate) fn generation_expression(field: &StructField) -> Option<&str> {
    field.metadata.get(GENERATION_EXPRESSION).and_then(serde_json::Value::as_str)
}

async fn bound(context: &Context<'_>, scope: &Scope, expr: Expr) -> Result<Bound, Diagnostic> {
    let span = expr.span;
    let bound = bind(&context.session, &context.resolver(), scope, &expr).await;
    // Spans inside a stored expression point into its own text, not into the script.
    bound.map_err(|problem| Diagnostic { span: Some(span), ..Diagnostic::from(problem) })
}

/// `column <=> CAST(expression AS type of the column)`
fn is_value(field: &StructField, expr: Expr) -> Result<Expr, Diagnostic> {
    let span = expr.span;
    let data_type = sql::parse_data_type(&field.data_type.sql_name())?;
    let cast = Expr::new(ExprKind::Cast { expr: Box::new(expr), data_type, mode: CastMode::Ansi }, span);
    let column = Expr::new(ExprKind::Column(Name::bare(Ident::new(field.name.clone(), span))), span);
    let (left, right) = (Box::new(column), Box::new(cast));
    Ok(Expr::new(ExprKind::Binary { op: BinaryOp::NullSafeEq, left, right }, span))
}

/// Whether any row of the column is NULL, and which.
fn null_rows(column: &ArrayRef) -> Vec<u64> {
    if column.logical_null_count() == 0 {
        return Vec::new();
    }
    let nulls = Arc::clone(column).logical_nulls();
    nulls
        .map(|nulls| (0..nulls.len()).filter(|row| nulls.is_null(*row)).map(|row| row as u64).collect())
        .unwrap_or_default()
}
