//! Names, types, `*` and clause rules of a MERGE, resolved against a snapshot.
//!
//! What each place can see (semantics of the reference): ON and MATCHED see both sides, NOT
//! MATCHED sees the source, NOT MATCHED BY SOURCE sees the target.

use super::clause::{Action, Clause};
use crate::constraints::{Rules, defaults, identity};
use crate::observe::{ClauseInfo, ClauseKind};
use crate::resolve::Resolver;
use crate::sandbox::Context;
use crate::target::{self, Target};
use query::{AssignKind, BindError, Bound, Column, Plan, Scope, bind, plan_relation, usage};
use spec::{
    Assignment, Diagnostic, Expr, MatchedAction, MergeInto, Name, NotMatchedAction, NotMatchedBySourceAction, Relation,
    Span,
};

/// A MERGE whose every name and type is known.
#[derive(Debug)]
pub(crate) struct BoundMerge {
    pub(crate) target: Target,
    pub(crate) source: Plan,
    pub(crate) source_name: String,
    pub(crate) source_columns: Vec<Column>,
    /// Over target columns, then source columns.
    pub(crate) on: Bound,
    /// Matched, not matched, not matched by source; in the order of the text within each.
    pub(crate) clauses: Vec<Clause>,
    /// What the target's rows must be.
    pub(crate) rules: Rules,
}

impl BoundMerge {
    pub(crate) fn clause_infos(&self) -> Vec<ClauseInfo> {
        self.clauses.iter().map(Clause::info).collect()
    }
}

/// Binds the statement.
///
/// # Errors
/// `DELTA_MERGE_UNRESOLVED_EXPRESSION` and the other analysis errors of the reference.
pub(crate) async fn merge(context: &Context<'_>, merge: &MergeInto) -> Result<BoundMerge, Diagnostic> {
    if merge.schema_evolution {
        return Err(Diagnostic::unsupported("MERGE WITH SCHEMA EVOLUTION", merge.span));
    }
    let target = target::resolve(context.env, context.catalog, &merge.target, "MERGE INTO").await?;
    if target.columns.is_empty() {
        let message = format!("The target `{}` has no columns; a MERGE into it needs schema evolution.", target.name());
        return Err(Diagnostic::new("DELTA_MERGE_INTO_EMPTY_SCHEMA_TARGET", "428GU", message, merge.target.span));
    }
    let resolver = context.resolver();
    let source = plan_relation(&context.session, &resolver, &merge.ctes, &merge.source).await?;
    let source_columns = source.columns().to_vec();
    let (source_name, source_qualifier) = source_names(context, &merge.source);
    let binder =
        Binder { context, resolver, target: &target, source: &source_columns, source_qualifier: &source_qualifier };
    let on = binder.condition(&merge.on, Sides::Both, "search").await?;
    let clauses = binder.clauses(merge).await?;
    let rules = Rules::load(context, target.snapshot.metadata(), target.schema(), merge.target.span).await?;
    Ok(BoundMerge { target, source, source_name, source_columns, on, clauses, rules })
}

/// What the source is called, and what may stand before its columns.
fn source_names(context: &Context<'_>, source: &Relation) -> (String, Vec<String>) {
    match source {
        Relation::Table { alias: Some(alias), .. }
        | Relation::Subquery { alias: Some(alias), .. }
        | Relation::Function { alias: Some(alias), .. } => (alias.name.value.clone(), vec![alias.name.value.clone()]),
        Relation::Table { name, alias: None, .. } => {
            let qualifier = context.qualifier_of(name);
            (name.last().to_owned(), qualifier)
        }
        _ => ("source".to_owned(), Vec::new()),
    }
}

/// Which columns a place can see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sides {
    Both,
    Source,
    Target,
}

struct Binder<'a> {
    context: &'a Context<'a>,
    resolver: Resolver<'a>,
    target: &'a Target,
    source: &'a [Column],
    source_qualifier: &'a [String],
}

