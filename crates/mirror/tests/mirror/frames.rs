//! Programs: what data frames know and SQL does not.

use crate::fixed_point::merge_of;
use frames::{Frames, Script};
use mirror::Mirrored;
use serde_json::{Value, json};
use spec::{MergeInto, Relation};

/// A program of which every step is a data frame.
struct Program {
    script: Script,
    frames: Frames,
}

impl Program {
    fn new() -> Self {
        Self { script: Script::new(""), frames: Frames::default() }
    }

    fn make(&mut self, frame: &Value) -> u32 {
        self.frames.make(&mut self.script, frame).unwrap()
    }

    fn table(&mut self, name: &str) -> u32 {
        self.make(&json!({ "table": name }))
    }

    fn named(&mut self, of: u32, name: &str) -> u32 {
        self.make(&json!({ "named": of, "name": name }))
    }

    fn filter(&mut self, of: u32, on: Value) -> u32 {
        self.make(&json!({ "filter": of, "on": on }))
    }

    fn select(&mut self, of: u32, items: Value) -> u32 {
        self.make(&json!({ "select": of, "items": items }))
    }

    /// Rows that are in no table, as `createDataFrame` keeps them.
    fn rows(&mut self) -> u32 {
        let query = sql::parse_query("SELECT * FROM (TABLE `@rows`.`0`)").unwrap();
        self.frames.keep(query).unwrap()
    }

    fn merge(&mut self, source: u32, on: Value, clauses: Value) -> MergeInto {
        let asked = json!({
            "target": { "name": "t" }, "alias": "t", "source": source, "on": on, "clauses": clauses,
        });
        frames::merge(&mut self.script, &self.frames, &asked).unwrap()
    }

    /// A MERGE that updates all, by `t.id = s.id`.
    fn upsert(&mut self, source: u32) -> MergeInto {
        self.merge(source, sql("t.id = s.id"), json!([{ "when": "matched", "then": "update all" }]))
    }
}

fn sql(text: &str) -> Value {
    json!({ "sql": text })
}

/// `df["name"]`
fn of(frame: u32, index: u32, name: &str) -> Value {
    json!({ "frame": frame, "index": index, "name": name })
}

fn named(node: Value, name: &str) -> Value {
    json!({ "alias": node, "names": [name] })
}

/// Prints the statement, and sees that SQL reads what was printed as it was meant: without frames, and to the same text.
fn printed(merge: &MergeInto) -> Mirrored {
    let printed = mirror::sql(merge);
    let again = merge_of(&printed.text);
    assert_eq!(mirror::sql(&again).text, without_marks(&printed));
    for note in &printed.notes {
        assert!(printed.text.contains(&note.mark), "{note:?}\n{}", printed.text);
    }
    let program = mirror::python(merge);
    assert_eq!(program.notes, printed.notes);
    for note in &program.notes {
        assert!(program.text.contains(&note.mark), "{note:?}\n{}", program.text);
    }
    printed
}

/// The text as it is printed from what SQL reads of it, for which a comment is nothing.
fn without_marks(printed: &Mirrored) -> String {
    let mut text = printed.text.clone();
    // A table that only the program has keeps its note.
    for note in printed.notes.iter().filter(|note| !note.mark.contains("program")) {
        text = text.replace(&format!(" {}", note.mark), "");
    }
    text
}

/// The lines between USING and the first WHEN.
fn source_of(printed: &Mirrored) -> String {
    let (_, rest) = printed.text.split_once("\nUSING ").unwrap();
    rest.split_once("\nWHEN ").unwrap().0.to_owned()
}

#[test]
fn a_table_with_an_alias_is_a_table_with_an_alias() {
    let mut program = Program::new();
    let table = program.table("db.s");
    let aliased = program.named(table, "s");
    let again = program.named(aliased, "s");
    for source in [aliased, again] {
        let merge = program.upsert(source);
        assert_eq!(source_of(&printed(&merge)), "db.s AS s\nON t.id = s.id");
    }
}

