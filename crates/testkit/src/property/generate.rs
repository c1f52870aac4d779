//! Random tables and MERGE statements, well typed and legal, in the model's terms.

use super::Case;
use super::expressions::Scope;
use crate::naive::{Action, Clause, Column, Comparison, Expr, Merge, Row, Side, Table, Type, Value, When};
use crate::random::Random;

const TYPES: [Type; 7] = [Type::Int, Type::Text, Type::Long, Type::Date, Type::Money, Type::Double, Type::Bool];
const NAMES: [&str; 6] = ["k", "v", "w", "x", "y", "z"];

/// Which table features a case may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Features {
    pub vectors: bool,
    pub change_feed: bool,
    /// `MERGE WITH SCHEMA EVOLUTION`, and columns that are new by it.
    pub evolution: bool,
}

impl Features {
    /// What is built so far, spread over the seeds.
    pub fn of_seed(_seed: u64) -> Self {
        Self::default()
    }
}

/// The case of a seed.
pub fn case(seed: u64, features: Features) -> Case {
    let random = &mut Random::new(seed);
    let key_type = TYPES[random.weighted(&[50, 20, 12, 8, 5, 5, 0])];
    let mut target_columns = target_columns(random, key_type);
    let source_columns = source_columns(random, &target_columns);
    let partition = random.chance(35).then(|| random.below(target_columns.len()));
    let partition = partition.filter(|idx| *idx > 0 && target_columns[*idx].data_type != Type::Double);
    if let Some(idx) = partition {
        // An empty text there is written as NULL; whether NOT NULL minds is not for this model to say.
        target_columns[idx].required = false;
    }

    let n_inserts = random.weighted(&[8, 25, 35, 20, 12]);
    let inserts = (0..n_inserts).map(|_| rows(random, &target_columns, 6)).collect();
    let target = Table { columns: target_columns, partition, inserts };
    let mut source = rows(random, &source_columns, 8);
    // Most statements are meant to succeed: without two source rows of one key they mostly do.
    if random.chance(80) {
        distinct_keys(&mut source);
    }
    let merge = statement(random, &target, &source_columns);
    let mut case = Case {
        seed,
        inline_source: random.chance(30) && !source.is_empty(),
        vectors: features.vectors,
        change_feed: features.change_feed,
        target,
        source_columns,
        source,
        merge,
        evolves: false,
        n_new_columns: 0,
    };
    if features.evolution {
        evolve(random, &mut case);
    }
    case
}

/// Lets the statement change the schema: `*` now stands for the columns of the source, and those that the target
/// lacks are added to it, NULL in the rows that are there.
fn evolve(random: &mut Random, case: &mut Case) {
    case.evolves = true;
    for clause in &mut case.merge.clauses {
        let may_star = clause.when != When::NotMatchedBySource && !matches!(clause.action, Action::Delete);
        clause.star = may_star && (clause.star || random.chance(50));
    }
    if !case.merge.clauses.iter().any(|clause| clause.star) {
        return;
    }
    let known = |columns: &[Column], name: &str| columns.iter().position(|column| column.name == name);
    for column in &case.source_columns {
        if known(&case.target.columns, &column.name).is_none() {
            case.target.columns.push(column.clone());
            case.n_new_columns += 1;
        }
    }
    let n_columns = case.target.columns.len();
    case.target.inserts.iter_mut().flatten().for_each(|row| row.resize(n_columns, Value::Null));
    let all = case.source_columns.iter().enumerate().filter_map(|(idx, column)| {
        Some((known(&case.target.columns, &column.name)?, Expr::Column(Side::Source, idx)))
    });
    let all: Vec<(usize, Expr)> = all.collect();
    for clause in case.merge.clauses.iter_mut().filter(|clause| clause.star) {
        clause.action = match clause.when {
            When::NotMatched => Action::Insert(all.clone()),
            _ => Action::Update(all.clone()),
        };
    }
}

fn target_columns(random: &mut Random, key_type: Type) -> Vec<Column> {
    let n_columns = 1 + random.weighted(&[6, 30, 30, 20, 14]);
    let column = |random: &mut Random, idx: usize| Column {
        name: NAMES[idx].into(),
        data_type: if idx == 0 { key_type } else { TYPES[random.weighted(&[25, 20, 10, 10, 12, 11, 12])] },
        required: idx > 0 && random.chance(6),
    };
    (0..n_columns).map(|idx| column(random, idx)).collect()
}

/// Mostly the same columns; some left out, some of another type, one more, or in another order.
fn source_columns(random: &mut Random, target: &[Column]) -> Vec<Column> {
    let mut columns = Vec::new();
    for (idx, column) in target.iter().enumerate() {
        if idx > 0 && random.chance(12) {
            continue;
        }
        columns.push(Column { required: false, ..column.clone() });
    }
    if random.chance(25) {
        let data_type = TYPES[random.below(TYPES.len())];
        columns.push(Column { name: "extra".into(), data_type, required: false });
    }
    if random.chance(15) {
        columns.rotate_left(1);
    }
    columns
}

fn rows(random: &mut Random, columns: &[Column], at_most: usize) -> Vec<Row> {
    let n_rows = random.below(at_most + 1);
    (0..n_rows).map(|_| columns.iter().map(|column| cell(random, column)).collect()).collect()
}

fn cell(random: &mut Random, column: &Column) -> Value {
    if !column.required && random.chance(if column.name == "k" { 7 } else { 15 }) {
        return Value::Null;
    }
    value(random, column.data_type)
}

