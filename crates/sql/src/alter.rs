//! ALTER TABLE, by the words behind the table's name to the parser of the action.

use crate::cursor::{Cursor, Parse};
use crate::ddl::{column_tail, property, property_key};
use crate::errors::{databricks_only, expected, unsupported};
use crate::lexer::Kind;
use crate::{expr, literal, relation, types};
use spec::{
    AlterAction, AlterTable, ColumnChange, ColumnPosition, DefaultChange, Expr, Ident, Name, NewColumn, Span,
    StatementKind,
};

/// Reads `ALTER TABLE …`.
pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    let start = cursor.here();
    cursor.expect("ALTER")?;
    if let Some(other) = ["VIEW", "SCHEMA", "DATABASE", "NAMESPACE"].into_iter().find(|other| cursor.at(other)) {
        return Err(unsupported(format!("ALTER {other}"), Span::new(start.start, cursor.here().end)));
    }
    cursor.expect("TABLE")?;
    let table = relation::table_name(cursor)?;
    let action = action(cursor)?;
    Ok(StatementKind::AlterTable(Box::new(AlterTable { table, action })))
}

fn action(cursor: &mut Cursor<'_>) -> Parse<AlterAction> {
    let start = cursor.here();
    if cursor.at_any(&["ADD PARTITION", "ADD IF NOT EXISTS", "DROP PARTITION", "DROP IF EXISTS PARTITION"])
        || cursor.at("RECOVER PARTITIONS")
    {
        while cursor.advance().is_some() {}
        return Ok(AlterAction::Partitions);
    }
    if cursor.eat("ADD") {
        return add(cursor);
    }
    if cursor.eat("DROP") {
        return drop(cursor);
    }
    if cursor.eat("RENAME COLUMN") {
        let column = cursor.name("a column")?;
        cursor.expect("TO")?;
        return Ok(AlterAction::RenameColumn { column, to: cursor.ident("the new name of the column")? });
    }
    if cursor.eat("RENAME TO") {
        return Ok(AlterAction::RenameTo(relation::table_name(cursor)?));
    }
    if cursor.eat("SET TBLPROPERTIES") {
        return Ok(AlterAction::SetProperties(cursor.parens(property)?));
    }
    if cursor.eat("UNSET TBLPROPERTIES") {
        // Delta unsets what is not there without a word, so IF EXISTS changes nothing.
        cursor.eat("IF EXISTS");
        return Ok(AlterAction::UnsetProperties(cursor.parens(property_key)?));
    }
    if cursor.eat("REPLACE COLUMNS") {
        return Ok(AlterAction::ReplaceColumns(new_columns(cursor)?));
    }
    if cursor.eat("CLUSTER BY") {
        if cursor.eat("NONE") {
            return Ok(AlterAction::ClusterBy(Vec::new()));
        }
        if cursor.at("AUTO") {
            let portable = "Name the columns: CLUSTER BY (a, b).";
            return Err(databricks_only("CLUSTER BY AUTO", cursor.here(), portable));
        }
        return Ok(AlterAction::ClusterBy(cursor.parens(|cursor| cursor.name("a column"))?));
    }
    if cursor.eat("ALTER") || cursor.eat("CHANGE") {
        cursor.eat("COLUMN");
        return change(cursor, start);
    }
    if cursor.at_any(&["SET", "PARTITION", "UNSET"]) {
        return Err(unsupported("This form of ALTER TABLE", cursor.here()));
    }
    let wanted = ["ADD", "DROP", "RENAME", "ALTER COLUMN", "SET TBLPROPERTIES", "UNSET TBLPROPERTIES", "CLUSTER BY"];
    Err(expected(cursor, &wanted))
}

fn add(cursor: &mut Cursor<'_>) -> Parse<AlterAction> {
    if cursor.eat("CONSTRAINT") {
        let name = cursor.ident("the name of the constraint")?;
        if cursor.at_any(&["PRIMARY KEY", "FOREIGN KEY", "UNIQUE"]) {
            let portable = "Leave it out: keys are not enforced anywhere.";
            return Err(databricks_only("A key constraint", cursor.here(), portable));
        }
        cursor.expect("CHECK")?;
        return Ok(AlterAction::AddConstraint { name, check: in_parens(cursor)? });
    }
    if cursor.eat("COLUMNS") || cursor.eat("COLUMN") {
        return Ok(AlterAction::AddColumns(new_columns(cursor)?));
    }
    Err(expected(cursor, &["COLUMN", "COLUMNS", "CONSTRAINT"]))
}

fn new_columns(cursor: &mut Cursor<'_>) -> Parse<Vec<NewColumn>> {
    if cursor.at_op("(") { cursor.parens(new_column) } else { cursor.list(new_column) }
}

/// An expression in parentheses; its span is all that stands between them.
pub(crate) fn in_parens(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    cursor.expect_op("(")?;
    let start = cursor.here();
    let inner = expr::parse(cursor)?;
    let span = cursor.since(start);
    cursor.expect_op(")")?;
    Ok(Expr::new(inner.kind, span))
}

