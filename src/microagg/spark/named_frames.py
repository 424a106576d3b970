"""DataFrames by the names that users give them: files of Parquet, or tables of the catalogue."""

import re
from pathlib import PurePosixPath
from typing import Any

from microagg.model.errors import InputError, MicroaggError
from microagg.model.table import Table
from microagg.read import read
from microagg.spark.arrow_types import empty_arrow_table
from microagg.spark.session import spark_error

CATALOGUE = "table:"
"""Prefix of the name of a table of the catalogue."""

_OTHER_KINDS = (".csv", ".tsv", ".tab", ".txt", ".arrow", ".feather", ".ipc", ".dta", ".sav", ".zsav", ".xlsx", ".rds")
_OTHER_FILES = re.compile("not a Parquet file|CANNOT_READ_FILE_FOOTER|Could not read footer")


def named_frame(spark: Any, name: str) -> Any:
    """Return the DataFrame of a name.

    Parameters
    ----------
    spark
        The session.
    name
        A file or a folder of Parquet, of any file system that Spark reaches; or "table:" and the name of a table of the
        catalogue.

    Returns
    -------
    DataFrame
        Its records.

    Raises
    ------
    InputError
        If there is none of that name, or it is no Parquet.
    """
    if PurePosixPath(name).suffix.lower() in _OTHER_KINDS:
        raise InputError(
            f"expected a folder or file of Parquet, or {CATALOGUE}NAME, found {name}: {_conversion(name)}, or use "
            "'microagg protect', which reads such files on one machine"
        )
    try:
        if name.startswith(CATALOGUE):
            return spark.table(name.removeprefix(CATALOGUE))
        return spark.read.parquet(name)
    except Exception as error:
        own = spark_error(error)
        if own is None:
            raise
        raise _reading_error(name, own) from error


def empty_table(frame: Any) -> Table:
    """Return the columns of a DataFrame as a table without records: their names and kinds.

    Parameters
    ----------
    frame
        The DataFrame.
    """
    return read(empty_arrow_table(frame))


def _conversion(name: str) -> str:
    """Return how to make Parquet of what else there is, in Spark."""
    parquet = f"{PurePosixPath(name.rstrip('/')).stem}.parquet"
    return (
        "only Parquet is read, so convert it first, as by spark.read.csv("
        f"{name!r}, header=True, inferSchema=True).write.parquet({parquet!r})"
    )


def _reading_error(name: str, own: MicroaggError) -> InputError:
    """Return what is wrong with a name, in words that need no knowledge of Spark."""
    told = str(own)
    if name.startswith(CATALOGUE) and "TABLE_OR_VIEW_NOT_FOUND" in told:
        return InputError(f"the catalogue has no table {name.removeprefix(CATALOGUE)}: SHOW TABLES lists those it has")
    if "PATH_NOT_FOUND" in told:
        return InputError(f"there is no file or folder {name}, as seen by the driver of Spark")
    if "UNABLE_TO_INFER_SCHEMA" in told:
        return InputError(f"expected a folder with files of Parquet, found none in {name}: is it another folder?")
    if _OTHER_FILES.search(told):
        return InputError(f"expected files of Parquet, found others in {name}: {_conversion(name)}")
    return InputError(f"{name} cannot be read as Parquet: {told}")
