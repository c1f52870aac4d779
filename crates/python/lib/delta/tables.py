"""DeltaTable: a table to merge into, change and look after."""
from pyspark.errors import AnalysisException, PySparkTypeError, PySparkValueError, _ask
from pyspark.sql.column import Column, _line, _node, _by_name
from pyspark.sql.dataframe import DataFrame, _frame
from pyspark.sql.session import SparkSession, _rows_of
from pyspark.sql import types as _types


def _condition(value, name="condition"):
    """A condition: a Column, or SQL text."""
    if value is None:
        return None
    if isinstance(value, Column):
        return value._node
    if isinstance(value, str):
        return {"sql": value, "line": _line()}
    raise TypeError(f"'{name}' must be a Spark SQL Column or a string (expression in SQL syntax), found '{value}' of type "
                    f"'{type(value)}'")


def _assignments(values, name):
    """The pairs of a `set` or `values`: text is SQL, as on Spark."""
    if not isinstance(values, dict):
        raise TypeError(f"{name} must be a dict, found to be {type(values)}.")
    pairs = []
    for column, value in values.items():
        if not isinstance(column, str):
            raise TypeError(f"Keys of dict in {name} must contain only strings, found to be {type(column)}.")
        if isinstance(value, Column):
            node = value._node
        elif isinstance(value, str):
            node = {"sql": value, "line": _line()}
        else:
            raise TypeError(f"Values of dict in {name} must contain only Spark SQL Columns or strings "
                            f"(expressions in SQL syntax) as values, found '{value}' of type '{type(value)}'.")
        pairs.append([column, node])
    return pairs


class DeltaTable:
    def __init__(self, name, alias=None, seen=None):
        # The table as it is now: like a frame, a DeltaTable keeps the columns it was made with.
        self._name, self._alias, self._frame = name, alias, _seen(name) if seen is None else seen

    @classmethod
    def forName(cls, sparkSession, tableOrViewName):
        _is_session(sparkSession)
        _ask({"do": "delta_table", "name": tableOrViewName, "line": _line()})
        return cls({"name": tableOrViewName})

    @classmethod
    def forPath(cls, sparkSession, path, hadoopConf=None):
        _is_session(sparkSession)
        _ask({"do": "delta_table", "path": path, "line": _line()})
        return cls({"path": path})

    @classmethod
    def isDeltaTable(cls, sparkSession, identifier):
        return _ask({"do": "is_delta", "path": identifier})["is"]

    @classmethod
    def convertToDelta(cls, *_):
        raise NotImplementedError("There are no Parquet folders to convert here.")

    @classmethod
    def create(cls, sparkSession=None):
        return DeltaTableBuilder("create")

    @classmethod
    def createIfNotExists(cls, sparkSession=None):
        return DeltaTableBuilder("create if not exists")

    @classmethod
    def replace(cls, sparkSession=None):
        return DeltaTableBuilder("replace")

    @classmethod
    def createOrReplace(cls, sparkSession=None):
        return DeltaTableBuilder("create or replace")

    @classmethod
    def columnBuilder(cls, sparkSession, colName=None):
        return DeltaColumnBuilder(colName if colName is not None else sparkSession)

    def alias(self, aliasName):
        return DeltaTable(self._name, str(aliasName), self._frame)

    def toDF(self):
        frame = self._frame if self._frame is not None else _frame({"delta": self._name})
        return frame.alias(self._alias) if self._alias is not None else frame

    def merge(self, source, condition):
        if not isinstance(source, DataFrame):
            raise TypeError("Type of 'source' in merge must be DataFrame.")
        if condition is None:
            raise ValueError("'condition' in merge cannot be None")
        return DeltaMergeBuilder(
            {**self._target(), "source": source._id, "on": _condition(condition), "clauses": [], "evolves": False, "line": _line()})

    def delete(self, condition=None):
        return _rows_of(_ask({"do": "delete", **self._target(), "on": _condition(condition), "line": _line()}))

    def update(self, condition=None, set=None):
        if set is None:
            if isinstance(condition, dict):
                condition, set = None, condition
            else:
                raise ValueError("'set' in update cannot be None")
        _ask({"do": "update", **self._target(), "on": _condition(condition), "set": _assignments(set, "'set'"), "line": _line()})

    def _target(self):
        return {"target": self._name, "alias": self._alias, "seen": self._frame._id if self._frame is not None else None}

    def _command(self, command, **more):
        return _rows_of(_ask({"do": "command", "command": command, "target": self._name, "line": _line(), **more}))

    def history(self, limit=None):
        return self._command("history", limit=limit)

    def detail(self):
        return self._command("detail")

    def vacuum(self, retentionHours=None):
        return self._command("vacuum", hours=retentionHours)

    def restoreToVersion(self, version):
        return self._command("restore", version=version)

    def restoreToTimestamp(self, timestamp):
        return self._command("restore", timestamp=timestamp)

    def optimize(self):
        return DeltaOptimizeBuilder(self)

    def generate(self, mode):
        raise NotImplementedError("There is nobody here who would read a manifest.")

    def upgradeTableProtocol(self, readerVersion, writerVersion):
        return self._command("alter", properties={
            "delta.minReaderVersion": str(readerVersion), "delta.minWriterVersion": str(writerVersion)})

    def addFeatureSupport(self, featureName):
        return self._command("alter", properties={"delta.feature." + featureName: "supported"})

    def __getattr__(self, name):
        from pyspark._nearest import missing

        raise AttributeError(missing("DeltaTable", name, dir(DeltaTable), {
            "dropFeatureSupport": "Use ALTER TABLE … DROP FEATURE.", "cloneAtVersion": "", "clone": ""}))


