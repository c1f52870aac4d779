"""Types, StructType and Row, as pyspark.sql.types has them."""
import datetime
import decimal
from pyspark.errors import PySparkTypeError, PySparkValueError, PySparkKeyError, PySparkAttributeError, _ask


class DataType:
    """A type of a column; equal to every other that says the same."""

    def __eq__(self, other):
        return isinstance(other, DataType) and self._json() == other._json()

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(str(self))

    def __repr__(self):
        return type(self).__name__ + "()"

    @classmethod
    def typeName(cls):
        return cls._name

    def simpleString(self):
        return self._simple

    def _json(self):
        return self._name

    def jsonValue(self):
        return self._json()

    def json(self):
        import json

        return json.dumps(self._json(), separators=(",", ":"), sort_keys=True)

    @classmethod
    def fromDDL(cls, ddl):
        return _parsed(ddl)

    def needConversion(self):
        return False


def _plain(name, wire, simple, base=DataType):
    return type(name, (base,), {"_name": wire, "_simple": simple, "__module__": __name__})


class AtomicType(DataType):
    pass


class NumericType(AtomicType):
    pass


class IntegralType(NumericType):
    pass


class FractionalType(NumericType):
    pass


NullType = _plain("NullType", "void", "void")
StringType = _plain("StringType", "string", "string", AtomicType)
BinaryType = _plain("BinaryType", "binary", "binary", AtomicType)
BooleanType = _plain("BooleanType", "boolean", "boolean", AtomicType)
DateType = _plain("DateType", "date", "date", AtomicType)
TimestampType = _plain("TimestampType", "timestamp", "timestamp", AtomicType)
TimestampNTZType = _plain("TimestampNTZType", "timestamp_ntz", "timestamp_ntz", AtomicType)
DoubleType = _plain("DoubleType", "double", "double", FractionalType)
FloatType = _plain("FloatType", "float", "float", FractionalType)
ByteType = _plain("ByteType", "byte", "tinyint", IntegralType)
ShortType = _plain("ShortType", "short", "smallint", IntegralType)
IntegerType = _plain("IntegerType", "integer", "int", IntegralType)
LongType = _plain("LongType", "long", "bigint", IntegralType)


class DecimalType(FractionalType):
    _name = "decimal"

    def __init__(self, precision=10, scale=0):
        self.precision, self.scale = precision, scale

    def simpleString(self):
        return f"decimal({self.precision},{self.scale})"

    _json = simpleString

    def __repr__(self):
        return f"DecimalType({self.precision},{self.scale})"


class VarcharType(AtomicType):
    _name = "varchar"

    def __init__(self, length):
        self.length = length

    def simpleString(self):
        return f"{self._name}({self.length})"

    _json = simpleString

    def __repr__(self):
        return f"{type(self).__name__}({self.length})"


class CharType(VarcharType):
    _name = "char"


class DayTimeIntervalType(AtomicType):
    _name = _simple = "interval day to second"


class YearMonthIntervalType(AtomicType):
    _name = _simple = "interval year to month"


class ArrayType(DataType):
    _name = "array"

    def __init__(self, elementType, containsNull=True):
        self.elementType, self.containsNull = elementType, containsNull

    def simpleString(self):
        return f"array<{self.elementType.simpleString()}>"

    def _json(self):
        return {"type": "array", "elementType": self.elementType._json(), "containsNull": self.containsNull}

    def __repr__(self):
        return f"ArrayType({self.elementType!r}, {self.containsNull})"


class MapType(DataType):
    _name = "map"

    def __init__(self, keyType, valueType, valueContainsNull=True):
        self.keyType, self.valueType, self.valueContainsNull = keyType, valueType, valueContainsNull

    def simpleString(self):
        return f"map<{self.keyType.simpleString()},{self.valueType.simpleString()}>"

    def _json(self):
        return {"type": "map", "keyType": self.keyType._json(), "valueType": self.valueType._json(),
                "valueContainsNull": self.valueContainsNull}

    def __repr__(self):
        return f"MapType({self.keyType!r}, {self.valueType!r}, {self.valueContainsNull})"


