//! What a program built of data frames, as SQL would say it.
//!
//! A frame is a query over the frame that it was made of, so a chain of transformations arrives as nested `SELECT * FROM
//! (SELECT …)`, and its expressions name columns that SQL would no longer see: by the frame that they came from, or by the
//! alias of an inner layer. Here layers that change nothing are folded, and such columns get the name that they have got
//! by then. A statement of SQL has no such layers and stays as it is.

mod fold;
mod name;
mod scope;
mod settle;
mod shape;
mod walk;

pub(crate) use shape::{all_of, query_of};

use crate::mark::Marks;
use settle::Plainer;
use spec::{Assignment, Expr, MatchedAction, MergeInto, NotMatchedAction, NotMatchedBySourceAction, Query};

/// The statement without frames, and the notes that its expressions carry.
pub(crate) fn merge(merge: &MergeInto) -> (MergeInto, Marks) {
    let mut merge = merge.clone();
    let mut plainer = Plainer::default();
    conditions(&mut merge, &mut |expr| plainer.look(expr));
    plainer.look_in_relation(&mut merge.source);
    for cte in &mut merge.ctes {
        plainer.query(&mut cte.query);
    }
    let scope = plainer.sides_of_merge(&mut merge);
    conditions(&mut merge, &mut |expr| plainer.settle(&scope, expr));
    (merge, plainer.marks)
}

/// The same for a query.
pub(crate) fn query(query: &Query) -> (Query, Marks) {
    let mut query = query.clone();
    let mut plainer = Plainer::default();
    plainer.look_in_query(&mut query);
    plainer.query(&mut query);
    (query, plainer.marks)
}

/// The same for an expression.
pub(crate) fn expression(expr: &Expr) -> (Expr, Marks) {
    let mut expr = expr.clone();
    let mut plainer = Plainer::default();
    plainer.settle(&scope::Scope::default(), &mut expr);
    (expr, plainer.marks)
}

/// Every expression of the clauses, and ON.
fn conditions(merge: &mut MergeInto, see: &mut dyn FnMut(&mut Expr)) {
    let assigned = |assignments: &mut Vec<Assignment>, see: &mut dyn FnMut(&mut Expr)| {
        assignments.iter_mut().for_each(|assignment| see(&mut assignment.value));
    };
    see(&mut merge.on);
    for clause in &mut merge.matched {
        clause.condition.iter_mut().for_each(&mut *see);
        match &mut clause.action {
            MatchedAction::Update(assignments) => assigned(assignments, see),
            MatchedAction::UpdateAll | MatchedAction::Delete => {}
        }
    }
    for clause in &mut merge.not_matched {
        clause.condition.iter_mut().for_each(&mut *see);
        match &mut clause.action {
            NotMatchedAction::Insert { values, .. } => values.iter_mut().for_each(&mut *see),
            NotMatchedAction::InsertAll => {}
        }
    }
    for clause in &mut merge.not_matched_by_source {
        clause.condition.iter_mut().for_each(&mut *see);
        match &mut clause.action {
            NotMatchedBySourceAction::Update(assignments) => assigned(assignments, see),
            NotMatchedBySourceAction::Delete => {}
        }
    }
}
