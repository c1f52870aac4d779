//! Which columns an expression can name.
//!
//! A [`Field`] pairs the learner's name with the made-up name (`id`) that the column has in the plan, so equal names,
//! names that differ in case only and hidden columns never confuse DataFusion.

use crate::catalog::Column;
use crate::query::Plan;
use crate::typed::{SqlType, Typed};
use datafusion::common::Column as PlanColumn;
use datafusion::logical_expr::Expr;
use spec::{Diagnostic, Ident, Name};

/// The columns that an expression can name, in order.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    pub(crate) fields: Vec<Field>,
}

/// One column of a [`Scope`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// The parts that may stand before the name, outermost first: `spark_catalog`, `default`, `t`. A name may leave
    /// out any number of them from the left.
    pub(crate) qualifier: Vec<String>,
    /// The column's name in the plan.
    pub(crate) id: String,
    pub(crate) data_type: SqlType,
    pub(crate) nullable: bool,
    /// False for the side of a USING join that only `t.k` reaches.
    pub(crate) visible: bool,
    /// The data frames that the column came through, and its position in each; the nearest last.
    pub(crate) origins: Vec<Origin>,
    /// True for a column that an earlier step of a data frame left out: its filters and sorts still reach it.
    pub(crate) behind: bool,
}

/// A column of a data frame: the frame's number and the column's position in it.
pub(crate) type Origin = (u32, u32);

impl Field {
    pub(crate) fn expr(&self) -> Expr {
        Expr::Column(PlanColumn::new_unqualified(self.id.clone()))
    }

    pub(crate) fn typed(&self) -> Typed {
        Typed::new(self.expr(), self.data_type.clone(), self.nullable)
    }

    /// Whether `parts`, as written before a column name, can mean this field's relation.
    pub(crate) fn is_of(&self, parts: &[Ident]) -> bool {
        let Some(start) = self.qualifier.len().checked_sub(parts.len()) else { return false };
        self.qualifier.iter().skip(start).zip(parts).all(|(own, part)| part.is(own))
    }
}

/// What a dotted name means in a scope.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Resolved<'a> {
    pub(crate) field: &'a Field,
    /// Position in the scope.
    pub(crate) index: usize,
    /// The parts behind the column: fields of a struct.
    pub(crate) path: Vec<Ident>,
}

impl Scope {
    /// A scope without columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the columns of one relation and returns the position of the first. `qualifier` is what may stand before
    /// their names, outermost part first: `["t"]`, or `["spark_catalog", "default", "tgt"]`, which `tgt` and
    /// `default.tgt` also match.
    pub fn add(&mut self, qualifier: &[String], columns: &[Column]) -> usize {
        self.put(qualifier, columns, true)
    }

    /// The same for columns that the rows have but no expression can name.
    pub fn add_hidden(&mut self, columns: &[Column]) -> usize {
        self.put(&[], columns, false)
    }

    fn put(&mut self, qualifier: &[String], columns: &[Column], visible: bool) -> usize {
        let offset = self.fields.len();
        for (idx, column) in columns.iter().enumerate() {
            self.fields.push(Field {
                name: column.name.clone(),
                qualifier: qualifier.to_vec(),
                id: format!("@{}", offset + idx),
                data_type: column.data_type.clone().into(),
                nullable: column.nullable,
                visible,
                origins: Vec::new(),
                behind: false,
            });
        }
        offset
    }

    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// True without columns.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The column that `name` means: the longest qualifier wins, the parts behind the column are its fields. `None`
    /// where no column has that name.
    ///
    /// # Errors
    /// `AMBIGUOUS_REFERENCE` where several do.
    pub(crate) fn resolve(&self, name: &Name) -> Result<Option<Resolved<'_>>, Diagnostic> {
        for n_qualifiers in (0..name.parts.len()).rev() {
            let (qualifier, rest) = name.parts.split_at(n_qualifiers);
            let Some((column, path)) = rest.split_first() else { continue };
            let mut found: Vec<(usize, &Field)> = Vec::new();
            for (idx, field) in self.fields.iter().enumerate() {
                let reachable = if n_qualifiers == 0 { field.visible } else { field.is_of(qualifier) && !field.behind };
                if reachable && column.is(&field.name) && !found.iter().any(|(_, other)| other.id == field.id) {
                    found.push((idx, field));
                }
            }
            match found.as_slice() {
                [] => {}
                [(index, field)] => return Ok(Some(Resolved { field, index: *index, path: path.to_vec() })),
                several => return Err(ambiguous(name, several)),
            }
        }
        Ok(None)
    }
}

impl Scope {
    /// Adds the columns of a query with what its own text knows them by: the source of a MERGE that is a data frame.
    pub fn add_query(&mut self, plan: &Plan) {
        for field in plan.fields() {
            let id = format!("@{}", self.fields.len());
            self.fields.push(Field { id, ..field.clone() });
        }
    }

