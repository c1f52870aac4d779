//! Constants: what they say about the columns that they are compared with.

use crate::graph::Constant;
use crate::kind::Kind;
use spec::{Expr, ExprKind, Literal};

/// Whether an expression is written out as a value.
pub(crate) fn is_constant(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(_))
}

/// A constant that a column is compared with, as SQL.
pub(crate) fn constant(expr: &Expr, is_equal: bool) -> Option<Constant> {
    let ExprKind::Literal(literal) = &expr.kind else { return None };
    let kind = kind_of(literal)?;
    let sql = match literal {
        Literal::Boolean(value) => value.to_string(),
        Literal::Byte(value) => value.to_string(),
        Literal::Short(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Long(value) => value.to_string(),
        Literal::Double(value) => format!("{value:?}D"),
        Literal::Float(value) => format!("{value:?}D"),
        Literal::Decimal { unscaled, scale: 2, .. } => format!("{}.{:02}", unscaled / 100, (unscaled % 100).abs()),
        Literal::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        _ => return None,
    };
    Some(Constant { sql, kind, is_equal })
}

/// The type of a constant; NULL has none.
pub(crate) fn kind_of(literal: &Literal) -> Option<Kind> {
    Some(match literal {
        Literal::Null | Literal::Binary(_) | Literal::Interval(_) => return None,
        Literal::Boolean(_) => Kind::Boolean,
        Literal::Byte(_) | Literal::Short(_) | Literal::Int(_) | Literal::Long(_) => Kind::Whole,
        Literal::Float(_) | Literal::Double(_) => Kind::Double,
        Literal::Decimal { .. } => Kind::Decimal,
        Literal::String(text) => Kind::of_text(text),
        Literal::Date(_) => Kind::Date,
        Literal::Timestamp(_) | Literal::TimestampNtz(_) => Kind::Timestamp,
    })
}

/// The guessed type that is nearest to a declared one.
pub(crate) fn kind_of_type(data_type: &spec::DataType) -> Option<Kind> {
    Some(match data_type {
        spec::DataType::Boolean => Kind::Boolean,
        spec::DataType::Byte | spec::DataType::Short | spec::DataType::Int | spec::DataType::Long => Kind::Whole,
        spec::DataType::Float | spec::DataType::Double => Kind::Double,
        spec::DataType::Decimal { .. } => Kind::Decimal,
        spec::DataType::String | spec::DataType::Char { .. } | spec::DataType::Varchar { .. } => Kind::Text,
        spec::DataType::Date => Kind::Date,
        spec::DataType::Timestamp | spec::DataType::TimestampNtz => Kind::Timestamp,
        _ => return None,
    })
}
