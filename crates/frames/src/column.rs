//! Columns of a program, as expressions.
//!
//! A column is an object with one telling member (`col`, `lit`, `op`, `fn`, `cast`, `case`, `alias`, `sort`, `over`, `item`,
//! `sql`, `star`, `frame`, `all`); `line` says which line of the program made it.

use crate::Script;
use serde_json::Value;
use spec::{
    BinaryOp, CastMode, Diagnostic, Expr, ExprKind, FrameBound, FrameUnits, FunctionCall, Ident, Interval, LikeKind,
    Literal, Name, OrderItem, SelectItem, Span, UnaryOp, WindowFrame, WindowSpec,
};

type Result<T> = std::result::Result<T, Diagnostic>;

/// An expression, without a name of its own.
///
/// # Errors
/// The node is none of the known ones, or a text in it cannot be read.
pub fn expr(script: &mut Script, node: &Value) -> Result<Expr> {
    let span = span_of(script, node);
    let kind = if let Some(name) = node["col"].as_str() {
        ExprKind::Column(column_name(script, name, node)?)
    } else if let Some(frame) = node["frame"].as_u64() {
        let number = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let name = Ident::new(text(node, "name"), span);
        ExprKind::FrameColumn { frame: number(frame), index: number(node["index"].as_u64().unwrap_or(0)), name }
    } else if let Some(value) = node.get("lit") {
        return literal(value, node["as"].as_str(), span);
    } else if let Some(op) = node["op"].as_str() {
        let args = args(script, node)?;
        return operator(op, args, span);
    } else if let Some(name) = node["fn"].as_str() {
        return call(script, name, node, span);
    } else if let Some(inner) = node.get("cast") {
        let data_type = sql::parse_data_type(text(node, "to")).map_err(|wrong| at(wrong, span))?;
        let mode = if node["try"].as_bool().unwrap_or(false) { CastMode::Try } else { CastMode::Ansi };
        ExprKind::Cast { expr: Box::new(expr(script, inner)?), data_type, mode }
    } else if let Some(branches) = node["case"].as_array() {
        let mut pairs = Vec::with_capacity(branches.len());
        for branch in branches {
            pairs.push((expr(script, &branch[0])?, expr(script, &branch[1])?));
        }
        let otherwise = node.get("else").map(|other| expr(script, other)).transpose()?.map(Box::new);
        ExprKind::Case { operand: None, branches: pairs, otherwise }
    } else if let Some(inner) = node.get("over") {
        let function = expr(script, inner)?;
        let ExprKind::Function(function) = function.kind else {
            let message = "Only a function can have a window: an aggregate, row_number() and its like.";
            return Err(Diagnostic::new("UNSUPPORTED_EXPR_FOR_WINDOW", "42P20", message, span));
        };
        let over = Some(window(script, &node["window"])?);
        ExprKind::Function(Box::new(FunctionCall { over, ..*function }))
    } else if let Some(inner) = node.get("item") {
        let (inner, index) = (expr(script, inner)?, expr(script, &node["key"])?);
        ExprKind::Index { expr: Box::new(inner), index: Box::new(index) }
    } else if node["sql"].is_string() {
        return Ok(sql_item(script, node)?.0);
    } else if let Some(conditions) = node["all"].as_array() {
        return conjunction(script, conditions, span);
    } else if let Some(inner) = node.get("alias").or_else(|| node.get("sort")) {
        return expr(script, inner);
    } else if node.get("star").is_some() {
        ExprKind::Star
    } else {
        return Err(Diagnostic::internal(format!("no column: {node}")).or_at(span));
    };
    Ok(Expr::new(kind, span))
}

/// Items of a select list: one, or what a SQL text lists.
///
/// # Errors
/// As for [`expr`].
pub fn item(script: &mut Script, node: &Value) -> Result<SelectItem> {
    let span = span_of(script, node);
    if let Some(qualifier) = node.get("star") {
        let qualifier = match qualifier.as_str() {
            Some(name) => Some(column_name(script, name, node)?),
            None => None,
        };
        return Ok(SelectItem::Star { qualifier, except: Vec::new(), span });
    }
    if node["sql"].is_string() {
        return select_item(script, node);
    }
    let names = node["names"].as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str);
    let alias: Vec<Ident> =
        if node.get("alias").is_some() { names.map(|name| Ident::new(name, span)).collect() } else { Vec::new() };
    Ok(SelectItem::Expr { expr: expr(script, node)?, alias })
}

