//! Store assignment: the cast of a value to the type of the column it is written to.

use super::nested::over;
use super::{Mode, Rules, Structs, castable_columns, converted, uncastable};
use crate::error::Complaint;
use crate::functions::udf::{self, Gives};
use crate::ops::can_up_cast;
use crate::session::{Session, StoreAssignment};
use crate::typed::{SqlType, Typed};
use delta::schema::{DataType, StructType, same_name};

/// The statement that writes the value, and how it matches struct fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignKind {
    /// Fields by name; both sides have the same.
    Merge,
    /// Fields by name; those that the value lacks become NULL.
    MergeEvolving,
    /// Fields by position.
    Insert,
    /// Fields by name; both sides have the same.
    InsertByName,
    /// Fields by name; both sides have the same.
    Update,
}

impl AssignKind {
    fn structs(self) -> Structs {
        match self {
            Self::Insert => Structs::Positional,
            Self::Merge | Self::Update | Self::InsertByName => Structs::Named,
            Self::MergeEvolving => Structs::NamedOrNull,
        }
    }

    fn overflow(self) -> &'static str {
        match self {
            Self::Insert | Self::InsertByName => "CAST_OVERFLOW_IN_TABLE_INSERT",
            Self::Merge | Self::MergeEvolving | Self::Update => "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
        }
    }
}

/// The value as the target column takes it, by the session's store assignment policy.
///
/// # Errors
/// Types without a cast, struct fields that differ (`DELTA_UPDATE_SCHEMA_MISMATCH_EXPRESSION`), and under STRICT
/// every cast that could lose something (`CANNOT_UP_CAST_DATATYPE`). Values that do not fit fail when they are
/// computed.
pub(crate) fn assign(session: &Session, value: Typed, to: &DataType, kind: AssignKind) -> Result<Typed, Complaint> {
    let target = SqlType::from(to.clone());
    if value.data_type == target {
        return Ok(value);
    }
    let checked = Checked::new(session, &value.data_type, to, kind)?;
    let cast = converted(value, &target, checked.rules);
    Ok(checked.guarded(cast, &target, kind))
}

/// The same, where struct fields that only the column has keep what `old`, the column's present value, has in them.
///
/// # Errors
/// As [`assign`].
pub(crate) fn assign_over(
    session: &Session,
    value: Typed,
    old: Typed,
    to: &DataType,
    kind: AssignKind,
) -> Result<Typed, Complaint> {
    let target = SqlType::from(to.clone());
    let (Some(DataType::Struct(from)), DataType::Struct(_)) = (value.data_type.column().cloned(), to) else {
        return assign(session, value, to, kind);
    };
    if value.data_type == target || old.data_type != target {
        return assign(session, value, to, kind);
    }
    let checked = Checked::new(session, &value.data_type, to, kind)?;
    let rules = checked.rules;
    let key = format!("{}>{}:{rules:?}", value.data_type.spark_name(), target.spark_name());
    let gives = Gives { data_type: target.arrow(), nullable: true };
    let (from, into) = (DataType::Struct(from), to.clone());
    let expr = udf::call("cast", format!("over:{key}"), gives, vec![value.expr, old.expr], move |args| {
        over(&args.array(0)?, &args.array(1)?, &from, &into, rules)
    });
    Ok(checked.guarded(Typed::new(expr, target.clone(), true), &target, kind))
}

/// A pair of types that has been found assignable.
struct Checked {
    rules: Rules,
    may_overflow: bool,
}

impl Checked {
    fn new(session: &Session, from: &SqlType, to: &DataType, kind: AssignKind) -> Result<Self, Complaint> {
        let policy = session.settings().store_assignment;
        let mode = if policy == StoreAssignment::Legacy { Mode::Legacy } else { Mode::Ansi };
        let rules = Rules { mode, structs: kind.structs() };
        let target = SqlType::from(to.clone());
        let Some(source) = from.column() else {
            return if target.is_string() {
                Ok(Self { rules, may_overflow: false })
            } else {
                Err(uncastable(from, &target, mode))
            };
        };
        let mut pairs = Vec::new();
        leaves(source, to, rules.structs, &mut pairs)?;
        let mut may_overflow = false;
        for (old, new) in pairs {
            let up = can_up_cast(&old.clone().into(), &new.clone().into());
            if policy == StoreAssignment::Strict && !up {
                return Err(cannot_up_cast(&old.clone().into(), &new.clone().into()));
            }
            if !castable_columns(old, new, mode) {
                return Err(uncastable(&old.clone().into(), &new.clone().into(), mode));
            }
            may_overflow |= mode == Mode::Ansi && has_bounded_number(new) && !up;
        }
        Ok(Self { rules, may_overflow })
    }

