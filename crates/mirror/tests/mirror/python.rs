//! Programs are read again, as far as they are what is printed here, and given to `frames`: SQL → builder → SQL.

use crate::corpus::corpus;
use crate::fixed_point::merge_of;
use crate::spanless::spanless;
use frames::{Frames, Script};
use serde_json::{Value, json};
use spec::{MergeInto, Relation};

/// A piece of a program.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Sign(char),
}

fn tokens(program: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = program.strip_prefix("from delta.tables import DeltaTable\n").unwrap();
    while let Some(c) = rest.chars().next() {
        let len = if rest.starts_with('"') || rest.starts_with("r\"") {
            let (text, len) = string(rest);
            tokens.push(Token::Text(text));
            len
        } else if c.is_alphanumeric() || c == '_' {
            let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..len].to_owned()));
            len
        } else if c == '#' {
            rest.find('\n').unwrap()
        } else {
            if !c.is_whitespace() {
                tokens.push(Token::Sign(c));
            }
            c.len_utf8()
        };
        rest = &rest[len..];
    }
    tokens
}

/// The value of a string that the program begins with, by Python's rules, and its length.
fn string(program: &str) -> (String, usize) {
    let raw = program.starts_with('r');
    let start = usize::from(raw);
    let quote = if program[start..].starts_with("\"\"\"") { "\"\"\"" } else { "\"" };
    let body = &program[start + quote.len()..];
    let mut value = String::new();
    let mut at = 0;
    while !body[at..].starts_with(quote) {
        let c = body[at..].chars().next().unwrap();
        assert!(c != '\n' || quote.len() == 3, "an open string: {program}");
        at += c.len_utf8();
        if c != '\\' {
            value.push(c);
            continue;
        }
        let escaped = body[at..].chars().next().unwrap();
        at += escaped.len_utf8();
        match escaped {
            _ if raw => value.extend(['\\', escaped]),
            '\\' | '"' => value.push(escaped),
            'n' => value.push('\n'),
            't' => value.push('\t'),
            'r' => value.push('\r'),
            'u' => {
                value.push(char::from_u32(u32::from_str_radix(&body[at..at + 4], 16).unwrap()).unwrap());
                at += 4;
            }
            other => panic!("an escape that is not printed: \\{other}"),
        }
    }
    (value, start + quote.len() * 2 + at)
}

/// The calls of a program in their order: name, texts of the arguments without a name, arguments with one.
struct Call {
    name: String,
    args: Vec<String>,
    condition: Option<String>,
    pairs: Option<Vec<(String, String)>>,
}

fn calls(program: &str) -> Vec<Call> {
    let tokens = tokens(program);
    let mut calls: Vec<Call> = Vec::new();
    // The calls whose parenthesis is open; none for one that only groups.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut keyword = "";
    let mut key: Option<&str> = None;
    for (idx, token) in tokens.iter().enumerate() {
        let innermost = open.last().copied().flatten();
        match token {
            Token::Word(name) if tokens.get(idx + 1) == Some(&Token::Sign('(')) => {
                calls.push(Call { name: name.clone(), args: Vec::new(), condition: None, pairs: None });
            }
            Token::Word(word) if word.parse::<u64>().is_ok() => calls[innermost.unwrap()].args.push(word.clone()),
            Token::Word(word) => keyword = word,
            Token::Sign('(') => {
                let is_call = idx > 0 && matches!(tokens[idx - 1], Token::Word(_));
                open.push(is_call.then(|| calls.len() - 1));
                keyword = "";
            }
            Token::Sign(')') => {
                open.pop().unwrap();
                keyword = "";
            }
            Token::Sign('{') => calls[innermost.unwrap()].pairs = Some(Vec::new()),
            Token::Sign(',') if !matches!(keyword, "set" | "values") => keyword = "",
            Token::Sign(_) => {}
            Token::Text(text) => {
                let call = &mut calls[innermost.unwrap()];
                match (keyword, key.take()) {
                    ("set" | "values", None) => key = Some(text),
                    ("set" | "values", Some(key)) => {
                        call.pairs.as_mut().unwrap().push((key.to_owned(), text.clone()));
                    }
                    ("condition", _) => call.condition = Some(text.clone()),
                    ("", None) => call.args.push(text.clone()),
                    other => panic!("a text without a place: {text} {other:?}"),
                }
            }
        }
    }
    assert!(open.is_empty(), "an open parenthesis: {program}");
    calls
}

