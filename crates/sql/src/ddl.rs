//! CREATE and DROP of tables, views and schemas.

use crate::cursor::{Cursor, Parse};
use crate::errors::{self, Failure, condition, databricks_only, expected, unsupported};
use crate::lexer::Kind;
use crate::{alter, expr, literal, query, refused, relation, types};
use spec::{
    ColumnDef, CreateMode, CreateTable, CreateTableLike, CreateView, DataType, Expr, Ident, Identity, Name, Provider,
    Span, StatementKind,
};

/// Reads a statement that starts with CREATE or REPLACE.
pub(crate) fn create(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    let start = cursor.here();
    refused::create(cursor)?;
    if cursor.eat("REPLACE TABLE") {
        return table(cursor, CreateMode::Replace);
    }
    cursor.expect("CREATE")?;
    let or_replace = cursor.at("OR");
    if or_replace {
        cursor.expect("OR REPLACE")?;
    }
    let external = cursor.eat("EXTERNAL");
    let global = cursor.at_any(&["GLOBAL TEMP VIEW", "GLOBAL TEMPORARY VIEW"]);
    if global {
        return Err(unsupported("CREATE GLOBAL TEMPORARY VIEW", cursor.since(start)));
    }
    let temporary = cursor.eat("TEMP") || cursor.eat("TEMPORARY");
    if cursor.eat("VIEW") {
        return view(cursor, or_replace, temporary);
    }
    if cursor.at("TABLE") && temporary {
        return Err(unsupported("CREATE TEMPORARY TABLE", cursor.since(start)));
    }
    if cursor.eat("TABLE") {
        return table(cursor, if or_replace { CreateMode::CreateOrReplace } else { CreateMode::Create });
    }
    if !or_replace && !external && !temporary && cursor.at_any(&["SCHEMA", "DATABASE", "NAMESPACE"]) {
        cursor.advance();
        return schema(cursor);
    }
    Err(expected(cursor, &["TABLE", "VIEW", "TEMP VIEW", "SCHEMA"]))
}

fn schema(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    let if_not_exists = cursor.eat("IF NOT EXISTS");
    let name = cursor.name("the name of a schema")?;
    if cursor.at_any(&["COMMENT", "LOCATION", "WITH", "MANAGED"]) {
        return Err(unsupported("This clause of CREATE SCHEMA", cursor.here()));
    }
    Ok(StatementKind::CreateSchema { name, if_not_exists })
}

fn view(cursor: &mut Cursor<'_>, or_replace: bool, temporary: bool) -> Parse<StatementKind> {
    if cursor.at("IF NOT EXISTS") {
        return Err(unsupported("CREATE VIEW IF NOT EXISTS", cursor.here()));
    }
    let name = relation::table_name(cursor)?;
    let mut columns = Vec::new();
    if cursor.at_op("(") {
        columns = cursor.parens(|cursor| {
            let column = cursor.ident("a column")?;
            if cursor.at("COMMENT") {
                return Err(unsupported("A comment on the column of a view", cursor.here()));
            }
            Ok(column)
        })?;
    }
    if cursor.at_any(&["COMMENT", "TBLPROPERTIES", "USING", "OPTIONS", "WITH SCHEMA"]) {
        return Err(unsupported("This clause of CREATE VIEW", cursor.here()));
    }
    cursor.expect("AS")?;
    let query = query::parse(cursor)?;
    Ok(StatementKind::CreateView(Box::new(CreateView { name, or_replace, temporary, columns, query })))
}

/// What the clauses of CREATE TABLE say, and which were already there.
#[derive(Default)]
struct Clauses {
    provider: Option<Provider>,
    partitioned_by: Option<Vec<PartitionColumn>>,
    clustered_by: Option<Vec<Name>>,
    location: Option<String>,
    comment: Option<String>,
    properties: Option<Vec<(String, String)>>,
}

/// A column of PARTITIONED BY, with its type if it is declared there.
struct PartitionColumn {
    name: Ident,
    data_type: Option<DataType>,
    span: Span,
}

