//! Statements walked: which tables they write to, and what goes into which column.

use crate::graph::Node;
use crate::kind::Kind;
use crate::relations::{Columns, Scope, Source, parts};
use crate::usage::Usage;
use spec::{
    Assignment, CreateTable, Expr, Ident, Insert, MatchedAction, MergeInto, Name, NotMatchedAction,
    NotMatchedBySourceAction, QueryBody, StatementKind, TableTarget,
};

/// Learns from one statement.
pub(crate) fn walk(usage: &mut Usage<'_>, statement: &StatementKind) {
    let nothing = Scope::default();
    match statement {
        StatementKind::Merge(merge) => self::merge(usage, merge),
        StatementKind::Query(query) => {
            usage.query(query, &nothing);
        }
        StatementKind::Update(update) => {
            let target = target(usage, &update.table);
            let scope = nothing.with(vec![target.clone()]);
            assign(usage, &target, &update.assignments, &scope);
            update.filter.iter().for_each(|filter| usage.condition(filter, &scope));
        }
        StatementKind::Delete(delete) => {
            let scope = nothing.with(vec![target(usage, &delete.table)]);
            delete.filter.iter().for_each(|filter| usage.condition(filter, &scope));
        }
        StatementKind::Insert(insert) => self::insert(usage, insert),
        StatementKind::CreateTable(create) => self::create(usage, create),
        StatementKind::CreateView(view) => {
            let (named, stars) = usage.query(&view.query, &nothing);
            define(usage, &view.name, Columns::Query { named, stars });
        }
        StatementKind::CreateTableLike(create) => {
            let columns = usage.named_columns(&create.source);
            define(usage, &create.name, columns);
        }
        // A statement around a table says nothing about its columns.
        _ => {}
    }
}

fn define(usage: &mut Usage<'_>, name: &Name, columns: Columns) {
    usage.named.insert(parts(name).join(".").to_lowercase(), columns);
}

fn create(usage: &mut Usage<'_>, create: &CreateTable) {
    if let Some(query) = &create.query {
        usage.query(query, &Scope::default());
    }
    define(usage, &create.name, Columns::Known);
}

fn target(usage: &mut Usage<'_>, target: &TableTarget) -> Source {
    let columns = usage.named_columns(&target.name);
    if let Columns::Table(table) = columns
        && let Some(table) = usage.graph.tables.get_mut(table)
    {
        table.is_target = true;
    }
    Source::new(target.alias.as_ref().map_or(target.name.last(), |alias| &alias.value), columns)
}

fn assign(usage: &mut Usage<'_>, target: &Source, assignments: &[Assignment], scope: &Scope) {
    for Assignment { column, value } in assignments {
        set(usage, target, column, value, scope);
    }
}

fn set(usage: &mut Usage<'_>, target: &Source, column: &Name, value: &Expr, scope: &Scope) {
    let node = usage.expr(value, scope);
    if let Some(column) = target.column(&mut usage.graph, column.last()) {
        usage.graph.join(column, node);
    }
}

fn merge(usage: &mut Usage<'_>, merge: &MergeInto) {
    let nothing = Scope::default();
    let hidden = usage.named.clone();
    for cte in &merge.ctes {
        let (named, stars) = usage.query(&cte.query, &nothing);
        usage.named.insert(cte.name.value.to_lowercase(), Columns::Query { named, stars });
    }
    let sources = usage.relation(&merge.source, &nothing);
    usage.named = hidden;
    let target = target(usage, &merge.target);
    let of_target = nothing.with(vec![target.clone()]);
    let of_source = nothing.with(sources.clone());
    let both = of_target.with(sources.clone());
    usage.condition(&merge.on, &both);
    let mut copies_all = false;
    for clause in &merge.matched {
        clause.condition.iter().for_each(|condition| usage.condition(condition, &both));
        match &clause.action {
            MatchedAction::Update(assignments) => assign(usage, &target, assignments, &both),
            MatchedAction::UpdateAll => copies_all = true,
            MatchedAction::Delete => {}
        }
    }
    for clause in &merge.not_matched {
        clause.condition.iter().for_each(|condition| usage.condition(condition, &of_source));
        match &clause.action {
            NotMatchedAction::Insert { columns, values } => {
                let pairs = columns.iter().zip(values);
                pairs.for_each(|(column, value)| set(usage, &target, column, value, &of_source));
            }
            NotMatchedAction::InsertAll => copies_all = true,
        }
    }
    for clause in &merge.not_matched_by_source {
        clause.condition.iter().for_each(|condition| usage.condition(condition, &of_target));
        if let NotMatchedBySourceAction::Update(assignments) = &clause.action {
            assign(usage, &target, assignments, &of_target);
        }
    }
    if let (true, Some(source)) = (copies_all, sources.first()) {
        copy_all(usage, &target, source);
    }
}

