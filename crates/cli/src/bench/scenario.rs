//! The scenarios, as SQL: the browser, the native program and the parity test run the same text.

/// One scenario of one size.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// `P1` to `P6`, and `P1v`.
    pub name: &'static str,
    pub title: &'static str,
    /// Builds `tgt` and `src`.
    pub setup: String,
    /// The statement that is measured.
    pub statement: String,
    /// Target rows before the statement.
    pub n_rows: u64,
    /// Whether the target has deletion vectors, which other engines do not write.
    pub has_vectors: bool,
}

impl Scenario {
    /// The same without deletion vectors: what other engines are measured on.
    pub fn plain(&self) -> Self {
        let name = self.name.trim_end_matches('v');
        Self { name, setup: self.setup.replace(WITH_VECTORS, ""), has_vectors: false, ..self.clone() }
    }

    /// The same with deletion vectors.
    fn with_vectors(self, name: &'static str, title: &'static str) -> Self {
        let setup = self.setup.replacen("USING DELTA", &format!("USING DELTA{WITH_VECTORS}"), 1);
        Self { name, title, setup, has_vectors: true, ..self }
    }
}

const WITH_VECTORS: &str = " TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')";

/// Files of the target.
const N_FILES: u64 = 16;

/// All scenarios over a target of `n_rows` rows (P5: a quarter of them); a source of 1 % of them, nine tenths of which match. `seed` moves the
/// generated values.
pub fn all(n_rows: u64, seed: u64) -> Vec<Scenario> {
    let n_rows = n_rows.next_multiple_of(N_FILES * 10);
    let upsert =
        "MERGE INTO tgt t USING src s ON t.k = s.k\nWHEN MATCHED THEN UPDATE SET *\nWHEN NOT MATCHED THEN INSERT *";
    let scenario = |name, title, setup, statement: &str| Scenario {
        name,
        title,
        setup,
        statement: statement.to_owned(),
        n_rows,
        has_vectors: false,
    };
    vec![
        scenario("P1", "upsert, scattered over all files", table(n_rows, seed, Keys::Scattered), upsert),
        scenario(
            "P2",
            "upsert in one file, predicate prunes the rest",
            table(n_rows, seed, Keys::Clustered),
            "MERGE INTO tgt t USING src s ON t.k = s.k AND t.day = 3\nWHEN MATCHED THEN UPDATE SET *\nWHEN NOT MATCHED THEN INSERT *",
        ),
        scenario("P3", "the same without the predicate", table(n_rows, seed, Keys::Clustered), upsert),
        scenario(
            "P4",
            "insert only",
            table(n_rows, seed, Keys::Scattered),
            "MERGE INTO tgt t USING src s ON t.k = s.k\nWHEN NOT MATCHED THEN INSERT *",
        ),
        Scenario {
            n_rows: dimension_rows(n_rows),
            ..scenario("P5", "SCD2, staged, 10 % changed", dimension(dimension_rows(n_rows), seed), SCD2)
        },
        scenario(
            "P6",
            "upsert whose condition is never true",
            table(n_rows, seed, Keys::Scattered),
            "MERGE INTO tgt t USING src s ON t.k = s.k\nWHEN MATCHED AND s.amount < 0 THEN UPDATE SET *\nWHEN NOT MATCHED AND s.amount < 0 THEN INSERT *",
        ),
        scenario("P1", "", table(n_rows, seed, Keys::Scattered), upsert)
            .with_vectors("P1v", "P1 with deletion vectors, the others without"),
    ]
}

const SCD2: &str = "MERGE INTO tgt t USING (
  SELECT s.k AS merge_key, s.* FROM src s
  UNION ALL
  SELECT CAST(NULL AS BIGINT) AS merge_key, s.* FROM src s JOIN tgt t ON s.k = t.k AND t.is_current AND NOT (t.city <=> s.city)
) s ON t.k = s.merge_key
WHEN MATCHED AND t.is_current AND NOT (t.city <=> s.city) THEN UPDATE SET is_current = false, valid_to = s.changed
WHEN NOT MATCHED THEN INSERT (k, name, city, valid_from, valid_to, is_current) VALUES (s.k, s.name, s.city, s.changed, NULL, true)";

/// How keys spread over files.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Keys {
    /// Neighbouring keys lie in different files.
    Scattered,
    /// Each file has a range of keys, and a `day` of its own.
    Clustered,
}

fn table(n_rows: u64, seed: u64, keys: Keys) -> String {
    let per_file = n_rows / N_FILES;
    let columns = "k BIGINT, name STRING, city STRING, note STRING, amount DOUBLE, day INT";
    let mut setup = format!("CREATE TABLE tgt ({columns}) USING DELTA;\nCREATE TABLE src ({columns}) USING DELTA;\n");
    for file in 0..N_FILES {
        let (key, day) = match keys {
            Keys::Scattered => (format!("id * {N_FILES} + {file}"), "CAST(pmod(k, 30) AS INT)".to_owned()),
            Keys::Clustered => (format!("id + {}", file * per_file), file.to_string()),
        };
        setup.push_str(&insert("tgt", &key, &day, per_file, seed));
    }
    let n_source = n_rows / 100;
    let n_match = n_source * 9 / 10;
    let (step, first) = match keys {
        Keys::Scattered => (n_rows / n_match, 0),
        Keys::Clustered => ((per_file / n_match).max(1), 3 * per_file),
    };
    // The last tenth of the source lies behind all keys of the target.
    let key = format!("CASE WHEN id < {n_match} THEN id * {step} + {first} ELSE id + {} END", n_rows - n_match);
    let day = if keys == Keys::Clustered { "3" } else { "CAST(pmod(k, 30) AS INT)" };
    setup.push_str(&insert("src", &key, day, n_source, seed + 1));
    setup
}