/// A key to sort by; a plain column sorts upwards.
///
/// # Errors
/// As for [`expr`].
pub fn order(script: &mut Script, node: &Value) -> Result<OrderItem> {
    let descending = node["down"].as_bool().unwrap_or(false);
    Ok(OrderItem { expr: expr(script, node)?, descending, nulls_first: node["nulls_first"].as_bool() })
}

/// Columns in order.
///
/// # Errors
/// As for [`expr`].
pub fn exprs(script: &mut Script, nodes: &Value) -> Result<Vec<Expr>> {
    nodes.as_array().map_or(&[][..], Vec::as_slice).iter().map(|node| expr(script, node)).collect()
}

/// Where the program made a node: the statement or call, where the interpreter's side knows it, else the line.
pub fn span_of(script: &Script, node: &Value) -> Span {
    let end = |idx: usize| node["span"][idx].as_u64().and_then(|at| usize::try_from(at).ok());
    if let (Some(start), Some(end)) = (end(0), end(1)) {
        return script.at(start, end);
    }
    node["line"].as_u64().map(|line| script.line(line)).unwrap_or_default()
}

fn line_of(node: &Value) -> u64 {
    node["line"].as_u64().unwrap_or(0)
}

/// The text of a SELECT item: `expr(…)` and `selectExpr(…)` take an alias, too.
fn select_item(script: &mut Script, node: &Value) -> Result<SelectItem> {
    let span = span_of(script, node);
    let placed = script.placed(text(node, "sql"), line_of(node));
    let mut items = match sql::parse_select_items(&placed) {
        Ok(items) => items,
        Err(wrong) => return Err(wrong.or_at(span)),
    };
    match (items.pop(), items.is_empty()) {
        (Some(item), true) => Ok(item),
        _ => {
            let message = format!("`{}` is not one expression.", text(node, "sql"));
            Err(Diagnostic::syntax(message, span).with_hint("Give each expression a text of its own."))
        }
    }
}

fn sql_item(script: &mut Script, node: &Value) -> Result<(Expr, Vec<Ident>)> {
    let span = span_of(script, node);
    match select_item(script, node)? {
        SelectItem::Expr { expr, alias } => Ok((expr, alias)),
        SelectItem::Star { .. } => Ok((Expr::new(ExprKind::Star, span), Vec::new())),
    }
}

fn args(script: &mut Script, node: &Value) -> Result<Vec<Expr>> {
    exprs(script, &node["args"])
}

fn conjunction(script: &mut Script, conditions: &[Value], span: Span) -> Result<Expr> {
    let mut whole: Option<Expr> = None;
    for condition in conditions {
        let next = expr(script, condition)?;
        whole = Some(match whole {
            None => next,
            Some(whole) => {
                let kind = ExprKind::Binary { op: BinaryOp::And, left: Box::new(whole), right: Box::new(next) };
                Expr::new(kind, span)
            }
        });
    }
    Ok(whole.unwrap_or_else(|| Expr::new(ExprKind::Literal(Literal::Boolean(true)), span)))
}

fn window(script: &mut Script, node: &Value) -> Result<WindowSpec> {
    let partition_by = exprs(script, &node["partition"])?;
    let keys = node["order"].as_array().map_or(&[][..], Vec::as_slice);
    let order_by = keys.iter().map(|key| order(script, key)).collect::<Result<_>>()?;
    let frame = match node["frame"].as_array().map(Vec::as_slice) {
        Some([units, start, end]) => Some(WindowFrame {
            units: if units.as_str() == Some("range") { FrameUnits::Range } else { FrameUnits::Rows },
            start: bound(start)?,
            end: bound(end)?,
        }),
        _ => None,
    };
    Ok(WindowSpec { named: None, partition_by, order_by, frame })
}

/// A distance from the current row: before it below zero.
fn bound(value: &Value) -> Result<FrameBound> {
    let distance =
        |rows: i64| -> Result<Box<Expr>> { literal(&Value::from(rows), None, Span::default()).map(Box::new) };
    Ok(match (value.as_str(), value.as_i64()) {
        (Some("unbounded preceding"), _) => FrameBound::UnboundedPreceding,
        (Some(_), _) => FrameBound::UnboundedFollowing,
        (None, Some(0) | None) => FrameBound::CurrentRow,
        (None, Some(rows)) if rows < 0 => FrameBound::Preceding(distance(-rows)?),
        (None, Some(rows)) => FrameBound::Following(distance(rows)?),
    })
}

