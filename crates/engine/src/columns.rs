//! Declared columns to fields of a schema: type, comment, default, generation expression, identity. What can only be
//! checked against the other columns is checked in [`check_expressions`].

use crate::constraints::{generation_expression, identity};
use crate::sandbox::Context;
use crate::table::columns_of;
use crate::types;
use delta::actions::Metadata;
use delta::features::{CURRENT_DEFAULT, GENERATION_EXPRESSION};
use delta::schema::{DataType, StructField, StructType};
use query::{AssignKind, BindError, Bound, Scope, bind, columns_named, usage};
use serde_json::Value;
use spec::{ColumnDef, Diagnostic, Expr, Span};
use std::collections::BTreeSet;

/// What a declared column may rest on.
pub(crate) struct ColumnContext<'a> {
    pub(crate) script: &'a str,
    /// The features of the table.
    pub(crate) features: &'a BTreeSet<String>,
}

/// The field for a declared column.
///
/// # Errors
/// A type that cannot be stored, a default without the table feature, an identity column that cannot be.
pub(crate) fn field(context: &ColumnContext<'_>, column: &ColumnDef) -> Result<StructField, Diagnostic> {
    let comment = column.comment.as_deref();
    let mut field = types::field(&column.name.value, &column.data_type, column.nullable, comment, column.span)?;
    if let Some(default) = &column.default {
        let text = default_text(context, default)?;
        field.metadata.insert(CURRENT_DEFAULT.into(), Value::String(text));
    }
    if let Some(expr) = &column.generated {
        let text = expr.span.of(context.script).to_owned();
        field.metadata.insert(GENERATION_EXPRESSION.into(), Value::String(text));
    }
    if let Some(declared) = &column.identity {
        if field.data_type != DataType::Long {
            let message =
                format!("The identity column `{}` must be BIGINT, not {}.", field.name, field.data_type.sql_name());
            let condition = "DELTA_IDENTITY_COLUMNS_UNSUPPORTED_DATA_TYPE";
            return Err(Diagnostic::new(condition, "428H8", message, column.span));
        }
        if declared.step == 0 {
            let message = "The step of an identity column cannot be 0.";
            return Err(Diagnostic::new("IDENTITY_COLUMNS_ILLEGAL_STEP", "42611", message, declared.span)
                .with_hint("Use 1, or a negative step to count down."));
        }
        field.metadata.insert(identity::START.into(), declared.start.into());
        field.metadata.insert(identity::STEP.into(), declared.step.into());
        field.metadata.insert(identity::ALLOW_EXPLICIT.into(), declared.by_default.into());
    }
    Ok(field)
}

/// The text of a default, for tables that may have one.
///
/// # Errors
/// `WRONG_COLUMN_DEFAULTS_FOR_DELTA_FEATURE_NOT_ENABLED`.
pub(crate) fn default_text(context: &ColumnContext<'_>, default: &Expr) -> Result<String, Diagnostic> {
    if !context.features.contains("allowColumnDefaults") {
        let message = "A column default needs the table feature allowColumnDefaults.";
        let condition = "WRONG_COLUMN_DEFAULTS_FOR_DELTA_FEATURE_NOT_ENABLED";
        return Err(Diagnostic::new(condition, "0AKDE", message, default.span)
            .with_hint("Add TBLPROPERTIES ('delta.feature.allowColumnDefaults' = 'supported')."));
    }
    Ok(default.span.of(context.script).to_owned())
}

/// Refuses names that Parquet files cannot have, unless column mapping hides them.
///
/// # Errors
/// `DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES`.
pub(crate) fn check_name(field: &StructField, metadata: &Metadata, span: Span) -> Result<(), Diagnostic> {
    let mode = metadata.configuration.get("delta.columnMapping.mode");
    if mode.is_some_and(|mode| !mode.eq_ignore_ascii_case("none")) {
        return Ok(());
    }
    if let Some(name) = invalid_name(field) {
        let message =
            format!("Found invalid character(s) among ' ,;{{}}()\\n\\t=' in the column name `{name}` of the schema.");
        return Err(Diagnostic::new("DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES", "42K05", message, span)
            .with_hint("Rename the column with AS, or set 'delta.columnMapping.mode' = 'name'."));
    }
    Ok(())
}

fn invalid_name(field: &StructField) -> Option<&str> {
    if field.name.contains([' ', ',', ';', '{', '}', '(', ')', '\n', '\t', '=']) {
        return Some(&field.name);
    }
    invalid_inside(&field.data_type)
}

