//! What a benchmark found, as a table and as JSON.

use super::browser::{Measured, Opening};
use super::others::{Other, Others};
use super::page::Reading;
use super::scenario::Scenario;
use super::time::Timing;
use serde_json::{Value, json};
use std::time::Duration;

/// Everything about one scenario; what was not measured is None.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub scenario: Scenario,
    pub native: Timing,
    pub native_peak: Option<u64>,
    pub browser: Option<Measured>,
    pub others: Option<Others>,
}

/// The middle of sorted times.
pub fn median(runs: &[Duration]) -> Option<Duration> {
    runs.get(runs.len() / 2).copied()
}

/// Milliseconds in JSON as sorted times; what is no number is left out.
pub fn sorted_milliseconds(list: &Value) -> Vec<Duration> {
    let numbers = list.as_array().into_iter().flatten().filter_map(Value::as_f64);
    let mut runs: Vec<Duration> = numbers.map(|ms| Duration::from_secs_f64(ms / 1e3)).collect();
    runs.sort();
    runs
}

const HEADERS: [&str; 13] = [
    "",
    "rows",
    "native ms",
    "browser ms",
    "browser/native",
    "rows/s native",
    "delta-rs ms",
    "DuckDB ms",
    "native/delta-rs",
    "browser/delta-rs",
    "MB native",
    "MB browser",
    "scenario",
];

