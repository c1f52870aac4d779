//! Interval constants. The units decide whether DATE plus the interval stays a DATE, so days are never written as hours.

use crate::datetime::{clock, fraction};
use spec::Interval;

const MICROS_PER_SECOND: u64 = 1_000_000;
const MICROS_PER_MINUTE: u64 = 60 * MICROS_PER_SECOND;
const MICROS_PER_HOUR: u64 = 60 * MICROS_PER_MINUTE;
const MICROS_PER_DAY: u64 = 24 * MICROS_PER_HOUR;

pub(crate) fn interval(interval: Interval) -> String {
    match interval {
        Interval::YearMonth { months } if months % 12 == 0 => format!("INTERVAL '{}' YEAR", months / 12),
        Interval::YearMonth { months } => format!("INTERVAL '{months}' MONTH"),
        Interval::DayTime { micros, days_only } => day_time(micros, days_only),
        // No constant mixes months with days; the function that makes such an interval does.
        Interval::Calendar { months, days, micros } => {
            let (sign, size) = signed(micros);
            let seconds = format!("{sign}{}{}", size / MICROS_PER_SECOND, fraction(size % MICROS_PER_SECOND));
            format!("make_interval(0, {months}, 0, {days}, 0, 0, {seconds})")
        }
    }
}

fn signed(micros: i64) -> (&'static str, u64) {
    (if micros < 0 { "-" } else { "" }, micros.unsigned_abs())
}

fn day_time(micros: i64, days_only: bool) -> String {
    let (sign, size) = signed(micros);
    if days_only && size.is_multiple_of(MICROS_PER_DAY) {
        return format!("INTERVAL '{sign}{}' DAY", size / MICROS_PER_DAY);
    }
    for (unit, length) in [("HOUR", MICROS_PER_HOUR), ("MINUTE", MICROS_PER_MINUTE)] {
        if size.is_multiple_of(length) {
            return format!("INTERVAL '{sign}{}' {unit}", size / length);
        }
    }
    let fraction = fraction(size % MICROS_PER_SECOND);
    if size < MICROS_PER_HOUR {
        return format!("INTERVAL '{sign}{}{fraction}' SECOND", size / MICROS_PER_SECOND);
    }
    let (days, rest) = (size / MICROS_PER_DAY, size % MICROS_PER_DAY);
    format!("INTERVAL '{sign}{days} {}{fraction}' DAY TO SECOND", clock(rest / MICROS_PER_SECOND))
}
