//! Why a program stopped, in the program's own lines.

use crate::PROGRAM;
use rustpython_vm as vm;
use serde_json::{Value, json};
use vm::builtins::{PyBaseExceptionRef, PyStr};
use vm::{AsObject, PyObjectRef, TryFromObject, VirtualMachine};

/// An exception that nobody caught, or text that is no Python.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Failure {
    /// `ValueError`, `AnalysisException`, …
    pub kind: String,
    /// The condition of Spark or Delta, where the exception carries one.
    pub condition: Option<String>,
    /// The number of the engine's complaint that it was raised for.
    pub complaint: Option<usize>,
    pub message: String,
    /// The lines of the program that led there, outermost first, counted from 1.
    pub lines: Vec<usize>,
    /// In the last line, counted from 1; of text that is no Python.
    pub column: Option<usize>,
    /// What to try, where it is a slip that many make.
    pub hint: Option<String>,
}

impl Failure {
    /// A complaint of the engine about a statement that no program sent.
    pub(crate) fn of_engine(error: &Value) -> Self {
        let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
        Self {
            kind: text("kind"),
            condition: Some(text("condition")),
            complaint: error["id"].as_u64().and_then(|number| usize::try_from(number).ok()),
            message: text("text"),
            ..Self::default()
        }
    }

    /// The failure as a plain value, for whoever is on the other side of the door.
    pub fn to_value(&self) -> Value {
        json!({
            "kind": self.kind, "condition": self.condition, "complaint": self.complaint, "message": self.message,
            "lines": self.lines, "column": self.column, "hint": self.hint,
        })
    }
}

/// The failure that an exception is.
pub(crate) fn raised(vm: &VirtualMachine, exception: &PyBaseExceptionRef) -> Failure {
    let kind = exception.class().name().to_string();
    let message = exception.as_object().str(vm).map(|text| text.to_string_lossy().into_owned()).unwrap_or_default();
    let attribute = |name: &'static str| -> Option<PyObjectRef> {
        vm.get_attribute_opt(exception.as_object().to_owned(), name).ok().flatten()
    };
    let condition = attribute("_condition").and_then(|value| value.downcast::<PyStr>().ok());
    let complaint = attribute("_complaint").and_then(|value| usize::try_from_object(vm, value).ok());
    let mut lines = Vec::new();
    let mut traceback = exception.__traceback__();
    while let Some(at) = traceback {
        if at.frame.code.source_path.as_str() == PROGRAM {
            lines.push(at.lineno.get());
        }
        traceback = at.next.lock().clone();
    }
    let hint = hint(&kind, &message);
    let condition = condition.map(|text| text.to_string_lossy().into_owned());
    Failure { kind, condition, complaint, message, lines, column: None, hint }
}

/// The failure of text that is no Python.
pub(crate) fn unreadable(error: &vm::compiler::CompileError, text: &str) -> Failure {
    let (line, column) = error.python_location();
    let message = error.to_string();
    let hint = unreadable_hint(text.lines().nth(line.saturating_sub(1)).unwrap_or_default());
    Failure { kind: "SyntaxError".into(), message, lines: vec![line], column: Some(column), hint, ..Failure::default() }
}

/// What usually helps against an exception of Python's own.
fn hint(kind: &str, message: &str) -> Option<String> {
    let name = message.split('\'').nth(1).unwrap_or_default();
    let hint = match (kind, name) {
        ("NameError", "col" | "lit" | "when" | "expr" | "sum" | "row_number" | "to_date" | "concat_ws" | "sha2" | "coalesce") => {
            format!("Write F.{name}, or import it: from pyspark.sql.functions import {name}")
        }
        ("NameError", "StructType" | "StructField" | "StringType" | "IntegerType" | "LongType" | "DateType" | "TimestampType") => {
            "Import the types first: from pyspark.sql.types import *".to_owned()
        }
        ("NameError", "datetime" | "date" | "timedelta") => format!("Import it first: from datetime import {name}"),
        ("NameError", "reduce") => "Import it first: from functools import reduce".to_owned(),
        ("NameError", "Decimal") => "Import it first: from decimal import Decimal".to_owned(),
        ("NameError", "true") => "Python writes True.".to_owned(),
        ("NameError", "false") => "Python writes False.".to_owned(),
        ("NameError", "null") => "Python writes None.".to_owned(),
        ("TypeError", _) if message.contains("unsupported operand type(s) for &") || message.contains("for |") => {
            "& and | bind tighter than a comparison: put each comparison in parentheses, (a > 1) & (b > 2).".to_owned()
        }
        ("PySparkValueError", _) if message.contains("CANNOT_CONVERT_COLUMN_INTO_BOOL") => {
            "`and`, `or`, `not` and `if` ask for one answer now, but a column has one for each row: write (…) & (…), (…) | (…), ~(…). Parentheses are needed around comparisons, and a chain such as 1 < c < 5 needs two of them.".to_owned()
        }
        ("RecursionError", _) => "Something calls itself without an end.".to_owned(),
        _ => return None,
    };
    Some(hint)
}

/// What usually helps where a line cannot be read.
fn unreadable_hint(line: &str) -> Option<String> {
    let start = line.trim_start();
    let first = start.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default().to_uppercase();
    if [
        "SELECT", "MERGE", "INSERT", "UPDATE", "DELETE", "CREATE", "WITH", "DESCRIBE", "SET", "OPTIMIZE", "ALTER",
        "DROP",
    ]
    .contains(&first.as_str())
    {
        return Some("This line is SQL: put it into spark.sql(\"…\"), or switch the language to SQL.".to_owned());
    }
    if start.starts_with('.') {
        return Some(
            "A line cannot begin with a dot: put the whole chain in parentheses, or end the line before with a backslash."
                .to_owned(),
        );
    }
    if line.trim_end().ends_with('\\') || start.contains("if ") && start.contains(" = ") {
        return Some("A comparison is written ==; = gives a name its value.".to_owned());
    }
    None
}
