"""DataFrames: plans that the engine keeps under a number. Nothing runs before an action."""
from pyspark.errors import (AnalysisException, PySparkTypeError, PySparkValueError, PySparkAttributeError, PySparkIndexError,
                            PySparkAssertionError, IllegalArgumentException, _ask)
from pyspark.sql import types as _types
from pyspark.sql.column import Column, _made, _node, _name_node, _line
from pyspark.sql.types import Row, _row


def _frame(make):
    """The frame that the engine makes of a description; its complaints come at once, as Spark's do."""
    make["line"] = _line()
    reply = _ask({"do": "frame", "make": make})
    return DataFrame(reply["frame"], reply["schema"])


def _positive(n):
    if not isinstance(n, int):
        raise PySparkTypeError(f"Argument `numPartitions` should be an int, got {type(n).__name__}.", "NOT_INT")
    if n <= 0:
        raise IllegalArgumentException(f"requirement failed: Number of partitions ({n}) must be positive.")
    return n


def _flat(cols):
    return list(cols[0]) if len(cols) == 1 and isinstance(cols[0], (list, tuple)) else list(cols)


def _wanted(what, value, kinds, name, condition):
    if not isinstance(value, kinds):
        raise PySparkTypeError(f"Argument `{what}` should be a {name}, got {type(value).__name__}.", condition)


_ELSEWHERE = {
    "rdd": "MergeLab has DataFrames, not RDDs.",
    "toPandas": "",
    "mapInPandas": "MergeLab runs no Python function on rows.",
    "foreach": "Loop over collect().",
    "foreachPartition": "Loop over collect().",
    "writeStream": "Streams are not here.",
    "observe": "agg() gives the same numbers.",
    "unpivot": "Say it in SQL with stack().",
    "melt": "Say it in SQL with stack().",
    "rollup": "",
    "randomSplit": "filter(F.rand(seed) < 0.5) splits, too.",
    "approxQuantile": "Use F.percentile.",
    "corr": "Use F.corr.",
    "freqItems": "groupBy().count() counts.",
    "withWatermark": "Streams are not here.",
}


