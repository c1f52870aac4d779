"""The session: where frames come from."""
from pyspark.errors import (PySparkTypeError, PySparkValueError, PySparkRuntimeError, PySparkAttributeError,
                            SparkNoSuchElementException, _ask)
from pyspark.sql import types as _types
from pyspark.sql.column import Column, _line, _node
from pyspark.sql.dataframe import DataFrame, _frame


def _rows_of(frame_reply):
    return DataFrame(frame_reply["frame"], frame_reply["schema"])


class SparkSession:
    class Builder:
        def _same(self, *_, **__):
            return self

        appName = master = enableHiveSupport = remote = _same

        def config(self, key=None, value=None, conf=None, map=None):
            for name, it in ({key: value} if key else map or {}).items():
                if name.startswith("spark.sql.") and name not in ("spark.sql.extensions",) \
                        and not name.startswith("spark.sql.catalog."):
                    SparkSession._active.conf.set(name, it)
            return self

        def getOrCreate(self):
            return SparkSession._active

    version = "4.0.1"

    def __init__(self):
        from pyspark import SparkContext

        self.sparkContext = SparkContext()
        self.conf = RuntimeConfig()
        self.catalog = Catalog(self)

    @staticmethod
    def getActiveSession():
        return SparkSession._active

    active = getActiveSession

    def newSession(self):
        return self

    def stop(self):
        pass

    def sql(self, sqlQuery, args=None, **kwargs):
        if not isinstance(sqlQuery, str):
            raise PySparkTypeError(f"Argument `sqlQuery` should be a str, got {type(sqlQuery).__name__}.", "NOT_STR")
        for name, frame in kwargs.items():
            if isinstance(frame, DataFrame):
                frame.createOrReplaceTempView("_mergelab_" + name)
                kwargs = {**kwargs, name: "_mergelab_" + name}
        if kwargs:
            sqlQuery = sqlQuery.format(**kwargs)
        request = {"do": "sql", "text": sqlQuery, "line": _line()}
        if isinstance(args, dict):
            request["named"] = {name: _node(value) for name, value in args.items()}
        elif args:
            request["placed"] = [_node(value) for value in args]
        return _rows_of(_ask(request))

    def table(self, tableName):
        if not isinstance(tableName, str):
            raise PySparkTypeError(f"Argument `tableName` should be a str, got {type(tableName).__name__}.", "NOT_STR")
        return _frame({"table": tableName})

    def range(self, start, end=None, step=1, numPartitions=None):
        if end is None:
            start, end = 0, start
        # Without a number there are as many tasks as processors: one.
        return _frame({"range": [start, end, step, numPartitions or 1]})

    @property
    def read(self):
        from pyspark.sql.readwriter import DataFrameReader

        return DataFrameReader()

    def createDataFrame(self, data, schema=None, samplingRatio=None, verifySchema=True):
        if isinstance(data, DataFrame):
            raise PySparkTypeError("data is already a DataFrame.", "INVALID_TYPE")
        rows = list(getattr(data, "_rows", data))
        schema = _schema_of(rows, schema)
        if not all(isinstance(row, (tuple, list, dict)) for row in rows):
            rows = [row if isinstance(row, (tuple, list, dict)) else (row,) for row in rows]
        wire = [_types._row_to_wire(schema, row) for row in rows]
        return _frame({"rows": wire, "schema": schema._json()})

    def __getattr__(self, name):
        from pyspark._nearest import missing

        raise PySparkAttributeError(missing("SparkSession", name, dir(SparkSession), {
            "readStream": "Streams are not here.", "udf": "MergeLab runs no Python function on rows.",
            "streams": "Streams are not here."}), "ATTRIBUTE_NOT_SUPPORTED")


