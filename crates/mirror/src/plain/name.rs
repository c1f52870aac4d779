//! Relations, and the names that those of data frames get: an alias that the program gave, or one that is made up where
//! columns could not be told apart without.

use super::fold::Output;
use super::scope::{By, Scope, Side, Spoken, View};
use super::settle::Plainer;
use super::shape;
use crate::relation::is_rows;
use spec::{Ident, JoinConstraint, JoinKind, MergeInto, Query, QueryBody, Relation, Span, TableAlias, TimeTravel};

/// The number of a frame, and the alias that the program has given it.
type KnownAs = (u32, Option<TableAlias>);

impl Plainer {
    pub(super) fn relation(&mut self, relation: &mut Relation) -> Scope {
        match relation {
            Relation::Table { name, alias, time_travel, .. } => {
                if let Some(TimeTravel::Timestamp(time)) = time_travel {
                    self.settle(&Scope::default(), time);
                }
                let own = (!is_rows(name)).then(|| name.last().to_owned());
                one_side(text(alias.as_ref()).or(own))
            }
            Relation::Function { args, alias, .. } => {
                args.iter_mut().for_each(|arg| self.settle(&Scope::default(), arg));
                one_side(text(alias.as_ref()))
            }
            Relation::Subquery { query, alias, frame: None, .. } => {
                let qualifier = text(alias.as_ref());
                match shape::rows_of(query) {
                    Some(name) => {
                        let (alias, span) = (alias.take(), Span::default());
                        *relation = Relation::Table { name, time_travel: None, alias, span };
                    }
                    None => {
                        self.query(query);
                    }
                }
                one_side(qualifier)
            }
            Relation::Subquery { query, alias, frame: Some(frame), .. } => {
                let (frame, alias) = (*frame, alias.take());
                let mut query = std::mem::replace(&mut **query, shape::query_of(shape::nothing()));
                let output = self.query(&mut query);
                let (plain, scope) = unwrapped(query, output, (frame, alias), &self.spoken);
                *relation = plain;
                scope
            }
            Relation::Join { left, right, kind, constraint, .. } => {
                let frames = shape::frame_number(left).zip(shape::frame_number(right));
                let mut left_scope = self.relation(left);
                let mut right_scope = self.relation(right);
                if let Some((left_frame, right_frame)) = frames {
                    make_up(left, &mut left_scope, &format!("df{left_frame}"), &[]);
                    make_up(right, &mut right_scope, &format!("df{right_frame}"), &left_scope.qualifiers());
                }
                let hides_right = matches!(kind, JoinKind::LeftSemi | JoinKind::LeftAnti);
                let left_alone = left_scope.clone();
                let mut scope = left_scope.beside(right_scope);
                match constraint {
                    JoinConstraint::On(condition) => self.settle(&scope, condition),
                    JoinConstraint::Using(columns) => {
                        scope.merged.extend(columns.iter().map(|column| column.value.clone()))
                    }
                    JoinConstraint::None | JoinConstraint::Natural => {}
                }
                if hides_right { left_alone } else { scope }
            }
        }
    }

    /// Makes the source of a MERGE plain, and gives what its conditions can name.
    pub(super) fn sides_of_merge(&mut self, merge: &mut MergeInto) -> Scope {
        let target = merge.target.alias.as_ref().map_or_else(|| merge.target.name.last(), |alias| &alias.value);
        let target = one_side(Some(target.to_owned()));
        let is_frame = shape::frame_number(&merge.source).is_some();
        let mut source = match shape::take_written(&mut merge.source) {
            Some((frame, mut query, alias)) => {
                let output = self.query(&mut query);
                let (relation, scope) = subquery(query, output, (frame, alias), &self.spoken);
                merge.source = relation;
                scope
            }
            None => self.relation(&mut merge.source),
        };
        if !shape::is_source(&merge.source) {
            source = enclose(&mut merge.source, source, &self.spoken);
        }
        let mut names_frame = false;
        super::conditions(merge, &mut |expr| names_frame |= shape::names_frame(expr));
        if is_frame && (names_frame || !source.qualifiers().is_empty()) {
            make_up(&mut merge.source, &mut source, "source", &target.qualifiers());
        }
        target.beside(source)
    }
}

fn one_side(qualifier: Option<String>) -> Scope {
    Scope { sides: vec![Side { qualifier, views: Vec::new() }], ..Scope::default() }
}

fn text(alias: Option<&TableAlias>) -> Option<String> {
    alias.map(|alias| alias.name.value.clone())
}

