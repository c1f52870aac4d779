//! Expressions as Spark writes them: the names of unnamed output columns, and predicates in the history.

use super::pretty_call::{called, given_all, is_cast};
use crate::scope::Scope;
use crate::typed::{SqlType, declared};
use delta::schema::DataType;
use delta::text;
use spec::{
    BinaryOp, CastMode, Expr, ExprKind, FrameBound, FrameUnits, FunctionCall, Interval, LikeKind, Literal, Name,
    UnaryOp, WindowSpec,
};

/// The name of the output column that `expr` gives when no alias names it.
pub(crate) fn pretty_name(scope: &Scope, expr: &Expr) -> String {
    match &expr.kind {
        // `s.x` alone is called `x`, inside an expression it stays `s.x`.
        ExprKind::Column(name) => name.last().to_owned(),
        ExprKind::FrameColumn { name, .. } => name.value.clone(),
        // A cast of a column alone keeps the column's name.
        ExprKind::Cast { expr, .. } if is_column(expr) => pretty_name(scope, expr),
        ExprKind::Function(call) if is_cast(&call.name) && call.over.is_none() => match call.args.as_slice() {
            [arg] if is_column(arg) => pretty_name(scope, arg),
            _ => pretty(scope, expr),
        },
        _ => pretty(scope, expr),
    }
}

/// The text of `expr`; columns are spelled as in the text, but without qualifiers.
pub(crate) fn pretty(scope: &Scope, expr: &Expr) -> String {
    let text = |expr: &Expr| pretty(scope, expr);
    match &expr.kind {
        ExprKind::Literal(value) => constant(value),
        ExprKind::Column(name) => column(scope, name),
        ExprKind::FrameColumn { name, .. } => name.value.clone(),
        ExprKind::Star => "*".into(),
        ExprKind::Unary { op, expr } => match op {
            UnaryOp::Not => format!("(NOT {})", text(expr)),
            UnaryOp::Minus => format!("(- {})", text(expr)),
            UnaryOp::Plus => format!("(+ {})", text(expr)),
            UnaryOp::BitNot => format!("~{}", text(expr)),
        },
        ExprKind::Binary { op: BinaryOp::NotEq, left, right } => format!("(NOT ({} = {}))", text(left), text(right)),
        ExprKind::Binary { op: BinaryOp::Concat, left, right } => format!("concat({}, {})", text(left), text(right)),
        ExprKind::Binary { op, left, right } => format!("({} {} {})", text(left), symbol(*op), text(right)),
        ExprKind::IsNull { expr, negated } => {
            format!("({} IS {}NULL)", text(expr), if *negated { "NOT " } else { "" })
        }
        ExprKind::IsTruth { expr, value, negated } => {
            let Some(value) = value else {
                return format!("({} IS {}NULL)", text(expr), if *negated { "NOT " } else { "" });
            };
            negate(*negated, format!("({} <=> {value})", text(expr)))
        }
        ExprKind::Between { expr, low, high, negated } => {
            negate(*negated, format!("between({}, {}, {})", text(expr), text(low), text(high)))
        }
        ExprKind::InList { expr, list, negated } => {
            let items: Vec<String> = list.iter().map(text).collect();
            negate(*negated, format!("({} IN ({}))", text(expr), items.join(", ")))
        }
        ExprKind::InQuery { expr, negated, .. } => negate(*negated, format!("({} IN (listquery()))", text(expr))),
        ExprKind::Exists { .. } => "exists()".into(),
        ExprKind::Subquery(_) => "scalarsubquery()".into(),
        ExprKind::Like { kind, expr, pattern, negated, .. } => {
            let (expr, pattern) = (text(expr), text(pattern));
            negate(
                *negated,
                match kind {
                    LikeKind::Like => format!("{expr} LIKE {pattern}"),
                    LikeKind::ILike => format!("ilike({expr}, {pattern})"),
                    LikeKind::RLike => format!("RLIKE({expr}, {pattern})"),
                },
            )
        }
        ExprKind::Case { operand, branches, otherwise } => {
            let mut out = String::from("CASE");
            for (when, then) in branches {
                match operand {
                    Some(operand) => out.push_str(&format!(" WHEN ({} = {})", text(operand), text(when))),
                    None => out.push_str(&format!(" WHEN {}", text(when))),
                }
                out.push_str(&format!(" THEN {}", text(then)));
            }
            if let Some(otherwise) = otherwise {
                out.push_str(&format!(" ELSE {}", text(otherwise)));
            }
            out + " END"
        }
        ExprKind::Cast { expr, data_type, mode } => {
            let function = if *mode == CastMode::Try { "TRY_CAST" } else { "CAST" };
            format!("{function}({} AS {})", text(expr), declared(data_type).spark_name())
        }
        ExprKind::Function(call) => function(scope, call),
        ExprKind::Index { expr, index } if is_struct(scope, expr) => format!("{}.{}", text(expr), text(index)),
        ExprKind::Index { expr, index } => format!("{}[{}]", text(expr), text(index)),
        ExprKind::Field { expr, field } => format!("{}.{field}", text(expr)),
        ExprKind::Lambda { params, body } => {
            let params: Vec<String> = params.iter().map(|param| format!("namedlambdavariable({param})")).collect();
            format!("lambdafunction({}, {})", text(body), params.join(", "))
        }
        ExprKind::Default => "DEFAULT".into(),
    }
}

