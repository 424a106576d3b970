"""Verdict on a release: its tone, what was counted, and every warning, in the words that all reports show."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from microagg.model.errors import VerificationError
from microagg.model.measures import Measures
from microagg.model.names import listing
from microagg.model.plan import Plan
from microagg.model.verdict import Exposure, RiskWarning, Tone, Verdict
from microagg.model.verification import Finding, released_values_detail
from microagg.singling_out import MAX_STEPS

_NOT_VERIFIED = "not verified"
_VERIFIED = "verified"
_IF_AGREEING = "k holds only if a missing cell may be any value"
_SETS_ALONE = "verified on each column set alone"
_NOTHING_CHANGED = "no cell was changed"
_PROTECTED_ONLY = "verified on the protected columns only"

WHOLE_FILE = "whole file"
"""Check of a verification that notes what all released columns show together."""

LEAST_LOSS = 1e-9
"""Percent of information loss: less may be what rounding leaves of none."""

_NOTED = {
    "singled out": "unchanged columns",
    "identifiers": "columns that may identify",
    "determined": "columns that tell others",
    "given away": "values given away",
}
_MOST_OF = 0.9  # of the records that all unchanged columns single out: the fewest columns that do so much are named
_MAX_PAIRS = 5


class CountedSet(Protocol):
    """What was counted of a column set, on one machine or on a cluster."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The protected columns."""

    @property
    def k(self) -> int:
        """Smallest group allowed."""

    @property
    def measures(self) -> Measures:
        """Measures, with the k that is reached by released values."""

    @property
    def n_below_k(self) -> int:
        """Number of records in classes below k."""

    @property
    def k_if_missing_agrees(self) -> int | None:
        """The k that is reached if a missing cell may be any value, where no more is promised."""


def verdict_on(
    plan: Plan,
    sets: Sequence[CountedSet],
    k_together: int,
    exposure: Exposure | None,
    *,
    is_changed: bool = True,
    fallback: float = 0.0,
    remarks: Sequence[str] = (),
    index: bool = False,
) -> Verdict:
    """Return the verdict on a release.

    Parameters
    ----------
    plan
        The plan.
    sets
        What was counted of each column set.
    k_together
        The k that all protected columns reach together.
    exposure
        What the released columns that others may know show together; None where it was not looked at.
    is_changed
        Whether a protected cell was changed.
    fallback
        Share of the records that were grouped by the fallback.
    remarks
        Sentences about columns that may not be meant as the plan takes them.
    index
        Whether the index of a dataframe is released.

    Returns
    -------
    Verdict
        Its first sentence names the k that is reached on all protected columns together.
    """
    tone, headline = _tone(sets, k_together, exposure, is_changed)
    noun = "records" if plan.roles.unit is None else f"different values of {plan.roles.unit!r}"
    first = _anonymity(sets, k_together, noun)
    others = [] if is_changed else ["the plan has changed no cell of the protected columns"]
    whole = [_NOT_LOOKED_AT] if exposure is None else whole_sentences(exposure)
    warnings = [
        *_of_anonymity(sets, k_together),
        *([] if exposure is None else exposure_warnings(exposure)),
        *([] if is_changed else [_UNCHANGED]),
        *([_roughly(fallback)] if fallback else []),
        *(RiskWarning("remark", "A COLUMN MAY BE MISREAD", remark) for remark in remarks),
        *([_INDEX] if index else []),
    ]
    return Verdict(tone, headline, (first, *others, *whole), tuple(warnings))


def _tone(sets: Sequence[CountedSet], k_together: int, exposure: Exposure | None, is_changed: bool) -> tuple[Tone, str]:
    """Return the tone and the headline: the gravest that applies."""
    weak = [one for one in sets if one.measures.k_reached < one.k]
    if any((one.k_if_missing_agrees or 0) < one.k for one in weak):
        return "not verified", _NOT_VERIFIED
    if weak:
        return "limited", _IF_AGREEING
    if k_together < min(one.k for one in sets):
        return "limited", _SETS_ALONE
    if not is_changed:
        return "limited", _NOTHING_CHANGED
    if exposure is None or exposure.n_below_k:
        return "limited", _PROTECTED_ONLY
    return "verified", _VERIFIED


