//! ADD and DROP CONSTRAINT.

use super::{Altering, Draft};
use crate::constraints::{CHECK_PREFIX, Rules};
use crate::read::read_columns;
use query::{Bound, Scope, bind, usage};
use serde_json::Value;
use spec::{Diagnostic, Expr, Ident};
use std::sync::Arc;

/// The table with one more CHECK; every row that is there must pass it.
pub(super) async fn add(table: &Altering<'_>, name: &Ident, check: &Expr) -> Result<Draft, Diagnostic> {
    let context = table.context;
    let key = format!("{CHECK_PREFIX}{}", name.value.to_lowercase());
    let configuration = &table.snapshot.metadata().configuration;
    if let Some((_, expression)) = configuration.iter().find(|(known, _)| known.eq_ignore_ascii_case(&key)) {
        let message = format!("The constraint `{name}` exists already: {expression}.");
        return Err(Diagnostic::new("DELTA_CONSTRAINT_ALREADY_EXISTS", "42710", message, name.span)
            .with_hint("Choose another name, or drop the old constraint first."));
    }
    let bound = condition(table, check).await?;
    let n_failing = failing_rows(table, &bound).await?;
    let text = check.span.of(context.script).to_owned();
    if n_failing > 0 {
        let message =
            format!("{n_failing} row(s) of `{}` violate the new CHECK constraint ({text}).", table.entry.short_name());
        return Err(Diagnostic::new("DELTA_NEW_CHECK_CONSTRAINT_VIOLATION", "23512", message, check.span)
            .with_hint("A row violates a CHECK unless the condition is true: NULL is a violation too."));
    }
    let parameters = vec![("name", Value::String(name.value.clone())), ("expr", Value::String(text.clone()))];
    let mut draft = table.draft("ADD CONSTRAINT", parameters);
    draft.metadata.configuration.insert(key, text);
    draft.reads_table = true;
    Ok(draft)
}

/// The table without a constraint.
pub(super) fn drop(table: &Altering<'_>, name: &Ident, if_exists: bool) -> Result<Draft, Diagnostic> {
    let key = format!("{CHECK_PREFIX}{}", name.value);
    let configuration = &table.snapshot.metadata().configuration;
    let found = configuration.iter().find(|(known, _)| known.eq_ignore_ascii_case(&key));
    let name_text = Value::String(name.value.clone());
    let Some((key, expression)) = found.map(|(key, text)| (key.clone(), text.clone())) else {
        if if_exists {
            let parameters = vec![("name", name_text), ("existed", Value::String("false".into()))];
            return Ok(table.draft("DROP CONSTRAINT", parameters));
        }
        let message = format!("`{}` has no constraint `{name}`.", table.entry.short_name());
        return Err(Diagnostic::new("DELTA_CONSTRAINT_DOES_NOT_EXIST", "42704", message, name.span)
            .with_hint("DROP CONSTRAINT IF EXISTS makes this no error."));
    };
    let existed = Value::String("true".into());
    let mut draft = table
        .draft("DROP CONSTRAINT", vec![("name", name_text), ("expr", Value::String(expression)), ("existed", existed)]);
    draft.metadata.configuration.shift_remove(&key);
    Ok(draft)
}

/// The condition over the table's columns.
async fn condition(table: &Altering<'_>, check: &Expr) -> Result<Bound, Diagnostic> {
    let context = table.context;
    let columns = crate::table::columns_of(table.snapshot.schema());
    let mut scope = Scope::new();
    scope.add(&table.entry.qualifier(), &columns);
    let used = usage(check);
    if let Some((span, name)) = used.aggregates.or(used.windows).or(used.generators) {
        let message = format!("A CHECK constraint looks at one row; {name}() does not.");
        return Err(Diagnostic::new("UNSUPPORTED_EXPR_FOR_OPERATOR", "42K0E", message, span)
            .with_hint("Compare columns of the row with each other or with constants."));
    }
    if let Some(span) = used.subqueries {
        let message = "A CHECK constraint cannot hold a subquery.";
        return Err(Diagnostic::new("DELTA_UNSUPPORTED_SUBQUERY_IN_CONSTRAINT", "0AKDC", message, span)
            .with_hint("Check it where the rows come from, or keep what the subquery gives in a column."));
    }
    let bound = bind(&context.session, &context.resolver(), &scope, check).await.map_err(Diagnostic::from)?;
    if bound.data_type() != delta::schema::DataType::Boolean {
        let message = format!(
            "The CHECK condition must be true or false, but `{}` is of type {}.",
            check.span.of(context.script),
            bound.type_name()
        );
        return Err(Diagnostic::new("DELTA_NON_BOOLEAN_CHECK_CONSTRAINT", "42621", message, check.span)
            .with_hint("Write a comparison, such as amount > 0."));
    }
    Ok(bound)
}

/// How many rows of the table do not make the condition true.
async fn failing_rows(table: &Altering<'_>, condition: &Bound) -> Result<usize, Diagnostic> {
    let wanted = condition.columns();
    let storage = table.context.env.storage.as_ref();
    let mut n_failing = 0;
    for file in table.snapshot.files() {
        let files = read_columns(storage, &table.snapshot, &[Arc::clone(file)], &wanted).await?;
        for batch in files.iter().flatten() {
            n_failing += Rules::failing(condition, batch)?.len();
        }
    }
    Ok(n_failing)
}