#[test]
fn steps_of_a_chain_share_a_select_where_they_can() {
    let mut program = Program::new();
    let table = program.table("feed");
    let named_feed = program.named(table, "f");
    let first = program.filter(named_feed, sql("f.id IS NOT NULL"));
    let second = program.filter(first, json!({ "op": ">", "args": [of(table, 1, "v"), { "lit": 3 }] }));
    let more = program.select(
        second,
        json!([
            of(second, 0, "id"),
            of(second, 1, "v"),
            named(json!({ "op": "+", "args": [of(second, 1, "v"), { "lit": 1 }] }), "w")
        ]),
    );
    let sorted = program.make(&json!({ "sort": more, "keys": [{ "sort": of(more, 2, "w"), "down": true }] }));
    let few = program.make(&json!({ "limit": sorted, "n": 10 }));
    let source = program.named(few, "s");
    let merge = program.upsert(source);
    let expected = "(
  SELECT id, v, v + 1 AS w
  FROM feed AS f
  WHERE f.id IS NOT NULL AND v > 3
  ORDER BY w DESC
  LIMIT 10
) AS s
ON t.id = s.id";
    let printed = printed(&merge);
    assert_eq!(source_of(&printed), expected);
    assert!(printed.notes.is_empty());
}

#[test]
fn steps_that_must_not_be_mixed_stay_apart() {
    let mut program = Program::new();
    let table = program.table("feed");
    let few = program.make(&json!({ "limit": table, "n": 10 }));
    let filtered = program.filter(few, sql("id > 1"));
    let few_again = program.make(&json!({ "limit": filtered, "n": 5 }));
    let fewest = program.make(&json!({ "limit": few_again, "n": 3 }));
    let source = program.named(fewest, "s");
    let merge = program.upsert(source);
    let expected = "(
  SELECT *
  FROM (
    SELECT *
    FROM (
      SELECT *
      FROM feed
      LIMIT 10
    ) AS feed
    WHERE id > 1
    LIMIT 5
  ) AS feed
  LIMIT 3
) AS s
ON t.id = s.id";
    assert_eq!(source_of(&printed(&merge)), expected);

    // What is drawn depends on the rows that are asked.
    let kept = program.filter(table, sql("id > 1"));
    let drawn = program.filter(kept, sql("rand(1) < 0.5"));
    let source = program.named(drawn, "s");
    let merge = program.upsert(source);
    assert!(source_of(&printed(&merge)).contains("WHERE id > 1\n  ) AS feed\n  WHERE rand(1) < 0.5"));
}

#[test]
fn columns_of_joined_frames_get_the_names_of_their_sides() {
    let mut program = Program::new();
    let (left, right) = (program.table("a"), program.table("b"));
    let right = program.filter(right, sql("live"));
    let on = json!({ "op": "=", "args": [of(left, 0, "id"), of(right, 0, "id")] });
    let joined = program.make(&json!({ "join": left, "with": right, "how": "left", "on": on }));
    let chosen = program.select(joined, json!([of(left, 0, "id"), named(of(right, 1, "v"), "w")]));
    let source = program.named(chosen, "s");
    let merge = program.upsert(source);
    let expected = "(
  SELECT a.id, b.v AS w
  FROM a
  LEFT JOIN (
    SELECT *
    FROM b
    WHERE live
  ) AS b ON a.id = b.id
) AS s
ON t.id = s.id";
    let printed = printed(&merge);
    assert_eq!(source_of(&printed), expected);
    assert!(printed.notes.is_empty());
}

