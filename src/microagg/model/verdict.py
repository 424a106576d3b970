"""Verdict on a release: what an auditor finds who counts the released values, and knows nothing else of it."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from microagg.model.errors import Doubt
from microagg.model.inspection import SinglingOut

Tone = Literal["verified", "limited", "not verified"]
"""Whether k holds of all released columns that others may know, of less than these, or of nothing that was promised."""


class Determined(NamedTuple):
    """Protected column that an unchanged one gives away, as a code gives away its label."""

    unchanged: str
    protected: str
    share: float  # of the protected cells that follow from the unchanged column


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
    n_records, k
        Number of released records, and smallest group allowed.
    k_reached
        Fewest records, or units, that share all values of `columns`; a missing value counts as a value.
    n_unique, n_below_k
        Records that share them with no other, and with fewer than k − 1 others.
    singling_out
        The few unchanged columns that single out most records, fewest columns first.
    determined
        Protected columns that unchanged ones give away.
    identifiers
        Unchanged columns that look like identifiers, with the reason.
    """

    columns: tuple[str, ...]
    unknown: tuple[str, ...]
    n_records: int
    k: int
    k_reached: int
    n_unique: int
    n_below_k: int
    singling_out: tuple[SinglingOut, ...] = ()
    determined: tuple[Determined, ...] = ()
    identifiers: tuple[Doubt, ...] = ()


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
        What else to know before the release is given away, one sentence each.
    """

    tone: Tone
    headline: str
    sentences: tuple[str, ...]
    warnings: tuple[str, ...] = ()
