//! Generators: one row becomes as many as an array or map has elements.
//!
//! Whatever the generator, its argument is first turned into an array of structs, one struct per row to come;
//! DataFusion unnests that array, and the struct's fields become columns.

use super::planner::{Planned, Planner, Result, built};
use crate::expr::{Generator, nested};
use crate::functions::udf;
use crate::scope::Field;
use crate::typed::{SqlType, Typed};
use arrow::array::{Array, ArrayRef, AsArray, Int32Array, ListArray, StructArray};
use arrow::datatypes::{DataType as ArrowType, Field as ArrowField, Fields};
use datafusion::common::{Column, DataFusionError, NullHandling, UnnestOptions};
use datafusion::logical_expr::{Expr as PlanExpr, LogicalPlan, LogicalPlanBuilder};
use delta::schema::{DataType, StructField, StructType};
use spec::{Diagnostic, Ident, LateralView, Span};
use std::sync::Arc;

impl Planner<'_> {
    /// `LATERAL VIEW [OUTER] generator(…) t AS …` over a relation.
    pub(super) fn lateral_view(
        &self,
        planned: Planned,
        view: &LateralView,
        (kind, outer): (Generator, bool),
        args: Vec<Typed>,
    ) -> Result<Planned> {
        let mut scope = planned.scope.clone();
        let qualifier = std::slice::from_ref(&view.table.value);
        let names = &view.columns;
        let (plan, fields) =
            self.generate(planned, kind, outer || view.outer, args, qualifier, names, view.generator.span)?;
        scope.fields.extend(fields);
        Ok(Planned { plan, scope })
    }

    /// The relation with the generator's columns, and those columns.
    #[expect(clippy::too_many_arguments, reason = "a generator is just these things")]
    pub(super) fn generate(
        &self,
        planned: Planned,
        kind: Generator,
        outer: bool,
        args: Vec<Typed>,
        qualifier: &[String],
        names: &[Ident],
        span: Span,
    ) -> Result<(LogicalPlan, Vec<Field>)> {
        if kind == Generator::Stack {
            return Err(Diagnostic::unsupported("The generator stack()", span));
        }
        let [arg] = <[Typed; 1]>::try_from(args).map_err(|args| {
            let message = format!("A generator takes one argument, not {}.", args.len());
            Diagnostic::new("WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "42605", message, span)
        })?;
        let columns = output(kind, &arg.data_type, outer, span)?;
        let columns = named(columns, names, span)?;
        let rows = rows(arg, &columns, kind);
        let id = self.fresh_id();
        let before: Vec<PlanExpr> = planned.plan.schema().columns().into_iter().map(PlanExpr::Column).collect();
        let plan = planned.extended(vec![rows.alias(id.clone())], span)?;
        let null_handling = if outer { NullHandling::PreserveAndExpandEmpty } else { NullHandling::Drop };
        let options = UnnestOptions { null_handling, recursions: Vec::new() };
        let unnested =
            LogicalPlanBuilder::from(plan).unnest_column_with_options(Column::new_unqualified(id.clone()), options);
        let unnested = built(unnested, span)?;

        let row = Typed::new(
            PlanExpr::Column(Column::new_unqualified(id)),
            DataType::Struct(StructType { fields: columns.clone() }),
            outer,
        );
        let mut exprs = before;
        let mut fields = Vec::with_capacity(columns.len());
        for (idx, column) in columns.iter().enumerate() {
            // By position, for a learner may give two columns one name.
            let typed = nested_at(&row, idx, column, span)?;
            let id = self.fresh_id();
            exprs.push(typed.expr.alias(id.clone()));
            fields.push(Field {
                name: column.name.clone(),
                qualifier: qualifier.to_vec(),
                id,
                data_type: typed.data_type,
                nullable: typed.nullable,
                visible: true,
                origins: Vec::new(),
                behind: false,
            });
        }
        Ok((built(LogicalPlanBuilder::from(unnested).project(exprs), span)?, fields))
    }
}

fn nested_at(row: &Typed, idx: usize, column: &StructField, span: Span) -> Result<Typed> {
    let renamed =
        |(position, field): (usize, &StructField)| StructField { name: position.to_string(), ..field.clone() };
    let fields = match &row.data_type {
        SqlType::Column(DataType::Struct(fields)) => fields.fields.iter().enumerate().map(renamed).collect(),
        _ => vec![column.clone()],
    };
    let row = Typed { data_type: DataType::Struct(StructType { fields }).into(), ..row.clone() };
    nested(row, &[Ident::new(idx.to_string(), span)])
}

