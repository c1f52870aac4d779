//! Columns of texts, and the types that all their values fit.

/// A column before it has a type.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) values: Vec<Option<String>>,
    /// The source says that these are texts, whatever they look like.
    pub(super) is_text: bool,
}

/// Whether a text is a value of some type.
type Fits = fn(&str) -> bool;

/// Spark's type for a column: the narrowest that every value fits.
pub(super) fn type_of(column: &Column) -> &'static str {
    let fits = |is: Fits| {
        let mut values = column.values.iter().flatten().peekable();
        values.peek().is_some() && values.all(|value| is(value))
    };
    let candidates: [(&str, Fits); 5] = [
        ("BOOLEAN", is_boolean),
        ("BIGINT", is_whole),
        ("DOUBLE", is_number),
        ("DATE", is_date),
        ("TIMESTAMP", is_timestamp),
    ];
    let first = if column.is_text { 3 } else { 0 };
    candidates.iter().skip(first).find(|(_, is)| fits(*is)).map_or("STRING", |(name, _)| name)
}

fn is_boolean(text: &str) -> bool {
    text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
}

/// Leading zeros are part of a code, not of a number.
fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_code = digits.len() > 1 && digits.starts_with('0');
    !is_code && !text.starts_with('+') && text.parse::<i64>().is_ok()
}

fn is_number(text: &str) -> bool {
    let starts = text.starts_with(|first: char| first.is_ascii_digit() || first == '-' || first == '.');
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_code = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    starts && !is_code && text.parse::<f64>().is_ok_and(f64::is_finite)
}

fn is_date(text: &str) -> bool {
    text.len() == 10 && delta::text::parse_date(text).is_some()
}

fn is_timestamp(text: &str) -> bool {
    text.len() > 10
        && text.starts_with(|first: char| first.is_ascii_digit())
        && delta::text::parse_timestamp(text).is_some()
}

/// Names that a table can have: none empty, none twice.
pub(super) fn distinct(columns: &mut [Column]) {
    let mut seen: Vec<String> = Vec::with_capacity(columns.len());
    for (idx, column) in columns.iter_mut().enumerate() {
        let base = match column.name.trim() {
            "" => format!("c{}", idx + 1),
            name => name.to_owned(),
        };
        let mut name = base.clone();
        let mut n = 2;
        while seen.contains(&name.to_lowercase()) {
            name = format!("{base}_{n}");
            n += 1;
        }
        seen.push(name.to_lowercase());
        column.name = name;
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, distinct, type_of};

    fn column(values: &[&str]) -> Column {
        let values = values.iter().map(|value| (!value.is_empty()).then(|| (*value).to_owned())).collect();
        Column { name: "c".into(), values, is_text: false }
    }

    #[test]
    fn the_narrowest_type_that_all_values_fit() {
        for (values, expected) in [
            (&["1", "", "-20"][..], "BIGINT"),
            (&["1", "2.5"], "DOUBLE"),
            (&["1e3"], "DOUBLE"),
            (&["true", "FALSE"], "BOOLEAN"),
            (&["2026-01-15"], "DATE"),
            (&["2026-01-15 10:00:00", "2026-01-15T10:00:00Z"], "TIMESTAMP"),
            (&["2026-13-15"], "STRING"),
            (&["007"], "STRING"),
            (&["nan"], "STRING"),
            (&["99999999999999999999"], "DOUBLE"),
            (&["1", "x"], "STRING"),
            (&["", ""], "STRING"),
            (&[], "STRING"),
        ] {
            assert_eq!(type_of(&column(values)), expected, "{values:?}");
        }
        assert_eq!(type_of(&Column { is_text: true, ..column(&["12"]) }), "STRING");
    }

    #[test]
    fn no_name_is_empty_or_there_twice() {
        let mut columns: Vec<Column> =
            ["a", "", "A", " a "].iter().map(|name| Column { name: (*name).into(), ..Column::default() }).collect();
        distinct(&mut columns);
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["a", "c2", "A_2", "a_3"]);
    }
}
