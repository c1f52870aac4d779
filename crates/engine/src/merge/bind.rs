//! Names, types, `*` and clause rules of a MERGE, resolved against a snapshot.
//!
//! What each place can see (semantics of the reference): ON and MATCHED see both sides, NOT
//! MATCHED sees the source, NOT MATCHED BY SOURCE sees the target.

use super::actions::{Given, Left, NamedAction, NamedClause};
use super::clause::{Action, Clause};
use super::evolve::evolved;
use super::written_rows;
use crate::constraints::Rules;
use crate::observe::{ClauseInfo, ClauseKind};
use crate::resolve::Resolver;
use crate::row::{self, Assigned, Row, refused_in_row};
use crate::sandbox::Context;
use crate::target::{self, Target};
use delta::schema::DataType;
use query::{AssignKind, BindError, Bound, Column, Plan, Scope, bind, columns_named, plan_relation, usage};
use spec::{Diagnostic, Expr, ExprKind, MergeInto, Relation, Span};

/// A MERGE whose every name and type is known.
#[derive(Debug)]
pub(crate) struct BoundMerge {
    /// With the columns that schema evolution adds; its files are read as if they had them.
    pub(crate) target: Target,
    /// The columns before the statement, where the commit must say that they change.
    pub(crate) columns_before: Option<Vec<Column>>,
    pub(crate) source: Plan,
    pub(crate) source_name: String,
    pub(crate) source_columns: Vec<Column>,
    /// Where the script writes each row of the source; empty where it does not write them one by one.
    pub(crate) source_rows: Vec<Span>,
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

    /// Whether the clause of that number removes its rows.
    pub(crate) fn deletes(&self, clause: u16) -> bool {
        self.clauses.get(usize::from(clause)).is_some_and(|clause| matches!(clause.action, Action::Delete))
    }
}

const NOT_BOOLEAN_FILTER: (&str, &str) = ("DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "42K09");

/// Binds the statement.
///
/// # Errors
/// `DELTA_MERGE_UNRESOLVED_EXPRESSION` and the other analysis errors of the reference.
pub(crate) async fn merge(context: &Context<'_>, merge: &MergeInto) -> Result<BoundMerge, Diagnostic> {
    let may_evolve = merge.schema_evolution || context.settings.merges_schemas();
    let target = target::resolve(context.env, context.catalog, &merge.target, "MERGE INTO").await?;
    if target.columns.is_empty() && !may_evolve {
        let message = format!("The target `{}` has no columns; a MERGE into it needs schema evolution.", target.name());
        return Err(Diagnostic::new("DELTA_MERGE_INTO_EMPTY_SCHEMA_TARGET", "428GU", message, merge.target.span));
    }
    let resolver = context.resolver();
    let source = plan_relation(&context.session, &resolver, &merge.ctes, &merge.source).await?;
    let source_columns = source.columns().to_vec();
    let (source_name, source_qualifier) = source_names(context, &merge.source);
    let mut binder = Binder {
        context,
        resolver,
        n_named: target.columns.len(),
        target,
        source: &source_columns,
        source_qualifier: &source_qualifier,
        source_frame: matches!(merge.source, Relation::Subquery { frame: Some(_), .. }).then_some(&source),
        may_evolve,
        blocks: [!merge.matched.is_empty(), !merge.not_matched.is_empty(), !merge.not_matched_by_source.is_empty()],
    };
    let clauses = binder.named_clauses(merge).await?;
    let mut columns_before = None;
    if may_evolve {
        binder.check_names(merge, &clauses).await?;
        let assigned = clauses.iter().filter(|clause| clause.kind != ClauseKind::NotMatchedBySource);
        let assigned: Vec<Vec<String>> = assigned.flat_map(NamedClause::assigned).collect();
        if let Some(target) = evolved(context.env, &binder.target, &assigned, &source_columns, merge.source.span())? {
            columns_before = Some(std::mem::replace(&mut binder.target, target).columns);
        }
    }
    let on = binder.condition(&merge.on, Sides::Both, "search").await?;
    let mut bound = Vec::with_capacity(clauses.len());
    for clause in &clauses {
        bound.push(binder.clause(clause).await?);
    }
    let target = binder.target;
    let rules = Rules::load(context, target.snapshot.metadata(), target.schema(), merge.target.span).await?;
    let source_rows = written_rows::of(merge);
    Ok(BoundMerge {
        target,
        columns_before,
        source,
        source_name,
        source_columns,
        source_rows,
        on,
        clauses: bound,
        rules,
    })
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
pub(super) enum Sides {
    Both,
    Source,
    Target,
}

impl Sides {
    fn of(kind: ClauseKind) -> Self {
        match kind {
            ClauseKind::NotMatched => Self::Source,
            ClauseKind::NotMatchedBySource => Self::Target,
            ClauseKind::Matched | ClauseKind::Statement => Self::Both,
        }
    }
}

pub(super) struct Binder<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) resolver: Resolver<'a>,
    pub(super) target: Target,
    /// How many of the target's columns an expression can name: those that schema evolution adds come behind them.
    pub(super) n_named: usize,
    pub(super) source: &'a [Column],
    pub(super) source_qualifier: &'a [String],
    /// Where the source is a data frame, whose columns are known by more than one name.
    source_frame: Option<&'a Plan>,
    pub(super) may_evolve: bool,
    /// Which blocks of clauses there are: matched, not matched, not matched by source.
    blocks: [bool; 3],
}

