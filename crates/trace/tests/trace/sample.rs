//! A MERGE over three files: one pruned, one rewritten, one read for nothing.

use trace::*;

pub(crate) const STATEMENT: &str = "MERGE INTO stock t USING feed s ON t.sku = s.sku AND t.day >= 2 \
WHEN MATCHED AND s.qty = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET qty = s.qty WHEN NOT MATCHED THEN INSERT *";

pub(crate) fn row(cells: &[&str]) -> RowImage {
    cells.iter().map(|cell| if *cell == "-" { None } else { Some((*cell).to_owned()) }).collect()
}

pub(crate) fn file(day: &str, rows: &[&[&str]]) -> FileImage {
    FileImage {
        hidden: Vec::new(),
        path: format!("day={day}/part-0.parquet"),
        size: 900,
        n_rows: rows.len() as u64,
        partition: vec![("day".into(), Some(day.into()))],
        ranges: Vec::new(),
        rows: rows.iter().map(|cells| row(cells)).collect(),
    }
}

pub(crate) fn reason(text: &str) -> Reason {
    Reason { text: text.into(), conjunct: None, column: None, statistic: None, would_skip: None }
}

pub(crate) fn at(file: u32, row: u32) -> RowId {
    RowId { file, row }
}

fn column(name: &str, data_type: &str, partition: bool) -> ColumnImage {
    ColumnImage { name: name.into(), data_type: data_type.into(), partition }
}

fn clause(kind: ClauseKind, action: &str, text: &str) -> ClauseImage {
    let start = STATEMENT.find(text).unwrap();
    ClauseImage { kind, action: action.into(), text: text.into(), span: (start as u32, (start + text.len()) as u32) }
}

fn origin(outcome: Outcome, target: Option<RowId>, source: Option<u32>) -> RowOrigin {
    RowOrigin { outcome, target, source }
}

pub(crate) fn merge() -> Trace {
    let columns = vec![column("sku", "string", false), column("qty", "int", false), column("day", "int", true)];
    Trace {
        statement: STATEMENT.into(),
        operation: "MERGE".into(),
        condition: Some("t.sku = s.sku AND t.day >= 2".into()),
        clauses: vec![
            clause(ClauseKind::Matched, "delete", "WHEN MATCHED AND s.qty = 0 THEN DELETE"),
            clause(ClauseKind::Matched, "update", "WHEN MATCHED THEN UPDATE SET qty = s.qty"),
            clause(ClauseKind::NotMatched, "insert", "WHEN NOT MATCHED THEN INSERT *"),
        ],
        source: Some(SourceImage {
            name: "s".into(),
            columns: columns.clone(),
            rows: vec![row(&["nut", "7", "2"]), row(&["bolt", "0", "2"]), row(&["-", "5", "2"])],
            n_rows: 3,
        }),
        target: TargetImage {
            name: "stock".into(),
            columns,
            version: Some(4),
            files: vec![
                file("1", &[&["nut", "1", "1"]]),
                file("2", &[&["nut", "3", "2"], &["bolt", "4", "2"], &["cog", "5", "2"]]),
                file("3", &[&["pin", "6", "3"]]),
            ],
        },
        written: vec![WrittenImage {
            file: file("2", &[&["nut", "7", "2"], &["cog", "5", "2"], &["-", "5", "2"]]),
            origins: vec![
                origin(Outcome::Updated, Some(at(1, 0)), Some(0)),
                origin(Outcome::Copied, Some(at(1, 2)), None),
                origin(Outcome::Inserted, None, Some(2)),
            ],
        }],
        hides_rows: false,
        steps: steps(),
        logic: None,
        commit: Some(CommitImage {
            version: 5,
            log_path: "_delta_log/00000000000000000005.json".into(),
            log_text: String::new(),
            metrics: Vec::new(),
        }),
        failure: None,
        summarised: false,
    }
}

/// The same MERGE on a table that hides changed rows by deletion vectors.
pub(crate) fn hiding() -> Trace {
    let mut trace = merge();
    trace.hides_rows = true;
    let written = &mut trace.written[0];
    written.file = file("2", &[&["nut", "7", "2"], &["-", "5", "2"]]);
    written.origins.remove(1);
    trace.steps.remove(10);
    for step in &mut trace.steps {
        match step {
            Step::WriteFile { rows, .. } => *rows = 2,
            Step::RemoveFile { file } => *step = Step::HideRows { file: *file, rows: 2 },
            _ => {}
        }
    }
    trace
}

fn steps() -> Vec<Step> {
    let act = |outcome, clause, target, source| Step::Act { outcome, clause, target, source };
    vec![
        Step::ReadSource { rows: 3 },
        Step::SkipFile { file: 0, reason: reason("`t.day >= 2` cannot be true for any row of it: day = 1.") },
        Step::ScanFile { file: 1, reason: reason("No conjunct rules it out.") },
        Step::ScanFile { file: 2, reason: reason("No conjunct rules it out.") },
        Step::Match { target: at(1, 0), source: 0 },
        Step::Match { target: at(1, 1), source: 1 },
        Step::TouchFile { file: 1, matches: 2 },
        Step::LeaveFile { file: 2 },
        act(Outcome::Updated, Some(1), Some(at(1, 0)), Some(0)),
        act(Outcome::Deleted, Some(0), Some(at(1, 1)), Some(1)),
        Step::ActMany { outcome: Outcome::Copied, clause: None, file: Some(1), rows: 1 },
        act(Outcome::Inserted, Some(2), None, Some(2)),
        Step::WriteFile { file: 0, rows: 3 },
        Step::RemoveFile { file: 1 },
        Step::Commit { version: 5 },
    ]
}
