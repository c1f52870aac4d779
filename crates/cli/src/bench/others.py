"""One scenario in delta-rs and in DuckDB: times, and whether their rows are ours.

Arguments: the scenario's name, the folder with `tgt` and `src` before the statement, the folder with our `tgt`
after it, how many runs. Prints one JSON object.

What both others need not do is left out of their times: opening the table, reading the source, copying files.
"""

import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import pyarrow
from deltalake import DeltaTable, QueryBuilder

SAME_KEY = "t.k = s.k"
ONE_DAY = "t.k = s.k AND t.day = 3"
CHANGED = "t.is_current AND t.city IS DISTINCT FROM s.city"
CLOSED = {"is_current": "false", "valid_to": "s.changed"}
OPENED = {
    "k": "s.k",
    "name": "s.name",
    "city": "s.city",
    "valid_from": "s.changed",
    "valid_to": "NULL",
    "is_current": "true",
}
STAGED = f"""
    SELECT s.k AS merge_key, s.* FROM src s
    UNION ALL
    SELECT CAST(NULL AS BIGINT) AS merge_key, s.* FROM src s JOIN tgt t ON s.k = t.k AND {CHANGED}
"""


def everything(merger):
    return merger.when_matched_update_all().when_not_matched_insert_all()


def never(merger):
    return merger.when_matched_update_all("s.amount < 0").when_not_matched_insert_all("s.amount < 0")


def versioned(merger):
    return merger.when_matched_update(CLOSED, CHANGED).when_not_matched_insert(OPENED)


DELTA_RS = {
    "P1": (SAME_KEY, everything),
    "P2": (ONE_DAY, everything),
    "P3": (SAME_KEY, everything),
    "P4": (SAME_KEY, lambda merger: merger.when_not_matched_insert_all()),
    "P5": ("t.k = s.merge_key", versioned),
    "P6": (SAME_KEY, never),
}


def duckdb_merge(source, condition, *clauses):
    return f"MERGE INTO tgt t USING {source} ON {condition} " + " ".join(clauses)


UPDATE = "WHEN MATCHED THEN UPDATE SET *"
INSERT = "WHEN NOT MATCHED THEN INSERT *"
DUCKDB = {
    "P1": duckdb_merge("src s", SAME_KEY, UPDATE, INSERT),
    "P2": duckdb_merge("src s", ONE_DAY, UPDATE, INSERT),
    "P3": duckdb_merge("src s", SAME_KEY, UPDATE, INSERT),
    "P4": duckdb_merge("src s", SAME_KEY, INSERT),
    "P5": duckdb_merge(
        f"({STAGED}) s",
        "t.k = s.merge_key",
        f"WHEN MATCHED AND {CHANGED} THEN UPDATE SET " + ", ".join(f"{name} = {value}" for name, value in CLOSED.items()),
        f"WHEN NOT MATCHED THEN INSERT ({', '.join(OPENED)}) VALUES ({', '.join(OPENED.values())})",
    ),
    "P6": duckdb_merge(
        "src s",
        SAME_KEY,
        "WHEN MATCHED AND s.amount < 0 THEN UPDATE SET *",
        "WHEN NOT MATCHED AND s.amount < 0 THEN INSERT *",
    ),
}


def milliseconds_since(start):
    return (time.perf_counter() - start) * 1e3


def rows_of(path):
    return DeltaTable(str(path)).to_pyarrow_table()


def in_order(rows, schema):
    """The rows with the types of `schema`, sorted by all columns: two tables of equal rows become equal."""
    rows = rows.select(schema.names).cast(schema)
    return rows.sort_by([(name, "ascending") for name in schema.names]).combine_chunks()


def delta_rs(name, tables, source, folder):
    """Milliseconds and resulting rows of one run on a copy of the target in `folder`."""
    shutil.copytree(tables / "tgt", folder)
    target = DeltaTable(str(folder))
    predicate, clauses = DELTA_RS[name]
    start = time.perf_counter()
    if name == "P5":
        # The staging query is part of the statement: it reads the target.
        staging = QueryBuilder().register("tgt", target).register("src", DeltaTable(str(tables / "src")))
        source = staging.execute(STAGED).read_all()
    clauses(target.merge(source, predicate, source_alias="s", target_alias="t")).execute()
    return milliseconds_since(start), rows_of(folder)


def in_duckdb(name, tables):
    """Milliseconds and resulting rows of one run in a database of its own, in memory."""
    with duckdb.connect() as connection:
        for table in ("tgt", "src"):
            files = DeltaTable(str(tables / table)).file_uris()
            connection.execute(f"CREATE TABLE {table} AS FROM read_parquet(?)", [files])
        start = time.perf_counter()
        connection.execute(DUCKDB[name]).fetchall()
        return milliseconds_since(start), connection.table("tgt").arrow()


def measured(n_runs, run, ours):
    """Times of all runs, and whether the last one left our rows; or what went wrong."""
    try:
        runs = [run(idx) for idx in range(n_runs)]
        rows = runs[-1][1]
        rows = rows.read_all() if isinstance(rows, pyarrow.RecordBatchReader) else pyarrow.table(rows)
        equal = rows.num_rows == ours.num_rows and in_order(rows, ours.schema).equals(ours)
        return {"ms": [took for took, _ in runs], "rows_equal": equal, "rows": rows.num_rows}
    except Exception as error:  # whatever it is, it is shown to the person who measures
        return {"error": f"{type(error).__name__}: {str(error).strip()[:300]}"}


def main():
    name, before, after, n_runs = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
    ours = rows_of(after / "tgt")
    ours = in_order(ours, ours.schema)
    source = rows_of(before / "src")
    # In memory where the machine has such a folder: our own tables are in memory too.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as scratch:
        rust = measured(n_runs, lambda idx: delta_rs(name, before, source, Path(scratch) / str(idx)), ours)
    duck = measured(n_runs, lambda _: in_duckdb(name, before), ours)
    print(json.dumps({"rows": ours.num_rows, "delta_rs": rust, "duckdb": duck}))


main()