#[test]
fn two_readings_of_one_table_are_told_apart() {
    let mut program = Program::new();
    let (left, right) = (program.table("a"), program.table("a"));
    let on = json!({ "op": "<", "args": [of(left, 0, "id"), of(right, 0, "id")] });
    let joined = program.make(&json!({ "join": left, "with": right, "how": "inner", "on": on }));
    let chosen = program.select(joined, json!([of(right, 0, "id")]));
    let source = program.named(chosen, "s");
    let merge = program.upsert(source);
    let expected = format!(
        "(\n  SELECT df{right}.id\n  FROM a\n  JOIN a AS df{right} ON a.id < df{right}.id\n) AS s\nON t.id = s.id"
    );
    assert_eq!(source_of(&printed(&merge)), expected);
}

#[test]
fn a_source_that_reads_the_target_has_a_name_of_its_own() {
    let mut program = Program::new();
    let table = program.table("t");
    let source = program.filter(table, sql("id > 1"));
    let on = json!({ "op": "=", "args": [{ "col": "t.id" }, of(source, 0, "id")] });
    let merge = program.merge(source, on, json!([{ "when": "matched", "then": "delete" }]));
    assert!(printed(&merge).text.contains(") AS source\nON t.id = source.id\n"));
}

#[test]
fn an_alias_reaches_through_the_steps_behind_it() {
    let mut program = Program::new();
    let (left, right) = (program.table("a"), program.table("b"));
    let (left, right) = (program.named(left, "l"), program.named(right, "r"));
    let on = sql("l.id = r.id");
    let joined = program.make(&json!({ "join": left, "with": right, "how": "inner", "on": on }));
    let chosen = program.select(joined, json!([sql("l.id"), sql("r.v AS w")]));
    let filtered = program.filter(chosen, sql("l.id > 1"));
    let source = program.named(filtered, "s");
    let merge = program.upsert(source);
    let expected = "(
  SELECT *
  FROM (
    SELECT l.id, r.v AS w
    FROM a AS l
    JOIN b AS r ON l.id = r.id
  )
  WHERE id > 1
) AS s
ON t.id = s.id";
    assert_eq!(source_of(&printed(&merge)), expected);

    // Directly as the source of a MERGE, too.
    let merge = program.merge(chosen, sql("t.id = l.id"), json!([{ "when": "matched", "then": "delete" }]));
    assert!(printed(&merge).text.contains(") AS source\nON t.id = source.id\n"));
    let table = program.table("a");
    let inner = program.named(table, "s");
    let filtered = program.filter(inner, sql("s.id > 1"));
    let merge = program.upsert(filtered);
    assert_eq!(source_of(&printed(&merge)), "(\n  SELECT *\n  FROM a AS s\n  WHERE s.id > 1\n) AS s\nON t.id = s.id");
}

#[test]
fn the_source_can_be_told_from_the_target() {
    let mut program = Program::new();
    let table = program.table("a");
    let source = program.select(table, json!([of(table, 0, "id"), { "alias": { "lit": 7 }, "names": ["v"] }]));
    let on = json!({ "op": "=", "args": [{ "col": "t.id" }, of(source, 0, "id")] });
    let merge =
        program.merge(source, on, json!([{ "when": "matched", "then": "update", "set": [["v", of(source, 1, "v")]] }]));
    let printed = printed(&merge);
    assert!(printed.text.contains(") AS a\nON t.id = a.id\n"), "{}", printed.text);
    assert!(printed.text.ends_with("UPDATE SET v = a.v"), "{}", printed.text);
}