class StructField(DataType):
    def __init__(self, name, dataType, nullable=True, metadata=None):
        if not isinstance(dataType, DataType):
            raise PySparkTypeError(
                f"Argument `dataType` should be a DataType, got {type(dataType).__name__}.", "NOT_DATATYPE")
        self.name, self.dataType, self.nullable = name, dataType, nullable
        self.metadata = metadata or {}

    def simpleString(self):
        return f"{self.name}:{self.dataType.simpleString()}"

    def _json(self):
        return {"name": self.name, "type": self.dataType._json(), "nullable": self.nullable, "metadata": self.metadata}

    def __repr__(self):
        return f"StructField({self.name!r}, {self.dataType!r}, {self.nullable})"


class StructType(DataType):
    _name = "struct"

    def __init__(self, fields=None):
        self.fields = list(fields or [])
        for field in self.fields:
            if not isinstance(field, StructField):
                raise PySparkTypeError("Argument `fields` should be a list of StructField.", "NOT_LIST_OF_STRUCT_FIELD")
        self.names = [field.name for field in self.fields]

    def add(self, field, data_type=None, nullable=True, metadata=None):
        if not isinstance(field, StructField):
            if isinstance(data_type, str):
                data_type = _of_json(data_type)
            if data_type is None:
                raise PySparkValueError("Argument `data_type` is required when passing name of struct_field to create.",
                                        "ARGUMENT_REQUIRED")
            field = StructField(field, data_type, nullable, metadata)
        self.fields.append(field)
        self.names.append(field.name)
        return self

    def fieldNames(self):
        return list(self.names)

    def __iter__(self):
        return iter(self.fields)

    def __len__(self):
        return len(self.fields)

    def __contains__(self, name):
        return name in self.names

    def __getitem__(self, key):
        if isinstance(key, str):
            for field in self.fields:
                if field.name == key:
                    return field
            raise PySparkKeyError(f"No StructField named '{key}'", "KEY_NOT_EXISTS")
        if isinstance(key, slice):
            return StructType(self.fields[key])
        return self.fields[key]

    def simpleString(self):
        return "struct<" + ",".join(field.simpleString() for field in self.fields) + ">"

    def _json(self):
        return {"type": "struct", "fields": [field._json() for field in self.fields]}

    @classmethod
    def fromJson(cls, json):
        return _of_json(json)

    def treeString(self):
        return "root\n" + _tree(self, " |")

    def toDDL(self):
        return ",".join(
            f"{field.name} {field.dataType.simpleString().upper()}" + ("" if field.nullable else " NOT NULL")
            for field in self.fields)

    def __repr__(self):
        return "StructType([" + ", ".join(repr(field) for field in self.fields) + "])"


_SIMPLE = {kind._name: kind for kind in (
    NullType, StringType, BinaryType, BooleanType, DateType, TimestampType, TimestampNTZType, DoubleType, FloatType,
    ByteType, ShortType, IntegerType, LongType, DayTimeIntervalType, YearMonthIntervalType)}


def _of_json(value):
    """A type of its JSON, the form of Delta's schemaString."""
    if isinstance(value, str):
        if value in _SIMPLE:
            return _SIMPLE[value]()
        name, _, rest = value.partition("(")
        numbers = [int(part) for part in rest.rstrip(")").split(",")] if rest else []
        kind = {"decimal": DecimalType, "varchar": VarcharType, "char": CharType}.get(name)
        if kind is None:
            raise PySparkValueError(f"{value} is no type.", "CANNOT_PARSE_DATATYPE")
        return kind(*numbers)
    kind = value["type"]
    if kind == "array":
        return ArrayType(_of_json(value["elementType"]), value["containsNull"])
    if kind == "map":
        return MapType(_of_json(value["keyType"]), _of_json(value["valueType"]), value["valueContainsNull"])
    return StructType([
        StructField(field["name"], _of_json(field["type"]), field["nullable"], field.get("metadata"))
        for field in value["fields"]])


def _parsed(text):
    """A type of its SQL text: `int`, or columns: `id int, name string`."""
    return _of_json(_ask({"do": "type", "text": text})["type"])


