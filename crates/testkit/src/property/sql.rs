//! A case of the model as Spark SQL.

use super::Case;
use crate::naive::{Action, Clause, Column, Comparison, Expr, Merge, Row, Side, Type, Value, When};

/// The statements that make target and source.
pub fn setup(case: &Case) -> Vec<String> {
    let table = &case.target;
    let n_columns = table.columns.len() - case.n_new_columns;
    let mut properties = Vec::new();
    if case.vectors {
        properties.push("'delta.enableDeletionVectors' = 'true'");
    }
    if case.change_feed {
        properties.push("'delta.enableChangeDataFeed' = 'true'");
    }
    let mut create = format!("CREATE TABLE tgt ({}) USING delta", columns(&table.columns[..n_columns]));
    if let Some(idx) = table.partition {
        create += &format!(" PARTITIONED BY ({})", table.columns[idx].name);
    }
    if !properties.is_empty() {
        create += &format!(" TBLPROPERTIES ({})", properties.join(", "));
    }
    let mut statements = vec![create];
    let old = |row: &Row| row[..n_columns].to_vec();
    let inserts = table.inserts.iter().filter(|rows| !rows.is_empty());
    statements.extend(inserts.map(|rows| insert("tgt", &rows.iter().map(old).collect::<Vec<_>>())));
    if !case.inline_source {
        statements.push(format!("CREATE TABLE src ({}) USING delta", columns(&case.source_columns)));
        statements.extend((!case.source.is_empty()).then(|| insert("src", &case.source)));
    }
    statements
}

/// The MERGE.
pub fn statement(case: &Case) -> String {
    let source = if case.inline_source { inline(&case.source_columns, &case.source) } else { "src".to_owned() };
    let Merge { on, clauses } = &case.merge;
    let evolution = if case.evolves { "WITH SCHEMA EVOLUTION " } else { "" };
    let mut text = format!("MERGE {evolution}INTO tgt t USING {source} s ON {}", case.expr(on));
    for clause in clauses {
        text.push(' ');
        text += &case.clause(clause);
    }
    text
}

fn columns(columns: &[Column]) -> String {
    let column = |column: &Column| {
        format!("{} {}{}", column.name, type_name(column.data_type), if column.required { " NOT NULL" } else { "" })
    };
    columns.iter().map(column).collect::<Vec<_>>().join(", ")
}

fn insert(table: &str, rows: &[Row]) -> String {
    format!("INSERT INTO {table} VALUES {}", tuples(rows, literal))
}

fn tuples(rows: &[Row], cell: impl Fn(&Value) -> String) -> String {
    let tuple = |row: &Row| format!("({})", row.iter().map(&cell).collect::<Vec<_>>().join(", "));
    rows.iter().map(tuple).collect::<Vec<_>>().join(", ")
}

/// A subquery; every column is cast, for the literals need not show its type.
fn inline(columns: &[Column], rows: &[Row]) -> String {
    let cast = |column: &Column| format!("CAST({0} AS {1}) AS {0}", column.name, type_name(column.data_type));
    let names = columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
    let cells = columns.iter().map(cast).collect::<Vec<_>>().join(", ");
    format!("(SELECT {cells} FROM VALUES {} AS v({names}))", tuples(rows, literal))
}

/// As written in SQL.
pub fn type_name(data_type: Type) -> &'static str {
    match data_type {
        Type::Bool => "BOOLEAN",
        Type::Int => "INT",
        Type::Long => "BIGINT",
        Type::Money => "DECIMAL(9,2)",
        Type::Double => "DOUBLE",
        Type::Text => "STRING",
        Type::Date => "DATE",
    }
}

/// As written in SQL.
pub fn literal(value: &Value) -> String {
    match value {
        Value::Null => "NULL".into(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Money(hundredths) => money(*hundredths),
        Value::Double(value) if value.is_nan() => "DOUBLE('NaN')".into(),
        Value::Double(value) if value.is_infinite() => {
            format!("DOUBLE('{}Infinity')", if *value < 0.0 { "-" } else { "" })
        }
        Value::Double(value) => format!("{value:?}D"),
        Value::Text(text) => format!("'{text}'"),
        Value::Date(days) => format!("DATE'{}'", date(*days)),
    }
}

/// `-1.05`.
pub fn money(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100)
}

