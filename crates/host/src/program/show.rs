//! The text of `DataFrame.show`, to the character.

use arrow::record_batch::RecordBatch;
use engine::sandbox::Rows;
use spec::Diagnostic;
use std::fmt::Write;

/// The first `n` rows as text. `truncate` is the longest cell, 0 for any length; what is cut is aligned to the right.
///
/// # Errors
/// A column whose type has no text form.
pub(super) fn text(rows: &Rows, n: usize, truncate: usize, vertical: bool) -> Result<String, Diagnostic> {
    let n_rows: usize = rows.batches.iter().map(RecordBatch::num_rows).sum();
    let has_more = n_rows > n;
    let names: Vec<String> = rows.columns.iter().map(|column| escaped(&column.name)).collect();
    let cells = cells(&rows.batches, n, truncate)?;
    let mut text = if vertical { records(&names, &cells) } else { table(&names, &cells, truncate > 0) };
    if vertical && cells.is_empty() {
        text = "(0 rows)".to_owned();
    } else if has_more {
        let rows = if n == 1 { "row" } else { "rows" };
        let _ = write!(text, "only showing top {n} {rows}");
    }
    Ok(text)
}

/// The cells of the first `n` rows.
fn cells(batches: &[RecordBatch], n: usize, truncate: usize) -> Result<Vec<Vec<String>>, Diagnostic> {
    let mut cells: Vec<Vec<String>> = Vec::new();
    for batch in batches {
        let n_wanted = batch.num_rows().min(n - cells.len());
        let first = cells.len();
        cells.resize(first + n_wanted, Vec::with_capacity(batch.num_columns()));
        for column in batch.columns() {
            let text = query::shown(&column.slice(0, n_wanted))?;
            for (row, cell) in cells.iter_mut().skip(first).zip(text.iter()) {
                row.push(cut(&escaped(cell.unwrap_or("NULL")), truncate));
            }
        }
    }
    Ok(cells)
}

/// Control characters as they are written in a program.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            '\u{c}' => escaped.push_str("\\f"),
            '\u{8}' => escaped.push_str("\\b"),
            '\u{b}' => escaped.push_str("\\v"),
            '\u{7}' => escaped.push_str("\\a"),
            other => escaped.push(other),
        }
    }
    escaped
}

fn cut(text: &str, truncate: usize) -> String {
    let n_letters = text.chars().count();
    if truncate == 0 || n_letters <= truncate {
        return text.to_owned();
    }
    if truncate < 4 {
        return text.chars().take(truncate).collect();
    }
    text.chars().take(truncate - 3).chain("...".chars()).collect()
}

/// How many columns of a terminal a text takes: letters of East Asia take two.
fn width(text: &str) -> usize {
    let wide = |letter: char| {
        matches!(letter,
            '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{303E}' | '\u{3041}'..='\u{33FF}' | '\u{3400}'..='\u{4DBF}'
            | '\u{4E00}'..='\u{9FFF}' | '\u{A000}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}'
            | '\u{FE30}'..='\u{FE6F}' | '\u{FF00}'..='\u{FF60}' | '\u{FFE0}'..='\u{FFE6}')
    };
    text.chars().map(|letter| if wide(letter) { 2 } else { 1 }).sum()
}

const NARROWEST: usize = 3;

fn table(names: &[String], cells: &[Vec<String>], to_the_right: bool) -> String {
    let widths: Vec<usize> = (0..names.len())
        .map(|idx| {
            let in_column = cells.iter().filter_map(|row| row.get(idx)).map(|cell| width(cell));
            in_column.chain(names.get(idx).map(|name| width(name))).max().unwrap_or(0).max(NARROWEST)
        })
        .collect();
    if names.is_empty() {
        return "++\n||\n++\n++\n".to_owned();
    }
    let rule: String = widths.iter().map(|width| format!("+{}", "-".repeat(*width))).collect::<String>() + "+\n";
    let line = |row: &[String]| {
        let mut line = String::new();
        for (cell, wide) in row.iter().zip(&widths) {
            let gap = " ".repeat(wide.saturating_sub(width(cell)));
            let _ = if to_the_right { write!(line, "|{gap}{cell}") } else { write!(line, "|{cell}{gap}") };
        }
        line + "|\n"
    };
    let body: String = cells.iter().map(|row| line(row)).collect();
    format!("{rule}{}{rule}{body}{rule}", line(names))
}

fn records(names: &[String], cells: &[Vec<String>]) -> String {
    let widest = |texts: &mut dyn Iterator<Item = &String>| texts.map(|text| width(text)).max().unwrap_or(0);
    let name_width = widest(&mut names.iter()).max(NARROWEST);
    let value_width = widest(&mut cells.iter().flatten()).max(NARROWEST);
    let mut text = String::new();
    for (idx, row) in cells.iter().enumerate() {
        let head = format!("-RECORD {idx}");
        let whole = name_width + value_width + 5;
        let _ = writeln!(text, "{head}{}", "-".repeat(whole.saturating_sub(head.len())));
        for (name, cell) in names.iter().zip(row) {
            let gap = " ".repeat(name_width - width(name));
            let behind = " ".repeat(value_width - width(cell));
            let _ = writeln!(text, " {name}{gap} | {cell}{behind} ");
        }
    }
    text
}
