//! The clauses with the left sides of their assignments resolved and `*` spelled out.
//!
//! Without schema evolution `*` goes over the target's columns, with it over the source's; then a name on the left may
//! also be one that only the source has.

use super::bind::{Binder, Sides};
use crate::names::{self, in_collection, left_of};
use crate::observe::ClauseKind;
use delta::schema::same_name;
use query::Column;
use spec::{
    Assignment, Diagnostic, Expr, ExprKind, MatchedAction, MergeInto, Name, NotMatchedAction, NotMatchedBySourceAction,
    Span,
};

/// A clause whose left sides are known and whose expressions are not bound yet.
#[derive(Debug)]
pub(super) struct NamedClause<'a> {
    pub(super) kind: ClauseKind,
    pub(super) condition: Option<&'a Expr>,
    pub(super) action: NamedAction<'a>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum NamedAction<'a> {
    Update(Vec<Left<'a>>),
    Insert(Vec<Left<'a>>),
    Delete,
}

/// One assignment.
#[derive(Debug)]
pub(super) struct Left<'a> {
    /// A column and the fields inside it that lead to what is assigned.
    pub(super) path: Vec<String>,
    pub(super) given: Given<'a>,
    /// Struct fields that only the target has keep their value.
    pub(super) keeps_fields: bool,
    pub(super) span: Span,
}

/// What is assigned.
#[derive(Debug, Clone, Copy)]
pub(super) enum Given<'a> {
    Expr(&'a Expr),
    /// The source column at this position.
    Source(usize),
}

impl<'a> NamedClause<'a> {
    /// `UPDATE`, `DELETE` or `INSERT`.
    pub(super) fn verb(&self) -> &'static str {
        match self.action {
            NamedAction::Update(_) => "UPDATE",
            NamedAction::Insert(_) => "INSERT",
            NamedAction::Delete => "DELETE",
        }
    }

    pub(super) fn lefts(&self) -> &[Left<'a>] {
        match &self.action {
            NamedAction::Update(lefts) | NamedAction::Insert(lefts) => lefts,
            NamedAction::Delete => &[],
        }
    }

    /// The paths that it assigns.
    pub(super) fn assigned(&self) -> Vec<Vec<String>> {
        self.lefts().iter().map(|left| left.path.clone()).collect()
    }
}

