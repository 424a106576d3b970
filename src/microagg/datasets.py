"""The classic data sets of the field, wherever the user keeps them."""

import os
from pathlib import Path

import numpy as np

from microagg.model.arrays import FloatArray
from microagg.model.errors import InputError
from microagg.model.table import Table
from microagg.read import read

NAMES = ("tarragona", "census", "eia")


def load(name: str, folder: str | os.PathLike[str] | None = None) -> Table:
    """Read one of the classic data sets: 834 × 13, 1080 × 13 and 4092 × 11 numbers.

    They are not part of this package. EIA's eleven columns include UTILITYID and leave out YEAR and MONTH.

    Parameters
    ----------
    name
        "tarragona", "census" or "eia".
    folder
        Where `<name>.csv` is; None: where the environment variable MICROAGG_DATA says.
    """
    if name not in NAMES:
        raise InputError(f"there is no data set {name!r}: known are {', '.join(NAMES)}")
    folder = folder or os.environ.get("MICROAGG_DATA")
    if not folder:
        raise InputError(
            f"where is {name}.csv? Set the environment variable MICROAGG_DATA to its folder, or pass `folder`"
        )
    path = Path(folder) / f"{name}.csv"
    if not path.is_file():
        raise InputError(f"there is no {path}: set MICROAGG_DATA to the folder that has {name}.csv")
    return read(path)


def matrix(name: str, folder: str | os.PathLike[str] | None = None) -> FloatArray:
    """Give the numbers of one of the classic data sets, of shape (n, d): the papers group by all of its columns.

    Parameters
    ----------
    name, folder
        As in `load`.
    """
    table = load(name, folder)
    return np.column_stack([table.numbers(column) for column in table.names])
