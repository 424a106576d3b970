"""Summaries of columns of some records, merged from table to table and from task to task."""

from collections.abc import Iterable
from functools import reduce

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column_summary import ColumnSummary
from microagg.model.table import Table
from microagg.model.treatment import Level, Treatment
from microagg.spark.batch_tables import column_at_level

Summaries = dict[str, ColumnSummary]
"""Summaries of columns, by name."""

SummarisedColumn = tuple[str, Level, Treatment]
"""Name of a column, its level of measurement, and how it becomes coordinates."""


def summaries_of(
    table: Table, columns: Iterable[SummarisedColumn], rows: IntArray, weights: FloatArray | None = None
) -> Summaries:
    """Summarise columns of some records.

    Parameters
    ----------
    table
        The records.
    columns
        The columns.
    rows
        Number of each record, of shape (n,).
    weights
        Weight of each record, of shape (n,); None where they have none.
    """
    return {
        name: ColumnSummary.of(column_at_level(table, name, level), treatment, rows, weights)
        for name, level, treatment in columns
    }


def merged_summaries(parts: Iterable[Summaries]) -> Summaries:
    """Return the summaries of all records of some parts, of which there is at least one.

    Parameters
    ----------
    parts
        Summaries of the same columns in each part.
    """
    return reduce(_merged, parts)


def _merged(one: Summaries, other: Summaries) -> Summaries:
    return {name: summary.merged(other[name]) for name, summary in one.items()}
