//! Frames: each a query over those it was made of.

use crate::Script;
use crate::column::{expr, exprs, item, order, parse_name, span_of, text};
use serde_json::Value;
use spec::{
    BinaryOp, Diagnostic, Exchange, ExchangeKind, Expr, ExprKind, FunctionCall, GroupBy, Ident, JoinConstraint,
    JoinKind, Literal, Name, OrderItem, Query, QueryBody, Relation, SeenTable, Select, SelectItem, SetOp, Span,
    TableAlias, TimeTravel, WindowSpec,
};

type Result<T> = std::result::Result<T, Diagnostic>;

/// How many frames a program can have at a time, and how many steps one can be away from its tables.
const MAX_FRAMES: usize = 20_000;
const MAX_DEPTH: usize = 200;

/// The frames of a program, by number.
#[derive(Debug, Default)]
pub struct Frames {
    frames: Vec<Frame>,
}

/// One frame.
#[derive(Debug, Clone)]
struct Frame {
    query: Query,
    source: Source,
    depth: usize,
}

/// What a frame is when a MERGE reads it: a table keeps its name, an alias its relation.
#[derive(Debug, Clone)]
pub enum Source {
    Table(Relation),
    Named(Relation),
    Query,
}

impl Frames {
    /// The query of a frame.
    ///
    /// # Errors
    /// There is no frame of that number.
    pub fn query(&self, frame: u32) -> Result<&Query> {
        self.get(frame).map(|frame| &frame.query)
    }

    fn get(&self, frame: u32) -> Result<&Frame> {
        usize::try_from(frame)
            .ok()
            .and_then(|frame| self.frames.get(frame))
            .ok_or_else(|| Diagnostic::internal(format!("there is no frame {frame}")))
    }

    /// The number that the next frame will have.
    pub fn next(&self) -> u32 {
        u32::try_from(self.frames.len()).unwrap_or(u32::MAX)
    }

    /// Remembers what tables a frame reads, and their columns.
    pub fn see(&mut self, frame: u32, seen: Vec<SeenTable>) {
        if let Some(frame) = usize::try_from(frame).ok().and_then(|frame| self.frames.get_mut(frame)) {
            frame.query.seen = seen;
        }
    }

    /// Forgets the last frame: it was refused.
    pub fn forget_last(&mut self) {
        self.frames.pop();
    }

    /// Keeps a query as a frame and gives its number.
    ///
    /// # Errors
    /// There are too many.
    pub fn keep(&mut self, query: Query) -> Result<u32> {
        self.push(query, Source::Query, 0)
    }

    fn push(&mut self, query: Query, source: Source, depth: usize) -> Result<u32> {
        let span = query.span;
        if self.frames.len() >= MAX_FRAMES || depth > MAX_DEPTH {
            let message = format!(
                "A program can have {MAX_FRAMES} data frames, each at most {MAX_DEPTH} transformations away from its tables."
            );
            return Err(Diagnostic::new("MERGELAB_TOO_MANY_FRAMES", "54000", message, span)
                .with_hint("Does a loop add to the same frame? One select can make many columns."));
        }
        let number = self.next();
        self.frames.push(Frame { query, source, depth });
        Ok(number)
    }

    /// The frame as the source of a MERGE.
    ///
    /// # Errors
    /// There is no frame of that number.
    pub fn as_source(&self, frame: u32, span: Span) -> Result<Relation> {
        let found = self.get(frame)?;
        Ok(match &found.source {
            Source::Table(relation) | Source::Named(relation) => relation.clone(),
            Source::Query => self.read(frame, span)?,
        })
    }

    /// The table that a frame shows as it is.
    ///
    /// # Errors
    /// There is no frame of that number.
    pub fn table_of(&self, frame: u32) -> Result<Option<Relation>> {
        Ok(match &self.get(frame)?.source {
            Source::Table(table) | Source::Named(table @ Relation::Table { .. }) => Some(table.clone()),
            Source::Named(_) | Source::Query => None,
        })
    }