/// `t.c`, or a name in backticks that holds dots: read as SQL reads it.
fn column_name(script: &mut Script, name: &str, node: &Value) -> Result<Name> {
    let span = span_of(script, node);
    let mut parsed = parse_name(name).map_err(|wrong| at(wrong, span))?;
    // A name as it stands in the program is more to point at than its line.
    let place = script
        .text()
        .get(span.start..span.end)
        .and_then(|line| line.find(name))
        .map_or(span, |start| Span::new(span.start + start, span.start + start + name.len()));
    parsed.parts.iter_mut().for_each(|part| part.span = place);
    Ok(parsed)
}

/// The parts of a dotted name; dots inside backticks belong to a part, two backticks are one.
///
/// # Errors
/// A backtick that nothing closes.
pub fn parse_name(name: &str) -> Result<Name> {
    let wrong = || {
        let message = format!("`{name}` is no column name: a backtick in it is not closed.");
        Diagnostic::new("INVALID_ATTRIBUTE_NAME_SYNTAX", "42601", message, None)
    };
    let mut parts: Vec<String> = Vec::new();
    let mut part = String::new();
    let mut letters = name.chars().peekable();
    let mut quoted = false;
    while let Some(letter) = letters.next() {
        match letter {
            '`' if quoted && letters.peek() == Some(&'`') => {
                part.push('`');
                letters.next();
            }
            '`' => {
                quoted = !quoted;
                if !quoted && !matches!(letters.peek(), None | Some('.')) {
                    return Err(wrong());
                }
            }
            '.' if !quoted => parts.push(std::mem::take(&mut part)),
            other => part.push(other),
        }
    }
    if quoted {
        return Err(wrong());
    }
    parts.push(part);
    Ok(Name { parts: parts.into_iter().map(|part| Ident::new(part, Span::default())).collect() })
}

fn call(script: &mut Script, name: &str, node: &Value, span: Span) -> Result<Expr> {
    let nodes = node["args"].as_array().map_or(&[][..], Vec::as_slice);
    // struct(x.alias("a")) names its fields.
    let named = name == "struct" && nodes.iter().any(|arg| arg.get("alias").is_some());
    let mut args = Vec::with_capacity(nodes.len());
    for arg in nodes {
        let value = expr(script, arg)?;
        if named {
            let field = match (&arg["names"][0], &value.kind) {
                (Value::String(name), _) => name.clone(),
                (_, ExprKind::Column(name)) => name.last().to_owned(),
                (_, ExprKind::FrameColumn { name, .. }) => name.value.clone(),
                _ => format!("col{}", args.len() / 2 + 1),
            };
            args.push(Expr::new(ExprKind::Literal(Literal::String(field)), span));
        }
        args.push(value);
    }
    let flag = |key: &str| node[key].as_bool().unwrap_or(false);
    let call = FunctionCall {
        name: Name::bare(Ident::new(if named { "named_struct" } else { name }, span)),
        args,
        distinct: flag("distinct"),
        filter: None,
        ignore_nulls: flag("ignore_nulls"),
        over: None,
    };
    Ok(Expr::new(ExprKind::Function(Box::new(call)), span))
}

/// Whole numbers are `int` where they fit, else `bigint`; a `float` of Python is a `double`.
pub(crate) fn literal(value: &Value, kind: Option<&str>, span: Span) -> Result<Expr> {
    let wrong = || Diagnostic::internal(format!("no constant: {value} as {kind:?}"));
    let literal = match (kind, value) {
        (_, Value::Null) => Literal::Null,
        (Some("double"), Value::String(text)) => Literal::Double(text.parse().map_err(|_| wrong())?),
        (Some("decimal"), Value::String(text)) => decimal(text).ok_or_else(wrong)?,
        (Some("binary"), Value::String(text)) => Literal::Binary(bytes(text).ok_or_else(wrong)?),
        (Some("date"), days) => {
            Literal::Date(days.as_i64().and_then(|days| i32::try_from(days).ok()).ok_or_else(wrong)?)
        }
        (Some("timestamp"), micros) => Literal::Timestamp(micros.as_i64().ok_or_else(wrong)?),
        (Some("interval"), micros) => {
            let micros = micros.as_i64().ok_or_else(wrong)?;
            Literal::Interval(Interval::DayTime { micros, days_only: micros % 86_400_000_000 == 0 })
        }
        (_, Value::Bool(value)) => Literal::Boolean(*value),
        (_, Value::String(text)) => Literal::String(text.clone()),
        (_, Value::Number(number)) => match number.as_i64() {
            Some(number) => i32::try_from(number).map_or(Literal::Long(number), Literal::Int),
            None => Literal::Double(number.as_f64().unwrap_or(f64::NAN)),
        },
        _ => return Err(wrong()),
    };
    Ok(Expr::new(ExprKind::Literal(literal), span))
}