def _tree_name(kind):
    return kind.simpleString() if isinstance(kind, (DecimalType, VarcharType)) else kind._name


def _tree(kind, indent):
    """The lines of printSchema below a type."""
    lines = []

    def line(name, inner, note):
        lines.append(f"{indent}-- {name}: {_tree_name(inner)} {note}\n")
        lines.append(_tree(inner, indent + "    |"))

    if isinstance(kind, StructType):
        for field in kind.fields:
            line(field.name, field.dataType, f"(nullable = {str(field.nullable).lower()})")
    elif isinstance(kind, ArrayType):
        line("element", kind.elementType, f"(containsNull = {str(kind.containsNull).lower()})")
    elif isinstance(kind, MapType):
        lines.append(f"{indent}-- key: {_tree_name(kind.keyType)}\n")
        lines.append(_tree(kind.keyType, indent + "    |"))
        line("value", kind.valueType, f"(valueContainsNull = {str(kind.valueContainsNull).lower()})")
    return "".join(lines)


class Row(tuple):
    """A row: a tuple whose values have names."""

    def __new__(cls, *values, **named):
        if values and named:
            raise PySparkValueError("Cannot use both args and kwargs to create Row.", "CANNOT_SET_TOGETHER")
        row = tuple.__new__(cls, list(named.values()) if named else values)
        if named:
            row.__fields__ = list(named)
        return row

    def __call__(self, *values):
        """A row of named values, of a Row that holds the names."""
        if len(values) > len(self):
            raise PySparkValueError(
                f"Can not create Row with fields {list(self)}, expected {len(self)} values but got {len(values)}.",
                "TOO_MANY_VALUES")
        return _row(list(self), values)

    def asDict(self, recursive=False):
        if not hasattr(self, "__fields__"):
            raise PySparkTypeError("Cannot convert a Row class into dict.", "CANNOT_CONVERT_TYPE")

        def plain(value):
            if isinstance(value, Row):
                return value.asDict(True)
            if isinstance(value, list):
                return [plain(item) for item in value]
            if isinstance(value, dict):
                return {key: plain(item) for key, item in value.items()}
            return value

        return dict(zip(self.__fields__, (plain(value) for value in self) if recursive else self))

    def __contains__(self, item):
        if hasattr(self, "__fields__"):
            return item in self.__fields__
        return tuple.__contains__(self, item)

    def __getitem__(self, item):
        if isinstance(item, (int, slice)):
            return tuple.__getitem__(self, item)
        try:
            return tuple.__getitem__(self, self.__fields__.index(item))
        except (ValueError, AttributeError):
            raise PySparkValueError(str(item), None)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise PySparkAttributeError(f"Attribute `{name}` is not supported.", "ATTRIBUTE_NOT_SUPPORTED")
        try:
            return tuple.__getitem__(self, self.__fields__.index(name))
        except (ValueError, AttributeError):
            raise PySparkAttributeError(f"Attribute `{name}` is not supported.", "ATTRIBUTE_NOT_SUPPORTED")

    def __repr__(self):
        if hasattr(self, "__fields__"):
            return "Row(" + ", ".join(f"{name}={value!r}" for name, value in zip(self.__fields__, self)) + ")"
        return "<Row(" + ", ".join(repr(value) for value in self) + ")>"


def _row(names, values):
    row = tuple.__new__(Row, values)
    row.__fields__ = list(names)
    return row


_EPOCH = datetime.datetime(1970, 1, 1)
_FIRST_DAY = 719163


