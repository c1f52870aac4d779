//! Statements to read: what each looks like in both languages.
//!
//! A case of `golden.txt` is a statement, its SQL, its Python, and the notes if there are any.

use crate::fixed_point::merge_of;
use mirror::Mirrored;

const SEPARATOR: &str = "\n========\n";
const SQL: &str = "\n---- sql\n";

fn section(language: &str, mirrored: &Mirrored) -> String {
    let notes = mirrored.notes.iter().map(|note| format!("\nnote: {}\n      {}", note.mark, note.message));
    format!("\n---- {language}\n{}{}", mirrored.text, notes.collect::<String>())
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the suite rewrites its own expectations on request")]
fn statements_read_well_in_both_languages() {
    let expected = include_str!("golden.txt");
    let mut rewritten = Vec::new();
    for case in expected.trim_end().split(SEPARATOR) {
        let statement = case.split(SQL).next().unwrap().trim_end();
        let merge = merge_of(statement);
        rewritten.push(format!(
            "{statement}{}{}",
            section("sql", &mirror::sql(&merge)),
            section("python", &mirror::python(&merge))
        ));
    }
    assert!(rewritten.len() >= 8);
    let actual = rewritten.join(SEPARATOR) + "\n";
    if std::env::var("UPDATE_EXPECT").is_ok() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mirror/golden.txt");
        return std::fs::write(path, actual).unwrap();
    }
    for (expected, actual) in expected.trim_end().split(SEPARATOR).zip(actual.trim_end().split(SEPARATOR)) {
        assert_eq!(expected, actual, "\n--- expected\n{expected}\n--- actual\n{actual}");
    }
}
