"""What the aggregation of some groups takes from whole columns: integers, units of time, categories by frequency."""

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from microagg.model.arrays import IntArray
from microagg.model.category_counts import CategoryCounts, category_keys
from microagg.model.column import Column, Kind
from microagg.model.column_summary import ColumnSummary
from microagg.model.errors import InputError


@dataclass(frozen=True)
class WholeColumn:
    """Facts of a whole column, where only some of its records are at hand.

    Parameters
    ----------
    kind
        Kind of its values.
    holds_integers
        Whether all of its numbers are whole.
    time_unit
        The largest unit of which all its times are whole multiples; None where it has no dates.
    origin
        Its first instant in this unit, since 1970.
    preferred
        Its categories by what identifies them: the most frequent first, of equal ones that which occurs first. None
        where modes are not wanted.
    compared_as_text
        Whether its categories are of several types, which are put in order by their texts.
    """

    kind: Kind
    holds_integers: bool = False
    time_unit: str | None = None
    origin: int = field(default=0, repr=False)  # an original value
    preferred: tuple[Hashable, ...] | None = field(default=None, repr=False)
    compared_as_text: bool = False

    def preferred_codes(self, column: Column) -> IntArray:
        """Return the codes of the categories of some records, those first that this whole column prefers.

        Parameters
        ----------
        column
            The column of these records; its codes are those of `distinct_values`.

        Raises
        ------
        ValueError
            If the column has a category that the whole has not.
        """
        rank_of = {key: rank for rank, key in enumerate(self.preferred or ())}
        keys = category_keys(column)[1]
        unknown = sum(key not in rank_of for key in keys)
        if unknown:
            raise ValueError(f"column {column.name!r} has {unknown} categories that the whole column has not")
        return np.argsort(np.array([rank_of[key] for key in keys], dtype=np.int64))


def whole_column(summary: ColumnSummary) -> WholeColumn:
    """Return what the aggregation takes from a column, of which a summary is at hand.

    Parameters
    ----------
    summary
        Summary of all of its records.

    Raises
    ------
    InputError
        If the mode is wanted of a column that has more categories than are counted.
    """
    counts = summary.categories
    if counts is not None and counts.are_too_many:
        raise InputError(
            f"column {summary.name!r} has more than {counts.max_categories} different values, too many for modes on a "
            "cluster: choose another aggregate, or put rare values together"
        )
    return WholeColumn(
        summary.kind,
        summary.holds_integers,
        None if summary.units is None else summary.units.own,
        summary.first_instant,
        None if counts is None else counts.preferred_keys(),
        counts is not None and _are_of_several_types(counts),
    )


def _are_of_several_types(counts: CategoryCounts) -> bool:
    try:
        sorted(one.value for one in counts.by_key.values())
    except TypeError:
        return True
    return False