def _of_wire(kind, value):
    """A value of Python, of what the engine sends for it."""
    if value is None:
        return None
    if isinstance(kind, DateType):
        return datetime.date.fromordinal(value + _FIRST_DAY)
    if isinstance(kind, (TimestampType, TimestampNTZType)):
        return _EPOCH + datetime.timedelta(microseconds=value)
    if isinstance(kind, DayTimeIntervalType):
        return datetime.timedelta(microseconds=value)
    if isinstance(kind, DecimalType):
        return decimal.Decimal(value)
    if isinstance(kind, (FloatType, DoubleType)):
        return float(value)
    if isinstance(kind, BinaryType):
        return bytearray(bytes.fromhex(value))
    if isinstance(kind, ArrayType):
        return [_of_wire(kind.elementType, item) for item in value]
    if isinstance(kind, MapType):
        return {_of_wire(kind.keyType, key): _of_wire(kind.valueType, item) for key, item in value}
    if isinstance(kind, StructType):
        return _row(kind.names, [_of_wire(field.dataType, item) for field, item in zip(kind.fields, value)])
    return value


def _accepts(kind, value):
    """Whether createDataFrame takes a value for a column of that type, by the rules of verifySchema."""
    if isinstance(kind, StringType):
        return True
    for types, of in ((bool, BooleanType), (int, IntegralType), (float, (FloatType, DoubleType)),
                      (decimal.Decimal, DecimalType), (datetime.datetime, (TimestampType, TimestampNTZType)),
                      (datetime.timedelta, DayTimeIntervalType), ((bytes, bytearray), BinaryType),
                      ((list, tuple), ArrayType), (dict, MapType), ((tuple, list, dict), StructType)):
        if isinstance(kind, of) and isinstance(value, types):
            return isinstance(kind, BooleanType) or not isinstance(value, bool)
    if isinstance(kind, DateType):
        return isinstance(value, datetime.date)
    return isinstance(kind, NullType) and value is None


_RANGES = {"byte": 7, "short": 15, "integer": 31, "long": 63}


def _to_wire(kind, value, name="", nullable=True):
    """What the engine takes for a value of a column of that type.

    Raises what PySpark does for a value that the type does not take."""
    if value is None:
        if not nullable:
            raise PySparkValueError(f"field {name}: This field is not nullable, but got None." if name
                                    else "This field is not nullable, but got None.",
                                    "FIELD_NOT_NULLABLE_WITH_NAME" if name else "FIELD_NOT_NULLABLE")
        return None
    if not _accepts(kind, value):
        what = f"field {name}: " if name else ""
        raise PySparkTypeError(
            f"{what}{kind!r} can not accept object `{value}` in type `{type(value).__name__}`.",
            "FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME" if name else "FIELD_DATA_TYPE_UNACCEPTABLE")
    if isinstance(kind, StringType):
        if isinstance(value, str):
            return value
        return str(value).lower() if isinstance(value, bool) else str(value)
    if isinstance(kind, IntegralType):
        limit = 1 << _RANGES[kind._name]
        if not -limit <= value < limit:
            raise PySparkValueError(f"object of {kind!r} out of range, got: {value}", "VALUE_OUT_OF_BOUNDS")
        return int(value)
    if isinstance(kind, (FloatType, DoubleType)):
        return value if value - value == 0.0 else str(value)
    if isinstance(kind, DecimalType):
        return str(value)
    if isinstance(kind, DateType):
        return value.toordinal() - _FIRST_DAY
    if isinstance(kind, (TimestampType, TimestampNTZType)):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return (value - _EPOCH) // datetime.timedelta(microseconds=1)
    if isinstance(kind, DayTimeIntervalType):
        return value // datetime.timedelta(microseconds=1)
    if isinstance(kind, BinaryType):
        return bytes(value).hex()
    if isinstance(kind, ArrayType):
        return [_to_wire(kind.elementType, item, f"element in array {name}" if name else "") for item in value]
    if isinstance(kind, MapType):
        return [[_to_wire(kind.keyType, key), _to_wire(kind.valueType, item)] for key, item in value.items()]
    if isinstance(kind, StructType):
        return _row_to_wire(kind, value)
    return value