class DataFrame:
    def __init__(self, frame, schema):
        self._id = frame
        self._json = schema

    # What it looks like.

    @property
    def sparkSession(self):
        from pyspark.sql.session import SparkSession

        return SparkSession._active

    @property
    def schema(self):
        return _types._of_json(self._json)

    @property
    def columns(self):
        return [field["name"] for field in self._json["fields"]]

    @property
    def dtypes(self):
        return [(field.name, field.dataType.simpleString()) for field in self.schema.fields]

    @property
    def isStreaming(self):
        return False

    def printSchema(self, level=None):
        print(self.schema.treeString())

    def explain(self, extended=None, mode=None):
        print(_ask({"do": "explain", "frame": self._id})["text"])

    def __repr__(self):
        return "DataFrame[" + ", ".join(f"{name}: {kind}" for name, kind in self.dtypes) + "]"

    def __len__(self):
        raise PySparkTypeError("object of type 'DataFrame' has no len(): count() counts its rows, len(df.columns) its columns.")

    def __iter__(self):
        raise PySparkTypeError("'DataFrame' object is not iterable: collect() gives its rows.")

    def __bool__(self):
        return True

    # Its columns.

    def _at(self, index):
        return _made({"frame": self._id, "index": index, "name": self._json["fields"][index]["name"]})

    def _column(self, name):
        """The column of that name, as this frame and no other has it."""
        if name == "*" or name.endswith(".*"):
            return Column(_name_node(name))
        reply = _ask({"do": "column", "frame": self._id, "name": name, "line": _line()})
        column = self._at(reply["index"])
        for field in reply["path"]:
            column = column.getField(field)
        return column

    def __getitem__(self, item):
        if isinstance(item, str):
            return self._column(item)
        if isinstance(item, Column):
            return self.filter(item)
        if isinstance(item, (list, tuple)):
            return self.select(*item)
        if isinstance(item, int):
            if not -len(self.columns) <= item < len(self.columns):
                raise PySparkIndexError("list index out of range")
            return self._at(item % len(self.columns))
        raise PySparkTypeError(
            f"Argument `item` should be a Column, str, int, list or tuple, got {type(item).__name__}.",
            "NOT_COLUMN_OR_FLOAT_OR_INT_OR_LIST_OR_STR")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if any(name.lower() == column.lower() for column in self.columns):
            return self._column(name)
        from pyspark._nearest import missing

        if name == "toPandas":
            raise PySparkAttributeError(
                "pandas is not here, so there is no toPandas(): collect() gives rows, show() and display() show them.",
                "MERGELAB_NOT_SUPPORTED_YET")
        raise PySparkAttributeError(
            missing("DataFrame", name, dir(DataFrame) + self.columns, _ELSEWHERE), "ATTRIBUTE_NOT_SUPPORTED")

    def colRegex(self, colName):
        raise PySparkValueError("colRegex is not supported here yet.", "MERGELAB_NOT_SUPPORTED_YET")

    # Rows and columns of it.

    def select(self, *cols):
        return _frame({"select": self._id, "items": [_item(col) for col in _flat(cols)]})

    def selectExpr(self, *expr):
        return _frame({"select": self._id, "items": [{"sql": text, "line": _line()} for text in _flat(expr)]})

    def filter(self, condition):
        if isinstance(condition, str):
            condition = _made({"sql": condition})
        if not isinstance(condition, Column):
            raise PySparkTypeError(
                f"Argument `condition` should be a Column or str, got {type(condition).__name__}.", "NOT_COLUMN_OR_STR")
        return _frame({"filter": self._id, "on": condition._node})

    where = filter

    def withColumn(self, colName, col):
        _wanted("col", col, Column, "Column", "NOT_COLUMN")
        return self.withColumns({colName: col})

    def withColumns(self, *colsMap):
        columns = colsMap[0]
        for column in columns.values():
            _wanted("col", column, Column, "Column", "NOT_COLUMN")
        return self._with([(name, column._node) for name, column in columns.items()])

    def _with(self, pairs):
        """Each new column in the place of those that have its name, or at the end."""
        new = {name.lower(): node for name, node in pairs}
        items = []
        for at, name in enumerate(self.columns):
            node = new.get(name.lower())
            items.append({"alias": node, "names": [next(n for n, _ in pairs if n.lower() == name.lower())]}
                         if node is not None else self._at(at)._node)
        have = {name.lower() for name in self.columns}
        items += [{"alias": node, "names": [name]} for name, node in pairs if name.lower() not in have]
        return _frame({"select": self._id, "items": items, "plain": True})

    def withColumnRenamed(self, existing, new):
        return self.withColumnsRenamed({existing: new})

    def withColumnsRenamed(self, colsMap):
        new = {name.lower(): to for name, to in colsMap.items()}
        items = [{"alias": self._at(at)._node, "names": [new[name.lower()]]} if name.lower() in new else self._at(at)._node
                 for at, name in enumerate(self.columns)]
        return _frame({"select": self._id, "items": items, "plain": True})

    def drop(self, *cols):
        gone = set()
        for col in cols:
            if isinstance(col, Column):
                reply = _ask({"do": "dropped", "frame": self._id, "column": col._node, "line": _line()})
                gone.update(reply["indexes"])
            elif isinstance(col, str):
                gone.update(at for at, name in enumerate(self.columns) if name.lower() == col.strip("`").lower())
            else:
                raise PySparkTypeError(
                    f"Argument `col` should be a Column or str, got {type(col).__name__}.", "NOT_COLUMN_OR_STR")
        if not gone:
            return self
        return _frame({"select": self._id, "plain": True,
                       "items": [self._at(at)._node for at in range(len(self.columns)) if at not in gone]})

    def toDF(self, *cols):
        if len(cols) != len(self.columns):
            raise AnalysisException(
                f"The number of columns or variables assigned or aliased: {len(self.columns)} does not match the number of "
                f"source expressions: {len(cols)}.", "ASSIGNMENT_ARITY_MISMATCH", None, "42802")
        return _frame({"select": self._id, "plain": True, "items": [
            {"alias": self._at(at)._node, "names": [name]} for at, name in enumerate(cols)]})

    def alias(self, alias):
        assert isinstance(alias, str), "alias should be a string"
        return _frame({"named": self._id, "name": alias})

    def distinct(self):
        return _frame({"distinct": self._id})

    def dropDuplicates(self, *subset):
        if len(subset) == 1 and isinstance(subset[0], (list, tuple)):
            subset = subset[0]
        elif len(subset) == 1 and subset[0] is None:
            subset = ()
        if not subset:
            return self.distinct()
        for name in subset:
            _wanted("subset", name, str, "list of str", "NOT_LIST_OR_TUPLE")
            if not any(name.lower() == column.lower() for column in self.columns):
                raise AnalysisException(f'Cannot resolve column name "{name}" among ({", ".join(self.columns)}).',
                                        "_LEGACY_ERROR_TEMP_1201")
        return _frame({"first_of": self._id, "keys": [self._column(name)._node for name in subset]})

    drop_duplicates = dropDuplicates

    def limit(self, num):
        _wanted("num", num, int, "int", "NOT_INT")
        return _frame({"limit": self._id, "n": num})

    def offset(self, num):
        return _frame({"limit": self._id, "skip": num})

    def orderBy(self, *cols, ascending=None):
        keys = []
        cols = _flat(cols)
        if not cols:
            raise PySparkValueError("At least one column must be specified.", "CANNOT_BE_EMPTY")
        for at, col in enumerate(cols):
            node = self._at(col - 1)._node if isinstance(col, int) and not isinstance(col, bool) else _name_node(col)
            if ascending is not None:
                up = ascending[at] if isinstance(ascending, (list, tuple)) else ascending
                node = {"sort": node, "down": not up, "line": _line()}
            keys.append(node)
        return _frame({"sort": self._id, "keys": keys})

    sort = orderBy

    def sortWithinPartitions(self, *cols, ascending=None):
        return self.orderBy(*cols, ascending=ascending)

    def sample(self, withReplacement=None, fraction=None, seed=None):
        if isinstance(withReplacement, float):
            withReplacement, fraction, seed = None, withReplacement, fraction if fraction is not None else seed
        if withReplacement:
            raise PySparkValueError("sample() with replacement is not supported here yet.", "MERGELAB_NOT_SUPPORTED_YET")
        from pyspark.sql import functions as F

        return self.filter(F.rand(0 if seed is None else seed) < fraction)

    # Several of them.

    def join(self, other, on=None, how=None):
        _wanted("other", other, DataFrame, "DataFrame", "NOT_DATAFRAME")
        make = {"join": self._id, "with": other._id, "how": "inner" if how is None else how}
        if on is None or isinstance(on, (list, tuple)) and not on:
            return _frame(make)
        on = [on] if isinstance(on, (str, Column)) else list(on)
        if all(isinstance(each, str) for each in on):
            make["using"] = on
        elif all(isinstance(each, Column) for each in on):
            condition = on[0]
            for each in on[1:]:
                condition = condition & each
            make["on"] = condition._node
        else:
            raise PySparkTypeError("Argument `on` should be a str, a Column, or a list of one kind of them.",
                                   "NOT_COLUMN_OR_STR")
        return _frame(make)

    def crossJoin(self, other):
        return _frame({"join": self._id, "with": other._id, "how": "cross"})

    def _set_op(self, other, op, all_rows, **more):
        _wanted("other", other, DataFrame, "DataFrame", "NOT_DATAFRAME")
        return _frame({"set": op, "left": self._id, "right": other._id, "all": all_rows, **more})

    def union(self, other):
        return self._set_op(other, "union", True)

    unionAll = union

    def unionByName(self, other, allowMissingColumns=False):
        if not allowMissingColumns:
            return self._set_op(other, "union", True, by_name=True)
        return self._padded(other)._set_op(other._padded(self), "union", True, by_name=True)

    def _padded(self, other):
        """With a NULL for each column that only the other has."""
        have = {name.lower() for name in self.columns}
        absent = [name for name in other.columns if name.lower() not in have]
        return self._with([(name, {"lit": None}) for name in absent]) if absent else self

    def intersect(self, other):
        return self._set_op(other, "intersect", False)

    def intersectAll(self, other):
        return self._set_op(other, "intersect", True)

    def subtract(self, other):
        return self._set_op(other, "except", False)

    def exceptAll(self, other):
        return self._set_op(other, "except", True)

    # Groups.

    def groupBy(self, *cols):
        from pyspark.sql.group import GroupedData

        keys = []
        for col in _flat(cols):
            keys.append(self._at(col - 1)._node if isinstance(col, int) and not isinstance(col, bool) else _name_node(col))
        return GroupedData(self, keys)

    groupby = groupBy

    def rollup(self, *cols):
        from pyspark.sql.group import GroupedData

        return GroupedData(self, [_name_node(col) for col in _flat(cols)], "rollup")

    def cube(self, *cols):
        from pyspark.sql.group import GroupedData

        return GroupedData(self, [_name_node(col) for col in _flat(cols)], "cube")

    def agg(self, *exprs):
        return self.groupBy().agg(*exprs)

    def describe(self, *cols):
        return _summary(self, ["count", "mean", "stddev", "min", "max"], _flat(cols))

    def summary(self, *statistics):
        return _summary(self, list(statistics) or ["count", "mean", "stddev", "min", "25%", "50%", "75%", "max"], [])

    # NULLs.

    @property
    def na(self):
        return DataFrameNaFunctions(self)

    def fillna(self, value, subset=None):
        if not isinstance(value, (float, int, str, bool, dict)):
            raise PySparkTypeError(
                f"Argument `value` should be a bool, float, int, str or dict, got {type(value).__name__}.",
                "NOT_BOOL_OR_DICT_OR_FLOAT_OR_INT_OR_STR")
        if isinstance(value, dict):
            fill = {name.lower(): it for name, it in value.items()}
        else:
            names = self.columns if subset is None else [subset] if isinstance(subset, str) else list(subset)
            fill = {name.lower(): value for name in names}
        for name in fill:
            self._column(name)
        items = []
        for at, field in enumerate(self.schema.fields):
            value_of = fill.get(field.name.lower())
            node = self._at(at)._node
            if value_of is not None and _fills(field.dataType, value_of):
                if isinstance(field.dataType, (_types.FloatType, _types.DoubleType)):
                    node = {"fn": "nanvl", "args": [node, {"cast": {"lit": None}, "to": field.dataType.simpleString()}]}
                filled = {"cast": {"lit": value_of}, "to": field.dataType.simpleString()}
                node = {"alias": {"fn": "coalesce", "args": [node, filled]}, "names": [field.name]}
            items.append(node)
        return _frame({"select": self._id, "items": items, "plain": True})

    def dropna(self, how="any", thresh=None, subset=None):
        if how not in ("any", "all"):
            raise PySparkValueError(f"Value for `how` must be one of ['any', 'all'], got '{how}'.", "VALUE_NOT_ANY_OR_ALL")
        names = self.columns if subset is None else [subset] if isinstance(subset, str) else list(subset)
        columns = [self._column(name) for name in names]
        there = [column.isNotNull()._node for column in columns]
        least = thresh if thresh is not None else len(columns) if how == "any" else 1
        if least >= len(there) and thresh is None:
            condition = {"all": there}
        else:
            ones = [{"case": [[node, {"lit": 1}]], "else": {"lit": 0}} for node in there]
            total = ones[0]
            for one in ones[1:]:
                total = {"op": "+", "args": [total, one]}
            condition = {"op": ">=", "args": [total, {"lit": least}]}
        return _frame({"filter": self._id, "on": condition})

    def replace(self, to_replace, value=None, subset=None):
        pairs = to_replace if isinstance(to_replace, dict) else dict(
            zip(to_replace, value if isinstance(value, (list, tuple)) else [value] * len(to_replace))
            if isinstance(to_replace, (list, tuple)) else [(to_replace, value)])
        names = [name.lower() for name in (self.columns if subset is None else [subset] if isinstance(subset, str) else subset)]
        items = []
        for at, field in enumerate(self.schema.fields):
            node = self._at(at)._node
            fitting = [(old, new) for old, new in pairs.items() if _fills(field.dataType, old)]
            if field.name.lower() in names and fitting:
                kind = field.dataType.simpleString()
                cases = [[{"op": "=", "args": [node, _node(old)]}, {"cast": _node(new), "to": kind}] for old, new in fitting]
                node = {"alias": {"case": cases, "else": node}, "names": [field.name]}
            items.append(node)
        return _frame({"select": self._id, "items": items, "plain": True})

    # How rows are dealt out among tasks, each of which writes a file of its own.

    def repartition(self, numPartitions, *cols):
        return self._dealt("hash", numPartitions, cols)

    def repartitionByRange(self, numPartitions, *cols):
        return self._dealt("range", numPartitions, cols)

    def _dealt(self, kind, n, cols):
        if isinstance(n, (str, Column)):
            n, cols = None, (n, *cols)
        elif isinstance(n, bool) or not isinstance(n, int):
            raise PySparkTypeError(
                f"Argument `numPartitions` should be a Column or str, got {type(n).__name__}.", "NOT_COLUMN_OR_STR")
        if kind == "range" and not cols:
            raise PySparkValueError("At least one partition-by expression must be specified.", "CANNOT_BE_EMPTY")
        keys = [_name_node(col) for col in cols]
        if kind == "hash" and any("sort" in key for key in keys):
            raise IllegalArgumentException("For range partitioning use repartitionByRange(...) instead.")
        make = {"exchange": self._id, "kind": kind, "keys": keys}
        return _frame(make if n is None else {**make, "n": _positive(n)})

    def coalesce(self, numPartitions):
        return _frame({"exchange": self._id, "kind": "coalesce", "n": _positive(numPartitions)})

    def hint(self, name, *parameters):
        if not isinstance(name, str):
            raise PySparkTypeError(f"Argument `name` should be a str, got {type(name).__name__}.", "NOT_STR")
        keys = [_node(each) if isinstance(each, (int, float)) else _name_node(each)
                for each in parameters if isinstance(each, (int, float, str, Column))]
        return _frame({"exchange": self._id, "hint": name, "keys": keys})

    # What changes nothing in a sandbox that keeps everything in memory.

    def _same(self, *_, **__):
        return self

    cache = persist = unpersist = checkpoint = localCheckpoint = _same

    def transform(self, func, *args, **kwargs):
        result = func(self, *args, **kwargs)
        if not isinstance(result, DataFrame):
            raise PySparkAssertionError(
                f"Func returned an instance of type [{type(result).__name__}], should have been DataFrame.")
        return result

    # Actions.

    def _rows(self, limit=None, last=None):
        reply = _ask({"do": "rows", "frame": self._id, "limit": limit, "last": last})
        kinds = [field.dataType for field in self.schema.fields]
        names = self.columns
        return [_row(names, [_types._of_wire(kind, value) for kind, value in zip(kinds, row)]) for row in reply["rows"]]

    def collect(self):
        return self._rows()

    def toLocalIterator(self, prefetchPartitions=False):
        return iter(self._rows())

    def take(self, num):
        return self._rows(num)

    def tail(self, num):
        return self._rows(last=num)

    def first(self):
        return self.head()

    def head(self, n=None):
        if n is None:
            rows = self._rows(1)
            return rows[0] if rows else None
        return self._rows(n)

    def isEmpty(self):
        return not self._rows(1)

    def count(self):
        return self.groupBy().count()._rows()[0][0]

    def show(self, n=20, truncate=True, vertical=False):
        if not isinstance(n, int) or isinstance(n, bool):
            raise PySparkTypeError(f"Argument `n` should be an int, got {type(n).__name__}.", "NOT_INT")
        if not isinstance(vertical, bool):
            raise PySparkTypeError(f"Argument `vertical` should be a bool, got {type(vertical).__name__}.", "NOT_BOOL")
        try:
            width = (20 if truncate else 0) if isinstance(truncate, bool) else int(truncate)
        except ValueError:
            raise PySparkTypeError(
                f"Parameter 'truncate={truncate}' should be either bool or int.", "NOT_BOOL")
        print(_ask({"do": "show", "frame": self._id, "n": n, "truncate": width, "vertical": vertical})["text"])

    def foreach(self, f):
        for row in self._rows():
            f(row)

    # Where it goes.

    def createTempView(self, name):
        _ask({"do": "view", "frame": self._id, "name": name, "replace": False, "line": _line()})

    def createOrReplaceTempView(self, name):
        _ask({"do": "view", "frame": self._id, "name": name, "replace": True, "line": _line()})

    createGlobalTempView, createOrReplaceGlobalTempView, registerTempTable = (
        createTempView, createOrReplaceTempView, createOrReplaceTempView)

    @property
    def write(self):
        from pyspark.sql.readwriter import DataFrameWriter

        return DataFrameWriter(self)

    def writeTo(self, table):
        from pyspark.sql.readwriter import DataFrameWriterV2

        return DataFrameWriterV2(self, table)


