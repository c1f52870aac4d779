"""Spark's functions under PySpark's names.

Most say only what they are called and what their parameters are: `name` takes a column or its name, `name^` a column, its
name or a number, `name~` a column or a constant, `*name` any number of columns."""
from pyspark.errors import PySparkTypeError, PySparkValueError, PySparkAttributeError
from pyspark.sql.column import Column, _made, _node, _name_node, _branch, _line

_TABLE = """
col: abs acos array_agg array_compact array_distinct array_max array_min array_size ascii asin atan avg base64 bin bit_and bit_count bit_length bit_or bit_xor bool_and bool_or cardinality cbrt char collect_list collect_set cos cosh count_if crc32 day dayname dayofmonth dayofweek dayofyear degrees every exp explode explode_outer expm1 factorial flatten hex hour initcap inline inline_outer isnan isnotnull isnull length ln log10 log1p log2 lower map_keys map_values max md5 mean median min minute month monthname negative nullifzero octet_length posexplode posexplode_outer positive quarter radians reverse rint second sha sha1 sign signum sin sinh size some sqrt std stddev stddev_pop stddev_samp sum tan tanh timestamp_micros timestamp_millis timestamp_seconds try_avg try_sum typeof unbase64 unhex unix_date unix_micros unix_millis unix_seconds upper var_pop var_samp variance weekday weekofyear year zeroifnull
: cume_dist curdate current_catalog current_database current_date current_schema current_timestamp current_timezone current_user dense_rank e input_file_name localtimestamp monotonically_increasing_id now percent_rank pi rank row_number session_user spark_partition_id user version
col1 col2: array_except array_intersect array_union corr covar_pop covar_samp equal_null ifnull map_from_arrays nanvl nullif nvl
*cols: coalesce concat greatest least named_struct stack xxhash64 hash
left right: contains try_add try_divide try_mod try_multiply try_subtract
col scale~=None: bround ceil ceiling floor round
str regexp: regexp regexp_count regexp_like regexp_substr rlike
col value~: array_append array_contains array_position array_prepend
str: char_length character_length lcase ucase
col numBits~: sha2 shiftleft shiftright shiftrightunsigned
col1^ col2^: atan2 hypot pow power
start days^: date_add date_sub dateadd
field~ source: date_part datepart extract
col trim=None: ltrim rtrim trim
end start: date_diff datediff
date format~: date_format trunc
col charset~: decode encode
str len: left right
col len~ pad~: lpad rpad
col ord: max_by min_by
str regexp idx~=None: regexp_extract_all regexp_instr
col format~=None: to_date to_timestamp
timestamp format=None: to_timestamp_ntz to_unix_timestamp
start months^: add_months
col delimiter~ null_replacement~=None: array_join
col element~: array_remove
col count^: array_repeat
a1 a2: arrays_overlap
col errMsg~=None: assert_true
str trim=None: btrim
sep~ *cols: concat_ws
days: date_from_unix_date
format~ timestamp: date_trunc
col extraction~: element_at
str suffix: endswith
str str_array: find_in_set
col d~: format_number
timestamp format~='yyyy-MM-ddHH:mm:ss': from_unixtime
col index^: get
str substr~: instr
date: last_day
left right threshold~=None: levenshtein
substr~ str pos~=1: locate
year month day: make_date
days=None hours=None mins=None secs=None: make_dt_interval
years months days hours mins secs timezone=None: make_timestamp
years=None months=None: make_ym_interval
date1 date2 roundOff~=True: months_between
date dayOfWeek~: next_day
n~: ntile
col1 col2 col3: nvl2
src replace pos^ len^=-1: overlay
dividend^ divisor^: pmod
substr str start=None: position
errMsg~: raise_error
str pattern~ idx~: regexp_extract
string pattern~ replacement~: regexp_replace
col n^: repeat
src search replace=None: replace
start stop step=None: sequence
x start^ length^: slice
col asc~=True: sort_array
str pattern~ limit^=-1: split
src delimiter partNum: split_part
str prefix: startswith
str pos len=None: substr
str pos^ len^: substring
str delim~ count~: substring_index
srcCol matching~ replace~: translate
col extraction: try_element_at
col format=None: try_to_timestamp
timestamp=None format~='yyyy-MM-ddHH:mm:ss': unix_timestamp
v min max numBucket^: width_bucket
col percentage~: percentile
col percentage~ accuracy~=10000: percentile_approx approx_percentile
col rsd~=None: approx_count_distinct
"""
# Those that PySpark calls by another name.
_CALLED = {"mean": "avg", "pow": "power"}
_REQUIRED = object()


