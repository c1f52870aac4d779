//! `a AND b AND c`: which tree the parser makes of a chain, and so where parentheses are needed.
//!
//! Spark makes a balanced tree of a chain, so that long conditions stay shallow. A tree of another shape was written with
//! parentheses, which come back, or grew from left to right in a program: `a & b & c & d`. That is printed as the chain that
//! it is, and read again as a tree of another shape that means the same.

use spec::{BinaryOp, Expr, ExprKind, LikeKind};

/// Up to here the tree of a chain grows from left to right anyway.
const SAME_SHAPE: usize = 3;

/// The longest chain without parentheses that the parser reads as this expression. One operand where it is none.
pub(crate) fn operands(op: BinaryOp, expr: &Expr) -> Vec<&Expr> {
    let grown = grown(op, expr);
    if grown.len() > SAME_SHAPE {
        return grown;
    }
    let n_operands = (2..=size(op, expr)).rev().find(|n| is_balanced(op, expr, *n)).unwrap_or(1);
    let mut found = Vec::with_capacity(n_operands);
    collect(op, expr, n_operands, &mut found);
    found
}

/// What a chain tests when it is another form of `operand LIKE ANY (patterns)`, or ALL.
pub(crate) struct Quantified<'e> {
    pub(crate) kind: LikeKind,
    pub(crate) negated: bool,
    pub(crate) operand: &'e Expr,
    pub(crate) patterns: Vec<&'e Expr>,
}

/// `a LIKE ANY (…)`, of more patterns than a chain of the same shape could have.
pub(crate) fn quantified(op: BinaryOp, expr: &Expr) -> Option<Quantified<'_>> {
    let mut rest = expr;
    let mut found: Option<Quantified<'_>> = None;
    loop {
        let (left, like) = match &rest.kind {
            ExprKind::Binary { op: own, left, right } if *own == op => (Some(left.as_ref()), right.as_ref()),
            _ => (None, rest),
        };
        let ExprKind::Like { kind, expr: operand, pattern, escape: None, negated } = &like.kind else { return None };
        let (kind, negated, operand) = (*kind, *negated, operand.as_ref());
        let chain = found.get_or_insert(Quantified { kind, negated, operand, patterns: Vec::new() });
        if (chain.kind, chain.negated, chain.operand) != (kind, negated, operand) {
            return None;
        }
        chain.patterns.push(pattern);
        match left {
            Some(left) => rest = left,
            None => break,
        }
    }
    let mut chain = found.filter(|chain| chain.patterns.len() > SAME_SHAPE && chain.kind != LikeKind::RLike)?;
    chain.patterns.reverse();
    Some(chain)
}

/// The operands of a tree that grew from left to right; one of any other.
fn grown(op: BinaryOp, expr: &Expr) -> Vec<&Expr> {
    let mut rest = expr;
    let mut found = Vec::new();
    while let Some((left, right)) = sides(op, rest) {
        if sides(op, right).is_some() {
            return vec![expr];
        }
        found.push(right);
        rest = left;
    }
    found.push(rest);
    found.reverse();
    found
}

/// Everything that the operator joins, whatever the shape.
pub(crate) fn leaves(op: BinaryOp, expr: Expr, found: &mut Vec<Expr>) {
    match expr.kind {
        ExprKind::Binary { op: own, left, right } if own == op => {
            leaves(op, *left, found);
            leaves(op, *right, found);
        }
        kind => found.push(Expr { kind, span: expr.span }),
    }
}

/// The tree that the parser makes of a chain. `None` of no operands.
pub(crate) fn balanced(op: BinaryOp, mut operands: Vec<Expr>) -> Option<Expr> {
    if operands.len() < 2 {
        return operands.pop();
    }
    let right = operands.split_off(n_left(operands.len()));
    let (left, right) = (balanced(op, operands)?, balanced(op, right)?);
    let span = spec::Span::default();
    Some(Expr::new(ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) }, span))
}

/// Neighbours are joined two by two until one is left, so the left half is as large as a power of two can be.
fn n_left(n_operands: usize) -> usize {
    n_operands.next_power_of_two() / 2
}

/// The two sides of the operator. A form of its own is none, for it is written as one.
fn sides(op: BinaryOp, expr: &Expr) -> Option<(&Expr, &Expr)> {
    match &expr.kind {
        ExprKind::Binary { op: own, left, right } if *own == op && quantified(op, expr).is_none() => {
            Some((left, right))
        }
        _ => None,
    }
}

fn size(op: BinaryOp, expr: &Expr) -> usize {
    sides(op, expr).map_or(1, |(left, right)| size(op, left) + size(op, right))
}

fn is_balanced(op: BinaryOp, expr: &Expr, n_operands: usize) -> bool {
    if n_operands == 1 {
        return true;
    }
    let half = n_left(n_operands);
    sides(op, expr)
        .is_some_and(|(left, right)| is_balanced(op, left, half) && is_balanced(op, right, n_operands - half))
}

fn collect<'e>(op: BinaryOp, expr: &'e Expr, n_operands: usize, found: &mut Vec<&'e Expr>) {
    match sides(op, expr).filter(|_| n_operands > 1) {
        Some((left, right)) => {
            let half = n_left(n_operands);
            collect(op, left, half, found);
            collect(op, right, n_operands - half, found);
        }
        None => found.push(expr),
    }
}
