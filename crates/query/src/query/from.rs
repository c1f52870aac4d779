//! FROM: tables, views, common table expressions, subqueries, table functions.

use super::planner::{Env, Planned, Planner, Result};
use super::seen;
use super::table_changes::reads_changes;
use crate::cast::Mode;
use crate::catalog::{At, Found};
use crate::expr::{Place, Subqueries, at, constant, generator_name, literal_i64};
use crate::scope::Scope;
use datafusion::common::ScalarValue;
use delta::schema::DataType;
use futures::future::BoxFuture;
use spec::{Diagnostic, Expr, Name, Relation, Span, TableAlias, TimeTravel};

impl Planner<'_> {
    /// The relation with the names that its columns answer to.
    pub(crate) fn relation<'f>(&'f self, env: &'f Env, relation: &'f Relation) -> BoxFuture<'f, Result<Planned>> {
        Box::pin(async move {
            match relation {
                Relation::Table { name, time_travel, alias, span } => {
                    let planned = self.table(env, name, time_travel.as_ref()).await?;
                    with_alias(planned, alias.as_ref(), *span)
                }
                Relation::Subquery { query, alias, frame: Some(frame), span, .. } => {
                    if let Some(planned) = self.looked_at(*frame)? {
                        return with_alias(planned, alias.as_ref(), *span);
                    }
                    let mut planned = self.query(&env.framed(true), query).await?;
                    let visible = planned.scope.fields.iter_mut().filter(|field| field.visible);
                    for (index, field) in visible.enumerate() {
                        field.origins.push((*frame, u32::try_from(index).unwrap_or(u32::MAX)));
                    }
                    with_alias(planned, alias.as_ref(), *span)
                }
                Relation::Subquery { query, lateral, alias, span, .. } => {
                    if *lateral {
                        return Err(Diagnostic::unsupported("A LATERAL subquery", *span));
                    }
                    let planned = self.query(&env.framed(false), query).await?;
                    match alias {
                        Some(_) => with_alias(planned, alias.as_ref(), *span),
                        None => planned.aliased(&[], &[], *span),
                    }
                }
                Relation::Function { name, args, alias, span } => {
                    let planned = match reads_changes(name) {
                        true => self.table_changes(name, args, *span).await?,
                        false => self.table_function(env, name, args, *span)?,
                    };
                    with_alias(planned, alias.as_ref(), *span)
                }
                Relation::Join { left, right, kind, constraint, span } => {
                    let left = self.relation(env, left).await?;
                    let right = self.relation(env, right).await?;
                    self.join(env, left, right, *kind, constraint, *span)
                }
            }
        })
    }

    /// A common table expression, table or view.
    pub(super) async fn table(&self, env: &Env, name: &Name, time_travel: Option<&TimeTravel>) -> Result<Planned> {
        let span = name.span();
        if let [only] = name.parts.as_slice()
            && let Some(frame) = env.cte(only)
        {
            if time_travel.is_some() {
                let message = format!("`{name}` is a common table expression: it has no versions.");
                return Err(Diagnostic::new("UNSUPPORTED_FEATURE.TIME_TRAVEL", "0A000", message, span));
            }
            let planned = self.query(&frame.env.framed(false), &frame.cte.query).await?;
            return planned.aliased(std::slice::from_ref(&frame.cte.name.value), &frame.cte.columns, span);
        }
        let asked = time_travel.map(|travel| self.version(travel)).transpose()?;
        let found = match self.catalog.relation(name, asked).await {
            Err(problem) if asked.is_none() => return Err(seen::gone(&env.seen, name).unwrap_or(problem)),
            found => found?,
        };
        match found {
            Found::Table(table) => {
                let qualifier = qualifier_of(name, table.identifier());
                let table = seen::as_seen(table, &env.seen, span)?;
                self.scan(&table, &qualifier, span)
            }
            Found::View { query, columns, schema } => {
                // A view sees neither the names nor the columns of the query that reads it.
                let around = env.of_view();
                let planned = self.query(&around, &query).await.map_err(|diagnostic| in_view(diagnostic, name))?;
                let planned = self.as_made(planned, &schema, name)?;
                planned.aliased(&texts(name), &columns, span)
            }
        }
    }

    fn version(&self, travel: &TimeTravel) -> Result<At> {
        match travel {
            TimeTravel::Version(version, _) => Ok(At::Version(*version)),
            TimeTravel::Timestamp(expr) => {
                let (scope, subqueries) = (Scope::new(), Subqueries::default());
                let binder = self.binder_alone(&scope, &subqueries, Place::Values);
                let typed = binder.bind(expr)?;
                let typed =
                    at(crate::cast::cast(self.session, typed, &DataType::Timestamp.into(), Mode::Ansi), expr.span)?;
                match constant(self.session, &typed) {
                    Some(ScalarValue::TimestampMicrosecond(Some(micros), _)) => Ok(At::TimestampMicros(micros)),
                    _ => {
                        let message = "TIMESTAMP AS OF needs a constant that is a timestamp.";
                        Err(Diagnostic::new("INVALID_TIME_TRAVEL_TIMESTAMP_EXPR.INPUT", "42K0E", message, expr.span))
                    }
                }
            }
        }
    }

    fn table_function(&self, env: &Env, name: &Name, args: &[Expr], span: Span) -> Result<Planned> {
        if name.last().eq_ignore_ascii_case("range") {
            return self.range(args, span);
        }
        if let Some((kind, outer)) = generator_name(name.last()) {
            let one_row = Planned::one_row(span)?;
            let (scope, subqueries) = (Scope::new(), Subqueries::default());
            let binder = self.binder(env, &scope, &subqueries, Place::Select);
            let bound = args.iter().map(|arg| binder.bind(arg)).collect::<std::result::Result<Vec<_>, _>>()?;
            let (plan, fields) = self.generate(one_row, kind, outer, bound, &[], &[], span)?;
            return Ok(Planned { plan, scope: Scope { fields } });
        }
        let message = format!("There is no table function `{name}`.");
        let diagnostic = Diagnostic::new("UNRESOLVABLE_TABLE_VALUED_FUNCTION", "42883", message, name.span());
        Err(diagnostic.with_hint("Supported in FROM: range(), table_changes(), explode() and its relatives."))
    }

    /// The constant arguments of a table function, as BIGINT.
    pub(super) fn long_args(&self, args: &[Expr]) -> Result<Vec<i64>> {
        let (scope, subqueries) = (Scope::new(), Subqueries::default());
        let binder = self.binder_alone(&scope, &subqueries, Place::Values);
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let typed = binder.bind(arg)?;
            let value = literal_i64(self.session, typed).ok_or_else(|| {
                let message = "This argument must be a constant whole number.";
                Diagnostic::new("UNEXPECTED_INPUT_TYPE", "42K09", message, arg.span)
            })?;
            values.push(value);
        }
        Ok(values)
    }

    pub(super) fn binder_alone<'b>(
        &'b self,
        scope: &'b Scope,
        subqueries: &'b Subqueries,
        place: Place,
    ) -> crate::expr::Binder<'b> {
        crate::expr::Binder::new(self.session, scope, subqueries, place)
    }
}

fn texts(name: &Name) -> Vec<String> {
    name.parts.iter().map(|part| part.value.clone()).collect()
}

/// What may stand before a table's columns: its full name where the text spells the end of it, else the text.
pub(super) fn qualifier_of(name: &Name, identifier: &str) -> Vec<String> {
    let full: Vec<String> = identifier.split('.').map(str::to_owned).collect();
    let written = texts(name);
    let ends = full.len() >= written.len()
        && full.iter().rev().zip(written.iter().rev()).all(|(full, part)| full.eq_ignore_ascii_case(part));
    if ends { full } else { written }
}

pub(super) fn with_alias(planned: Planned, alias: Option<&TableAlias>, span: Span) -> Result<Planned> {
    match alias {
        Some(alias) => planned.aliased(std::slice::from_ref(&alias.name.value), &alias.columns, span),
        None => Ok(planned),
    }
}

/// A complaint about a view's text: its spans lie in another script.
fn in_view(mut diagnostic: Diagnostic, name: &Name) -> Diagnostic {
    diagnostic.span = Some(name.span());
    diagnostic.edits.clear();
    diagnostic.message = format!("In the view `{name}`: {}", diagnostic.message);
    diagnostic
}
