//! The names that the columns of an expression get, or the notes where there is none.

use super::scope::{By, Found, Scope, Spoken};
use super::walk::{self, Visit};
use crate::mark::{Marks, Note};
use spec::{Expr, ExprKind, Ident, Name, Query, Relation, Span};

/// Makes a statement plain.
#[derive(Debug, Default)]
pub(super) struct Plainer {
    pub(super) marks: Marks,
    pub(super) spoken: Spoken,
}

/// Collects the names of columns.
struct Look<'a>(&'a mut Plainer);

impl Visit for Look<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        self.0.look(expr);
    }

    fn query(&mut self, query: &mut Query) {
        self.0.look_in_query(query);
    }
}

/// Gives names to the columns of an expression.
struct Settle<'a> {
    plainer: &'a mut Plainer,
    scope: &'a Scope,
}

impl Visit for Settle<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        self.plainer.settle(self.scope, expr);
    }

    fn query(&mut self, query: &mut Query) {
        self.plainer.query(query);
    }
}

impl Plainer {
    pub(super) fn look(&mut self, expr: &mut Expr) {
        match &expr.kind {
            ExprKind::FrameColumn { frame, index, name } => self.spoken.place(*frame, *index, name),
            ExprKind::Column(name) => self.spoken.name(name),
            _ => {}
        }
        walk::children(expr, &mut Look(self));
    }

    pub(super) fn look_in_query(&mut self, query: &mut Query) {
        walk::in_query(query, &mut Look(self));
    }

    pub(super) fn look_in_relation(&mut self, relation: &mut Relation) {
        walk::in_relation(relation, &mut Look(self));
    }

    /// Gives every column in the expression a name that means it in SQL, or a note where there is none.
    pub(super) fn settle(&mut self, scope: &Scope, expr: &mut Expr) {
        Marks::clear(expr);
        match &expr.kind {
            ExprKind::FrameColumn { frame, name, .. } => {
                let (frame, name) = (*frame, name.clone());
                self.settle_frame_column(scope, expr, frame, &name);
            }
            ExprKind::Column(name) => {
                if let [qualifier, column, rest @ ..] = name.parts.as_slice()
                    && !scope.shows(qualifier)
                {
                    let (qualifier, column, rest) = (qualifier.clone(), column.clone(), rest.to_vec());
                    self.settle_hidden(scope, expr, &qualifier, &column, rest);
                }
            }
            _ => walk::children(expr, &mut Settle { plainer: self, scope }),
        }
    }

    /// The expressions of a SELECT.
    pub(super) fn settle_select(&mut self, scope: &Scope, select: &mut spec::Select) {
        walk::in_select(select, &mut Settle { plainer: self, scope });
    }

    /// The expressions of ORDER BY and LIMIT.
    pub(super) fn settle_tail(&mut self, scope: &Scope, query: &mut Query) {
        walk::in_tail(query, &mut Settle { plainer: self, scope });
    }

    fn settle_frame_column(&mut self, scope: &Scope, expr: &mut Expr, frame: u32, name: &Ident) {
        let found = if self.spoken.has_twice(frame, name) {
            Found::Several
        } else {
            scope.find(&By::Frame(frame), &name.value, &self.spoken)
        };
        let why = match found {
            Found::Once(parts) => {
                expr.kind = ExprKind::Column(named(parts));
                return;
            }
            Found::Several => "there are several columns of that name here, and SQL cannot tell which one is meant",
            Found::Lost => "here it has been replaced or left out, and SQL cannot reach behind a subquery",
            Found::Nowhere => "that data frame is not among what is read here",
        };
        let message = format!("`{name}` is the column of a data frame, as in df[\"{name}\"]: {why}.");
        self.marks.put(expr, Note::sql(&format!("df[{name}]"), message));
    }

    fn settle_hidden(&mut self, scope: &Scope, expr: &mut Expr, qualifier: &Ident, column: &Ident, rest: Vec<Ident>) {
        let known = scope.qualifiers().into_iter().find(|known| qualifier.is(known));
        let Some(known) = known else { return };
        match scope.find(&By::Alias(known), &column.value, &self.spoken) {
            Found::Once(parts) => {
                let mut name = named(parts);
                name.parts.extend(rest);
                expr.kind = ExprKind::Column(name);
            }
            Found::Nowhere => {}
            Found::Lost | Found::Several => {
                let message = format!(
                    "A data frame still knows its columns by the alias `{qualifier}` here; a subquery of SQL hides it, and \
                     `{column}` alone would not mean the same."
                );
                self.marks.put(expr, Note::sql(&format!("{qualifier} is hidden here"), message));
            }
        }
    }
}

fn named(parts: Vec<String>) -> Name {
    Name { parts: parts.into_iter().map(|part| Ident::new(part, Span::default())).collect() }
}
