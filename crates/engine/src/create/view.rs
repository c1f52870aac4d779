//! CREATE VIEW.

use crate::catalog::ViewEntry;
use crate::sandbox::Context;
use query::plan_query;
use spec::{CreateView, Diagnostic};

/// The query of a view is planned once, so that a view that cannot be read is refused when it is made.
///
/// # Errors
/// The query cannot be planned; the name is taken; permanent views are not kept.
pub(crate) async fn view(context: &Context<'_>, create: &CreateView) -> Result<ViewEntry, Diagnostic> {
    let span = create.name.span();
    if !create.temporary {
        return Err(Diagnostic::unsupported("CREATE VIEW without TEMP", span)
            .with_hint("Write CREATE OR REPLACE TEMP VIEW: it lives as long as the sandbox."));
    }
    if create.name.parts.len() > 1 {
        let message = format!("A temp view has no schema: `{}`.", create.name);
        return Err(Diagnostic::new("TEMP_VIEW_NAME_TOO_MANY_NAME_PARTS", "428EK", message, span)
            .with_hint("Give it a name of one part."));
    }
    if !create.or_replace && context.catalog.has_view(&create.name) {
        let message = format!("Cannot create the temp view `{}` because it already exists.", create.name);
        return Err(Diagnostic::new("TEMP_TABLE_OR_VIEW_ALREADY_EXISTS", "42P07", message, span)
            .with_hint("Write CREATE OR REPLACE TEMP VIEW."));
    }
    let plan = plan_query(&context.session, &context.resolver(), &create.query).await?;
    if !create.columns.is_empty() && create.columns.len() != plan.columns().len() {
        let message =
            format!("The view names {} columns, but its query gives {}.", create.columns.len(), plan.columns().len());
        let kind = if create.columns.len() > plan.columns().len() { "NOT_ENOUGH" } else { "TOO_MANY" };
        let condition = format!("CREATE_VIEW_COLUMN_ARITY_MISMATCH.{kind}_DATA_COLUMNS");
        return Err(Diagnostic::new(condition, "21S01", message, span));
    }
    Ok(ViewEntry {
        name: create.name.last().to_owned(),
        columns: create.columns.clone(),
        query: create.query.clone(),
        schema: plan.columns().to_vec(),
    })
}