/// The day as text, by the civil calendar.
pub fn date(days: i32) -> String {
    // Years from March, so that a leap day is the last of its year.
    let day = i64::from(days) + 719_468;
    let era = day.div_euclid(146_097);
    let of_era = day.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

impl Case {
    fn clause(&self, clause: &Clause) -> String {
        let when = match clause.when {
            When::Matched => "MATCHED",
            When::NotMatched => "NOT MATCHED",
            When::NotMatchedBySource => "NOT MATCHED BY SOURCE",
        };
        let condition = clause.condition.as_ref().map(|condition| format!(" AND {}", self.expr(condition)));
        let name = |idx: usize| self.target.columns[idx].name.as_str();
        let action = match &clause.action {
            Action::Update(_) if clause.star => "UPDATE SET *".to_owned(),
            Action::Insert(_) if clause.star => "INSERT *".to_owned(),
            Action::Delete => "DELETE".to_owned(),
            Action::Update(sets) => {
                let sets = sets.iter().map(|(column, value)| format!("{} = {}", name(*column), self.expr(value)));
                format!("UPDATE SET {}", sets.collect::<Vec<_>>().join(", "))
            }
            Action::Insert(values) => {
                let columns = values.iter().map(|(column, _)| name(*column)).collect::<Vec<_>>().join(", ");
                let values = values.iter().map(|(_, value)| self.expr(value)).collect::<Vec<_>>().join(", ");
                format!("INSERT ({columns}) VALUES ({values})")
            }
        };
        format!("WHEN {when}{} THEN {action}", condition.unwrap_or_default())
    }

    /// An expression, with parentheses around every part that has parts.
    pub(super) fn expr(&self, expr: &Expr) -> String {
        let inner = |part: &Expr| match part {
            Expr::Column(..) | Expr::Literal(..) | Expr::Coalesce(_) | Expr::Case(..) => self.expr(part),
            other => format!("({})", self.expr(other)),
        };
        let list = |items: &[Expr]| items.iter().map(|item| self.expr(item)).collect::<Vec<_>>().join(", ");
        match expr {
            Expr::Column(Side::Target, idx) => format!("t.{}", self.target.columns[*idx].name),
            Expr::Column(Side::Source, idx) => format!("s.{}", self.source_columns[*idx].name),
            Expr::Literal(Value::Null, data_type) => format!("CAST(NULL AS {})", type_name(*data_type)),
            Expr::Literal(value, _) => literal(value),
            Expr::Compare(comparison, left, right) => {
                let sign = match comparison {
                    Comparison::Equal => "=",
                    Comparison::NotEqual => "<>",
                    Comparison::Less => "<",
                    Comparison::LessOrEqual => "<=",
                    Comparison::Greater => ">",
                    Comparison::GreaterOrEqual => ">=",
                    Comparison::NullSafeEqual => "<=>",
                };
                format!("{} {sign} {}", inner(left), inner(right))
            }
            Expr::IsNull(part) => format!("{} IS NULL", inner(part)),
            Expr::Not(part) => format!("NOT {}", inner(part)),
            Expr::And(left, right) => format!("{} AND {}", inner(left), inner(right)),
            Expr::Or(left, right) => format!("{} OR {}", inner(left), inner(right)),
            Expr::In(needle, items) => format!("{} IN ({})", inner(needle), list(items)),
            Expr::Between(value, low, high) => format!("{} BETWEEN {} AND {}", inner(value), inner(low), inner(high)),
            Expr::Add(left, right) => format!("{} + {}", inner(left), inner(right)),
            Expr::Concat(left, right) => format!("{} || {}", inner(left), inner(right)),
            Expr::Coalesce(items) => format!("coalesce({})", list(items)),
            Expr::Case(condition, then, otherwise) => {
                format!("CASE WHEN {} THEN {} ELSE {} END", self.expr(condition), self.expr(then), self.expr(otherwise))
            }
        }
    }
}