def _seen(name):
    try:
        return _frame({"delta": name})
    except AnalysisException:
        # A table without columns, or none at all: whoever uses it is told.
        return None


def _is_session(session):
    if not isinstance(session, SparkSession):
        raise TypeError(f"The first argument must be the SparkSession, found to be {type(session)}.")


class DeltaMergeBuilder:
    """A MERGE that is being written; each call gives a new one."""

    def __init__(self, made):
        self._made = made

    def _with(self, kind, action, condition=None, pairs=None):
        words = "".join(word.capitalize() for word in f"{kind} {action}".split())
        clause = {"when": kind, "then": action, "method": "when" + words, "on": _condition(condition), "pairs": pairs,
                  "line": _line()}
        return DeltaMergeBuilder({**self._made, "clauses": self._made["clauses"] + [clause]})

    def whenMatchedUpdate(self, condition=None, set=None):
        return self._update("matched", "whenMatchedUpdate", condition, set)

    def _update(self, kind, method, condition, set):
        if set is None:
            raise ValueError(f"'set' in {method} cannot be None")
        return self._with(kind, "update", condition, _assignments(set, "'set' in " + method))

    def whenMatchedUpdateAll(self, condition=None):
        return self._with("matched", "update all", condition)

    def whenMatchedDelete(self, condition=None):
        return self._with("matched", "delete", condition)

    def whenNotMatchedInsert(self, condition=None, values=None):
        if values is None:
            raise ValueError("'values' in whenNotMatchedInsert cannot be None")
        return self._with("not matched", "insert", condition, _assignments(values, "'values' in whenNotMatchedInsert"))

    def whenNotMatchedInsertAll(self, condition=None):
        return self._with("not matched", "insert all", condition)

    def whenNotMatchedBySourceUpdate(self, condition=None, set=None):
        return self._update("not matched by source", "whenNotMatchedBySourceUpdate", condition, set)

    def whenNotMatchedBySourceDelete(self, condition=None):
        return self._with("not matched by source", "delete", condition)

    def withSchemaEvolution(self):
        return DeltaMergeBuilder({**self._made, "evolves": True})

    def execute(self):
        return _rows_of(_ask({"do": "merge", **self._made, "end": _line()}))

    def __getattr__(self, name):
        from pyspark._nearest import missing

        raise AttributeError(missing("DeltaMergeBuilder", name, dir(DeltaMergeBuilder), {}))


class DeltaOptimizeBuilder:
    def __init__(self, table, where=None):
        self._table, self._where = table, where

    def where(self, partitionFilter):
        return DeltaOptimizeBuilder(self._table, partitionFilter)

    def executeCompaction(self):
        return self._table._command("optimize", on=_condition(self._where))

    def executeZOrderBy(self, *cols):
        if len(cols) == 1 and isinstance(cols[0], (list, tuple)):
            cols = cols[0]
        return self._table._command("optimize", on=_condition(self._where), zorder=list(cols))


def _type_text(dataType):
    return dataType.simpleString() if isinstance(dataType, _types.DataType) else dataType


class DeltaColumnBuilder:
    def __init__(self, name):
        self._column = {"name": name, "type": None, "nullable": True, "comment": None, "generated": None}

    def dataType(self, dataType):
        self._column["type"] = _type_text(dataType)
        return self

    def nullable(self, nullable):
        self._column["nullable"] = nullable
        return self

    def comment(self, comment):
        self._column["comment"] = comment
        return self

    def generatedAlwaysAs(self, expr):
        self._column["generated"] = expr
        return self

    def build(self):
        return self._column


class DeltaTableBuilder:
    def __init__(self, mode):
        self._made = {"mode": mode, "name": None, "path": None, "columns": [], "comment": None, "partition": [],
                      "cluster": [], "properties": {}}

    def tableName(self, identifier):
        self._made["name"] = identifier
        return self

    def location(self, location):
        self._made["path"] = location
        return self

    def comment(self, comment):
        self._made["comment"] = comment
        return self

    def addColumn(self, colName, dataType=None, nullable=True, generatedAlwaysAs=None, comment=None, **identity):
        if isinstance(colName, dict):
            self._made["columns"].append(colName)
            return self
        if identity:
            raise NotImplementedError("Identity columns are made with CREATE TABLE … GENERATED ALWAYS AS IDENTITY here.")
        if dataType is None:
            raise ValueError("dataType must be given.")
        self._made["columns"].append({"name": colName, "type": _type_text(dataType), "nullable": nullable,
                                      "comment": comment, "generated": generatedAlwaysAs})
        return self

    def addColumns(self, cols):
        for field in cols.fields if isinstance(cols, _types.StructType) else cols:
            self.addColumn(field.name, field.dataType, field.nullable, comment=field.metadata.get("comment"))
        return self

    def partitionedBy(self, *cols):
        self._made["partition"] = list(cols[0]) if len(cols) == 1 and isinstance(cols[0], (list, tuple)) else list(cols)
        return self

    def clusterBy(self, *cols):
        self._made["cluster"] = list(cols[0]) if len(cols) == 1 and isinstance(cols[0], (list, tuple)) else list(cols)
        return self

    def property(self, key, value):
        self._made["properties"][key] = value
        return self

    def execute(self):
        made = self._made
        if made["name"] is None and made["path"] is None:
            raise PySparkValueError("Table name or location has to be specified.", "DELTA_CREATE_TABLE_MISSING_TABLE_NAME_OR_LOCATION")
        _ask({"do": "create", "line": _line(), **made})
        return DeltaTable({"name": made["name"]} if made["name"] is not None else {"path": made["path"]})