def _schema_of(rows, schema):
    """The schema that createDataFrame is given, or sees in the rows."""
    if isinstance(schema, str):
        schema = _types._parsed(schema)
    if isinstance(schema, _types.StructType):
        return schema
    if isinstance(schema, _types.DataType):
        return _types.StructType([_types.StructField("value", schema)])
    names = list(schema) if isinstance(schema, (list, tuple)) else None
    if schema is not None and names is None:
        raise PySparkTypeError(
            f"Argument `schema` should be a DataType, str, list or tuple, got {type(schema).__name__}.",
            "NOT_LIST_OR_NONE_OR_STRUCT")
    if not rows:
        raise PySparkValueError("can not infer schema from empty dataset.", "CANNOT_INFER_EMPTY_SCHEMA")
    merged = None
    for row in rows:
        if not isinstance(row, (tuple, list, dict)):
            raise PySparkTypeError(
                f"Can not infer schema for type: `{type(row).__name__}`.", "CANNOT_INFER_SCHEMA_FOR_TYPE")
        found = _types._inferred_row(row, names)
        merged = found if merged is None else _types._merged(merged, found)
    if names is not None and isinstance(rows[0], dict):
        merged = _types.StructType([_types.StructField(new, field.dataType) for new, field in zip(names, merged.fields)])
    elif names is not None:
        for at, name in enumerate(names):
            if at < len(merged.fields):
                merged.fields[at].name = merged.names[at] = name
    for field in merged.fields:
        if _has_null(field.dataType):
            raise PySparkValueError(
                "Some of types cannot be determined after inferring.", "CANNOT_DETERMINE_TYPE")
    return merged


def _has_null(kind):
    if isinstance(kind, _types.StructType):
        return any(_has_null(field.dataType) for field in kind.fields)
    if isinstance(kind, _types.ArrayType):
        return _has_null(kind.elementType)
    if isinstance(kind, _types.MapType):
        return _has_null(kind.keyType) or _has_null(kind.valueType)
    return isinstance(kind, _types.NullType)


_NONE = object()


class RuntimeConfig:
    def set(self, key, value):
        if isinstance(value, bool):
            value = str(value).lower()
        _ask({"do": "set", "key": key, "value": str(value), "line": _line()})

    def get(self, key, default=_NONE):
        value = _ask({"do": "get", "key": key})["value"]
        if value is not None:
            return value
        if default is _NONE:
            raise SparkNoSuchElementException(
                f"The SQL config \"{key}\" cannot be found. Please verify that the config exists.", "SQL_CONF_NOT_FOUND",
                None, "42K0I")
        return default

    def unset(self, key):
        _ask({"do": "reset", "key": key})

    def isModifiable(self, key):
        return True

    @property
    def getAll(self):
        return dict(_ask({"do": "settings"})["all"])


class Catalog:
    def __init__(self, session):
        self._session = session

    def tableExists(self, tableName, dbName=None):
        if dbName is not None:
            tableName = f"{dbName}.{tableName}"
        return _ask({"do": "exists", "name": tableName})["exists"]

    def databaseExists(self, dbName):
        return any(row[0] == dbName for row in self._session.sql("SHOW SCHEMAS").collect())

    def listTables(self, dbName=None, pattern=None):
        where = f" IN {dbName}" if dbName else ""
        rows = self._session.sql(f"SHOW TABLES{where}").collect()
        return [_types.Row(name=row["tableName"], namespace=[row["namespace"]] if row["namespace"] else [],
                           isTemporary=row["isTemporary"]) for row in rows]

    def listColumns(self, tableName, dbName=None):
        frame = self._session.table(tableName)
        return [_types.Row(name=field.name, dataType=field.dataType.simpleString(), nullable=field.nullable)
                for field in frame.schema.fields]

    def listDatabases(self, pattern=None):
        return [_types.Row(name=row[0]) for row in self._session.sql("SHOW SCHEMAS").collect()]

    def currentDatabase(self):
        return self._session.sql("SELECT current_database()").collect()[0][0]

    def currentCatalog(self):
        return "spark_catalog"

    def setCurrentDatabase(self, dbName):
        self._session.sql(f"USE {dbName}")

    def dropTempView(self, viewName):
        there = self.tableExists(viewName)
        self._session.sql(f"DROP VIEW IF EXISTS {viewName}")
        return there

    dropGlobalTempView = dropTempView

    def _nothing(self, *_):
        pass

    refreshTable = cacheTable = uncacheTable = clearCache = recoverPartitions = refreshByPath = _nothing

    def isCached(self, tableName):
        return False


SparkSession._active = SparkSession()
SparkSession.builder = SparkSession.Builder()


def _display(*frames, **__):
    """What a notebook shows of a frame, or of anything else."""
    for frame in frames:
        if isinstance(frame, DataFrame):
            _ask({"do": "display", "frame": frame._id, "line": _line()})
        else:
            print(frame)