fn insert(table: &str, key: &str, day: &str, n_rows: u64, seed: u64) -> String {
    format!(
        "INSERT INTO {table}\n  SELECT k, concat('name ', k), concat('city ', pmod(k * 31 + {seed}, 97)), \
         concat('order ', pmod(k * 7919 + {seed}, 1000003)), CAST(pmod(k * 17 + {seed}, 10007) AS DOUBLE) / 4, {day}\n  \
         FROM (SELECT {key} AS k FROM range({n_rows}));\n"
    )
}

/// Rows of P5's target, the same number in every file.
fn dimension_rows(n_rows: u64) -> u64 {
    (n_rows / 4).next_multiple_of(N_FILES)
}

fn dimension(n_rows: u64, seed: u64) -> String {
    let per_file = n_rows / N_FILES;
    let mut setup = String::from(
        "CREATE TABLE tgt (k BIGINT, name STRING, city STRING, valid_from DATE, valid_to DATE, is_current BOOLEAN) USING DELTA;\n\
         CREATE TABLE src (k BIGINT, name STRING, city STRING, changed DATE) USING DELTA;\n",
    );
    for file in 0..N_FILES {
        setup.push_str(&format!(
            "INSERT INTO tgt\n  SELECT k, concat('name ', k), concat('city ', pmod(k * 31 + {seed}, 97)), DATE'2025-01-01', \
             CAST(NULL AS DATE), true\n  FROM (SELECT id * {N_FILES} + {file} AS k FROM range({per_file}));\n"
        ));
    }
    setup.push_str(&format!(
        "INSERT INTO src\n  SELECT k, concat('name ', k), CASE WHEN pmod(k, 10) = 0 THEN 'city new' ELSE concat('city ', pmod(k * 31 + {seed}, 97)) END, \
         DATE'2026-01-01'\n  FROM (SELECT id AS k FROM range({}));\n",
        per_file * N_FILES
    ));
    setup
}

/// Tables of every kind of column, with NULLs and partitions, for the comparison of bytes.
pub fn kinds() -> Scenario {
    let setup = "CREATE TABLE tgt (id BIGINT, p DATE, flag BOOLEAN, tiny TINYINT, small SMALLINT, n INT, f FLOAT, d DOUBLE,
  price DECIMAL(12,3), big DECIMAL(30,5), name STRING, raw BINARY, ts TIMESTAMP, wall TIMESTAMP_NTZ,
  tags ARRAY<STRING>, attrs MAP<STRING, INT>, addr STRUCT<city: STRING, geo: STRUCT<lat: DOUBLE, lon: DOUBLE>>)
  USING DELTA PARTITIONED BY (p);
INSERT INTO tgt VALUES
  (1, DATE'2026-01-01', true, 1Y, 2S, 3, 1.5F, 2.5D, 1.125, 123456789012345.12345, 'Straße', X'0102', TIMESTAMP'2026-01-01 10:11:12.345678',
   TIMESTAMP_NTZ'2026-01-01 10:11:12', array('a', NULL, 'b'), map('k', 1), named_struct('city', 'Oslo', 'geo', named_struct('lat', 59.9D, 'lon', 10.7D))),
  (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (3, DATE'2026-01-02', false, -1Y, -2S, -3, CAST('NaN' AS FLOAT), CAST('-Infinity' AS DOUBLE), -0.001, -1.00000, '', X'', TIMESTAMP'1969-12-31 23:59:59.999999',
   TIMESTAMP_NTZ'1970-01-01 00:00:00', array(), map(), named_struct('city', NULL, 'geo', NULL));
CREATE TABLE src (id BIGINT, price DECIMAL(12,3), name STRING) USING DELTA;
INSERT INTO src VALUES (1, 9.999, 'a name that is longer than thirty-two characters, so that its statistics are cut'), (3, NULL, NULL), (4, 4.5, 'x=y/z%');
";
    let statement = "MERGE INTO tgt t USING src s ON t.id = s.id
WHEN MATCHED AND s.price IS NULL THEN DELETE
WHEN MATCHED THEN UPDATE SET price = s.price, name = s.name
WHEN NOT MATCHED THEN INSERT (id, p, price, name) VALUES (s.id, DATE'2026-01-03', s.price, s.name)
WHEN NOT MATCHED BY SOURCE THEN UPDATE SET n = 7";
    Scenario {
        name: "kinds",
        title: "every kind of column",
        setup: setup.to_owned(),
        statement: statement.to_owned(),
        n_rows: 3,
        has_vectors: false,
    }
}