fn table(cursor: &mut Cursor<'_>, mode: CreateMode) -> Parse<StatementKind> {
    let mode = match mode {
        CreateMode::Create if cursor.eat("IF NOT EXISTS") => CreateMode::IfNotExists,
        other => other,
    };
    let name = relation::table_name(cursor)?;
    if cursor.eat("LIKE") {
        return like(cursor, name, mode);
    }
    if cursor.at_any(&["SHALLOW CLONE", "CLONE"]) {
        return Err(unsupported("CREATE TABLE … SHALLOW CLONE", cursor.here()));
    }
    if cursor.at("DEEP CLONE") {
        let portable = "Write CREATE TABLE … AS SELECT * FROM ….";
        return Err(databricks_only("DEEP CLONE", cursor.here(), portable));
    }
    let columns_start = cursor.here();
    let mut columns = Vec::new();
    if cursor.at_op("(") && !query::starts_in_parens(cursor, 0) {
        columns = cursor.parens(column)?;
    }
    let columns_span = cursor.since(columns_start);
    let mut clauses = Clauses::default();
    let clauses_start = cursor.here();
    while clause(cursor, &mut clauses)? {}
    if clauses.clustered_by.is_some() && clauses.partitioned_by.is_some() {
        return Err(not_allowed("CLUSTER BY and PARTITIONED BY exclude each other.", cursor.since(clauses_start)));
    }
    let has_as = cursor.eat("AS");
    let has_query = has_as || query::starts(cursor, 0) || cursor.at_op("(");
    let query = if has_query { Some(query::parse(cursor)?) } else { None };
    if query.is_none() && !cursor.at_end() {
        return Err(expected(
            cursor,
            &["USING", "PARTITIONED BY", "TBLPROPERTIES", "LOCATION", "COMMENT", "AS", "the end of the statement"],
        ));
    }
    if query.is_some() && !columns.is_empty() {
        let message = "CREATE TABLE … AS takes its columns from the query; leave the column list out.";
        return Err(not_allowed(message, columns_span));
    }
    let partitioned_by = partition_names(clauses.partitioned_by.unwrap_or_default(), &mut columns)?;
    Ok(StatementKind::CreateTable(Box::new(CreateTable {
        name,
        mode,
        provider: clauses.provider.unwrap_or(Provider::Default),
        columns,
        partitioned_by,
        clustered_by: clauses.clustered_by.unwrap_or_default(),
        location: clauses.location,
        comment: clauses.comment,
        properties: clauses.properties.unwrap_or_default(),
        query,
    })))
}

/// Reads what follows LIKE.
fn like(cursor: &mut Cursor<'_>, name: Name, mode: CreateMode) -> Parse<StatementKind> {
    if !matches!(mode, CreateMode::Create | CreateMode::IfNotExists) {
        return Err(expected(cursor, &["a column list", "AS"]));
    }
    let source = relation::table_name(cursor)?;
    let mut clauses = Clauses::default();
    while clause(cursor, &mut clauses)? {}
    if let Some(column) = clauses.partitioned_by.iter().flatten().next() {
        return Err(errors::syntax("CREATE TABLE … LIKE takes the partitioning of its source.", column.span));
    }
    Ok(StatementKind::CreateTableLike(Box::new(CreateTableLike {
        name,
        source,
        if_not_exists: mode == CreateMode::IfNotExists,
        provider: clauses.provider,
        location: clauses.location,
        properties: clauses.properties.unwrap_or_default(),
    })))
}

/// Spark's "Operation not allowed", which has no condition of its own.
fn not_allowed(message: &str, span: Span) -> Failure {
    condition("_LEGACY_ERROR_TEMP_0035", "", message, span)
}

/// Reads one clause if one stands here.
fn clause(cursor: &mut Cursor<'_>, clauses: &mut Clauses) -> Parse<bool> {
    let start = cursor.here();
    if cursor.eat("USING") {
        let name = cursor.name("a format such as DELTA")?;
        let provider = match name.to_string().to_ascii_lowercase().as_str() {
            "delta" => Provider::Delta,
            "parquet" => Provider::Parquet,
            _ => Provider::Other(Ident::new(name.to_string(), name.span())),
        };
        set_once(&mut clauses.provider, provider, "USING", start)?;
    } else if cursor.at("PARTITIONED") {
        cursor.expect("PARTITIONED BY")?;
        let columns = cursor.parens(partition_column)?;
        set_once(&mut clauses.partitioned_by, columns, "PARTITIONED BY", start)?;
    } else if cursor.eat("LOCATION") {
        let location = literal::string(cursor, "a path in quotes")?;
        set_once(&mut clauses.location, location, "LOCATION", start)?;
    } else if cursor.eat("COMMENT") {
        let comment = literal::string(cursor, "a comment in quotes")?;
        set_once(&mut clauses.comment, comment, "COMMENT", start)?;
    } else if cursor.eat("TBLPROPERTIES") {
        let properties = cursor.parens(property)?;
        set_once(&mut clauses.properties, properties, "TBLPROPERTIES", start)?;
    } else if cursor.at("CLUSTER BY") {
        cursor.expect("CLUSTER BY")?;
        let columns = cursor.parens(|cursor| cursor.name("a column"))?;
        set_once(&mut clauses.clustered_by, columns, "CLUSTER BY", start)?;
    } else {
        let others =
            ["OPTIONS", "CLUSTERED BY", "SKEWED BY", "ROW FORMAT", "STORED AS", "STORED BY", "DEFAULT COLLATION"];
        if let Some(other) = others.iter().find(|words| cursor.at(words)) {
            return Err(unsupported(format!("{other} in CREATE TABLE"), start));
        }
        return Ok(false);
    }
    Ok(true)
}