    /// Delta's overflow guard surrounds the cast.
    fn guarded(&self, mut cast: Typed, to: &SqlType, kind: AssignKind) -> Typed {
        if self.may_overflow {
            let message = format!("A value does not fit into a column of type {}.", to.spark_name());
            let complaint = Complaint::new(kind.overflow(), "22003", message);
            cast.expr = udf::replacing_arithmetic_errors(cast.expr, &complaint);
        }
        cast
    }
}

/// The pairs of types that are cast one by one: structs are taken apart by name, also inside arrays and maps.
///
/// # Errors
/// Fields that only one side has, where that is not allowed.
fn leaves<'a>(
    from: &'a DataType,
    to: &'a DataType,
    structs: Structs,
    pairs: &mut Vec<(&'a DataType, &'a DataType)>,
) -> Result<(), Complaint> {
    match (from, to) {
        _ if structs == Structs::Positional => pairs.push((from, to)),
        (DataType::Struct(old), DataType::Struct(new)) => {
            same_fields(old, new, structs)?;
            for field in &new.fields {
                if let Some(value) = old.field(&field.name) {
                    leaves(&value.data_type, &field.data_type, structs, pairs)?;
                }
            }
        }
        (DataType::Array { element: old, .. }, DataType::Array { element: new, .. })
            if matches!((&**old, &**new), (DataType::Struct(_), DataType::Struct(_))) =>
        {
            leaves(old, new, structs, pairs)?;
        }
        (DataType::Map { key: old_key, value: old, .. }, DataType::Map { key, value, .. }) => {
            leaves(old_key, key, structs, pairs)?;
            leaves(old, value, structs, pairs)?;
        }
        _ => pairs.push((from, to)),
    }
    Ok(())
}

/// No field of the value may be lost, and none of the column may be missing unless NULL stands in for it.
fn same_fields(old: &StructType, new: &StructType, structs: Structs) -> Result<(), Complaint> {
    let is_lost = |name: &str| !new.fields.iter().any(|field| same_name(&field.name, name));
    if let Some(extra) = old.fields.iter().find(|field| is_lost(&field.name)) {
        return Err(fields_differ(&format!("the column has no field `{}`", extra.name)));
    }
    let missing = new.fields.iter().find(|field| old.field(&field.name).is_none());
    match missing {
        Some(field) if structs == Structs::Named => {
            Err(fields_differ(&format!("the value has no field `{}`", field.name)))
        }
        _ => Ok(()),
    }
}

fn fields_differ(what: &str) -> Complaint {
    let message = format!("The fields of the struct do not match the column: {what}.");
    Complaint::new("DELTA_UPDATE_SCHEMA_MISMATCH_EXPRESSION", "42846", message)
}

fn cannot_up_cast(from: &SqlType, to: &SqlType) -> Complaint {
    let (from, to) = (from.spark_name(), to.spark_name());
    let message = format!("A value of type {from} may not fit into {to}, and the STRICT policy refuses such casts.");
    Complaint::new("CANNOT_UP_CAST_DATATYPE", "42846", message).with_hint("Write the CAST yourself.")
}

/// Delta's overflow guard surrounds casts to types with a whole number or decimal inside.
fn has_bounded_number(data_type: &DataType) -> bool {
    match data_type {
        DataType::Byte | DataType::Short | DataType::Int | DataType::Long | DataType::Decimal { .. } => true,
        DataType::Array { element, .. } => has_bounded_number(element),
        DataType::Map { key, value, .. } => has_bounded_number(key) || has_bounded_number(value),
        DataType::Struct(fields) => fields.fields.iter().any(|field| has_bounded_number(&field.data_type)),
        _ => false,
    }
}