fn is_column(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Column(_) | ExprKind::FrameColumn { .. })
}

fn negate(negated: bool, text: String) -> String {
    if negated { format!("(NOT {text})") } else { text }
}

/// Whether an expression is a column that holds structs: what is taken out of it is a field.
fn is_struct(scope: &Scope, expr: &Expr) -> bool {
    let field = match &expr.kind {
        ExprKind::Column(name) => match scope.resolve(name) {
            Ok(Some(resolved)) if resolved.path.is_empty() => resolved.field,
            _ => return false,
        },
        ExprKind::FrameColumn { frame, index, name } => match scope.of_frame((*frame, *index), name, true) {
            Ok(field) => field,
            Err(_) => return false,
        },
        _ => return false,
    };
    matches!(field.data_type, SqlType::Column(DataType::Struct(_)))
}

/// The column as written, without what qualifies it.
fn column(scope: &Scope, name: &Name) -> String {
    let n_kept = match scope.resolve(name) {
        Ok(Some(resolved)) => resolved.path.len() + 1,
        _ => name.parts.len(),
    };
    let kept: Vec<&str> =
        name.parts.iter().skip(name.parts.len().saturating_sub(n_kept)).map(|part| part.value.as_str()).collect();
    kept.join(".")
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "OR",
        BinaryOp::And => "AND",
        BinaryOp::Eq => "=",
        BinaryOp::NullSafeEq => "<=>",
        BinaryOp::NotEq => "!=",
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

fn constant(value: &Literal) -> String {
    match value {
        Literal::Null => "NULL".into(),
        Literal::Boolean(value) => value.to_string(),
        Literal::Byte(value) => value.to_string(),
        Literal::Short(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Long(value) => value.to_string(),
        Literal::Float(value) => text::float(*value),
        Literal::Double(value) => text::double(*value),
        Literal::Decimal { unscaled, scale, .. } => text::decimal_plain(*unscaled, *scale),
        Literal::String(value) => value.clone(),
        Literal::Binary(bytes) => {
            let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
            format!("X'{}'", digits.concat())
        }
        Literal::Date(days) => format!("DATE '{}'", text::date(*days)),
        Literal::Timestamp(micros) => format!("TIMESTAMP '{}'", text::timestamp(*micros)),
        Literal::TimestampNtz(micros) => format!("TIMESTAMP_NTZ '{}'", text::timestamp(*micros)),
        Literal::Interval(interval) => constant_interval(*interval),
    }
}

fn constant_interval(interval: Interval) -> String {
    match interval {
        Interval::YearMonth { months } if months % 12 == 0 => format!("INTERVAL '{}' YEAR", months / 12),
        Interval::YearMonth { months } => format!("INTERVAL '{months}' MONTH"),
        Interval::DayTime { micros, .. } => {
            let seconds = micros / 1_000_000;
            for (unit, size) in [("DAY", 86_400), ("HOUR", 3_600), ("MINUTE", 60)] {
                if micros % 1_000_000 == 0 && seconds % size == 0 {
                    return format!("INTERVAL '{}' {unit}", seconds / size);
                }
            }
            format!("INTERVAL '{seconds}' SECOND")
        }
        Interval::Calendar { months, days, micros } => {
            format!("INTERVAL '{months} months {days} days {} seconds'", micros / 1_000_000)
        }
    }
}

fn function(scope: &Scope, call: &FunctionCall) -> String {
    let name = call.name.last().to_lowercase();
    let args: Vec<String> = call
        .args
        .iter()
        .map(|arg| match arg.kind {
            ExprKind::Star if name == "count" => "1".into(),
            _ => pretty(scope, arg),
        })
        .collect();
    let args = given_all(&name, args);
    let mut text = called(&name, &args, call.distinct);
    if let Some(filter) = &call.filter {
        text.push_str(&format!(" FILTER (WHERE {})", pretty(scope, filter)));
    }
    match &call.over {
        Some(window) => format!("{text} OVER ({})", over(scope, &name, args.get(1), window)),
        None => text,
    }
}

fn over(scope: &Scope, function: &str, offset: Option<&String>, window: &WindowSpec) -> String {
    if let Some(name) = &window.named
        && window.partition_by.is_empty()
        && window.order_by.is_empty()
    {
        return name.value.clone();
    }
    let mut parts = Vec::new();
    if !window.partition_by.is_empty() {
        let keys: Vec<String> = window.partition_by.iter().map(|expr| pretty(scope, expr)).collect();
        parts.push(format!("PARTITION BY {}", keys.join(", ")));
    }
    if !window.order_by.is_empty() {
        let keys: Vec<String> = window
            .order_by
            .iter()
            .map(|item| {
                let direction = if item.descending { "DESC" } else { "ASC" };
                let nulls = if item.nulls_first.unwrap_or(!item.descending) { "FIRST" } else { "LAST" };
                format!("{} {direction} NULLS {nulls}", pretty(scope, &item.expr))
            })
            .collect();
        parts.push(format!("ORDER BY {}", keys.join(", ")));
    }
    parts.push(match (&window.frame, offset) {
        (None, Some(offset)) if function == "lag" => {
            format!("ROWS BETWEEN -{offset} FOLLOWING AND -{offset} FOLLOWING")
        }
        (None, Some(offset)) if function == "lead" => {
            format!("ROWS BETWEEN {offset} FOLLOWING AND {offset} FOLLOWING")
        }
        (Some(frame), _) => {
            let units = match frame.units {
                FrameUnits::Rows => "ROWS",
                FrameUnits::Range => "RANGE",
            };
            format!("{units} BETWEEN {} AND {}", bound(scope, &frame.start), bound(scope, &frame.end))
        }
        (None, _)
            if matches!(function, "row_number" | "rank" | "dense_rank" | "percent_rank" | "cume_dist" | "ntile") =>
        {
            "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW".into()
        }
        (None, _) if window.order_by.is_empty() => "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING".into(),
        (None, _) => "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW".into(),
    });
    parts.join(" ")
}

fn bound(scope: &Scope, bound: &FrameBound) -> String {
    match bound {
        FrameBound::UnboundedPreceding => "UNBOUNDED PRECEDING".into(),
        FrameBound::UnboundedFollowing => "UNBOUNDED FOLLOWING".into(),
        FrameBound::CurrentRow => "CURRENT ROW".into(),
        FrameBound::Preceding(offset) => format!("{} PRECEDING", pretty(scope, offset)),
        FrameBound::Following(offset) => format!("{} FOLLOWING", pretty(scope, offset)),
    }
}