fn set_once<T>(slot: &mut Option<T>, value: T, clause: &str, span: Span) -> Parse<()> {
    if slot.replace(value).is_some() {
        let message = format!("The clause {clause} stands here twice.");
        return Err(condition("DUPLICATE_CLAUSES", "42614", message, span));
    }
    Ok(())
}

fn partition_column(cursor: &mut Cursor<'_>) -> Parse<PartitionColumn> {
    let start = cursor.here();
    let name = cursor.ident("a column")?;
    if cursor.at_op("(") || cursor.at_op(".") {
        return Err(unsupported("Partitioning by an expression", cursor.since(start)));
    }
    let typed = matches!(cursor.kind_at(0), Some(Kind::Word));
    let data_type = if typed { Some(types::parse(cursor)?) } else { None };
    Ok(PartitionColumn { name, data_type, span: cursor.since(start) })
}

/// Columns declared only in PARTITIONED BY go to the end of the table.
fn partition_names(partitioned_by: Vec<PartitionColumn>, columns: &mut Vec<ColumnDef>) -> Parse<Vec<Ident>> {
    let n_typed = partitioned_by.iter().filter(|column| column.data_type.is_some()).count();
    if n_typed > 0
        && n_typed < partitioned_by.len()
        && let Some(first) = partitioned_by.first()
    {
        let message = "PARTITIONED BY has either names or names with types, never both.";
        return Err(not_allowed(message, first.span));
    }
    let mut names = Vec::with_capacity(partitioned_by.len());
    for PartitionColumn { name, data_type, span } in partitioned_by {
        if let Some(data_type) = data_type {
            columns.push(ColumnDef {
                name: name.clone(),
                data_type,
                nullable: true,
                comment: None,
                default: None,
                generated: None,
                identity: None,
                span,
            });
        }
        names.push(name);
    }
    Ok(names)
}

fn column(cursor: &mut Cursor<'_>) -> Parse<ColumnDef> {
    refused::constraint(cursor)?;
    let start = cursor.here();
    let name = cursor.ident("a column")?;
    if cursor.at_op(",") || cursor.at_op(")") {
        return Err(expected(cursor, &["a data type"]));
    }
    column_tail(cursor, name, start, &mut |_| Ok(false))
}

/// Reads what follows the name of a column: its type and clauses, in any order. `extra` reads what only the caller
/// knows, and says whether something stood there.
pub(crate) fn column_tail<'a>(
    cursor: &mut Cursor<'a>,
    name: Ident,
    start: Span,
    extra: &mut dyn FnMut(&mut Cursor<'a>) -> Parse<bool>,
) -> Parse<ColumnDef> {
    let data_type = types::parse(cursor)?;
    let (mut nullable, mut comment, mut default, mut generated, mut identity) = (true, None, None, None, None);
    loop {
        let place = cursor.here();
        if cursor.eat("NOT NULL") {
            nullable = false;
        } else if cursor.eat("COMMENT") {
            let text = literal::string(cursor, "a comment in quotes")?;
            set_once(&mut comment, text, "COMMENT", place)?;
        } else if cursor.eat("DEFAULT") {
            let from = cursor.here();
            let value = expr::parse(cursor)?;
            set_once(&mut default, Expr::new(value.kind, cursor.since(from)), "DEFAULT", place)?;
        } else if cursor.at_any(&["GENERATED BY DEFAULT AS IDENTITY", "GENERATED ALWAYS AS IDENTITY"]) {
            set_once(&mut identity, self::identity(cursor)?, "GENERATED", place)?;
        } else if cursor.eat("GENERATED ALWAYS AS") {
            set_once(&mut generated, alter::in_parens(cursor)?, "GENERATED", place)?;
        } else if !extra(cursor)? {
            refused::column_constraint(cursor)?;
            break;
        }
    }
    Ok(ColumnDef { name, data_type, nullable, comment, default, generated, identity, span: cursor.since(start) })
}

