//! Which side of a MERGE a name belongs to.

use crate::columns::{Named, of_relation, resolve};
use crate::known::{Column, Known};
use crate::walk;
use spec::{Cte, Expr, MergeInto, Name};

/// The side that an expression is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Target,
    Source,
    Both,
    /// It names no column.
    Neither,
    /// A name that is not known.
    Unknown,
}

/// What a MERGE's two sides are called and hold. Columns are empty where they are not known.
#[derive(Debug)]
pub(crate) struct Sides {
    target: Named,
    source: Vec<Named>,
}

impl Sides {
    pub(crate) fn of(merge: &MergeInto, known: &Known) -> Sides {
        let table = known.find(&merge.target.name);
        let called = merge.target.alias.as_ref().map_or(merge.target.name.last(), |alias| alias.value.as_str());
        let columns = table.map(|table| table.columns.clone()).unwrap_or_default();
        let ctes: Vec<&Cte> = merge.ctes.iter().collect();
        let source = of_relation(known, &ctes, &merge.source);
        let source = source.unwrap_or_else(|| vec![Named { qualifier: called_as(merge), columns: Vec::new() }]);
        Sides { target: Named { qualifier: Some(called.to_owned()), columns }, source }
    }

    /// The side of a name.
    pub(crate) fn side(&self, name: &Name) -> Side {
        if let [.., qualifier, _] = name.parts.as_slice() {
            return match &qualifier.value {
                value if self.target.is_called(value) => Side::Target,
                value if self.source.iter().any(|named| named.is_called(value)) => Side::Source,
                _ => Side::Unknown,
            };
        }
        let in_source = self.source.iter().any(|named| named.column(name.last()).is_some());
        match (self.target.column(name.last()).is_some(), in_source) {
            (true, false) => Side::Target,
            (false, true) => Side::Source,
            _ => Side::Unknown,
        }
    }

    /// The side of all names of an expression together.
    pub(crate) fn side_of(&self, expr: &Expr) -> Side {
        let sides = walk::columns(expr).into_iter().map(|name| self.side(name));
        sides.fold(Side::Neither, |all, one| match (all, one) {
            (Side::Neither, one) => one,
            (Side::Unknown, _) | (_, Side::Unknown) => Side::Unknown,
            (all, one) if all == one => all,
            _ => Side::Both,
        })
    }

    /// The column that a name stands for, if it is known.
    pub(crate) fn column(&self, name: &Name) -> Option<&Column> {
        match self.side(name) {
            Side::Target => self.target.column(name.last()),
            Side::Source => resolve(&self.source, name),
            _ => None,
        }
    }
}

fn called_as(merge: &MergeInto) -> Option<String> {
    use spec::Relation;
    match &merge.source {
        Relation::Table { alias: Some(alias), .. }
        | Relation::Subquery { alias: Some(alias), .. }
        | Relation::Function { alias: Some(alias), .. } => Some(alias.name.value.clone()),
        Relation::Table { name, .. } => Some(name.last().to_owned()),
        _ => None,
    }
}