def _anonymity(sets: Sequence[CountedSet], k_together: int, noun: str) -> str:
    """Say which k is reached on all protected columns together."""
    k = min(one.k for one in sets)
    weak = next((one for one in sets if one.measures.k_reached < one.k), None)
    if len(sets) > 1:
        alone = ", ".join(str(one.measures.k_reached) for one in sets)
        return (
            f"k = {k_together} on all protected columns together, not {k}; the {len(sets)} column sets, "
            f"each taken alone, reach k = {alone}"
        )
    if weak is None:
        return f"every group has at least {k} {noun} (k reached: {k_together})"
    if weak.k_if_missing_agrees is None:
        return f"k reached is {weak.measures.k_reached}, not {k}"
    return _both_figures(weak)


def _both_figures(one: CountedSet) -> str:
    """Say which k is reached by released values, and which one if a missing cell may be any value."""
    assert one.k_if_missing_agrees is not None, "the weaker promise"
    return released_values_detail(one.measures.k_reached, one.n_below_k, one.k_if_missing_agrees, one.k)


def strict_error(verdict: Verdict) -> VerificationError:
    """Return the error that a strict plan ends in, where the verdict is not "verified"."""
    told = "; ".join((*verdict.sentences, *(one.sentence for one in verdict.warnings)))
    return VerificationError(
        f"nothing is released: the plan is strict, and the verdict would be “{verdict.headline}”: {told}"
    )


def whole_sentences(exposure: Exposure) -> list[str]:
    """Say which k is reached on all released columns that others may know, and which were taken as unknown."""
    n_columns = len(exposure.columns)
    many = f"all {n_columns} released columns" if n_columns > 1 else "the one released column"
    found = f"k = {exposure.k_reached} on {many} that others may know"
    if exposure.unit is not None:
        found = f"{found}, counted in different values of {exposure.unit!r}"
    if exposure.n_below_k:
        found = (
            f"{found}: {share_of(exposure.n_below_k, exposure.n_records)} are in classes below {exposure.k}, "
            f"{exposure.n_unique} of them unique"
        )
    sentences = [found]
    if exposure.unknown:
        shown = ", ".join(f"{name!r} ({role})" for name, role in exposure.unknown)
        sentences.append(f"taken as unknown to others: {shown}")
    return sentences


def whole_findings(exposure: Exposure) -> list[Finding]:
    """Return what a verification notes about all released columns that others may know; nothing where it adds none."""
    if not exposure.unchanged and not exposure.unknown:
        return []
    notes = [Finding(WHOLE_FILE, None, "; ".join(whole_sentences(exposure)))]
    return [*notes, *(Finding(_NOTED[one.about], None, one.sentence) for one in exposure_warnings(exposure))]


def share_of(number: int, n_records: int) -> str:
    """Write a number of records with its share."""
    return f"{number} of {n_records} records ({percent(number / max(1, n_records))})"


def percent(share: float) -> str:
    """Write a share in percent: neither 0 nor 100 % that is not so."""
    text = f"{100.0 * share:.1f} %"
    if text == "0.0 %" and share > 0:
        return "< 0.1 %"
    return "> 99.9 %" if text == "100.0 %" and share < 1 else text


