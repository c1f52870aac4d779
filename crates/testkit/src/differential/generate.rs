//! Random statements that follow each other on one table, each made for the table as it is then.

use super::statement::{Action, Clause, Merge, Source, Statement};
use super::words::{KINDS, Kind, Named, cell, condition, literal, value};
use crate::random::Random;

/// What a chain has from its start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Traits {
    pub partitioned: bool,
    pub vectors: bool,
    pub feed: bool,
    pub mapped: bool,
    /// A rule on a column: NOT NULL, CHECK, DEFAULT or GENERATED.
    pub ruled: bool,
}

/// The statements that make the target and a source, and what the table is like.
pub(super) fn opening(random: &mut Random) -> (Vec<Statement>, Traits) {
    let columns = columns(random);
    let partition =
        columns[1..].iter().filter(|(_, kind)| can_partition(*kind)).map(|(name, _)| name.clone()).next_back();
    let partition = partition.filter(|_| random.chance(40));
    let traits = Traits {
        partitioned: partition.is_some(),
        vectors: random.chance(35),
        feed: random.chance(30),
        mapped: random.chance(6),
        ruled: random.chance(14),
    };
    let (rule, check) = if traits.ruled { rule(random, &columns) } else { Default::default() };
    let mut statements = vec![Statement::Text(create(&columns, partition.as_deref(), &traits, &rule))];
    statements.extend(check.map(Statement::Text));
    for _ in 0..1 + random.weighted(&[20, 45, 35]) {
        let n_rows = 1 + random.below(6);
        statements.push(insert(random, "tgt", &columns, n_rows));
    }
    (statements, traits)
}

fn can_partition(kind: Kind) -> bool {
    !matches!(kind, Kind::Pair | Kind::List | Kind::Double | Kind::Float)
}

fn columns(random: &mut Random) -> Vec<Named> {
    let key = [Kind::Int, Kind::Text, Kind::Long, Kind::Date, Kind::Money, Kind::Double, Kind::Time]
        [random.weighted(&[58, 18, 8, 6, 4, 3, 3])];
    let mut columns = vec![("k".to_owned(), key)];
    for name in ["v", "w", "p", "x"].iter().take(1 + random.weighted(&[20, 35, 30, 15])) {
        let kind = KINDS[random.weighted(&[8, 4, 24, 7, 4, 9, 9, 22, 7, 6, 4, 3])].0;
        columns.push(((*name).to_owned(), kind));
    }
    columns
}

/// What stands behind a column.
#[derive(Debug, Default)]
struct Rule {
    column: usize,
    text: String,
    is_default: bool,
}

/// A rule on some column but the first, or a CHECK on the table.
fn rule(random: &mut Random, columns: &[Named]) -> (Rule, Option<String>) {
    let column = 1 + random.below(columns.len() - 1);
    let kind = columns[column].1;
    let text = match random.below(4) {
        0 => {
            let check = format!("ALTER TABLE tgt ADD CONSTRAINT c CHECK ({})", condition(random, columns, 0));
            return (Rule::default(), Some(check));
        }
        1 if kind != Kind::Pair && kind != Kind::List => {
            return (Rule { column, text: format!(" DEFAULT {}", literal(random, kind)), is_default: true }, None);
        }
        2 if columns[0].1 == Kind::Int && kind == Kind::Int => " GENERATED ALWAYS AS (k % 3)".to_owned(),
        _ => " NOT NULL".to_owned(),
    };
    (Rule { column, text, is_default: false }, None)
}

fn create(columns: &[Named], partition: Option<&str>, traits: &Traits, rule: &Rule) -> String {
    let column = |(idx, (name, kind)): (usize, &Named)| {
        let rule = if idx == rule.column { rule.text.as_str() } else { "" };
        format!("{name} {}{rule}", kind.type_name())
    };
    let list = columns.iter().enumerate().map(column).collect::<Vec<_>>().join(", ");
    let mut text = format!("CREATE TABLE tgt ({list}) USING delta");
    if let Some(name) = partition {
        text += &format!(" PARTITIONED BY ({name})");
    }
    let switches = [
        (traits.vectors, "'delta.enableDeletionVectors' = 'true'"),
        (traits.feed, "'delta.enableChangeDataFeed' = 'true'"),
        (traits.mapped, "'delta.columnMapping.mode' = 'name'"),
        (rule.is_default, "'delta.feature.allowColumnDefaults' = 'supported'"),
    ];
    let properties: Vec<&str> = switches.iter().filter(|(is_on, _)| *is_on).map(|(_, text)| *text).collect();
    if !properties.is_empty() {
        text += &format!(" TBLPROPERTIES ({})", properties.join(", "));
    }
    text
}

fn row(random: &mut Random, columns: &[Named]) -> String {
    let cells = columns.iter().map(|(name, kind)| cell(random, *kind, if name == "k" { 6 } else { 14 }));
    format!("({})", cells.collect::<Vec<_>>().join(", "))
}

fn insert(random: &mut Random, into: &str, columns: &[Named], n_rows: usize) -> Statement {
    Statement::Insert { into: into.to_owned(), rows: (0..n_rows).map(|_| row(random, columns)).collect() }
}

