//! A program with Delta's builder: the source, then a chain with one call a line.
//!
//! Conditions and values are SQL in strings, as the builder takes them. Clauses keep the order of the statement.

use crate::ident;
use crate::mark::{self, Marks, Mirrored, Note};
use crate::plain::{all_of, query_of};
use crate::printer::{Layout, Printer};
use crate::python_text::{block, string};
use crate::relation::{is_rows, note_of_table};
use spec::{
    Assignment, Cte, Expr, ExprKind, Literal, MatchedAction, MergeInto, Name, NotMatchedAction,
    NotMatchedBySourceAction, Query, QueryBody, Relation, TableAlias, TimeTravel,
};

/// How long a line may get before its arguments get lines of their own.
const WIDTH: usize = 100;
/// How long a query may get before it is laid out over lines.
const SHORT_QUERY: usize = 64;

/// The line that every program with a builder begins with.
pub const IMPORT: &str = "from delta.tables import DeltaTable";

/// The program of a statement that is plain.
pub(crate) fn merge(merge: &MergeInto, marks: &Marks) -> Mirrored {
    let mut program = Program { marks, text: format!("{IMPORT}\n\n"), notes: Vec::new() };
    let source = program.source(merge);
    program.text.push_str("(\n");
    program.target(merge);
    let on = program.condition(&merge.on);
    program.call("merge", &[source, on]);
    if merge.schema_evolution {
        program.call("withSchemaEvolution", &[]);
    }
    program.clauses(merge);
    program.call("execute", &[]);
    program.text.push(')');
    Mirrored { text: program.text, notes: program.notes }
}

struct Program<'a> {
    marks: &'a Marks,
    text: String,
    notes: Vec<Note>,
}

/// An entry of a dict: its key, its value, and a comment behind it.
struct Entry {
    key: String,
    value: String,
    comment: Option<String>,
}

impl Program<'_> {
    /// The data frame to merge; a query is given a name in front of the chain.
    fn source(&mut self, merge: &MergeInto) -> String {
        if merge.ctes.is_empty()
            && let Relation::Table { name, time_travel, alias, .. } = &merge.source
            && let Some(reader) = reader(name, time_travel.as_ref())
            && note_of_table(name).is_none()
        {
            return format!("{reader}{}", alias_call(alias.as_ref().map(|alias| alias.name.value.as_str())));
        }
        let (query, alias) = source_query(merge);
        let line = self.sql(Layout::Line, 0, |printer| printer.query(&query));
        let text = if line.chars().count() <= SHORT_QUERY {
            string(&line)
        } else {
            let lines = self.sql(Layout::Block, 4, |printer| printer.query(&query));
            block(&format!("\n    {lines}\n"))
        };
        self.text.push_str(&format!("source = spark.sql({text})\n\n"));
        format!("source{}", alias_call(alias.as_deref()))
    }

    fn target(&mut self, merge: &MergeInto) {
        let target = match path_of(&merge.target.name) {
            Some(path) => format!("DeltaTable.forPath(spark, {})", string(path)),
            None => format!("DeltaTable.forName(spark, {})", string(&ident::name(&merge.target.name))),
        };
        self.text.push_str(&format!("    {target}\n"));
        if let Some(alias) = &merge.target.alias {
            self.call("alias", &[string(&alias.value)]);
        }
    }

    fn clauses(&mut self, merge: &MergeInto) {
        for clause in &merge.matched {
            let condition = clause.condition.as_ref();
            match &clause.action {
                MatchedAction::UpdateAll => self.clause("whenMatchedUpdateAll", condition, None),
                MatchedAction::Update(assignments) => {
                    let set = self.assigned(assignments);
                    self.clause("whenMatchedUpdate", condition, Some(("set", set)));
                }
                MatchedAction::Delete => self.clause("whenMatchedDelete", condition, None),
            }
        }
        for clause in &merge.not_matched {
            let condition = clause.condition.as_ref();
            match &clause.action {
                NotMatchedAction::InsertAll => self.clause("whenNotMatchedInsertAll", condition, None),
                NotMatchedAction::Insert { columns, values } => {
                    let values = self.entries(columns.iter().zip(values));
                    self.clause("whenNotMatchedInsert", condition, Some(("values", values)));
                }
            }
        }
        for clause in &merge.not_matched_by_source {
            let condition = clause.condition.as_ref();
            match &clause.action {
                NotMatchedBySourceAction::Update(assignments) => {
                    let set = self.assigned(assignments);
                    self.clause("whenNotMatchedBySourceUpdate", condition, Some(("set", set)));
                }
                NotMatchedBySourceAction::Delete => self.clause("whenNotMatchedBySourceDelete", condition, None),
            }
        }
    }

    fn assigned(&mut self, assignments: &[Assignment]) -> Vec<Entry> {
        self.entries(assignments.iter().map(|assignment| (&assignment.column, &assignment.value)))
    }

    fn entries<'e>(&mut self, pairs: impl Iterator<Item = (&'e Name, &'e Expr)>) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        for (column, value) in pairs {
            let (key, value) = (string(&ident::key(column)), self.value(value));
            let again = entries.iter().any(|entry| entry.key == key);
            let comment = again.then(|| self.second_value(column));
            entries.push(Entry { key, value, comment });
        }
        entries
    }

    /// SQL complains about a column that is assigned twice; a dict keeps what comes last and says nothing.
    fn second_value(&mut self, column: &Name) -> String {
        let message =
            format!("The statement assigns {column} twice, which is an error; a dict keeps the last value only.");
        let note = Note::python("the same key again: a dict keeps the last value only", message);
        mark::add(&mut self.notes, &note);
        note.mark
    }

    fn clause(&mut self, method: &str, condition: Option<&Expr>, dict: Option<(&str, Vec<Entry>)>) {
        let condition = condition.map(|condition| format!("condition={}", self.condition(condition)));
        let Some((name, entries)) = dict else {
            return self.call(method, &condition.into_iter().collect::<Vec<_>>());
        };
        let spread = entries.len() > 1 || entries.iter().any(|entry| entry.comment.is_some());
        if !spread {
            let pairs: Vec<String> = entries.iter().map(|entry| format!("{}: {}", entry.key, entry.value)).collect();
            let dict = format!("{name}={{{}}}", pairs.join(", "));
            return self.call(method, &condition.into_iter().chain([dict]).collect::<Vec<_>>());
        }
        let alone = condition.is_none();
        let indent = if alone { "    " } else { "        " };
        self.text.push_str(&format!("    .{method}("));
        if let Some(condition) = condition {
            self.text.push_str(&format!("\n        {condition},\n        "));
        }
        self.text.push_str(&format!("{name}={{\n"));
        for Entry { key, value, comment } in entries {
            let comment = comment.map(|comment| format!("  {comment}")).unwrap_or_default();
            self.text.push_str(&format!("{indent}    {key}: {value},{comment}\n"));
        }
        self.text.push_str(&format!("{indent}}}{}\n", if alone { ")" } else { ",\n    )" }));
    }

    /// One call of the chain; arguments that are too long for the line get lines of their own.
    fn call(&mut self, method: &str, args: &[String]) {
        let line = format!("    .{method}({})", args.join(", "));
        if args.is_empty() || (line.chars().count() <= WIDTH && !line.contains('\n')) {
            self.text.push_str(&line);
        } else {
            self.text.push_str(&format!("    .{method}(\n"));
            for arg in args {
                self.text.push_str(&format!("        {arg},\n"));
            }
            self.text.push_str("    )");
        }
        self.text.push('\n');
    }

    /// A value as a string of Python.
    fn value(&mut self, expr: &Expr) -> String {
        string(&self.sql(Layout::Line, 0, |printer| printer.expr(expr)))
    }

    /// A condition as a string of Python, with a line for each of its parts where it is too long for one.
    fn condition(&mut self, expr: &Expr) -> String {
        let lines = self.sql(Layout::Block, 8, |printer| printer.condition(expr));
        if lines.contains('\n') { block(&format!("\n        {lines}\n        ")) } else { self.value(expr) }
    }

    fn sql(&mut self, layout: Layout, indent: usize, print: impl FnOnce(&mut Printer<'_>)) -> String {
        let mut printer = Printer::new(layout, indent, self.marks);
        print(&mut printer);
        let printed = printer.finish();
        printed.notes.iter().for_each(|note| mark::add(&mut self.notes, note));
        printed.text
    }
}

