//! The final row of a written piece, column by column: an assigned value, the old value, or what the table itself fills
//! in. UPDATE and MERGE share it.

use crate::constraints::{defaults, identity};
use crate::sandbox::Context;
use crate::target::Target;
use delta::schema::{DataType, StructField, StructType, same_name};
use query::{AssignKind, Bound, Scope, Usage};
use spec::{Diagnostic, Span};

/// One assignment whose names are resolved.
#[derive(Debug, Clone)]
pub(crate) struct Assigned {
    /// A target column, and the struct fields that lead from it to what is assigned.
    pub(crate) path: Vec<String>,
    pub(crate) value: Bound,
    /// Struct fields that only the target has keep their value: `UPDATE SET *` with schema evolution.
    pub(crate) keeps_fields: bool,
    pub(crate) span: Span,
}

/// What the values of a row are made from.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) context: &'a Context<'a>,
    /// What the values are bound in. An updated row's scope begins with the target's columns.
    pub(crate) scope: &'a Scope,
    /// With the columns as they will be.
    pub(crate) target: &'a Target,
    pub(crate) kind: AssignKind,
}

/// A value that an INSERT gives to a column.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub(crate) column: String,
    pub(crate) value: Bound,
    pub(crate) span: Span,
}

impl Row<'_> {
    /// The values of an updated row, one entry per target column; `None` leaves the column as it is, unless the table
    /// computes it from others.
    ///
    /// # Errors
    /// A column that is assigned twice, or as a whole and in part; a value that its column cannot take; an identity
    /// column.
    pub(crate) fn updated(&self, assigned: &[Assigned]) -> Result<Vec<Option<Bound>>, Diagnostic> {
        let (columns, fields) = (&self.target.columns, &self.target.schema().fields);
        let value = |(idx, (column, field)): (usize, (&query::Column, &StructField))| {
            let own: Vec<(&[String], &Assigned)> =
                assigned.iter().filter_map(|one| Some((below(&one.path, &column.name)?, one))).collect();
            let Some((_, first)) = own.first() else { return Ok(None) };
            identity::refuse_update(field, first.span)?;
            let old = Bound::column(&self.context.session, self.scope, idx)
                .ok_or_else(|| Diagnostic::internal("a column is not in its scope"))?;
            self.changed(old, &column.data_type, &own).map(Some)
        };
        columns.iter().zip(fields).enumerate().map(value).collect()
    }

    /// The values of a new row, one per target column, and the columns that are left out: those have their default here,
    /// and the table may still compute or number them.
    ///
    /// # Errors
    /// A value that its column cannot take, or that an identity column does not take.
    pub(crate) async fn inserted(&self, given: Vec<Given>) -> Result<(Vec<Bound>, Vec<usize>), Diagnostic> {
        let mut given: Vec<Option<Given>> = given.into_iter().map(Some).collect();
        let mut values = Vec::with_capacity(self.target.columns.len());
        let mut left_out = Vec::new();
        for (idx, (column, field)) in self.target.columns.iter().zip(&self.target.schema().fields).enumerate() {
            let is_own =
                |one: &&mut Option<Given>| one.as_ref().is_some_and(|one| same_name(&one.column, &column.name));
            values.push(match given.iter_mut().find(is_own).and_then(Option::take) {
                Some(own) => {
                    identity::refuse_explicit(field, own.span)?;
                    own.value.assign(&self.context.session, &column.data_type, self.kind)?
                }
                None => {
                    left_out.push(idx);
                    defaults::value(self.context, self.scope, field, self.kind, Span::default()).await?
                }
            });
        }
        Ok((values, left_out))
    }

    /// The value of a column, or of a field, of which at least a part is assigned.
    fn changed(&self, old: Bound, to: &DataType, assigned: &[(&[String], &Assigned)]) -> Result<Bound, Diagnostic> {
        if let Some((_, whole)) = assigned.iter().find(|(rest, _)| rest.is_empty()) {
            if let Some((_, other)) = assigned.iter().rev().find(|(_, other)| !std::ptr::eq(*other, *whole)) {
                return Err(conflict(whole, other));
            }
            let value = whole.value.clone();
            return match whole.keeps_fields {
                true => value.assign_over(&self.context.session, &old, to, self.kind),
                false => value.assign(&self.context.session, to, self.kind),
            };
        }
        match to {
            DataType::Struct(fields) => self.structure(&old, fields, assigned),
            _ => Err(Diagnostic::internal("a part of something that has no fields is assigned")),
        }
    }

    /// A struct with some fields assigned and the others as they are; where it was NULL they are NULL.
    fn structure(
        &self,
        old: &Bound,
        fields: &StructType,
        assigned: &[(&[String], &Assigned)],
    ) -> Result<Bound, Diagnostic> {
        let mut values = Vec::with_capacity(fields.fields.len());
        for field in &fields.fields {
            let own: Vec<(&[String], &Assigned)> =
                assigned.iter().filter_map(|(rest, one)| Some((below(rest, &field.name)?, *one))).collect();
            let value = old.field(&field.name, Span::default())?;
            values.push(if own.is_empty() { value } else { self.changed(value, &field.data_type, &own)? });
        }
        old.structure(fields, &values)
    }
}

/// What cannot be computed from one row, and so has no place in a condition or a value of UPDATE, DELETE and MERGE.
pub(crate) fn refused_in_row(used: &Usage, place: &str) -> Option<Diagnostic> {
    if let Some((span, name)) = used.aggregates.as_ref().or(used.windows.as_ref()) {
        let message = format!("{name}() cannot be used in the {place}: it needs more than one row.");
        let problem = Diagnostic::new("UNSUPPORTED_EXPR_FOR_OPERATOR", "42K0E", message, *span);
        return Some(problem.with_hint("Compute it in a query, and use that as the source of a MERGE."));
    }
    if let Some((span, name)) = &used.generators {
        let message = format!("{name}() makes several rows of one, which the {place} cannot take.");
        return Some(
            Diagnostic::new("UNSUPPORTED_GENERATOR.OUTSIDE_SELECT", "42K0E", message, *span)
                .with_hint("Make the rows in the source: SELECT …, explode(…) FROM …."),
        );
    }
    let span = used.predicate_subqueries?;
    let message = format!("IN and EXISTS with a query can only be used in a filter, not in the {place}.");
    let condition = "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.UNSUPPORTED_IN_EXISTS_SUBQUERY";
    Some(Diagnostic::new(condition, "0A000", message, span).with_hint("Join the query's rows in the source instead."))
}

/// The rest of a path that begins with `name`.
fn below<'a>(path: &'a [String], name: &str) -> Option<&'a [String]> {
    let (first, rest) = path.split_first()?;
    same_name(first, name).then_some(rest)
}

fn conflict(whole: &Assigned, other: &Assigned) -> Diagnostic {
    let message = format!(
        "There is a conflict from these SET columns: `{}` and `{}` are both assigned.",
        whole.path.join("."),
        other.path.join(".")
    );
    let span = if whole.span.start > other.span.start { whole.span } else { other.span };
    Diagnostic::new("DELTA_CONFLICT_SET_COLUMN", "42701", message, span)
        .with_hint("Assign each column once, and either a struct or its fields.")
}
