//! A MERGE in either language: `spec` printed as Spark SQL, or as a program with Delta's builder.
//!
//! What SQL wrote comes back as the same `spec`: parsing what [`sql()`] prints gives the statement again, spans apart. Comments
//! of the script are no part of it, and so are not here. What a program built of data frames is first made plain: its
//! layers of `SELECT *` are folded, and its columns, which frames know by where they came from, get names. Whatever the
//! other language cannot say stays in the text with a comment beside it and is told in [`Mirrored::notes`]; nothing is left
//! out in silence.

mod call;
mod chain;
mod datetime;
mod expr;
mod ident;
mod interval;
mod literal;
mod mark;
mod merge;
mod plain;
mod printer;
mod python;
mod python_text;
mod query;
mod relation;
mod select;
mod types;
mod window;

pub use mark::{Mirrored, Note};
pub use python::IMPORT;
pub use python_text::{block, string};

use printer::{Layout, Printer};
use spec::{Expr, MergeInto, Query};

/// The statement as Spark SQL, one clause a line, without a semicolon.
pub fn sql(merge: &MergeInto) -> Mirrored {
    let (merge, marks) = plain::merge(merge);
    let mut printer = Printer::new(Layout::Block, 0, &marks);
    printer.merge(&merge);
    printer.finish()
}

/// The statement as a PySpark program with Delta's builder. It expects a session called `spark`, as every notebook has one.
pub fn python(merge: &MergeInto) -> Mirrored {
    let (merge, marks) = plain::merge(merge);
    python::merge(&merge, &marks)
}

/// A query as Spark SQL, one clause a line.
pub fn query(query: &Query) -> Mirrored {
    let (query, marks) = plain::query(query);
    let mut printer = Printer::new(Layout::Block, 0, &marks);
    printer.query(&query);
    printer.finish()
}

/// An expression as Spark SQL, on one line.
pub fn expression(expr: &Expr) -> Mirrored {
    let (expr, marks) = plain::expression(expr);
    let mut printer = Printer::new(Layout::Line, 0, &marks);
    printer.expr(&expr);
    printer.finish()
}
