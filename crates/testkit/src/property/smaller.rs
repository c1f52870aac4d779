//! Smaller cases than a given one: fewer rows, files, clauses, conditions, columns.

use super::Case;
use crate::naive::{Action, Clause, Expr, Side};
use crate::shrink::without_one;

/// Every case that lacks one thing, the big things first.
pub fn smaller(case: &Case) -> Vec<Case> {
    let mut found = Vec::new();
    let mut add = |change: &dyn Fn(&mut Case)| {
        let mut smaller = case.clone();
        change(&mut smaller);
        found.push(smaller);
    };
    for clauses in without_one(&case.merge.clauses).into_iter().filter(|clauses| !clauses.is_empty()) {
        add(&|case| case.merge.clauses.clone_from(&clauses));
    }
    for inserts in without_one(&case.target.inserts) {
        add(&|case| case.target.inserts.clone_from(&inserts));
    }
    for source in without_one(&case.source).into_iter().filter(|rows| !case.inline_source || !rows.is_empty()) {
        add(&|case| case.source.clone_from(&source));
    }
    for (idx, rows) in case.target.inserts.iter().enumerate() {
        for rows in without_one(rows) {
            add(&|case| case.target.inserts[idx].clone_from(&rows));
        }
    }
    if case.target.partition.is_some() {
        add(&|case| case.target.partition = None);
    }
    if case.inline_source {
        add(&|case| case.inline_source = false);
    }
    if case.vectors {
        add(&|case| case.vectors = false);
    }
    if case.change_feed {
        add(&|case| case.change_feed = false);
    }
    for part in smaller_conditions(&case.merge.on) {
        add(&|case| case.merge.on = part.clone());
    }
    for (idx, clause) in case.merge.clauses.iter().enumerate() {
        let is_last = case.merge.clauses.get(idx + 1).is_none_or(|next| next.when != clause.when);
        if clause.condition.is_some() && is_last {
            add(&|case| case.merge.clauses[idx].condition = None);
        }
        for part in clause.condition.iter().flat_map(smaller_conditions) {
            add(&|case| case.merge.clauses[idx].condition = Some(part.clone()));
        }
        for action in smaller_actions(clause) {
            add(&|case| {
                case.merge.clauses[idx].action = action.clone();
                case.merge.clauses[idx].star = false;
            });
        }
    }
    for column in (1..case.target.columns.len()).filter(|idx| can_go(case, Side::Target, *idx)) {
        found.push(without_target_column(case, column));
    }
    for column in (0..case.source_columns.len()).filter(|idx| can_go(case, Side::Source, *idx)) {
        found.push(without_source_column(case, column));
    }
    found.retain(is_consistent);
    found
}

/// Whether every new column is still assigned somewhere: without that it is not new.
fn is_consistent(case: &Case) -> bool {
    let n_columns = case.target.columns.len();
    let assigns = |clause: &Clause, idx: usize| match &clause.action {
        Action::Update(values) | Action::Insert(values) => values.iter().any(|(column, _)| *column == idx),
        Action::Delete => false,
    };
    (n_columns - case.n_new_columns..n_columns).all(|idx| case.merge.clauses.iter().any(|clause| assigns(clause, idx)))
}

/// The conditions inside a condition, and those with one part made smaller.
fn smaller_conditions(condition: &Expr) -> Vec<Expr> {
    match condition {
        Expr::And(left, right) | Expr::Or(left, right) => {
            let is_and = matches!(condition, Expr::And(..));
            let joined = |left: Expr, right: Expr| {
                if is_and {
                    Expr::And(Box::new(left), Box::new(right))
                } else {
                    Expr::Or(Box::new(left), Box::new(right))
                }
            };
            let mut found = vec![Expr::clone(left), Expr::clone(right)];
            found.extend(smaller_conditions(left).into_iter().map(|part| joined(part, Expr::clone(right))));
            found.extend(smaller_conditions(right).into_iter().map(|part| joined(Expr::clone(left), part)));
            found
        }
        Expr::Not(inner) => {
            let mut found = vec![Expr::clone(inner)];
            found.extend(smaller_conditions(inner).into_iter().map(|part| Expr::Not(Box::new(part))));
            found
        }
        Expr::Compare(comparison, left, right) => {
            let with = |right: Expr| Expr::Compare(*comparison, left.clone(), Box::new(right));
            smaller_values(right).into_iter().map(with).collect()
        }
        _ => Vec::new(),
    }
}

