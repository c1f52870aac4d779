//! Going back to a version of a table.

use crate::fixtures::{desk, ran, ready, report, sent};
use crate::msg::DeskMsg;
use crate::wire::Ask;

#[test]
fn a_version_is_read_behind_the_text_that_ran_and_on_its_data() {
    let mut model = ready();
    let go = DeskMsg::Travel { table: "shop.orders".into(), version: 1 };
    let effects = desk(&mut model, go);
    let Ask::Run { setup, text, .. } = sent(&effects).unwrap().body.clone() else { panic!("a run") };
    assert!(setup.starts_with("CREATE TABLE shop.orders"));
    assert!(text.starts_with("MERGE INTO shop.orders"), "{text}");
    assert!(text.ends_with("\n;\nSELECT * FROM shop.orders VERSION AS OF 1"), "{text}");
    ran(&mut model, report());
    let open = model.desk().unwrap();
    let travel = open.look.travel.as_ref().unwrap();
    assert_eq!((travel.table.as_str(), travel.version), ("shop.orders", 1));
    assert_eq!(model.status, "Version 1 of shop.orders is shown.");
    assert!(open.shown.as_ref().unwrap().text.starts_with("MERGE"), "what ran stays on the stage");
}

#[test]
fn a_new_run_forgets_the_journey() {
    let mut model = ready();
    desk(&mut model, DeskMsg::Travel { table: "shop.orders".into(), version: 1 });
    ran(&mut model, report());
    desk(&mut model, DeskMsg::Run);
    ran(&mut model, report());
    assert_eq!(model.desk().unwrap().look.travel, None);
}
