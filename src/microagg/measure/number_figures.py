"""Figures that are means over the cells, or over the columns of numbers."""

from collections.abc import Callable, Sequence

from microagg.measure.category_changes import n_changed, n_present
from microagg.measure.compared_columns import ComparedCategories
from microagg.measure.number_comparison import NumberComparison
from microagg.measure.utility_catalogue import UTILITY_FIGURES
from microagg.model.figure import Figure
from microagg.model.names import quantity

NO_NUMBERS = "no column of numbers varies"
"""Why a figure about numbers has no value."""


def cell_figures(numbers: Sequence[NumberComparison], categories: Sequence[ComparedCategories]) -> list[Figure]:
    """Return the figures that are means over cells.

    Parameters
    ----------
    numbers
        Columns of numbers and dates.
    categories
        Columns of categories.

    Returns
    -------
    list of Figure
        IL1s, IL1, and the shares of cells and of categories that have changed.
    """
    n_categories = sum(map(n_present, categories))
    n_others = sum(map(n_changed, categories))
    n_cells = n_categories + sum(one.differences.count for one in numbers)
    n_changed_cells = n_others + sum(one.differences.n_changed for one in numbers)
    return [
        _il1s(numbers),
        _il1([one for one in numbers if one.assessment.unit is None]),
        _share("changed_cells", n_changed_cells, n_cells, "every value is missing"),
        _share("changed_categories", n_others, n_categories, "there are no categories"),
    ]


def _share(name: str, number: int, of: int, why_not: str) -> Figure:
    if not of:
        return UTILITY_FIGURES[name].measured(None, why_not)
    return UTILITY_FIGURES[name].measured(100.0 * number / of)


def _il1s(numbers: Sequence[NumberComparison]) -> Figure:
    """Return the mean of |x − x′|/(√2·s) over the cells of the columns that vary in the original."""
    total = 0.0
    n_cells = 0
    for one in numbers:
        if one.assessment.il1s is not None:
            total += one.assessment.il1s * one.differences.count
            n_cells += one.differences.count
    if not n_cells:
        return UTILITY_FIGURES["il1s"].measured(None, NO_NUMBERS)
    return UTILITY_FIGURES["il1s"].measured(total / n_cells, _without_constant(numbers))


def _il1(numbers: Sequence[NumberComparison]) -> Figure:
    """Return the mean of |x − x′|/|x| over the cells that are not zero in the original."""
    n_ratios = sum(one.differences.n_ratios for one in numbers)
    if not n_ratios:
        return UTILITY_FIGURES["il1"].measured(None, "there are no numbers but zeros; dates have no zero")
    n_zero = sum(one.differences.count for one in numbers) - n_ratios
    note = f"without {quantity(n_zero, 'zero')} of the original" if n_zero else ""
    return UTILITY_FIGURES["il1"].measured(sum(one.differences.ratios for one in numbers) / n_ratios, note)


def distribution_figures(numbers: Sequence[NumberComparison]) -> list[Figure]:
    """Return the figures that are means over the columns that vary in the original.

    Parameters
    ----------
    numbers
        Columns of numbers and dates.

    Returns
    -------
    list of Figure
        Differences of means, variances, skewness, shares of zeros, and quantiles.
    """
    varying = [one for one in numbers if one.before.deviation]
    if not varying:
        return [UTILITY_FIGURES[name].measured(None, NO_NUMBERS) for name in _DIFFERENCES]
    note = _without_constant(numbers)
    return [
        UTILITY_FIGURES[name].measured(sum(map(difference, varying)) / len(varying), note)
        for name, difference in _DIFFERENCES.items()
    ]


def _without_constant(numbers: Sequence[NumberComparison]) -> str:
    n_constant = sum(not one.before.deviation for one in numbers)
    return f"without {quantity(n_constant, 'constant column')}" if n_constant else ""


def _mean_difference(column: NumberComparison) -> float:
    return abs(column.after.mean - column.before.mean) / column.before.deviation


def _variance_difference(column: NumberComparison) -> float:
    return 100.0 * abs(column.after.deviation**2 / column.before.deviation**2 - 1.0)


def _skewness_difference(column: NumberComparison) -> float:
    return abs((column.after.skewness or 0.0) - (column.before.skewness or 0.0))


def _zero_share_difference(column: NumberComparison) -> float:
    return abs(column.after.zero_share - column.before.zero_share)


def _quantile_difference(column: NumberComparison) -> float:
    return column.quantile_distance / column.before.deviation


_DIFFERENCES: dict[str, Callable[[NumberComparison], float]] = {
    "mean_difference": _mean_difference,
    "variance_difference": _variance_difference,
    "skewness_difference": _skewness_difference,
    "zero_share_difference": _zero_share_difference,
    "quantile_difference": _quantile_difference,
}
"""How much one column has changed, by the name of the figure that is the mean over columns."""