/// `UPDATE SET *` and `INSERT *` want every column of the target in the source. A target with nothing but its key gets
/// a column that can change.
fn copy_all(usage: &mut Usage<'_>, target: &Source, source: &Source) {
    let Columns::Table(table) = target.columns else { return };
    let columns = |usage: &Usage<'_>| -> Vec<(String, Node)> {
        usage.graph.tables.get(table).map(|table| table.columns.clone()).unwrap_or_default()
    };
    let is_plain = |(_, node): &(String, Node)| !usage.graph.keys().contains(node);
    if !columns(usage).iter().any(is_plain) {
        // A source may show such a column already; then it is the one to copy.
        let shown = source.stars().into_iter().filter_map(|table| usage.graph.tables.get(table));
        let of_source = shown.flat_map(|table| table.columns.clone()).find(is_plain).map(|(name, _)| name);
        let has_room = !source.stars().is_empty();
        if let Some(name) = of_source.or_else(|| has_room.then(|| "value".to_owned())) {
            usage.graph.column(table, &name);
        }
    }
    for (name, node) in columns(usage) {
        if let Some(other) = source.column(&mut usage.graph, &name) {
            usage.graph.join(node, other);
        }
        // Every table behind the stars of a UNION shows the same columns.
        for behind in source.stars() {
            if !source.named().iter().any(|(named, _)| named.eq_ignore_ascii_case(&name)) {
                let other = usage.graph.column(behind, &name);
                usage.graph.join(node, other);
            }
        }
    }
}

fn insert(usage: &mut Usage<'_>, insert: &Insert) {
    let (named, stars) = usage.query(&insert.source, &Scope::default());
    let target = target(usage, &insert.table);
    let Columns::Table(table) = target.columns else { return };
    if let QueryBody::Values { rows, .. } = &insert.source.body {
        for row in rows {
            let nodes: Vec<Node> = row.iter().map(|value| usage.expr(value, &Scope::default())).collect();
            fill(usage, table, &insert.columns, &[], &nodes);
        }
        return;
    }
    let (names, nodes): (Vec<String>, Vec<Node>) = named.into_iter().unzip();
    fill(usage, table, &insert.columns, &names, &nodes);
    // `INSERT INTO t SELECT * FROM u`: what `u` is known to have by now.
    for behind in stars.into_iter().filter(|behind| *behind != table) {
        let columns = usage.graph.tables.get(behind).map(|table| table.columns.clone()).unwrap_or_default();
        for (name, node) in columns {
            let column = usage.graph.column(table, &name);
            usage.graph.join(column, node);
        }
    }
}

/// Values go into the listed columns, else into columns called as the query calls them, else into new ones.
fn fill(usage: &mut Usage<'_>, table: usize, listed: &[Ident], names: &[String], nodes: &[Node]) {
    for (idx, node) in nodes.iter().enumerate() {
        let listed = listed.get(idx).map(|column| column.value.clone());
        let name = listed
            .or_else(|| names.get(idx).filter(|name| !name.is_empty()).cloned())
            .unwrap_or_else(|| format!("c{}", idx + 1));
        let column = usage.graph.column(table, &name);
        usage.graph.join(column, *node);
        if usage.graph.kind(column).is_none() {
            usage.graph.is(column, Kind::of_column_name(&name.to_lowercase()).unwrap_or(Kind::Text));
        }
    }
}
