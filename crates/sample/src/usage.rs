//! Expressions and queries walked: every use of a column tells something about it.

use crate::constants::{constant, is_constant, kind_of, kind_of_type};
use crate::graph::{Graph, Node};
use crate::kind::Kind;
use crate::relations::{Columns, Scope, Source, parts};
use crate::statements;
use spec::{
    BinaryOp, Expr, ExprKind, FunctionCall, JoinConstraint, Literal, Name, Query, QueryBody, Relation, Select,
    SelectItem, Statement, TableAlias, WindowSpec,
};
use std::collections::BTreeMap;

/// What is known while statements are walked.
pub(crate) struct Usage<'a> {
    pub(crate) graph: Graph,
    is_known: &'a dyn Fn(&Name) -> bool,
    /// CTEs in view, tables made and views defined by the statements themselves; by lower-case name.
    pub(crate) named: BTreeMap<String, Columns>,
}

/// Walks the statements in order.
pub(crate) fn of<'a>(statements: &[Statement], is_known: &'a dyn Fn(&Name) -> bool) -> Usage<'a> {
    let mut usage = Usage { graph: Graph::default(), is_known, named: BTreeMap::new() };
    for statement in statements {
        statements::walk(&mut usage, &statement.kind);
    }
    usage
}

impl Usage<'_> {
    /// The columns behind a name that is read or written.
    pub(crate) fn named_columns(&mut self, name: &Name) -> Columns {
        let key = parts(name).join(".").to_lowercase();
        if let Some(columns) = self.named.get(&key) {
            return columns.clone();
        }
        let is_path = name.parts.iter().any(|part| part.value.contains('/'));
        if is_path || (self.is_known)(name) {
            return Columns::Known;
        }
        Columns::Table(self.graph.table(parts(name)))
    }

    /// A relation as the sources that it brings into view.
    pub(crate) fn relation(&mut self, relation: &Relation, scope: &Scope) -> Vec<Source> {
        match relation {
            Relation::Table { name, alias, .. } => {
                let columns = self.named_columns(name);
                vec![Source::new(&alias_or(alias.as_ref(), name.last()), columns)]
            }
            Relation::Subquery { query, alias, .. } => {
                let (named, stars) = self.query(query, scope);
                let columns = renamed(Columns::Query { named, stars }, alias.as_ref());
                vec![Source::new(&alias_or(alias.as_ref(), ""), columns)]
            }
            Relation::Function { args, alias, .. } => {
                args.iter().for_each(|arg| {
                    self.expr(arg, scope);
                });
                vec![Source::new(&alias_or(alias.as_ref(), ""), Columns::Known)]
            }
            Relation::Join { left, right, constraint, .. } => {
                let mut sources = self.relation(left, scope);
                let inner = self.relation(right, &scope.with(sources.clone()));
                if let JoinConstraint::Using(names) = constraint {
                    for name in names {
                        self.same_key(&sources, &inner, &name.value);
                    }
                }
                sources.extend(inner);
                if let JoinConstraint::On(on) = constraint {
                    self.condition(on, &scope.with(sources.clone()));
                }
                sources
            }
        }
    }

    fn same_key(&mut self, left: &[Source], right: &[Source], column: &str) {
        let left = left.first().and_then(|source| source.column(&mut self.graph, column));
        let right = right.first().and_then(|source| source.column(&mut self.graph, column));
        if let (Some(left), Some(right)) = (left, right) {
            self.graph.join(left, right);
            self.graph.is_key(left);
            self.graph.is_key(right);
        }
    }

    /// The columns that a query gives: those with a name, and the tables behind its stars.
    pub(crate) fn query(&mut self, query: &Query, scope: &Scope) -> (Vec<(String, Node)>, Vec<usize>) {
        let hidden = self.named.clone();
        for cte in &query.ctes {
            let (named, stars) = self.query(&cte.query, scope);
            self.named.insert(cte.name.value.to_lowercase(), Columns::Query { named, stars });
        }
        let (named, stars, inner) = self.body(&query.body, scope);
        let output = Source::new("", Columns::Query { named: named.clone(), stars: stars.clone() });
        let inner = scope.with(inner).with(vec![output]);
        for item in &query.order_by {
            self.expr(&item.expr, &inner);
        }
        self.named = hidden;
        (named, stars)
    }

    #[allow(clippy::type_complexity, reason = "named columns, stars, and what ORDER BY may also use")]
    fn body(&mut self, body: &QueryBody, scope: &Scope) -> (Vec<(String, Node)>, Vec<usize>, Vec<Source>) {
        match body {
            QueryBody::Select(select) => self.select(select, scope),
            QueryBody::Values { rows, .. } => {
                rows.iter().flatten().for_each(|value| {
                    self.expr(value, scope);
                });
                (Vec::new(), Vec::new(), Vec::new())
            }
            QueryBody::Table(name) => {
                let source = Source::new(name.last(), self.named_columns(name));
                (source.named().to_vec(), source.stars(), vec![source])
            }
            QueryBody::SetOp { left, right, .. } => {
                let (named, mut stars, sources) = self.body(left, scope);
                let (others, more, _) = self.body(right, scope);
                for ((_, left), (_, right)) in named.iter().zip(&others) {
                    self.graph.join(*left, *right);
                }
                stars.extend(more.into_iter().filter(|table| !stars.contains(table)).collect::<Vec<_>>());
                (named, stars, sources)
            }
            QueryBody::Query(query) => {
                let (named, stars) = self.query(query, scope);
                (named, stars, Vec::new())
            }
        }
    }

    #[allow(clippy::type_complexity, reason = "as `body`")]
    fn select(&mut self, select: &Select, scope: &Scope) -> (Vec<(String, Node)>, Vec<usize>, Vec<Source>) {
        let mut sources: Vec<Source> = Vec::new();
        for relation in &select.from {
            let more = self.relation(relation, &scope.with(sources.clone()));
            sources.extend(more);
        }
        for view in &select.lateral_views {
            self.expr(&view.generator, &scope.with(sources.clone()));
            sources.push(Source::new(&view.table.value, Columns::Known));
        }
        let inner = scope.with(sources.clone());
        if let Some(filter) = &select.filter {
            self.condition(filter, &inner);
        }
        let (named, stars) = self.items(select, &sources, &inner);
        let with_names = inner.with(vec![Source::new("", Columns::Query { named: named.clone(), stars: Vec::new() })]);
        if let spec::GroupBy::Exprs(exprs) = &select.group_by {
            exprs.iter().for_each(|expr| {
                self.expr(expr, &with_names);
            });
        }
        if let Some(having) = &select.having {
            self.condition(having, &with_names);
        }
        select.windows.iter().for_each(|(_, window)| self.window(window, &inner));
        (named, stars, sources)
    }

    fn items(&mut self, select: &Select, sources: &[Source], inner: &Scope) -> (Vec<(String, Node)>, Vec<usize>) {
        let (mut named, mut stars) = (Vec::new(), Vec::new());
        for item in &select.items {
            match item {
                SelectItem::Expr { expr, alias } => {
                    let node = self.expr(expr, inner);
                    let name = alias.first().map(|alias| alias.value.as_str()).or(column_name(expr));
                    // Without a name it still has its place.
                    named.push((name.unwrap_or_default().to_owned(), node));
                }
                SelectItem::Star { qualifier, .. } => {
                    let wanted = qualifier.as_ref().map(|name| name.last().to_lowercase());
                    for source in
                        sources.iter().filter(|source| wanted.as_ref().is_none_or(|name| *name == source.name))
                    {
                        stars.extend(source.stars());
                        named.extend(source.named().iter().cloned());
                    }
                }
            }
        }
        (named, stars)
    }

    fn window(&mut self, window: &WindowSpec, scope: &Scope) {
        for expr in &window.partition_by {
            let node = self.expr(expr, scope);
            self.graph.is_key(node);
        }
        for item in &window.order_by {
            self.expr(&item.expr, scope);
        }
    }

    /// An expression that is true or false.
    pub(crate) fn condition(&mut self, expr: &Expr, scope: &Scope) {
        let node = self.expr(expr, scope);
        self.graph.is(node, Kind::Boolean);
    }

    /// An expression as a node, with everything that it tells about its columns.
    pub(crate) fn expr(&mut self, expr: &Expr, scope: &Scope) -> Node {
        match &expr.kind {
            ExprKind::Column(name) => scope.column(&mut self.graph, name).unwrap_or_else(|| self.graph.node(None)),
            ExprKind::Literal(literal) => self.graph.node(kind_of(literal)),
            ExprKind::Binary { op, left, right } => self.binary(*op, left, right, scope),
            ExprKind::Between { expr, low, high, .. } => {
                self.compare(expr, low, false, scope);
                self.compare(expr, high, false, scope);
                self.graph.node(Some(Kind::Boolean))
            }
            ExprKind::InList { expr, list, .. } => {
                list.iter().for_each(|item| self.compare(expr, item, true, scope));
                self.graph.node(Some(Kind::Boolean))
            }
            ExprKind::InQuery { expr, query, .. } => {
                let node = self.expr(expr, scope);
                let (named, _) = self.query(query, scope);
                if let Some((_, other)) = named.first() {
                    self.graph.join(node, *other);
                    self.graph.is_key(node);
                    self.graph.is_key(*other);
                }
                self.graph.node(Some(Kind::Boolean))
            }
            ExprKind::Exists { query } => {
                self.query(query, scope);
                self.graph.node(Some(Kind::Boolean))
            }
            ExprKind::Subquery(query) => {
                let (named, _) = self.query(query, scope);
                named.first().map_or_else(|| self.graph.node(None), |(_, node)| *node)
            }
            ExprKind::Like { expr, .. } => {
                let node = self.expr(expr, scope);
                self.graph.is(node, Kind::Text);
                self.graph.node(Some(Kind::Boolean))
            }
            ExprKind::Unary { op, expr } => {
                let node = self.expr(expr, scope);
                if *op == spec::UnaryOp::Not {
                    self.graph.is(node, Kind::Boolean);
                }
                node
            }
            ExprKind::IsNull { expr, .. } | ExprKind::IsTruth { expr, .. } => {
                self.expr(expr, scope);
                self.graph.node(Some(Kind::Boolean))
            }
            ExprKind::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref(), scope)
            }
            ExprKind::Cast { expr, data_type, .. } => {
                self.expr(expr, scope);
                self.graph.node(kind_of_type(data_type))
            }
            ExprKind::Function(call) => self.call(call, scope),
            ExprKind::Index { expr, index } => {
                self.expr(expr, scope);
                self.expr(index, scope);
                self.graph.node(None)
            }
            ExprKind::Field { expr, .. } => {
                self.expr(expr, scope);
                self.graph.node(None)
            }
            // A lambda's own names would look like columns.
            ExprKind::Lambda { .. } | ExprKind::FrameColumn { .. } | ExprKind::Star | ExprKind::Default => {
                self.graph.node(None)
            }
        }
    }

    fn case(
        &mut self,
        operand: Option<&Expr>,
        branches: &[(Expr, Expr)],
        otherwise: Option<&Expr>,
        scope: &Scope,
    ) -> Node {
        let result = self.graph.node(None);
        for (when, then) in branches {
            match operand {
                Some(operand) => self.compare(operand, when, true, scope),
                None => self.condition(when, scope),
            }
            let node = self.expr(then, scope);
            self.graph.join(result, node);
        }
        if let Some(otherwise) = otherwise {
            let node = self.expr(otherwise, scope);
            self.graph.join(result, node);
        }
        result
    }

    fn call(&mut self, call: &FunctionCall, scope: &Scope) -> Node {
        let function = call.name.last().to_lowercase();
        let result = self.graph.node(Kind::of_result(&function));
        for (idx, arg) in call.args.iter().enumerate() {
            let node = self.expr(arg, scope);
            if let Some(kind) = Kind::of_argument(&function, idx) {
                self.graph.is(node, kind);
            }
            let is_value = !matches!((function.as_str(), idx), ("lag" | "lead", 1) | ("max_by" | "min_by", 1));
            if Kind::is_choice(&function) && is_value {
                self.graph.join(result, node);
            }
        }
        call.filter.iter().for_each(|filter| self.condition(filter, scope));
        call.over.iter().for_each(|window| self.window(window, scope));
        result
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, scope: &Scope) -> Node {
        match op {
            BinaryOp::And | BinaryOp::Or => {
                self.condition(left, scope);
                self.condition(right, scope);
                self.graph.node(Some(Kind::Boolean))
            }
            BinaryOp::Eq | BinaryOp::NullSafeEq => {
                self.compare(left, right, true, scope);
                self.graph.node(Some(Kind::Boolean))
            }
            BinaryOp::NotEq | BinaryOp::Lt | BinaryOp::LtEq | BinaryOp::Gt | BinaryOp::GtEq => {
                // `<>` a constant asks for that constant and for another value.
                self.compare(left, right, op == BinaryOp::NotEq && (is_constant(left) || is_constant(right)), scope);
                self.graph.node(Some(Kind::Boolean))
            }
            BinaryOp::Concat => {
                let result = self.graph.node(Some(Kind::Text));
                for side in [left, right] {
                    self.expr(side, scope);
                }
                result
            }
            _ => self.arithmetic(left, right, scope),
        }
    }

    /// A date plus or minus an interval stays one; else both sides are numbers.
    fn arithmetic(&mut self, left: &Expr, right: &Expr, scope: &Scope) -> Node {
        let (of_left, of_right) = (self.expr(left, scope), self.expr(right, scope));
        let is_interval = |expr: &Expr| matches!(expr.kind, ExprKind::Literal(Literal::Interval(_)));
        if is_interval(right) || is_interval(left) {
            let moved = if is_interval(right) { of_left } else { of_right };
            self.graph.is(moved, Kind::Date);
            return moved;
        }
        let result = self.graph.node(Some(Kind::Whole));
        for side in [of_left, of_right] {
            if !matches!(self.graph.kind(side), Some(Kind::Date | Kind::Timestamp)) {
                self.graph.is(side, Kind::Whole);
                self.graph.join(result, side);
            }
        }
        result
    }

    fn compare(&mut self, left: &Expr, right: &Expr, is_equal: bool, scope: &Scope) {
        let (of_left, of_right) = (self.expr(left, scope), self.expr(right, scope));
        match (constant(left, is_equal), constant(right, is_equal)) {
            (None, Some(constant)) => self.graph.compared_with(of_left, constant),
            (Some(constant), None) => self.graph.compared_with(of_right, constant),
            (None, None) => {
                if is_equal && is_column(left) && is_column(right) {
                    self.graph.is_key(of_left);
                    self.graph.is_key(of_right);
                }
                self.graph.join(of_left, of_right);
            }
            (Some(_), Some(_)) => {}
        }
    }
}

fn is_column(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Column(_) => true,
        // A key may be compared through a function or as a part of a text.
        ExprKind::Function(call) => call.args.iter().any(is_column),
        ExprKind::Cast { expr, .. } => is_column(expr),
        _ => false,
    }
}

fn column_name(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Column(name) => Some(name.last()),
        _ => None,
    }
}

fn alias_or(alias: Option<&TableAlias>, name: &str) -> String {
    alias.map_or(name, |alias| alias.name.value.as_str()).to_owned()
}

/// `AS s (a, b)` gives the columns other names.
fn renamed(columns: Columns, alias: Option<&TableAlias>) -> Columns {
    match (columns, alias) {
        (Columns::Query { named, stars }, Some(alias)) if !alias.columns.is_empty() => {
            let names = alias.columns.iter().map(|name| name.value.clone());
            Columns::Query { named: names.zip(named.into_iter().map(|(_, node)| node)).collect(), stars }
        }
        (columns, _) => columns,
    }
}