/// `-1.50` as unscaled value, precision and scale; `1E+3` has none below zero here.
fn decimal(text: &str) -> Option<Literal> {
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut unscaled: i128 = format!("{whole}{fraction}").parse().ok()?;
    let mut scale = i32::try_from(fraction.len()).ok()? - exponent;
    while scale < 0 {
        unscaled = unscaled.checked_mul(10)?;
        scale += 1;
    }
    let n_digits = u8::try_from(unscaled.unsigned_abs().to_string().len()).ok()?;
    let scale = i8::try_from(scale).ok()?;
    Some(Literal::Decimal { unscaled, precision: n_digits.max(scale.unsigned_abs()), scale })
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let byte = |at: usize| hex.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    (0..hex.len()).step_by(2).map(byte).collect()
}

fn operator(op: &str, args: Vec<Expr>, span: Span) -> Result<Expr> {
    let binary = match op {
        "or" => Some(BinaryOp::Or),
        "and" => Some(BinaryOp::And),
        "=" => Some(BinaryOp::Eq),
        "<=>" => Some(BinaryOp::NullSafeEq),
        "!=" => Some(BinaryOp::NotEq),
        "<" => Some(BinaryOp::Lt),
        "<=" => Some(BinaryOp::LtEq),
        ">" => Some(BinaryOp::Gt),
        ">=" => Some(BinaryOp::GtEq),
        "+" => Some(BinaryOp::Plus),
        "-" => Some(BinaryOp::Minus),
        "*" => Some(BinaryOp::Multiply),
        "/" => Some(BinaryOp::Divide),
        "%" => Some(BinaryOp::Modulo),
        "&" => Some(BinaryOp::BitAnd),
        "|" => Some(BinaryOp::BitOr),
        "^" => Some(BinaryOp::BitXor),
        _ => None,
    };
    let n_args = args.len();
    let mut args = args.into_iter();
    let wrong = || Diagnostic::internal(format!("the operator {op} of {n_args} values"));
    let first = Box::new(args.next().ok_or_else(wrong)?);
    let mut rest: Vec<Expr> = args.collect();
    let kind = match (binary, op, rest.len()) {
        (Some(op), _, 1) => ExprKind::Binary { op, left: first, right: Box::new(rest.remove(0)) },
        (None, "not", 0) => ExprKind::Unary { op: UnaryOp::Not, expr: first },
        (None, "negate", 0) => ExprKind::Unary { op: UnaryOp::Minus, expr: first },
        (None, "is null", 0) => ExprKind::IsNull { expr: first, negated: false },
        (None, "is not null", 0) => ExprKind::IsNull { expr: first, negated: true },
        (None, "in", _) => ExprKind::InList { expr: first, list: rest, negated: false },
        (None, "like", 1) => like(LikeKind::Like, first, rest.remove(0)),
        (None, "ilike", 1) => like(LikeKind::ILike, first, rest.remove(0)),
        (None, "rlike", 1) => like(LikeKind::RLike, first, rest.remove(0)),
        _ => return Err(wrong()),
    };
    Ok(Expr::new(kind, span))
}

fn like(kind: LikeKind, expr: Box<Expr>, pattern: Expr) -> ExprKind {
    ExprKind::Like { kind, expr, pattern: Box::new(pattern), escape: None, negated: false }
}

/// The complaint at a place of the program, for its own lies in a text of its own.
fn at(mut wrong: Diagnostic, span: Span) -> Diagnostic {
    wrong.span = Some(span);
    wrong.edits.clear();
    wrong
}

pub(crate) fn text<'a>(node: &'a Value, name: &str) -> &'a str {
    node[name].as_str().unwrap_or_default()
}
