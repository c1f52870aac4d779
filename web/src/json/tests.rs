use super::{member, pretty, quote, read};
use crate::fixtures::file;
use protocol::RunReport;
use serde::Deserialize;

#[test]
fn it_reads_what_serde_json_writes() {
    let file = file();
    let lesson: lesson::Lesson = serde_json::from_str(&file.text).unwrap();
    assert_eq!(read::<lesson::Lesson>(&file.text).unwrap(), lesson);
    assert_eq!(read::<lesson::Lesson>(&serde_json::to_string(&lesson).unwrap()).unwrap(), lesson);
    let report = crate::fixtures::report();
    for text in [serde_json::to_string(&report).unwrap(), serde_json::to_string_pretty(&report).unwrap()] {
        assert_eq!(read::<RunReport>(&text).unwrap(), report);
    }
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    Dot,
    Line(u8, u8),
    Box { side: i64 },
    Named(String),
}

#[test]
fn every_form_of_variant_is_read() {
    let shapes: Vec<Shape> = read(
        r#"["dot", {"line": [1, 2]}, {"box":{"side":-3, "colour": {"a":[1.5e3, {}]}}}, {"named":"x"}, {"dot":null}]"#,
    )
    .unwrap();
    assert_eq!(shapes, [Shape::Dot, Shape::Line(1, 2), Shape::Box { side: -3 }, Shape::Named("x".into()), Shape::Dot]);
}

#[test]
fn texts_come_out_as_they_were_meant() {
    let text: String = read(r#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é😀""#).unwrap();
    assert_eq!(text, "a\"\\/\u{8}\u{c}\n\r\té😀é😀");
    for wrong in [r#"""#, r#""\x""#, r#""\u12""#, r#""\ud800""#, r#""\ud800\u0041""#, r#""\"#] {
        assert!(read::<String>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn broken_json_is_an_error_and_never_a_value() {
    for wrong in ["", "[", "[1", "[1 2]", "[1,]", "[1]x", "{", "nul", "-", "1.5", "[1,,2]", "99999999999999999999999"] {
        assert!(read::<Vec<u64>>(wrong).is_err(), "{wrong}");
        assert!(read::<u64>(wrong).is_err(), "{wrong}");
    }
    assert!(read::<(u8, u8)>("[1,2,3]").is_err());
    assert!(read::<(u8, u8)>("[1]").is_err());
    assert!(read::<u8>("256").is_err());
    assert_eq!(read::<(u8, u8)>(" [ 1 , 2 ] "), Ok((1, 2)));
    assert_eq!(read::<Vec<u8>>("[ ]"), Ok(vec![]));
}

#[derive(Debug, PartialEq, Deserialize)]
struct Pair {
    first: u8,
    #[serde(default)]
    second: Option<u8>,
}

#[test]
fn fields_are_found_in_any_order_and_unknown_ones_passed_over() {
    let both = Pair { first: 1, second: Some(2) };
    assert_eq!(read(r#"{"first":1,"second":2}"#), Ok(both));
    assert_eq!(read(r#" { "x" : ["\"}", {}] , "second" : 2 , "first" : 1 } "#), Ok(Pair { first: 1, second: Some(2) }));
    assert_eq!(read(r#"{"first":1}"#), Ok(Pair { first: 1, second: None }));
    assert!(read::<Pair>(r#"{"second":2}"#).is_err(), "a field without a default is missing");
    assert!(read::<Pair>("[1,2]").is_err(), "a struct is an object");
    assert!(read::<(Pair, u8)>(r#"[{"first":1,"second":2},3]"#).is_ok(), "reading goes on behind the object");
}

#[test]
fn an_error_tells_the_place() {
    let misfit = read::<Vec<u8>>("[1, x]").unwrap_err();
    assert_eq!(misfit.to_string(), "not a whole number at byte 4");
}

#[test]
fn pretty_json_is_the_same_json() {
    let json = r#"{"a":[],"b":{"c":"x, {y} \" \\"},"d":[1,{"e":null}], "f": {}}"#;
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&pretty(json)).unwrap(), value);
    assert_eq!(pretty(json), serde_json::to_string_pretty(&value).unwrap());
}

#[test]
fn a_member_is_cut_out_as_it_stands() {
    let json = r#"{"x": "}", "y" : {"z": [1, "]"]} , "w":2}"#;
    assert_eq!(member(json, "y"), Ok(Some(r#" {"z": [1, "]"]}"#)));
    assert_eq!(member(json, "z"), Ok(None));
    assert!(member("[]", "y").is_err());
}

#[test]
fn a_quoted_text_reads_back() {
    for text in ["", "a\"b\\c\nd\re\tf\u{1}g\u{7f}é😀", "line\u{2028}"] {
        assert_eq!(serde_json::from_str::<String>(&quote(text)).unwrap(), text);
        assert_eq!(read::<String>(&quote(text)).unwrap(), text);
    }
}
