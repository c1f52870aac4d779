"""Reading and writing tables."""
from pyspark.errors import PySparkTypeError, PySparkValueError, AnalysisException, _ask
from pyspark.sql.column import Column, _line, _name_node
from pyspark.sql.dataframe import _frame, _flat


def _text(value):
    """An option's value as Spark gets it."""
    if value is None:
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)


class _Options:
    def option(self, key, value):
        self._options[key.lower()] = _text(value)
        return self

    def options(self, **options):
        for key, value in options.items():
            self.option(key, value)
        return self

    def format(self, source):
        self._format = source.lower()
        return self


class DataFrameReader(_Options):
    def __init__(self):
        self._options, self._format = {}, None

    def schema(self, schema):
        raise PySparkValueError("A Delta table brings its own schema: leave schema() out.", "MERGELAB_NOT_SUPPORTED_YET")

    def _travel(self):
        return {"version": self._options.get("versionasof"), "timestamp": self._options.get("timestampasof"),
                "feed": self._options if self._feeds() else None}

    def _feeds(self):
        return (self._options.get("readchangefeed") or self._options.get("readchangedata")) == "true"

    def table(self, tableName):
        return _frame({"table": tableName, **self._travel()})

    def load(self, path=None, format=None, schema=None, **options):
        if format is not None:
            self.format(format)
        self.options(**options)
        kind = self._format or "parquet"
        if kind != "delta":
            raise PySparkValueError(
                f"There are no files in the format {kind} here: read Delta tables with spark.table(…) or "
                "spark.read.format('delta').load(…).", "MERGELAB_NOT_SUPPORTED_YET")
        if path is None:
            path = self._options.get("path")
        return _frame({"path": path, **self._travel()})

    def _file(self, *_, **__):
        raise PySparkValueError(
            "There are no files here but those of tables; drop a file on the page to make it a table.",
            "MERGELAB_NOT_SUPPORTED_YET")

    csv = json = parquet = orc = text = jdbc = _file


_MODES = {"append": "append", "overwrite": "overwrite", "ignore": "ignore", "error": "error", "errorifexists": "error",
          "default": "error"}


class DataFrameWriter(_Options):
    def __init__(self, frame):
        self._frame, self._options, self._format = frame, {}, None
        self._mode, self._partition, self._cluster = "error", None, None

    def mode(self, saveMode):
        if saveMode is not None:
            if saveMode.lower() not in _MODES:
                raise AnalysisException(
                    f'The specified save mode "{saveMode}" is invalid. Valid save modes include "append", "overwrite", '
                    '"ignore", "error", "errorifexists", and "default".', "INVALID_SAVE_MODE", None, "42000")
            self._mode = _MODES[saveMode.lower()]
        return self

    def partitionBy(self, *cols):
        self._partition = _flat(cols)
        return self

    def clusterBy(self, *cols):
        self._cluster = _flat(cols)
        return self

    def bucketBy(self, *_):
        raise PySparkValueError("Delta has no buckets.", "MERGELAB_NOT_SUPPORTED_YET")

    sortBy = bucketBy

    def _write(self, **more):
        _ask({"do": "write", "frame": self._frame._id, "mode": self._mode, "format": self._format, "line": _line(),
              "partition": self._partition, "cluster": self._cluster, "options": self._options, **more})

    def saveAsTable(self, name, format=None, mode=None, partitionBy=None, **options):
        self._given(format, mode, partitionBy, options)
        self._write(table=name)

    def save(self, path=None, format=None, mode=None, partitionBy=None, **options):
        self._given(format, mode, partitionBy, options)
        self._write(path=path if path is not None else self._options.get("path"))

    def _given(self, format, mode, partitionBy, options):
        if format is not None:
            self.format(format)
        self.mode(mode)
        if partitionBy is not None:
            self.partitionBy(*([partitionBy] if isinstance(partitionBy, str) else partitionBy))
        self.options(**options)

    def insertInto(self, tableName, overwrite=None):
        if overwrite is not None:
            self._mode = "overwrite" if overwrite else "append"
        self._write(table=tableName, by_position=True)

    def _file(self, *_, **__):
        raise PySparkValueError(
            "There is no file system here: saveAsTable(…) and save(…) in the format delta write tables.",
            "MERGELAB_NOT_SUPPORTED_YET")

    csv = json = parquet = orc = text = jdbc = _file


class DataFrameWriterV2(_Options):
    def __init__(self, frame, table):
        self._frame, self._table, self._options, self._format = frame, table, {}, None
        self._partition, self._properties = None, {}

    def using(self, provider):
        return self.format(provider)

    def tableProperty(self, property, value):
        self._properties[property] = value
        return self

    def partitionedBy(self, col, *cols):
        self._partition = [_name_node(each).get("col") for each in (col, *cols)]
        return self

    def _write(self, verb, **more):
        _ask({"do": "write_to", "verb": verb, "frame": self._frame._id, "table": self._table, "format": self._format,
              "line": _line(), "partition": self._partition, "options": self._options, "properties": self._properties,
              **more})

    def create(self):
        self._write("create")

    def replace(self):
        self._write("replace")

    def createOrReplace(self):
        self._write("create or replace")

    def append(self):
        self._write("append")

    def overwrite(self, condition):
        if not isinstance(condition, Column):
            raise PySparkTypeError(f"Argument `condition` should be a Column, got {type(condition).__name__}.", "NOT_COLUMN")
        self._write("overwrite", on=condition._node)

    def overwritePartitions(self):
        self._write("overwrite partitions")