/// A value of the type, from few, so that they meet; some of them odd.
pub fn value(random: &mut Random, data_type: Type) -> Value {
    match data_type {
        Type::Bool => Value::Bool(random.chance(50)),
        Type::Int if random.chance(4) => Value::Int(random.between(-2_000_000, 2_000_000)),
        Type::Int => Value::Int(random.between(0, 11)),
        Type::Long if random.chance(6) => Value::Int(random.between(-5, 5) * 1_000_000_000_000),
        Type::Long => Value::Int(random.between(0, 9)),
        Type::Money => Value::Money(random.between(-3, 12) * 25),
        Type::Double => {
            let odd = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0e15, -2.5e-3];
            if random.chance(30) {
                Value::Double(odd[random.below(odd.len())])
            } else {
                Value::Double(random.between(0, 8) as f64 / 2.0)
            }
        }
        Type::Text => {
            let long = "a text that is longer than the thirty-two characters of the statistics";
            let texts = ["", "a", "b", "B", "c", "d e", "é", "a=b", "x/y", "50%", "null", long];
            Value::Text((*random.pick(&texts)).to_owned())
        }
        Type::Date => Value::Date(random.between(19_700, 19_712) as i32),
    }
}

/// Keeps the first row of each key.
fn distinct_keys(rows: &mut Vec<Row>) {
    let mut seen = Vec::new();
    rows.retain(|row| {
        let key = format!("{:?}", row.first());
        let key = key.replace("-0.0", "0.0");
        !seen.contains(&key) && {
            seen.push(key);
            true
        }
    });
}

fn statement(random: &mut Random, target: &Table, source: &[Column]) -> Merge {
    let both = Scope::new(&target.columns, Some(source), true);
    let on = on(random, &both, target, source);
    let mut clauses = Vec::new();
    let counts = [random.weighted(&[22, 45, 25, 8]), random.weighted(&[35, 47, 18]), random.weighted(&[58, 30, 12])];
    for (when, count) in [When::Matched, When::NotMatched, When::NotMatchedBySource].into_iter().zip(counts) {
        for idx in 0..count {
            let is_last = idx + 1 == count;
            clauses.push(clause(random, target, source, when, is_last));
        }
    }
    if clauses.is_empty() {
        clauses.push(clause(random, target, source, When::Matched, true));
    }
    Merge { on, clauses }
}

/// Mostly the keys, equal; often with a condition on one side; sometimes anything.
fn on(random: &mut Random, both: &Scope, target: &Table, source: &[Column]) -> Expr {
    let key = |side| match side {
        Side::Target => Expr::Column(side, 0),
        Side::Source => Expr::Column(side, source.iter().position(|column| column.name == "k").unwrap_or(0)),
    };
    let compared = |comparison| Expr::Compare(comparison, Box::new(key(Side::Target)), Box::new(key(Side::Source)));
    let keys = match random.weighted(&[72, 14, 4, 10]) {
        0 => compared(Comparison::Equal),
        1 => compared(Comparison::NullSafeEqual),
        2 => compared(Comparison::Less),
        _ => return both.condition(random, 2),
    };
    let one_side = match random.weighted(&[60, 22, 10, 8]) {
        0 => return keys,
        1 => Scope::new(&target.columns, None, true).condition(random, 1),
        2 => Scope::new(&[], Some(source), false).condition(random, 1),
        _ => both.condition(random, 1),
    };
    Expr::And(Box::new(keys), Box::new(one_side))
}

fn clause(random: &mut Random, target: &Table, source: &[Column], when: When, is_last: bool) -> Clause {
    let scope = match when {
        When::Matched => Scope::new(&target.columns, Some(source), true),
        When::NotMatched => Scope::new(&[], Some(source), false),
        When::NotMatchedBySource => Scope::new(&target.columns, None, true),
    };
    let condition = (!is_last || random.chance(45)).then(|| {
        let depth = random.below(3);
        scope.condition(random, depth)
    });
    let (action, star) = match when {
        When::NotMatched => insert(random, target, source, &scope),
        _ if random.chance(30) => (Action::Delete, false),
        _ => update(random, target, source, &scope, when),
    };
    Clause { when, condition, action, star }
}

/// Every target column from the source column of its name, if all are there.
fn star(target: &Table, source: &[Column]) -> Option<Vec<(usize, Expr)>> {
    let from = |column: &Column| source.iter().position(|other| other.name == column.name);
    let pair = |(idx, column): (usize, &Column)| Some((idx, Expr::Column(Side::Source, from(column)?)));
    target.columns.iter().enumerate().map(pair).collect()
}

fn update(random: &mut Random, target: &Table, source: &[Column], scope: &Scope, when: When) -> (Action, bool) {
    if when == When::Matched
        && random.chance(40)
        && let Some(sets) = star(target, source)
    {
        return (Action::Update(sets), true);
    }
    let mut sets = Vec::new();
    let some = 1 + random.below(2);
    let start = random.below(target.columns.len());
    for offset in 0..some.min(target.columns.len()) {
        let idx = (start + offset) % target.columns.len();
        sets.push((idx, scope.value(random, target.columns[idx].data_type, 2)));
    }
    (Action::Update(sets), false)
}

fn insert(random: &mut Random, target: &Table, source: &[Column], scope: &Scope) -> (Action, bool) {
    if random.chance(50)
        && let Some(values) = star(target, source)
    {
        return (Action::Insert(values), true);
    }
    let mut values = Vec::new();
    for (idx, column) in target.columns.iter().enumerate() {
        if idx == 0 || column.required || random.chance(75) {
            values.push((idx, scope.value(random, column.data_type, 1)));
        }
    }
    (Action::Insert(values), false)
}