#[test]
fn what_was_replaced_or_is_elsewhere_is_marked() {
    let mut program = Program::new();
    let (table, other) = (program.table("a"), program.table("b"));
    let replaced = program.select(
        table,
        json!([of(table, 0, "id"), named(json!({ "op": "+", "args": [of(table, 1, "v"), { "lit": 1 }] }), "v")]),
    );
    let filtered = program.filter(replaced, json!({ "op": ">", "args": [of(table, 1, "v"), { "lit": 3 }] }));
    let source = program.named(filtered, "s");
    let merge = program.upsert(source);
    let told = printed(&merge);
    assert!(told.text.contains("WHERE v /* df[v] */ > 3"), "{}", told.text);
    let [note] = told.notes.as_slice() else { panic!("{:?}", told.notes) };
    assert!(note.message.contains("replaced"), "{}", note.message);

    let source = program.named(table, "s");
    let on = json!({ "op": "=", "args": [{ "col": "t.id" }, of(other, 0, "id")] });
    let merge = program.merge(source, on, json!([{ "when": "matched", "then": "delete" }]));
    let told = printed(&merge);
    assert!(told.text.contains("ON t.id = id /* df[id] */"), "{}", told.text);
    assert!(told.notes[0].message.contains("not among"), "{:?}", told.notes);
}

#[test]
fn two_columns_of_one_name_are_marked() {
    let mut program = Program::new();
    let (left, right) = (program.table("a"), program.table("b"));
    let joined = program.make(&json!({ "join": left, "with": right, "how": "cross" }));
    let both = program.select(joined, json!([of(joined, 0, "id"), of(joined, 1, "id")]));
    let source = program.named(both, "s");
    let merge = program.upsert(source);
    let told = printed(&merge);
    assert!(told.text.contains("SELECT id /* df[id] */, id /* df[id] */\n"), "{}", told.text);
    assert!(told.notes[0].message.contains("several columns"), "{:?}", told.notes);
}

#[test]
fn columns_of_two_sides_that_share_a_name_are_marked_once_a_subquery_hides_the_sides() {
    let mut program = Program::new();
    let (left, right) = (program.table("a"), program.table("b"));
    let on = json!({ "op": "=", "args": [of(left, 0, "id"), of(right, 0, "id")] });
    let joined = program.make(&json!({ "join": left, "with": right, "how": "inner", "on": on }));
    let few = program.make(&json!({ "limit": joined, "n": 3 }));
    let chosen = program.select(few, json!([of(left, 0, "id"), of(right, 1, "v")]));
    let source = program.named(chosen, "s");
    let merge = program.upsert(source);
    let told = printed(&merge);
    assert!(told.text.contains("SELECT id /* df[id] */, v\n  FROM (\n"), "{}", told.text);
    assert!(told.notes[0].message.contains("several columns"), "{:?}", told.notes);

    // USING has made one column of them, and a semi join shows one side only.
    let joined = program.make(&json!({ "join": left, "with": right, "how": "inner", "using": ["id"] }));
    let few = program.make(&json!({ "limit": joined, "n": 3 }));
    let chosen = program.select(few, json!([of(left, 0, "id"), of(right, 1, "v")]));
    let source = program.named(chosen, "s");
    let merge = program.upsert(source);
    assert!(printed(&merge).notes.is_empty());
    let on = json!({ "op": "=", "args": [of(left, 0, "id"), of(right, 0, "id")] });
    let joined = program.make(&json!({ "join": left, "with": right, "how": "semi", "on": on }));
    let chosen = program.select(joined, json!([of(left, 0, "id")]));
    let source = program.named(chosen, "s");
    let merge = program.upsert(source);
    let told = printed(&merge);
    assert!(told.notes.is_empty());
    assert!(told.text.contains("SELECT id\n  FROM a\n  LEFT SEMI JOIN b ON a.id = b.id\n"), "{}", told.text);
}

#[test]
fn a_frame_of_many_steps_is_printed_in_time() {
    let mut program = Program::new();
    let mut frame = program.table("a");
    for step in 0..60 {
        let plus = json!({ "op": "+", "args": [of(frame, 1, "v"), { "lit": step }] });
        frame = program.select(frame, json!([of(frame, 0, "id"), named(plus, "v")]));
    }
    let source = program.named(frame, "s");
    let merge = program.upsert(source);
    assert!(printed(&merge).notes.is_empty());
}