def _row_to_wire(schema, row):
    """The values of a row in the order of the schema: of a dict by name, of anything else by position."""
    if isinstance(row, dict):
        values = [row.get(name) for name in schema.names]
    elif isinstance(row, Row) and hasattr(row, "__fields__") and set(row.__fields__) == set(schema.names):
        values = [row[name] for name in schema.names]
    elif isinstance(row, (tuple, list)):
        values = list(row)
    else:
        raise PySparkTypeError(
            f"StructType can not accept object `{row}` in type `{type(row).__name__}`.", "FIELD_STRUCT_NOT_ACCEPTABLE")
    if len(values) != len(schema.fields):
        raise PySparkValueError(
            f"Length of object ({len(values)}) does not match with length of fields ({len(schema.fields)}).",
            "FIELD_STRUCT_LENGTH_MISMATCH")
    return [_to_wire(field.dataType, value, field.name, field.nullable) for field, value in zip(schema.fields, values)]


def _inferred(value, name=""):
    """The type that createDataFrame sees in a value."""
    if value is None:
        return NullType()
    if isinstance(value, bool):
        return BooleanType()
    for types, kind in ((int, LongType), (float, DoubleType), (str, StringType), ((bytes, bytearray), BinaryType),
                        (datetime.datetime, TimestampType), (datetime.date, DateType),
                        (datetime.timedelta, DayTimeIntervalType)):
        if isinstance(value, types):
            return kind()
    if isinstance(value, decimal.Decimal):
        return DecimalType(38, 18)
    if isinstance(value, Row) and hasattr(value, "__fields__") or isinstance(value, tuple):
        return _inferred_row(value, None)
    if isinstance(value, dict):
        for key, item in value.items():
            if key is not None and item is not None:
                return MapType(_inferred(key), _inferred(item), True)
        return MapType(NullType(), NullType(), True)
    if isinstance(value, list):
        kind = NullType()
        for item in value:
            kind = _merged(kind, _inferred(item), name)
        return ArrayType(kind, True)
    raise PySparkTypeError(f"Unsupported DataType `{type(value).__name__}`.", "UNSUPPORTED_DATA_TYPE")


def _inferred_row(row, names):
    if isinstance(row, dict):
        items = sorted(row.items())
    elif hasattr(row, "__fields__") or hasattr(row, "_fields"):
        items = list(zip(getattr(row, "__fields__", None) or row._fields, row))
    elif isinstance(row, (tuple, list)):
        given = list(names or [])
        given += [f"_{at}" for at in range(len(given) + 1, len(row) + 1)]
        items = list(zip(given, row))
    else:
        raise PySparkTypeError(
            f"Can not infer schema for type: `{type(row).__name__}`.", "CANNOT_INFER_SCHEMA_FOR_TYPE")
    return StructType([StructField(name, _inferred(value, name), True) for name, value in items])


def _merged(left, right, name=None):
    if isinstance(left, NullType):
        return right
    if isinstance(right, NullType):
        return left
    if isinstance(left, StructType) and isinstance(right, StructType):
        others = {field.name: field.dataType for field in right.fields}
        fields = [StructField(field.name, _merged(field.dataType, others.pop(field.name, NullType()), field.name), True)
                  for field in left.fields]
        return StructType(fields + [StructField(name, kind, True) for name, kind in others.items()])
    if isinstance(left, ArrayType) and isinstance(right, ArrayType):
        return ArrayType(_merged(left.elementType, right.elementType, name), True)
    if isinstance(left, MapType) and isinstance(right, MapType):
        return MapType(_merged(left.keyType, right.keyType, name), _merged(left.valueType, right.valueType, name), True)
    if type(left) is not type(right):
        for text, other in ((left, right), (right, left)):
            if isinstance(text, StringType) and isinstance(other, AtomicType):
                return text
        raise PySparkTypeError(
            f"Can not merge type `{type(left).__name__}` and `{type(right).__name__}`."
            if not name else
            f"field {name}: Can not merge type `{type(left).__name__}` and `{type(right).__name__}`.",
            "CANNOT_MERGE_TYPE")
    return left


__all__ = [
    "DataType", "NullType", "StringType", "CharType", "VarcharType", "BinaryType", "BooleanType", "DateType",
    "TimestampType", "TimestampNTZType", "DecimalType", "DoubleType", "FloatType", "ByteType", "IntegerType", "LongType",
    "DayTimeIntervalType", "YearMonthIntervalType", "Row", "ShortType", "ArrayType", "MapType", "StructField", "StructType",
]
