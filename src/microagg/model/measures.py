"""Measures of a released table against its original."""

from dataclasses import dataclass, field

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
    unit
        Of dates, the unit of these numbers: "days since 1970-01-01"; None of other columns.

    Examples
    --------
    >>> import microagg
    >>> release = microagg.protect([[1.0], [2.0], [8.0], [9.0]], k=2)
    >>> column = release.measures.columns[0]
    >>> column.name, column.mean_before, column.mean_after
    ('0', 5.0, 5.0)
    """

    name: str
    mean_before: float = field(repr=False)
    mean_after: float = field(repr=False)
    variance_before: float = field(repr=False)
    variance_after: float = field(repr=False)
    information_loss: float | None
    unit: str | None = None


@dataclass(frozen=True)
class CategoryMeasures:
    """Measures of one column of categories before and after.

    Parameters
    ----------
    name
        Name of the column.
    changed
        Share of the values that the release has changed, in percent.
    entropy_before, entropy_after
        Shannon entropy of the column's distribution, in bits.
    entropy_loss
        What is lost of it, in percent; negative if it has grown, None where all values were equal.
    information_loss
        Squares between original and release in percent of this column's total squares, on the coordinates of its
        categories: a value that has changed loses the whole distance between two categories, so that more than 100
        percent can be lost. None where all values were equal.

    Examples
    --------
    >>> import microagg
    >>> people = [["a", "b"], ["a", "b"], ["b", "b"], ["a", "c"], ["b", "c"], ["b", "c"]]
    >>> release = microagg.protect(people, k=3, columns=[0, 1])
    >>> [(column.name, round(column.changed, 1)) for column in release.measures.columns]
    [('0', 33.3), ('1', 0.0)]
    """

    name: str
    changed: float
    entropy_before: float = field(repr=False)
    entropy_after: float = field(repr=False)
    entropy_loss: float | None
    information_loss: float | None


@dataclass(frozen=True)
class Measures(Reportable):
    """Measures of a released table against its original.

    Parameters
    ----------
    n_records
        Number of records.
    k_reached
        Smallest number of records that share their values in all the protected columns; a missing value is one, too.
    n_patterns
        Number of distinct combinations of these values.
    information_loss
        In percent: 100·(squares between original and release)/(total squares).
    columns
        Measures of each protected column on its own: `ColumnMeasures` of numbers and dates, `CategoryMeasures` of
        nominal and ordinal columns.
    n_suppressed, n_imputed
        Number of values of the original that the release lacks, and the other way round: they are left out of all but
        k. A release of `protect` has some only where the plan's `missing` is "blank" or "fill", or where it merges
        small patterns of missing values.
    remarks
        Sentences about how original and release were matched, where that is not by their places alone.

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
    columns: tuple[ColumnMeasures | CategoryMeasures, ...]
    n_suppressed: int = 0
    n_imputed: int = 0
    remarks: tuple[str, ...] = ()

    @property
    def numbers(self) -> tuple[ColumnMeasures, ...]:
        """Measures of the columns of numbers and dates."""
        return tuple(column for column in self.columns if isinstance(column, ColumnMeasures))

    @property
    def categories(self) -> tuple[CategoryMeasures, ...]:
        """Measures of the nominal and ordinal columns."""
        return tuple(column for column in self.columns if isinstance(column, CategoryMeasures))
