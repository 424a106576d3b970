"""Verdicts on released tables and certificates, and the findings behind them."""

from dataclasses import dataclass

from microagg.model.gap import OPTIMALITY_TOL, relative_gap
from microagg.model.names import quantity
from microagg.model.presentation import Reportable
from microagg.model.verdict import Exposure


@dataclass(frozen=True)
class Finding:
    """Result of one check.

    Parameters
    ----------
    check
        What was checked.
    passed
        Whether it holds; None for a remark that neither passes nor fails.
    detail
        What was found.

    Examples
    --------
    >>> import microagg
    >>> microagg.verify(None, [[1.5], [1.5]], k=2, columns=[0]).findings[0].detail
    "every group has at least 2 records: 1 of 2 to 2 records, in '0'"
    """

    check: str
    passed: bool | None
    detail: str


@dataclass(frozen=True)
class Verification(Reportable):
    """Verdict on a released table.

    Parameters
    ----------
    k
        Number of records that had to share each combination of values.
    k_reached
        Smallest number that do.
    columns
        Columns that were verified together.
    findings
        Result of every check.
    exposure
        What all released columns that others may know show together: it is noted, and fails no check. None where it
        was not looked at.

    Examples
    --------
    >>> import microagg
    >>> verification = microagg.verify(None, [[1.5], [1.5], [8.5], [8.5]], k=2, columns=[0])
    >>> verification.passed, verification.k_reached
    (True, 2)
    """

    k: int
    k_reached: int
    columns: tuple[str, ...]
    findings: tuple[Finding, ...]
    exposure: Exposure | None = None

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return all(finding.passed is not False for finding in self.findings)


@dataclass(frozen=True)
class Certification(Reportable):
    """Verdict on a certificate of optimality.

    Parameters
    ----------
    k
        Smallest group allowed.
    n_records
        Number of records that the certificate is about.
    columns
        Columns that the records were grouped by.
    sse, information_loss
        Loss of the groups, as computed by the check, and in percent; None where the data are not those of the
        certificate.
    lower_bound, bound
        Proved lower bound of the sse, if the certificate passed, and in percent.
    findings
        Result of every check.
    n_parts
        Number of parts that the certificate divides the records into: the bound is one of partitions without a group
        that is in two of them.

    Examples
    --------
    >>> from microagg import Certification, Finding
    >>> passed = (Finding("leaves", True, "every leaf is closed"),)
    >>> Certification(2, 4, ("x",), 8.0, 8.0, 2.0, 2.0, passed).optimal
    True
    """

    k: int
    n_records: int
    columns: tuple[str, ...]
    sse: float | None
    lower_bound: float
    information_loss: float | None
    bound: float | None
    findings: tuple[Finding, ...]
    n_parts: int = 1

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(finding.passed for finding in self.findings)

    @property
    def gap(self) -> float | None:
        """Share of the sse that lies above the bound; None where the data are not those of the certificate."""
        if self.sse is None:
            return None
        return max(0.0, relative_gap(self.sse, self.lower_bound))

    @property
    def optimal(self) -> bool:
        """Whether it is certified that no partition loses less than these groups."""
        return self.passed and self.gap is not None and self.gap <= OPTIMALITY_TOL


def released_values_detail(k_reached: int, n_below_k: int, k_if_missing_agrees: int, k: int) -> str:
    """Say both figures of k where a plan promises the weaker one only."""
    return (
        f"k = {k_reached} by released values, {quantity(n_below_k, 'record')} in classes below {k}; "
        f"k = {k_if_missing_agrees} if a missing cell may be any value"
    )
