//! The engine lens: every question of the table of engines is a case, with what was measured on the other one.

use host::{Host, block_on};
use protocol::{ReplyBody, Request};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    question: String,
    /// For readers of the file.
    #[serde(rename = "measured")]
    _measured: String,
    setup: String,
    text: String,
    /// Engine, whether it differs, and what it does.
    told: Vec<(String, bool, String)>,
}

#[test]
fn every_recorded_difference_is_told_where_it_counts_and_nowhere_else() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../data/elsewhere.json")).unwrap();
    assert!(cases.len() >= 10);
    for case in cases {
        let request = Request::Run { setup: case.setup, text: case.text, clock: None };
        let ReplyBody::Ran(report) = block_on(Host::new("t").handle(request, &mut |_| ())) else { panic!("not run") };
        assert_eq!(report.errors, [], "{}", case.question);
        let told = report.statements[0].elsewhere.iter();
        let told: Vec<_> = told.map(|one| (one.engine.clone(), one.differs, one.there.clone())).collect();
        assert_eq!(told, case.told, "{}", case.question);
    }
}

#[test]
fn only_a_merge_is_judged() {
    let request = Request::Run {
        setup: "CREATE TABLE t (id INT) USING DELTA; INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)".into(),
        text: "UPDATE t SET id = id; SELECT * FROM t".into(),
        clock: None,
    };
    let ReplyBody::Ran(report) = block_on(Host::new("t").handle(request, &mut |_| ())) else { panic!("not run") };
    assert!(report.statements.iter().all(|statement| statement.error.is_none() && statement.elsewhere.is_empty()));
}
