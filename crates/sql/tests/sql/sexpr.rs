//! Meaning as short text: `(and (= t.k s.k) (is-null s.v))`. Names that need it are quoted.

use spec::{
    BinaryOp, CastMode, Cte, DataType, Expr, ExprKind, FrameBound, FrameUnits, FunctionCall, GroupBy, Ident, Interval,
    JoinConstraint, LikeKind, Literal, Name, OrderItem, Query, QueryBody, Relation, Select, SelectItem, TableAlias,
    TimeTravel, UnaryOp, WindowSpec,
};

pub(crate) fn form(head: &str, parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { format!("({head})") } else { format!("({head} {})", parts.join(" ")) }
}

/// A clause that is left out when it is empty.
pub(crate) fn clause(head: &str, parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().collect();
    if parts.is_empty() { String::new() } else { form(head, parts) }
}

pub(crate) fn maybe(head: &str, part: Option<String>) -> String {
    clause(head, part)
}

pub(crate) fn flag(on: bool, text: &str) -> String {
    if on { text.to_owned() } else { String::new() }
}

pub(crate) fn ident(ident: &Ident) -> String {
    let plain = !ident.value.is_empty() && ident.value.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain { ident.value.clone() } else { format!("`{}`", ident.value) }
}

pub(crate) fn name(name: &Name) -> String {
    name.parts.iter().map(ident).collect::<Vec<_>>().join(".")
}

fn exprs(list: &[Expr]) -> Vec<String> {
    list.iter().map(expr).collect()
}

pub(crate) fn expr(node: &Expr) -> String {
    match &node.kind {
        ExprKind::Literal(value) => literal(value),
        ExprKind::Column(column) => name(column),
        // SQL has no frames.
        ExprKind::FrameColumn { .. } => "<frame column>".to_owned(),
        ExprKind::Star => "*".to_owned(),
        ExprKind::Default => "<default>".to_owned(),
        ExprKind::Unary { op, expr: operand } => {
            let op = match op {
                UnaryOp::Not => "not",
                UnaryOp::Minus => "neg",
                UnaryOp::Plus => "pos",
                UnaryOp::BitNot => "~",
            };
            form(op, [expr(operand)])
        }
        ExprKind::Binary { op, left, right } => form(binary(*op), [expr(left), expr(right)]),
        ExprKind::IsNull { expr: operand, negated } => form(&no(*negated, "is-null"), [expr(operand)]),
        ExprKind::IsTruth { expr: operand, value, negated } => {
            form(&no(*negated, &format!("is-{value:?}")), [expr(operand)])
        }
        ExprKind::Between { expr: operand, low, high, negated } => {
            form(&no(*negated, "between"), [expr(operand), expr(low), expr(high)])
        }
        ExprKind::InList { expr: operand, list, negated } => {
            form(&no(*negated, "in"), [vec![expr(operand)], exprs(list)].concat())
        }
        ExprKind::InQuery { expr: operand, query: inner, negated } => {
            form(&no(*negated, "in"), [expr(operand), query(inner)])
        }
        ExprKind::Exists { query: inner } => form("exists", [query(inner)]),
        ExprKind::Subquery(inner) => form("scalar", [query(inner)]),
        ExprKind::Like { kind, expr: operand, pattern, escape, negated } => {
            let word = match kind {
                LikeKind::Like => "like",
                LikeKind::ILike => "ilike",
                LikeKind::RLike => "rlike",
            };
            let escape = escape.map_or(String::new(), |c| format!("escape={c}"));
            form(&no(*negated, word), [expr(operand), expr(pattern), escape])
        }
        ExprKind::Case { operand, branches, otherwise } => {
            let operand = operand.iter().map(|operand| expr(operand));
            let branches = branches.iter().map(|(when, then)| form("when", [expr(when), expr(then)]));
            let otherwise = otherwise.iter().map(|otherwise| form("else", [expr(otherwise)]));
            form("case", operand.chain(branches).chain(otherwise))
        }
        ExprKind::Cast { expr: operand, data_type: to, mode } => {
            let word = if *mode == CastMode::Try { "try-cast" } else { "cast" };
            form(word, [expr(operand), data_type(to)])
        }
        ExprKind::Function(call) => function(call),
        ExprKind::Index { expr: operand, index } => form("index", [expr(operand), expr(index)]),
        ExprKind::Field { expr: operand, field } => form("field", [expr(operand), ident(field)]),
        ExprKind::Lambda { params, body } => {
            let params = params.iter().map(ident).collect::<Vec<_>>().join(" ");
            form("lambda", [format!("({params})"), expr(body)])
        }
    }
}