    /// The table behind a frame has changed: from now on a MERGE reads the frame instead of the table.
    pub fn detach(&mut self, frame: u32) {
        let Some(frame) = usize::try_from(frame).ok().and_then(|frame| self.frames.get_mut(frame)) else { return };
        let alias = match &frame.source {
            Source::Table(_) => None,
            Source::Named(Relation::Table { alias, .. }) => alias.clone(),
            Source::Named(_) | Source::Query => return,
        };
        let (query, span) = (Box::new(frame.query.clone()), frame.query.span);
        frame.source = Source::Named(Relation::Subquery { query, lateral: false, alias, frame: None, span });
    }

    /// The frame as something to read from.
    fn read(&self, frame: u32, span: Span) -> Result<Relation> {
        let query = Box::new(self.query(frame)?.clone());
        Ok(Relation::Subquery { query, lateral: false, alias: None, frame: Some(frame), span })
    }

    /// Makes the frame that a value describes.
    ///
    /// # Errors
    /// A description that cannot be read; names and types are settled later.
    pub fn make(&mut self, script: &mut Script, make: &Value) -> Result<u32> {
        let span = span_of(script, make);
        if let Some(name) = make["table"].as_str() {
            return self.table(table_name(name, span)?, make, span);
        }
        if let Some(path) = make["path"].as_str() {
            return self.table(path_name(path, span), make, span);
        }
        if let Some(delta) = make.get("delta") {
            return self.table(crate::statement::target(delta, span)?, make, span);
        }
        if let Some(bounds) = make["range"].as_array() {
            let args = bounds.iter().map(|bound| crate::column::literal(bound, None, span)).collect::<Result<_>>()?;
            let name = Name::bare(Ident::new("range", span));
            let from = Relation::Function { name, args, alias: None, span };
            return self.push(selected(vec![star(span)], from, span), Source::Query, 0);
        }
        let number = |key: &str| make[key].as_u64().and_then(|number| u32::try_from(number).ok());
        if let Some(of) = number("select") {
            let items = list(make, "items").iter().map(|node| item(script, node)).collect::<Result<_>>()?;
            return self.step(of, span, |query| with_select(query, |select| select.items = items));
        }
        if let Some(of) = number("filter") {
            let on = expr(script, &make["on"])?;
            return self.step(of, span, |query| with_select(query, |select| select.filter = Some(on)));
        }
        if let Some(of) = number("named") {
            return self.named(of, text(make, "name"), span);
        }
        if let Some(of) = number("exchange") {
            let exchange = exchange(script, make, span)?;
            return self.step(of, span, |query| with_select(query, |select| select.exchanges.extend(exchange)));
        }
        if let Some(of) = number("distinct") {
            return self.step(of, span, |query| with_select(query, |select| select.distinct = true));
        }
        if let Some(of) = number("first_of") {
            let keys = exprs(script, &make["keys"])?;
            return self.first_of(of, keys, span);
        }
        if let Some(of) = number("limit") {
            let limit = make["n"].as_i64().map(|n| count(n, span));
            let offset = make["skip"].as_i64().map(|n| count(n, span));
            return self.step(of, span, |query| Query { limit, offset, ..query });
        }
        if let Some(of) = number("sort") {
            let order_by = list(make, "keys").iter().map(|key| order(script, key)).collect::<Result<_>>()?;
            return self.step(of, span, |query| Query { order_by, ..query });
        }
        if let Some(of) = number("group") {
            return self.group(script, of, make, span);
        }
        if let (Some(left), Some(right)) = (number("join"), number("with")) {
            return self.join(script, (left, right), make, span);
        }
        if let (Some(op), Some(left), Some(right)) = (make["set"].as_str(), number("left"), number("right")) {
            return self.set_op(op, (left, right), make, span);
        }
        Err(Diagnostic::internal(format!("no frame: {make}")).or_at(span))
    }

