"""Classic data sets of the field, read from wherever the user keeps them."""

import os
from pathlib import Path

import numpy as np

from microagg.model.arrays import FloatArray
from microagg.model.errors import InputError
from microagg.model.names import suggestion
from microagg.model.table import Table
from microagg.read import read

NAMES = ("tarragona", "census", "eia")
"""The data sets."""


def load(name: str, folder: str | os.PathLike[str] | None = None) -> Table:
    r"""Read one of the classic data sets: Tarragona (834 × 13), Census (1080 × 13) or EIA (4092 × 11).

    The files are not part of this package. The columns of EIA include UTILITYID, but not YEAR and MONTH.

    Parameters
    ----------
    name
        "tarragona", "census" or "eia".
    folder
        The folder of the file `<name>.csv`; None for that of the environment variable MICROAGG_DATA.

    Returns
    -------
    Table
        The data set.

    Raises
    ------
    InputError
        If there is no data set of this name, if no folder is given, or if the file is not in it.
    ReadError
        If the file cannot be read as a table.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from microagg import datasets
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "census.csv").write_text("TAX,WAGE\n1.5,20\n2.5,30\n")
    ...     datasets.load("census", folder)
    Table(2 records, 2 columns, from 'census.csv')
    """
    if name not in NAMES:
        raise InputError(f"there is no data set {name!r}: {suggestion(name, NAMES)}")
    folder = folder or os.environ.get("MICROAGG_DATA")
    if not folder:
        raise InputError(
            f"the folder of {name}.csv is unknown: set the environment variable MICROAGG_DATA to it, or pass `folder`"
        )
    path = Path(folder) / f"{name}.csv"
    if not path.is_file():
        raise InputError(f"there is no {path}: set MICROAGG_DATA to the folder that has {name}.csv")
    return read(path)


def matrix(name: str, folder: str | os.PathLike[str] | None = None) -> FloatArray:
    r"""Return the numbers of one of the classic data sets; published figures are of all its columns.

    Parameters
    ----------
    name, folder
        As in `load`.

    Returns
    -------
    ndarray of shape (n, d)
        Every column, in the order of the file.

    Raises
    ------
    InputError
        As in `load`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from microagg import datasets
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "census.csv").write_text("TAX,WAGE\n1.5,20\n2.5,30\n")
    ...     datasets.matrix("census", folder).tolist()
    [[1.5, 20.0], [2.5, 30.0]]
    """
    table = load(name, folder)
    return np.column_stack([table.numbers(column) for column in table.names])
