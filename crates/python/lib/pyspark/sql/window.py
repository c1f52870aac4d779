"""Windows of rows."""
from pyspark.sql.column import _name_node

_FAR = 1 << 63
_SAFE = (1 << 31) - 1


def _flat(cols):
    if len(cols) == 1 and isinstance(cols[0], (list, tuple)):
        cols = cols[0]
    return [_name_node(col) for col in cols]


class WindowSpec:
    def __init__(self, node):
        self._node = node

    def partitionBy(self, *cols):
        return WindowSpec({**self._node, "partition": _flat(cols)})

    def orderBy(self, *cols):
        return WindowSpec({**self._node, "order": _flat(cols)})

    def rowsBetween(self, start, end):
        return WindowSpec({**self._node, "frame": ["rows", _bound(start), _bound(end)]})

    def rangeBetween(self, start, end):
        return WindowSpec({**self._node, "frame": ["range", _bound(start), _bound(end)]})


def _bound(value):
    """A distance from the current row; far away is unbounded."""
    if value <= -_SAFE:
        return "unbounded preceding"
    if value >= _SAFE:
        return "unbounded following"
    return int(value)


class Window:
    unboundedPreceding = -_FAR
    unboundedFollowing = _FAR - 1
    currentRow = 0

    @staticmethod
    def partitionBy(*cols):
        return WindowSpec({}).partitionBy(*cols)

    @staticmethod
    def orderBy(*cols):
        return WindowSpec({}).orderBy(*cols)

    @staticmethod
    def rowsBetween(start, end):
        return WindowSpec({}).rowsBetween(start, end)

    @staticmethod
    def rangeBetween(start, end):
        return WindowSpec({}).rangeBetween(start, end)
