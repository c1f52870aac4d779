//! Which column of the query fills which column of the table.

use crate::constraints::{defaults, generation_expression, identity};
use crate::fields::Meeting;
use crate::merge::repeated;
use delta::schema::{StructField, StructType, same_name};
use query::Column;
use spec::{Diagnostic, Ident, Insert};

/// For each column of the table the column of the query that fills it; `None` where the table fills it itself. The
/// query is that of [`super::source::prepared`]: values of a PARTITION clause stand at its end.
///
/// # Errors
/// Names that the table does not have or that come twice; too many or too few columns; a value for an identity column
/// that takes none.
pub(super) fn places(
    insert: &Insert,
    schema: &StructType,
    given: &[Column],
    meeting: &Meeting<'_>,
) -> Result<Vec<Option<usize>>, Diagnostic> {
    let fields = &schema.fields;
    let fixed: Vec<&Ident> =
        insert.partition.iter().filter(|part| part.value.is_some()).map(|part| &part.column).collect();
    let n_query = given.len().saturating_sub(fixed.len());
    let mut places: Vec<Option<usize>> = vec![None; fields.len()];
    for (idx, column) in fixed.iter().enumerate() {
        place(&mut places, fields, column, n_query + idx)?;
    }
    let span = insert.source.span;
    let query = given.get(..n_query).unwrap_or_default();
    if insert.by_name {
        by_name(&mut places, fields, query, meeting)?;
    } else if !insert.columns.is_empty() {
        by_list(&mut places, fields, insert, query)?;
    } else {
        by_position(&mut places, fields, query, meeting)?;
    }
    for (field, place) in fields.iter().zip(&places) {
        if place.is_some() {
            identity::refuse_explicit(field, span)?;
        }
    }
    Ok(places)
}

fn place(places: &mut [Option<usize>], fields: &[StructField], column: &Ident, from: usize) -> Result<(), Diagnostic> {
    let Some(to) = fields.iter().position(|field| column.is(&field.name)) else {
        let names = fields.iter().map(|field| format!("`{}`", field.name)).collect::<Vec<_>>().join(", ");
        let message = format!("A column with the name `{column}` cannot be resolved. The table has: {names}.");
        return Err(Diagnostic::new("UNRESOLVED_COLUMN.WITH_SUGGESTION", "42703", message, column.span)
            .with_hint("Names are compared without regard to upper and lower case; quote odd ones with backticks."));
    };
    match places.get_mut(to) {
        Some(place @ None) => *place = Some(from),
        _ => {
            let message = format!("The column `{column}` is named twice.");
            return Err(Diagnostic::new("COLUMN_ALREADY_EXISTS", "42711", message, column.span)
                .with_hint("Name each column once."));
        }
    }
    Ok(())
}

fn by_name(
    places: &mut [Option<usize>],
    fields: &[StructField],
    query: &[Column],
    meeting: &Meeting<'_>,
) -> Result<(), Diagnostic> {
    for (from, column) in query.iter().enumerate() {
        let to = fields.iter().position(|field| same_name(&field.name, &column.name));
        match to.and_then(|to| places.get_mut(to)) {
            None if meeting.evolves => {}
            None => return Err(meeting.mismatch(&column.name)),
            Some(place @ None) => *place = Some(from),
            Some(_) => {
                let message = format!("The data has the column `{}` twice.", column.name);
                return Err(Diagnostic::new("COLUMN_ALREADY_EXISTS", "42711", message, meeting.span)
                    .with_hint("Rename one of them with AS, or leave it out."));
            }
        }
    }
    Ok(())
}

fn by_list(
    places: &mut [Option<usize>],
    fields: &[StructField],
    insert: &Insert,
    query: &[Column],
) -> Result<(), Diagnostic> {
    let (table, span) = (&insert.table.name, insert.source.span);
    for (from, column) in insert.columns.iter().enumerate() {
        place(places, fields, column, from)?;
    }
    let (n_named, n_given) = (insert.columns.len(), query.len());
    if n_named != n_given {
        let kind = if n_given > n_named { "TOO_MANY" } else { "NOT_ENOUGH" };
        let message = format!("Cannot write to `{table}`: {n_named} columns are named, but the data has {n_given}.");
        let condition = format!("INSERT_COLUMN_ARITY_MISMATCH.{kind}_DATA_COLUMNS");
        return Err(Diagnostic::new(condition, "21S01", message, span));
    }
    let lacks =
        |(field, place): &(&StructField, &Option<usize>)| !field.nullable && place.is_none() && !fills_itself(field);
    if let Some((field, _)) = fields.iter().zip(places.iter()).find(lacks) {
        let message = format!("Column `{}` of `{table}` is NOT NULL and has no value.", field.name);
        return Err(Diagnostic::new("DELTA_INSERT_COLUMN_MISMATCH", "42802", message, span)
            .with_hint("Add the column to the list, or give it a DEFAULT."));
    }
    Ok(())
}

fn fills_itself(field: &StructField) -> bool {
    defaults::text(field).is_some() || generation_expression(field).is_some() || identity::is_identity(field)
}

fn by_position(
    places: &mut [Option<usize>],
    fields: &[StructField],
    query: &[Column],
    meeting: &Meeting<'_>,
) -> Result<(), Diagnostic> {
    let (table, span) = (meeting.table, meeting.span);
    let n_free = places.iter().filter(|place| place.is_none()).count();
    if let Some(column) = query.get(n_free).filter(|_| !meeting.evolves) {
        let is_known = fields.iter().any(|field| same_name(&field.name, &column.name));
        return Err(if is_known { repeated(&column.name, span) } else { meeting.mismatch(&column.name) });
    }
    if query.len() < n_free {
        let message =
            format!("Cannot write to `{table}`: it has {} columns, but the data has {}.", fields.len(), query.len());
        return Err(Diagnostic::new("DELTA_INSERT_COLUMN_ARITY_MISMATCH", "42802", message, span)
            .with_hint("Name the columns you fill: INSERT INTO table (a, b) …; the others become NULL."));
    }
    for (from, place) in places.iter_mut().filter(|place| place.is_none()).enumerate() {
        *place = Some(from);
    }
    Ok(())
}
