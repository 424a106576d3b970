"""Sums and counts of a table before and after, from which its measures follow; those of two parts can be merged."""

from dataclasses import dataclass

from microagg.measure.column_accumulators import ColumnAccumulator, accumulate_column
from microagg.measure.common_cells import CellCounts
from microagg.measure.table_pairing import check_counts
from microagg.model.encoding import Encoding, percent_lost
from microagg.model.measures import Measures
from microagg.model.table import Table


@dataclass(frozen=True)
class TableAccumulator:
    """What the measures of a table are computed from: small, whatever the number of records.

    Parameters
    ----------
    n_records
        Number of records.
    columns
        What each protected column gives.

    Examples
    --------
    >>> import microagg
    >>> from microagg.encode import fit_encoding
    >>> before = microagg.read([[0.0], [2.0], [10.0], [12.0]])
    >>> after = microagg.read([[1.0], [1.0], [11.0], [11.0]])
    >>> whole = TableAccumulator.of(before, after, fit_encoding(before, ["0"]))
    >>> round(whole.measures(k_reached=2, n_patterns=2).information_loss, 4)
    3.8462
    """

    n_records: int
    columns: tuple[ColumnAccumulator, ...]

    @classmethod
    def of(cls, before: Table, after: Table, encoding: Encoding) -> "TableAccumulator":
        """Accumulate two tables, or the same part of both.

        Parameters
        ----------
        before, after
            The tables, records in the same order.
        encoding
            Encoding of the protected columns, fitted to the whole original.

        Returns
        -------
        TableAccumulator
            Of these records.

        Raises
        ------
        InputError
            If the tables have no records, or not the same number, or if a value cannot be used.
        """
        check_counts(before, after)
        columns = tuple(accumulate_column(before, after, encoded) for encoded in encoding.columns)
        return cls(before.n_records, columns)

    def merged(self, other: "TableAccumulator") -> "TableAccumulator":
        """Return what both parts give together.

        Parameters
        ----------
        other
            Another part of the same two tables, by the same encoding.

        Returns
        -------
        TableAccumulator
            The same, bit for bit, whichever parts are merged first.

        Raises
        ------
        InputError
            If a column of categories has too many different values.
        """
        both = zip(self.columns, other.columns, strict=True)
        return TableAccumulator(
            self.n_records + other.n_records,
            tuple(one.merged(another) for one, another in both),  # type: ignore[arg-type]
        )

    def measures(self, k_reached: int, n_patterns: int) -> Measures:
        """Return the measures of the table.

        Parameters
        ----------
        k_reached
            Smallest number of records that share their values in all the protected columns.
        n_patterns
            Number of distinct combinations of these values.

        Returns
        -------
        Measures
            Of all records that were accumulated.
        """
        cells = CellCounts.merged(column.cells for column in self.columns)
        return Measures(
            n_records=self.n_records,
            k_reached=k_reached,
            n_patterns=n_patterns,
            information_loss=percent_lost(column.lost_and_total for column in self.columns),
            columns=tuple(column.measures() for column in self.columns),
            n_suppressed=cells.n_suppressed,
            n_imputed=cells.n_imputed,
        )
