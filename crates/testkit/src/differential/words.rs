//! Random values, conditions and columns as Spark SQL text: more types and functions than the naive model knows.

use crate::random::Random;

/// The types of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Small,
    Int,
    Long,
    Float,
    Double,
    Money,
    Text,
    Date,
    Time,
    Pair,
    List,
}

/// All kinds with the name of their type, as `DESCRIBE` prints it.
pub(super) const KINDS: [(Kind, &str); 12] = [
    (Kind::Bool, "boolean"),
    (Kind::Small, "smallint"),
    (Kind::Int, "int"),
    (Kind::Long, "bigint"),
    (Kind::Float, "float"),
    (Kind::Double, "double"),
    (Kind::Money, "decimal(9,2)"),
    (Kind::Text, "string"),
    (Kind::Date, "date"),
    (Kind::Time, "timestamp"),
    (Kind::Pair, "struct<a:int,b:string>"),
    (Kind::List, "array<int>"),
];

/// A name in sight with its kind.
pub(super) type Named = (String, Kind);

impl Kind {
    /// As written in SQL.
    pub(super) fn type_name(self) -> &'static str {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or("int", |(_, name)| name)
    }

    /// The kind of a type; `None` for a type that is not made here.
    pub(super) fn of(type_name: &str) -> Option<Self> {
        KINDS.iter().find(|(_, name)| *name == type_name).map(|(kind, _)| *kind)
    }

    fn is_number(self) -> bool {
        matches!(self, Kind::Small | Kind::Int | Kind::Long | Kind::Float | Kind::Double | Kind::Money)
    }

    fn is_whole(self) -> bool {
        matches!(self, Kind::Small | Kind::Int | Kind::Long)
    }
}

/// A literal, from few values so that they meet; some of them odd. Never NULL.
pub(super) fn literal(random: &mut Random, kind: Kind) -> String {
    match kind {
        Kind::Bool => if random.chance(50) { "true" } else { "false" }.to_owned(),
        Kind::Small => random.between(0, 9).to_string(),
        Kind::Int if random.chance(4) => (*random.pick(&["2147483647", "-2147483648", "-1", "1000000"])).to_owned(),
        Kind::Int => random.between(0, 9).to_string(),
        Kind::Long if random.chance(8) => {
            (*random.pick(&["9223372036854775807L", "3000000000", "-5000000000"])).to_owned()
        }
        Kind::Long => random.between(0, 9).to_string(),
        Kind::Float => format!("{}.5F", random.between(-2, 6)),
        Kind::Double if random.chance(25) => {
            let odd = ["DOUBLE('NaN')", "0.0D", "-0.0D", "DOUBLE('Infinity')", "1.0E12D", "1.0E-4D", "0.1D"];
            (*random.pick(&odd)).to_owned()
        }
        Kind::Double => format!("{}.5D", random.between(-1, 6)),
        Kind::Money => format!("{}.{}", random.between(-2, 12), random.pick(&["00", "25", "5", "75"])),
        Kind::Text => {
            let texts = [
                "''",
                "'a'",
                "'b'",
                "'B'",
                "'c d'",
                "'é'",
                "'a=b'",
                "'x/y'",
                "'50%'",
                "'7'",
                "'null'",
                "'a text that is longer than thirty-two characters'",
            ];
            (*random.pick(&texts)).to_owned()
        }
        Kind::Date => format!("DATE'2024-0{}-{:02}'", random.between(1, 3), random.between(26, 29)),
        Kind::Time => {
            let fraction = random.pick(&["", "", ".5", ".123456"]);
            format!("TIMESTAMP'2024-01-0{} {:02}:30:00{fraction}'", random.between(1, 4), random.between(0, 23))
        }
        Kind::Pair => {
            let text = if random.chance(15) { "CAST(NULL AS STRING)".into() } else { literal(random, Kind::Text) };
            format!("named_struct('a', {}, 'b', {text})", random.between(0, 3))
        }
        Kind::List => {
            (*random.pick(&["array(1, 2)", "array(3)", "array(1, CAST(NULL AS INT))", "array(2, 1, 3)"])).to_owned()
        }
    }
}

/// A cell of VALUES.
pub(super) fn cell(random: &mut Random, kind: Kind, null_percent: usize) -> String {
    if random.chance(null_percent) { "NULL".to_owned() } else { literal(random, kind) }
}

