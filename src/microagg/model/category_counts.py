"""Categories of a column: how often each occurs, how much it weighs, and where it occurs first."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import CODED, Column, Kind
from microagg.model.column_values import distinct_values
from microagg.model.errors import InputError
from microagg.model.exact_sum import ExactSum, sums_by_code

MAX_COUNTED_CATEGORIES = 10_000
"""Categories of a column that are counted on a cluster: what tasks tell of a column stays small."""


@dataclass(frozen=True)
class CountedCategory:
    """One category of a column.

    Parameters
    ----------
    value
        The category; of dates, the number of their units since 1970.
    count
        Number of records that have it.
    weight
        Sum of their weights; None where records have none.
    first_row
        Smallest of their row numbers.
    """

    value: Any = field(repr=False)  # an original value
    count: int
    weight: ExactSum | None
    first_row: int

    def merged(self, other: "CountedCategory") -> "CountedCategory":
        """Return the category in both parts together."""
        weight = None
        if self.weight is not None and other.weight is not None:
            weight = self.weight.merged(other.weight)
        first = min(self, other, key=lambda one: one.first_row)
        return CountedCategory(first.value, self.count + other.count, weight, first.first_row)


@dataclass(frozen=True)
class CategoryCounts:
    """Categories of a column, or of some of its records; those of parts can be merged, in any order.

    Parameters
    ----------
    name, kind
        Name and kind of the column.
    by_key
        Each category that occurs, by what identifies it; empty where there are more than `max_categories`.
    n_present
        Number of values that are there.
    values_type
        numpy's type of the values, where the kind has no codes.
    listed
        Categories as the column lists them, where its kind is "category".
    ordered
        Whether they are in an order that means something.
    max_categories
        How many categories are counted; None: all.
    are_too_many
        Whether there are more of them.
    """

    name: str
    kind: Kind
    by_key: Mapping[Hashable, CountedCategory] = field(repr=False)  # original values
    n_present: int
    values_type: np.dtype[Any]
    listed: tuple[Any, ...] | None = field(default=None, repr=False)
    ordered: bool = False
    max_categories: int | None = None
    are_too_many: bool = False

    @classmethod
    def of(
        cls, column: Column, rows: IntArray, weights: FloatArray | None = None, max_categories: int | None = None
    ) -> "CategoryCounts":
        """Count the categories of a column.

        Parameters
        ----------
        column
            The column.
        rows
            Row number of each of its records, of shape (n,).
        weights
            Weight of each record, of shape (n,); None: records have none.
        max_categories
            How many categories are counted; None: all.
        """
        all_codes, values = distinct_values(column)
        present = all_codes >= 0
        too_many = max_categories is not None and len(values) > max_categories
        found: dict[Hashable, CountedCategory] = {}
        if not too_many:
            chosen = slice(None) if present.all() else present
            codes = all_codes[chosen]
            counts = np.bincount(codes, minlength=len(values)).tolist()
            first_rows = np.full(len(values), np.iinfo(np.int64).max)
            np.minimum.at(first_rows, codes, rows[chosen])
            sums = None if weights is None else sums_by_code(weights[chosen], codes, len(values))
            keys = _keys(column, all_codes, values)
            values = values if column.kind in CODED else keys
            for place, key in enumerate(keys):
                weight = None if sums is None else sums[place]
                found[key] = CountedCategory(values[place], counts[place], weight, int(first_rows[place]))
        return cls(
            column.name,
            column.kind,
            found,
            int(present.sum()),
            column.values.dtype,
            column.categories if column.kind == "category" else None,
            column.ordered,
            max_categories,
            too_many,
        )

    def merged(self, other: "CategoryCounts") -> "CategoryCounts":
        """Return the categories of both parts together.

        Raises
        ------
        InputError
            If the parts list their categories otherwise.
        """
        if (self.listed, self.ordered) != (other.listed, other.ordered):
            raise InputError(
                f"column {self.name!r} lists other categories in one part of the table than in another: make it text"
            )
        found = dict(self.by_key)
        for key, category in other.by_key.items():
            found[key] = found[key].merged(category) if key in found else category
        too_many = self.are_too_many or other.are_too_many
        too_many = too_many or (self.max_categories is not None and len(found) > self.max_categories)
        values_type = self.values_type
        if self.kind not in CODED:
            values_type = np.result_type(self.values_type, other.values_type)
        return CategoryCounts(
            self.name,
            self.kind,
            {} if too_many else found,
            self.n_present + other.n_present,
            values_type,
            self.listed,
            self.ordered,
            self.max_categories,
            too_many,
        )

    def in_order(self) -> list[CountedCategory]:
        """Return the categories as one machine lists them.

        Numbers, dates and truth values are in order, texts as they occur first, and given categories as the column
        lists them.
        """
        found = list(self.by_key.values())
        if self.kind not in CODED:
            return sorted(found, key=lambda one: one.value)
        if self.listed is None:
            return sorted(found, key=lambda one: one.first_row)
        place_of = {_key(value): place for place, value in enumerate(self.listed)}
        return sorted(found, key=lambda one: place_of[_key(one.value)])

    def preferred_keys(self) -> tuple[Hashable, ...]:
        """Return what identifies each category, the most frequent first; of equal ones, that which occurs first."""

        def rank(key: Hashable) -> tuple[int, int]:
            one = self.by_key[key]
            return (-one.count if one.weight is None else -one.weight.units, one.first_row)

        return tuple(sorted(self.by_key, key=rank))

    def column(self) -> Column:
        """Return a column that has each category once, in the order of `in_order`."""
        values = [one.value for one in self.in_order()]
        if self.kind not in CODED:
            numbers = np.array(values, dtype=np.int64 if self.values_type.kind == "M" else self.values_type)
            return Column(self.name, self.kind, numbers.astype(self.values_type))
        if self.listed is None:
            return Column(self.name, self.kind, np.arange(len(values)), tuple(values))
        place_of = {_key(value): place for place, value in enumerate(self.listed)}
        places = np.array([place_of[_key(value)] for value in values], dtype=np.int64)
        return Column(self.name, self.kind, places, self.listed, ordered=self.ordered)


def category_keys(column: Column) -> tuple[IntArray, list[Hashable]]:
    """Return the distinct values of a column by what identifies them in every part of a table.

    Parameters
    ----------
    column
        The column.

    Returns
    -------
    codes : ndarray of shape (n,)
        Place of each value among the distinct ones, −1 where it is missing.
    keys : list
        The values themselves; of dates, the number of their units since 1970.
    """
    codes, found = distinct_values(column)
    return codes, _keys(column, codes, found)


def _keys(column: Column, codes: IntArray, found: list[Any]) -> list[Hashable]:
    """Return what identifies the distinct values of a column, as `distinct_values` returns these and their codes."""
    if column.kind in CODED:
        return [_key(value) for value in found]
    if column.values.dtype.kind != "M":
        return list(found)
    units = np.zeros(len(found), dtype=np.int64)
    present = codes >= 0
    units[codes[present]] = column.values[present].astype(np.int64)
    return list(units.tolist())


def _key(value: Any) -> Hashable:
    try:
        hash(value)
    except TypeError:
        return ("not hashable", repr(value))
    key: Hashable = value
    return key
