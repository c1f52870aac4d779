//! What stands in FROM, and the tables that are none.

use crate::ident;
use crate::mark::Note;
use crate::printer::Printer;
use spec::{JoinConstraint, JoinKind, Name, Query, QueryBody, Relation, TimeTravel};

/// Rows that a program holds go by a name in this schema.
const ROWS: &str = "@rows";
/// Data frames that `spark.sql` was given go by a view with this in front of their name.
const GIVEN: &str = "_mergelab_";

/// Whether the name stands for rows that are in no table.
pub(crate) fn is_rows(name: &Name) -> bool {
    matches!(name.parts.as_slice(), [schema, _] if schema.value == ROWS)
}

/// What there is to say about a table that only the program has.
pub(crate) fn note_of_table(name: &Name) -> Option<Note> {
    if is_rows(name) {
        let message = format!(
            "{} stands for rows that the program holds, made by createDataFrame or given back by a statement: they are in \
             no table, so SQL has no name for them. Make them a view or a table first.",
            ident::name(name)
        );
        return Some(Note::sql("rows of the program", message));
    }
    match name.parts.as_slice() {
        [only] if only.value.starts_with(GIVEN) => {
            let frame = only.value.get(GIVEN.len()..).unwrap_or_default();
            let message = format!(
                "{} stands for the data frame that the program gave to spark.sql as {frame}; elsewhere it has no name. Make \
                 it a view first.",
                only.value
            );
            Some(Note::sql(&format!("the data frame {frame} of the program"), message))
        }
        _ => None,
    }
}

impl Printer<'_> {
    /// A relation with its joins, each on a line of its own.
    pub(crate) fn relation(&mut self, relation: &Relation) {
        match relation {
            Relation::Table { name, time_travel, alias, .. } => {
                self.put(&ident::name(name));
                if let Some(note) = note_of_table(name) {
                    self.note(&note);
                }
                match time_travel {
                    Some(TimeTravel::Version(version, _)) => self.put(&format!(" VERSION AS OF {version}")),
                    Some(TimeTravel::Timestamp(time)) => {
                        self.put(" TIMESTAMP AS OF ");
                        self.value(time);
                    }
                    None => {}
                }
                self.alias(alias.as_ref());
            }
            // `frame` is for the engine: by now its columns have names that SQL knows.
            Relation::Subquery { query, lateral, alias, frame: _, .. } => {
                if *lateral {
                    self.put("LATERAL ");
                }
                match bare_rows(query).filter(|_| !lateral) {
                    Some(rows) => self.rows(rows),
                    None => self.enclosed(query),
                }
                self.alias(alias.as_ref());
            }
            Relation::Function { name, args, alias, .. } => {
                self.put(&format!("{}(", ident::name(name)));
                self.list(args, |printer, arg| printer.expr(arg));
                self.put(")");
                self.alias(alias.as_ref());
            }
            Relation::Join { left, right, kind, constraint, .. } => {
                self.relation(left);
                self.newline();
                self.put(join_words(*kind, constraint));
                self.put(" ");
                self.right_side(right);
                match constraint {
                    JoinConstraint::None | JoinConstraint::Natural => {}
                    JoinConstraint::On(condition) => {
                        self.put(" ON ");
                        self.condition(condition);
                    }
                    JoinConstraint::Using(columns) => self.put(&format!(" USING {}", ident::list(columns))),
                }
            }
        }
    }

    /// Joins go from left to right.
    fn right_side(&mut self, relation: &Relation) {
        if !matches!(relation, Relation::Join { .. }) {
            return self.relation(relation);
        }
        self.put("(");
        if self.fits(|printer| printer.relation(relation)) {
            self.flat(|printer| printer.relation(relation));
        } else {
            self.indented(|printer| {
                printer.softline();
                printer.relation(relation);
            });
            self.softline();
        }
        self.put(")");
    }
}

/// The rows of a VALUES that is all of the query.
fn bare_rows(query: &Query) -> Option<&[Vec<spec::Expr>]> {
    let Query { ctes, body: QueryBody::Values { rows, alias: None }, order_by, limit: None, offset: None, .. } = query
    else {
        return None;
    };
    (ctes.is_empty() && order_by.is_empty()).then_some(rows)
}

fn join_words(kind: JoinKind, constraint: &JoinConstraint) -> &'static str {
    let natural = matches!(constraint, JoinConstraint::Natural);
    match (kind, natural) {
        (JoinKind::Inner, false) => "JOIN",
        (JoinKind::Cross, false) => "CROSS JOIN",
        (JoinKind::Left, false) => "LEFT JOIN",
        (JoinKind::Right, false) => "RIGHT JOIN",
        (JoinKind::Full, false) => "FULL JOIN",
        (JoinKind::LeftSemi, false) => "LEFT SEMI JOIN",
        (JoinKind::LeftAnti, false) => "LEFT ANTI JOIN",
        (JoinKind::Inner, true) => "NATURAL JOIN",
        (JoinKind::Cross, true) => "NATURAL CROSS JOIN",
        (JoinKind::Left, true) => "NATURAL LEFT JOIN",
        (JoinKind::Right, true) => "NATURAL RIGHT JOIN",
        (JoinKind::Full, true) => "NATURAL FULL JOIN",
        (JoinKind::LeftSemi, true) => "NATURAL LEFT SEMI JOIN",
        (JoinKind::LeftAnti, true) => "NATURAL LEFT ANTI JOIN",
    }
}
