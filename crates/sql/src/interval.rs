//! INTERVAL constants and types.
//!
//! The units decide the type: years and months make a year-month interval, all others a day-time
//! interval, and a constant never mixes the two.

use crate::cursor::{Cursor, Parse};
use crate::datetime::{MICROS_PER_DAY, fraction_micros};
use crate::errors::{Failure, condition, expected, unsupported};
use crate::lexer::Kind;
use crate::literal;
use spec::{DataType, Expr, ExprKind, Interval, Literal, Span};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Year,
    Month,
    Week,
    Day,
    Hour,
    Minute,
    Second,
    Millisecond,
    Microsecond,
}

const UNITS: [(&str, Unit); 9] = [
    ("YEAR", Unit::Year),
    ("MONTH", Unit::Month),
    ("WEEK", Unit::Week),
    ("DAY", Unit::Day),
    ("HOUR", Unit::Hour),
    ("MINUTE", Unit::Minute),
    ("SECOND", Unit::Second),
    ("MILLISECOND", Unit::Millisecond),
    ("MICROSECOND", Unit::Microsecond),
];

/// A unit by its name, singular or plural.
fn unit(word: &str) -> Option<Unit> {
    let word = word.to_ascii_uppercase();
    let singular = word.strip_suffix('S').unwrap_or(&word);
    UNITS.iter().find(|(name, _)| *name == singular).map(|(_, unit)| *unit)
}

/// The sum of what a constant names. `None` in a method means overflow or a value that the unit
/// does not take.
#[derive(Default)]
struct Amount {
    months: i64,
    micros: i64,
    has_months: bool,
    has_days: bool,
    has_time: bool,
}

impl Amount {
    fn add(&mut self, text: &str, unit: Unit) -> Option<()> {
        let (negative, digits) = match text.trim().strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.trim().strip_prefix('+').unwrap_or(text.trim())),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit());
        if !all_digits || digits.is_empty() || (digits.contains('.') && unit != Unit::Second) {
            return None;
        }
        let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        let sign = if negative { -1 } else { 1 };
        let months = match unit {
            Unit::Year => whole.checked_mul(12)?,
            Unit::Month => whole,
            _ => 0,
        };
        let micros = whole.checked_mul(micros_of(unit))?.checked_add(fraction_micros(fraction)?)?;
        self.months = self.months.checked_add(sign * months)?;
        self.micros = self.micros.checked_add(sign * micros)?;
        self.has_months |= unit <= Unit::Month;
        self.has_days |= matches!(unit, Unit::Week | Unit::Day);
        self.has_time |= unit > Unit::Day;
        Some(())
    }

    fn negate(&mut self) {
        self.months = -self.months;
        self.micros = -self.micros;
    }
}

fn micros_of(unit: Unit) -> i64 {
    match unit {
        Unit::Year | Unit::Month => 0,
        Unit::Week => 7 * MICROS_PER_DAY,
        Unit::Day => MICROS_PER_DAY,
        Unit::Hour => 3_600_000_000,
        Unit::Minute => 60_000_000,
        Unit::Second => 1_000_000,
        Unit::Millisecond => 1_000,
        Unit::Microsecond => 1,
    }
}

/// Whether INTERVAL, which stands here, starts a constant rather than being a column.
pub(crate) fn starts(cursor: &Cursor<'_>) -> bool {
    let signed = cursor.at_op_ahead(1, "-") || cursor.at_op_ahead(1, "+");
    let ahead = if signed { 2 } else { 1 };
    match cursor.kind_at(ahead) {
        Some(Kind::String) => !signed || cursor.word_at(ahead + 1).and_then(unit).is_some(),
        Some(Kind::Number) => !signed || cursor.word_at(ahead + 1).and_then(unit).is_some(),
        _ => false,
    }
}

/// Reads an INTERVAL constant.
pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    let start = cursor.here();
    cursor.expect("INTERVAL")?;
    let mut amount = Amount::default();
    let is_text = cursor.kind_at(0) == Some(Kind::String);
    if is_text && cursor.word_at(1).and_then(unit).is_none() {
        let text = literal::string(cursor, "a string")?;
        words(&text, &mut amount).ok_or_else(|| invalid(cursor, start))?;
    } else {
        while is_value(cursor) {
            value(cursor, &mut amount, start)?;
        }
    }
    let span = cursor.since(start);
    if amount.has_months && (amount.has_days || amount.has_time) {
        let message = "An INTERVAL has either years and months, or days and smaller units, never both.";
        return Err(condition("_LEGACY_ERROR_TEMP_0029", "", message, span));
    }
    let interval = if amount.has_months {
        Interval::YearMonth { months: i32::try_from(amount.months).map_err(|_| invalid(cursor, start))? }
    } else {
        Interval::DayTime { micros: amount.micros, days_only: !amount.has_time }
    };
    Ok(Expr::new(ExprKind::Literal(Literal::Interval(interval)), span))
}