    /// One step on from a frame: all its columns, changed by `change`.
    fn step(&mut self, of: u32, span: Span, change: impl FnOnce(Query) -> Query) -> Result<u32> {
        let query = selected(vec![star(span)], self.read(of, span)?, span);
        let depth = self.get(of)?.depth + 1;
        self.push(change(query), Source::Query, depth)
    }

    fn table(&mut self, name: Name, make: &Value, span: Span) -> Result<u32> {
        if let Some(feed) = make["feed"].as_object() {
            return self.feed(&name, feed, span);
        }
        let time_travel = travel(make, span)?;
        let relation = Relation::Table { name, time_travel, alias: None, span };
        let query = selected(vec![star(span)], relation.clone(), span);
        self.push(query, Source::Table(relation), 0)
    }

    /// `option("readChangeFeed", "true")`: what `table_changes` reads.
    fn feed(&mut self, table: &Name, options: &serde_json::Map<String, Value>, span: Span) -> Result<u32> {
        let option = |name: &str| options.get(name).and_then(Value::as_str);
        let end = |version: &str, time: &str| -> Option<Literal> {
            let version = option(version).and_then(|text| text.parse::<i64>().ok()).map(Literal::Long);
            version.or_else(|| option(time).map(|text| Literal::String(text.to_owned())))
        };
        let name: Vec<String> = table.parts.iter().map(|part| format!("`{}`", part.value)).collect();
        let constant = |value: Literal| Expr::new(ExprKind::Literal(value), span);
        let mut args = vec![constant(Literal::String(name.join(".")))];
        let Some(start) = end("startingversion", "startingtimestamp") else {
            let message = "No startingVersion or startingTimestamp provided for CDC read.";
            return Err(Diagnostic::new("DELTA_NO_START_FOR_CDC_READ", "42601", message, span));
        };
        args.push(constant(start));
        args.extend(end("endingversion", "endingtimestamp").map(constant));
        let name = Name::bare(Ident::new("table_changes", span));
        let from = Relation::Function { name, args, alias: None, span };
        self.push(selected(vec![star(span)], from, span), Source::Query, 0)
    }

    fn named(&mut self, of: u32, name: &str, span: Span) -> Result<u32> {
        let alias = TableAlias { name: Ident::new(name, span), columns: Vec::new() };
        let inner = self.get(of)?.clone();
        let query = Box::new(inner.query.clone());
        let read = Relation::Subquery { query, lateral: false, alias: Some(alias.clone()), frame: Some(of), span };
        let source = match inner.source {
            Source::Table(Relation::Table { name, time_travel, .. }) => {
                Relation::Table { name, time_travel, alias: Some(alias), span }
            }
            _ => read.clone(),
        };
        self.push(selected(vec![star(span)], read, span), Source::Named(source), inner.depth + 1)
    }

    /// The first row of each group with the same keys.
    fn first_of(&mut self, of: u32, keys: Vec<Expr>, span: Span) -> Result<u32> {
        let name = Ident::new("__first_of__", span);
        let one = Expr::new(ExprKind::Literal(Literal::Int(1)), span);
        let any = OrderItem { expr: one.clone(), descending: false, nulls_first: None };
        let over = WindowSpec { named: None, partition_by: keys, order_by: vec![any], frame: None };
        let call = FunctionCall { over: Some(over), ..function("row_number", Vec::new(), span) };
        let number = SelectItem::Expr { expr: call_expr(call, span), alias: vec![name.clone()] };
        let numbered = self.step(of, span, |query| with_select(query, |select| select.items.push(number)))?;
        let first = Expr::new(ExprKind::Column(Name::bare(name.clone())), span);
        let is_first = binary(BinaryOp::Eq, first, one);
        let except = vec![Name::bare(name)];
        self.step(numbered, span, |query| {
            with_select(query, |select| {
                select.items = vec![SelectItem::Star { qualifier: None, except, span }];
                select.filter = Some(is_first);
            })
        })
    }

