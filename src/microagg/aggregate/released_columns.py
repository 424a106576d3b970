"""Columns of a table as they are released: each record has what stands for its group."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from microagg.aggregate.group_modes import group_modes, group_sets
from microagg.aggregate.group_statistics import (
    GroupMeans,
    GroupMedians,
    StatisticMaker,
    TrimmedGroupMeans,
    of_present,
)
from microagg.aggregate.integer_rounding import round_to_total
from microagg.aggregate.medoids import group_medoids
from microagg.aggregate.whole_columns import WholeColumn
from microagg.control.mapped_arrays import MappedArrays
from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.column import NUMERIC, Column
from microagg.model.column_encoding import ordered_categories
from microagg.model.column_values import Instants, distinct_values
from microagg.model.errors import InputError
from microagg.model.missing_policy import MixedCells
from microagg.model.names import listing
from microagg.model.partition import Partition
from microagg.model.table import Table
from microagg.model.time_units import own_unit
from microagg.model.treatment import Level, Treatment

_INT64_LIMIT = 2**63
_STATISTICS: dict[str, StatisticMaker] = {"mean": GroupMeans, "median": GroupMedians, "trimmed": TrimmedGroupMeans}


def aggregate(
    table: Table,
    partition: Partition,
    columns: Sequence[str],
    treatment: Treatment | None = None,
    *,
    weights: FloatArray | None = None,
    arrays: MappedArrays | None = None,
    whole: Mapping[str, WholeColumn] | None = None,
    mixed_cells: MixedCells = "kept",
) -> Table:
    """Return the table with what stands for its group in each of `columns`.

    Parameters
    ----------
    table
        The table.
    partition
        The groups of its records.
    columns
        The columns to replace.
    treatment
        How values are aggregated, which columns hold codes, and whether whole numbers stay so; None: numbers become
        means, of ordinal columns the median is taken, of nominal ones the mode. Where whole numbers are kept, the means
        of columns are so only nearly.
    weights
        Weight of each record, of shape (n,): means, medians and modes are weighted, and weighted totals are kept by
        means. None: all weigh alike.
    arrays
        Where the new columns are kept; None: in memory.
    whole
        Facts of each of `columns` as a whole, where the table has only some of the records; None: it has all of them.
        Groups that are aggregated by themselves then get the same values as among all others.
    mixed_cells
        What becomes of a cell that only some members of a group have. "kept": missing values stay missing, and are
        marked as they were. "fill": all members get the value of the group. "blank": none has one. Where the cells of a
        group are missing then, and were not all marked alike, they are plain blanks.

    Raises
    ------
    InputError
        If integers are to be kept and there are none, or if their totals are and the table has only some records.
    """
    treatment = Treatment() if treatment is None else treatment
    if whole is not None and treatment.rounding == "total":
        raise InputError("rounding='total' needs the means of all groups at once: on a cluster, use rounding='nearest'")
    aggregation = _Aggregation(table, partition, tuple(columns), treatment, weights, whole, mixed_cells)
    treatment.check({name: aggregation.level(name) for name in columns})
    released = table.with_columns(map(aggregation.released, columns), None if arrays is None else arrays.column)
    if treatment.keep_integers and not any(map(aggregation.keeps_integers, columns)):
        raise InputError(f"none of {listing(columns)} holds whole numbers only: there are no integers to keep")
    return released


def holds_integers(table: Table, name: str) -> bool:
    """Check whether a column holds whole numbers only, which can be kept."""
    return table.kind(name) in (*NUMERIC, "mixed") and _are_integers(table.numbers(name))


def _are_integers(values: FloatArray) -> bool:
    present = values[~np.isnan(values)]
    return len(present) > 0 and np.array_equal(present, np.rint(present)) and bool(np.abs(present).max() < _INT64_LIMIT)


@dataclass(frozen=True, eq=False, repr=False)
class _Aggregation:
    """Aggregation of the columns of one set by its groups."""

    table: Table
    partition: Partition
    columns: tuple[str, ...]
    treatment: Treatment
    weights: FloatArray | None
    whole: Mapping[str, WholeColumn] | None
    mixed_cells: MixedCells

    @property
    def labels(self) -> IntArray:
        """Group of each record."""
        return self.partition.labels

    def level(self, name: str) -> Level:
        """Return the level of measurement of a column."""
        kind = self.table.kind(name) if self.whole is None else self.whole[name].kind
        return self.treatment.level(name, kind)

    def released(self, name: str) -> Column:
        """Return a column as it is released: the missing cells of a group look the same, unless all are kept."""
        column = self._aggregated(name)
        if self.mixed_cells == "kept":
            return column
        marks = self.table.missing_codes(name)
        if not marks.any():
            return column
        lacks = marks > 0
        missing = self._any_of_group(lacks) if self.mixed_cells == "blank" else ~self._any_of_group(~lacks)
        lowest = np.full(self.partition.n_groups, marks.max())
        np.minimum.at(lowest, self.labels, marks)
        blank = missing & self._any_of_group(marks != lowest[self.labels])
        return replace(column, missing=missing if missing.any() else None, blank=blank if blank.any() else None)

    def _any_of_group(self, flags: BoolArray) -> BoolArray:
        """Return whether any member of the group of each record is flagged."""
        flagged: BoolArray = (np.bincount(self.labels[flags], minlength=self.partition.n_groups) > 0)[self.labels]
        return flagged

    def _aggregated(self, name: str) -> Column:
        """Return a column with the value of each group, in which missing values stay so."""
        level = self.level(name)
        word = self.treatment.aggregate_of(name, level)
        if word == "medoid":
            return self._taken(self.table.column(name), self._medoids(name))
        if word == "mode":
            return self._mode(self.table.column(name))
        if word == "set":
            return self._set(self.table.column(name))
        if level == "ordinal":
            return self._middle_category(self.table.column(name))
        return self._date(name, word) if level == "date" else self._number(name, word)

    def keeps_integers(self, name: str) -> bool:
        """Check whether a column is one of whole numbers whose statistics are rounded."""
        level = self.level(name)
        rounded = level == "number" and self.treatment.aggregate_of(name, level) in _STATISTICS
        return self.treatment.keep_integers and rounded and self._holds_integers(name)

    def _holds_integers(self, name: str) -> bool:
        return holds_integers(self.table, name) if self.whole is None else self.whole[name].holds_integers

    def _number(self, name: str, word: str) -> Column:
        values = self.table.numbers(name)
        if self.mixed_cells == "blank" and np.isnan(values).any():
            values = np.where(self._any_of_group(np.isnan(values)), np.nan, values)  # the others alone keep the total
        statistic = self._statistic(word, values)
        if not self.keeps_integers(name):
            fills = self.mixed_cells == "fill"
            return Column.of_numbers(name, statistic[self.labels] if fills else _spread(statistic, self.labels, values))
        missing = np.isnan(values)
        whole = np.zeros(len(statistic))
        known = ~np.isnan(statistic)
        whole[known] = self._rounded(statistic[known], word, self._group_weights(~missing)[known])
        integers = whole.astype(np.int64)[self.labels]
        return Column(name, "integer", integers, missing=missing if missing.any() else None)

    def _rounded(self, statistic: FloatArray, word: str, weights: FloatArray) -> FloatArray:
        if self.treatment.rounding == "total" and word == "mean":
            return round_to_total(statistic, weights)
        return np.rint(statistic)

    def _group_weights(self, counted: BoolArray) -> FloatArray:
        weights = counted.astype(np.float64) if self.weights is None else counted * self.weights
        return np.asarray(np.bincount(self.labels, weights=weights), dtype=np.float64)

    def _date(self, name: str, word: str) -> Column:
        """Return a column of dates or times, rounded to its own unit, half to the later."""
        column = self.table.column(name)
        instants = self._instants(column)
        values = instants.read(column)
        whole = np.floor(np.nan_to_num(self._statistic(word, values)) + 0.5)
        units = whole.astype(np.int64) + instants.origin
        dates = units.astype(f"datetime64[{instants.unit}]").astype(column.values.dtype)
        return replace(column, values=dates[self.labels])

    def _instants(self, column: Column) -> Instants:
        """Return how dates become numbers: in the column's own unit, from its first instant."""
        if self.whole is None:
            unit = own_unit(column)
            return Instants.of(replace(column, values=column.values.astype(f"datetime64[{unit}]")))
        whole = self.whole[column.name]
        assert whole.time_unit is not None, "known of dates"
        return Instants(whole.time_unit, whole.origin)

    def _statistic(self, word: str, values: FloatArray) -> FloatArray:
        if word == "mean" and not np.isnan(values).any():
            return self._means(values)
        return of_present(_STATISTICS[word], self.labels, values, self.weights)

    @cached_property
    def _means(self) -> GroupMeans:
        return GroupMeans(self.labels, self.weights)

    def _middle_category(self, column: Column) -> Column:
        places = ordered_categories(column, self.treatment).read(column)
        middle = of_present(partial(GroupMedians, lower=True), self.labels, places, self.weights)
        return self._of_category(column, np.nan_to_num(places, nan=-1.0), middle)

    def _mode(self, column: Column) -> Column:
        codes, _ = distinct_values(column)
        preferred = None if self.whole is None else self.whole[column.name].preferred_codes(column)
        modes = group_modes(self.labels, codes, self.weights, preferred)
        return self._of_category(column, codes.astype(np.float64), modes.astype(np.float64))

    def _set(self, column: Column) -> Column:
        codes, categories = distinct_values(column)
        as_text = self.whole is not None and self.whole[column.name].compared_as_text
        sets, texts = group_sets(self.labels, codes, categories, compared_as_text=as_text)
        return Column(column.name, "text", sets[self.labels], texts, column.missing)

    def _medoids(self, name: str) -> IntArray:
        """Return the medoid of each group; where it lacks this column, the nearest record that does not."""
        medoids = self._shared_medoids
        missing = self.table.column(name).missing
        if missing is None or not missing[medoids].any():
            return medoids
        nearest = group_medoids(self.labels, self._distances, missing[:, None])
        return np.where(missing[medoids], nearest, medoids)

    @cached_property
    def _shared_medoids(self) -> IntArray:
        """Medoid of each group: that which lacks the fewest of the columns that take its values."""
        masks = []
        for name in self.columns:
            column = self.table.column(name)
            takes = self.treatment.aggregate_of(name, self.level(name)) == "medoid"
            if takes and column.missing is not None and self.mixed_cells != "blank":
                masks.append(column.missing)
        return group_medoids(self.labels, self._distances, np.column_stack(masks) if masks else None)

    @cached_property
    def _distances(self) -> FloatArray:
        """Squared distance of each record from the mean of its group, whatever it weighs."""
        problem = self.partition.problem
        distances = np.zeros(problem.n)
        for column in range(problem.d):  # added one by one: the same for any number of records
            squares = np.square(problem.X[:, column] - self.partition.centroids[self.labels, column])
            if problem.missing is not None:
                squares[problem.missing[:, column]] = 0.0
            distances += squares
        return distances

    def _of_category(self, column: Column, places: FloatArray, wanted: FloatArray) -> Column:
        """Return a column in which every record has the category of its group, by the places of categories."""
        taken = self._taken(column, _first_records(places, wanted))
        if column.values.dtype.kind != "f":
            return taken
        return replace(taken, values=taken.values + 0.0)  # 0 and −0 are one category: always 0

    def _taken(self, column: Column, records: IntArray) -> Column:
        """Return a column in which every record has the value of one record of its group."""
        return replace(column, values=column.values[records[self.labels]])


def _spread(statistic: FloatArray, labels: IntArray, values: FloatArray) -> FloatArray:
    """Give each record the number of its group; a missing value stays missing."""
    spread = statistic[labels]
    missing = np.isnan(values)
    if missing.any():
        spread[missing] = np.nan
    return spread


def _first_records(places: FloatArray, wanted: FloatArray) -> IntArray:
    """Return the first record of each place that is wanted; any record where none is."""
    found, first = np.unique(places, return_index=True)
    at = np.clip(np.searchsorted(found, np.nan_to_num(wanted, nan=-1.0)), 0, len(found) - 1)
    return np.asarray(first[at])
