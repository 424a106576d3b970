"""Columns of a regression, read from the original and from the release."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from microagg.control.mapped_arrays import MappedArrays
from microagg.encode import checked_column
from microagg.measure.common_categories import CommonCategories
from microagg.measure.compared_columns import MISSING, kept
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.day_numbers import days_since_1970
from microagg.measure.regression_formula import Formula
from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.column import Column
from microagg.model.column_encoding import MAX_CATEGORIES
from microagg.model.errors import InputError
from microagg.model.treatment import Level

BEFORE = 0
AFTER = 1
"""The two tables, as places in pairs of arrays."""


@dataclass(frozen=True, eq=False)
class NumberTerm:
    """Column of numbers, or of dates as days.

    Parameters
    ----------
    name
        Name of the column.
    values
        Numbers before and after, each of shape (n,); NaN where one is missing.
    shift, scale
        Mean and standard deviation of the original: what is fitted is (x − shift)/scale.
    """

    name: str
    values: tuple[FloatArray, FloatArray] = field(repr=False)
    shift: float = field(repr=False)
    scale: float = field(repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Name of the coefficient."""
        return (self.name,)

    @property
    def shifts(self) -> tuple[float, ...]:
        """What each coefficient's column is shifted by."""
        return (self.shift,)

    @property
    def scales(self) -> tuple[float, ...]:
        """What each coefficient's column is scaled by."""
        return (self.scale,)

    def present(self, table: int) -> BoolArray:
        """Return which records have a value in a table."""
        return ~np.isnan(self.values[table])

    def design(self, table: int, rows: Any) -> FloatArray:
        """Return what is fitted, of shape (m, 1), of some records of a table."""
        return np.asarray((self.values[table][rows] - self.shift) / self.scale)[:, None]


@dataclass(frozen=True, eq=False)
class CategoryTerm:
    """Column of categories: an indicator of each, but for one.

    Parameters
    ----------
    name
        Name of the column.
    codes
        Codes before and after, each of shape (n,).
    texts
        Category of each code.
    reference
        Code of the category that has no indicator: the first that both tables have.
    """

    name: str
    codes: tuple[IntArray, IntArray] = field(repr=False)
    texts: tuple[str, ...] = field(repr=False)
    reference: int

    @property
    def _others(self) -> list[int]:
        return [code for code in range(len(self.texts)) if code != self.reference]

    @property
    def names(self) -> tuple[str, ...]:
        """Name of the coefficient of each category but the reference."""
        return tuple(f"{self.name}={self.texts[code]}" for code in self._others)

    @property
    def shifts(self) -> tuple[float, ...]:
        """What each coefficient's column is shifted by."""
        return (0.0,) * len(self._others)

    @property
    def scales(self) -> tuple[float, ...]:
        """What each coefficient's column is scaled by."""
        return (1.0,) * len(self._others)

    def present(self, table: int) -> BoolArray:
        """Return which records have a value in a table."""
        return np.asarray(self.codes[table] != MISSING)

    def design(self, table: int, rows: Any) -> FloatArray:
        """Return the indicators, of shape (m, categories − 1), of some records of a table."""
        others = np.array(self._others, dtype=np.int64)
        return np.asarray(self.codes[table][rows][:, None] == others, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class RegressionColumns:
    """Response and terms of a regression.

    Parameters
    ----------
    response
        What is explained.
    terms
        What explains it.
    present
        Which records have all of these in both tables, of shape (n,).
    """

    response: NumberTerm
    terms: tuple[NumberTerm | CategoryTerm, ...]
    present: BoolArray = field(repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the coefficients."""
        return ("(intercept)", *(name for term in self.terms for name in term.names))

    def in_own_units(self) -> FloatArray:
        """Return the matrix that turns coefficients of shifted and scaled columns into those of the columns."""
        shifts = np.array([shift for term in self.terms for shift in term.shifts])
        scales = np.array([scale for term in self.terms for scale in term.scales])
        matrix = np.diag(np.concatenate([[1.0], 1.0 / scales]))
        matrix[0, 1:] = -shifts / scales
        return self.response.scale * matrix


def read_regression_columns(tables: ComparedTables, formula: Formula, arrays: MappedArrays | None) -> RegressionColumns:
    """Read the columns of a regression from both tables.

    Parameters
    ----------
    tables
        The tables.
    formula
        The regression; both tables have its columns.
    arrays
        Where the columns are kept, out of core; None: in memory.

    Returns
    -------
    RegressionColumns
        The columns.

    Raises
    ------
    InputError
        If a column cannot be used so.
    """
    present = np.ones(tables.n_records, dtype=np.bool_)
    terms = []
    for name in (formula.response, *formula.terms):
        term = _term(tables, formula, name, arrays)
        for table in (BEFORE, AFTER):
            present &= term.present(table)
        terms.append(term)
    response, *others = terms
    if not isinstance(response, NumberTerm):
        raise InputError(
            f"the response of the regression {formula.text!r} must be a column of numbers or dates, found categories "
            f"in column {response.name!r}: name another"
        )
    return RegressionColumns(response, tuple(others), present)


def _term(
    tables: ComparedTables, formula: Formula, name: str, arrays: MappedArrays | None
) -> NumberTerm | CategoryTerm:
    level = _level(tables, name)
    before = checked_column(tables.before, name, level, " of the original", may_miss=True)
    after = checked_column(tables.after, name, level, " of the release", may_miss=True)
    if level == "date" and after.kind not in ("date", "datetime"):
        raise InputError(
            f"column {name!r} holds dates in the original, and {after.kind} in the release: read both alike"
        )
    if level in ("number", "date"):
        return _number_term(name, kept(_numbers(before, level), arrays), kept(_numbers(after, level), arrays))
    common = CommonCategories.of(before, after)
    if len(common.texts) > MAX_CATEGORIES:
        raise InputError(
            f"column {name!r} of the regression {formula.text!r} has {len(common.texts)} categories, more than the "
            f"{MAX_CATEGORIES} that a regression may have: leave it out, or put rare categories together"
        )
    codes = (kept(common.before, arrays), kept(common.after, arrays))
    return CategoryTerm(name, codes, common.texts, _reference(common))


def _level(tables: ComparedTables, name: str) -> Level:
    """Return the level of measurement of a column, which may be beside the protected ones."""
    codes = tables.encoding.treatment if tables.plan is None else tables.plan.codes
    return codes.level(name, tables.before.kind(name))


def _numbers(column: Column, level: Level) -> FloatArray:
    return days_since_1970(column) if level == "date" else column.numbers()


def _number_term(name: str, before: FloatArray, after: FloatArray) -> NumberTerm:
    present = before[~np.isnan(before)]
    shift = float(present.mean()) if len(present) else 0.0
    scale = float(present.std()) if len(present) else 0.0
    return NumberTerm(name, (before, after), shift, scale or 1.0)


def _reference(common: CommonCategories) -> int:
    """Return the first category that both tables have; the first of all where there is none."""
    counts = [
        np.bincount(codes[codes != MISSING], minlength=len(common.texts)) for codes in (common.before, common.after)
    ]
    in_both = np.flatnonzero((counts[BEFORE] > 0) & (counts[AFTER] > 0))
    return int(in_both[0]) if len(in_both) else 0