    fn group(&mut self, script: &mut Script, of: u32, make: &Value, span: Span) -> Result<u32> {
        let keys = list(make, "keys");
        let mut items = keys.iter().map(|key| item(script, key)).collect::<Result<Vec<_>>>()?;
        items.extend(list(make, "items").iter().map(|node| item(script, node)).collect::<Result<Vec<_>>>()?);
        let by = exprs(script, &make["keys"])?;
        let group_by = match (text(make, "mode"), by.is_empty()) {
            // One group of all rows, also where there is none.
            (_, true) => GroupBy::None,
            ("rollup", _) => GroupBy::Rollup(by),
            ("cube", _) => GroupBy::Cube(by),
            _ => GroupBy::Exprs(by),
        };
        self.step(of, span, |query| {
            with_select(query, |select| {
                select.items = items;
                select.group_by = group_by;
            })
        })
    }

    fn join(&mut self, script: &mut Script, sides: (u32, u32), make: &Value, span: Span) -> Result<u32> {
        let kind = join_kind(text(make, "how"), span)?;
        let constraint = if let Some(names) = make["using"].as_array() {
            let names = names.iter().filter_map(Value::as_str).map(|name| Ident::new(name.replace('`', ""), span));
            JoinConstraint::Using(names.collect())
        } else if let Some(on) = make.get("on") {
            JoinConstraint::On(expr(script, on)?)
        } else {
            JoinConstraint::None
        };
        let (left, right) = (Box::new(self.read(sides.0, span)?), Box::new(self.read(sides.1, span)?));
        let relation = Relation::Join { left, right, kind, constraint, span };
        let depth = self.get(sides.0)?.depth.max(self.get(sides.1)?.depth) + 1;
        self.push(selected(vec![star(span)], relation, span), Source::Query, depth)
    }

    fn set_op(&mut self, op: &str, sides: (u32, u32), make: &Value, span: Span) -> Result<u32> {
        let op = match op {
            "intersect" => SetOp::Intersect,
            "except" => SetOp::Except,
            _ => SetOp::Union,
        };
        let flag = |key: &str| make[key].as_bool().unwrap_or(false);
        let body = |relation: Relation| QueryBody::Select(Box::new(select(vec![star(span)], relation, span)));
        let left = Box::new(body(self.read(sides.0, span)?));
        let right = Box::new(body(self.read(sides.1, span)?));
        let body = QueryBody::SetOp { op, all: flag("all"), by_name: flag("by_name"), left, right };
        let depth = self.get(sides.0)?.depth.max(self.get(sides.1)?.depth) + 1;
        self.push(query_of(body, span), Source::Query, depth)
    }
}

/// `repartition`, `repartitionByRange`, `coalesce` or `hint`; `None` for hints that leave rows where they are.
fn exchange(script: &mut Script, make: &Value, span: Span) -> Result<Option<Exchange>> {
    let keys = list(make, "keys");
    if let Some(name) = make["hint"].as_str() {
        return Exchange::hinted(name, keys.iter().map(|key| expr(script, key)).collect::<Result<_>>()?, span);
    }
    let kind = match text(make, "kind") {
        "coalesce" => ExchangeKind::Coalesce,
        "range" => ExchangeKind::RepartitionByRange,
        _ => ExchangeKind::Repartition,
    };
    let n_tasks = make["n"].as_u64().map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    let by = keys.iter().map(|key| order(script, key)).collect::<Result<_>>()?;
    Ok(Some(Exchange { kind, n_tasks, by, span }))
}