impl Binder<'_> {
    /// The clauses of the statement, in the order matched, not matched, not matched by source.
    pub(super) async fn named_clauses<'a>(&self, merge: &'a MergeInto) -> Result<Vec<NamedClause<'a>>, Diagnostic> {
        let mut clauses = Vec::new();
        for clause in &merge.matched {
            let action = match &clause.action {
                MatchedAction::Delete => NamedAction::Delete,
                MatchedAction::UpdateAll => NamedAction::Update(self.star(clause.span, "UPDATE clause")?),
                MatchedAction::Update(list) => NamedAction::Update(self.assignments(list, self.may_evolve).await?),
            };
            let condition = clause.condition.as_ref();
            clauses.push(NamedClause { kind: ClauseKind::Matched, condition, action, span: clause.span });
        }
        for clause in &merge.not_matched {
            let action = NamedAction::Insert(match &clause.action {
                NotMatchedAction::InsertAll => self.star(clause.span, "INSERT clause")?,
                NotMatchedAction::Insert { columns, values } => self.inserts(columns, values).await?,
            });
            let condition = clause.condition.as_ref();
            clauses.push(NamedClause { kind: ClauseKind::NotMatched, condition, action, span: clause.span });
        }
        for clause in &merge.not_matched_by_source {
            let action = match &clause.action {
                NotMatchedBySourceAction::Delete => NamedAction::Delete,
                NotMatchedBySourceAction::Update(list) => NamedAction::Update(self.assignments(list, false).await?),
            };
            let condition = clause.condition.as_ref();
            clauses.push(NamedClause { kind: ClauseKind::NotMatchedBySource, condition, action, span: clause.span });
        }
        Ok(clauses)
    }

    /// `UPDATE SET *` and `INSERT *`.
    fn star<'a>(&self, span: Span, place: &str) -> Result<Vec<Left<'a>>, Diagnostic> {
        let left = |name: &str, idx| Left {
            path: vec![name.to_owned()],
            given: Given::Source(idx),
            keeps_fields: self.may_evolve && place == "UPDATE clause",
            span,
        };
        if self.may_evolve {
            return Ok(self.source.iter().enumerate().map(|(idx, column)| left(&column.name, idx)).collect());
        }
        let columns = self.target.columns.iter();
        columns.map(|column| Ok(left(&column.name, self.same_name(column, span, place)?))).collect()
    }

    /// The source column with the name of a target column.
    fn same_name(&self, column: &Column, span: Span, place: &str) -> Result<usize, Diagnostic> {
        let same = |other: &Column| same_name(&other.name, &column.name);
        if self.source.iter().filter(|other| same(other)).count() > 1 {
            let message = format!("Reference `{}` is ambiguous: the source has it more than once.", column.name);
            return Err(Diagnostic::new("AMBIGUOUS_REFERENCE", "42704", message, span));
        }
        self.source.iter().position(same).ok_or_else(|| {
            self.unresolved(&column.name, span, Sides::Source, place)
                .with_hint("`*` needs a source column for every column of the target; name the columns instead.")
        })
    }

    async fn assignments<'a>(
        &self,
        assignments: &'a [Assignment],
        from_source: bool,
    ) -> Result<Vec<Left<'a>>, Diagnostic> {
        let mut lefts = Vec::with_capacity(assignments.len());
        for Assignment { column, value } in assignments {
            let path = self.left(column, "UPDATE clause", from_source).await?;
            lefts.push(Left { path, given: Given::Expr(value), keeps_fields: false, span: column.span() });
        }
        Ok(lefts)
    }

    async fn inserts<'a>(&self, columns: &[Name], values: &'a [Expr]) -> Result<Vec<Left<'a>>, Diagnostic> {
        let mut lefts: Vec<Left<'a>> = Vec::with_capacity(columns.len());
        for (column, value) in columns.iter().zip(values) {
            let path = self.left(column, "INSERT clause", self.may_evolve).await?;
            if path.len() > 1 {
                let message = format!("Nested field `{column}` is not supported in the INSERT clause of MERGE.");
                let span = column.span();
                return Err(Diagnostic::new("DELTA_UNSUPPORTED_NESTED_FIELD_IN_OPERATION", "0AKDC", message, span)
                    .with_hint("Insert the whole struct, with named_struct(…)."));
            }
            if lefts.iter().any(|other| other.path == path) {
                let message = format!("Duplicate column name in the INSERT clause: `{}`.", path.join("."));
                let span = column.span();
                return Err(Diagnostic::new("DELTA_DUPLICATE_COLUMNS_ON_INSERT", "42701", message, span)
                    .with_hint("Name each column once."));
            }
            lefts.push(Left { path, given: Given::Expr(value), keeps_fields: false, span: column.span() });
        }
        Ok(lefts)
    }

    /// What a name on the left stands for. A name that the target lacks may be one of the source's with schema evolution.
    async fn left(&self, name: &Name, place: &str, from_source: bool) -> Result<Vec<String>, Diagnostic> {
        match left_of(&self.target.qualifier, &self.target.columns, name) {
            names::Left::Path(path) => return Ok(path),
            names::Left::InCollection => return Err(in_collection(name)),
            names::Left::Unknown => {}
        }
        // The binder knows best what is wrong with a name.
        let expr = Expr::new(ExprKind::Column(name.clone()), name.span());
        let sides = if from_source { Sides::Source } else { Sides::Target };
        if from_source && let names::Left::Path(path) = left_of(self.source_qualifier, self.source, name) {
            return Ok(path);
        }
        match self.bind(&expr, sides, place).await {
            Err(problem) => Err(problem),
            Ok(_) => Err(in_collection(name)),
        }
    }
}