/// The next statement for a table of these columns at this version.
pub(super) fn next(random: &mut Random, columns: &[Named], version: u64) -> Statement {
    let plain: Vec<Named> = columns.to_vec();
    match random.weighted(&[60, 11, 8, 7, 3, 3, 2, 1, 5]) {
        0 => Statement::Merge(merge(random, columns, version)),
        1 => {
            let n_sets = 1 + random.below(2.min(columns.len()));
            let start = random.below(columns.len());
            let set = |random: &mut Random, offset: usize| {
                let (name, kind) = &columns[(start + offset) % columns.len()];
                format!("{name} = {}", value(random, &plain, *kind, 2))
            };
            let sets = (0..n_sets).map(|offset| set(random, offset)).collect();
            Statement::Update { sets, condition: conjuncts(random, &plain, 8) }
        }
        2 => Statement::Delete { condition: conjuncts(random, &plain, 6) },
        3 => {
            let n_rows = 1 + random.below(4);
            insert(random, "tgt", columns, n_rows)
        }
        4 => Statement::Text("OPTIMIZE tgt".into()),
        5 => Statement::Text(format!("RESTORE TABLE tgt TO VERSION AS OF {}", random.between(1, version as i64))),
        6 if columns.len() < 7 => {
            let kind = KINDS[random.below(KINDS.len())].0;
            Statement::Text(format!("ALTER TABLE tgt ADD COLUMNS (added{} {})", columns.len(), kind.type_name()))
        }
        7 => Statement::Text("INSERT INTO tgt SELECT * FROM tgt LIMIT 0".into()),
        _ => Statement::Text(command(random, &plain)),
    }
}

/// Something that a table meets now and then.
fn command(random: &mut Random, columns: &[Named]) -> String {
    let switch = |random: &mut Random, name: &str| {
        format!("ALTER TABLE tgt SET TBLPROPERTIES ('{name}' = '{}')", random.chance(50))
    };
    match random.below(9) {
        0 => {
            let condition = condition(random, columns, 0);
            format!("INSERT INTO tgt REPLACE WHERE {condition} SELECT * FROM tgt WHERE {condition}")
        }
        1 => "INSERT OVERWRITE tgt SELECT * FROM tgt".to_owned(),
        2 => "REORG TABLE tgt APPLY (PURGE)".to_owned(),
        3 => switch(random, "delta.enableDeletionVectors"),
        4 => {
            let names: Vec<&str> = columns.iter().rev().map(|(name, _)| name.as_str()).collect();
            format!(
                "INSERT INTO tgt BY NAME SELECT {} FROM tgt WHERE {}",
                names.join(", "),
                condition(random, columns, 0)
            )
        }
        5 => format!("INSERT INTO tgt (k) VALUES ({})", literal(random, columns[0].1)),
        6 => format!("INSERT INTO tgt SELECT * FROM tgt WHERE {}", condition(random, columns, 1)),
        7 => "TRUNCATE TABLE tgt".to_owned(),
        _ => "OPTIMIZE tgt ZORDER BY (k)".to_owned(),
    }
}

fn conjuncts(random: &mut Random, scope: &[Named], none_percent: usize) -> Vec<String> {
    if random.chance(none_percent) {
        return Vec::new();
    }
    (0..1 + random.weighted(&[75, 25])).map(|_| condition(random, scope, 1)).collect()
}

fn merge(random: &mut Random, target: &[Named], version: u64) -> Merge {
    let evolves = random.chance(20);
    let own = random.chance(14);
    let source = if own { target.to_vec() } else { source_columns(random, target, evolves) };
    let (in_target, in_source) = (prefixed("t", target), prefixed("s", &source));
    let both = [in_target.clone(), in_source.clone()].concat();
    let counts = [random.weighted(&[18, 50, 26, 6]), random.weighted(&[30, 55, 15]), random.weighted(&[60, 30, 10])];
    let mut clauses = Vec::new();
    for (when, n_clauses) in ["MATCHED", "NOT MATCHED", "NOT MATCHED BY SOURCE"].into_iter().zip(counts) {
        for idx in 0..n_clauses {
            let scope = match when {
                "MATCHED" => &both,
                "NOT MATCHED" => &in_source,
                _ => &in_target,
            };
            let is_open = idx + 1 == n_clauses && random.chance(60);
            let condition = if is_open { Vec::new() } else { conjuncts(random, scope, 0) };
            clauses.push(Clause { when, condition, action: action(random, when, target, &source, scope, evolves) });
        }
    }
    if clauses.is_empty() {
        clauses.push(Clause { when: "NOT MATCHED", condition: Vec::new(), action: Action::Whole("INSERT *") });
    }
    let rows = if own { own_rows(random, target, version) } else { rows_of_source(random, &source) };
    Merge { evolves, source: rows, on: on(random, &in_target, &in_source), clauses }
}

fn prefixed(alias: &str, columns: &[Named]) -> Vec<Named> {
    columns.iter().map(|(name, kind)| (format!("{alias}.{name}"), *kind)).collect()
}

