"""Columns: expressions that the engine resolves. A column holds a plain value that says what it is."""
import datetime
import decimal
from pyspark.errors import PySparkTypeError, PySparkValueError, PySparkAttributeError
from pyspark.sql import types as _types


def _line():
    """The line of the program that is being run."""
    import sys

    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__mergelab__"):
        frame = frame.f_back
    return frame.f_lineno if frame is not None else 0


def _made(node):
    node["line"] = _line()
    return Column(node)


def _node(value):
    """The expression of a Column, or of a value of Python as a literal."""
    return value._node if isinstance(value, Column) else _literal(value)


def _name_node(value):
    """The expression of a Column, or of a text as a column's name."""
    if isinstance(value, Column):
        return value._node
    if isinstance(value, str):
        return _by_name(value)
    raise PySparkTypeError(
        f"Argument `col` should be a Column or str, got {type(value).__name__}.", "NOT_COLUMN_OR_STR")


def _by_name(name):
    if name == "*":
        return {"star": None, "line": _line()}
    if name.endswith(".*"):
        return {"star": name[:-2], "line": _line()}
    return {"col": name, "line": _line()}


def _literal(value):
    if isinstance(value, float) and value - value != 0.0:
        return {"lit": str(value), "as": "double"}
    if value is None or isinstance(value, (bool, int, float, str)):
        return {"lit": value}
    for kind, name, wire in (
            (decimal.Decimal, "decimal", str),
            (datetime.datetime, "timestamp", lambda it: _types._to_wire(_types.TimestampType(), it)),
            (datetime.date, "date", lambda it: _types._to_wire(_types.DateType(), it)),
            (datetime.timedelta, "interval", lambda it: _types._to_wire(_types.DayTimeIntervalType(), it)),
            ((bytes, bytearray), "binary", lambda it: bytes(it).hex())):
        if isinstance(value, kind):
            return {"lit": wire(value), "as": name}
    if isinstance(value, (list, tuple)):
        return {"fn": "array", "args": [_node(item) for item in value]}
    if isinstance(value, dict):
        return {"fn": "map", "args": [_node(part) for pair in value.items() for part in pair]}
    raise PySparkTypeError(
        f"The Python object `{value}` of type {type(value).__name__} is no value of Spark's.", "UNSUPPORTED_LITERAL")


def _binary(op, reverse=False):
    def method(self, other):
        sides = [self._node, _node(other)]
        return _made({"op": op, "args": sides[::-1] if reverse else sides})

    return method


def _function(name):
    def method(self, *args):
        return _made({"fn": name, "args": [self._node, *map(_node, args)]})

    return method


def _sort(down, nulls_first=None):
    def method(self):
        return _made({"sort": self._node, "down": down, "nulls_first": nulls_first})

    return method


_ELSEWHERE = {
    "outer": "Correlate in SQL, with spark.sql(…).",
    "transform": "Call the function with the column.",
}


