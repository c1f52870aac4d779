//! How Spark writes calls of functions: some in upper case, some under another name, some with the arguments that were
//! left out. Observed, function by function, on the reference.

use spec::Name;

/// Functions of numbers that say their names in upper case.
const UPPER: [&str; 32] = [
    "acos",
    "asin",
    "atan",
    "atan2",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "degrees",
    "e",
    "exp",
    "expm1",
    "floor",
    "hypot",
    "log",
    "log10",
    "log1p",
    "log2",
    "pi",
    "power",
    "radians",
    "regexp",
    "regexp_like",
    "rlike",
    "signum",
    "sin",
    "sinh",
    "spark_partition_id",
    "sqrt",
    "tan",
    "tanh",
    "asinh",
];

/// Functions that are others under the name that they are called by.
const RENAMED: [(&str, &str); 4] = [
    ("array_agg", "collect_list"),
    ("curdate", "current_date"),
    ("current_database", "current_schema"),
    ("dateadd", "date_add"),
];

/// Functions with optional arguments, and what stands for them: name, how many are given, the rest.
const DEFAULTS: [(&str, usize, &[&str]); 19] = [
    ("round", 1, &["0"]),
    ("bround", 1, &["0"]),
    ("unix_timestamp", 1, &["yyyy-MM-dd HH:mm:ss"]),
    ("to_unix_timestamp", 1, &["yyyy-MM-dd HH:mm:ss"]),
    ("from_unixtime", 1, &["yyyy-MM-dd HH:mm:ss"]),
    ("sort_array", 1, &["true"]),
    ("array_sort", 1, &[COMPARATOR]),
    ("months_between", 2, &["true"]),
    ("position", 2, &["1"]),
    ("locate", 2, &["1"]),
    ("split", 2, &["-1"]),
    ("regexp_replace", 3, &["1"]),
    ("regexp_extract_all", 2, &["1"]),
    ("regexp_instr", 2, &["0"]),
    ("percentile", 2, &["1"]),
    ("percentile_approx", 2, &["10000"]),
    ("approx_percentile", 2, &["10000"]),
    ("lag", 1, &["1", "NULL"]),
    ("lead", 1, &["1", "NULL"]),
];

/// The order of `array_sort` where none is given: NULLs last.
const COMPARATOR: &str = "lambdafunction((IF(((namedlambdavariable() IS NULL) AND (namedlambdavariable() IS NULL)), 0, \
    (IF((namedlambdavariable() IS NULL), 1, (IF((namedlambdavariable() IS NULL), -1, (IF((namedlambdavariable() < \
    namedlambdavariable()), -1, (IF((namedlambdavariable() > namedlambdavariable()), 1, 0)))))))))), \
    namedlambdavariable(), namedlambdavariable())";

/// Types called as functions, and the types.
const CASTS: [(&str, &str); 12] = [
    ("boolean", "BOOLEAN"),
    ("tinyint", "TINYINT"),
    ("smallint", "SMALLINT"),
    ("int", "INT"),
    ("bigint", "BIGINT"),
    ("float", "FLOAT"),
    ("double", "DOUBLE"),
    ("decimal", "DECIMAL(10,0)"),
    ("string", "STRING"),
    ("binary", "BINARY"),
    ("date", "DATE"),
    ("timestamp", "TIMESTAMP"),
];

/// Whether a function is a cast by another name.
pub(super) fn is_cast(name: &Name) -> bool {
    CASTS.iter().any(|(cast, _)| name.last().eq_ignore_ascii_case(cast))
}

/// The arguments with those that were left out.
pub(super) fn given_all(name: &str, mut args: Vec<String>) -> Vec<String> {
    if matches!(name, "lag" | "lead") && args.len() == 2 {
        args.push("NULL".to_owned());
    }
    let default = DEFAULTS.iter().find(|(function, n_given, _)| *function == name && *n_given == args.len());
    args.extend(default.into_iter().flat_map(|(_, _, rest)| rest.iter().map(|arg| (*arg).to_owned())));
    args
}

/// The call.
pub(super) fn called(name: &str, args: &[String], distinct: bool) -> String {
    let distinct = if distinct { "DISTINCT " } else { "" };
    let cast = CASTS.iter().find(|(cast, _)| *cast == name).map(|(_, data_type)| data_type);
    match (name, args) {
        ("if" | "iff", [condition, then, otherwise]) => format!("(IF({condition}, {then}, {otherwise}))"),
        ("isnull", [value]) => format!("({value} IS NULL)"),
        ("isnotnull", [value]) => format!("({value} IS NOT NULL)"),
        ("positive", [value]) => format!("(+ {value})"),
        ("log", [value]) => format!("LOG(E(), {value})"),
        ("extract", [field, source]) => format!("extract({field} FROM {source})"),
        ("ltrim", [letters, text]) => format!("TRIM(LEADING {letters} FROM {text})"),
        ("rtrim", [letters, text]) => format!("TRIM(TRAILING {letters} FROM {text})"),
        ("first" | "last" | "first_value" | "last_value" | "any_value", [value, _]) => format!("{name}({value})"),
        (_, [value]) if cast.is_some() => format!("CAST({value} AS {})", cast.unwrap_or(&"")),
        _ if UPPER.contains(&name) => format!("{}({distinct}{})", name.to_uppercase(), args.join(", ")),
        _ => {
            let name = RENAMED.iter().find(|(called, _)| *called == name).map_or(name, |(_, real)| real);
            format!("{name}({distinct}{})", args.join(", "))
        }
    }
}