/// The version or time that a reader asks for.
fn travel(make: &Value, span: Span) -> Result<Option<TimeTravel>> {
    if let Some(version) = make["version"].as_str() {
        let number = version.parse().map_err(|_| {
            let message = format!("The provided version ({version}) is not a valid version.");
            Diagnostic::new("DELTA_TIME_TRAVEL_INVALID_VERSION", "42815", message, span)
        })?;
        return Ok(Some(TimeTravel::Version(number, span)));
    }
    let time =
        make["timestamp"].as_str().map(|time| Expr::new(ExprKind::Literal(Literal::String(time.to_owned())), span));
    Ok(time.map(|time| TimeTravel::Timestamp(Box::new(time))))
}

/// The kinds of join by all the names that Spark takes.
fn join_kind(how: &str, span: Span) -> Result<JoinKind> {
    let plain: String = how.to_lowercase().chars().filter(|letter| *letter != '_').collect();
    Ok(match plain.as_str() {
        "inner" => JoinKind::Inner,
        "cross" => JoinKind::Cross,
        "outer" | "full" | "fullouter" => JoinKind::Full,
        "left" | "leftouter" => JoinKind::Left,
        "right" | "rightouter" => JoinKind::Right,
        "semi" | "leftsemi" => JoinKind::LeftSemi,
        "anti" | "leftanti" => JoinKind::LeftAnti,
        _ => {
            let message = format!(
                "The join type `{how}` is none of: inner, outer, full, fullouter, full_outer, leftouter, left, left_outer, \
                 rightouter, right, right_outer, leftsemi, left_semi, semi, leftanti, left_anti, anti, cross."
            );
            return Err(Diagnostic::new("UNSUPPORTED_JOIN_TYPE", "0A000", message, span));
        }
    })
}

/// A table's name as `spark.table` takes it.
pub(crate) fn table_name(name: &str, span: Span) -> Result<Name> {
    let mut parsed = parse_name(name).map_err(|wrong| Diagnostic { span: Some(span), ..wrong })?;
    parsed.parts.iter_mut().for_each(|part| part.span = span);
    Ok(parsed)
}

/// The name of the table in a folder.
pub(crate) fn path_name(path: &str, span: Span) -> Name {
    Name { parts: vec![Ident::new("delta", span), Ident::new(path, span)] }
}

fn list<'a>(make: &'a Value, key: &str) -> &'a [Value] {
    make[key].as_array().map_or(&[], Vec::as_slice)
}

fn star(span: Span) -> SelectItem {
    SelectItem::Star { qualifier: None, except: Vec::new(), span }
}

fn select(items: Vec<SelectItem>, from: Relation, span: Span) -> Select {
    Select {
        distinct: false,
        items,
        from: vec![from],
        lateral_views: Vec::new(),
        filter: None,
        group_by: GroupBy::None,
        having: None,
        windows: Vec::new(),
        exchanges: Vec::new(),
        span,
    }
}

fn selected(items: Vec<SelectItem>, from: Relation, span: Span) -> Query {
    query_of(QueryBody::Select(Box::new(select(items, from, span))), span)
}

fn query_of(body: QueryBody, span: Span) -> Query {
    Query { ctes: Vec::new(), body, order_by: Vec::new(), limit: None, offset: None, seen: Vec::new(), span }
}

fn with_select(mut query: Query, change: impl FnOnce(&mut Select)) -> Query {
    if let QueryBody::Select(select) = &mut query.body {
        change(select);
    }
    query
}

fn count(n: i64, span: Span) -> Expr {
    Expr::new(ExprKind::Literal(i32::try_from(n).map_or(Literal::Long(n), Literal::Int)), span)
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    Expr::new(ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) }, span)
}

fn function(name: &str, args: Vec<Expr>, span: Span) -> FunctionCall {
    let name = Name::bare(Ident::new(name, span));
    FunctionCall { name, args, distinct: false, filter: None, ignore_nulls: false, over: None }
}

fn call_expr(call: FunctionCall, span: Span) -> Expr {
    Expr::new(ExprKind::Function(Box::new(call)), span)
}