/// Runs a program as far as its MERGE.
fn run(program: &str) -> MergeInto {
    let mut script = Script::new("");
    let mut frames = Frames::default();
    let sql = |text: &str| json!({ "sql": text });
    let mut source: Option<u32> = None;
    let mut version: Option<String> = None;
    let mut asked = json!({ "clauses": [], "evolves": false });
    let mut merging = false;
    for call in calls(program) {
        let arg = |idx: usize| call.args.get(idx).cloned().unwrap_or_default();
        match call.name.as_str() {
            "sql" => source = Some(frames.keep(sql::parse_query(&arg(0)).unwrap()).unwrap()),
            "format" => {}
            "option" => version = Some(arg(1)),
            "table" => {
                source = Some(frames.make(&mut script, &json!({ "table": arg(0), "version": version })).unwrap());
            }
            "load" => source = Some(frames.make(&mut script, &json!({ "path": arg(0), "version": version })).unwrap()),
            "forName" => asked["target"] = json!({ "name": arg(0) }),
            "forPath" => asked["target"] = json!({ "path": arg(0) }),
            "alias" if merging => {
                let named = json!({ "named": source.unwrap(), "name": arg(0) });
                source = Some(frames.make(&mut script, &named).unwrap());
            }
            "alias" => asked["alias"] = json!(arg(0)),
            "merge" => {
                merging = true;
                asked["on"] = sql(call.args.last().unwrap());
            }
            "withSchemaEvolution" => asked["evolves"] = json!(true),
            "execute" => {}
            method => {
                let (when, then) = [
                    ("whenMatched", "matched"),
                    ("whenNotMatchedBySource", "not matched by source"),
                    ("whenNotMatched", "not matched"),
                ]
                .into_iter()
                .find_map(|(prefix, when)| method.strip_prefix(prefix).map(|then| (when, then)))
                .unwrap_or_else(|| panic!("a method that the builder does not have: {method}"));
                let then = match then {
                    "UpdateAll" => "update all",
                    "Update" => "update",
                    "Delete" => "delete",
                    "InsertAll" => "insert all",
                    "Insert" => "insert",
                    other => panic!("{other}"),
                };
                let pairs: Option<Vec<Value>> =
                    call.pairs.map(|pairs| pairs.iter().map(|(key, value)| json!([key, sql(value)])).collect());
                asked["clauses"].as_array_mut().unwrap().push(
                    json!({ "when": when, "then": then, "on": call.condition.as_deref().map(sql), "pairs": pairs }),
                );
            }
        }
    }
    asked["source"] = json!(source.unwrap());
    frames::merge(&mut script, &frames, &asked).unwrap()
}

#[test]
fn every_merge_of_the_project_comes_back_through_the_builder() {
    let mut n_compared = 0;
    for (text, merge) in corpus().merges {
        let program = mirror::python(&merge);
        let back = run(&program.text);
        assert_eq!(program.notes.is_empty(), !assigns_twice(&merge), "{text}\n{:?}", program.notes);
        let source_has_name = !matches!(&merge.source, Relation::Subquery { alias: None, .. });
        if merge.ctes.is_empty() && source_has_name {
            let (before, after) = (mirror::sql(&merge), mirror::sql(&back));
            assert_eq!(before.text, after.text, "{text}\n---\n{}", program.text);
            n_compared += 1;
            // But for what `frames` marks as a frame, it is the same value.
            let plain = merge_of(&after.text);
            assert_eq!(spanless(&plain), spanless(&merge), "{text}");
        }
    }
    assert!(n_compared > 2000, "only {n_compared} statements were compared");
}

fn assigns_twice(merge: &MergeInto) -> bool {
    mirror::python(merge).text.contains("  # the same key again")
}

#[test]
fn ctes_of_a_merge_go_into_its_source() {
    let text =
        "WITH a AS (SELECT 1 AS k), b AS (SELECT * FROM a) MERGE INTO t USING b ON t.k = b.k WHEN MATCHED THEN DELETE";
    let back = run(&mirror::python(&merge_of(text)).text);
    let Relation::Subquery { query, alias: Some(alias), .. } = &back.source else { panic!("{:?}", back.source) };
    assert_eq!(alias.name.value, "b");
    let expected = sql::parse_query("WITH a AS (SELECT 1 AS k), b AS (SELECT * FROM a) SELECT * FROM b").unwrap();
    assert_eq!(spanless(query.as_ref()), spanless(&expected));
}

#[test]
fn a_column_that_is_assigned_twice_is_marked() {
    let text = "MERGE INTO t USING s ON t.k = s.k WHEN MATCHED THEN UPDATE SET v = 1, w = 2, v = 3";
    let printed = mirror::python(&merge_of(text));
    let [note] = printed.notes.as_slice() else { panic!("{:?}", printed.notes) };
    assert!(
        printed.text.contains(&format!("            \"v\": \"3\",  {}\n", note.mark))
            || printed.text.contains(&format!("\"v\": \"3\",  {}\n", note.mark))
    );
}

#[test]
fn strings_of_sql_are_strings_of_python() {
    let values = [
        r"'it\'s'",
        "'a\"b'",
        r"'back\\slash'",
        r"'\n'",
        r#"'"\\'"#,
        r"'\\d+'",
        "`a\"b`",
        "'\"\"\"'",
        "X'00'",
        "'ü😀'",
    ];
    for value in values {
        let text = format!("MERGE INTO t USING s ON t.k = {value} WHEN MATCHED THEN UPDATE SET v = {value}");
        let merge = merge_of(&text);
        let back = run(&mirror::python(&merge).text);
        assert_eq!(spanless(&back.on), spanless(&merge.on), "{value}");
        assert_eq!(spanless(&back.matched), spanless(&merge.matched), "{value}");
        let text = format!(
            "MERGE INTO t USING (SELECT {value} AS k, 'a text that is long enough to get lines of its own') s ON t.k = s.k WHEN MATCHED THEN DELETE"
        );
        let merge = merge_of(&text);
        let program = mirror::python(&merge).text;
        assert!(program.contains("\"\"\""), "{program}");
        assert_eq!(mirror::sql(&run(&program)).text, mirror::sql(&merge).text, "{value}");
    }
}
