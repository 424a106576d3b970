"""Assessment: everything that was measured of a release, its utility and its risk."""

from dataclasses import dataclass, field

from microagg.model.arrays import FloatArray, ReadOnlyArrays
from microagg.model.errors import InputError
from microagg.model.figure import Figure
from microagg.model.inspection import SinglingOut
from microagg.model.measures import Measures
from microagg.model.names import suggestion
from microagg.model.presentation import Plottable, Reportable


@dataclass(frozen=True)
class Distribution:
    """Distribution of a column's numbers.

    Parameters
    ----------
    count, n_missing
        Number of values, and of those that are missing; what one table lacks does not count in the other.
    mean, variance, skewness
        Moments; the variance divides by n − 1. None where they are not defined.
    zero_share
        Share of zeros, in percent.
    quantiles
        Values at the levels `QUANTILE_LEVELS`; the first and the last are the extremes.
    bins
        Edges of a histogram of these values.
    counts
        Number of values in each bin.

    Examples
    --------
    >>> import microagg
    >>> assessment = microagg.assess([[0.0], [2.0], [10.0], [12.0]], [[1.0], [1.0], [11.0], [11.0]])
    >>> assessment.numbers[0].before.mean, assessment.numbers[0].after.quantiles[-1]
    (6.0, 11.0)
    """

    count: int
    n_missing: int
    mean: float | None = field(repr=False)
    variance: float | None = field(repr=False)
    skewness: float | None = field(repr=False)
    zero_share: float = field(repr=False)
    quantiles: tuple[float, ...] = field(repr=False)
    bins: tuple[float, ...] = field(repr=False)
    counts: tuple[int, ...] = field(repr=False)


QUANTILE_LEVELS = (0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)
"""Levels of the quantiles of a distribution."""


@dataclass(frozen=True)
class NumberAssessment:
    """One protected column of numbers or dates before and after.

    Parameters
    ----------
    name
        Name of the column.
    before, after
        Its distribution in the original and in the release, each with a histogram of its own bins.
    before_counts, after_counts
        Histograms of both in the bins of the original, for a picture of one above the other.
    il1s
        Mean of |x − x′|/(√2·s): see docs/measures.md.
    unit
        Of dates, the unit of these numbers; None of other columns.

    Examples
    --------
    >>> import microagg
    >>> assessment = microagg.assess([[0.0], [2.0], [10.0], [12.0]], [[1.0], [1.0], [11.0], [11.0]])
    >>> assessment.numbers[0].before.count, round(assessment.numbers[0].il1s, 4)
    (4, 0.1201)
    """

    name: str
    before: Distribution
    after: Distribution
    before_counts: tuple[int, ...] = field(repr=False)
    after_counts: tuple[int, ...] = field(repr=False)
    il1s: float | None
    unit: str | None = None


@dataclass(frozen=True)
class CategoryAssessment:
    """One protected column of categories before and after.

    Parameters
    ----------
    name
        Name of the column.
    changed
        Share of the values that have changed, in percent.
    categories
        The most frequent categories as texts, most frequent first.
    before_counts, after_counts
        How often each occurs; the last entry counts all others together, if there are others.

    Examples
    --------
    >>> import microagg
    >>> assessment = microagg.assess([["a"], ["a"], ["b"], ["b"]], [["a"], ["a"], ["a"], ["b"]], columns=[0])
    >>> assessment.categories[0].changed, assessment.categories[0].after_counts
    (25.0, (3, 1))
    """

    name: str
    changed: float
    categories: tuple[str, ...] = field(repr=False)
    before_counts: tuple[int, ...] = field(repr=False)
    after_counts: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, eq=False)
class CorrelationChange(ReadOnlyArrays):
    """Correlations of the protected columns of numbers before and after.

    Parameters
    ----------
    names
        Columns.
    before, after
        Correlation matrices, of shape (d, d); NaN where a column is constant.
    eigenvalues_before, eigenvalues_after
        Eigenvalues of these matrices, the largest first, of shape (d,); NaN in place of those of constant columns.

    Examples
    --------
    >>> import microagg
    >>> before = [[0.0, 1.0], [2.0, 4.0], [10.0, 6.0], [12.0, 7.0]]
    >>> after = [[1.0, 2.5], [1.0, 2.5], [11.0, 6.5], [11.0, 6.5]]
    >>> change = microagg.assess(before, after).correlations
    >>> change.before.round(3).tolist(), change.after.round(3).tolist()
    ([[1.0, 0.942], [0.942, 1.0]], [[1.0, 1.0], [1.0, 1.0]])
    """

    names: tuple[str, ...]
    before: FloatArray = field(repr=False)
    after: FloatArray = field(repr=False)
    eigenvalues_before: FloatArray = field(repr=False)
    eigenvalues_after: FloatArray = field(repr=False)


@dataclass(frozen=True)
class Coefficient:
    """One coefficient of a regression before and after.

    Parameters
    ----------
    name
        The column, or "(intercept)"; a category as "column=category".
    before, after
        Estimates.
    interval_before, interval_after
        Confidence intervals at 95 %.
    overlap
        Mean share of each interval that the other covers, in percent; below 0 where they are apart.

    Examples
    --------
    >>> from microagg import Coefficient
    >>> Coefficient("age", 2.0, 2.5, (1.0, 3.0), (1.5, 3.5), 75.0).overlap
    75.0
    """

    name: str
    before: float = field(repr=False)
    after: float = field(repr=False)
    interval_before: tuple[float, float] = field(repr=False)
    interval_after: tuple[float, float] = field(repr=False)
    overlap: float