fn alias_of(name: &str) -> TableAlias {
    TableAlias { name: Ident::new(name, Span::default()), columns: Vec::new() }
}

/// A frame as something to read: what it reads itself, where it does nothing with it.
fn unwrapped(query: Query, output: Output, known_as: KnownAs, spoken: &Spoken) -> (Relation, Scope) {
    let (frame, alias) = known_as;
    let does_nothing = query.ctes.is_empty()
        && shape::has_no_tail(&query)
        && matches!(&query.body, QueryBody::Select(select)
            if shape::is_bare(select) && (alias.is_none() || !matches!(select.from.as_slice(), [Relation::Join { .. }])));
    let mut scope = output.as_scope();
    let from = match query.body {
        QueryBody::Select(mut select) if does_nothing => select.from.pop().ok_or(QueryBody::Select(select)),
        body => Err(body),
    };
    let mut relation = match from {
        Ok(relation) => relation,
        Err(body) => return subquery(Query { body, ..query }, output, (frame, alias), spoken),
    };
    if let Some(alias) = alias {
        // Another name takes the place of the one before, for frames too.
        for side in &mut scope.sides {
            side.qualifier = Some(alias.name.value.clone());
            side.views.retain(|view| matches!(view.by, By::Frame(_)));
        }
        rename(&mut relation, alias);
    }
    scope.know(View::new(By::Frame(frame)));
    (relation, scope)
}

fn rename(relation: &mut Relation, new: TableAlias) {
    if let Relation::Table { alias, .. } | Relation::Subquery { alias, .. } | Relation::Function { alias, .. } =
        relation
    {
        let columns = alias.take().map(|alias| alias.columns).filter(|_| new.columns.is_empty());
        *alias = Some(TableAlias { columns: columns.unwrap_or(new.columns), name: new.name });
    }
}

/// A frame as a subquery. Where its columns have one alias to frames, the subquery gets it, so that they keep it in SQL.
pub(super) fn subquery(query: Query, output: Output, known_as: KnownAs, spoken: &Spoken) -> (Relation, Scope) {
    let (frame, alias) = known_as;
    let given = alias.is_some();
    let alias = alias.or_else(|| match output.from.qualifiers().as_slice() {
        [only] => Some(alias_of(only)),
        _ => None,
    });
    let mut views = output.inside(&query, spoken);
    if given {
        views.retain(|view| matches!(view.by, By::Frame(_)));
    }
    views.push(View::new(By::Frame(frame)));
    let scope = Scope { sides: vec![Side { qualifier: text(alias.as_ref()), views }], ..Scope::default() };
    let query = Box::new(query);
    (Relation::Subquery { query, lateral: false, alias, frame: None, span: Span::default() }, scope)
}

/// Makes up an alias for a relation that has no name, or one that is taken.
fn make_up(relation: &mut Relation, scope: &mut Scope, name: &str, taken: &[String]) {
    let is_taken = |name: &str| taken.iter().any(|other| other.eq_ignore_ascii_case(name));
    let [side] = scope.sides.as_mut_slice() else { return };
    if matches!(relation, Relation::Join { .. }) || side.qualifier.as_ref().is_some_and(|own| !is_taken(own)) {
        return;
    }
    let mut name = name.to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    side.qualifier = Some(name.clone());
    rename(relation, alias_of(&name));
}

/// A relation as a query: a MERGE reads a table or a query.
fn enclose(relation: &mut Relation, scope: Scope, spoken: &Spoken) -> Scope {
    let alias = match relation {
        Relation::Table { alias, .. } | Relation::Subquery { alias, .. } | Relation::Function { alias, .. } => {
            let outer = alias.as_ref().map(|alias| alias_of(&alias.name.value));
            // Names of columns have to stay where the grammar takes them.
            *alias = alias.take().filter(|alias| !alias.columns.is_empty());
            outer
        }
        Relation::Join { .. } => None,
    };
    let placeholder = Relation::Function {
        name: spec::Name { parts: Vec::new() },
        args: Vec::new(),
        alias: None,
        span: Span::default(),
    };
    let query = shape::all_of(std::mem::replace(relation, placeholder));
    let views = Output { from: scope, views: Vec::new() }.inside(&query, spoken);
    let qualifier = text(alias.as_ref());
    let query = Box::new(query);
    *relation = Relation::Subquery { query, lateral: false, alias, frame: None, span: Span::default() };
    Scope { sides: vec![Side { qualifier, views }], ..Scope::default() }
}
