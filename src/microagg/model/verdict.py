"""Verdict on a release: what an auditor finds who counts the released values, and knows nothing else of it."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from microagg.model.errors import Doubt
from microagg.model.inspection import SinglingOut

Tone = Literal["verified", "limited", "not verified"]
"""Whether k holds of all released columns that others may know, of less than these, or of nothing that was promised."""


class Determined(NamedTuple):
    """Protected column that an unchanged one gives away, as a code gives away its label.

    Parameters
    ----------
    unchanged, protected
        The two columns.
    share
        Share of the records whose unchanged value occurs more than once, and always with one original value of the
        protected column: whoever knows the first knows the second.
    """

    unchanged: str
    protected: str
    share: float


class Unknown(NamedTuple):
    """Released column that others are assumed not to know, and the role that says so."""

    name: str
    role: str


class RiskWarning(NamedTuple):
    """What to know before a release is given away: what it is about, a title in capitals, and a sentence."""

    about: str
    title: str
    sentence: str


@dataclass(frozen=True)
class Exposure:
    """What the released columns that others may know show together.

    Parameters
    ----------
    columns
        Released columns that count: all but those that others are assumed not to know.
    unknown
        Released columns that others are assumed not to know, by the roles of the plan: confidential ones, weights,
        and identifiers with new numbers.
    unchanged
        Those of `columns` that are released unchanged.
    n_records, k
        Number of released records, and smallest group allowed.
    k_reached
        Fewest records, or units, that share all values of `columns`; a missing value counts as a value.
    n_unique, n_below_k
        Records that share them with no other, and records in classes of fewer than k records, or units.
    unit
        Column whose different values are counted in place of records, if the plan names one.
    singling_out
        The few unchanged columns that single out most records, fewest columns first, and all of them last.
    determined
        Protected columns that unchanged ones give away; None where there is no original to compare with.
    identifiers
        Unchanged columns that look like identifiers, with the reason.
    given_away
        Confidential columns, with the number of records in groups in which all their values are equal.

    Examples
    --------
    >>> import microagg
    >>> release = microagg.protect([[1.0, 5.0], [2.0, 5.0], [8.0, 6.0], [9.0, 7.0]], k=2, columns=["0"])
    >>> release.exposure.columns, release.exposure.k_reached, release.exposure.n_unique
    (('0', '1'), 1, 2)
    """

    columns: tuple[str, ...]
    unknown: tuple[Unknown, ...]
    unchanged: tuple[str, ...]
    n_records: int
    k: int
    k_reached: int
    n_unique: int
    n_below_k: int
    unit: str | None = None
    singling_out: tuple[SinglingOut, ...] = ()
    determined: tuple[Determined, ...] | None = None
    identifiers: tuple[Doubt, ...] = ()
    given_away: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Verdict:
    """Verdict on a release.

    Parameters
    ----------
    tone
        Whether k holds of all released columns that others may know, of less than these, or of nothing that was
        promised.
    headline
        The verdict in a few words, such as "verified on the protected columns only".
    sentences
        What was counted; the first names the k that is reached on all protected columns together.
    warnings
        What else to know before the release is given away.

    Examples
    --------
    >>> import microagg
    >>> release = microagg.protect([[1.0, 5.0], [2.0, 5.0], [8.0, 6.0], [9.0, 7.0]], k=2, columns=["0"])
    >>> release.verdict.tone, release.verdict.headline
    ('limited', 'verified on the protected columns only')
    """

    tone: Tone
    headline: str
    sentences: tuple[str, ...]
    warnings: tuple[RiskWarning, ...] = ()
