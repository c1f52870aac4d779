from delta.tables import DeltaTable, DeltaTableBuilder, DeltaMergeBuilder, DeltaOptimizeBuilder
from delta import exceptions


def configure_spark_with_delta_pip(spark_session_builder, extra_packages=None):
    return spark_session_builder
