"""Measures of a released table against its original."""

from dataclasses import dataclass

from microagg.model.presentation import Reportable


@dataclass(frozen=True)
class ColumnMeasures:
    """Measures of one column before and after.

    Parameters
    ----------
    name
        Name of the column.
    mean_before, mean_after
        Means.
    variance_before, variance_after
        Variances, dividing by n − 1.
    information_loss
        Squares between original and release in percent of this column's total squares; None where the original is
        constant.

    Examples
    --------
    >>> import microagg
    >>> release = microagg.protect([[1.0], [2.0], [8.0], [9.0]], k=2)
    >>> column = release.measures.columns[0]
    >>> column.name, column.mean_before, column.mean_after
    ('0', 5.0, 5.0)
    """

    name: str
    mean_before: float
    mean_after: float
    variance_before: float
    variance_after: float
    information_loss: float | None


@dataclass(frozen=True)
class Measures(Reportable):
    """Measures of a released table against its original.

    Parameters
    ----------
    n_records
        Number of records.
    k_reached
        Smallest number of records that share their values in all the protected columns.
    n_patterns
        Number of distinct combinations of these values.
    information_loss
        In percent: 100·(squares between original and release)/(total squares).
    columns
        Measures of each protected column on its own.

    Examples
    --------
    >>> import microagg
    >>> release = microagg.protect([[1.0], [2.0], [8.0], [9.0]], k=2)
    >>> release.measures.k_reached, release.measures.n_patterns
    (2, 2)
    """

    n_records: int
    k_reached: int
    n_patterns: int
    information_loss: float
    columns: tuple[ColumnMeasures, ...]
