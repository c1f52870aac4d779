//! Tables and views by name, with their columns, as far as they can be known without running anything.

use crate::columns;
use spec::{AlterAction, ColumnDef, CreateMode, DataType, Name, StatementKind};

/// A column of a table or view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    /// Spark's name of the type; empty where it takes a run to know.
    pub data_type: String,
    /// False only where no row can be NULL.
    pub nullable: bool,
}

/// A table or view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The shortest name that finds it.
    pub name: String,
    pub is_view: bool,
    /// Empty where it takes a run to know.
    pub columns: Vec<Column>,
}

/// What there is to read and write at one place of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    tables: Vec<Table>,
}

impl Known {
    /// A world with these tables and views.
    pub fn new(tables: Vec<Table>) -> Self {
        Self { tables }
    }

    /// All of them, by name.
    pub fn into_tables(mut self) -> Vec<Table> {
        self.tables.sort_by(|left, right| left.name.cmp(&right.name));
        self.tables
    }

    /// The table or view that a name stands for.
    pub fn find(&self, name: &Name) -> Option<&Table> {
        let wanted = short(name);
        self.tables.iter().find(|table| table.name.to_lowercase() == wanted)
    }

    /// Goes on to behind a statement, as if it had worked.
    pub(crate) fn follow(&mut self, statement: &StatementKind) {
        match statement {
            StatementKind::CreateTable(create) => {
                if create.mode == CreateMode::IfNotExists && self.find(&create.name).is_some() {
                    return;
                }
                let columns = match &create.query {
                    Some(query) => columns::of_query(self, &[], query).unwrap_or_default(),
                    None => create.columns.iter().map(declared).collect(),
                };
                self.put(&create.name, false, columns);
            }
            StatementKind::CreateTableLike(create) => {
                let columns = self.find(&create.source).map(|table| table.columns.clone());
                self.put(&create.name, false, columns.unwrap_or_default());
            }
            StatementKind::CreateView(create) => {
                let mut columns = columns::of_query(self, &[], &create.query).unwrap_or_default();
                for (column, name) in columns.iter_mut().zip(&create.columns) {
                    column.name.clone_from(&name.value);
                }
                self.put(&create.name, true, columns);
            }
            StatementKind::AlterTable(alter) => self.alter(&alter.table, &alter.action),
            StatementKind::DropTable { name, .. } | StatementKind::DropView { name, .. } => self.remove(name),
            _ => {}
        }
    }

    fn put(&mut self, name: &Name, is_view: bool, columns: Vec<Column>) {
        self.remove(name);
        self.tables.push(Table { name: short(name), is_view, columns });
    }

    fn remove(&mut self, name: &Name) {
        let gone = short(name);
        self.tables.retain(|table| table.name.to_lowercase() != gone);
    }

    /// What ALTER TABLE does to the columns, nested fields left out.
    fn alter(&mut self, name: &Name, action: &AlterAction) {
        let wanted = short(name);
        let Some(table) = self.tables.iter_mut().find(|table| table.name.to_lowercase() == wanted) else { return };
        let is =
            |column: &Column, name: &Name| name.parts.len() == 1 && name.parts.iter().any(|part| part.is(&column.name));
        match action {
            AlterAction::AddColumns(added) => {
                let added = added.iter().filter(|column| column.parent.is_empty());
                table.columns.extend(added.map(|column| declared(&column.column)));
            }
            AlterAction::RenameColumn { column, to } => {
                let renamed = table.columns.iter_mut().find(|known| is(known, column));
                renamed.into_iter().for_each(|known| known.name.clone_from(&to.value));
            }
            AlterAction::DropColumns { columns, .. } => {
                table.columns.retain(|known| !columns.iter().any(|name| is(known, name)));
            }
            AlterAction::RenameTo(to) => table.name = short(to),
            _ => {}
        }
    }
}

/// A name in lower case, without what every name may leave out.
fn short(name: &Name) -> String {
    let parts: Vec<String> = name.parts.iter().map(|part| part.value.to_lowercase()).collect();
    let parts = match parts.as_slice() {
        [catalog, rest @ ..] if catalog == "spark_catalog" && !rest.is_empty() => rest,
        all => all,
    };
    match parts {
        [schema, rest @ ..] if schema == "default" && !rest.is_empty() => rest.join("."),
        all => all.join("."),
    }
}

fn declared(column: &ColumnDef) -> Column {
    Column { name: column.name.value.clone(), data_type: type_name(&column.data_type), nullable: column.nullable }
}

/// Spark's name of a type.
pub(crate) fn type_name(data_type: &DataType) -> String {
    let plain = match data_type {
        DataType::Void => "void",
        DataType::Boolean => "boolean",
        DataType::Byte => "tinyint",
        DataType::Short => "smallint",
        DataType::Int => "int",
        DataType::Long => "bigint",
        DataType::Float => "float",
        DataType::Double => "double",
        DataType::String => "string",
        DataType::Binary => "binary",
        DataType::Date => "date",
        DataType::Timestamp => "timestamp",
        DataType::TimestampNtz => "timestamp_ntz",
        DataType::YearMonthInterval => "interval year to month",
        DataType::DayTimeInterval => "interval day to second",
        DataType::Struct(_) => "struct",
        DataType::Decimal { precision, scale } => return format!("decimal({precision},{scale})"),
        DataType::Char { length } => return format!("char({length})"),
        DataType::Varchar { length } => return format!("varchar({length})"),
        DataType::Array(item) => return format!("array<{}>", type_name(item)),
        DataType::Map(key, value) => return format!("map<{},{}>", type_name(key), type_name(value)),
    };
    plain.to_owned()
}
