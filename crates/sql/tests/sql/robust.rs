//! No input may panic, hang or blow the stack, and every span must lie on the text.

use std::fmt::Debug;

/// Real statements that together touch every part of the grammar.
const SCRIPTS: &[&str] = &[
    "WITH s0 AS (SELECT *, row_number() OVER (PARTITION BY k ORDER BY ts DESC NULLS LAST) AS rn FROM chg) \
     MERGE WITH SCHEMA EVOLUTION INTO main.sales.`tgt é` AS t USING (SELECT * FROM s0 WHERE rn = 1) s ON t.k <=> s.k \
     WHEN MATCHED AND s.op = 'D' THEN DELETE WHEN MATCHED THEN UPDATE SET t.v = s.v + 1, ts = current_timestamp() \
     WHEN NOT MATCHED BY TARGET AND s.op <> 'D' THEN INSERT (k, v) VALUES (s.k, coalesce(s.v, -1)) \
     WHEN NOT MATCHED BY SOURCE AND t.d < DATE'2024-01-01' - INTERVAL '7' DAYS THEN UPDATE SET gone = TRUE",
    "MERGE INTO t USING s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;",
    "CREATE OR REPLACE TABLE a.b (id INT NOT NULL COMMENT 'key', d DECIMAL(10, 2) DEFAULT 1.5, \
     s STRUCT<x: INT, y: ARRAY<MAP<STRING, INT>>>, g INT GENERATED ALWAYS AS (id + 1)) USING delta \
     PARTITIONED BY (id) LOCATION '/x' COMMENT \"c\" TBLPROPERTIES ('a.b' = 'c', d.e = 1)",
    "CREATE TABLE IF NOT EXISTS t PARTITIONED BY (p STRING) AS SELECT 1 AS a, 'x' AS p; DROP TABLE IF EXISTS t",
    "CREATE OR REPLACE TEMP VIEW v (a, b) AS SELECT * FROM VALUES (1, 'x'), (2, NULL) AS t(a, b) -- end",
    "INSERT INTO t (a, b) VALUES (1, DEFAULT), (2, r'raw\\'); INSERT OVERWRITE TABLE t BY NAME TABLE s",
    "INSERT INTO t REPLACE WHERE p = 1 AND q > 2 SELECT explode(sequence(1, 3)) FROM range(3) r",
    "UPDATE t AS x SET a.b.c = CASE WHEN a THEN 1 ELSE 2 END, d = DEFAULT WHERE NOT x.a IS DISTINCT FROM 3 AND TRUE",
    "DELETE FROM delta.`/some/path` WHERE id IN (1, 2) OR name NOT LIKE 'a!%' ESCAPE '!' OR n BETWEEN 1 AND 2",
    "SELECT DISTINCT t.*, * EXCEPT (a), count(DISTINCT a) FILTER (WHERE b > 1) AS n, a::INT[0].f, \
     transform(xs, (x, i) -> x + i), TRIM(BOTH 'x' FROM y), EXTRACT(YEAR FROM d), SUBSTRING(s FROM 1 FOR 2) \
     FROM a VERSION AS OF 3 t JOIN b USING (k) LEFT ANTI JOIN c ON a.x = c.x, LATERAL (SELECT 1) l \
     LATERAL VIEW OUTER explode(m) e AS k, v WHERE EXISTS (SELECT 1) GROUP BY ROLLUP (a, b) HAVING sum(x) > 1 \
     WINDOW w AS (PARTITION BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) ORDER BY 1 DESC LIMIT 10 OFFSET 5",
    "SELECT 1 UNION ALL BY NAME (SELECT 2 INTERSECT SELECT 3) MINUS VALUES (4), (5); TABLE x; (SELECT 1)",
    "SELECT 1 /* a /* b */ c */ , X'0aF', 1.5e-3, 2BD, 3L, TIMESTAMP'2024-01-01 10:00:00.5+02:00', 'a\\u00e9' \"b\"",
    "DESCRIBE HISTORY t LIMIT 3; DESC DETAIL '/p'; DESCRIBE TABLE EXTENDED t; SHOW TABLES IN s; SET a.b = c d; USE s",
    "SET x.y = true; -- session\nfrom delta.tables import DeltaTable\ntgt = DeltaTable.forName(spark, \"t\")\n(tgt.alias('t')\n\
     .merge(s, 'a = b').execute())\nSELECT 1",
    "SELECT * FROM t QUALIFY row_number() OVER (ORDER BY a) = 1; COPY INTO t FROM 'x'; CACHE TABLE t; SELECT a:b FROM t",
];

/// Calls everything public and checks what it says about places.
fn probe(text: &str) {
    let parsed = sql::parse(text);
    check_spans(text, &parsed.statements);
    check_spans(text, &parsed.diagnostics);
    assert!(parsed.diagnostics.iter().all(|diagnostic| diagnostic.span.is_some()), "no place given for {text:?}");
    for diagnostic in [sql::parse_expr(text).err(), sql::parse_data_type(text).err(), sql::parse_query(text).err()] {
        check_spans(text, &diagnostic);
    }
    let mut end = 0;
    for token in sql::tokens(text) {
        assert!(token.span.start >= end && token.span.end > token.span.start, "tokens overlap in {text:?}");
        assert!(text.get(token.span.start..token.span.end).is_some(), "token off the text in {text:?}");
        end = token.span.end;
    }
}

