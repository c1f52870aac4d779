"""PySpark, as far as a MERGE needs it."""
from pyspark.storagelevel import StorageLevel

__version__ = "4.0.1"


class SparkContext:
    version = __version__
    defaultParallelism = 1

    def setLogLevel(self, level):
        pass

    def setJobDescription(self, text):
        pass

    def parallelize(self, data, slices=None):
        return _Rdd(list(data))

    def broadcast(self, value):
        return _Broadcast(value)

    def __getattr__(self, name):
        from pyspark.errors import PySparkAttributeError

        raise PySparkAttributeError(
            f"'SparkContext' object has no attribute '{name}': MergeLab has DataFrames, not RDDs.", "ATTRIBUTE_NOT_SUPPORTED")


class _Broadcast:
    def __init__(self, value):
        self.value = value


class _Rdd:
    """Only a way to createDataFrame and toDF."""

    def __init__(self, rows):
        self._rows = rows

    def collect(self):
        return list(self._rows)

    def toDF(self, schema=None):
        from pyspark.sql import SparkSession

        return SparkSession._active.createDataFrame(self._rows, schema)


class SparkConf:
    def __init__(self):
        self._pairs = {}

    def set(self, key, value):
        self._pairs[key] = value
        return self

    def setAppName(self, name):
        return self

    setMaster = setAppName


def SparkFiles(*_):
    raise NotImplementedError("There are no files here but those of tables.")
