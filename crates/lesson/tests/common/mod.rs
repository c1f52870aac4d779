//! A small lesson that is right, to be broken by the tests, and observations made by hand.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::BTreeMap;

use lesson::{Answer, Failure, FileCounts, Observation, Outcome, Rows, TableState};

pub(crate) const PATH: &str = "lessons/basics/pots.md";

/// A complete lesson about a table `pots`.
pub(crate) const LESSON: &str = r#"+++
id = "T9.9"
title = "Pots"
minutes = 3
concepts = ["MERGE"]
covers = ["S0:1-2"]
+++

Prose with `a < b`, "quotes" & an ampersand.

```sql setup
CREATE TABLE pots (id INT, n INT) USING DELTA;
```

```sql run=first label="Look at it"
SELECT * FROM pots;
```

```toml predict=rows
question = "How many rows?"
run = "first"
query = "SELECT count(*) FROM pots"
distractors = ["7"]
```

```sql error=TABLE_OR_VIEW_NOT_FOUND
SELECT * FROM pans;
```

## Exercise a: Count them

Merge into `pots`, so that `numTargetRowsUpdated` is right.

```sql starter
SELECT 1;
```

```sql solution
MERGE INTO pots;
```

```md hint
A first **hint**.
```

```md hint
A second hint.
```

```toml check=rows
type = "rows_equal"
title = "The rows"
table = "pots"
order = "any"
```

```toml check=updated
type = "metric"
title = "The metric"
table = "pots"
metric = "numTargetRowsUpdated"
at_most = 2
```

```sql variant=TIE
summary = "A tie."
---
INSERT INTO pots VALUES (1, 1);
```

```sql mistake=append
check = "rows"
variant = "TIE"
says = "You appended."
---
INSERT INTO pots VALUES (2, 2);
```
"#;

/// The lesson after a replacement that must find something to replace.
pub(crate) fn broken(from: &str, to: &str) -> String {
    assert!(LESSON.contains(from), "the text to break is not there: {from}");
    LESSON.replacen(from, to, 1)
}

pub(crate) fn rows(columns: &[&str], rows: &[&[&str]]) -> Rows {
    let value = |text: &&str| if *text == "NULL" { None } else { Some((*text).to_owned()) };
    Rows {
        columns: columns.iter().map(|name| (*name).to_owned()).collect(),
        rows: rows.iter().map(|row| row.iter().map(value).collect()).collect(),
    }
}

/// A run that left these rows in `pots`.
pub(crate) fn left(data: &[&[&str]]) -> Outcome {
    Outcome {
        error: None,
        tables: vec![TableState {
            name: "pots".to_owned(),
            rows: Answer::Rows(rows(&["id", "n"], data)),
            commits: 1,
            metrics: BTreeMap::new(),
            files: FileCounts::default(),
        }],
        queries: Vec::new(),
    }
}

/// A run that failed.
pub(crate) fn failed(condition: &str) -> Outcome {
    Outcome { error: Some(failure(condition)), ..left(&[]) }
}

pub(crate) fn failure(condition: &str) -> Failure {
    Failure { condition: condition.to_owned(), message: "it went wrong".to_owned() }
}

pub(crate) fn seen(variant: &str, runs: Vec<Outcome>) -> Observation {
    Observation { variant: variant.to_owned(), prepared: None, runs }
}
