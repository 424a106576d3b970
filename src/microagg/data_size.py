"""Size of what a plan has to do with some data, from the first records and the number of all."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from microagg.aggregate import holds_integers
from microagg.declared_levels import with_declared_levels
from microagg.encode import fit_encoding
from microagg.methods import separate_columns
from microagg.model.column_set import ColumnSet
from microagg.model.errors import InputError
from microagg.model.plan import Plan
from microagg.model.problem import checked_k
from microagg.model.problem_shape import Shape
from microagg.model.reading import Reading
from microagg.model.table import Table
from microagg.read import file_to_read, read
from microagg.select import select
from microagg.source.file_sample import sample_file


@dataclass(frozen=True)
class DataSize:
    """Size of what a plan has to do.

    Parameters
    ----------
    n_records
        Number of records.
    n_columns
        Number of columns of the table.
    sets
        The column sets, those of individual ranking each on its own, with the size of their problems.
    parts
        Number of records of each stratum, as far as the first records tell; of all records, where there are no strata.
    reasons
        What the numbers rest on.
    """

    n_records: int
    n_columns: int
    sets: tuple[tuple[ColumnSet, Shape], ...]
    parts: tuple[int, ...]
    reasons: tuple[str, ...] = ()

    @property
    def n_cells(self) -> int:
        """The number of values of the table."""
        return self.n_records * self.n_columns


class FirstRecords(NamedTuple):
    """First records of data, the number of all, and what that rests on."""

    table: Table
    n_records: int
    reasons: tuple[str, ...] = ()


def data_size(source: Any, plan: Plan) -> DataSize:
    """Look at the beginning and the metadata of data.

    Parameters
    ----------
    source
        A path, a dataframe or an array.
    plan
        What is to be done.

    Returns
    -------
    DataSize
        The size.

    Raises
    ------
    InputError
        If the data cannot be read, are known to have fewer than k records, or do not fit the plan otherwise; or if they
        come from standard input.
    """
    first = first_records(source, plan.reading)
    table = first.table.with_missing_values(plan.missing_policy.missing_values)
    plan, columns = _selected(with_declared_levels(plan, table), table)
    if not first.reasons:
        for one in plan.sets:
            checked_k(one.k, first.n_records)
    shapes = [_shape(table, first.n_records, *both) for both in zip(plan.sets, columns, strict=True)]
    sets = tuple(zip(plan.sets, shapes, strict=True))
    parts = _part_sizes(table, first.n_records, plan.roles.strata)
    reasons = first.reasons
    if plan.roles.strata and table.n_records < first.n_records:
        reasons = (*reasons, f"strata are expected to be as the first {table.n_records} records show them")
    return DataSize(first.n_records, len(table.names), sets, parts, reasons)


def first_records(source: Any, reading: Reading) -> FirstRecords:
    """Return the first records of data; all of those that are in memory.

    Parameters
    ----------
    source
        A path, a dataframe or an array.
    reading
        The format of a text file, as far as it is given.

    Raises
    ------
    InputError
        If the data cannot be read, or come from standard input.
    """
    if not isinstance(source, str | PathLike):
        table = read(source, reading)
        return FirstRecords(table, table.n_records)
    file = file_to_read(source, reading)
    if file.path is None:
        raise InputError("what comes from standard input cannot be estimated before it is read: name a file")
    sample = sample_file(file.path, file.reading)
    reasons = () if sample.is_counted else ("the number of records is estimated from the size of the file",)
    return FirstRecords(Table(sample.first_records), sample.n_records, reasons)


def _selected(plan: Plan, first: Table) -> tuple[Plan, Sequence[Sequence[str]]]:
    """Return the plan with a set for each column of individual ranking, and the columns of each set."""
    left_out = (*plan.drop, *first.index_names)
    others = dict.fromkeys(name for name in (*plan.exclude, *plan.roles.columns) if name not in left_out)
    selected = [select(first.without(plan.drop), one.columns, others) for one in plan.sets]
    return separate_columns(plan, selected, partial(holds_integers, first), first.kind)


def _part_sizes(first: Table, n_records: int, strata: Sequence[str]) -> tuple[int, ...]:
    """Return the number of records of each stratum, if all records are like the first ones."""
    if not strata or not first.n_records:
        return (n_records,)
    counts = np.unique(first.patterns(strata), return_counts=True)[1]
    return tuple(max(1, round(count * n_records / first.n_records)) for count in counts.tolist())


def _shape(first: Table, n_records: int, wanted: ColumnSet, names: Sequence[str]) -> Shape:
    return Shape(n_records, sum(fit_encoding(first, names, wanted.treatment).widths), wanted.k)
