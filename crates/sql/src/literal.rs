//! Numbers and strings.

use crate::cursor::{Cursor, Parse};
use crate::errors::{condition, expected};
use crate::lexer::Kind;
use spec::{Expr, ExprKind, Literal, Span};

/// The most digits a DECIMAL can have.
const MAX_PRECISION: usize = 38;

/// Reads one or more adjacent strings, which SQL joins; `what` names it in the complaint.
pub(crate) fn string(cursor: &mut Cursor<'_>, what: &str) -> Parse<String> {
    if cursor.kind_at(0) != Some(Kind::String) {
        return Err(expected(cursor, &[what]));
    }
    let mut text = String::new();
    while let Some(lexeme) = cursor.peek().filter(|lexeme| lexeme.kind == Kind::String) {
        cursor.advance();
        text.push_str(&unescape(lexeme.span.of(cursor.text())));
    }
    Ok(text)
}

/// The content of one string token, by Spark's rules for backslashes and doubled quotes.
fn unescape(token: &str) -> String {
    if let Some(raw) = token.strip_prefix(['r', 'R']) {
        return raw.get(1..raw.len().saturating_sub(1)).unwrap_or("").to_owned();
    }
    let quote = token.chars().next().unwrap_or('\'');
    let body = token.get(1..token.len().saturating_sub(1)).unwrap_or("");
    let mut text = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or("");
        if c == '\\' {
            rest = escape(rest, &mut text);
        } else {
            // A doubled quote is one quote.
            if c == quote {
                rest = rest.strip_prefix(quote).unwrap_or(rest);
            }
            text.push(c);
        }
    }
    text
}

/// Adds what the text behind a backslash stands for and returns what follows it.
fn escape<'a>(rest: &'a str, text: &mut String) -> &'a str {
    for (letter, n_digits) in [('u', 4), ('U', 8)] {
        let code = rest.strip_prefix(letter).and_then(|tail| tail.get(..n_digits));
        if let Some(c) = code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32) {
            text.push(c);
            return rest.get(1 + n_digits..).unwrap_or("");
        }
    }
    let octal = rest.get(..3).filter(|code| code.starts_with(['0', '1']) && code.bytes().all(|b| b.is_ascii_digit()));
    if let Some(c) = octal.and_then(|code| u32::from_str_radix(code, 8).ok()).and_then(char::from_u32) {
        text.push(c);
        return rest.get(3..).unwrap_or("");
    }
    let Some(c) = rest.chars().next() else { return rest };
    match c {
        '0' => text.push('\0'),
        'b' => text.push('\u{8}'),
        'n' => text.push('\n'),
        'r' => text.push('\r'),
        't' => text.push('\t'),
        'Z' => text.push('\u{1a}'),
        // LIKE patterns keep their own escapes.
        '%' | '_' => text.extend(['\\', c]),
        other => text.push(other),
    }
    rest.get(c.len_utf8()..).unwrap_or("")
}

/// Reads a number; `negative` when a minus was read before it.
pub(crate) fn number(cursor: &mut Cursor<'_>, negative: bool) -> Parse<Expr> {
    let Some(lexeme) = cursor.peek().filter(|lexeme| lexeme.kind == Kind::Number) else {
        return Err(expected(cursor, &["a number"]));
    };
    cursor.advance();
    let text = lexeme.span.of(cursor.text());
    let literal = numeric(text, negative, lexeme.span)?;
    Ok(Expr::new(ExprKind::Literal(literal), lexeme.span))
}

