use crate::values::{fails, values};

#[test]
fn date_arithmetic() {
    values(&[
        ("date_sub(DATE'2024-01-10', 3)", "2024-01-07", "date"),
        ("DATE'2024-01-10' - 3", "2024-01-07", "date"),
        ("DATE'2024-01-10' + 3", "2024-01-13", "date"),
        ("3 + DATE'2024-01-10'", "2024-01-13", "date"),
        ("DATE'2024-01-10' - INTERVAL 7 DAYS", "2024-01-03", "date"),
        ("DATE'2024-01-10' - INTERVAL 7 HOURS", "2024-01-09 17:00:00", "timestamp"),
        ("DATE'2024-01-31' + INTERVAL 1 MONTH", "2024-02-29", "date"),
        ("DATE'2024-02-29' + INTERVAL 1 YEAR", "2025-02-28", "date"),
        ("TIMESTAMP'2024-01-31 10:00:00' + INTERVAL 1 MONTH", "2024-02-29 10:00:00", "timestamp"),
        ("TIMESTAMP'2024-01-31 10:00:00' - INTERVAL 30 MINUTES", "2024-01-31 09:30:00", "timestamp"),
        ("typeof(DATE'2024-01-10' - DATE'2024-01-01')", "interval day", "string"),
        ("extract(DAY FROM DATE'2024-01-10' - DATE'2024-01-01')", "9", "int"),
        ("datediff(DATE'2024-01-10', DATE'2024-01-01')", "9", "int"),
        ("date_add('2024-01-10', 1)", "2024-01-11", "date"),
        ("add_months(DATE'2024-01-31', 1)", "2024-02-29", "date"),
        ("months_between(DATE'2024-02-29', DATE'2024-01-31')", "1.0", "double"),
        ("months_between('1997-02-28 10:30:00', '1996-10-30')", "3.94959677", "double"),
        ("last_day(DATE'2024-02-10')", "2024-02-29", "date"),
        ("next_day(DATE'2024-01-10', 'MON')", "2024-01-15", "date"),
        ("trunc(DATE'2024-05-10', 'quarter')", "2024-04-01", "date"),
        ("date_trunc('week', TIMESTAMP'2024-01-10 11:00:00')", "2024-01-08 00:00:00", "timestamp"),
        ("date_trunc('hour', TIMESTAMP'2024-01-10 11:59:00')", "2024-01-10 11:00:00", "timestamp"),
        ("timestampadd(HOUR, 2, TIMESTAMP'2024-01-10 11:00:00')", "2024-01-10 13:00:00", "timestamp"),
        ("timestampdiff(MONTH, DATE'2024-01-31', DATE'2024-02-29')", "1", "bigint"),
        ("timestampdiff(DAY, DATE'2024-01-01', DATE'2024-02-01')", "31", "bigint"),
    ]);
    fails(&[
        ("DATE'2024-01-10' + '1'", "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE"),
        ("date_add(DATE'2024-01-10', 1L)", "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE"),
        ("make_date(2024, 2, 30)", "DATETIME_FIELD_OUT_OF_BOUNDS.WITH_SUGGESTION"),
        ("next_day(DATE'2024-01-10', 'x')", "ILLEGAL_DAY_OF_WEEK"),
    ]);
}

#[test]
fn parts_of_dates() {
    values(&[
        ("year(DATE'2024-05-10')", "2024", "int"),
        ("quarter(DATE'2024-05-10')", "2", "int"),
        ("month('2024-05-10')", "5", "int"),
        ("day(TIMESTAMP'2024-05-10 01:02:03')", "10", "int"),
        ("dayofweek(DATE'2024-01-07')", "1", "int"),
        ("dayofyear(DATE'2024-02-01')", "32", "int"),
        ("weekofyear(DATE'2024-01-01')", "1", "int"),
        ("hour(TIMESTAMP'2024-05-10 01:02:03')", "1", "int"),
        ("minute(TIMESTAMP'2024-05-10 01:02:03')", "2", "int"),
        ("second(TIMESTAMP'2024-05-10 01:02:03')", "3", "int"),
        ("extract(YEAR FROM DATE'2024-05-10')", "2024", "int"),
        ("extract(SECOND FROM TIMESTAMP'2024-05-10 01:02:03.5')", "3.500000", "decimal(8,6)"),
    ]);
}

#[test]
fn the_clock_and_patterns() {
    values(&[
        ("current_date()", "2024-03-10", "date"),
        ("current_date", "2024-03-10", "date"),
        ("current_timestamp()", "2024-03-10 12:34:56.789", "timestamp"),
        ("now() = current_timestamp", "true", "boolean"),
        ("date_format(DATE'2024-05-10', 'yyyy/MM/dd')", "2024/05/10", "string"),
        ("date_format(TIMESTAMP'2024-05-10 13:02:03', 'hh:mm a')", "01:02 PM", "string"),
        ("to_date('10.05.2024', 'dd.MM.yyyy')", "2024-05-10", "date"),
        ("to_date('2024-05-10')", "2024-05-10", "date"),
        ("to_timestamp('2024-05-10 01:02', 'yyyy-MM-dd HH:mm')", "2024-05-10 01:02:00", "timestamp"),
        ("make_date(2024, 5, 10)", "2024-05-10", "date"),
        ("make_timestamp(2024, 5, 10, 1, 2, 3.5)", "2024-05-10 01:02:03.5", "timestamp"),
        ("from_unixtime(0)", "1970-01-01 00:00:00", "string"),
        ("unix_timestamp('1970-01-01 00:00:10')", "10", "bigint"),
        ("unix_micros(TIMESTAMP'1970-01-01 00:00:01')", "1000000", "bigint"),
        ("timestamp_micros(1000000)", "1970-01-01 00:00:01", "timestamp"),
    ]);
    fails(&[("to_date('2024', 'dd.MM.yyyy')", "CANNOT_PARSE_TIMESTAMP")]);
}