/// Every span that the value's debug text holds must be a range of the text.
fn check_spans(text: &str, value: &impl Debug) {
    for span in crate::spans::of(value) {
        assert!(span.start <= span.end && text.get(span.start..span.end).is_some(), "{span:?} is off {text:?}");
    }
}

#[test]
fn the_scripts_themselves_are_read_as_meant() {
    let counts: Vec<(usize, usize)> = SCRIPTS
        .iter()
        .map(|script| sql::parse(script))
        .map(|parsed| (parsed.statements.len(), parsed.diagnostics.len()))
        .collect();
    let expected = [1, 1, 1, 2, 1, 2, 1, 1, 1, 1, 3, 1, 6].map(|n| (n, 0)).into_iter().chain([(2, 1), (0, 4)]);
    assert_eq!(counts, expected.collect::<Vec<_>>());
}

#[test]
fn every_prefix_is_survived() {
    for script in SCRIPTS {
        for (end, _) in script.char_indices() {
            probe(&script[..end]);
        }
    }
}

#[test]
fn every_deleted_or_doubled_token_is_survived() {
    for script in SCRIPTS {
        for token in sql::tokens(script) {
            let (before, after) = (&script[..token.span.start], &script[token.span.end..]);
            probe(&format!("{before}{after}"));
            probe(&format!("{before}{0} {0}{after}", token.span.of(script)));
        }
    }
}

/// A fixed pseudo-random sequence (xorshift), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

#[test]
fn mutated_text_is_survived() {
    const PIECES: [&str; 22] = [
        "'", "\"", "`", "(", ")", ";", "--", "/*", "*/", "\\", "é", "\u{0}", "::", ".", "<", ">", "1e", "AND", "\n",
        "#", "r'", "🦀",
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for script in SCRIPTS {
        for _ in 0..150 {
            let mut chars: Vec<char> = script.chars().collect();
            for _ in 0..=random.below(4) {
                let at = random.below(chars.len());
                match random.below(3) {
                    0 => drop(chars.remove(at)),
                    1 => drop(chars.splice(at..at, PIECES[random.below(PIECES.len())].chars())),
                    _ => {
                        let other = random.below(chars.len());
                        chars.swap(at, other);
                    }
                }
            }
            probe(&chars.into_iter().collect::<String>());
        }
    }
}

/// Runs on a stack as small as a wasm worker's, or on a larger one where the frames are not
/// optimised.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let size = if cfg!(debug_assertions) { 4 << 20 } else { 1 << 20 };
    std::thread::Builder::new().stack_size(size).spawn(work).unwrap().join().unwrap();
}

#[test]
fn deep_text_gets_a_complaint_and_no_stack_overflow() {
    on_a_small_stack(|| {
        let n = 20_000;
        let openings = [
            ("SELECT ", "("),
            ("SELECT ", "(SELECT "),
            ("SELECT ", "f("),
            ("SELECT ", "NOT "),
            ("SELECT ", "! "),
            ("SELECT ", "- "),
            ("SELECT ", "CASE WHEN "),
            ("SELECT ", "CASE "),
            ("SELECT ", "x -> "),
            ("SELECT ", "a BETWEEN "),
            ("SELECT ", "a IN ("),
            ("SELECT ", "a["),
            ("SELECT ", "CAST("),
            ("SELECT ", "struct("),
            ("SELECT ", "EXISTS (SELECT "),
            ("SELECT * FROM ", "("),
            ("SELECT * FROM ", "(SELECT * FROM "),
            ("SELECT * FROM ", "f("),
            ("", "("),
            ("", "WITH a AS ("),
            ("SELECT 1 ", "UNION SELECT 1 "),
            ("SELECT 1 ", "INTERSECT SELECT 1 "),
            ("SELECT 1", " + 1"),
            ("SELECT 1", " || 1"),
            ("SELECT a", "::INT"),
            ("SELECT a()", ".b"),
            ("SELECT a", "[0]"),
            ("SELECT * FROM t", " JOIN t"),
            ("CREATE TABLE t (a ", "ARRAY<"),
            ("CREATE TABLE t (a ", "STRUCT<a: "),
            ("SELECT a GROUP BY GROUPING SETS ", "("),
            ("INSERT INTO t ", "("),
            ("MERGE INTO t USING ", "("),
        ];
        for (start, repeated) in openings {
            let text = format!("{start}{}", repeated.repeat(n));
            let parsed = sql::parse(&text);
            assert_eq!((parsed.statements.len(), parsed.diagnostics.len()), (0, 1), "{start}{repeated}…");
        }
    });
}

#[test]
fn what_real_scripts_nest_and_chain_is_read() {
    on_a_small_stack(|| {
        let parens = format!("SELECT {}1{}", "(".repeat(60), ")".repeat(60));
        let sum = format!("SELECT 1{}", " + 1".repeat(300));
        let or = format!("SELECT * FROM t WHERE a = 0{}", " OR a = 1 AND b = 2".repeat(5_000));
        let list = format!("SELECT a IN (0{})", ", 1".repeat(20_000));
        let union = format!("SELECT 1{}", " UNION ALL SELECT 1".repeat(200));
        for text in [parens, sum, or, list, union] {
            let parsed = sql::parse(&text);
            assert_eq!(parsed.diagnostics, [], "{}", &text[..40]);
            assert_eq!(parsed.statements.len(), 1);
            // Dropping and printing walk the tree too.
            assert!(!format!("{:?}", parsed.statements).is_empty());
        }
    });
}
