use super::{render_html, words};
use crate::fixtures::assistance;
use crate::model::{Problem, Severity, Told};
use crate::shared::Shared;
use crate::view::editor::{EditorProps, editor};
use crate::view::problems::problems;
use yew::prelude::*;

const TEXT: &str = "SELECT rank() 'é' FROM t";

fn html(is_full: bool, severity: Severity) -> String {
    let help = assistance();
    let problem = Problem { severity, span: (7, 11), report: &help.warnings[0], text: TEXT };
    render_html(editor(EditorProps {
        key: "a",
        text: TEXT,
        label: "Script",
        problems: &[problem],
        completions: r#"{"tables":[]}"#,
        is_full,
        cursor: is_full.then_some((2, 3)),
        send: &Callback::noop(),
    }))
}

#[test]
fn the_full_editor_is_told_everything_by_attributes() {
    let full = html(true, Severity::Warning);
    for piece in [
        r#"text="SELECT rank() 'é' FROM t""#,
        r#"cursor="2,3""#,
        "&quot;severity&quot;:&quot;warning&quot;,&quot;from&quot;:7,&quot;to&quot;:11",
        "&quot;insert&quot;:&quot;row_number&quot;",
        "press Escape, then Tab",
    ] {
        assert!(full.contains(piece), "{piece} in {full}");
    }
    assert!(!full.contains("<textarea"));
}

#[test]
fn the_text_area_marks_errors_only() {
    let plain = html(false, Severity::Error);
    assert!(plain.contains(r#"aria-invalid="true""#) && plain.contains("mark"), "{plain}");
    let plain = html(false, Severity::Warning);
    assert!(plain.contains(r#"aria-invalid="false""#), "{plain}");
    assert!(plain.contains("<textarea") && !plain.contains("sql-editor"));
}

#[test]
fn every_warning_is_a_line_with_place_reason_and_repair() {
    let told = Told { place: "a".to_string(), sheet: 0, text: TEXT.to_string(), help: Shared::new(assistance()) };
    let list = render_html(problems(&told, true, &Callback::noop()));
    assert_eq!(words(&list), "Warning line 1 rank() keeps ties. row_number() does not. Try: row_number()");
    let stale = render_html(problems(&told, false, &Callback::noop()));
    assert_eq!(stale.matches(r#"disabled="disabled""#).count(), 2, "{stale}");
}
