//! One SELECT: each clause on a line of its own.

use crate::expr::Level;
use crate::ident;
use crate::mark::Note;
use crate::printer::Printer;
use spec::{Exchange, ExchangeKind, Expr, ExprKind, GroupBy, LateralView, Select, SelectItem};

impl Printer<'_> {
    pub(crate) fn select(&mut self, select: &Select) {
        self.put("SELECT ");
        // A hint is applied to what those behind it give.
        for exchange in select.exchanges.iter().rev() {
            self.hint(exchange);
        }
        if select.distinct {
            self.put("DISTINCT ");
        }
        self.items(&select.items, false, |printer, item| printer.select_item(item));
        if !select.from.is_empty() {
            self.newline();
            self.put("FROM ");
            self.list(&select.from, |printer, relation| printer.relation(relation));
        }
        for view in &select.lateral_views {
            self.newline();
            self.lateral_view(view);
        }
        if let Some(filter) = &select.filter {
            self.newline();
            self.put("WHERE ");
            self.condition(filter);
        }
        self.group_by(&select.group_by);
        if let Some(having) = &select.having {
            self.newline();
            self.put("HAVING ");
            self.condition(having);
        }
        if !select.windows.is_empty() {
            self.newline();
            self.put("WINDOW ");
            self.windows(&select.windows);
        }
    }

    /// `/*+ REPARTITION(3, id) */`
    fn hint(&mut self, exchange: &Exchange) {
        let name = match exchange.kind {
            ExchangeKind::Repartition => "REPARTITION",
            ExchangeKind::RepartitionByRange => "REPARTITION_BY_RANGE",
            ExchangeKind::Coalesce => "COALESCE",
            ExchangeKind::Rebalance => "REBALANCE",
        };
        let keys = exchange.by.iter().map(|key| self.on_one_line(|printer| printer.operand(&key.expr, Level::Or)));
        let keys: Vec<String> = keys.collect();
        let args: Vec<String> = exchange.n_tasks.iter().map(u32::to_string).chain(keys).collect();
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        self.put(&format!("/*+ {name}{args} */ "));
        if exchange.by.iter().any(|key| key.descending || key.nulls_first.is_some()) {
            self.note(&Note::sql(
                "another order",
                "A hint has no descending keys, so that rows are split into other files than the data frame splits them.",
            ));
            self.put(" ");
        }
    }

    fn select_item(&mut self, item: &SelectItem) {
        match item {
            SelectItem::Expr { expr, alias } => {
                self.operand(expr, Level::Or);
                match alias.as_slice() {
                    [] => {}
                    [only] => self.put(&format!(" AS {}", ident::ident(only))),
                    several => self.put(&format!(" AS {}", ident::list(several))),
                }
            }
            SelectItem::Star { qualifier, except, .. } => {
                if let Some(qualifier) = qualifier {
                    self.put(&ident::name(qualifier));
                    self.put(".");
                }
                self.put("*");
                if !except.is_empty() {
                    let names: Vec<String> = except.iter().map(ident::name).collect();
                    self.put(&format!(" EXCEPT ({})", names.join(", ")));
                }
            }
        }
    }

    fn lateral_view(&mut self, view: &LateralView) {
        self.put(if view.outer { "LATERAL VIEW OUTER " } else { "LATERAL VIEW " });
        self.expr(&view.generator);
        self.put(&format!(" {}", ident::ident(&view.table)));
        if !view.columns.is_empty() {
            let columns: Vec<String> = view.columns.iter().map(ident::ident).collect();
            self.put(&format!(" AS {}", columns.join(", ")));
        }
    }

    fn group_by(&mut self, group_by: &GroupBy) {
        if *group_by == GroupBy::None {
            return;
        }
        self.newline();
        self.put("GROUP BY ");
        match group_by {
            GroupBy::None => {}
            GroupBy::Exprs(keys) => self.keys(keys),
            GroupBy::All(_) => self.put("ALL"),
            GroupBy::Rollup(keys) => {
                self.put("ROLLUP ");
                self.sets(keys, |key| std::slice::from_ref(key));
            }
            GroupBy::Cube(keys) => {
                self.put("CUBE ");
                self.sets(keys, |key| std::slice::from_ref(key));
            }
            GroupBy::GroupingSets { exprs, sets } => {
                if !exprs.is_empty() {
                    self.keys(exprs);
                    self.put(" ");
                }
                self.put("GROUPING SETS ");
                self.sets(sets, |set| set.as_slice());
            }
        }
    }

    fn keys(&mut self, keys: &[Expr]) {
        self.list(keys, |printer, key| printer.operand(key, Level::Or));
    }

    /// A set of one plain column needs no parentheses; all others get them, for one that begins with a parenthesis would be
    /// read as a set.
    fn sets<T>(&mut self, sets: &[T], of: impl Fn(&T) -> &[Expr]) {
        self.put("(");
        self.list(sets, |printer, set| match of(set) {
            [Expr { kind: ExprKind::Column(name), .. }] => printer.put(&ident::name(name)),
            several => {
                printer.put("(");
                printer.keys(several);
                printer.put(")");
            }
        });
        self.put(")");
    }
}
