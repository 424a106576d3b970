"""A protected column to be checked: its values before and after, in classes of equal released ones."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from microagg.check.checked_release import CheckedRelease
from microagg.check.class_values import ClassValues
from microagg.check.comparable_numbers import (
    BeforeAfter,
    category_numbers,
    category_places,
    instants,
    plain_numbers,
    precision,
)
from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.column_set import ColumnSet
from microagg.model.table import Table
from microagg.model.treatment import Level

_ROUNDED = ("mean", "median", "trimmed")


@dataclass(frozen=True, eq=False, repr=False)
class CheckedColumn:
    """A protected column, before and after.

    Parameters
    ----------
    checked
        The release, its plan and its original.
    before
        The records of the original, in the rows of the release.
    one
        The column set.
    name
        Name of the column.
    set_classes
        Class of each record: no group of the set has records of two, but for those that lack this column.
    """

    checked: CheckedRelease
    before: Table
    one: ColumnSet
    name: str
    set_classes: IntArray

    @property
    def after(self) -> Table:
        """The release."""
        return self.checked.released

    @property
    def level(self) -> Level:
        """Level of measurement."""
        return self.one.treatment.level(self.name, self.before.kind(self.name))

    @property
    def word(self) -> str:
        """How the values of a group are aggregated."""
        return self.one.treatment.aggregate_of(self.name, self.level)

    @property
    def is_middle_category(self) -> bool:
        """Whether a middle one of the categories in order is released."""
        return self.level == "ordinal" and self.word == "median"

    @cached_property
    def rows(self) -> BoolArray:
        """Which records have a value before and after."""
        codes = [table.missing_codes(self.name) for table in (self.before, self.after)]
        return np.asarray((codes[0] == 0) & (codes[1] == 0))

    @cached_property
    def classes(self) -> IntArray:
        """Class of each record that has a value: those of a class share it.

        The records of a group that have a value are in one class, whatever else they lack.
        """
        codes = self.after.codes(self.name)
        pairs = self.set_classes * (codes.max(initial=0) + 1) + codes
        return np.unique(pairs[self.rows], return_inverse=True)[1].astype(np.int64)

    @property
    def record_counts(self) -> FloatArray:
        """Number of records that each one that has a value stands for."""
        counts = self.checked.counts
        n_rows = int(np.count_nonzero(self.rows))
        return np.ones(n_rows) if counts is None else counts[self.rows].astype(np.float64)

    @cached_property
    def keeps_integers(self) -> bool:
        """Whether the column holds whole numbers that are to stay so."""
        if not self.one.treatment.keep_integers or self.level != "number" or self.word not in _ROUNDED:
            return False
        facts = self.checked.facts_of(self.before, self.name)
        return facts.is_whole and facts.fits_integers

    @property
    def rounds_to_total(self) -> bool:
        """Whether whole means are rounded so that the total is kept."""
        return self.keeps_integers and self.one.treatment.rounding == "total" and self.word == "mean"

    @property
    def lacks_order(self) -> bool:
        """Whether categories have an order that is not known."""
        return self.is_middle_category and self._numbers is None

    def values(self) -> ClassValues:
        """Return the values of each class as numbers.

        Raises
        ------
        InputError
            If there are values that are no numbers, or no dates, where these are expected.
        """
        numbers = self._numbers
        assert numbers is not None, "the order of categories is known"
        weight = self.checked.plan.roles.weight
        weights = self.record_counts if weight is None else self.before.numbers(weight)[self.rows]
        relative = 0.0 if self.level in ("ordinal", "nominal") else precision(self.before, self.after, self.name)
        return ClassValues(self.classes, numbers.before, numbers.after, weights, slack=self._slack, precision=relative)

    @property
    def _slack(self) -> float:
        """By how much a statistic is rounded at most."""
        if self.rounds_to_total:
            return 1.0
        return 0.5 if self.keeps_integers or (self.level == "date" and self.word in _ROUNDED) else 0.0

    @cached_property
    def _numbers(self) -> BeforeAfter | None:
        """The values as numbers; None where they are categories in an order that is not known."""
        tables = (self.before, self.after, self.name, self.rows)
        if self.level == "number":
            return plain_numbers(*tables)
        if self.level == "date":
            return instants(*tables, self.checked.facts_of(self.before, self.name))
        if self.is_middle_category:
            return category_places(*tables, self.one.treatment.order_of(self.name))
        return category_numbers(*tables)
