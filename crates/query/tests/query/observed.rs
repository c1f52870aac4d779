//! The reference's answers to single questions, kept as data.

use crate::harness::{Memories, answer, catalog, run};

const OBSERVED: &str = include_str!("observed.txt");

/// The value and the type, or the sorted rows of a query, or the condition of the error.
fn answered(catalog: &Memories, question: &str, with_type: bool) -> String {
    let is_query = question.starts_with("SELECT ");
    let text = match is_query {
        true => question.to_owned(),
        false => format!("SELECT CAST({question} AS STRING) AS v, typeof({question}) AS t"),
    };
    match run(answer(catalog, &text)) {
        Err(diagnostic) => format!("!! {}", diagnostic.condition),
        Ok(text) => {
            let mut rows: Vec<&str> = text.lines().skip(1).collect();
            if is_query {
                if !question.contains("ORDER BY") || question.contains("OVER (") {
                    rows.sort_unstable();
                }
                return format!("=> {}", rows.join(" ; ")).trim_end().to_owned();
            }
            let (value, data_type) = rows.first().and_then(|row| row.rsplit_once('|')).unwrap_or_default();
            if with_type { format!("=> {value} : {data_type}") } else { format!("=> {value}") }
        }
    }
}

fn expected(question: &str, rest: &str) -> String {
    let sorted = question.starts_with("SELECT ") && (!question.contains("ORDER BY") || question.contains("OVER ("));
    match rest.strip_prefix("=> ") {
        Some(rows) if sorted => {
            let mut rows: Vec<&str> = rows.split(" ; ").collect();
            rows.sort_unstable();
            format!("=> {}", rows.join(" ; "))
        }
        _ => rest.to_owned(),
    }
}

#[test]
fn every_question_is_answered_as_by_the_reference() {
    let catalog = run(catalog());
    let mut n_questions = 0;
    let mut wrong = Vec::new();
    for line in OBSERVED.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let at = line.rfind(" => ").or_else(|| line.rfind(" !! ")).or_else(|| line.strip_suffix(" =>").map(str::len));
        let (question, rest) = line.split_at(at.unwrap_or_else(|| panic!("no answer: {line}")));
        let wanted = expected(question, rest.trim_start());
        let got = answered(&catalog, question, wanted.contains(" : "));
        n_questions += 1;
        if got != wanted {
            wrong.push(format!("{question}\n  wanted {wanted}\n  got    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {n_questions} answers differ\n\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(n_questions > 150);
}