    /// The column that a name means among those that earlier steps of a data frame left out: the nearest.
    pub(crate) fn resolve_behind(&self, name: &Name) -> Option<(&Field, Vec<Ident>)> {
        (0..name.parts.len()).rev().find_map(|n_qualifiers| {
            let (qualifier, rest) = name.parts.split_at(n_qualifiers);
            let (column, path) = rest.split_first()?;
            let mut behind = self.fields.iter().filter(|field| field.behind);
            let found = behind.find(|field| field.is_of(qualifier) && column.is(&field.name))?;
            Some((found, path.to_vec()))
        })
    }

    /// The column that a data frame's column has become here; `reaches_behind` allows for columns that steps left out.
    ///
    /// # Errors
    /// It is not here, or the same column came here twice: a frame was joined with itself.
    pub(crate) fn of_frame(&self, origin: Origin, name: &Ident, reaches_behind: bool) -> Result<&Field, Diagnostic> {
        let has = |field: &&Field| field.origins.contains(&origin);
        let here = self.fields.iter().find(|field| !field.behind && has(field));
        let behind = || self.fields.iter().find(|field| reaches_behind && has(field));
        let Some(found) = here.or_else(behind) else {
            let message = format!("The column `{name}` of that data frame is not among the columns here.");
            let condition = "MISSING_ATTRIBUTES.RESOLVED_ATTRIBUTE_MISSING_FROM_INPUT";
            return Err(Diagnostic::new(condition, "XX000", message, name.span)
                .with_hint("Take it from the frame that is transformed here, or write F.col with its name."));
        };
        if self.twins(found).nth(1).is_some() {
            let message =
                format!("The column `{name}` is ambiguous: the same data frame stands on both sides of a join.");
            return Err(Diagnostic::new("_LEGACY_ERROR_TEMP_1182", "", message, name.span)
                .with_hint("Give each side a name: df.alias(\"a\"), df.alias(\"b\"), and write F.col(\"a.id\")."));
        }
        Ok(found)
    }

    /// The columns that are the same column of the same frame, in order: several after a join with itself.
    pub(crate) fn twins<'a>(&'a self, field: &'a Field) -> impl Iterator<Item = &'a Field> {
        let same = move |other: &&Field| !other.behind && other.origins.first() == field.origins.first();
        self.fields.iter().filter(same)
    }
}

fn ambiguous(name: &Name, found: &[(usize, &Field)]) -> Diagnostic {
    let mut choices: Vec<String> = found.iter().map(|(_, field)| full_name(field)).collect();
    choices.sort();
    choices.dedup();
    let quoted: Vec<String> = choices.iter().map(|choice| format!("`{}`", choice.replace('.', "`.`"))).collect();
    let message = format!("Reference `{name}` is ambiguous, could be: [{}].", quoted.join(", "));
    let mut diagnostic = Diagnostic::new("AMBIGUOUS_REFERENCE", "42704", message, name.span())
        .with_hint("Several relations have a column of this name: say which one you mean.");
    if let [column, rest @ ..] = name.parts.as_slice()
        && rest.is_empty()
    {
        for choice in choices.iter().filter(|choice| choice.contains('.')) {
            diagnostic = diagnostic.with_edit(format!("Use {choice}"), column.span, choice.clone());
        }
    }
    diagnostic
}

/// `t.c`, with the last part of the qualifier only.
pub(crate) fn full_name(field: &Field) -> String {
    match field.qualifier.last() {
        Some(relation) => format!("{relation}.{}", field.name),
        None => field.name.clone(),
    }
}

/// The names most like `wanted`, best first: at most five.
pub(crate) fn suggestions<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let mut ranked: Vec<(usize, String)> = Vec::new();
    for name in names {
        let last = name.rsplit('.').next().unwrap_or(name).to_lowercase();
        let candidate = if wanted.contains('.') { name.to_lowercase() } else { last };
        ranked.push((distance(&wanted, &candidate), name.to_owned()));
    }
    ranked.sort();
    ranked.dedup();
    ranked.into_iter().map(|(_, name)| name).take(5).collect()
}

/// Whether a suggestion is close enough to be offered as an edit.
pub(crate) fn is_close(wanted: &str, candidate: &str) -> bool {
    let last = candidate.rsplit('.').next().unwrap_or(candidate).to_lowercase();
    let wanted = wanted.rsplit('.').next().unwrap_or(wanted).to_lowercase();
    distance(&wanted, &last) <= (wanted.chars().count() / 3).max(1)
}

/// The Levenshtein distance.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut previous: Vec<usize> = (0..=right.len()).collect();
    for (row, left_char) in left.chars().enumerate() {
        let mut current = vec![row + 1];
        let mut corner = row;
        for (above, right_char) in previous.iter().skip(1).zip(&right) {
            let here = current.last().copied().unwrap_or_default();
            let substituted = corner + usize::from(left_char != *right_char);
            current.push(substituted.min(here + 1).min(above + 1));
            corner = *above;
        }
        previous = current;
    }
    previous.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_come_first() {
        let names = ["t.customer", "t.amount", "t.id"];
        assert_eq!(suggestions("amout", names.into_iter()), ["t.amount", "t.id", "t.customer"]);
        assert!(is_close("amout", "t.amount"));
        assert!(!is_close("amout", "t.customer"));
    }

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "ab"), 2);
    }
}
