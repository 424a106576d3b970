"""Tables of the measures of each column: one of numbers and dates, one of categories."""

from typing import Any

import numpy as np

from microagg.report.facts import Facts

_MINUTES_A_DAY = 24 * 60
_NOTHING = "–"


def column_tables(measures: Facts) -> list[list[list[str]]]:
    """Return the tables of the columns before and after, without those that have no rows."""
    numbers = [["column", "mean before", "mean after", "variance before", "variance after", "loss %"]]
    categories = [["column", "changed %", "entropy before", "entropy after", "entropy loss %", "loss %"]]
    for column in measures["columns"]:
        if is_category(column):
            categories.append(_category_row(column))
        else:
            numbers.append(_number_row(column))
    return [table for table in (numbers, categories) if len(table) > 1]


def is_category(column: Facts) -> bool:
    """Check whether the measures are those of a column of categories."""
    return "changed" in column


def _number_row(column: Facts) -> list[str]:
    write = _number if column.get("unit") is None else _date
    means = [write(column[name]) for name in ("mean_before", "mean_after")]
    variances = [_number(column[name]) for name in ("variance_before", "variance_after")]
    if column.get("unit") is not None:
        variances = [f"{variance} days²" for variance in variances]
    return [column["name"], *means, *variances, _percent(column["information_loss"])]


def _category_row(column: Facts) -> list[str]:
    entropies = [f"{column[name]:.4f}" for name in ("entropy_before", "entropy_after")]
    losses = [_percent(column[name]) for name in ("entropy_loss", "information_loss")]
    return [column["name"], f"{column['changed']:.2f}", *entropies, *losses]


def _number(number: float) -> str:
    return f"{number:.6g}"


def _percent(number: float | None) -> str:
    return _NOTHING if number is None else f"{number:.4f}"


def _date(days: float) -> str:
    """Write days since 1970 as a date and time, to the minute."""
    minutes: Any = np.datetime64(round(days * _MINUTES_A_DAY), "m")
    return str(minutes).replace("T", " ")
