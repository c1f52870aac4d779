//! Statements of a program: MERGE, UPDATE, DELETE and the commands of `DeltaTable`.

use crate::column::{expr, span_of, text};
use crate::frame::{path_name, table_name};
use crate::{Frames, Script};
use serde_json::Value;
use spec::{
    AlterAction, AlterTable, Assignment, ColumnDef, Command, CreateMode, CreateTable, Delete, Diagnostic, Expr,
    ExprKind, Ident, Insert, InsertMode, Literal, MatchedAction, MatchedClause, MergeInto, Name, NotMatchedAction,
    NotMatchedBySourceAction, NotMatchedBySourceClause, NotMatchedClause, Optimize, Provider, Query, Retain, Save,
    SaveMode, SaveOptions, Span, StatementKind, TableTarget, TimeTravel, Update, Vacuum,
};

type Result<T> = std::result::Result<T, Diagnostic>;

/// The name of a `DeltaTable`: by its name, or by its folder.
///
/// # Errors
/// A name that cannot be read.
pub fn target(target: &Value, span: Span) -> Result<Name> {
    match target["path"].as_str() {
        Some(path) => Ok(path_name(path, span)),
        None => table_name(text(target, "name"), span),
    }
}

fn table_target(asked: &Value, span: Span) -> Result<TableTarget> {
    let alias = asked["alias"].as_str().map(|alias| Ident::new(alias, span));
    Ok(TableTarget { name: target(&asked["target"], span)?, alias, span })
}

/// The MERGE that a builder has put together.
///
/// # Errors
/// No clause, or one that leaves nothing to those after it; a condition that cannot be read.
pub fn merge(script: &mut Script, frames: &Frames, asked: &Value) -> Result<MergeInto> {
    let span = span_of(script, asked);
    let source = asked["source"].as_u64().and_then(|frame| u32::try_from(frame).ok()).unwrap_or(u32::MAX);
    let mut merge = MergeInto {
        ctes: Vec::new(),
        schema_evolution: asked["evolves"].as_bool().unwrap_or(false),
        target: table_target(asked, span)?,
        source: frames.as_source(source, span)?,
        on: expr(script, &asked["on"])?,
        matched: Vec::new(),
        not_matched: Vec::new(),
        not_matched_by_source: Vec::new(),
        span,
    };
    for clause in asked["clauses"].as_array().map_or(&[][..], Vec::as_slice) {
        let at = span_of(script, clause);
        let condition = optional(script, &clause["on"])?;
        match (text(clause, "when"), text(clause, "then")) {
            ("matched", then) => {
                let action = match then {
                    "update all" => MatchedAction::UpdateAll,
                    "update" => MatchedAction::Update(assignments(script, clause)?),
                    _ => MatchedAction::Delete,
                };
                merge.matched.push(MatchedClause { condition, action, span: at });
            }
            ("not matched", then) => {
                let action = if then == "insert all" { NotMatchedAction::InsertAll } else { insert(script, clause)? };
                merge.not_matched.push(NotMatchedClause { condition, action, span: at });
            }
            (_, then) => {
                let action = match then {
                    "update" => NotMatchedBySourceAction::Update(assignments(script, clause)?),
                    _ => NotMatchedBySourceAction::Delete,
                };
                merge.not_matched_by_source.push(NotMatchedBySourceClause { condition, action, span: at });
            }
        }
    }
    check_order(&merge)?;
    Ok(merge)
}

/// The conditions of the builder, which differ from those of SQL in their names.
fn check_order(merge: &MergeInto) -> Result<()> {
    if merge.matched.is_empty() && merge.not_matched.is_empty() && merge.not_matched_by_source.is_empty() {
        let message = "There must be at least one WHEN clause in a MERGE statement.";
        return Err(Diagnostic::new("DELTA_MERGE_MISSING_WHEN", "42601", message, merge.span).with_hint(
            "Say before execute() what to do: whenMatchedUpdateAll(), whenNotMatchedInsertAll() and their like.",
        ));
    }
    let matched = merge.matched.iter().map(|clause| (clause.condition.is_none(), clause.span));
    check_last("MATCHED", matched)?;
    let not_matched = merge.not_matched.iter().map(|clause| (clause.condition.is_none(), clause.span));
    check_last("NOT_MATCHED", not_matched)?;
    let by_source = merge.not_matched_by_source.iter().map(|clause| (clause.condition.is_none(), clause.span));
    check_last("NOT_MATCHED_BY_SOURCE", by_source)
}