fn no(negated: bool, word: &str) -> String {
    if negated { format!("not-{word}") } else { word.to_owned() }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "or",
        BinaryOp::And => "and",
        BinaryOp::Eq => "=",
        BinaryOp::NullSafeEq => "<=>",
        BinaryOp::NotEq => "<>",
        BinaryOp::Lt => "<",
        BinaryOp::LtEq => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::GtEq => ">=",
        BinaryOp::Plus => "+",
        BinaryOp::Minus => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::IntDivide => "div",
        BinaryOp::Modulo => "%",
        BinaryOp::Concat => "||",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
    }
}

fn function(call: &FunctionCall) -> String {
    let mut parts = vec![flag(call.distinct, "distinct")];
    parts.extend(exprs(&call.args));
    parts.push(maybe("filter", call.filter.as_ref().map(expr)));
    parts.push(flag(call.ignore_nulls, "ignore-nulls"));
    parts.push(call.over.as_ref().map_or(String::new(), |over| window("over", over)));
    form(&name(&call.name), parts)
}

fn window(head: &str, window: &WindowSpec) -> String {
    let frame = window.frame.as_ref().map_or(String::new(), |frame| {
        let units = if frame.units == FrameUnits::Rows { "rows" } else { "range" };
        form(units, [bound(&frame.start), bound(&frame.end)])
    });
    let named = window.named.as_ref().map_or(String::new(), ident);
    form(head, [named, clause("by", exprs(&window.partition_by)), order(&window.order_by), frame])
}

fn bound(bound: &FrameBound) -> String {
    match bound {
        FrameBound::UnboundedPreceding => "start".to_owned(),
        FrameBound::Preceding(offset) => format!("-{}", expr(offset)),
        FrameBound::CurrentRow => "row".to_owned(),
        FrameBound::Following(offset) => format!("+{}", expr(offset)),
        FrameBound::UnboundedFollowing => "end".to_owned(),
    }
}

fn order(items: &[OrderItem]) -> String {
    clause(
        "order",
        items.iter().map(|item| {
            let nulls = item.nulls_first.map_or("", |first| if first { " nulls-first" } else { " nulls-last" });
            format!("{}{}{nulls}", expr(&item.expr), if item.descending { " desc" } else { "" })
        }),
    )
}

fn literal(literal: &Literal) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Boolean(value) => value.to_string(),
        Literal::Byte(value) => format!("{value}Y"),
        Literal::Short(value) => format!("{value}S"),
        Literal::Int(value) => value.to_string(),
        Literal::Long(value) => format!("{value}L"),
        Literal::Float(value) => format!("{value:?}F"),
        Literal::Double(value) => format!("{value:?}D"),
        Literal::Decimal { unscaled, precision, scale } => format!("{unscaled}e-{scale}:decimal({precision},{scale})"),
        Literal::String(text) => format!("{text:?}"),
        Literal::Binary(bytes) => format!("binary{bytes:?}"),
        Literal::Date(days) => format!("date:{days}"),
        Literal::Timestamp(micros) => format!("timestamp:{micros}"),
        Literal::TimestampNtz(micros) => format!("timestamp_ntz:{micros}"),
        Literal::Interval(Interval::YearMonth { months }) => format!("months:{months}"),
        Literal::Interval(Interval::DayTime { micros, days_only: true }) => format!("days:{}", micros / 86_400_000_000),
        Literal::Interval(Interval::DayTime { micros, .. }) => format!("micros:{micros}"),
        Literal::Interval(Interval::Calendar { months, days, micros }) => format!("calendar:{months}:{days}:{micros}"),
    }
}

pub(crate) fn data_type(node: &DataType) -> String {
    match node {
        DataType::Array(element) => form("array", [data_type(element)]),
        DataType::Map(key, value) => form("map", [data_type(key), data_type(value)]),
        DataType::Struct(fields) => form(
            "struct",
            fields.iter().map(|field| {
                let comment = field.comment.as_ref().map_or(String::new(), |text| format!("{text:?}"));
                let required = flag(!field.nullable, "not-null");
                form(&ident(&field.name), [data_type(&field.data_type), required, comment])
            }),
        ),
        DataType::Decimal { precision, scale } => format!("decimal({precision},{scale})"),
        DataType::Char { length } => format!("char({length})"),
        DataType::Varchar { length } => format!("varchar({length})"),
        other => format!("{other:?}").to_lowercase(),
    }
}

pub(crate) fn ctes(list: &[Cte]) -> String {
    let one =
        |cte: &Cte| form(&ident(&cte.name), [clause("columns", cte.columns.iter().map(ident)), query(&cte.query)]);
    clause("with", list.iter().map(one))
}

