"""Expressions by which values of Spark columns are compared as tables compare them: NaN is missing, −0 is 0."""

from collections.abc import Sequence
from typing import Any

from microagg.spark.record_fields import quoted


def compared(frame: Any, name: str) -> Any:
    """Return the expression of a column in which equal values are equal: NaN is missing, and −0 is 0.

    Parameters
    ----------
    frame
        The DataFrame.
    name
        Name of its column.
    """
    from pyspark.sql import functions
    from pyspark.sql.types import DoubleType, FloatType

    column = functions.col(quoted(name))
    if isinstance(frame.schema[name].dataType, DoubleType | FloatType):
        return functions.when(~functions.isnan(column), column + functions.lit(0).cast("float"))
    return column


def hash_of(frame: Any, names: Sequence[str]) -> Any:
    """Return the expression of a hash of 64 bits, the same for records that are equal in some columns.

    Parameters
    ----------
    frame
        The DataFrame.
    names
        The columns.
    """
    from pyspark.sql import functions

    columns = [compared(frame, name) for name in names]
    return functions.xxhash64(*columns, *(column.isNull() for column in columns))


def is_comparable(frame: Any, name: str) -> bool:
    """Check whether a column has single values: no arrays, maps or structures.

    Parameters
    ----------
    frame
        The DataFrame.
    name
        Name of its column.
    """
    from pyspark.sql.types import ArrayType, MapType, StructType

    return not isinstance(frame.schema[name].dataType, ArrayType | MapType | StructType)


def distinct_count(column: Any) -> Any:
    """Return the number of distinct values of a column, among which a missing one is a value of its own.

    Parameters
    ----------
    column
        What `compared` returns.
    """
    from pyspark.sql import functions

    return functions.count_distinct(column) + functions.max(column.isNull().cast("int"))