fn is_value(cursor: &Cursor<'_>) -> bool {
    let signed = cursor.at_op("-") || cursor.at_op("+");
    let ahead = usize::from(signed);
    // Once a unit was read, a sign is arithmetic unless a unit follows its number.
    let number = matches!(cursor.kind_at(ahead), Some(Kind::Number | Kind::String));
    number && (!signed || cursor.word_at(ahead + 1).and_then(unit).is_some())
}

/// Reads `7 DAYS`, `'7' DAY` or `'1-2' YEAR TO MONTH`.
fn value(cursor: &mut Cursor<'_>, amount: &mut Amount, start: Span) -> Parse<()> {
    let negative = cursor.eat_op("-");
    if !negative {
        cursor.eat_op("+");
    }
    let text = match cursor.peek() {
        Some(lexeme) if lexeme.kind == Kind::Number => {
            cursor.advance();
            lexeme.span.of(cursor.text()).to_owned()
        }
        _ => literal::string(cursor, "a number")?,
    };
    let Some(from) = cursor.word().and_then(unit) else {
        return Err(expected(cursor, &["YEAR", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND"]));
    };
    cursor.advance();
    let mut part = Amount::default();
    let read = if cursor.at("TO") && cursor.word_at(1).and_then(unit).is_some() {
        cursor.advance();
        let to = cursor.word().and_then(unit).unwrap_or(from);
        cursor.advance();
        range(&text, from, to, &mut part)
    } else {
        part.add(&text, from)
    };
    read.ok_or_else(|| invalid(cursor, start))?;
    if negative {
        part.negate();
    }
    let sum = amount.months.checked_add(part.months).zip(amount.micros.checked_add(part.micros));
    (amount.months, amount.micros) = sum.ok_or_else(|| invalid(cursor, start))?;
    amount.has_months |= part.has_months;
    amount.has_days |= part.has_days;
    amount.has_time |= part.has_time;
    Ok(())
}

fn invalid(cursor: &Cursor<'_>, start: Span) -> Failure {
    let span = cursor.since(start);
    let message = format!("'{}' is not a valid interval.", span.of(cursor.text()));
    condition("INVALID_INTERVAL_FORMAT", "22006", message, span)
}

/// `'7 days 3 hours'`, also with a leading `interval`.
fn words(text: &str, amount: &mut Amount) -> Option<()> {
    let mut words = text.split_whitespace().peekable();
    words.next_if(|word| word.eq_ignore_ascii_case("interval"));
    words.peek()?;
    while let Some(number) = words.next() {
        amount.add(number, words.next().and_then(unit)?)?;
    }
    Some(())
}

/// `'1-2'` for YEAR TO MONTH, `'1 02:03:04.5'` for DAY TO SECOND and its shorter forms.
fn range(text: &str, from: Unit, to: Unit, amount: &mut Amount) -> Option<()> {
    let text = text.trim();
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let units: &[Unit] = match (from, to) {
        (Unit::Year, Unit::Month) => &[Unit::Year, Unit::Month],
        (Unit::Day, Unit::Hour) => &[Unit::Day, Unit::Hour],
        (Unit::Day, Unit::Minute) => &[Unit::Day, Unit::Hour, Unit::Minute],
        (Unit::Day, Unit::Second) => &[Unit::Day, Unit::Hour, Unit::Minute, Unit::Second],
        (Unit::Hour, Unit::Minute) => &[Unit::Hour, Unit::Minute],
        (Unit::Hour, Unit::Second) => &[Unit::Hour, Unit::Minute, Unit::Second],
        (Unit::Minute, Unit::Second) => &[Unit::Minute, Unit::Second],
        _ => return None,
    };
    let separator: &[char] = if from == Unit::Year { &['-'] } else { &[' ', ':'] };
    let parts: Vec<&str> = text.split(separator).collect();
    if parts.len() != units.len() {
        return None;
    }
    for (part, unit) in parts.into_iter().zip(units) {
        part.starts_with(|c: char| c.is_ascii_digit()).then(|| amount.add(part, *unit))??;
    }
    if negative {
        amount.negate();
    }
    Some(())
}

/// Reads the units of an interval type; INTERVAL itself was read at `word`.
pub(crate) fn data_type(cursor: &mut Cursor<'_>, word: Span) -> Parse<DataType> {
    let Some(from) = cursor.word().and_then(unit) else {
        return Err(unsupported("The type INTERVAL without units", word));
    };
    cursor.advance();
    let mut to = from;
    if cursor.at("TO") {
        cursor.advance();
        to = cursor.word().and_then(unit).ok_or_else(|| expected(cursor, &["MONTH", "HOUR", "MINUTE", "SECOND"]))?;
        cursor.advance();
    }
    match (from, to) {
        (Unit::Year | Unit::Month, Unit::Year | Unit::Month) if from <= to => Ok(DataType::YearMonthInterval),
        (
            Unit::Day | Unit::Hour | Unit::Minute | Unit::Second,
            Unit::Day | Unit::Hour | Unit::Minute | Unit::Second,
        ) if from <= to => Ok(DataType::DayTimeInterval),
        _ => {
            let span = cursor.since(word);
            let message = format!("There is no type {}.", span.of(cursor.text()));
            Err(condition("_LEGACY_ERROR_TEMP_0028", "", message, span))
        }
    }
}
