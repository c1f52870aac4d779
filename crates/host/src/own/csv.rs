//! CSV as RFC 4180 has it, with comma, semicolon or tab; the first line names the columns.

use super::columns::{Column, distinct};
use super::{MAX_COLUMNS, MAX_ROWS, too_large};

/// Reads a text. An empty field is NULL, an empty field in quotes the empty text.
///
/// # Errors
/// No line at all, quotes without an end, a row longer than the first line, or too much.
pub(super) fn read(text: &str) -> Result<Vec<Column>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let separator = separator(text);
    let mut rows = Rows { rest: text, separator, line: 0 };
    let Some(names) = rows.next_row()? else { return Err("This file has no line: there is nothing to load.".into()) };
    if names.len() > MAX_COLUMNS {
        return Err(too_large());
    }
    let named = names.into_iter().map(|name| Column { name: name.unwrap_or_default(), ..Column::default() });
    let mut columns: Vec<Column> = named.collect();
    distinct(&mut columns);
    let mut n_rows = 0;
    while let Some(row) = rows.next_row()? {
        // A line without anything is no row, unless there is only one column.
        if row.len() == 1 && row.first() == Some(&None) && columns.len() > 1 {
            continue;
        }
        if row.len() > columns.len() {
            let (line, n) = (rows.line, columns.len());
            return Err(format!("Line {line} has {} fields, but the first line names {n} columns.", row.len()));
        }
        n_rows += 1;
        if n_rows > MAX_ROWS {
            return Err(too_large());
        }
        let mut row = row.into_iter();
        for column in &mut columns {
            column.values.push(row.next().flatten());
        }
    }
    Ok(columns)
}

/// The one that the first line has most of.
fn separator(text: &str) -> char {
    let first = text.lines().next().unwrap_or("");
    let count = |separator: &char| first.matches(*separator).count();
    [';', '\t', ','].into_iter().max_by_key(count).unwrap_or(',')
}

struct Rows<'a> {
    rest: &'a str,
    separator: char,
    line: usize,
}

impl Rows<'_> {
    fn next_row(&mut self) -> Result<Option<Vec<Option<String>>>, String> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        let mut row = Vec::new();
        loop {
            let field = if self.rest.starts_with('"') { Some(self.quoted()?) } else { self.plain() };
            row.push(field);
            if let Some(rest) = self.rest.strip_prefix(self.separator) {
                self.rest = rest;
                if row.len() > MAX_COLUMNS {
                    return Err(too_large());
                }
                continue;
            }
            self.rest = self.rest.strip_prefix("\r\n").or(self.rest.strip_prefix(['\n', '\r'])).unwrap_or(self.rest);
            return Ok(Some(row));
        }
    }

    fn plain(&mut self) -> Option<String> {
        let end = self.rest.find([self.separator, '\n', '\r']).unwrap_or(self.rest.len());
        let (field, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!field.is_empty()).then(|| field.to_owned())
    }

    fn quoted(&mut self) -> Result<String, String> {
        let started = self.line;
        let mut field = String::new();
        self.rest = self.rest.strip_prefix('"').unwrap_or(self.rest);
        loop {
            let Some(end) = self.rest.find('"') else {
                return Err(format!("The quotes that open in line {started} never close."));
            };
            let piece = self.rest.get(..end).unwrap_or("");
            self.line += piece.matches('\n').count();
            field.push_str(piece);
            self.rest = self.rest.get(end + 1..).unwrap_or("");
            match self.rest.strip_prefix('"') {
                Some(rest) => {
                    field.push('"');
                    self.rest = rest;
                }
                None => break,
            }
        }
        // What stands behind closing quotes belongs to the field, as spreadsheets have it.
        field.push_str(&self.plain().unwrap_or_default());
        Ok(field)
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    fn told(text: &str) -> Result<Vec<String>, String> {
        let columns = read(text)?;
        let value = |value: &Option<String>| value.as_ref().map_or("NULL".to_owned(), |text| format!("{text:?}"));
        let told =
            columns.iter().map(|c| format!("{}={}", c.name, c.values.iter().map(value).collect::<Vec<_>>().join("|")));
        Ok(told.collect())
    }

    #[test]
    fn fields_quotes_and_separators() {
        for (text, expected) in [
            ("a,b\n1,x\n2,\n", vec![r#"a="1"|"2""#, r#"b="x"|NULL"#]),
            ("\u{feff}a;b\r\n\"1;2\";\"say \"\"hi\"\"\"\r\n", vec![r#"a="1;2""#, r#"b="say \"hi\"""#]),
            ("a\tb\n\"two\nlines\"\tx", vec![r#"a="two\nlines""#, r#"b="x""#]),
            ("a,b\n\n1,2\n", vec![r#"a="1""#, r#"b="2""#]),
            ("a,b\n1\n", vec![r#"a="1""#, "b=NULL"]),
            ("a,b\n\"\",x\n", vec![r#"a="""#, r#"b="x""#]),
            ("a,a,\n1,2,3\n", vec![r#"a="1""#, r#"a_2="2""#, r#"c3="3""#]),
            ("a\n", vec!["a="]),
        ] {
            assert_eq!(told(text).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_no_table_is_refused_with_its_line() {
        assert!(told("").unwrap_err().contains("no line"));
        assert!(told("a,b\n1,2\n1,2,3\n").unwrap_err().starts_with("Line 3 has 3 fields"));
        assert!(told("a\n\"x").unwrap_err().contains("line 2"));
        assert!(told(&vec!["a"; 2_000].join(",")).unwrap_err().contains("columns"));
        assert!(told(&format!("a\n{}", "1\n".repeat(300_000))).unwrap_err().contains("rows"));
    }
}