fn new_column(cursor: &mut Cursor<'_>) -> Parse<NewColumn> {
    let start = cursor.here();
    let mut parent = cursor.name("a column")?.parts;
    let Some(name) = parent.pop() else { return Err(expected(cursor, &["a column"])) };
    let mut place = None;
    let column = column_tail(cursor, name, start, &mut |cursor| {
        let found = position(cursor)?;
        let is_there = found.is_some();
        place = found.or(place.take());
        Ok(is_there)
    })?;
    Ok(NewColumn { parent, column, position: place })
}

/// `FIRST` or `AFTER column`, if it stands here.
fn position(cursor: &mut Cursor<'_>) -> Parse<Option<ColumnPosition>> {
    if cursor.eat("FIRST") {
        return Ok(Some(ColumnPosition::First));
    }
    if cursor.eat("AFTER") {
        return Ok(Some(ColumnPosition::After(cursor.ident("a column")?)));
    }
    Ok(None)
}

fn drop(cursor: &mut Cursor<'_>) -> Parse<AlterAction> {
    if cursor.eat("CONSTRAINT") {
        let if_exists = cursor.eat("IF EXISTS");
        return Ok(AlterAction::DropConstraint { name: cursor.ident("the name of the constraint")?, if_exists });
    }
    if cursor.eat("FEATURE") {
        let feature = match cursor.kind_at(0) {
            Some(Kind::String) => {
                let span = cursor.here();
                Ident::new(literal::string(cursor, "the name of a feature")?, span)
            }
            _ => cursor.ident("the name of a feature")?,
        };
        return Ok(AlterAction::DropFeature { feature, truncate_history: cursor.eat("TRUNCATE HISTORY") });
    }
    if cursor.eat("COLUMNS") || cursor.eat("COLUMN") {
        let if_exists = cursor.eat("IF EXISTS");
        let column = |cursor: &mut Cursor<'_>| cursor.name("a column");
        let columns = if cursor.at_op("(") { cursor.parens(column)? } else { cursor.list(column)? };
        return Ok(AlterAction::DropColumns { columns, if_exists });
    }
    Err(expected(cursor, &["COLUMN", "COLUMNS", "CONSTRAINT", "FEATURE"]))
}

fn change(cursor: &mut Cursor<'_>, start: Span) -> Parse<AlterAction> {
    let column = cursor.name("a column")?;
    let mut change = ColumnChange {
        column,
        data_type: None,
        nullable: None,
        comment: None,
        position: None,
        default: None,
        span: Span::default(),
    };
    if cursor.eat("TYPE") {
        change.data_type = Some(types::parse(cursor)?);
    } else if cursor.at("COMMENT") && cursor.kind_at(1) == Some(Kind::String) {
        cursor.advance();
        change.comment = Some(literal::string(cursor, "a comment in quotes")?);
    } else if cursor.eat("SET NOT NULL") {
        change.nullable = Some(false);
    } else if cursor.eat("DROP NOT NULL") {
        change.nullable = Some(true);
    } else if cursor.eat("SET DEFAULT") {
        let from = cursor.here();
        let value = expr::parse(cursor)?;
        change.default = Some(DefaultChange::Set(Expr::new(value.kind, cursor.since(from))));
    } else if cursor.eat("DROP DEFAULT") {
        change.default = Some(DefaultChange::Drop);
    } else if cursor.at("SYNC IDENTITY") {
        return Err(unsupported("SYNC IDENTITY", cursor.here()));
    } else if let Some(position) = position(cursor)? {
        change.position = Some(position);
    } else {
        as_hive(cursor, &mut change)?;
    }
    if cursor.at_op(",") {
        return Err(unsupported("ALTER COLUMN of several columns at a time", cursor.here()));
    }
    change.span = cursor.since(start);
    Ok(AlterAction::ChangeColumn(Box::new(change)))
}

/// Hive's way: `CHANGE COLUMN old new TYPE [COMMENT …] [FIRST | AFTER c]`, where `new` repeats `old`.
fn as_hive(cursor: &mut Cursor<'_>, change: &mut ColumnChange) -> Parse<()> {
    let wanted = ["TYPE", "COMMENT", "SET NOT NULL", "DROP NOT NULL", "SET DEFAULT", "FIRST", "AFTER"];
    if !cursor.at_ident() {
        return Err(expected(cursor, &wanted));
    }
    let name: Name = Name::bare(cursor.ident("the column again")?);
    if cursor.at_end() {
        return Err(expected(cursor, &wanted));
    }
    if !name.parts.iter().all(|part| part.is(change.column.last())) {
        let mut failure = unsupported("Renaming with CHANGE COLUMN", name.span());
        failure.hint = Some("Write ALTER TABLE … RENAME COLUMN old TO new.".to_owned());
        return Err(failure);
    }
    change.data_type = Some(types::parse(cursor)?);
    if cursor.eat("COMMENT") {
        change.comment = Some(literal::string(cursor, "a comment in quotes")?);
    }
    change.position = position(cursor)?;
    Ok(())
}