class Column:
    def __init__(self, node):
        self._node = node

    __add__, __radd__ = _binary("+"), _binary("+", True)
    __sub__, __rsub__ = _binary("-"), _binary("-", True)
    __mul__, __rmul__ = _binary("*"), _binary("*", True)
    __truediv__, __rtruediv__ = _binary("/"), _binary("/", True)
    __mod__, __rmod__ = _binary("%"), _binary("%", True)
    __eq__, __ne__ = _binary("="), _binary("!=")
    __lt__, __le__, __gt__, __ge__ = _binary("<"), _binary("<="), _binary(">"), _binary(">=")
    __and__, __rand__ = _binary("and"), _binary("and", True)
    __or__, __ror__ = _binary("or"), _binary("or", True)
    eqNullSafe = _binary("<=>")
    bitwiseAND, bitwiseOR, bitwiseXOR = _binary("&"), _binary("|"), _binary("^")
    like, ilike, rlike = _binary("like"), _binary("ilike"), _binary("rlike")
    contains, startswith, endswith = _function("contains"), _function("startswith"), _function("endswith")
    asc, desc = _sort(False), _sort(True)
    asc_nulls_first, asc_nulls_last = _sort(False, True), _sort(False, False)
    desc_nulls_first, desc_nulls_last = _sort(True, True), _sort(True, False)
    __hash__ = object.__hash__

    def __pow__(self, other):
        return _made({"fn": "power", "args": [self._node, _node(other)]})

    def __rpow__(self, other):
        return _made({"fn": "power", "args": [_node(other), self._node]})

    def __invert__(self):
        return _made({"op": "not", "args": [self._node]})

    def __neg__(self):
        return _made({"fn": "negative", "args": [self._node]})

    def __bool__(self):
        raise PySparkValueError(
            "Cannot convert column into bool: please use '&' for 'and', '|' for 'or', '~' for 'not' when building DataFrame "
            "boolean expressions.", "CANNOT_CONVERT_COLUMN_INTO_BOOL")

    def __contains__(self, item):
        raise PySparkValueError(
            "Cannot apply 'in' operator against a column: please use 'contains' in a string column or 'array_contains' "
            "function for an array column.", "CANNOT_APPLY_IN_FOR_COLUMN")

    def __iter__(self):
        raise PySparkTypeError("Column is not iterable.", "NOT_ITERABLE")

    def __getitem__(self, key):
        if isinstance(key, slice):
            if key.step is not None:
                raise PySparkValueError("Using slice with step is not supported.", "SLICE_WITH_STEP")
            return self.substr(key.start, key.stop)
        return self.getItem(key)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        from pyspark._nearest import nearest

        close = nearest(name, dir(Column))
        if close and name != close and not name.islower():
            raise PySparkAttributeError(f"'Column' object has no attribute '{name}'. Did you mean: '{close}'?",
                                        "ATTRIBUTE_NOT_SUPPORTED")
        return self.getField(name)

    def __call__(self, *_, **__):
        name = self._node.get("name") if "item" in self._node else None
        if name is None:
            raise TypeError("'Column' object is not callable")
        from pyspark._nearest import missing

        raise TypeError("'Column' object is not callable: " + missing("Column", name, dir(Column), _ELSEWHERE) + ".")

    def isNull(self):
        return _made({"op": "is null", "args": [self._node]})

    def isNotNull(self):
        return _made({"op": "is not null", "args": [self._node]})

    def isNaN(self):
        return _made({"fn": "isnan", "args": [self._node]})

    def isin(self, *values):
        if len(values) == 1 and isinstance(values[0], (list, tuple, set, frozenset)):
            values = values[0]
        return _made({"op": "in", "args": [self._node, *map(_node, values)]})

    def between(self, lowerBound, upperBound):
        return (self >= lowerBound) & (self <= upperBound)

    def substr(self, startPos, length):
        if type(startPos) is not type(length):
            raise PySparkTypeError(
                f"Argument `startPos` and `length` should be the same type, got {type(startPos).__name__} and "
                f"{type(length).__name__}.", "NOT_SAME_TYPE")
        return _made({"fn": "substr", "args": [self._node, _node(startPos), _node(length)]})

    def cast(self, dataType):
        return _cast(self, dataType, False)

    astype = cast

    def try_cast(self, dataType):
        return _cast(self, dataType, True)

    def alias(self, *alias, **metadata):
        return _made({"alias": self._node, "names": list(alias)})

    name = alias

    def getItem(self, key):
        return _made({"item": self._node, "key": _node(key)})

    def getField(self, name):
        return _made({"item": self._node, "key": _node(name), "name": name if isinstance(name, str) else None})

    def withField(self, fieldName, col):
        return _made({"fn": "with_field", "args": [self._node, _node(fieldName), _node(col)]})

    def over(self, window):
        from pyspark.sql.window import WindowSpec

        if not isinstance(window, WindowSpec):
            raise PySparkTypeError(
                f"Argument `window` should be a WindowSpec, got {type(window).__name__}.", "NOT_WINDOWSPEC")
        return _made({"over": self._node, "window": window._node})

    def when(self, condition, value):
        if "case" not in self._node or "else" in self._node:
            raise PySparkTypeError(
                "when() can only be applied on a Column previously generated by when() function, and not after "
                "otherwise().", "INVALID_WHEN_USAGE")
        return _made({"case": self._node["case"] + [_branch(condition, value)]})

    def otherwise(self, value):
        if "case" not in self._node or "else" in self._node:
            raise PySparkTypeError(
                "otherwise() can only be applied on a Column previously generated by when(), and once.", "INVALID_WHEN_USAGE")
        return _made({"case": self._node["case"], "else": _node(value)})

    def __repr__(self):
        return f"Column<'{_text(self._node)}'>"


def _text(node):
    """What a column prints: operators before their operands."""
    def listed(name, nodes):
        return f"{name}({', '.join(map(_text, nodes))})"

    if "col" in node:
        name = node["col"]
        return name if name.startswith("`") else ".".join(map(_quoted, name.split(".")))
    if "lit" in node:
        value = node["lit"]
        if "as" not in node and isinstance(value, str):
            return f"'{value}'"
        return "NULL" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    if "frame" in node:
        return _quoted(node["name"])
    if "op" in node:
        return listed(node["op"], node["args"])
    if "fn" in node:
        return listed(node["fn"], node["args"])
    if "cast" in node:
        return f"{'TRY_' if node['try'] else ''}CAST({_text(node['cast'])} AS {node['to'].upper()})"
    if "case" in node:
        branches = "".join(f" WHEN {_text(when)} THEN {_text(then)}" for when, then in node["case"])
        return f"CASE{branches}{' ELSE ' + _text(node['else']) if 'else' in node else ''} END"
    if "alias" in node:
        return f"{_text(node['alias'])} AS {', '.join(map(_quoted, node['names']))}"
    if "sort" in node:
        down, first = node["down"], node["nulls_first"]
        first = not down if first is None else first
        return f"{_text(node['sort'])} {'DESC' if down else 'ASC'} NULLS {'FIRST' if first else 'LAST'}"
    if "over" in node:
        return _text(node["over"]) + " OVER (...)"
    if "item" in node:
        return f"{_text(node['item'])}[{_text(node['key'])}]"
    if "star" in node:
        return "*" if node["star"] is None else node["star"] + ".*"
    return node.get("sql", "")


def _quoted(name):
    plain = name.replace("_", "a").isalnum() and not name[0].isdigit()
    return name if plain else f"`{name}`"


def _branch(condition, value):
    if not isinstance(condition, Column):
        raise PySparkTypeError(
            f"Argument `condition` should be a Column, got {type(condition).__name__}.", "NOT_COLUMN")
    return [condition._node, _node(value)]


def _cast(column, to, tries):
    if isinstance(to, _types.DataType):
        to = to.simpleString()
    elif not isinstance(to, str):
        raise PySparkTypeError(
            f"Argument `dataType` should be a DataType or str, got {type(to).__name__}.", "NOT_DATATYPE_OR_STR")
    return _made({"cast": column._node, "to": to, "try": tries})