impl Binder<'_> {
    pub(super) fn scope(&self, sides: Sides) -> Scope {
        let mut scope = Scope::new();
        if sides != Sides::Source {
            let (named, added) = self.target.columns.split_at(self.n_named.min(self.target.columns.len()));
            scope.add(&self.target.qualifier, named);
            scope.add_hidden(added);
        }
        if sides != Sides::Target {
            match self.source_frame {
                Some(plan) => scope.add_query(plan),
                None => {
                    scope.add(self.source_qualifier, self.source);
                }
            }
        }
        scope
    }

    /// With schema evolution names and types are those of the table as it is; what does not fit them is told before
    /// anything about new columns.
    async fn check_names(&self, merge: &MergeInto, clauses: &[NamedClause<'_>]) -> Result<(), Diagnostic> {
        self.bind(&merge.on, Sides::Both, "search condition").await?;
        for clause in clauses {
            let (sides, place) = (Sides::of(clause.kind), format!("{} clause", clause.verb()));
            for left in clause.lefts() {
                if let Given::Expr(value) = left.given {
                    self.value(value, sides, &place).await?;
                }
            }
            if let Some(condition) = clause.condition {
                self.condition(condition, sides, clause.verb()).await?;
            }
        }
        Ok(())
    }

    async fn clause(&self, clause: &NamedClause<'_>) -> Result<Clause, Diagnostic> {
        let sides = Sides::of(clause.kind);
        let condition = match clause.condition {
            None => None,
            Some(condition) => Some(self.condition(condition, sides, clause.verb()).await?),
        };
        let kind = if self.may_evolve { AssignKind::MergeEvolving } else { AssignKind::Merge };
        let scope = self.scope(sides);
        let row = Row { context: self.context, scope: &scope, target: &self.target, kind };
        let place = format!("{} clause", clause.verb());
        let mut left_out = Vec::new();
        let action = match &clause.action {
            NamedAction::Delete => Action::Delete,
            NamedAction::Update(lefts) => {
                let mut assigned = Vec::with_capacity(lefts.len());
                for left in lefts {
                    let value = self.given(left, sides, &scope, &place).await?;
                    let (path, keeps_fields, span) = (left.path.clone(), left.keeps_fields, left.span);
                    assigned.push(Assigned { path, value, keeps_fields, span });
                }
                Action::Update(row.updated(&assigned)?)
            }
            NamedAction::Insert(lefts) => {
                let mut given = Vec::with_capacity(lefts.len());
                for left in lefts {
                    let value = self.given(left, sides, &scope, &place).await?;
                    given.push(row::Given { column: left.path.join("."), value, span: left.span });
                }
                let (values, without) = row.inserted(given).await?;
                left_out = without;
                Action::Insert(values)
            }
        };
        Ok(Clause { kind: clause.kind, condition, action, left_out, span: clause.span })
    }

    async fn given(&self, left: &Left<'_>, sides: Sides, scope: &Scope, place: &str) -> Result<Bound, Diagnostic> {
        match left.given {
            Given::Expr(value) => self.value(value, sides, place).await,
            Given::Source(idx) => {
                let before = if sides == Sides::Source { 0 } else { self.target.columns.len() };
                Bound::column(&self.context.session, scope, before + idx)
                    .ok_or_else(|| Diagnostic::internal("a column is not in its scope"))
            }
        }
    }

    /// Conditions are deterministic and free of aggregates and subqueries.
    async fn condition(&self, condition: &Expr, sides: Sides, verb: &str) -> Result<Bound, Diagnostic> {
        let place = format!("{verb} condition");
        let of_merge = format!("{place} of MERGE operation");
        let used = usage(condition);
        // Names come first: what the rest means is only known with them.
        for name in columns_named(condition) {
            let column = Expr::new(ExprKind::Column(name.clone()), name.span());
            self.bind(&column, sides, &place).await?;
        }
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
        if let Some(problem) = refused_in_row(&used, &place) {
            return Err(problem);
        }
        let bound = self.bind(condition, sides, &place).await?;
        self.must_be_boolean(&bound, verb)?;
        Ok(bound)
    }

    fn must_be_boolean(&self, bound: &Bound, verb: &str) -> Result<(), Diagnostic> {
        if bound.data_type() == DataType::Boolean {
            return Ok(());
        }
        let found = bound.type_name();
        let (condition, sqlstate) = self.not_boolean(bound, verb);
        let place = if verb == "search" { "ON".to_owned() } else { format!("the {verb} condition") };
        let message = format!("{place} must be true or false, but `{}` is of type {found}.", bound.catalyst());
        Err(Diagnostic::new(condition, sqlstate, message, bound.span()))
    }

    /// What the reference says of a condition that is neither true nor false depends on what it does with it first: filter
    /// files, filter rows, join, or choose a value.
    fn not_boolean(&self, bound: &Bound, verb: &str) -> (&'static str, &'static str) {
        let is_number = !matches!(bound.data_type(), DataType::Void | DataType::String);
        match (verb, self.blocks) {
            ("search", [_, true, false]) if bound.is_literal() => NOT_BOOLEAN_FILTER,
            ("search", [true, false, false]) if bound.is_literal() && is_number => {
                ("DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "42K09")
            }
            ("search", _) => ("JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE", "42K0E"),
            (_, [true, false, false] | [false, true, false]) => NOT_BOOLEAN_FILTER,
            _ => ("DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "42K09"),
        }
    }

    pub(super) async fn bind(&self, expr: &Expr, sides: Sides, place: &str) -> Result<Bound, Diagnostic> {
        let scope = self.scope(sides);
        match bind(&self.context.session, &self.resolver, &scope, expr).await {
            Ok(bound) => Ok(bound),
            Err(BindError::Other(problem)) => Err(problem),
            Err(unresolved) => Err(self.unresolved_in(unresolved, sides, place)),
        }
    }

    /// The same for a name in an expression, with an edit for each near name.
    fn unresolved_in(&self, error: BindError, sides: Sides, place: &str) -> Diagnostic {
        let near = error.near();
        let BindError::Unresolved { name, span, .. } = error else { return error.into() };
        let problem = self.unresolved(&name, span, sides, place);
        near.into_iter().fold(problem, |problem, name| problem.with_edit(format!("Use {name}"), span, name))
    }

    /// `DELTA_MERGE_UNRESOLVED_EXPRESSION`: the name is unknown, or on the side that is not visible here.
    pub(super) fn unresolved(&self, name: &str, span: Span, sides: Sides, place: &str) -> Diagnostic {
        let target = self.target.columns.iter().take(self.n_named);
        let visible: Vec<&str> = match sides {
            Sides::Both => target.chain(self.source).map(|column| column.name.as_str()).collect(),
            Sides::Source => self.source.iter().map(|column| column.name.as_str()).collect(),
            Sides::Target => target.map(|column| column.name.as_str()).collect(),
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
        Diagnostic::new("DELTA_MERGE_UNRESOLVED_EXPRESSION", "42601", message, span)
            .with_hint(format!("{hint} {}", self.both_sides()))
    }

    /// What the two sides are called and hold.
    fn both_sides(&self) -> String {
        let listed = |qualifier: &[String], otherwise: &str, columns: &[Column]| {
            let called = qualifier.last().map_or(otherwise, String::as_str);
            let columns: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            format!("{called} ({})", columns.join(", "))
        };
        let named = self.target.columns.get(..self.n_named).unwrap_or(&self.target.columns);
        let target = listed(&self.target.qualifier, "target", named);
        format!("The target is {target}, the source is {}.", listed(self.source_qualifier, "source", self.source))
    }

    /// Values may be non-deterministic and hold scalar subqueries, but no aggregates, windows or generators.
    async fn value(&self, value: &Expr, sides: Sides, place: &str) -> Result<Bound, Diagnostic> {
        if let Some(problem) = refused_in_row(&usage(value), place) {
            return Err(problem);
        }
        match self.bind(value, sides, place).await {
            Err(problem) if self.is_correlated(&problem, sides, place).await => {
                let message = "A subquery in an action of MERGE cannot refer to the row that the action is about.";
                let condition = "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.UNSUPPORTED_CORRELATED_SCALAR_SUBQUERY";
                Err(Diagnostic::new(condition, "0A000", message, problem.span)
                    .with_hint("Join the subquery's rows in the source query instead."))
            }
            bound => bound,
        }
    }

    /// Whether a subquery failed for want of a name that stands for a column outside of it.
    async fn is_correlated(&self, problem: &Diagnostic, sides: Sides, place: &str) -> bool {
        if !problem.condition.starts_with("UNRESOLVED_COLUMN") {
            return false;
        }
        let text = problem.span.map_or("", |span| span.of(self.context.script));
        match sql::parse_expr(text) {
            Ok(column) => self.bind(&column, sides, place).await.is_ok(),
            Err(_) => false,
        }
    }
}
