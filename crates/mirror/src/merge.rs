//! MERGE INTO.

use crate::ident;
use crate::mark::Note;
use crate::plain;
use crate::printer::Printer;
use spec::{
    Assignment, BinaryOp, Expr, ExprKind, MatchedAction, MergeInto, Name, NotMatchedAction, NotMatchedBySourceAction,
    Relation,
};

impl Printer<'_> {
    /// The whole statement.
    pub(crate) fn merge(&mut self, merge: &MergeInto) {
        self.ctes(&merge.ctes);
        self.put(if merge.schema_evolution { "MERGE WITH SCHEMA EVOLUTION INTO " } else { "MERGE INTO " });
        self.put(&ident::name(&merge.target.name));
        if let Some(alias) = &merge.target.alias {
            self.put(&format!(" AS {}", ident::ident(alias)));
        }
        self.newline();
        self.put("USING ");
        self.merge_source(&merge.source);
        self.newline();
        self.put("ON ");
        self.condition(&merge.on);
        for clause in &merge.matched {
            self.when("WHEN MATCHED", clause.condition.as_ref());
            match &clause.action {
                MatchedAction::UpdateAll => self.put(" UPDATE SET *"),
                MatchedAction::Update(assignments) => self.update(assignments),
                MatchedAction::Delete => self.put(" DELETE"),
            }
        }
        for clause in &merge.not_matched {
            self.when("WHEN NOT MATCHED", clause.condition.as_ref());
            match &clause.action {
                NotMatchedAction::InsertAll => self.put(" INSERT *"),
                NotMatchedAction::Insert { columns, values } => self.insert(columns, values),
            }
        }
        for clause in &merge.not_matched_by_source {
            self.when("WHEN NOT MATCHED BY SOURCE", clause.condition.as_ref());
            match &clause.action {
                NotMatchedBySourceAction::Update(assignments) => self.update(assignments),
                NotMatchedBySourceAction::Delete => self.put(" DELETE"),
            }
        }
    }

    /// A table or a query in parentheses: a MERGE takes nothing else, not even a bare VALUES.
    fn merge_source(&mut self, source: &Relation) {
        match source {
            Relation::Subquery { query, alias, .. } => {
                self.enclosed(query);
                self.alias(alias.as_ref());
            }
            Relation::Table { time_travel: None, .. } => self.relation(source),
            Relation::Table { name, time_travel, alias, span } => {
                let (name, time_travel) = (name.clone(), time_travel.clone());
                let alias = alias.as_ref().map_or_else(|| ident::word(name.last()), |alias| ident::ident(&alias.name));
                self.enclosed(&plain::all_of(Relation::Table { name, time_travel, alias: None, span: *span }));
                self.put(&format!(" AS {alias}"));
            }
            // `plain` has put these into a query.
            Relation::Function { .. } | Relation::Join { .. } => self.relation(source),
        }
    }

    fn when(&mut self, words: &str, condition: Option<&Expr>) {
        self.newline();
        self.put(words);
        if let Some(condition) = condition {
            self.put(" AND ");
            // Only for the reader, who would take the AND of the header for a part of it.
            let is_or = matches!(condition.kind, ExprKind::Binary { op: BinaryOp::Or, .. });
            self.put(if is_or { "(" } else { "" });
            self.condition(condition);
            self.put(if is_or { ")" } else { "" });
        }
        self.put(" THEN");
    }

    fn update(&mut self, assignments: &[Assignment]) {
        self.put(" UPDATE SET ");
        if assignments.is_empty() {
            return self.nothing("UPDATE SET", "set={}");
        }
        self.items(assignments, assignments.len() > 1, |printer, assignment| {
            printer.put(&format!("{} = ", ident::name(&assignment.column)));
            printer.expr(&assignment.value);
        });
    }

    fn insert(&mut self, columns: &[Name], values: &[Expr]) {
        if columns.is_empty() {
            self.put(" INSERT () VALUES ()");
            return self.nothing("INSERT", "values={}");
        }
        let names: Vec<String> = columns.iter().map(ident::name).collect();
        let values = |printer: &mut Self| {
            printer.put("VALUES (");
            printer.list(values, |printer, value| printer.expr(value));
            printer.put(")");
        };
        let head = format!("INSERT ({})", names.join(", "));
        let line = |printer: &mut Self| {
            printer.put(&format!(" {head} "));
            values(printer);
        };
        if self.fits(line) {
            return self.flat(line);
        }
        self.indented(|printer| {
            printer.newline();
            printer.put(&head);
            printer.newline();
            values(printer);
        });
    }

    fn nothing(&mut self, verb: &str, given: &str) {
        let message = format!("A builder takes {given}; SQL has no {verb} that names no column.");
        self.note(&Note::sql(&format!("{given}: no column is named"), message));
    }
}
