//! The modules that a program can import, as text.

/// What runs before every program.
pub(crate) const START: &str = include_str!("../lib/start.py");

/// By their full names.
pub(crate) const SOURCES: &[(&str, &str)] = &[
    ("abc", include_str!("../lib/std/abc.py")),
    ("collections", include_str!("../lib/std/collections.py")),
    ("copy", include_str!("../lib/std/copy.py")),
    ("datetime", include_str!("../lib/std/datetime.py")),
    ("decimal", include_str!("../lib/std/decimal.py")),
    ("delta", include_str!("../lib/delta/__init__.py")),
    ("delta.exceptions", include_str!("../lib/delta/exceptions.py")),
    ("delta.tables", include_str!("../lib/delta/tables.py")),
    ("functools", include_str!("../lib/std/functools.py")),
    ("json", include_str!("../lib/std/json.py")),
    ("math", include_str!("../lib/std/math.py")),
    ("operator", include_str!("../lib/std/operator.py")),
    ("pyspark", include_str!("../lib/pyspark/__init__.py")),
    ("pyspark._nearest", include_str!("../lib/pyspark/_nearest.py")),
    ("pyspark.errors", include_str!("../lib/pyspark/errors.py")),
    ("pyspark.sql", include_str!("../lib/pyspark/sql/__init__.py")),
    ("pyspark.sql.column", include_str!("../lib/pyspark/sql/column.py")),
    ("pyspark.sql.dataframe", include_str!("../lib/pyspark/sql/dataframe.py")),
    ("pyspark.sql.functions", include_str!("../lib/pyspark/sql/functions.py")),
    ("pyspark.sql.group", include_str!("../lib/pyspark/sql/group.py")),
    ("pyspark.sql.readwriter", include_str!("../lib/pyspark/sql/readwriter.py")),
    ("pyspark.sql.session", include_str!("../lib/pyspark/sql/session.py")),
    ("pyspark.sql.types", include_str!("../lib/pyspark/sql/types.py")),
    ("pyspark.sql.window", include_str!("../lib/pyspark/sql/window.py")),
    ("pyspark.storagelevel", include_str!("../lib/pyspark/storagelevel.py")),
    ("random", include_str!("../lib/std/random.py")),
    ("string", include_str!("../lib/std/string.py")),
    ("types", include_str!("../lib/std/types.py")),
    ("typing", include_str!("../lib/std/typing.py")),
    ("uuid", include_str!("../lib/std/uuid.py")),
];
