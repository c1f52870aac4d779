//! LIKE, ILIKE and RLIKE.

use crate::cast::{self, Mode};
use crate::error::Complaint;
use crate::functions;
use crate::session::Session;
use crate::typed::Typed;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{Expr, Like};
use delta::schema::DataType;
use spec::LikeKind;

/// `value [NOT] LIKE pattern [ESCAPE c]` and its kin.
///
/// # Errors
/// A pattern with an escape that escapes nothing (`INVALID_FORMAT.ESC_IN_THE_MIDDLE`, `….ESC_AT_THE_END`); another
/// escape character beside a pattern that is no constant.
pub(crate) fn like(
    session: &Session,
    kind: LikeKind,
    value: Typed,
    pattern: Typed,
    escape: Option<char>,
    negated: bool,
) -> Result<Typed, Complaint> {
    let nullable = value.nullable || pattern.nullable;
    if kind == LikeKind::RLike {
        let matched = functions::scalar(session, "rlike", vec![value, pattern])?;
        return if negated { super::not(session, matched) } else { Ok(matched) };
    }
    let text = DataType::String.into();
    let value = cast::cast(session, value, &text, Mode::Ansi)?;
    let pattern = cast::cast(session, pattern, &text, Mode::Ansi)?;
    let escape = escape.unwrap_or('\\');
    let pattern = match pattern.as_literal() {
        Some(ScalarValue::Utf8(Some(pattern))) => Expr::Literal(ScalarValue::Utf8(Some(plain(pattern, escape)?)), None),
        _ if escape == '\\' => pattern.expr,
        _ => return Err(Complaint::unsupported("ESCAPE with a pattern that is not a constant")),
    };
    let ignores_case = kind == LikeKind::ILike;
    let like = Like::new(negated, Box::new(value.expr), Box::new(pattern), None, ignores_case);
    Ok(Typed::new(Expr::Like(like), DataType::Boolean, nullable))
}

/// The pattern with `\` as its escape.
fn plain(pattern: &str, escape: char) -> Result<String, Complaint> {
    let mut result = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c != escape {
            if c == '\\' {
                result.push('\\');
            }
            result.push(c);
            continue;
        }
        match chars.next() {
            Some(next) if next == '%' || next == '_' || next == escape => {
                if next != escape || next == '\\' {
                    result.push('\\');
                }
                result.push(next);
            }
            Some(_) => return Err(invalid(pattern, "ESC_IN_THE_MIDDLE")),
            None => return Err(invalid(pattern, "ESC_AT_THE_END")),
        }
    }
    Ok(result)
}

fn invalid(pattern: &str, reason: &str) -> Complaint {
    let message = format!("In the pattern '{pattern}' the escape character must stand before %, _ or itself.");
    Complaint::new(format!("INVALID_FORMAT.{reason}"), "42601", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_escapes_become_backslashes() {
        assert_eq!(plain("a#%b", '#').unwrap(), "a\\%b");
        assert_eq!(plain("a##%", '#').unwrap(), "a#%");
        assert_eq!(plain("a\\%", '#').unwrap(), "a\\\\%");
        assert_eq!(plain("a\\\\b", '\\').unwrap(), "a\\\\b");
        assert_eq!(plain("a\\xb", '\\').unwrap_err().condition, "INVALID_FORMAT.ESC_IN_THE_MIDDLE");
    }
}