impl Binder<'_> {
    fn scope(&self, sides: Sides) -> Scope {
        let mut scope = Scope::new();
        if sides != Sides::Source {
            scope.add(&self.target.qualifier, &self.target.columns);
        }
        if sides != Sides::Target {
            scope.add(self.source_qualifier, self.source);
        }
        scope
    }

    async fn clauses(&self, merge: &MergeInto) -> Result<Vec<Clause>, Diagnostic> {
        let mut clauses = Vec::new();
        for clause in &merge.matched {
            let verb = if matches!(clause.action, MatchedAction::Delete) { "DELETE" } else { "UPDATE" };
            let condition = self.optional(clause.condition.as_ref(), Sides::Both, verb).await?;
            let action = match &clause.action {
                MatchedAction::Delete => Action::Delete,
                MatchedAction::UpdateAll => self.update_all(clause.span).await?,
                MatchedAction::Update(assignments) => self.update(assignments, Sides::Both).await?,
            };
            let left_out = Vec::new();
            clauses.push(Clause { kind: ClauseKind::Matched, condition, action, left_out, span: clause.span });
        }
        for clause in &merge.not_matched {
            let condition = self.optional(clause.condition.as_ref(), Sides::Source, "INSERT").await?;
            let (action, left_out) = match &clause.action {
                NotMatchedAction::InsertAll => (self.insert_all(clause.span).await?, Vec::new()),
                NotMatchedAction::Insert { columns, values } => self.insert(columns, values).await?,
            };
            clauses.push(Clause { kind: ClauseKind::NotMatched, condition, action, left_out, span: clause.span });
        }
        for clause in &merge.not_matched_by_source {
            let verb = if matches!(clause.action, NotMatchedBySourceAction::Delete) { "DELETE" } else { "UPDATE" };
            let condition = self.optional(clause.condition.as_ref(), Sides::Target, verb).await?;
            let action = match &clause.action {
                NotMatchedBySourceAction::Delete => Action::Delete,
                NotMatchedBySourceAction::Update(assignments) => self.update(assignments, Sides::Target).await?,
            };
            let (kind, left_out) = (ClauseKind::NotMatchedBySource, Vec::new());
            clauses.push(Clause { kind, condition, action, left_out, span: clause.span });
        }
        Ok(clauses)
    }

    async fn optional(&self, condition: Option<&Expr>, sides: Sides, verb: &str) -> Result<Option<Bound>, Diagnostic> {
        match condition {
            None => Ok(None),
            Some(condition) => self.condition(condition, sides, verb).await.map(Some),
        }
    }

    /// Conditions are deterministic and free of aggregates and subqueries.
    async fn condition(&self, condition: &Expr, sides: Sides, verb: &str) -> Result<Bound, Diagnostic> {
        let place = format!("{verb} condition");
        let of_merge = format!("{place} of MERGE operation");
        let used = usage(condition);
        if let Some((span, name)) = used.nondeterministic {
            let message = format!("Non-deterministic functions are not supported in the {of_merge}: {name}().");
            return Err(Diagnostic::new("DELTA_NON_DETERMINISTIC_FUNCTION_NOT_SUPPORTED", "0AKDC", message, span)
                .with_hint("Compute the value in the source query, which is read once."));
        }
        if let Some((span, name)) = used.aggregates {
            let message = format!("Aggregate functions are not supported in the {of_merge}: {name}().");
            return Err(Diagnostic::new("DELTA_AGGREGATION_NOT_SUPPORTED", "42903", message, span)
                .with_hint("Aggregate in the source query."));
        }
        if let Some(span) = used.subqueries {
            let message = format!("Subqueries are not supported in the {of_merge}.");
            return Err(Diagnostic::new("DELTA_UNSUPPORTED_SUBQUERY", "0AKDC", message, span)
                .with_hint("Join the subquery's rows in the source query instead."));
        }
        let bound = self.bind(condition, sides, &place).await?;
        self.must_be_boolean(&bound, verb)?;
        Ok(bound)
    }

    fn must_be_boolean(&self, bound: &Bound, verb: &str) -> Result<(), Diagnostic> {
        if bound.data_type() == delta::schema::DataType::Boolean {
            return Ok(());
        }
        let found = bound.type_name();
        let literal = bound.columns().is_empty();
        let (condition, sqlstate) = match verb {
            "search" if !literal => ("JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE", "42K0E"),
            _ => ("DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "42K09"),
        };
        let place = if verb == "search" { "ON".to_owned() } else { format!("the {verb} condition") };
        let message = format!("{place} must be true or false, but `{}` is of type {found}.", bound.catalyst());
        Err(Diagnostic::new(condition, sqlstate, message, bound.span()))
    }

    async fn bind(&self, expr: &Expr, sides: Sides, place: &str) -> Result<Bound, Diagnostic> {
        let scope = self.scope(sides);
        match bind(&self.context.session, &self.resolver, &scope, expr).await {
            Ok(bound) => Ok(bound),
            Err(BindError::Unresolved { name, span, .. }) => Err(self.unresolved(&name, span, sides, place)),
            Err(BindError::Other(problem)) => Err(problem),
        }
    }

    /// `DELTA_MERGE_UNRESOLVED_EXPRESSION`: the name is unknown, or on the side that is not visible here.
    fn unresolved(&self, name: &str, span: Span, sides: Sides, place: &str) -> Diagnostic {
        let visible: Vec<&str> = match sides {
            Sides::Both => self.target.columns.iter().chain(self.source).map(|column| column.name.as_str()).collect(),
            Sides::Source => self.source.iter().map(|column| column.name.as_str()).collect(),
            Sides::Target => self.target.columns.iter().map(|column| column.name.as_str()).collect(),
        };
        let visible = visible.join(", ");
        let message = format!("Cannot resolve {name} in {place} given columns: {visible}.");
        let hint = match sides {
            Sides::Both => {
                "Both the target's and the source's columns can be used here; check the spelling and the alias."
            }
            Sides::Source => "Here only the source's columns exist: no target row matched.",
            Sides::Target => "Here only the target's columns exist: no source row matched.",
        };
        Diagnostic::new("DELTA_MERGE_UNRESOLVED_EXPRESSION", "42601", message, span).with_hint(hint)
    }

    /// `UPDATE SET *`: every target column from the source column of the same name.
    async fn update_all(&self, span: Span) -> Result<Action, Diagnostic> {
        let n_target = self.target.columns.len();
        for field in &self.target.schema().fields {
            identity::refuse_update(field, span)?;
        }
        let scope = self.scope(Sides::Both);
        let mut values = Vec::with_capacity(n_target);
        for column in &self.target.columns {
            let from = self.same_name(column, span, "UPDATE clause")?;
            values.push(Some(self.assign_column(&scope, n_target + from, column)?));
        }
        Ok(Action::Update(values))
    }

    /// `INSERT *`: every target column from the source column of the same name.
    async fn insert_all(&self, span: Span) -> Result<Action, Diagnostic> {
        for field in &self.target.schema().fields {
            identity::refuse_explicit(field, span)?;
        }
        let scope = self.scope(Sides::Source);
        let mut values = Vec::with_capacity(self.target.columns.len());
        for column in &self.target.columns {
            let from = self.same_name(column, span, "INSERT clause")?;
            values.push(self.assign_column(&scope, from, column)?);
        }
        Ok(Action::Insert(values))
    }

    fn assign_column(&self, scope: &Scope, from: usize, to: &Column) -> Result<Bound, Diagnostic> {
        let session = &self.context.session;
        let bound =
            Bound::column(session, scope, from).ok_or_else(|| Diagnostic::internal("a column is not in its scope"))?;
        bound.assign(session, &to.data_type, AssignKind::Merge)
    }

    /// The source column with the name of a target column.
    fn same_name(&self, column: &Column, span: Span, place: &str) -> Result<usize, Diagnostic> {
        let same = |other: &Column| other.name.to_lowercase() == column.name.to_lowercase();
        self.source.iter().position(same).ok_or_else(|| {
            self.unresolved(&column.name, span, Sides::Source, place)
                .with_hint("`*` needs a source column for every column of the target; name the columns instead.")
        })
    }

    async fn update(&self, assignments: &[Assignment], sides: Sides) -> Result<Action, Diagnostic> {
        let mut values: Vec<Option<Bound>> = vec![None; self.target.columns.len()];
        for assignment in assignments {
            let idx = self.assigned_column(&assignment.column, "UPDATE clause")?;
            if values[idx].is_some() {
                let name = &self.target.columns[idx].name;
                let message =
                    format!("There is a conflict from these SET columns: `{name}` is assigned more than once.");
                return Err(Diagnostic::new("DELTA_CONFLICT_SET_COLUMN", "42701", message, assignment.column.span()));
            }
            if let Some(field) = self.target.schema().fields.get(idx) {
                identity::refuse_update(field, assignment.column.span())?;
            }
            let value = self.value(&assignment.value, sides, "UPDATE clause").await?;
            values[idx] =
                Some(value.assign(&self.context.session, &self.target.columns[idx].data_type, AssignKind::Merge)?);
        }
        Ok(Action::Update(values))
    }

    /// The values by column, and the columns that are left out: those get their default, else NULL.
    async fn insert(&self, columns: &[Name], values: &[Expr]) -> Result<(Action, Vec<usize>), Diagnostic> {
        let mut given: Vec<Option<Bound>> = vec![None; self.target.columns.len()];
        for (column, value) in columns.iter().zip(values) {
            let idx = self.assigned_column(column, "INSERT clause")?;
            if given[idx].is_some() {
                let message =
                    format!("Duplicate column name in the INSERT clause: `{}`.", self.target.columns[idx].name);
                return Err(Diagnostic::new("DELTA_DUPLICATE_COLUMNS_ON_INSERT", "42701", message, column.span()));
            }
            if let Some(field) = self.target.schema().fields.get(idx) {
                identity::refuse_explicit(field, column.span())?;
            }
            let bound = self.value(value, Sides::Source, "INSERT clause").await?;
            given[idx] =
                Some(bound.assign(&self.context.session, &self.target.columns[idx].data_type, AssignKind::Merge)?);
        }
        let scope = self.scope(Sides::Source);
        let left_out = (0..given.len()).filter(|idx| given[*idx].is_none()).collect();
        let mut filled = Vec::with_capacity(given.len());
        for (value, field) in given.into_iter().zip(&self.target.schema().fields) {
            filled.push(match value {
                Some(value) => value,
                None => defaults::value(self.context, &scope, field, AssignKind::Merge, Span::default()).await?,
            });
        }
        Ok((Action::Insert(filled), left_out))
    }

    /// Values may be non-deterministic and hold scalar subqueries, but no aggregates, windows or generators.
    async fn value(&self, value: &Expr, sides: Sides, place: &str) -> Result<Bound, Diagnostic> {
        let used = usage(value);
        if let Some((span, name)) = used.aggregates.or(used.windows) {
            let message = format!("{name}() cannot be used in the {place} of MERGE: it needs more than one row.");
            return Err(Diagnostic::new("UNSUPPORTED_EXPR_FOR_OPERATOR", "42K0E", message, span)
                .with_hint("Compute it in the source query."));
        }
        if let Some((span, name)) = used.generators {
            let message = format!("{name}() makes several rows of one, which the {place} of MERGE cannot take.");
            return Err(Diagnostic::new("UNSUPPORTED_GENERATOR.OUTSIDE_SELECT", "42K0E", message, span));
        }
        self.bind(value, sides, place).await
    }

    /// The target column on the left of an assignment.
    fn assigned_column(&self, name: &Name, place: &str) -> Result<usize, Diagnostic> {
        match target_column(&self.target.qualifier, &self.target.columns, name) {
            Assigned::Column(idx) => Ok(idx),
            Assigned::Field if place == "INSERT clause" => {
                let message = format!("Nested field `{name}` is not supported in the INSERT clause of MERGE.");
                Err(Diagnostic::new("DELTA_UNSUPPORTED_NESTED_FIELD_IN_OPERATION", "0AKDC", message, name.span()))
            }
            Assigned::Field => {
                Err(Diagnostic::unsupported(format!("Assigning the nested field `{name}`"), name.span()))
            }
            Assigned::Unknown => Err(self.unresolved(&name.to_string(), name.span(), Sides::Target, place)),
        }
    }
}

/// What the left side of an assignment names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Assigned {
    Column(usize),
    /// A field inside a column.
    Field,
    Unknown,
}

/// Finds the target column that a name stands for: `c`, or `c` behind any suffix of the qualifier.
pub(crate) fn target_column(qualifier: &[String], columns: &[Column], name: &Name) -> Assigned {
    let find = |part: &spec::Ident| columns.iter().position(|column| part.is(&column.name));
    for n_before in (0..name.parts.len()).rev() {
        let (before, rest) = name.parts.split_at(n_before);
        let Some(start) = qualifier.len().checked_sub(n_before) else { continue };
        let qualified = qualifier[start..].iter().zip(before).all(|(own, part)| part.is(own));
        let Some(idx) = rest.first().filter(|_| qualified).and_then(find) else { continue };
        return if rest.len() == 1 { Assigned::Column(idx) } else { Assigned::Field };
    }
    Assigned::Unknown
}
