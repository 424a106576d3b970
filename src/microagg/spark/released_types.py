"""Types of released columns: those of the means of numbers differ from those of the numbers."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from microagg.aggregate.whole_columns import WholeColumn
from microagg.model.treatment import Level, Treatment
from microagg.spark.arrow_types import arrow_type

_STATISTICS = ("mean", "median", "trimmed")


class ReleasedType(NamedTuple):
    """Type of a released column.

    Parameters
    ----------
    spark
        The type in Spark.
    arrow
        The same in Arrow.
    """

    spark: Any
    arrow: Any


def released_types(
    frame: Any, levels: Mapping[str, Level], treatment: Treatment, whole: Mapping[str, WholeColumn]
) -> dict[str, ReleasedType]:
    """Return the types of released columns.

    Parameters
    ----------
    frame
        The DataFrame that they come from.
    levels
        Level of measurement of each.
    treatment
        How they are aggregated.
    whole
        What is known of each as a whole.
    """
    return {name: _released_type(frame, name, level, treatment, whole[name]) for name, level in levels.items()}


def _released_type(frame: Any, name: str, level: Level, treatment: Treatment, whole: WholeColumn) -> ReleasedType:
    import pyarrow as pa
    from pyspark.sql.types import DecimalType, DoubleType, FloatType, IntegralType, LongType, StringType

    word = treatment.aggregate_of(name, level)
    before = frame.schema[name].dataType
    if word == "set":
        return ReleasedType(StringType(), pa.string())
    is_statistic = level == "number" and word in _STATISTICS
    if is_statistic and treatment.keep_integers and whole.holds_integers:
        keeps_type = isinstance(before, IntegralType | FloatType | DoubleType)
        return ReleasedType(before, arrow_type(before)) if keeps_type else ReleasedType(LongType(), pa.int64())
    if isinstance(before, DecimalType) or (is_statistic and isinstance(before, IntegralType)):
        return ReleasedType(DoubleType(), pa.float64())
    return ReleasedType(before, arrow_type(before))
