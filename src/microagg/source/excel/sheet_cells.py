"""Values of the cells of a sheet, and columns of them as polars series."""

from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from microagg.model.errors import ReadError

if TYPE_CHECKING:
    import polars as pl

NOT_AVAILABLE = "#N/A"
"""Error that stands for a missing value; any other is refused."""

_MIDNIGHT = time()
_LARGEST = 2**63 - 1


def cell_value(cell: Any, label: str) -> Any:
    """Return the value of a cell: None where it is empty, or not available; raise `ReadError` if it is an error."""
    if is_not_available(cell) or cell.value == "":
        return None
    if cell.data_type == "e":
        raise ReadError(f"cell {cell.coordinate} of {label} is the error {cell.value}: correct it, or clear it")
    return cell.value


def is_not_available(cell: Any) -> bool:
    """Check whether a cell is the error that stands for a missing value."""
    return bool(cell.data_type == "e" and cell.value == NOT_AVAILABLE)


def series_of_cells(values: list[Any]) -> "pl.Series":
    """Return the values of a column as a series of one type, or of Python's objects if they are of several.

    Whole numbers beyond 64 bits become floats, as which Excel holds all of its numbers. Times have milliseconds, as in
    Excel.
    """
    import polars as pl

    found = {type(value) for value in values} - {type(None)}
    if not found or found == {str}:
        return pl.Series(values, dtype=pl.String)
    if found == {bool}:
        return pl.Series(values, dtype=pl.Boolean)
    if found == {int} and all(value is None or abs(value) <= _LARGEST for value in values):
        return pl.Series(values, dtype=pl.Int64)
    if found <= {int, float}:
        return pl.Series([None if value is None else float(value) for value in values], dtype=pl.Float64)
    if found <= {datetime, date}:
        return _dates(values)
    if found == {time}:
        return pl.Series(values, dtype=pl.Time)
    return pl.Series(values, dtype=pl.Duration("ms") if found == {timedelta} else pl.Object)


def _dates(values: list[Any]) -> "pl.Series":
    """Return dates, or dates with times if any is not at midnight."""
    import polars as pl

    if all(not isinstance(value, datetime) or value.time() == _MIDNIGHT for value in values):
        return pl.Series([value.date() if isinstance(value, datetime) else value for value in values], dtype=pl.Date)
    return pl.Series(values, dtype=pl.Datetime("ms"))