/// The generator's columns under the names of the text.
fn named(mut columns: Vec<StructField>, names: &[Ident], span: Span) -> Result<Vec<StructField>> {
    if names.is_empty() {
        return Ok(columns);
    }
    if names.len() != columns.len() {
        let message = format!("The generator gives {} columns, but {} are named.", columns.len(), names.len());
        return Err(Diagnostic::new("UDTF_ALIAS_NUMBER_MISMATCH", "42802", message, span));
    }
    for (column, name) in columns.iter_mut().zip(names) {
        column.name.clone_from(&name.value);
    }
    Ok(columns)
}

/// The generator's columns under Spark's own names.
fn output(kind: Generator, data_type: &SqlType, outer: bool, span: Span) -> Result<Vec<StructField>> {
    let column = |name: &str, data_type: &DataType, nullable: bool| StructField {
        nullable: nullable || outer,
        ..StructField::new(name, data_type.clone())
    };
    let mut columns = Vec::new();
    if kind == Generator::PosExplode {
        columns.push(column("pos", &DataType::Int, false));
    }
    match (kind, data_type) {
        (Generator::Explode | Generator::PosExplode, SqlType::Column(DataType::Array { element, contains_null })) => {
            columns.push(column("col", element, *contains_null));
        }
        (
            Generator::Explode | Generator::PosExplode,
            SqlType::Column(DataType::Map { key, value, value_contains_null }),
        ) => {
            columns.push(column("key", key, false));
            columns.push(column("value", value, *value_contains_null));
        }
        (Generator::Inline, SqlType::Column(DataType::Array { element, contains_null })) => {
            let DataType::Struct(fields) = element.as_ref() else { return Err(wrong_input(data_type, span)) };
            for field in &fields.fields {
                columns.push(column(&field.name, &field.data_type, field.nullable || *contains_null));
            }
        }
        _ => return Err(wrong_input(data_type, span)),
    }
    Ok(columns)
}

fn wrong_input(data_type: &SqlType, span: Span) -> Diagnostic {
    let message = format!("This generator needs an array or a map, but its argument is {}.", data_type.spark_name());
    Diagnostic::new("DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "42K09", message, span)
}

/// The argument as an array of structs with the generator's columns.
fn rows(arg: Typed, columns: &[StructField], kind: Generator) -> PlanExpr {
    let fields: Fields = columns
        .iter()
        .enumerate()
        .map(|(idx, column)| ArrowField::new(idx.to_string(), column.data_type.to_arrow(), true))
        .collect();
    let item = Arc::new(ArrowField::new("element", ArrowType::Struct(fields.clone()), true));
    let gives = udf::Gives { data_type: ArrowType::List(Arc::clone(&item)), nullable: true };
    udf::call("generator_rows", format!("{kind:?}"), gives, vec![arg.expr], move |args| {
        spread(&args.array(0)?, kind, &item, &fields)
    })
}

fn spread(
    array: &ArrayRef,
    kind: Generator,
    item: &Arc<ArrowField>,
    fields: &Fields,
) -> datafusion::common::Result<ArrayRef> {
    let (offsets, nulls, mut columns) = if let Some(list) = array.as_list_opt::<i32>() {
        let values = list.values();
        let columns = match (kind, values.as_struct_opt()) {
            (Generator::Inline, Some(structs)) => inline(structs)?,
            _ => vec![Arc::clone(values)],
        };
        (list.offsets().clone(), list.nulls().cloned(), columns)
    } else if let Some(map) = array.as_map_opt() {
        (map.offsets().clone(), map.nulls().cloned(), vec![Arc::clone(map.keys()), Arc::clone(map.values())])
    } else {
        return Err(DataFusionError::Internal(format!("a generator over {}", array.data_type())));
    };
    if kind == Generator::PosExplode {
        let n_values = columns.first().map_or(0, |column| column.len());
        let mut positions = vec![0; n_values];
        for window in offsets.windows(2) {
            let [start, end] = window else { continue };
            for (position, value) in (*start..*end).enumerate() {
                if let Some(slot) = usize::try_from(value).ok().and_then(|value| positions.get_mut(value)) {
                    *slot = i32::try_from(position).unwrap_or(i32::MAX);
                }
            }
        }
        columns.insert(0, Arc::new(Int32Array::from(positions)));
    }
    let structs = StructArray::try_new(fields.clone(), columns, None)?;
    Ok(Arc::new(ListArray::try_new(Arc::clone(item), offsets, Arc::new(structs), nulls)?))
}

/// The fields of the structs, NULL wherever the struct is.
fn inline(structs: &StructArray) -> datafusion::common::Result<Vec<ArrayRef>> {
    let Some(nulls) = structs.nulls() else { return Ok(structs.columns().to_vec()) };
    let absent = arrow::array::BooleanArray::new(!nulls.inner(), None);
    let mut columns = Vec::with_capacity(structs.num_columns());
    for column in structs.columns() {
        columns.push(arrow::compute::nullif(column, &absent)?);
    }
    Ok(columns)
}