/// Only the last clause of a kind may stand without a condition.
fn check_last(kind: &str, clauses: impl ExactSizeIterator<Item = (bool, Span)>) -> Result<()> {
    let last = clauses.len().saturating_sub(1);
    match clauses.take(last).find(|(unconditional, _)| *unconditional) {
        None => Ok(()),
        Some((_, span)) => {
            let words = kind.replace('_', " ");
            let message = format!(
                "When there are more than one {words} clauses in a MERGE statement, only the last can omit the condition."
            );
            let condition = format!("DELTA_NON_LAST_{kind}_CLAUSE_OMIT_CONDITION");
            Err(Diagnostic::new(condition, "42601", message, span)
                .with_hint("Give this clause a condition, or move it to the end."))
        }
    }
}

fn optional(script: &mut Script, node: &Value) -> Result<Option<Expr>> {
    if node.is_null() { Ok(None) } else { expr(script, node).map(Some) }
}

fn pairs(clause: &Value) -> &[Value] {
    clause["pairs"].as_array().or_else(|| clause["set"].as_array()).map_or(&[], Vec::as_slice)
}

fn assignments(script: &mut Script, clause: &Value) -> Result<Vec<Assignment>> {
    let span = span_of(script, clause);
    let one = |pair: &Value, script: &mut Script| {
        let column = assigned(script, pair, span)?;
        Ok(Assignment { column, value: expr(script, &pair[1])? })
    };
    pairs(clause).iter().map(|pair| one(pair, script)).collect()
}

fn insert(script: &mut Script, clause: &Value) -> Result<NotMatchedAction> {
    let span = span_of(script, clause);
    let (mut columns, mut values) = (Vec::new(), Vec::new());
    for pair in pairs(clause) {
        columns.push(assigned(script, pair, span)?);
        values.push(expr(script, &pair[1])?);
    }
    Ok(NotMatchedAction::Insert { columns, values })
}

/// A key of `set` or `values`, where it stands in the program if it can be found there.
fn assigned(script: &Script, pair: &Value, span: Span) -> Result<Name> {
    let text = pair[0].as_str().unwrap_or_default();
    let mut name = table_name(text, span)?;
    let program = script.text();
    let quoted = [format!("\"{text}\""), format!("'{text}'")];
    let found = quoted.iter().find_map(|quoted| program.get(span.start..).and_then(|rest| rest.find(quoted.as_str())));
    if let Some(at) = found {
        let place = Span::new(span.start + at + 1, span.start + at + 1 + text.len());
        name.parts.iter_mut().for_each(|part| part.span = place);
    }
    Ok(name)
}

/// `DeltaTable.delete`.
///
/// # Errors
/// A condition that cannot be read.
pub fn delete(script: &mut Script, asked: &Value) -> Result<Delete> {
    let span = span_of(script, asked);
    Ok(Delete { table: table_target(asked, span)?, filter: optional(script, &asked["on"])?, using: None })
}

/// `DeltaTable.update`.
///
/// # Errors
/// As for [`delete`].
pub fn update(script: &mut Script, asked: &Value) -> Result<Update> {
    let span = span_of(script, asked);
    let filter = optional(script, &asked["on"])?;
    Ok(Update { table: table_target(asked, span)?, assignments: assignments(script, asked)?, filter })
}

/// `history`, `detail`, `vacuum`, `restore…`, `optimize` and what is said with ALTER TABLE.
///
/// # Errors
/// As for [`delete`].
pub fn command(script: &mut Script, asked: &Value) -> Result<StatementKind> {
    let span = span_of(script, asked);
    let table = target(&asked["target"], span)?;
    Ok(match text(asked, "command") {
        "history" => StatementKind::DescribeHistory { table, limit: asked["limit"].as_u64() },
        "detail" => StatementKind::DescribeDetail { table },
        "vacuum" => {
            let retain = asked["hours"].as_f64().map(|hours| Retain { hours, span });
            StatementKind::Command(Command::Vacuum(Vacuum { table, lite: false, retain, dry_run: false }))
        }
        "restore" => {
            let to = match asked["version"].as_u64() {
                Some(version) => TimeTravel::Version(version, span),
                None => {
                    let time = Literal::String(text(asked, "timestamp").to_owned());
                    TimeTravel::Timestamp(Box::new(Expr::new(ExprKind::Literal(time), span)))
                }
            };
            StatementKind::Command(Command::Restore { table, to })
        }
        "optimize" => {
            let names = asked["zorder"].as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str);
            let zorder_by = names.map(|name| table_name(name, span)).collect::<Result<_>>()?;
            let filter = optional(script, &asked["on"])?;
            StatementKind::Command(Command::Optimize(Box::new(Optimize { table, full: None, filter, zorder_by })))
        }
        "alter" => {
            let given = asked["properties"].as_object().into_iter().flatten();
            let properties = given.map(|(key, value)| (key.clone(), value.as_str().unwrap_or_default().to_owned()));
            let action = AlterAction::SetProperties(properties.collect());
            StatementKind::AlterTable(Box::new(AlterTable { table, action }))
        }
        other => return Err(Diagnostic::internal(format!("no command: {other}")).or_at(span)),
    })
}

