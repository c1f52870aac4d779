//! Statements as short text; see `sexpr`.

use crate::sexpr::{clause, ctes, data_type, expr, flag, form, ident, maybe, name, query, relation};
use spec::{
    AlterAction, Assignment, ColumnDef, ColumnPosition, Command, DefaultChange, Expr, InsertMode, MatchedAction,
    MergeInto, NewColumn, NotMatchedAction, NotMatchedBySourceAction, Provider, Statement, StatementKind, TableTarget,
    TimeTravel,
};

fn target(table: &TableTarget) -> String {
    format!("{}{}", name(&table.name), table.alias.as_ref().map_or(String::new(), |alias| format!(":{}", ident(alias))))
}

fn sets(list: &[Assignment]) -> Vec<String> {
    list.iter().map(|set| form("set", [name(&set.column), expr(&set.value)])).collect()
}

fn columns(list: &[ColumnDef]) -> String {
    clause(
        "columns",
        list.iter().map(|column| {
            let comment = column.comment.as_ref().map_or(String::new(), |text| format!("{text:?}"));
            let default = maybe("default", column.default.as_ref().map(expr));
            let generated = maybe("generated", column.generated.as_ref().map(expr));
            let required = flag(!column.nullable, "not-null");
            let identity = column.identity.as_ref().map(|identity| {
                let kind = if identity.by_default { "by-default" } else { "always" };
                format!("{kind} {} {}", identity.start, identity.step)
            });
            let rest = [comment, default, generated, maybe("identity", identity)];
            form(&ident(&column.name), [vec![data_type(&column.data_type), required], rest.to_vec()].concat())
        }),
    )
}

fn merge(node: &MergeInto) -> String {
    let when = |kind: &str, condition: &Option<Expr>, action: Vec<String>| {
        form(kind, std::iter::once(maybe("and", condition.as_ref().map(expr))).chain(action))
    };
    let mut parts = vec![ctes(&node.ctes), flag(node.schema_evolution, "evolve")];
    parts.extend([target(&node.target), relation(&node.source), form("on", [expr(&node.on)])]);
    parts.extend(node.matched.iter().map(|clause| {
        let action = match &clause.action {
            MatchedAction::UpdateAll => vec!["update *".to_owned()],
            MatchedAction::Update(list) => sets(list),
            MatchedAction::Delete => vec!["delete".to_owned()],
        };
        when("matched", &clause.condition, action)
    }));
    parts.extend(node.not_matched.iter().map(|clause| {
        let action = match &clause.action {
            NotMatchedAction::InsertAll => vec!["insert *".to_owned()],
            NotMatchedAction::Insert { columns, values } => {
                let pairs = columns.iter().zip(values);
                pairs.map(|(column, value)| form("insert", [name(column), expr(value)])).collect()
            }
        };
        when("not-matched", &clause.condition, action)
    }));
    parts.extend(node.not_matched_by_source.iter().map(|clause| {
        let action = match &clause.action {
            NotMatchedBySourceAction::Update(list) => sets(list),
            NotMatchedBySourceAction::Delete => vec!["delete".to_owned()],
        };
        when("by-source", &clause.condition, action)
    }));
    form("merge", parts)
}

fn command(node: &Command) -> String {
    let text = |text: &Option<String>| text.as_ref().map_or(String::new(), |text| format!("{text:?}"));
    let filter = |filter: &Option<Expr>| maybe("where", filter.as_ref().map(expr));
    match node {
        Command::Optimize(node) => {
            let by = clause("zorder", node.zorder_by.iter().map(name));
            form("optimize", [name(&node.table), flag(node.full.is_some(), "full"), filter(&node.filter), by])
        }
        Command::Reorg { table, filter: condition } => form("reorg", [name(table), filter(condition)]),
        Command::Vacuum(node) => {
            let retain = maybe("retain", node.retain.map(|retain| retain.hours.to_string()));
            let flags = [flag(node.lite, "lite"), retain, flag(node.dry_run, "dry-run")];
            form("vacuum", [vec![name(&node.table)], flags.to_vec()].concat())
        }
        Command::Restore { table, to } => {
            let to = match to {
                TimeTravel::Version(version, _) => format!("version {version}"),
                TimeTravel::Timestamp(time) => form("timestamp", [expr(time)]),
            };
            form("restore", [name(table), to])
        }
        Command::Truncate { table } => form("truncate", [name(table)]),
        Command::ShowColumns { table } => form("show-columns", [name(table)]),
        Command::ShowCreateTable { table } => form("show-create-table", [name(table)]),
        Command::ShowProperties { table, key } => form("show-properties", [name(table), text(key)]),
        Command::ShowPartitions { table } => form("show-partitions", [name(table)]),
        Command::ShowViews { schema, pattern } => {
            form("show-views", [schema.as_ref().map(name).unwrap_or_default(), text(pattern)])
        }
        Command::ShowSchemas { pattern } => form("show-schemas", [text(pattern)]),
        Command::ShowSettings { key } => form("show-settings", [text(key)]),
        Command::Reset { key } => form("reset", [text(key)]),
    }
}

