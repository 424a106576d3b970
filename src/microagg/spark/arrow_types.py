"""Arrow types of Spark columns, in all versions of Spark alike."""

from typing import Any

_TIME_ZONE = "UTC"  # of timestamps that are instants, wherever they are shown


def arrow_type(kind: Any) -> Any:
    """Return the Arrow type of a type of Spark.

    Parameters
    ----------
    kind
        The type.
    """
    from pyspark.sql.pandas.types import to_arrow_type

    try:
        return to_arrow_type(kind, timezone=_TIME_ZONE)
    except TypeError:  # Spark 3.5 asks for no time zone
        return to_arrow_type(kind)


def empty_arrow_table(frame: Any) -> Any:
    """Return an Arrow table of the columns of a DataFrame, without records.

    Parameters
    ----------
    frame
        The DataFrame.
    """
    import pyarrow as pa

    return pa.schema([(one.name, arrow_type(one.dataType)) for one in frame.schema.fields]).empty_table()
