//! Histories of keys.

use crate::sample::row;
use trace::*;

fn columns() -> Vec<ColumnImage> {
    let column =
        |name: &str, data_type: &str| ColumnImage { name: name.into(), data_type: data_type.into(), partition: false };
    vec![
        column("customer_sk", "bigint"),
        column("id", "int"),
        column("valid_from", "date"),
        column("valid_to", "date"),
        column("is_current", "boolean"),
    ]
}

#[test]
fn the_columns_of_a_history_are_known_by_name_and_type() {
    let found = IntervalColumns::of(&columns()).unwrap();
    assert_eq!(found, IntervalColumns { key: 1, start: 2, end: 3, current: Some(4) });
    assert_eq!(IntervalColumns::of(&columns()[..3]), None);
}

#[test]
fn gaps_overlaps_and_two_current_versions_are_flagged() {
    let rows = [
        row(&["1", "7", "2025-01-01", "2025-02-01", "false"]),
        row(&["2", "7", "2025-02-01", "-", "true"]),
        row(&["3", "8", "2025-01-01", "2025-02-01", "false"]),
        row(&["4", "8", "2025-03-01", "-", "true"]),
        row(&["5", "9", "2025-02-01", "-", "true"]),
        row(&["6", "9", "2025-01-01", "-", "true"]),
    ];
    let rows: Vec<&RowImage> = rows.iter().collect();
    let histories = IntervalColumns::of(&columns()).unwrap().histories(&rows);
    let faults: Vec<_> = histories.iter().map(|history| history.faults.clone()).collect();
    assert_eq!(
        faults,
        [
            vec![],
            vec![Fault::Gap("2025-02-01".into(), "2025-03-01".into())],
            vec![Fault::Overlap("2025-02-01".into()), Fault::TwoCurrent],
        ]
    );
}

#[test]
fn an_instant_belongs_to_the_interval_that_starts_at_it() {
    let rows = [row(&["1", "7", "2025-01-01", "2025-02-01", "false"]), row(&["2", "7", "2025-02-01", "-", "true"])];
    let rows: Vec<&RowImage> = rows.iter().collect();
    let columns = IntervalColumns::of(&columns()).unwrap();
    let first =
        |instant: &str| columns.as_of(&rows, instant).iter().map(|row| row[0].clone().unwrap()).collect::<Vec<_>>();
    assert_eq!(first("2024-12-31"), Vec::<String>::new());
    assert_eq!((first("2025-01-31"), first("2025-02-01")), (vec!["1".into()], vec!["2".into()]));
    assert_eq!(columns.instants(&rows), ["2025-01-01", "2025-02-01"]);
    assert_eq!((day_number("1970-01-01"), day_number("2000-03-01 12:00:00")), (Some(0), Some(11_017)));
}