pub(crate) fn statement(node: &Statement) -> String {
    match &node.kind {
        StatementKind::CreateSchema { name: schema, if_not_exists } => {
            form("create-schema", [name(schema), flag(*if_not_exists, "if-not-exists")])
        }
        StatementKind::Use { name: schema } => form("use", [name(schema)]),
        StatementKind::CreateTable(table) => {
            let provider = match &table.provider {
                Provider::Default => "default".to_owned(),
                Provider::Delta => "delta".to_owned(),
                Provider::Parquet => "parquet".to_owned(),
                Provider::Other(format) => ident(format),
            };
            let properties = table.properties.iter().map(|(key, value)| format!("{key}={value:?}"));
            form(
                &format!("create-table {:?}", table.mode),
                [
                    name(&table.name),
                    provider,
                    columns(&table.columns),
                    clause("by", table.partitioned_by.iter().map(ident)),
                    clause("clustered-by", table.clustered_by.iter().map(name)),
                    maybe("location", table.location.clone()),
                    maybe("comment", table.comment.clone()),
                    clause("properties", properties),
                    table.query.as_ref().map_or(String::new(), query),
                ],
            )
        }
        StatementKind::CreateTableLike(table) => {
            let properties = table.properties.iter().map(|(key, value)| format!("{key}={value:?}"));
            let flags = [flag(table.if_not_exists, "if-not-exists"), maybe("location", table.location.clone())];
            let names = vec![name(&table.name), name(&table.source)];
            form("create-table-like", [names, flags.to_vec(), vec![clause("properties", properties)]].concat())
        }
        StatementKind::AlterTable(alter) => form("alter-table", [name(&alter.table), alter_action(&alter.action)]),
        StatementKind::CommentOnTable { table, comment } => {
            form("comment-on", [name(table), maybe("is", comment.clone())])
        }
        StatementKind::CreateView(view) => {
            let flags = [flag(view.or_replace, "or-replace"), flag(view.temporary, "temp")];
            let rest = [clause("columns", view.columns.iter().map(ident)), query(&view.query)];
            form("create-view", [vec![name(&view.name)], flags.to_vec(), rest.to_vec()].concat())
        }
        StatementKind::DropTable { name: table, if_exists } => {
            form("drop-table", [name(table), flag(*if_exists, "if-exists")])
        }
        StatementKind::DropView { name: view, if_exists } => {
            form("drop-view", [name(view), flag(*if_exists, "if-exists")])
        }
        // SQL saves no frames.
        StatementKind::Save(_) => "<save>".to_owned(),
        StatementKind::Insert(insert) => {
            let mode = match &insert.mode {
                InsertMode::Append => String::new(),
                InsertMode::Overwrite => "overwrite".to_owned(),
                InsertMode::ReplaceWhere(condition) => form("replace-where", [expr(condition)]),
            };
            let listed = clause("columns", insert.columns.iter().map(ident));
            let partition = insert.partition.iter().map(|part| {
                let value = part.value.as_ref().map_or(String::new(), |value| format!("={}", expr(value)));
                format!("{}{value}", ident(&part.column))
            });
            let rest = [listed, flag(insert.by_name, "by-name"), query(&insert.source)];
            form("insert", [vec![target(&insert.table), mode, clause("partition", partition)], rest.to_vec()].concat())
        }
        StatementKind::Update(update) => {
            let filter = maybe("where", update.filter.as_ref().map(expr));
            form("update", [vec![target(&update.table)], sets(&update.assignments), vec![filter]].concat())
        }
        StatementKind::Delete(delete) => {
            form("delete", [target(&delete.table), maybe("where", delete.filter.as_ref().map(expr))])
        }
        StatementKind::Merge(node) => merge(node),
        StatementKind::Query(node) => query(node),
        StatementKind::DescribeHistory { table, limit } => {
            form("history", [name(table), maybe("limit", limit.map(|limit| limit.to_string()))])
        }
        StatementKind::DescribeDetail { table } => form("detail", [name(table)]),
        StatementKind::DescribeTable { table, extended } => {
            form("describe", [name(table), flag(*extended, "extended")])
        }
        StatementKind::ShowTables { schema, pattern } => {
            form("show-tables", [schema.as_ref().map(name).unwrap_or_default(), maybe("like", pattern.clone())])
        }
        StatementKind::Command(node) => command(node),
        StatementKind::Set { key, value } => form("set", [format!("{key:?}"), format!("{value:?}")]),
    }
}