def _item(col):
    if isinstance(col, int) and not isinstance(col, bool):
        raise PySparkTypeError("Argument `cols` should be a Column or str, got int.", "NOT_COLUMN_OR_STR")
    return _name_node(col)


def _fills(kind, value):
    """Whether na.fill puts a value into a column of that type."""
    if isinstance(value, bool):
        return isinstance(kind, _types.BooleanType)
    if isinstance(value, (int, float)):
        return isinstance(kind, _types.NumericType)
    return isinstance(kind, _types.StringType) and isinstance(value, str)


def _summary(frame, statistics, names):
    """One row for each number; NULL where a column has none."""
    from pyspark.sql import functions as F

    fields = [field for field in frame.schema.fields
              if isinstance(field.dataType, (_types.NumericType, _types.StringType))
              and (not names or field.name in names)]
    for name in names:
        frame._column(name)
    rows = []
    for statistic in statistics:
        aggregates = []
        for field in fields:
            column = frame[field.name]
            number = column if isinstance(field.dataType, _types.NumericType) else column.try_cast("double")
            if statistic.endswith("%"):
                value = F.percentile(number, float(statistic[:-1]) / 100)
            elif statistic in ("mean", "stddev"):
                value = getattr(F, statistic)(number)
            else:
                value = getattr(F, statistic)(column)
            aggregates.append(value.cast("string").alias(field.name))
        values = frame.agg(*aggregates)._rows()[0] if aggregates else ()
        rows.append((statistic, *values))
    schema = _types.StructType(
        [_types.StructField("summary", _types.StringType())]
        + [_types.StructField(field.name, _types.StringType()) for field in fields])
    return frame.sparkSession.createDataFrame(rows, schema)


class DataFrameNaFunctions:
    def __init__(self, frame):
        self._frame = frame

    def fill(self, value, subset=None):
        return self._frame.fillna(value, subset)

    def drop(self, how="any", thresh=None, subset=None):
        return self._frame.dropna(how, thresh, subset)

    def replace(self, to_replace, value=None, subset=None):
        return self._frame.replace(to_replace, value, subset)