def exposure_warnings(exposure: Exposure) -> Iterator[RiskWarning]:
    """Yield what to know of the released columns that others may know, the gravest first."""
    yield from _singled_out(exposure)
    if exposure.identifiers:
        listed = "; ".join(f"{name!r} {reason}" for name, reason in exposure.identifiers)
        yield RiskWarning(
            "identifiers",
            "COLUMNS THAT MAY IDENTIFY ARE RELEASED UNCHANGED",
            f"{listed}: an identifier is to be left out (identifiers) or replaced by new numbers (renumber)",
        )
    for name, n_records in exposure.given_away:
        yield RiskWarning(
            "given away",
            "GROUPS GIVE VALUES AWAY",
            f"{share_of(n_records, exposure.n_records)} are in groups in which all values of {name!r} are equal: "
            "whoever finds the group knows the value; ask for l_diversity = 2 (--l-diversity 2)",
        )
    if exposure.determined:
        pairs = [f"{one.unchanged!r} tells {one.protected!r} ({percent(one.share)})" for one in exposure.determined]
        more = f" and {len(pairs) - _MAX_PAIRS} more pairs" if len(pairs) > _MAX_PAIRS else ""
        yield RiskWarning(
            "determined",
            "UNCHANGED COLUMNS GIVE PROTECTED ONES AWAY",
            f"{', '.join(pairs[:_MAX_PAIRS])}{more}: in that share of the records the original value follows from the "
            "unchanged column, as a label does from its code; leave it out, or protect it too",
        )


def _singled_out(exposure: Exposure) -> Iterator[RiskWarning]:
    """Warn of the few unchanged columns that single out most records; else of groups and unchanged columns together."""
    found = [one for one in exposure.singling_out if one.n_unique]
    if found:
        most = max(one.n_unique for one in found)
        worst = next(one for one in found if one.n_unique >= _MOST_OF * most)
        few = max((one for one in found if len(one.columns) <= MAX_STEPS), key=lambda one: one.n_unique, default=worst)
        many = ""
        if len(worst.columns) > MAX_STEPS and few is not worst:
            many = f", and {percent(most / exposure.n_records)} in all {len(exposure.unchanged)} unchanged columns"
            worst = few
        yield RiskWarning(
            "singled out",
            "COLUMNS THAT ARE RELEASED UNCHANGED SINGLE OUT RECORDS",
            f"{share_of(worst.n_unique, exposure.n_records)} are unique in {listing(worst.columns)}, released "
            f"unchanged{many}: whoever knows these values finds the record, and all else in it; protect these columns "
            "too, make them coarser, or leave them out",
        )
    elif exposure.unchanged and exposure.n_below_k:
        yield RiskWarning(
            "singled out",
            "PROTECTED AND UNCHANGED COLUMNS TOGETHER SINGLE OUT RECORDS",
            f"{share_of(exposure.n_below_k, exposure.n_records)} are in classes below {exposure.k} for whoever also "
            f"knows what is released unchanged: {listing(exposure.unchanged)}; protect these columns too, make them "
            "coarser, or leave them out",
        )


def _of_anonymity(sets: Sequence[CountedSet], k_together: int) -> Iterator[RiskWarning]:
    """Yield what to know where k does not hold of all protected columns together, by released values."""
    k = min(one.k for one in sets)
    for one in sets:
        if one.measures.k_reached < one.k and one.k_if_missing_agrees is not None:
            where = "" if len(sets) == 1 else f"on {listing(one.columns)}, "
            sentence = f"{where}{_both_figures(one)}: everybody sees which cells are blank"
            yield RiskWarning("missing", "MISSING VALUES TELL RECORDS APART", sentence)
    if len(sets) > 1 and k_together < k:
        yield RiskWarning(
            "sets",
            f"THE COLUMN SETS ARE NOT {k}-ANONYMOUS TOGETHER",
            f"each of the {len(sets)} column sets is {k}-anonymous on its own columns only; on all protected columns "
            f"together k is {k_together}: whoever knows values of several sets tells records apart; put all columns "
            "that others may know into one set",
        )


def _roughly(share: float) -> RiskWarning:
    return RiskWarning(
        "fallback",
        "RECORDS WERE GROUPED ROUGHLY",
        f"the run was ended early, and {share:.0%} of the records were grouped roughly, in slabs: they lose more than "
        "need be; k holds for them, too",
    )


_NOT_LOOKED_AT = "the release was not looked at as a whole"
_UNCHANGED = RiskWarning(
    "no change",
    "NOTHING WAS CHANGED",
    "the plan has changed no cell of the protected columns: what is released of them is the original",
)
_INDEX = RiskWarning(
    "index",
    "THE INDEX IS RELEASED",
    "the index of the dataframe is released unchanged; files are written without it",
)