/// What a `DeltaTableBuilder` has put together.
///
/// # Errors
/// A type or an expression that cannot be read.
pub fn create(script: &mut Script, asked: &Value) -> Result<CreateTable> {
    let span = span_of(script, asked);
    let mut columns = Vec::new();
    for column in asked["columns"].as_array().map_or(&[][..], Vec::as_slice) {
        let name = text(column, "name");
        let declared = text(column, "type");
        let wrong = |wrong: Diagnostic| Diagnostic { span: Some(span), edits: Vec::new(), ..wrong };
        let data_type = sql::parse_data_type(declared).map_err(wrong)?;
        let generated = match column["generated"].as_str() {
            Some(expression) => {
                let placed = script.placed(expression, asked["line"].as_u64().unwrap_or(0));
                Some(sql::parse_expr(&placed)?)
            }
            None => None,
        };
        columns.push(ColumnDef {
            name: Ident::new(name, span),
            data_type,
            nullable: column["nullable"].as_bool().unwrap_or(true),
            comment: column["comment"].as_str().map(str::to_owned),
            default: None,
            generated,
            identity: None,
            span,
        });
    }
    let names = |key: &str| asked[key].as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str);
    let location = asked["path"].as_str().map(str::to_owned);
    let name = match (asked["name"].as_str(), &location) {
        (Some(name), _) => table_name(name, span)?,
        (None, path) => path_name(path.as_deref().unwrap_or_default(), span),
    };
    let given = asked["properties"].as_object().into_iter().flatten();
    Ok(CreateTable {
        mode: match text(asked, "mode") {
            "create if not exists" => CreateMode::IfNotExists,
            "replace" => CreateMode::Replace,
            "create or replace" => CreateMode::CreateOrReplace,
            _ => CreateMode::Create,
        },
        provider: Provider::Delta,
        columns,
        partitioned_by: names("partition").map(|name| Ident::new(name, span)).collect(),
        clustered_by: names("cluster").map(|name| table_name(name, span)).collect::<Result<_>>()?,
        location: if asked["name"].is_string() { location } else { None },
        name,
        comment: asked["comment"].as_str().map(str::to_owned),
        properties: given.map(|(key, value)| (key.clone(), value.as_str().unwrap_or_default().to_owned())).collect(),
        query: None,
    })
}

/// What a `DataFrameWriter` has been told: `save`, `saveAsTable` or `insertInto`.
///
/// # Errors
/// An option that cannot be read, or a format that is not written here.
pub fn write(script: &mut Script, frames: &Frames, asked: &Value) -> Result<StatementKind> {
    let span = span_of(script, asked);
    let source = frame_query(frames, asked)?;
    let table = match asked["path"].as_str() {
        Some(path) => path_name(path, span),
        None => table_name(text(asked, "table"), span)?,
    };
    let mode = match text(asked, "mode") {
        "append" => SaveMode::Append,
        "overwrite" => SaveMode::Overwrite,
        "ignore" => SaveMode::Ignore,
        _ => SaveMode::Error,
    };
    let options = save_options(script, asked, span)?;
    if asked["by_position"].as_bool().unwrap_or(false) {
        let mode = if mode == SaveMode::Overwrite { InsertMode::Overwrite } else { InsertMode::Append };
        return Ok(insert_into(table, mode, source, false, span));
    }
    Ok(StatementKind::Save(Box::new(Save {
        by_path: asked["path"].is_string(),
        provider: provider(asked, span)?,
        partition_by: names(asked, "partition").map(|name| Ident::new(name, span)).collect(),
        cluster_by: names(asked, "cluster").map(|name| table_name(name, span)).collect::<Result<_>>()?,
        table,
        mode,
        source,
        options,
        span,
    })))
}