@dataclass(frozen=True)
class RegressionComparison:
    """A user's own regression, fitted to the original and to the release.

    Parameters
    ----------
    formula
        As given: "income ~ age + sex".
    r_squared_before, r_squared_after
        Shares of the variance that are explained.
    coefficients
        Each coefficient that can be estimated from both tables.
    note
        Which coefficients cannot, and why; empty where all can.

    Examples
    --------
    >>> import microagg
    >>> before = [[0.0, 1.0], [2.0, 4.0], [10.0, 6.0], [12.0, 7.0]]
    >>> after = [[1.0, 2.5], [1.0, 2.5], [11.0, 6.5], [11.0, 6.5]]
    >>> (regression,) = microagg.assess(before, after, regressions=["1 ~ 0"]).regressions
    >>> [(one.name, round(one.before, 3), round(one.after, 3)) for one in regression.coefficients]
    [('(intercept)', 1.962, 2.1), ('0', 0.423, 0.4)]
    """

    formula: str
    r_squared_before: float = field(repr=False)
    r_squared_after: float = field(repr=False)
    coefficients: tuple[Coefficient, ...]
    note: str = ""


@dataclass(frozen=True)
class DomainTotal:
    """Weighted total of a column in one domain before and after.

    Parameters
    ----------
    domain
        Values of the columns that make the domain, as text.
    column
        Column that is summed.
    n_records
        Number of records of the original.
    before, after
        Totals: Σ weight·value.

    Examples
    --------
    >>> import microagg
    >>> before = [[0.0, 1], [2.0, 2], [10.0, 1], [12.0, 2]]
    >>> after = [[1.0, 1], [1.0, 2], [11.0, 1], [11.0, 2]]
    >>> totals = microagg.assess(before, after, [0], domains=[1]).domains
    >>> [(one.domain, one.before, one.after) for one in totals]
    [('1 = 1', 10.0, 12.0), ('1 = 2', 14.0, 12.0)]
    """

    domain: str
    column: str
    n_records: int
    before: float = field(repr=False)
    after: float = field(repr=False)


@dataclass(frozen=True)
class PartAnonymity:
    """k that is reached in one stratum, or by all records.

    Parameters
    ----------
    part
        Name of the stratum.
    n_records
        Number of records.
    k_reached
        Fewest records, or units, that share their protected values.

    Examples
    --------
    >>> import microagg
    >>> assessment = microagg.assess([[0.0], [2.0], [10.0], [12.0]], [[1.0], [1.0], [11.0], [11.0]])
    >>> [(one.n_records, one.k_reached) for one in assessment.parts]
    [(4, 2)]
    """

    part: str
    n_records: int
    k_reached: int


@dataclass(frozen=True)
class ConfidentialColumn:
    """What the groups tell about a column that is released beside them.

    Parameters
    ----------
    name
        Name of the column.
    n_constant
        Records in groups in which all values are equal: whoever finds the group knows the value.
    least_distinct
        l: the fewest different values in a group.
    least_entropy_l
        Exponential of the least entropy of the values of a group.
    largest_distance
        t: the largest earth mover's distance of a group's values from those of all; None where the values have no order
        that is known.

    Examples
    --------
    >>> from microagg import ConfidentialColumn
    >>> ConfidentialColumn("illness", 3, least_distinct=1, least_entropy_l=1.0, largest_distance=None).n_constant
    3
    """

    name: str
    n_constant: int
    least_distinct: int
    least_entropy_l: float
    largest_distance: float | None


@dataclass(frozen=True, eq=False)
class Assessment(Reportable, Plottable):
    """Utility and risk of a release.

    Parameters
    ----------
    measures
        Information loss and k reached, as `measure` finds them.
    figures
        Every number about the whole, utility first; `figure` finds one by name.
    numbers, categories
        The protected columns, one by one.
    correlations
        Of the columns of numbers; None where there are fewer than two.
    regressions, domains
        What the user asked for.
    parts
        k reached, by stratum.
    confidential
        What the groups tell about columns beside them.
    singling_out
        Columns that are released unchanged: those combinations that single out most records.
    group_sizes
        Sizes of groups, and how many groups have each.

    Examples
    --------
    >>> import microagg
    >>> assessment = microagg.assess([[0.0], [2.0], [10.0], [12.0]], [[1.0], [1.0], [11.0], [11.0]])
    >>> assessment.figure("dld").value
    50.0
    """

    measures: Measures
    figures: tuple[Figure, ...]
    numbers: tuple[NumberAssessment, ...] = ()
    categories: tuple[CategoryAssessment, ...] = ()
    correlations: CorrelationChange | None = None
    regressions: tuple[RegressionComparison, ...] = ()
    domains: tuple[DomainTotal, ...] = ()
    parts: tuple[PartAnonymity, ...] = ()
    confidential: tuple[ConfidentialColumn, ...] = ()
    singling_out: tuple[SinglingOut, ...] = ()
    group_sizes: tuple[tuple[int, int], ...] = ()

    def __repr__(self) -> str:
        return f"Assessment({len(self.figures)} figures of {self.measures.n_records} records)"

    def figure(self, name: str) -> Figure:
        """Return a figure by its name.

        Parameters
        ----------
        name
            As in docs/measures.md, such as "dld" or "il1s".

        Returns
        -------
        Figure
            The number, and what it says.

        Raises
        ------
        InputError
            If there is no such figure.
        """
        found = {one.name: one for one in self.figures}
        if name not in found:
            raise InputError(f"there is no figure {name!r}: {suggestion(name, tuple(found))}")
        return found[name]