/// The target's columns with some missing, some of another type, some more.
fn source_columns(random: &mut Random, target: &[Named], evolves: bool) -> Vec<Named> {
    let mut columns: Vec<Named> = Vec::new();
    for (idx, (name, kind)) in target.iter().enumerate() {
        if idx > 0 && random.chance(8) {
            continue;
        }
        let wider = match kind {
            Kind::Int if random.chance(6) => Kind::Long,
            Kind::Long | Kind::Double if random.chance(6) => Kind::Int,
            Kind::Text if random.chance(4) => Kind::Int,
            other => *other,
        };
        columns.push((name.clone(), if idx == 0 { *kind } else { wider }));
    }
    if random.chance(if evolves { 65 } else { 12 }) && columns.len() < 7 {
        columns.push((format!("extra{}", target.len()), KINDS[random.below(KINDS.len())].0));
    }
    columns
}

/// Mostly the keys, equal.
fn on(random: &mut Random, target: &[Named], source: &[Named]) -> Vec<String> {
    let mut on = match random.weighted(&[82, 12, 6]) {
        0 => vec!["t.k = s.k".to_owned()],
        1 => vec!["t.k <=> s.k".to_owned()],
        _ => vec![condition(random, &[target, source].concat(), 1)],
    };
    match random.weighted(&[66, 20, 8, 6]) {
        1 => on.push(condition(random, target, 1)),
        2 => on.push(condition(random, source, 1)),
        3 => on.push(condition(random, &[target, source].concat(), 1)),
        _ => {}
    }
    on
}

/// The table itself as the source: all of it, as it was, or some of it changed.
fn own_rows(random: &mut Random, columns: &[Named], version: u64) -> Source {
    Source::Text(match random.below(4) {
        0 => "tgt".to_owned(),
        1 => format!("(SELECT * FROM tgt VERSION AS OF {})", random.between(0, version as i64)),
        2 => format!("(SELECT * FROM tgt WHERE {})", condition(random, columns, 1)),
        _ => {
            let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
            let list = names.join(", ");
            let order = "ORDER BY ".to_owned() + &list;
            let plain = columns.iter().all(|(_, kind)| *kind != Kind::List && *kind != Kind::Pair);
            if !plain {
                return Source::Text("(SELECT DISTINCT * FROM tgt)".to_owned());
            }
            format!(
                "(SELECT {list} FROM (SELECT *, row_number() OVER (PARTITION BY k {order}) AS n FROM tgt) WHERE n = 1)"
            )
        }
    })
}

fn rows_of_source(random: &mut Random, columns: &[Named]) -> Source {
    let n_rows = 1 + random.below(7);
    let distinct = random.chance(85);
    let mut rows: Vec<String> = Vec::new();
    let mut keys: Vec<String> = Vec::new();
    for _ in 0..n_rows {
        let row = row(random, columns);
        let key = row.split(',').next().unwrap_or_default().to_owned();
        if !distinct || !keys.contains(&key) {
            rows.push(row);
        }
        keys.push(key);
    }
    let names: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
    let cast = |(name, kind): &Named| format!("CAST({name} AS {}) AS {name}", kind.type_name());
    let select = if random.chance(50) { columns.iter().map(cast).collect::<Vec<_>>().join(", ") } else { "*".into() };
    let rest = match random.weighted(&[84, 10, 6]) {
        1 => format!(" WHERE {}", condition(random, columns, 0)),
        2 => format!(" UNION ALL SELECT {select} FROM VALUES {} AS v({})", rows[0], names.join(", ")),
        _ => String::new(),
    };
    Source::Values { select, rest, names, rows }
}

fn action(
    random: &mut Random,
    when: &str,
    target: &[Named],
    source: &[Named],
    scope: &[Named],
    evolves: bool,
) -> Action {
    let has_all = target.iter().all(|(name, _)| source.iter().any(|(other, _)| other == name));
    let may_star = (has_all || evolves) && random.chance(45);
    match when {
        "NOT MATCHED" if may_star => Action::Whole("INSERT *"),
        "NOT MATCHED" => {
            let kept =
                target.iter().enumerate().filter(|(idx, _)| *idx == 0 || random.chance(80)).map(|(_, kept)| kept);
            let kept: Vec<Named> = kept.cloned().collect();
            Action::Insert(kept.into_iter().map(|(name, kind)| (name, value(random, scope, kind, 1))).collect())
        }
        _ if random.chance(28) => Action::Whole("DELETE"),
        "MATCHED" if may_star => Action::Whole("UPDATE SET *"),
        _ => {
            let n_sets = 1 + random.below(2.min(target.len()));
            let start = random.below(target.len());
            let set = |random: &mut Random, offset: usize| {
                let (name, kind) = &target[(start + offset) % target.len()];
                (name.clone(), if random.chance(10) { literal(random, *kind) } else { value(random, scope, *kind, 2) })
            };
            Action::Update((0..n_sets).map(|offset| set(random, offset)).collect())
        }
    }
}