/// What a `DataFrameWriterV2` has been told: `writeTo(…)`.
///
/// # Errors
/// As for [`write()`].
pub fn write_to(script: &mut Script, frames: &Frames, asked: &Value) -> Result<StatementKind> {
    let span = span_of(script, asked);
    let source = frame_query(frames, asked)?;
    let name = table_name(text(asked, "table"), span)?;
    let mode = match text(asked, "verb") {
        "create" => CreateMode::Create,
        "replace" => CreateMode::Replace,
        "create or replace" => CreateMode::CreateOrReplace,
        "append" => return Ok(insert_into(name, InsertMode::Append, source, true, span)),
        "overwrite" => {
            let condition = expr(script, &asked["on"])?;
            return Ok(insert_into(name, InsertMode::ReplaceWhere(condition), source, true, span));
        }
        _ => {
            let options = SaveOptions { dynamic: Some(true), ..save_options(script, asked, span)? };
            return Ok(StatementKind::Save(Box::new(Save {
                by_path: true,
                provider: Provider::Delta,
                partition_by: Vec::new(),
                cluster_by: Vec::new(),
                table: name,
                mode: SaveMode::Overwrite,
                source,
                options,
                span,
            })));
        }
    };
    let given = asked["properties"].as_object().into_iter().flatten();
    Ok(StatementKind::CreateTable(Box::new(CreateTable {
        name,
        mode,
        provider: provider(asked, span)?,
        columns: Vec::new(),
        partitioned_by: names(asked, "partition").map(|name| Ident::new(name, span)).collect(),
        clustered_by: Vec::new(),
        location: None,
        comment: None,
        properties: given.map(|(key, value)| (key.clone(), value.as_str().unwrap_or_default().to_owned())).collect(),
        query: Some(source),
    })))
}

fn insert_into(name: Name, mode: InsertMode, source: Query, by_name: bool, span: Span) -> StatementKind {
    let table = TableTarget { name, alias: None, span };
    StatementKind::Insert(Box::new(Insert { table, mode, partition: Vec::new(), columns: Vec::new(), by_name, source }))
}

fn frame_query(frames: &Frames, asked: &Value) -> Result<Query> {
    let frame = asked["frame"].as_u64().and_then(|frame| u32::try_from(frame).ok()).unwrap_or(u32::MAX);
    frames.query(frame).cloned()
}

fn names<'a>(asked: &'a Value, key: &str) -> impl Iterator<Item = &'a str> {
    asked[key].as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str)
}

/// Without a format the session's own: Parquet on Spark as it comes, Delta here, as on every platform that sells it.
fn provider(asked: &Value, span: Span) -> Result<Provider> {
    match asked["format"].as_str() {
        None => Ok(Provider::Default),
        Some("delta") => Ok(Provider::Delta),
        Some("parquet") => Ok(Provider::Parquet),
        Some("noop") => Ok(Provider::Other(Ident::new("noop", span))),
        Some(other) => Err(Diagnostic::unsupported(format!("Writing the format {other}"), span)
            .with_hint("Tables here are Delta tables: format(\"delta\").")),
    }
}

fn save_options(script: &mut Script, asked: &Value, span: Span) -> Result<SaveOptions> {
    let option = |name: &str| asked["options"][name].as_str();
    let flag = |name: &str| option(name).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    let replace_where = match option("replacewhere") {
        Some(condition) => {
            let placed = script.placed(condition, asked["line"].as_u64().unwrap_or(0));
            Some((sql::parse_expr(&placed)?, condition.to_owned()))
        }
        None => None,
    };
    let transaction = match (option("txnappid"), option("txnversion")) {
        (Some(app), Some(version)) => {
            let number = version.parse().map_err(|_| {
                let message = format!("txnVersion must be a whole number, not {version}.");
                Diagnostic::new("DELTA_INVALID_IDEMPOTENT_WRITES_OPTIONS", "42616", message, span)
            })?;
            Some((app.to_owned(), number))
        }
        (None, None) => None,
        _ => {
            let message = "Both txnAppId and txnVersion must be specified for idempotent writes.";
            return Err(Diagnostic::new("DELTA_INVALID_IDEMPOTENT_WRITES_OPTIONS", "42616", message, span));
        }
    };
    Ok(SaveOptions {
        merge_schema: flag("mergeschema"),
        overwrite_schema: flag("overwriteschema"),
        replace_where,
        dynamic: option("partitionoverwritemode").map(|mode| mode.eq_ignore_ascii_case("dynamic")),
        note: option("usermetadata").map(str::to_owned),
        transaction,
    })
}
