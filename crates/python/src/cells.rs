//! Texts that mix languages, cell by cell: as notebooks write them, and as articles paste SQL above Python.

use ruff_python_parser::parse_module;
use std::ops::Range;

/// The language of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Python,
    Sql,
}

/// A part of a text in one language. The parts follow each other; lines that only part them belong to none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    pub language: Language,
    /// Bytes of the text.
    pub range: Range<usize>,
}

/// The cells of a text that is Python unless something says otherwise.
///
/// `%sql` and `%python` begin a cell, as do `# MAGIC %sql` and `# COMMAND ----------` in an exported notebook. Without
/// them a text that is no Python as a whole is split where SQL statements, each closed by a semicolon, are followed by
/// Python, or the other way round.
pub fn cells(text: &str) -> Vec<Cell> {
    let marked = marked(text);
    let whole = Cell { language: Language::Python, range: 0..text.len() };
    if marked.len() > 1 || marked.first().is_some_and(|cell| *cell != whole) {
        return marked;
    }
    if is_python(text) {
        return vec![whole];
    }
    let borders = text.match_indices('\n').map(|(at, _)| at + 1);
    for at in borders {
        let (before, after) = text.split_at(at);
        let parts = |first: Language, second: Language| {
            vec![Cell { language: first, range: 0..at }, Cell { language: second, range: at..text.len() }]
        };
        if closes_sql(before) && has_code(after) && is_python(after) {
            return parts(Language::Sql, Language::Python);
        }
        if has_code(before) && begins_sql(after) && is_python(before) {
            return parts(Language::Python, Language::Sql);
        }
    }
    vec![whole]
}

fn is_python(text: &str) -> bool {
    parse_module(text).is_ok()
}

fn has_code(text: &str) -> bool {
    text.lines().any(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
}

/// Whether a text ends with a semicolon, comments of SQL behind it left out.
fn closes_sql(text: &str) -> bool {
    let last = text.lines().rev().map(|line| line.split("--").next().unwrap_or_default().trim());
    last.filter(|line| !line.is_empty()).map(|line| line.ends_with(';')).next().unwrap_or(false)
}

const SQL_STARTS: [&str; 14] = [
    "SELECT", "MERGE", "INSERT", "UPDATE", "DELETE", "CREATE", "WITH", "DESCRIBE", "SET", "OPTIMIZE", "ALTER", "DROP",
    "VACUUM", "RESTORE",
];

fn begins_sql(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("--"));
    let word = first.and_then(|line| line.split_whitespace().next()).unwrap_or_default();
    SQL_STARTS.contains(&word.to_uppercase().as_str())
}

/// The cells between lines that begin one.
fn marked(text: &str) -> Vec<Cell> {
    let mut cells = Vec::new();
    let (mut language, mut start, mut at) = (Language::Python, 0, 0);
    for line in text.split_inclusive('\n') {
        let plain = line.trim().trim_start_matches("# MAGIC").trim();
        let next = match plain.split_whitespace().next() {
            Some("%sql") => Some(Language::Sql),
            Some("%python") => Some(Language::Python),
            _ if plain == "# COMMAND ----------" => Some(Language::Python),
            _ => None,
        };
        if let Some(next) = next {
            push(&mut cells, text, language, start..at);
            language = next;
            // What stands behind the marker belongs to the cell.
            let marker = if plain.starts_with('%') {
                line.find(plain).unwrap_or(0) + plain.find(' ').unwrap_or(plain.len())
            } else {
                line.len()
            };
            start = at + marker.min(line.len());
        }
        at += line.len();
    }
    push(&mut cells, text, language, start..text.len());
    cells
}

fn push(cells: &mut Vec<Cell>, text: &str, language: Language, range: Range<usize>) {
    if text.get(range.clone()).is_some_and(|part| !part.trim().is_empty()) {
        cells.push(Cell { language, range });
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, cells};

    fn split(text: &str) -> Vec<(Language, &str)> {
        cells(text).into_iter().map(|cell| (cell.language, text[cell.range].trim())).collect()
    }

    #[test]
    fn markers_of_notebooks_begin_cells() {
        let text = "x = 1\n%sql\nSELECT 1;\n%python\nprint(x)\n";
        assert_eq!(
            split(text),
            [(Language::Python, "x = 1"), (Language::Sql, "SELECT 1;"), (Language::Python, "print(x)")]
        );
        assert_eq!(split("%sql SELECT 1"), [(Language::Sql, "SELECT 1")]);
        assert_eq!(split("%python\nx = 1\n"), [(Language::Python, "x = 1")]);
    }

    #[test]
    fn sql_above_python_is_told_apart() {
        let text = "SET a.b = true;  -- for all\nfrom delta.tables import DeltaTable\nx = 1\n";
        let found = split(text);
        assert_eq!(found[0], (Language::Sql, "SET a.b = true;  -- for all"));
        assert_eq!(found[1].0, Language::Python);
        assert_eq!(split("x = 1\nSELECT * FROM t\n")[1], (Language::Sql, "SELECT * FROM t"));
    }

    #[test]
    fn python_stays_whole() {
        assert_eq!(split("x = 1\ny = 2\n").len(), 1);
        assert_eq!(split("x = (1\n").len(), 1, "what is neither is Python, which says what is wrong");
    }
}