#[test]
fn rows_of_the_program_are_marked() {
    let mut program = Program::new();
    let rows = program.rows();
    let source = program.named(rows, "s");
    let merge = program.upsert(source);
    let told = printed(&merge);
    assert_eq!(source_of(&told), "`@rows`.`0` /* rows of the program */ AS s\nON t.id = s.id");
    assert!(told.notes[0].message.contains("createDataFrame"));
    let filtered = program.filter(rows, sql("id > 1"));
    let source = program.named(filtered, "s");
    let merge = program.upsert(source);
    assert!(source_of(&printed(&merge)).contains("FROM `@rows`.`0` /* rows of the program */\n  WHERE id > 1\n"));
}

#[test]
fn what_sql_has_no_form_for_is_marked() {
    let mut program = Program::new();
    let table = program.table("a");
    let source = program.named(table, "s");
    let nowhere = json!({ "op": "in", "args": [{ "col": "s.id" }] });
    let clauses = json!([{ "when": "matched", "then": "delete", "on": nowhere }]);
    let merge = program.merge(source, sql("t.id = s.id"), clauses);
    let told = printed(&merge);
    assert!(told.text.contains("WHEN MATCHED AND false /* s.id is in no list */ THEN DELETE"), "{}", told.text);

    let clauses = json!([
        { "when": "matched", "then": "update", "set": [] },
        { "when": "not matched", "then": "insert", "pairs": [] },
    ]);
    let merge = program.merge(source, sql("t.id = s.id"), clauses);
    let told = mirror::sql(&merge);
    assert_eq!(told.notes.len(), 2);
    assert!(sql::parse(&told.text).statements.is_empty(), "half a statement must not run");
    let program = mirror::python(&merge);
    assert!(
        program.text.contains("    .whenMatchedUpdate(set={})\n    .whenNotMatchedInsert(values={})\n"),
        "{}",
        program.text
    );
    assert!(program.notes.is_empty());
}

#[test]
fn set_operations_of_frames_have_no_layer_between() {
    let mut program = Program::new();
    let (a, b, c) = (program.table("a"), program.table("b"), program.table("c"));
    let b = program.filter(b, sql("id > 1"));
    let first = program.make(&json!({ "set": "union", "left": a, "right": b, "all": true }));
    let second = program.make(&json!({ "set": "union", "left": first, "right": c, "all": true, "by_name": true }));
    let turned = program.make(&json!({ "set": "except", "left": c, "right": second, "all": false }));
    let source = program.named(turned, "s");
    let merge = program.upsert(source);
    let expected = "(
  SELECT *
  FROM c
  EXCEPT
  (
    SELECT *
    FROM a
    UNION ALL
    SELECT *
    FROM b
    WHERE id > 1
    UNION ALL BY NAME
    SELECT *
    FROM c
  )
) AS s
ON t.id = s.id";
    assert_eq!(source_of(&printed(&merge)), expected);
}

#[test]
fn a_reader_of_an_older_version_is_a_query_in_sql() {
    let mut program = Program::new();
    let old = program.make(&json!({ "table": "db.a", "version": "3" }));
    let merge = program.merge(old, sql("t.id = a.id"), json!([{ "when": "matched", "then": "delete" }]));
    assert!(matches!(merge.source, Relation::Table { time_travel: Some(_), .. }));
    let printed = printed(&merge);
    assert_eq!(source_of(&printed), "(\n  SELECT *\n  FROM db.a VERSION AS OF 3\n) AS a\nON t.id = a.id");
    assert!(mirror::python(&merge).text.contains(r#"spark.read.option("versionAsOf", 3).table("db.a"), "t.id"#));
    let feed = program.make(&json!({ "table": "a", "feed": { "startingversion": "2" } }));
    let source = program.named(feed, "s");
    let merge = program.upsert(source);
    let expected = "(\n  SELECT *\n  FROM table_changes('`a`', 2L)\n) AS s\nON t.id = s.id";
    assert_eq!(source_of(&self::printed(&merge)), expected);
}
