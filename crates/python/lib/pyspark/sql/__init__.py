from pyspark.sql.types import Row
from pyspark.sql.column import Column
from pyspark.sql.window import Window, WindowSpec
from pyspark.sql.dataframe import DataFrame, DataFrameNaFunctions
from pyspark.sql.group import GroupedData
from pyspark.sql.readwriter import DataFrameReader, DataFrameWriter, DataFrameWriterV2
from pyspark.sql.session import SparkSession