/// `GENERATED { ALWAYS | BY DEFAULT } AS IDENTITY [([START WITH n] [INCREMENT BY n])]`
fn identity(cursor: &mut Cursor<'_>) -> Parse<Identity> {
    let from = cursor.here();
    let by_default = cursor.at("GENERATED BY");
    cursor.expect(if by_default { "GENERATED BY DEFAULT AS IDENTITY" } else { "GENERATED ALWAYS AS IDENTITY" })?;
    let (mut start, mut step) = (None, None);
    if cursor.eat_op("(") {
        while !cursor.eat_op(")") {
            let place = cursor.here();
            if cursor.eat("START") {
                cursor.eat("WITH");
                set_once(&mut start, literal::integer(cursor, "a start")?, "START WITH", place)?;
            } else if cursor.eat("INCREMENT") {
                cursor.eat("BY");
                set_once(&mut step, literal::integer(cursor, "a step")?, "INCREMENT BY", place)?;
            } else {
                return Err(expected(cursor, &["START WITH", "INCREMENT BY", "')'"]));
            }
        }
    }
    let (start, step) = (start.unwrap_or(1), step.unwrap_or(1));
    Ok(Identity { by_default, start, step, span: cursor.since(from) })
}

/// Reads `key [=] value` of TBLPROPERTIES.
pub(crate) fn property(cursor: &mut Cursor<'_>) -> Parse<(String, String)> {
    let key = property_key(cursor)?;
    cursor.eat_op("=");
    let value = match cursor.kind_at(0) {
        Some(Kind::String) => literal::string(cursor, "a value")?,
        Some(Kind::Number) => cursor.advance().map_or("", |number| number.span.of(cursor.text())).to_owned(),
        _ if cursor.at("TRUE") || cursor.at("FALSE") => cursor.ident("a value")?.value.to_ascii_lowercase(),
        _ => return Err(expected(cursor, &["a value in quotes"])),
    };
    Ok((key, value))
}

/// Reads the key of a table property.
pub(crate) fn property_key(cursor: &mut Cursor<'_>) -> Parse<String> {
    if cursor.kind_at(0) == Some(Kind::String) {
        return literal::string(cursor, "a key");
    }
    Ok(cursor.name("a key")?.to_string())
}

/// Reads `COMMENT ON TABLE name IS { 'text' | NULL }`.
pub(crate) fn comment_on(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    let start = cursor.here();
    cursor.expect("COMMENT ON")?;
    if !cursor.eat("TABLE") {
        return Err(unsupported("COMMENT ON anything but a table", cursor.since(start)));
    }
    let table = relation::table_name(cursor)?;
    cursor.expect("IS")?;
    let comment = if cursor.eat("NULL") { None } else { Some(literal::string(cursor, "a comment in quotes")?) };
    Ok(StatementKind::CommentOnTable { table, comment })
}

/// Reads a DROP.
pub(crate) fn drop(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    let start = cursor.here();
    cursor.expect("DROP")?;
    for other in ["SCHEMA", "DATABASE", "NAMESPACE", "FUNCTION", "TEMPORARY", "TEMP", "VARIABLE", "INDEX", "CATALOG"] {
        if cursor.at(other) {
            return Err(unsupported(format!("DROP {other}"), Span::new(start.start, cursor.here().end)));
        }
    }
    let is_view = cursor.at("VIEW");
    if !is_view && !cursor.at("TABLE") {
        return Err(expected(cursor, &["TABLE", "VIEW"]));
    }
    cursor.advance();
    let if_exists = cursor.eat("IF EXISTS");
    let name: Name = relation::table_name(cursor)?;
    if is_view {
        return Ok(StatementKind::DropView { name, if_exists });
    }
    // There is no trash that PURGE could bypass.
    cursor.eat("PURGE");
    Ok(StatementKind::DropTable { name, if_exists })
}
