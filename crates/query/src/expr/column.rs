//! Column names and the struct fields behind them.

use super::subquery::children;
use super::{BindError, Binder, Result};
use crate::functions;
use crate::functions::udf;
use crate::scope::{Resolved, Scope, full_name, suggestions};
use crate::typed::{SqlType, Typed};
use arrow::array::{Array, AsArray};
use arrow::compute::kernels::nullif::nullif;
use datafusion::common::{Column, DataFusionError, ScalarValue};
use datafusion::logical_expr::{Expr, lit};
use delta::schema::DataType;
use spec::{Diagnostic, ExprKind, Ident, Name, Span};
use std::sync::Arc;

/// The name of the function that takes a field out of a struct. Its second argument is the field's name.
pub(crate) const FIELD: &str = "struct_field";

/// Functions that may be called without parentheses.
const BARE_CALLS: [&str; 6] =
    ["current_date", "current_timestamp", "current_user", "current_catalog", "current_database", "localtimestamp"];

impl Binder<'_> {
    /// The column, alias or bare function call that `name` means here.
    pub(super) fn column(&self, name: &Name) -> Result<Typed> {
        if self.aliases_first
            && !self.in_aggregate
            && let Some(found) = self.alias(name)?
        {
            return Ok(found);
        }
        if let Some(Resolved { field, path, .. }) = self.scope.resolve(name)? {
            return Ok(nested(field.typed(), &path)?);
        }
        if let Some(found) = self.alias(name)? {
            if !self.aliases_first && found.expr.is_volatile() {
                let what = format!("Using the alias `{name}` of a random value in the same select list");
                return Err(Diagnostic::unsupported(what, name.span()).into());
            }
            return Ok(found);
        }
        for (distance, outer) in self.outer.iter().rev().enumerate() {
            let Some(Resolved { field, path, .. }) = outer.resolve(name)? else { continue };
            if distance > 0 {
                let what = format!("`{name}` from a query further out than the next");
                return Err(Diagnostic::unsupported(what, name.span()).into());
            }
            let arrow = arrow::datatypes::Field::new(&field.id, field.data_type.arrow(), field.nullable);
            let column = Column::new_unqualified(field.id.clone());
            let expr = Expr::OuterReferenceColumn(Arc::new(arrow), column);
            return Ok(nested(Typed::new(expr, field.data_type.clone(), field.nullable), &path)?);
        }
        if self.reaches_behind()
            && let Some((field, path)) = self.scope.resolve_behind(name)
        {
            return Ok(nested(field.typed(), &path)?);
        }
        if let [only] = name.parts.as_slice()
            && BARE_CALLS.iter().any(|function| only.is(function))
        {
            return super::at(functions::scalar(self.session, &only.value, Vec::new()), only.span);
        }
        let visible: Vec<String> = self.scope.fields.iter().filter(|field| field.visible).map(full_name).collect();
        let suggestions = suggestions(&name.to_string(), visible.iter().map(String::as_str));
        Err(BindError::Unresolved { name: name.to_string(), span: name.span(), suggestions })
    }

    fn alias(&self, name: &Name) -> Result<Option<Typed>> {
        let Some((first, path)) = name.parts.split_first() else { return Ok(None) };
        let mut found: Vec<&Typed> = Vec::new();
        for (alias, typed) in self.aliases {
            if first.is(alias) && !found.iter().any(|other| other.expr == typed.expr) {
                found.push(typed);
            }
        }
        match found.as_slice() {
            [] => Ok(None),
            [typed] => match nested((*typed).clone(), path) {
                Ok(typed) => Ok(Some(typed)),
                // `t.c` where an alias happens to be called `t`.
                Err(_) if !path.is_empty() => Ok(None),
                Err(diagnostic) => Err(diagnostic.into()),
            },
            _ => {
                let message = format!("Reference `{first}` is ambiguous: the select list names it more than once.");
                Err(Diagnostic::new("AMBIGUOUS_REFERENCE", "42704", message, name.span()).into())
            }
        }
    }
}

/// The field at `path` inside `parent`.
///
/// # Errors
/// `FIELD_NOT_FOUND`; `INVALID_EXTRACT_BASE_FIELD_TYPE` for a parent that has no fields.
pub(crate) fn nested(parent: Typed, path: &[Ident]) -> std::result::Result<Typed, Diagnostic> {
    let mut current = parent;
    for part in path {
        current = field(current, part)?;
    }
    Ok(current)
}

fn field(parent: Typed, name: &Ident) -> std::result::Result<Typed, Diagnostic> {
    let fields = match &parent.data_type {
        SqlType::Column(DataType::Struct(fields)) => &fields.fields,
        SqlType::Column(DataType::Map { .. }) => {
            let key = Typed::literal(ScalarValue::Utf8(Some(name.value.clone())), DataType::String);
            let session_free = functions::map_value(parent, key);
            return session_free.map_err(|complaint| complaint.at(name.span));
        }
        SqlType::Column(DataType::Array { element, .. }) if matches!(**element, DataType::Struct(_)) => {
            return Err(Diagnostic::unsupported("Taking a field out of an array of structs", name.span));
        }
        other => {
            let message = format!("`{name}` cannot be taken out of {}: it has no fields.", other.spark_name());
            return Err(Diagnostic::new("INVALID_EXTRACT_BASE_FIELD_TYPE", "42000", message, name.span));
        }
    };
    let mut found = fields.iter().enumerate().filter(|(_, field)| name.is(&field.name));
    let Some((position, field)) = found.next() else {
        let names: Vec<String> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
        let message = format!("The struct has no field `{name}`; it has {}.", names.join(", "));
        return Err(Diagnostic::new("FIELD_NOT_FOUND", "42704", message, name.span));
    };
    if found.next().is_some() {
        let message = format!("The struct has several fields called `{name}`.");
        return Err(Diagnostic::new("AMBIGUOUS_REFERENCE_TO_FIELDS", "42000", message, name.span));
    }
    let data_type = SqlType::Column(field.data_type.clone());
    let nullable = parent.nullable || field.nullable;
    let gives = udf::Gives { data_type: data_type.arrow(), nullable };
    let args = vec![parent.expr, lit(field.name.clone())];
    let expr = udf::call(FIELD, position.to_string(), gives, args, move |args| {
        let structs = args.array(0)?;
        let structs = structs
            .as_struct_opt()
            .ok_or_else(|| DataFusionError::Internal("a field is taken out of something that is no struct".into()))?;
        let values = structs.column(position);
        // The child may hold anything below a NULL struct.
        match structs.nulls() {
            Some(nulls) if nulls.null_count() > 0 => {
                let absent = arrow::array::BooleanArray::new(!nulls.inner(), None);
                Ok(nullif(values, &absent)?)
            }
            _ => Ok(Arc::clone(values)),
        }
    });
    Ok(Typed::new(expr, data_type, nullable))
}

/// Where `expr` names the column that the plan calls `id`.
pub(crate) fn column_span(scope: &Scope, expr: &spec::Expr, id: &str) -> Option<Span> {
    match &expr.kind {
        ExprKind::Column(name) => match scope.resolve(name) {
            Ok(Some(resolved)) if resolved.field.id == id => Some(expr.span),
            _ => None,
        },
        ExprKind::Function(call) => call.args.iter().chain(&call.filter).find_map(|arg| column_span(scope, arg, id)),
        _ => {
            let mut found = None;
            children(expr, &mut |child| {
                if found.is_none() {
                    found = column_span(scope, child, id);
                }
            });
            found
        }
    }
}
