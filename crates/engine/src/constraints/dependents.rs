//! Which constraints and generated columns read a column, and stored expressions in general.

use super::{CHECK_PREFIX, generation_expression};
use delta::actions::Metadata;
use delta::schema::StructType;
use query::columns_named;
use spec::{Diagnostic, Expr, Name, Span};

/// The names of what reads a column.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Dependents {
    pub(crate) constraints: Vec<String>,
    pub(crate) generated: Vec<String>,
}

/// An expression from a table's definition. Its span is where the statement stands that needs it.
///
/// # Errors
/// A text that is no expression.
pub(crate) fn stored_expression(text: &str, span: Span) -> Result<Expr, Diagnostic> {
    let parsed = sql::parse_expr(text).map_err(|problem| Diagnostic { span: Some(span), ..problem })?;
    Ok(Expr::new(parsed.kind, span))
}

/// What reads `column`, or a field inside it, or the whole that it is a field of.
///
/// # Errors
/// A stored expression that cannot be read.
pub(crate) fn dependents(metadata: &Metadata, schema: &StructType, column: &Name) -> Result<Dependents, Diagnostic> {
    let mut found = Dependents::default();
    for (key, text) in &metadata.configuration {
        if let Some(name) = key.strip_prefix(CHECK_PREFIX)
            && reads(text, column)?
        {
            found.constraints.push(name.to_owned());
        }
    }
    for field in &schema.fields {
        if let Some(text) = generation_expression(field)
            && reads(text, column)?
        {
            found.generated.push(field.name.clone());
        }
    }
    Ok(found)
}

fn reads(text: &str, column: &Name) -> Result<bool, Diagnostic> {
    let expr = stored_expression(text, column.span())?;
    let overlaps = |name: &&Name| name.parts.iter().zip(&column.parts).all(|(used, changed)| used.is(&changed.value));
    Ok(columns_named(&expr).iter().any(overlaps))
}
