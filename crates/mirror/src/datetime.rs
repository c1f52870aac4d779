//! Days and microseconds as the calendar writes them.

const MICROS_PER_SECOND: i64 = 1_000_000;
const SECONDS_PER_DAY: i64 = 86_400;

/// `2026-01-15`
pub(crate) fn date(days: i64) -> String {
    let (year, month, day) = civil(days);
    let sign = if year < 0 { "-" } else { "" };
    format!("{sign}{:04}-{month:02}-{day:02}", year.abs())
}

/// `2026-01-15 08:30:00.5`, without the fraction where there is none.
pub(crate) fn timestamp(micros: i64) -> String {
    let seconds = micros.div_euclid(MICROS_PER_SECOND);
    let (days, second) = (seconds.div_euclid(SECONDS_PER_DAY), seconds.rem_euclid(SECONDS_PER_DAY));
    let fraction = fraction(micros.rem_euclid(MICROS_PER_SECOND).unsigned_abs());
    format!("{} {}{fraction}", date(days), clock(second.unsigned_abs()))
}

/// `08:30:00` of the seconds of a day.
pub(crate) fn clock(second: u64) -> String {
    format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
}

/// `.5` of 500000 microseconds; nothing of none.
pub(crate) fn fraction(micros: u64) -> String {
    if micros == 0 { String::new() } else { format!(".{micros:06}").trim_end_matches('0').to_owned() }
}

/// Year, month and day in the proleptic Gregorian calendar. Years start in March here, so that the leap day is the last
/// day of a year.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}