/// A value of the kind over the names in sight.
pub(super) fn value(random: &mut Random, scope: &[Named], kind: Kind, depth: usize) -> String {
    let fitting: Vec<&Named> = scope.iter().filter(|(_, other)| *other == kind).collect();
    let sub = |random: &mut Random, kind: Kind| value(random, scope, kind, depth.saturating_sub(1));
    if depth > 0 && random.chance(38) {
        let composed = match (random.below(7), kind) {
            (0, _) => Some(format!("coalesce({}, {})", sub(random, kind), sub(random, kind))),
            (1, _) => {
                let condition = condition(random, scope, 0);
                Some(format!("CASE WHEN {condition} THEN {} ELSE {} END", sub(random, kind), sub(random, kind)))
            }
            (2, Kind::Pair | Kind::List | Kind::Bool) => None,
            (2, _) => Some(format!("nullif({}, {})", sub(random, kind), literal(random, kind))),
            (3, _) if kind.is_number() => {
                let sign = random.pick(&["+", "-", "*"]);
                Some(format!("{} {sign} {}", wrapped(&sub(random, kind)), random.between(1, 3)))
            }
            (4, _) if kind.is_whole() => Some(format!("{} % 4", wrapped(&sub(random, kind)))),
            (5, _) if kind.is_number() => Some(format!("abs({})", sub(random, kind))),
            (3, Kind::Text) => Some(format!("concat({}, '-', {})", sub(random, kind), sub(random, kind))),
            (4, Kind::Text) => Some(format!("upper({})", sub(random, kind))),
            (5, Kind::Text) => Some(format!("substring({}, 1, 2)", sub(random, kind))),
            (6, Kind::Text) => Some(format!("CAST({} AS STRING)", sub(random, Kind::Int))),
            (3, Kind::Date) => Some(format!("date_add({}, {})", sub(random, kind), random.between(-3, 40))),
            (4, Kind::Date) => Some(format!("{} - INTERVAL 1 MONTH", wrapped(&sub(random, kind)))),
            (5, Kind::Date) => Some(format!("CAST({} AS DATE)", sub(random, Kind::Time))),
            (3, Kind::Time) => Some(format!("{} + INTERVAL 2 HOURS", wrapped(&sub(random, kind)))),
            (4, Kind::Time) => Some(format!("CAST({} AS TIMESTAMP)", sub(random, Kind::Date))),
            (6, Kind::Int) => Some(format!("length({})", sub(random, Kind::Text))),
            (6, Kind::Bool) => Some(condition(random, scope, 0)),
            _ => None,
        };
        if let Some(composed) = composed {
            return composed;
        }
    }
    if !fitting.is_empty() && random.chance(75) {
        return fitting[random.below(fitting.len())].0.clone();
    }
    if random.chance(6) { format!("CAST(NULL AS {})", kind.type_name()) } else { literal(random, kind) }
}

fn wrapped(text: &str) -> String {
    let is_atom = text.chars().all(|char| char.is_alphanumeric() || matches!(char, '.' | '_' | '\''))
        || text.ends_with(')') && !text.contains(' ');
    if is_atom { text.to_owned() } else { format!("({text})") }
}

/// One condition over the names in sight, in parentheses where AND could pull it apart.
pub(super) fn condition(random: &mut Random, scope: &[Named], depth: usize) -> String {
    if depth > 0 && random.chance(30) {
        let sub = |random: &mut Random| condition(random, scope, depth - 1);
        return match random.below(3) {
            0 => format!("({} OR {})", sub(random), sub(random)),
            1 => format!("NOT ({})", sub(random)),
            _ => format!("({} AND {} IS NOT NULL)", sub(random), scope[random.below(scope.len())].0),
        };
    }
    let (name, kind) = scope[random.below(scope.len())].clone();
    match random.weighted(&[55, 10, 10, 8, 6, 5, 4]) {
        1 => format!("{name} IS NULL"),
        2 => format!("{name} IS NOT NULL"),
        3 if kind != Kind::Pair && kind != Kind::List => {
            format!("{name} IN ({}, {})", literal(random, kind), literal(random, kind))
        }
        4 if kind == Kind::Text => format!("{name} LIKE {}", random.pick(&["'a%'", "'%b'", "'_'", "'%'"])),
        4 if kind.is_whole() => format!("{name} % 2 = {}", random.below(2)),
        5 if kind.is_number() => format!("({name} BETWEEN {} AND {})", literal(random, kind), literal(random, kind)),
        6 => (*random.pick(&["true", "true", "false"])).to_owned(),
        _ if kind == Kind::Bool => format!("{name} = {}", literal(random, kind)),
        _ if kind == Kind::Pair => format!("{name}.a = {}", random.between(0, 3)),
        _ if kind == Kind::List => format!("size({name}) > {}", random.between(0, 2)),
        _ => {
            let sign = random.pick(&["=", "=", "<>", "<=>", "<", "<=", ">", ">="]);
            format!("{name} {sign} {}", wrapped(&value(random, scope, kind, 1)))
        }
    }
}