fn alter_action(action: &AlterAction) -> String {
    let new_columns = |columns: &[NewColumn]| {
        let one = |new: &NewColumn| {
            let position = match &new.position {
                None => String::new(),
                Some(ColumnPosition::First) => "first".to_owned(),
                Some(ColumnPosition::After(column)) => form("after", [ident(column)]),
            };
            let parent = new.parent.iter().map(|part| format!("{}.", ident(part))).collect::<String>();
            form("column", [format!("{parent}{}", columns_text(&new.column)), position])
        };
        columns.iter().map(one).collect::<Vec<_>>()
    };
    match action {
        AlterAction::AddColumns(columns) => form("add", new_columns(columns)),
        AlterAction::ReplaceColumns(columns) => form("replace", new_columns(columns)),
        AlterAction::ChangeColumn(change) => {
            let position = match &change.position {
                None => String::new(),
                Some(ColumnPosition::First) => "first".to_owned(),
                Some(ColumnPosition::After(column)) => form("after", [ident(column)]),
            };
            let default = match &change.default {
                None => String::new(),
                Some(DefaultChange::Set(value)) => form("default", [expr(value)]),
                Some(DefaultChange::Drop) => "drop-default".to_owned(),
            };
            let data_type = change.data_type.as_ref().map(|data_type| format!("{data_type:?}"));
            let nullable = change.nullable.map(|nullable| nullable.to_string());
            let rest = [maybe("comment", change.comment.clone()), position, default];
            let first = [name(&change.column), maybe("type", data_type), maybe("nullable", nullable)];
            form("change", [first.to_vec(), rest.to_vec()].concat())
        }
        AlterAction::RenameColumn { column, to } => form("rename-column", [name(column), ident(to)]),
        AlterAction::DropColumns { columns, if_exists } => {
            form("drop", [clause("columns", columns.iter().map(name)), flag(*if_exists, "if-exists")])
        }
        AlterAction::AddConstraint { name: constraint, check } => form("constraint", [ident(constraint), expr(check)]),
        AlterAction::DropConstraint { name: constraint, if_exists } => {
            form("drop-constraint", [ident(constraint), flag(*if_exists, "if-exists")])
        }
        AlterAction::SetProperties(properties) => {
            form("set", properties.iter().map(|(key, value)| format!("{key}={value:?}")))
        }
        AlterAction::UnsetProperties(keys) => form("unset", keys.clone()),
        AlterAction::ClusterBy(columns) => form("cluster-by", columns.iter().map(name)),
        AlterAction::RenameTo(table) => form("rename-to", [name(table)]),
        AlterAction::DropFeature { feature, truncate_history } => {
            form("drop-feature", [ident(feature), flag(*truncate_history, "truncate-history")])
        }
        AlterAction::Partitions => "partitions".to_owned(),
    }
}

fn columns_text(column: &spec::ColumnDef) -> String {
    columns(std::slice::from_ref(column))
}