def _parameter(text):
    name, equals, default = text.partition("=")
    kind = name[-1] if name[-1] in "~^" else ""
    many = name.startswith("*")
    return (name.strip("*~^"), kind, many, eval(default) if equals else _REQUIRED)


def _argument(kind, name, value):
    if isinstance(value, Column):
        return value._node
    if kind == "~":
        return _node(value)
    if isinstance(value, str):
        return _name_node(value)
    if kind == "^" and isinstance(value, (int, float)):
        return _node(value)
    raise PySparkTypeError(
        f"Argument `{name}` should be a Column or str, got {type(value).__name__}.", "NOT_COLUMN_OR_STR")


def _bound(function, parameters, given, named):
    """The arguments in order, or the TypeError that Python raises for a call that does not fit."""
    if len(given) > len(parameters):
        n = len(parameters)
        takes = f"{n} positional argument{'' if n == 1 else 's'} but {len(given)} {'was' if len(given) == 1 else 'were'}"
        raise TypeError(f"{function}() takes {takes} given")
    values = list(given)
    for name, _, _, default in parameters[len(values):]:
        values.append(named.pop(name, default))
    if named:
        name = next(iter(named))
        if any(name == parameter[0] for parameter in parameters):
            raise TypeError(f"{function}() got multiple values for argument '{name}'")
        raise TypeError(f"{function}() got an unexpected keyword argument '{name}'")
    absent = [f"'{parameter[0]}'" for parameter, value in zip(parameters, values) if value is _REQUIRED]
    if absent:
        plural = "" if len(absent) == 1 else "s"
        raise TypeError(f"{function}() missing {len(absent)} required positional argument{plural}: {' and '.join(absent)}")
    return values


def _defined(name, parameters):
    many = bool(parameters) and parameters[-1][2]
    fixed = parameters[:-1] if many else parameters

    def function(*given, **named):
        rest = given[len(fixed):] if many else ()
        values = _bound(name, fixed, given[:len(fixed)] if many else given, named)
        args = [_argument(kind, parameter, value)
                for (parameter, kind, _, _), value in zip(fixed, values) if value is not None]
        if many and len(rest) == 1 and isinstance(rest[0], (list, tuple)):
            rest = rest[0]
        args += [_argument("", parameters[-1][0], value) for value in rest]
        return _made({"fn": _CALLED.get(name, name), "args": args})

    function.__name__ = function.__qualname__ = name
    return function


for _row in _TABLE.strip().split("\n"):
    _left, _, _right = _row.rpartition(": ") if not _row.startswith(": ") else ("", "", _row[2:])
    # The one default with a space in it is written without.
    _parameters = [_parameter(text.replace("ddHH", "dd HH")) for text in _left.split()]
    for _name in _right.split():
        globals()[_name] = _defined(_name, _parameters)


def _call_of(name, *args, **more):
    return _made({"fn": name, "args": list(args), **more})


def col(col):
    if not isinstance(col, str):
        raise PySparkTypeError(f"Argument `col` should be a str, got {type(col).__name__}.", "NOT_STR")
    return Column(_name_node(col))


column = col


def lit(col):
    return col if isinstance(col, Column) else _made(_node(col))


def expr(str):
    return _made({"sql": str})


def when(condition, value):
    return _made({"case": [_branch(condition, value)]})


def broadcast(df):
    return df


def _flat(cols):
    return cols[0] if len(cols) == 1 and isinstance(cols[0], (list, tuple, set)) else cols


def array(*cols):
    return _call_of("array", *[_name_node(col) for col in _flat(cols)])


def struct(*cols):
    return _call_of("struct", *[_name_node(col) for col in _flat(cols)])


def create_map(*cols):
    return _call_of("map", *[_name_node(col) for col in _flat(cols)])


def count(col):
    return _call_of("count", _name_node(col))


def count_distinct(col, *cols):
    return _call_of("count", *[_name_node(each) for each in (col, *cols)], distinct=True)


countDistinct = count_distinct