fn invalid_inside(data_type: &DataType) -> Option<&str> {
    match data_type {
        DataType::Struct(inner) => inner.fields.iter().find_map(invalid_name),
        DataType::Array { element, .. } => invalid_inside(element),
        DataType::Map { key, value, .. } => invalid_inside(key).or_else(|| invalid_inside(value)),
        _ => None,
    }
}

/// Checks the expressions of declared columns against the whole schema.
///
/// # Errors
/// `UNSUPPORTED_EXPRESSION_GENERATED_COLUMN` and `INVALID_DEFAULT_VALUE`, with the reason.
pub(crate) async fn check_expressions(
    context: &Context<'_>,
    schema: &StructType,
    columns: &[ColumnDef],
) -> Result<(), Diagnostic> {
    let mut scope = Scope::new();
    scope.add(&[], &columns_of(schema));
    for column in columns {
        let Some(field) = schema.field(&column.name.value) else { continue };
        if let Some(expr) = &column.generated {
            check_generated(context, schema, &scope, field, expr).await?;
        }
        if let Some(expr) = &column.default {
            check_default(context, field, expr).await?;
        }
    }
    Ok(())
}

async fn check_generated(
    context: &Context<'_>,
    schema: &StructType,
    scope: &Scope,
    field: &StructField,
    expr: &Expr,
) -> Result<(), Diagnostic> {
    let refuse = |why: String| {
        let text = expr.span.of(context.script);
        let message = format!("Cannot compute the generated column `{}` from \"{text}\": {why}.", field.name);
        Diagnostic::new("UNSUPPORTED_EXPRESSION_GENERATED_COLUMN", "42621", message, expr.span)
            .with_hint("Compute it from other columns of the same row, by functions that always give the same answer.")
    };
    let used = usage(expr);
    if let Some((_, name)) = used.nondeterministic {
        return Err(refuse(format!("{name}() gives another value each time")));
    }
    if used.subqueries.is_some() {
        return Err(refuse("it holds a subquery".to_owned()));
    }
    if let Some((_, name)) = used.aggregates.or(used.windows).or(used.generators) {
        return Err(refuse(format!("{name}() looks at more than one row")));
    }
    for name in columns_named(expr) {
        let generated = name.parts.first().and_then(|part| schema.field(&part.value)).and_then(generation_expression);
        if generated.is_some() {
            return Err(refuse(format!("it uses the generated column {name}")));
        }
    }
    let bound = bind(&context.session, &context.resolver(), scope, expr).await;
    let bound = bound.map_err(|problem| match problem {
        BindError::Unresolved { name, .. } => refuse(format!("the table has no column {name}")),
        BindError::Other(problem) => problem,
    })?;
    if !up_casts(&bound, &field.data_type) {
        return Err(refuse(format!(
            "it is of type {}, the column of {}",
            bound.type_name(),
            field.data_type.sql_name()
        )));
    }
    Ok(())
}

async fn check_default(context: &Context<'_>, field: &StructField, expr: &Expr) -> Result<(), Diagnostic> {
    let refuse = |kind: &str, why: &str| {
        let text = expr.span.of(context.script);
        let message = format!("The default \"{text}\" of the column `{}` {why}.", field.name);
        Diagnostic::new(format!("INVALID_DEFAULT_VALUE.{kind}"), "42623", message, expr.span)
    };
    if usage(expr).subqueries.is_some() {
        return Err(refuse("SUBQUERY_EXPRESSION", "holds a subquery"));
    }
    let bound = bind(&context.session, &context.resolver(), &Scope::new(), expr).await;
    let bound = bound.map_err(|problem| match problem {
        BindError::Unresolved { .. } => {
            refuse("UNRESOLVED_EXPRESSION", "names a column; only constants may stand there")
        }
        BindError::Other(problem) => problem,
    })?;
    let assigned = bound.assign(&context.session, &field.data_type, AssignKind::Insert);
    let assigned = assigned.map_err(|_| refuse("DATA_TYPE", "does not fit the column's type"))?;
    let row = crate::batch::positional(Vec::new(), 1)?;
    assigned.evaluate(&row).map_err(|_| refuse("DATA_TYPE", "does not fit the column's type"))?;
    Ok(())
}

/// Whether the value fits the type without loss, as Spark demands of generated columns.
fn up_casts(bound: &Bound, to: &DataType) -> bool {
    let from = bound.data_type();
    from == *to || from == DataType::Void || types::up_cast(&from, to)
}
