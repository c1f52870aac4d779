//! Column defaults: what a column gets that a statement leaves out, or that it gives as DEFAULT.

use super::stored_expression;
use crate::sandbox::Context;
use delta::features::CURRENT_DEFAULT;
use delta::schema::StructField;
use query::{AssignKind, Bound, Scope, bind};
use spec::{Diagnostic, Expr, ExprKind, Literal, Span};

/// The text of a column's default.
pub(crate) fn text(field: &StructField) -> Option<&str> {
    field.metadata.get(CURRENT_DEFAULT).and_then(serde_json::Value::as_str)
}

/// The default as an expression at `span`, or NULL.
///
/// # Errors
/// A stored default that is no expression.
pub(crate) fn expression(field: &StructField, span: Span) -> Result<Expr, Diagnostic> {
    match text(field) {
        Some(text) => stored_expression(text, span),
        None => Ok(Expr::new(ExprKind::Literal(Literal::Null), span)),
    }
}

/// The value of a column that a statement leaves out: its default, else NULL. It may stand in any scope, for a default
/// names no column.
///
/// # Errors
/// A default that cannot be bound or does not fit its column.
pub(crate) async fn value(
    context: &Context<'_>,
    scope: &Scope,
    field: &StructField,
    kind: AssignKind,
    span: Span,
) -> Result<Bound, Diagnostic> {
    let expr = expression(field, span)?;
    let bound = bind(&context.session, &context.resolver(), scope, &expr).await;
    let bound = bound.map_err(|problem| Diagnostic { span: Some(span), ..Diagnostic::from(problem) })?;
    bound.assign(&context.session, &field.data_type, kind)
}
