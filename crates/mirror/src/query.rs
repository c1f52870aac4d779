//! Queries: WITH, set operations, VALUES, ORDER BY, LIMIT.

use crate::expr::Level;
use crate::ident;
use crate::printer::Printer;
use crate::relation::note_of_table;
use spec::{Cte, Expr, ExprKind, Query, QueryBody, SetOp, TableAlias};

impl Printer<'_> {
    /// A query, from the place where the text stands.
    pub(crate) fn query(&mut self, query: &Query) {
        self.ctes(&query.ctes);
        self.body(&query.body);
        if !query.order_by.is_empty() {
            self.newline();
            self.put("ORDER BY ");
            self.list(&query.order_by, |printer, key| printer.order_item(key));
        }
        if let Some(limit) = &query.limit {
            self.newline();
            self.put("LIMIT ");
            self.operand(limit, Level::Or);
        }
        if let Some(offset) = &query.offset {
            self.newline();
            self.put("OFFSET ");
            self.operand(offset, Level::Or);
        }
    }

    /// `WITH a AS (…), b AS (…)` and the line behind it.
    pub(crate) fn ctes(&mut self, ctes: &[Cte]) {
        if ctes.is_empty() {
            return;
        }
        self.put("WITH ");
        for (idx, cte) in ctes.iter().enumerate() {
            if idx > 0 {
                self.put(",");
                self.newline();
            }
            self.put(&ident::ident(&cte.name));
            if !cte.columns.is_empty() {
                self.put(&format!(" {}", ident::list(&cte.columns)));
            }
            self.put(" AS ");
            self.enclosed(&cte.query);
        }
        self.newline();
    }

    /// `(query)` on lines of its own.
    pub(crate) fn enclosed(&mut self, query: &Query) {
        self.put("(");
        self.indented(|printer| {
            printer.softline();
            printer.query(query);
        });
        self.softline();
        self.put(")");
    }

    fn body(&mut self, body: &QueryBody) {
        match body {
            QueryBody::Select(select) => self.select(select),
            QueryBody::Values { rows, alias } => {
                self.rows(rows);
                self.alias(alias.as_ref());
            }
            QueryBody::Table(name) => {
                self.put(&format!("TABLE {}", ident::name(name)));
                if let Some(note) = note_of_table(name) {
                    self.note(&note);
                }
            }
            QueryBody::SetOp { op, all, by_name, left, right } => {
                self.side(left, binds(left) < tightness(*op));
                self.newline();
                self.put(match op {
                    SetOp::Union => "UNION",
                    SetOp::Intersect => "INTERSECT",
                    SetOp::Except => "EXCEPT",
                });
                self.put(if *all { " ALL" } else { "" });
                self.put(if *by_name { " BY NAME" } else { "" });
                self.newline();
                self.side(right, binds(right) <= tightness(*op));
            }
            QueryBody::Query(query) => self.enclosed(query),
        }
    }

    fn side(&mut self, body: &QueryBody, in_parens: bool) {
        if !in_parens {
            return self.body(body);
        }
        self.put("(");
        self.indented(|printer| {
            printer.softline();
            printer.body(body);
        });
        self.softline();
        self.put(")");
    }

    /// `VALUES (…), (…)`: several rows get a line each.
    pub(crate) fn rows(&mut self, rows: &[Vec<Expr>]) {
        self.put("VALUES ");
        self.items(rows, rows.len() > 1, |printer, row| match row.as_slice() {
            // Parentheses around a subquery alone would be its own.
            [only @ Expr { kind: ExprKind::Subquery(_), .. }] => printer.expr(only),
            several => {
                printer.put("(");
                printer.list(several, |printer, value| printer.operand(value, Level::Or));
                printer.put(")");
            }
        });
    }

    /// ` AS alias (columns)`
    pub(crate) fn alias(&mut self, alias: Option<&TableAlias>) {
        let Some(alias) = alias else { return };
        self.put(&format!(" AS {}", ident::ident(&alias.name)));
        if !alias.columns.is_empty() {
            self.put(&ident::list(&alias.columns));
        }
    }
}

const LOOSE: u8 = 1;
const TIGHT: u8 = 2;

/// INTERSECT binds tighter than UNION and EXCEPT.
fn tightness(op: SetOp) -> u8 {
    match op {
        SetOp::Union | SetOp::Except => LOOSE,
        SetOp::Intersect => TIGHT,
    }
}

fn binds(body: &QueryBody) -> u8 {
    match body {
        QueryBody::SetOp { op, .. } => tightness(*op),
        QueryBody::Select(_) | QueryBody::Values { .. } | QueryBody::Table(_) | QueryBody::Query(_) => TIGHT + 1,
    }
}
