//! Tables and views as they were seen: a data frame and a view keep the columns that they were made with. New columns of a table
//! do not show in them, and a change that their plans cannot bear is an error when they are read
//! (`SchemaUtils.isReadCompatible` of Delta, `getViewColumnByNameAndOrdinal` of Spark).

use super::planner::{Planned, Planner, Result};
use crate::cast::{Mode, cast};
use crate::catalog::{Column, Table};
use crate::expr::at;
use crate::ops::can_up_cast;
use crate::predicate::Predicate;
use crate::scope::Field;
use arrow::array::{Array, ArrayRef, AsArray, ListArray, MapArray, StructArray};
use arrow::datatypes::{DataType as ArrowType, Schema};
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use async_trait::async_trait;
use datafusion::logical_expr::LogicalPlanBuilder;
use delta::schema::{DataType, StructField, StructType};
use spec::{Diagnostic, Name, SeenTable, Span};
use std::sync::Arc;

/// What a plan reads of its tables, to be remembered with the data frame that it is. A table that was asked for by version
/// does not change.
pub(super) fn seen_by(tables: &[Arc<dyn Table>]) -> Vec<SeenTable> {
    let now = tables.iter().filter(|table| !table.is_past());
    now.map(|table| SeenTable {
        name: table.identifier().to_owned(),
        schema: StructType { fields: table.columns().iter().map(field).collect() }.to_json(),
    })
    .collect()
}

fn field(column: &Column) -> StructField {
    StructField { nullable: column.nullable, ..StructField::new(column.name.as_str(), column.data_type.clone()) }
}

/// The table with the columns that it was seen with, if it was.
///
/// # Errors
/// `DELTA_SCHEMA_CHANGE_SINCE_ANALYSIS`: it has changed too much.
pub(super) fn as_seen(table: Arc<dyn Table>, seen: &[SeenTable], span: Span) -> Result<Arc<dyn Table>> {
    let Some(known) = seen.iter().find(|known| !table.is_past() && known.name == table.identifier()) else {
        return Ok(table);
    };
    let schema = StructType::from_json(&known.schema).map_err(Diagnostic::internal)?;
    let latest: Vec<StructField> = table.columns().iter().map(field).collect();
    if schema.fields == latest {
        return Ok(table);
    }
    let mut changes = Vec::new();
    differences(&schema.fields, &latest, "", &mut changes);
    if !changes.is_empty() {
        return Err(changed(&changes, span));
    }
    let place = |wanted: &StructField| latest.iter().position(|field| field.name == wanted.name).unwrap_or_default();
    let places = schema.fields.iter().map(place).collect();
    let column = |field: StructField| Column { name: field.name, data_type: field.data_type, nullable: field.nullable };
    Ok(Arc::new(Earlier { columns: schema.fields.into_iter().map(column).collect(), places, table }))
}

/// The complaint about a table that was seen and is gone.
pub(super) fn gone(seen: &[SeenTable], name: &Name) -> Option<Diagnostic> {
    let is_it = |known: &&SeenTable| {
        let last = known.name.rsplit('.').next().unwrap_or_default();
        last.trim_matches('`').eq_ignore_ascii_case(name.last()) || known.name.ends_with(name.last())
    };
    let known = seen.iter().find(is_it)?;
    let schema = StructType::from_json(&known.schema).ok()?;
    let names: Vec<String> = schema.fields.into_iter().map(|field| field.name).collect();
    Some(changed(&[format!("it has no longer: {}", names.join(", "))], name.span()))
}

fn changed(changes: &[String], span: Span) -> Diagnostic {
    let message = format!(
        "The table has changed since the data frame or DeltaTable was made, in a way that it cannot bear: {}.",
        changes.join("; ")
    );
    Diagnostic::new("DELTA_SCHEMA_CHANGE_SINCE_ANALYSIS", "KD007", message, span)
        .with_hint("A data frame keeps the columns it was made with. Make it again from the table.")
}

/// What stands against reading data of the columns `latest` as those of `seen`. Columns may be new; none may be gone, of another
/// type or newly able to be NULL.
fn differences(seen: &[StructField], latest: &[StructField], path: &str, changes: &mut Vec<String>) {
    for field in seen {
        let name = format!("{path}{}", field.name);
        let Some(now) = latest.iter().find(|now| now.name == field.name) else {
            changes.push(format!("it has no longer: {name}"));
            continue;
        };
        if !field.nullable && now.nullable {
            changes.push(format!("{name} can be NULL now"));
        }
        of_type(&field.data_type, &now.data_type, &name, changes);
    }
}

fn of_type(seen: &DataType, latest: &DataType, name: &str, changes: &mut Vec<String>) {
    match (seen, latest) {
        (DataType::Struct(seen), DataType::Struct(latest)) => {
            differences(&seen.fields, &latest.fields, &format!("{name}."), changes);
        }
        (DataType::Array { element, .. }, DataType::Array { element: latest, .. }) => {
            of_type(element, latest, name, changes);
        }
        (DataType::Map { key, value, .. }, DataType::Map { key: latest_key, value: latest, .. }) => {
            of_type(key, latest_key, name, changes);
            of_type(value, latest, name, changes);
        }
        _ if seen == latest => {}
        _ => changes.push(format!("{name} was {} and is {}", seen.spark_name(), latest.spark_name())),
    }
}

/// A table as it was seen earlier.
#[derive(Debug)]
struct Earlier {
    columns: Vec<Column>,
    /// Where each column is in the table.
    places: Vec<usize>,
    table: Arc<dyn Table>,
}

#[async_trait]
impl Table for Earlier {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn is_delta(&self) -> bool {
        self.table.is_delta()
    }

    fn identifier(&self) -> &str {
        self.table.identifier()
    }