/// One line per scenario, below a line of headers. `–` stands for what was not measured.
pub fn table(rows: &[Row]) -> String {
    let headers = HEADERS.iter().map(|header| (*header).to_owned()).collect();
    let lines: Vec<Vec<String>> = std::iter::once(headers).chain(rows.iter().map(cells)).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEADERS.len()).map(width).collect();
    let last = HEADERS.len() - 1;
    let shown = |line: &Vec<String>| {
        let cells = line.iter().enumerate().map(|(column, cell)| match column {
            // Text to the left, without blanks at the end of a line.
            0 => format!("{cell:<width$}", width = widths[column]),
            _ if column == last => cell.clone(),
            _ => format!("{cell:>width$}", width = widths[column]),
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    lines.iter().map(shown).collect::<Vec<_>>().join("\n")
}

fn cells(row: &Row) -> Vec<String> {
    let native = row.native.median();
    let browser = row.browser.as_ref().and_then(|measured| median(&measured.runs));
    let delta_rs = row.others.as_ref().and_then(|others| others.delta_rs.median());
    let duckdb = row.others.as_ref().and_then(|others| others.duckdb.median());
    let per_second = row.scenario.n_rows as f64 / native.as_secs_f64();
    vec![
        row.scenario.name.to_owned(),
        row.scenario.n_rows.to_string(),
        milliseconds(Some(native)),
        milliseconds(browser),
        ratio(browser, Some(native)),
        format!("{per_second:.0}"),
        milliseconds(delta_rs),
        milliseconds(duckdb),
        ratio(Some(native), delta_rs),
        ratio(browser, delta_rs),
        megabytes(row.native_peak),
        megabytes(row.browser.as_ref().and_then(|measured| measured.peak_bytes)),
        row.scenario.title.to_owned(),
    ]
}

const NOT_MEASURED: &str = "–";

fn milliseconds(time: Option<Duration>) -> String {
    time.map_or(NOT_MEASURED.to_owned(), |time| format!("{:.1}", in_milliseconds(&time)))
}

fn ratio(time: Option<Duration>, of: Option<Duration>) -> String {
    let both = time.zip(of);
    both.map_or(NOT_MEASURED.to_owned(), |(time, of)| format!("{:.2}", time.as_secs_f64() / of.as_secs_f64()))
}

fn megabytes(bytes: Option<u64>) -> String {
    bytes.map_or(NOT_MEASURED.to_owned(), |bytes| format!("{:.0}", bytes as f64 / 1e6))
}

fn in_milliseconds(time: &Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// What opening the page took, in a sentence.
pub fn opening_line(opening: &Opening) -> String {
    format!(
        "page: first paint after {} ms, engine ready after {} ms, {:.2} MB loaded (as the server sends them)",
        milliseconds(opening.first_paint),
        milliseconds(Some(opening.engine_ready)),
        opening.n_bytes as f64 / 1e6
    )
}

/// What a reader waits for, in a sentence.
pub fn reading_line(reading: &Reading) -> String {
    let n_steps = reading.steps.len();
    format!(
        "reading: a recorded run can be stepped through after {} ms, at 10 Mbit/s with a quarter of the processor after \
         {} ms; layout shift {:.4}; a step is drawn in {:.1} ms (median), {:.1} ms (slowest of {n_steps})",
        milliseconds(Some(reading.scrubbable)),
        milliseconds(Some(reading.scrubbable_slow)),
        reading.layout_shift,
        reading.steps.get(n_steps / 2).map_or(0.0, in_milliseconds),
        reading.steps.last().map_or(0.0, in_milliseconds),
    )
}

/// Whether the others came to our rows, in a line.
pub fn rows_line(scenario: &Scenario, others: &Others) -> String {
    let word = |other: &Other| match other {
        Other::Ran { rows_equal: true, .. } => "yes".to_owned(),
        Other::Ran { rows_equal: false, .. } => "no".to_owned(),
        Other::Failed(words) => format!("no ({words})"),
    };
    format!("{} rows equal: delta-rs {}, DuckDB {}", scenario.name, word(&others.delta_rs), word(&others.duckdb))
}

/// Everything, each run included.
pub fn as_json(opening: Option<&Opening>, rows: &[Row]) -> Value {
    json!({
        "opening": opening.map(|opening| json!({
            "first_paint_ms": opening.first_paint.as_ref().map(in_milliseconds),
            "engine_ready_ms": in_milliseconds(&opening.engine_ready),
            "bytes": opening.n_bytes,
        })),
        "scenarios": rows.iter().map(scenario_json).collect::<Vec<_>>(),
    })
}

fn scenario_json(row: &Row) -> Value {
    json!({
        "name": row.scenario.name,
        "title": row.scenario.title,
        "rows": row.scenario.n_rows,
        "setup": row.scenario.setup,
        "statement": row.scenario.statement,
        "native_ms": all(&row.native.runs),
        "native_peak_bytes": row.native_peak,
        "browser_ms": row.browser.as_ref().map(|measured| all(&measured.runs)),
        "browser_peak_bytes": row.browser.as_ref().and_then(|measured| measured.peak_bytes),
        "delta_rs": row.others.as_ref().map(|others| other_json(&others.delta_rs)),
        "duckdb": row.others.as_ref().map(|others| other_json(&others.duckdb)),
    })
}

fn other_json(other: &Other) -> Value {
    match other {
        Other::Ran { runs, rows_equal } => json!({ "ms": all(runs), "rows_equal": rows_equal }),
        Other::Failed(words) => json!({ "error": words }),
    }
}

fn all(runs: &[Duration]) -> Vec<f64> {
    runs.iter().map(in_milliseconds).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(others: Option<Others>) -> Row {
        let scenario = super::super::scenario::all(1_600, 7).swap_remove(0);
        let native = Timing { name: "P1", n_rows: 1_600, runs: vec![Duration::from_millis(20)] };
        Row { scenario, native, native_peak: None, browser: None, others }
    }

    #[test]
    fn what_was_not_measured_is_a_dash_and_the_rest_is_there() {
        let ran = |ms| Other::Ran { runs: vec![Duration::from_millis(ms)], rows_equal: true };
        let others = Others { delta_rs: ran(40), duckdb: Other::Failed("no MERGE".to_owned()) };
        let shown = table(&[row(Some(others)), row(None)]);
        let cells = |line: usize| shown.lines().nth(line).unwrap().split_whitespace().collect::<Vec<_>>();
        assert_eq!(cells(1)[..12], ["P1", "1600", "20.0", "–", "–", "80000", "40.0", "–", "0.50", "–", "–", "–"]);
        assert_eq!(cells(2)[..9], ["P1", "1600", "20.0", "–", "–", "80000", "–", "–", "–"]);
    }

    #[test]
    fn other_rows_and_failures_are_no_agreement() {
        let others =
            Others { delta_rs: Other::Ran { runs: Vec::new(), rows_equal: false }, duckdb: Other::Failed("x".into()) };
        assert!(!others.delta_rs.agrees() && !others.duckdb.agrees());
        assert_eq!(rows_line(&row(None).scenario, &others), "P1 rows equal: delta-rs no, DuckDB no (x)");
    }
}
