//! Spark's functions by name. One file per family: its names, and how a call of each is bound.

mod aggregate;
mod array;
mod array_make;
mod array_sets;
mod call;
mod conditional;
mod date;
mod date_parts;
mod digest;
mod elements;
mod format_number;
mod hash;
mod json;
mod maps;
mod math;
mod pattern;
mod percentile_approx;
mod quantiles;
mod random;
mod regex;
mod rounding;
mod sequence;
mod text;
mod text_search;
mod timestamp;
mod tries;
mod type_names;
pub(crate) mod udf;
mod window;
mod xorshift;

pub(crate) use aggregate::{aggregate, is_aggregate};
pub(crate) use elements::{index, map_value};
pub(crate) use hash::{minimal, murmur_of_words};
pub(crate) use window::{is_window, is_window_end, window};
pub(crate) use xorshift::XorShift;

use crate::error::Complaint;
use crate::scope::suggestions;
use crate::session::Session;
use crate::typed::{SqlType, Typed};
use call::{Bound, Call};
use datafusion::common::ScalarValue;
use delta::schema::DataType;

/// A family: the names it knows, and the binder of its calls.
type Family = (&'static [&'static str], fn(Call) -> Bound);

const FAMILIES: [Family; 23] = [
    (conditional::NAMES, conditional::bind),
    (text::NAMES, text::bind),
    (text_search::NAMES, text_search::bind),
    (regex::NAMES, regex::bind),
    (math::NAMES, math::bind),
    (rounding::NAMES, rounding::bind),
    (random::NAMES, random::bind),
    (digest::NAMES, digest::bind),
    (hash::NAMES, hash::bind),
    (date::NAMES, date::bind),
    (date_parts::NAMES, date_parts::bind),
    (timestamp::NAMES, timestamp::bind),
    (pattern::NAMES, pattern::bind),
    (array::NAMES, array::bind),
    (array_make::NAMES, array_make::bind),
    (format_number::NAMES, format_number::bind),
    (type_names::NAMES, type_names::bind),
    (array_sets::NAMES, array_sets::bind),
    (elements::NAMES, elements::bind),
    (sequence::NAMES, sequence::bind),
    (maps::NAMES, maps::bind),
    (json::NAMES, json::bind),
    (tries::NAMES, tries::bind),
];

const GENERATORS: [&str; 7] =
    ["explode", "explode_outer", "posexplode", "posexplode_outer", "inline", "inline_outer", "stack"];

const NONDETERMINISTIC: [&str; 9] = [
    "rand",
    "random",
    "randn",
    "uuid",
    "monotonically_increasing_id",
    "spark_partition_id",
    "input_file_name",
    "shuffle",
    "first",
];

/// Known to Spark, answered with "not supported yet" rather than "unknown".
const UNSUPPORTED: [&str; 10] = [
    "input_file_name",
    "transform",
    "filter",
    "aggregate",
    "from_json",
    "schema_of_json",
    "from_csv",
    "to_csv",
    "window",
    "session_window",
];

/// A call of a scalar function.
///
/// # Errors
/// `UNRESOLVED_ROUTINE` for a name that Spark does not have, `WRONG_NUM_ARGS.WITHOUT_SUGGESTION`, and
/// `DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE` and its like for arguments.
pub(crate) fn scalar(session: &Session, name: &str, args: Vec<Typed>) -> Result<Typed, Complaint> {
    let lower = name.to_ascii_lowercase();
    let family = FAMILIES.iter().find(|(names, _)| names.contains(&lower.as_str()));
    match family {
        Some((_, bind)) => bind(Call { session, name: &lower, args }),
        None if UNSUPPORTED.contains(&lower.as_str()) => Err(Complaint::unsupported(format!("The function `{lower}`"))),
        None => Err(unknown(name)),
    }
}

/// Every function that can be called, sorted.
pub fn function_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = callable().chain(GENERATORS).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The functions that give one value for a row, a group or a window.
fn callable() -> impl Iterator<Item = &'static str> {
    let scalars = FAMILIES.iter().flat_map(|(names, _)| names.iter().copied());
    scalars.chain(aggregate::NAMES.iter().copied()).chain(window::NAMES.iter().copied())
}

fn unknown(name: &str) -> Complaint {
    let complaint = Complaint::new("UNRESOLVED_ROUTINE", "42883", format!("There is no function called `{name}`."));
    match suggestions(name, callable()).first() {
        Some(best) => complaint.with_hint(format!("Did you mean `{best}`?")),
        None => complaint,
    }
}

/// Whether the name is a function that turns one row into several.
pub(crate) fn is_generator(name: &str) -> bool {
    is_among(&GENERATORS, name)
}

/// Whether two calls with the same arguments give the same value.
pub(crate) fn is_deterministic(name: &str) -> bool {
    !is_among(&NONDETERMINISTIC, name)
}

fn is_among(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// A whole number as a constant of an integral type.
pub(crate) fn int_literal(value: i8, data_type: &SqlType) -> Typed {
    let scalar = match data_type.column() {
        Some(DataType::Byte) => ScalarValue::Int8(Some(value)),
        Some(DataType::Short) => ScalarValue::Int16(Some(i16::from(value))),
        Some(DataType::Long) => ScalarValue::Int64(Some(i64::from(value))),
        _ => ScalarValue::Int32(Some(i32::from(value))),
    };
    Typed::literal(scalar, data_type.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Settings;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_is_bound_once() {
        let session = Session::new(0, &Settings::default());
        let mut seen = BTreeSet::new();
        for (names, _) in FAMILIES {
            for name in names {
                assert!(seen.insert(*name), "{name} is in two families");
                assert!(!is_aggregate(name) && !is_window(name) && !is_generator(name), "{name} is no scalar");
                for n_args in 0..4 {
                    let arg = Typed::literal(ScalarValue::Utf8(Some("1".to_owned())), DataType::String);
                    if let Err(complaint) = scalar(&session, name, vec![arg; n_args]) {
                        assert_ne!(complaint.condition, "MERGELAB_INTERNAL_ERROR", "{name}: {complaint}");
                        assert_ne!(complaint.condition, "UNRESOLVED_ROUTINE", "{name}: {complaint}");
                    }
                }
            }
        }
    }
}