fn alias_call(alias: Option<&str>) -> String {
    alias.map(|alias| format!(".alias({})", string(alias))).unwrap_or_default()
}

/// The folder of ``delta.`path` ``.
fn path_of(name: &Name) -> Option<&str> {
    match name.parts.as_slice() {
        [format, path] if format.is("delta") => Some(&path.value),
        _ => None,
    }
}

/// What reads a table as a data frame, as far as a reader has words for it.
fn reader(name: &Name, time_travel: Option<&TimeTravel>) -> Option<String> {
    let option = match time_travel {
        None => None,
        Some(TimeTravel::Version(version, _)) => Some(format!(".option(\"versionAsOf\", {version})")),
        Some(TimeTravel::Timestamp(time)) => match &time.kind {
            ExprKind::Literal(Literal::String(time)) => Some(format!(".option(\"timestampAsOf\", {})", string(time))),
            _ => return None,
        },
    };
    Some(match (path_of(name), option) {
        (Some(path), option) => {
            format!("spark.read.format(\"delta\"){}.load({})", option.unwrap_or_default(), string(path))
        }
        (None, Some(option)) => format!("spark.read{option}.table({})", string(&ident::name(name))),
        (None, None) => format!("spark.table({})", string(&ident::name(name))),
    })
}

/// The source as a query of its own, and the name of its columns. The CTEs of the statement belong to it.
fn source_query(merge: &MergeInto) -> (Query, Option<String>) {
    let (mut query, alias) = match &merge.source {
        Relation::Subquery { query, alias, .. } => ((**query).clone(), alias.as_ref()),
        Relation::Table { name, time_travel, alias, span } => {
            let from =
                Relation::Table { name: name.clone(), time_travel: time_travel.clone(), alias: None, span: *span };
            // The data frame of a query has no name; in SQL a table's own is one.
            let own = || TableAlias { name: spec::Ident::new(name.last(), *span), columns: Vec::new() };
            let alias = alias.clone().or_else(|| (!is_rows(name)).then(own));
            return (with_ctes(&merge.ctes, all_of(from)), alias.map(|alias| alias.name.value));
        }
        Relation::Function { alias, .. } => (all_of(merge.source.clone()), alias.as_ref()),
        Relation::Join { .. } => (all_of(merge.source.clone()), None),
    };
    query = with_ctes(&merge.ctes, query);
    (query, alias.map(|alias| alias.name.value.clone()))
}

fn with_ctes(outer: &[Cte], mut query: Query) -> Query {
    let again = |own: &Cte| outer.iter().any(|cte| cte.name.is(&own.name.value));
    if query.ctes.iter().any(again) {
        // A query of its own, so that its names go before those around it.
        let body = QueryBody::Query(Box::new(query));
        return Query { ctes: outer.to_vec(), ..query_of(body) };
    }
    query.ctes.splice(0..0, outer.iter().cloned());
    query
}
