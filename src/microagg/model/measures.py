"""What a released table measures against its original."""

from dataclasses import dataclass

from microagg.model.presentation import Shown


@dataclass(frozen=True)
class ColumnMeasures:
    """One column before and after.

    Variances divide by n − 1. The information loss is in percent of this column's total squares; None
    where the original is constant.
    """

    name: str
    mean_before: float
    mean_after: float
    variance_before: float
    variance_after: float
    information_loss: float | None


@dataclass(frozen=True)
class Measures(Shown):
    """A released table against its original.

    Parameters
    ----------
    n_records
        How many records there are.
    k_reached
        The smallest number of records that share their values in all the protected columns.
    n_patterns
        How many distinct combinations of these values there are.
    information_loss
        In percent: 100·(squares between original and release)/(total squares).
    columns
        Each protected column on its own.
    """

    n_records: int
    k_reached: int
    n_patterns: int
    information_loss: float
    columns: tuple[ColumnMeasures, ...]