    fn n_bytes(&self) -> Option<u64> {
        self.table.n_bytes()
    }

    async fn scan(
        &self,
        projection: &[usize],
        filter: &[Predicate],
        parallelism: usize,
    ) -> Result<Vec<Vec<RecordBatch>>> {
        let places: Vec<usize> = projection.iter().filter_map(|column| self.places.get(*column)).copied().collect();
        // Conditions name columns by position, and skip files only: they may be left out.
        let same = self.places.iter().enumerate().all(|(column, place)| column == *place);
        let filter = if same { filter } else { &[] };
        let wanted = projection.iter().filter_map(|column| self.columns.get(*column));
        let fields = wanted
            .map(|column| arrow::datatypes::Field::new(&column.name, column.data_type.to_arrow(), column.nullable));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let narrow = |batch: RecordBatch| {
            let columns = batch.columns().iter().zip(schema.fields());
            let columns = columns.map(|(array, field)| narrowed(array, field.data_type())).collect();
            let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
            RecordBatch::try_new_with_options(Arc::clone(&schema), columns, &options).map_err(Diagnostic::internal)
        };
        let tasks = self.table.scan(&places, filter, parallelism).await?;
        tasks.into_iter().map(|batches| batches.into_iter().map(narrow).collect()).collect()
    }
}

/// The array with the fields of `wanted` only, at every depth.
fn narrowed(array: &ArrayRef, wanted: &ArrowType) -> ArrayRef {
    if array.data_type() == wanted {
        return Arc::clone(array);
    }
    match wanted {
        ArrowType::Struct(fields) => {
            let structs = array.as_struct();
            let inner = fields.iter().map(|field| match structs.column_by_name(field.name()) {
                Some(inner) => narrowed(inner, field.data_type()),
                None => arrow::array::new_null_array(field.data_type(), array.len()),
            });
            let inner = inner.collect();
            Arc::new(StructArray::new(fields.clone(), inner, structs.nulls().cloned()))
        }
        ArrowType::List(field) => {
            let lists = array.as_list::<i32>();
            let values = narrowed(lists.values(), field.data_type());
            Arc::new(ListArray::new(Arc::clone(field), lists.offsets().clone(), values, lists.nulls().cloned()))
        }
        ArrowType::Map(entries, ordered) => {
            let maps = array.as_map();
            let inner: ArrayRef = Arc::new(maps.entries().clone());
            let inner = narrowed(&inner, entries.data_type());
            let (offsets, nulls) = (maps.offsets().clone(), maps.nulls().cloned());
            Arc::new(MapArray::new(Arc::clone(entries), offsets, inner.as_struct().clone(), nulls, *ordered))
        }
        _ => Arc::clone(array),
    }
}

impl Planner<'_> {
    /// A view's columns as they were when it was made: found again by name, and of the same types.
    ///
    /// # Errors
    /// `INCOMPATIBLE_VIEW_SCHEMA_CHANGE`, `CANNOT_UP_CAST_DATATYPE`
    pub(super) fn as_made(&self, planned: Planned, made: &[Column], view: &Name) -> Result<Planned> {
        let fields: Vec<&Field> = planned.scope.fields.iter().filter(|field| field.visible).collect();
        let same = |(field, column): (&&Field, &Column)| {
            field.name == column.name && field.data_type.column() == Some(&column.data_type)
        };
        if made.is_empty() || fields.len() == made.len() && fields.iter().zip(made).all(same) {
            return Ok(planned);
        }
        let span = view.span();
        let mut found_again = Vec::with_capacity(made.len());
        for (idx, column) in made.iter().enumerate() {
            let is_named = |name: &str| name.eq_ignore_ascii_case(&column.name);
            let n_wanted = made.iter().filter(|other| is_named(&other.name)).count();
            let ordinal = made.iter().take(idx).filter(|other| is_named(&other.name)).count();
            let found: Vec<&&Field> = fields.iter().filter(|field| is_named(&field.name)).collect();
            let (Some(field), true) = (found.get(ordinal), found.len() == n_wanted) else {
                let message = format!(
                    "The query of the view `{view}` gives {} columns named `{}`, and {n_wanted} are expected.",
                    found.len(),
                    column.name
                );
                return Err(Diagnostic::new("INCOMPATIBLE_VIEW_SCHEMA_CHANGE", "51024", message, span).with_hint(
                    format!("The table has changed. Write CREATE OR REPLACE TEMP VIEW {view} AS … again."),
                ));
            };
            found_again.push((**field, column));
        }
        // Types are a question only where every name was found.
        let mut exprs = Vec::with_capacity(made.len());
        let mut kept = Vec::with_capacity(made.len());
        for (field, column) in found_again {
            let to = column.data_type.clone().into();
            if !can_up_cast(&field.data_type, &to) {
                let (from, to) = (field.data_type.spark_name(), to.spark_name());
                let message =
                    format!("Cannot up cast `{}` from {from} to {to}, as the view `{view}` has it.", field.name);
                return Err(Diagnostic::new("CANNOT_UP_CAST_DATATYPE", "42846", message, span).with_hint(format!(
                    "The table has changed. Write CREATE OR REPLACE TEMP VIEW {view} AS … again."
                )));
            }
            let typed = at(cast(self.session, field.typed(), &to, Mode::Ansi), span)?;
            let id = self.fresh_id();
            exprs.push(typed.expr.alias(id.clone()));
            kept.push(Field { name: column.name.clone(), id, data_type: to, ..field.clone() });
        }
        let plan = super::planner::built(LogicalPlanBuilder::from(planned.plan).project(exprs), span)?;
        Ok(Planned { plan, scope: crate::scope::Scope { fields: kept } })
    }
}