fn numeric(text: &str, negative: bool, span: Span) -> Parse<Literal> {
    let upper = text.to_ascii_uppercase();
    let sign = if negative { "-" } else { "" };
    let (digits, suffix) = match upper.find(['L', 'S', 'Y', 'D', 'F', 'B']) {
        Some(pos) => (upper.get(..pos).unwrap_or(""), upper.get(pos..).unwrap_or("")),
        None => (upper.as_str(), ""),
    };
    let signed = format!("{sign}{digits}");
    let outside = |type_name: &str| {
        let message = format!("The number {sign}{text} does not fit into {type_name}.");
        condition("INVALID_NUMERIC_LITERAL_RANGE", "22003", message, span)
    };
    match suffix {
        "L" => signed.parse().map(Literal::Long).map_err(|_| outside("BIGINT")),
        "S" => signed.parse().map(Literal::Short).map_err(|_| outside("SMALLINT")),
        "Y" => signed.parse().map(Literal::Byte).map_err(|_| outside("TINYINT")),
        "F" => finite(signed.parse::<f32>().ok().filter(|v| v.is_finite()).map(Literal::Float), || outside("FLOAT")),
        "D" => finite(signed.parse::<f64>().ok().filter(|v| v.is_finite()).map(Literal::Double), || outside("DOUBLE")),
        "BD" => decimal(digits, negative).ok_or_else(|| too_precise(text, span)),
        _ if digits.contains('E') => {
            finite(signed.parse::<f64>().ok().filter(|v| v.is_finite()).map(Literal::Double), || outside("DOUBLE"))
        }
        _ if digits.contains('.') => decimal(digits, negative).ok_or_else(|| too_precise(text, span)),
        _ => {
            let int = signed.parse().map(Literal::Int).or_else(|_| signed.parse().map(Literal::Long)).ok();
            int.or_else(|| decimal(digits, negative)).ok_or_else(|| too_precise(text, span))
        }
    }
}

fn finite(value: Option<Literal>, otherwise: impl Fn() -> crate::errors::Failure) -> Parse<Literal> {
    value.ok_or_else(otherwise)
}

fn too_precise(text: &str, span: Span) -> crate::errors::Failure {
    let message = format!("The number {text} needs more than the {MAX_PRECISION} digits that a DECIMAL can hold.");
    condition("DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION", "22003", message, span)
}

/// `12.50` has precision 4 and scale 2; an exponent moves the point. `None` above 38 digits.
fn decimal(text: &str, negative: bool) -> Option<Literal> {
    let (mantissa, exponent) = match text.split_once('E') {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = format!("{whole}{fraction}").trim_start_matches('0').to_owned();
    let mut scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
    if scale < 0 {
        let n_zeros = usize::try_from(scale.checked_neg()?).ok()?;
        if !digits.is_empty() {
            digits.push_str(&"0".repeat(n_zeros.min(MAX_PRECISION + 1)));
        }
        scale = 0;
    }
    let precision = digits.len().max(usize::try_from(scale).ok()?).max(1);
    if precision > MAX_PRECISION {
        return None;
    }
    let magnitude: i128 = if digits.is_empty() { 0 } else { digits.parse().ok()? };
    let unscaled = if negative { -magnitude } else { magnitude };
    Some(Literal::Decimal { unscaled, precision: u8::try_from(precision).ok()?, scale: i8::try_from(scale).ok()? })
}

/// Reads a whole number with or without a sign; `what` names it in the complaint.
pub(crate) fn integer(cursor: &mut Cursor<'_>, what: &str) -> Parse<i64> {
    let sign = if cursor.eat_op("-") { "-" } else { "" };
    cursor.eat_op("+");
    let digits = cursor.peek().filter(|lexeme| lexeme.kind == Kind::Number);
    let number = digits.and_then(|lexeme| format!("{sign}{}", lexeme.span.of(cursor.text())).parse().ok());
    let Some(number) = number else { return Err(expected(cursor, &[what])) };
    cursor.advance();
    Ok(number)
}

/// Reads a whole number that is not negative, such as the n of LIMIT in DESCRIBE HISTORY.
pub(crate) fn unsigned(cursor: &mut Cursor<'_>, what: &str) -> Parse<u64> {
    let digits = cursor.peek().filter(|lexeme| lexeme.kind == Kind::Number);
    let Some(number) = digits.and_then(|lexeme| lexeme.span.of(cursor.text()).parse().ok()) else {
        return Err(expected(cursor, &[what]));
    };
    cursor.advance();
    Ok(number)
}
