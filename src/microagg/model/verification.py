"""Verdicts, and the findings behind them."""

from dataclasses import dataclass

from microagg.model.gap import NO_GAP, gap_between
from microagg.model.presentation import Shown


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    Parameters
    ----------
    check
        What was checked.
    passed
        Whether it holds; None: a remark that neither passes nor fails.
    detail
        What was found.
    """

    check: str
    passed: bool | None
    detail: str


@dataclass(frozen=True)
class Verification(Shown):
    """The verdict on a released table, and every finding behind it."""

    k: int
    k_reached: int
    columns: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return all(finding.passed is not False for finding in self.findings)


@dataclass(frozen=True)
class Certification(Shown):
    """The verdict on a certificate, and every finding behind it.

    Parameters
    ----------
    sse, information_loss
        What the groups lose, as found here, and in percent; None where the data are not those of the certificate.
    lower_bound, bound
        What no partition loses less than, if the certificate passed, and in percent.
    """

    k: int
    n_records: int
    columns: tuple[str, ...]
    sse: float | None
    lower_bound: float
    information_loss: float | None
    bound: float | None
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(finding.passed for finding in self.findings)

    @property
    def gap(self) -> float | None:
        """The share of what the groups lose that is above the bound."""
        if self.sse is None:
            return None
        return max(0.0, gap_between(self.sse, self.lower_bound))

    @property
    def optimal(self) -> bool:
        """Whether it is certified that no partition loses less than these groups."""
        return self.passed and self.gap is not None and self.gap <= NO_GAP