/// The values of the same type inside a value.
fn smaller_values(value: &Expr) -> Vec<Expr> {
    match value {
        Expr::Coalesce(items) => items.clone(),
        Expr::Case(_, then, otherwise) => vec![Expr::clone(then), Expr::clone(otherwise)],
        Expr::Add(left, right) | Expr::Concat(left, right) => vec![Expr::clone(left), Expr::clone(right)],
        _ => Vec::new(),
    }
}

fn smaller_actions(clause: &Clause) -> Vec<Action> {
    let (values, is_update) = match &clause.action {
        Action::Update(sets) => (sets, true),
        Action::Insert(values) => (values, false),
        Action::Delete => return Vec::new(),
    };
    let action = |values| if is_update { Action::Update(values) } else { Action::Insert(values) };
    let mut found: Vec<Action> =
        without_one(values).into_iter().filter(|values| !values.is_empty()).map(action).collect();
    for (idx, (column, value)) in values.iter().enumerate() {
        for part in smaller_values(value) {
            let mut values = values.clone();
            values[idx] = (*column, part);
            found.push(action(values));
        }
    }
    found
}

/// Whether nothing reads or writes the column.
fn can_go(case: &Case, side: Side, idx: usize) -> bool {
    let reads = |expr: &Expr| reads(expr, side, idx);
    let of_clause = |clause: &Clause| {
        let values = match &clause.action {
            Action::Update(values) | Action::Insert(values) => values.as_slice(),
            Action::Delete => &[],
        };
        let writes = side == Side::Target && values.iter().any(|(column, _)| *column == idx);
        writes || clause.condition.iter().any(reads) || values.iter().any(|(_, value)| reads(value))
    };
    let is_partition = side == Side::Target && case.target.partition == Some(idx);
    !is_partition && !reads(&case.merge.on) && !case.merge.clauses.iter().any(of_clause)
}

fn reads(expr: &Expr, side: Side, idx: usize) -> bool {
    matches!(expr, Expr::Column(of, at) if *of == side && *at == idx)
        || expr.parts().iter().any(|part| reads(part, side, idx))
}

fn without_target_column(case: &Case, column: usize) -> Case {
    let mut smaller = case.clone();
    smaller.target.columns.remove(column);
    smaller.target.inserts.iter_mut().flatten().for_each(|row| drop(row.remove(column)));
    smaller.target.partition = smaller.target.partition.map(|idx| idx - usize::from(idx > column));
    renumber(&mut smaller, Side::Target, column);
    smaller
}

fn without_source_column(case: &Case, column: usize) -> Case {
    let mut smaller = case.clone();
    if smaller.source_columns.len() == 1 {
        return smaller;
    }
    smaller.source_columns.remove(column);
    smaller.source.iter_mut().for_each(|row| drop(row.remove(column)));
    renumber(&mut smaller, Side::Source, column);
    smaller
}

/// Columns behind a removed one move up.
fn renumber(case: &mut Case, side: Side, removed: usize) {
    shift(&mut case.merge.on, side, removed);
    for clause in &mut case.merge.clauses {
        clause.condition.iter_mut().for_each(|condition| shift(condition, side, removed));
        if let Action::Update(values) | Action::Insert(values) = &mut clause.action {
            for (column, value) in values {
                *column -= usize::from(side == Side::Target && *column > removed);
                shift(value, side, removed);
            }
        }
    }
}

fn shift(expr: &mut Expr, of: Side, removed: usize) {
    match expr {
        Expr::Column(side, idx) => *idx -= usize::from(*side == of && *idx > removed),
        Expr::Literal(..) => {}
        Expr::IsNull(inner) | Expr::Not(inner) => shift(inner, of, removed),
        Expr::Compare(_, left, right)
        | Expr::And(left, right)
        | Expr::Or(left, right)
        | Expr::Add(left, right)
        | Expr::Concat(left, right) => {
            shift(left, of, removed);
            shift(right, of, removed);
        }
        Expr::Between(first, second, third) | Expr::Case(first, second, third) => {
            [first, second, third].into_iter().for_each(|part| shift(part, of, removed));
        }
        Expr::In(needle, list) => {
            shift(needle, of, removed);
            list.iter_mut().for_each(|part| shift(part, of, removed));
        }
        Expr::Coalesce(items) => items.iter_mut().for_each(|part| shift(part, of, removed)),
    }
}