def sum_distinct(col):
    return _call_of("sum", _name_node(col), distinct=True)


sumDistinct = sum_distinct


def first(col, ignorenulls=False):
    return _call_of("first", _name_node(col), ignore_nulls=bool(ignorenulls))


def last(col, ignorenulls=False):
    return _call_of("last", _name_node(col), ignore_nulls=bool(ignorenulls))


def first_value(col, ignoreNulls=False):
    return _call_of("first_value", _name_node(col), ignore_nulls=bool(ignoreNulls))


def last_value(col, ignoreNulls=False):
    return _call_of("last_value", _name_node(col), ignore_nulls=bool(ignoreNulls))


def any_value(col, ignoreNulls=False):
    return _call_of("any_value", _name_node(col), ignore_nulls=bool(ignoreNulls))


def lag(col, offset=1, default=None):
    return _call_of("lag", _name_node(col), _node(offset), _node(default))


def lead(col, offset=1, default=None):
    return _call_of("lead", _name_node(col), _node(offset), _node(default))


def nth_value(col, offset, ignoreNulls=False):
    return _call_of("nth_value", _name_node(col), _node(offset), ignore_nulls=bool(ignoreNulls))


def rand(seed=None):
    return _call_of("rand", *([] if seed is None else [_node(seed)]))


def randn(seed=None):
    return _call_of("randn", *([] if seed is None else [_node(seed)]))


def uuid():
    return _call_of("uuid")


def log(arg1, arg2=None):
    if arg2 is None:
        return _call_of("ln", _name_node(arg1))
    return _call_of("log", _argument("^", "arg1", arg1), _name_node(arg2))


def to_json(col, options=None):
    return _call_of("to_json", _name_node(col))


def array_sort(col, comparator=None):
    if comparator is not None:
        raise PySparkValueError("array_sort with a comparator is not supported here yet: sort_array sorts up or down.",
                                "MERGELAB_NOT_SUPPORTED_YET")
    return _call_of("array_sort", _name_node(col))


def call_function(funcName, *cols):
    return _call_of(funcName, *[_name_node(col) for col in cols])


def asc(col):
    return Column(_name_node(col)).asc()


def desc(col):
    return Column(_name_node(col)).desc()


def asc_nulls_first(col):
    return Column(_name_node(col)).asc_nulls_first()


def asc_nulls_last(col):
    return Column(_name_node(col)).asc_nulls_last()


def desc_nulls_first(col):
    return Column(_name_node(col)).desc_nulls_first()


def desc_nulls_last(col):
    return Column(_name_node(col)).desc_nulls_last()


def udf(*_, **__):
    raise NotImplementedError(
        "MergeLab runs no Python function on rows. Say it with Spark's own functions: F.when, F.expr and their like.")


pandas_udf = udf

# What PySpark has besides, so that its lack can be told from a slip of the pen.
_ELSEWHERE = (
    "acosh aes_decrypt aes_encrypt aggregate array_insert arrays_zip asinh atanh bit_get bitmap_count bitwise_not bucket "
    "collate conv convert_timezone cot csc days elt exists filter forall format_string from_csv from_json from_utc_timestamp "
    "get_json_object grouping grouping_id hours is_variant_null json_array_length json_object_keys json_tuple kurtosis like "
    "ilike listagg make_interval map_concat map_contains_key map_entries map_filter map_from_entries map_zip_with mask mode "
    "months parse_json parse_url printf product randstr reduce schema_of_json sec sentences session_window shuffle skewness "
    "soundex str_to_map string_agg timestamp_add timestamp_diff to_binary to_char to_csv to_number to_utc_timestamp "
    "to_varchar to_xml transform transform_keys transform_values try_make_interval uniform url_decode url_encode variant_get "
    "window window_time xpath years zip_with").split()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'pyspark.sql.functions' has no attribute '{name}'")
    sentence = f"module 'pyspark.sql.functions' has no attribute '{name}'"
    if name in _ELSEWHERE:
        raise PySparkAttributeError(f"{sentence}: PySpark has {name}, MergeLab does not yet.", "MERGELAB_NOT_SUPPORTED_YET")
    from pyspark._nearest import nearest

    close = nearest(name, [other for other in globals() if not other.startswith("_")])
    raise AttributeError(f"{sentence}. Did you mean: '{close}'?" if close else sentence)
