"""Groups of rows and what is computed of each."""
from pyspark.errors import PySparkTypeError, PySparkValueError, _ask
from pyspark.sql import types as _types
from pyspark.sql.column import Column, _made, _node, _name_node


class GroupedData:
    def __init__(self, frame, keys, mode="group", pivot=None):
        self._frame, self._keys, self._mode, self._pivot = frame, keys, mode, pivot

    def agg(self, *exprs):
        assert exprs, "exprs should not be empty"
        if len(exprs) == 1 and isinstance(exprs[0], dict):
            pairs = sorted(exprs[0].items(), key=lambda pair: _java_place(pair[0], len(exprs[0])))
            nodes = [_aggregate(function, name) for name, function in pairs]
        else:
            for expr in exprs:
                if not isinstance(expr, Column):
                    raise PySparkTypeError("Argument `exprs` should be a Column or dict of them.", "NOT_LIST_OF_COLUMN")
            nodes = [expr._node for expr in exprs]
        return self._made(nodes)

    def _made(self, nodes):
        from pyspark.sql.dataframe import _frame

        if self._pivot is not None:
            nodes = self._spread(nodes)
        return _frame({"group": self._frame._id, "keys": self._keys, "mode": self._mode, "items": nodes})

    def _spread(self, nodes):
        """Each aggregate once for each value of the pivot column."""
        column, values = self._pivot
        spread = []
        for value, label in values:
            for node in nodes:
                name = label if len(nodes) == 1 else f"{label}_{_title(node)}"
                when = {"op": "<=>", "args": [column, value]}
                # Where a group has no such row there is nothing, not even a count of none.
                some = {"op": ">", "args": [{"fn": "count", "args": [{"case": [[when, {"lit": 1}]]}]}, {"lit": 0}]}
                spread.append({"alias": {"case": [[some, _only(node, when)]]}, "names": [name]})
        return spread

    def count(self):
        return self._made([{"alias": {"fn": "count", "args": [{"lit": 1}]}, "names": ["count"]}])

    def _numbers(self, function, cols):
        if not cols:
            keys = {key.get("col") or key.get("name") for key in self._keys}
            cols = [field.name for field in self._frame.schema.fields
                    if isinstance(field.dataType, _types.NumericType) and field.name not in keys]
        else:
            for name in cols:
                field = self._frame.schema[self._frame.columns[self._frame._column(name)._node["index"]]]
                if not isinstance(field.dataType, _types.NumericType):
                    raise _not_numeric(name)
        return self._made([_aggregate(function, name) for name in cols])

    def sum(self, *cols):
        return self._numbers("sum", cols)

    def avg(self, *cols):
        return self._numbers("avg", cols)

    mean = avg

    def max(self, *cols):
        return self._numbers("max", cols)

    def min(self, *cols):
        return self._numbers("min", cols)

    def pivot(self, pivot_col, values=None):
        if self._pivot is not None:
            raise PySparkValueError("Repeated pivots are not supported.", "REPEATED_CLAUSE")
        column = _name_node(pivot_col)
        if values is None:
            rows = self._frame.select(pivot_col).distinct().orderBy(pivot_col)._rows()
            values = [row[0] for row in rows]
        pairs = []
        for value in values:
            pairs.append((_node(value), _label(value)))
        return GroupedData(self._frame, self._keys, self._mode, (column, pairs))

    def __getattr__(self, name):
        from pyspark._nearest import missing

        raise AttributeError(missing("GroupedData", name, dir(GroupedData), {
            "apply": "MergeLab runs no Python function on rows.",
            "applyInPandas": "MergeLab runs no Python function on rows."}))


def _java_place(text, n):
    """Where a java.util.HashMap of that many texts keeps one: a dict of aggregates goes through it."""
    h = 0
    for letter in text:
        h = (h * 31 + ord(letter)) & 0xFFFFFFFF
    size = 16
    while n > size * 3 // 4:
        size *= 2
    return (h ^ (h >> 16)) & (size - 1)


def _aggregate(function, name):
    function = {"mean": "avg"}.get(function.lower(), function.lower())
    if name == "*":
        return {"fn": function, "args": [{"star": None}]}
    return {"fn": function, "args": [_name_node(name)]}


def _label(value):
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _title(node):
    if "alias" in node:
        return node["names"][0]
    return _ask({"do": "text", "column": node})["text"]


def _only(node, when):
    """An aggregate of the rows alone for which a condition holds."""
    if "alias" in node:
        return _only(node["alias"], when)
    if "fn" in node:
        args = [{"lit": 1} if "star" in arg else arg for arg in node["args"]]
        return {**node, "args": [{"case": [[when, args[0]]]}, *args[1:]]}
    if "op" in node or "cast" in node:
        inner = dict(node)
        if "op" in node:
            inner["args"] = [_only(arg, when) for arg in node["args"]]
        else:
            inner["cast"] = _only(node["cast"], when)
        return inner
    return node


def _not_numeric(name):
    from pyspark.errors import AnalysisException

    return AnalysisException(f'"{name}" is not a numeric column. Aggregation function can only be applied on a numeric column.',
                             "_LEGACY_ERROR_TEMP_1097")