pub(crate) fn query(node: &Query) -> String {
    let limit = maybe("limit", node.limit.as_ref().map(expr));
    let offset = maybe("offset", node.offset.as_ref().map(expr));
    let around = [ctes(&node.ctes), order(&node.order_by), limit, offset];
    if around.iter().all(String::is_empty) {
        return body(&node.body);
    }
    let [with, order, limit, offset] = around;
    form("query", [with, body(&node.body), order, limit, offset])
}

fn body(node: &QueryBody) -> String {
    match node {
        QueryBody::Select(inner) => select(inner),
        QueryBody::Values { rows, alias } => {
            let rows = rows.iter().map(|row| format!("[{}]", exprs(row).join(" ")));
            form("values", rows.chain([table_alias(alias.as_ref())]))
        }
        QueryBody::Table(table) => form("table", [name(table)]),
        QueryBody::SetOp { op, all, by_name, left, right } => {
            let word = format!("{op:?}").to_lowercase();
            form(&word, [flag(*all, "all"), flag(*by_name, "by-name"), body(left), body(right)])
        }
        QueryBody::Query(inner) => query(inner),
    }
}

fn select(node: &Select) -> String {
    let items = node.items.iter().map(|item| match item {
        SelectItem::Expr { expr: value, alias } if alias.is_empty() => expr(value),
        SelectItem::Expr { expr: value, alias } => {
            form("as", std::iter::once(expr(value)).chain(alias.iter().map(ident)))
        }
        SelectItem::Star { qualifier, except, .. } => {
            let star = qualifier.as_ref().map_or("*".to_owned(), |table| format!("{}.*", name(table)));
            if except.is_empty() { star } else { form(&star, [form("except", except.iter().map(name))]) }
        }
    });
    let group = match &node.group_by {
        GroupBy::None => String::new(),
        GroupBy::Exprs(list) => form("group", exprs(list)),
        GroupBy::All(_) => "(group all)".to_owned(),
        GroupBy::Rollup(list) => form("rollup", exprs(list)),
        GroupBy::Cube(list) => form("cube", exprs(list)),
        GroupBy::GroupingSets { exprs: list, sets } => {
            let sets = sets.iter().map(|set| format!("[{}]", exprs(set).join(" ")));
            form("grouping-sets", exprs(list).into_iter().chain(sets))
        }
    };
    let views = node.lateral_views.iter().map(|view| {
        let columns = clause("columns", view.columns.iter().map(ident));
        form("lateral-view", [flag(view.outer, "outer"), expr(&view.generator), ident(&view.table), columns])
    });
    let windows = node.windows.iter().map(|(id, spec)| window(&format!("window {}", ident(id)), spec));
    let mut parts = vec![flag(node.distinct, "distinct")];
    parts.extend(items);
    parts.push(clause("from", node.from.iter().map(relation)));
    parts.extend(views);
    parts.push(maybe("where", node.filter.as_ref().map(expr)));
    parts.push(group);
    parts.push(maybe("having", node.having.as_ref().map(expr)));
    parts.extend(windows);
    form("select", parts)
}

fn table_alias(alias: Option<&TableAlias>) -> String {
    alias.map_or(String::new(), |alias| {
        let columns = alias.columns.iter().map(ident).collect::<Vec<_>>().join(" ");
        if columns.is_empty() {
            format!(":{}", ident(&alias.name))
        } else {
            format!(":{}[{columns}]", ident(&alias.name))
        }
    })
}

pub(crate) fn relation(node: &Relation) -> String {
    match node {
        Relation::Table { name: table, time_travel, alias, .. } => {
            let travel = time_travel.as_ref().map(|travel| match travel {
                TimeTravel::Version(version, _) => format!("@{version}"),
                TimeTravel::Timestamp(time) => format!("@{}", expr(time)),
            });
            format!("{}{}{}", name(table), travel.unwrap_or_default(), table_alias(alias.as_ref()))
        }
        Relation::Subquery { query: inner, lateral, alias, .. } => {
            format!("{}{}{}", flag(*lateral, "lateral "), query(inner), table_alias(alias.as_ref()))
        }
        Relation::Function { name: function, args, alias, .. } => {
            format!("{}{}", form(&name(function), exprs(args)), table_alias(alias.as_ref()))
        }
        Relation::Join { left, right, kind, constraint, .. } => {
            let on = match constraint {
                JoinConstraint::None => String::new(),
                JoinConstraint::On(condition) => form("on", [expr(condition)]),
                JoinConstraint::Using(columns) => form("using", columns.iter().map(ident)),
                JoinConstraint::Natural => "natural".to_owned(),
            };
            form(&format!("join-{kind:?}").to_lowercase(), [relation(left), relation(right), on])
        }
    }
}
