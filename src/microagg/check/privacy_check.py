"""Check of the rules of privacy on top of k, in each class of records that share their protected values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from microagg.check.agreeing_records import AgreeingRecords, records_of_classes
from microagg.check.anonymity_check import agreeing_records, strata_of_classes, units_of_records
from microagg.check.checked_release import CheckedRelease
from microagg.check.confidential_values import ConfidentialValues, value_codes
from microagg.check.row_tally import RowTally
from microagg.check.rule_figures import (
    OrderedReference,
    contributions,
    distinct_values,
    effective_values,
    equal_distance,
    ordered_distance,
    rest_in_percent,
    share_of_largest,
)
from microagg.check.wording import where
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import NUMERIC
from microagg.model.column_set import ColumnSet
from microagg.model.table import Table
from microagg.model.verification import Finding

_TOLERANCE = 1e-9  # relative: by how much rounding may move a figure past its limit
_OF_AMOUNTS = ("dominance", "p_percent")


class _Rule(NamedTuple):
    """Rule for the values of one column in each class."""

    option: str
    asks: str  # what it asks of each group
    figure: Callable[[IntArray], float]  # of the records of a class
    limit: float
    at_least: bool  # whether the figure may not be below the limit, or not above it

    def holds(self, records: IntArray) -> bool:
        return self.allows(self.figure(records))

    def allows(self, figure: float) -> bool:
        if self.at_least:
            return figure >= self.limit * (1 - _TOLERANCE)
        return figure <= self.limit * (1 + _TOLERANCE)


@dataclass(frozen=True)
class RuleTally:
    """What was found out about a rule for one column in the classes of a column set; two parts can be merged.

    Parameters
    ----------
    option
        The rule.
    name
        The column.
    asks
        What the rule asks of each group.
    place
        In which columns records are compared.
    at_least
        Whether the figure of a class may not be below the limit, or not above it.
    reached
        The figure of the worst class.
    n_classes
        Number of classes.
    n_violating
        Number of classes that violate the rule by themselves.
    n_certain
        Number of those that violate it even with all records whose missing values may be the same.
    violating
        Records of the latter.
    """

    option: str
    name: str
    asks: str
    place: str
    at_least: bool
    reached: float
    n_classes: int
    n_violating: int
    n_certain: int
    violating: RowTally

    def merged(self, other: "RuleTally") -> "RuleTally":
        """Return the tally of both parts together; no class is in both."""
        worst = min if self.at_least else max
        return replace(
            self,
            reached=worst(self.reached, other.reached),
            n_classes=self.n_classes + other.n_classes,
            n_violating=self.n_violating + other.n_violating,
            n_certain=self.n_certain + other.n_certain,
            violating=self.violating.merged(other.violating),
        )

    def finding(self) -> Finding:
        """Return what is to be said of the rule."""
        if not self.n_violating:
            detail = f"every group has {self.asks}: reached is {self.reached:.6g}, {self.place}"
            return Finding(self.option, True, detail)
        if not self.n_certain:
            detail = (
                f"{self.n_violating} of {self.n_classes} groups of equal values do not have {self.asks}, reached is "
                f"{self.reached:.6g}; they have it together with the records whose missing values may be the same, "
                f"{self.place}"
            )
            return Finding(self.option, None, detail)
        detail = (
            f"{self.n_certain} of {self.n_classes} groups do not have {self.asks}: {self.violating.count} records, in "
            f"{self.violating.text}, {self.place}"
        )
        return Finding(self.option, False, detail)


def check_privacy(checked: CheckedRelease) -> list[Finding]:
    """Check every rule of the plan in the classes of each column set."""
    found = [one for wanted in checked.sets for one in tally_rules(checked, wanted)]
    return [one if isinstance(one, Finding) else one.finding() for one in found]


def tally_rules(checked: CheckedRelease, one: ColumnSet) -> list[RuleTally | Finding]:
    """Check every rule of the plan in the classes of a column set; a finding says why a rule is not checked."""
    given = checked.plan.privacy.given
    if not given:
        return []
    columns = one.columns or ()
    agreeing = agreeing_records(checked, columns, None) if checked.missing_is_open else None
    strata = strata_of_classes(checked)
    classes = records_of_classes(checked.released.patterns((*columns, *strata)))
    found: list[RuleTally | Finding] = []
    for option in given:
        for name, limit in _guarded_columns(checked, option, one).items():
            reason = _unknown(checked, option, name)
            if reason is not None:
                found.append(Finding(option, None, f"not checked for {name!r}: {reason}"))
                continue
            rule = _RULES[option](checked, name, limit)
            found.append(_tally_rule(checked, rule, name, classes, agreeing, where(columns, strata)))
    return found


def _guarded_columns(checked: CheckedRelease, option: str, one: ColumnSet) -> dict[str, Any]:
    """Return the columns that a rule guards in the groups of a column set, with its limits."""
    confidential = [name for name in checked.plan.roles.confidential if name in checked.released.names]
    if option in _OF_AMOUNTS:
        confidential = [name for name in confidential if checked.released.kind(name) in NUMERIC]
    limits = getattr(checked.plan.privacy, option).of_each(tuple(confidential))
    return {name: limit for name, limit in limits.items() if name in (*confidential, *(one.columns or ()))}


def _unknown(checked: CheckedRelease, option: str, name: str) -> str | None:
    """Return what is not known that a rule is about; None if all is."""
    if name in checked.protected and checked.counterpart is None:
        return "it is protected, its original values are needed, and there is no original whose rows correspond"
    unit = checked.plan.roles.unit
    if option in _OF_AMOUNTS and unit is not None and units_of_records(checked) is None:
        return f"contributors are units, {unit!r} is not in the release, and there is no original whose rows correspond"
    return None


def _tally_rule(
    checked: CheckedRelease,
    rule: _Rule,
    name: str,
    classes: Sequence[IntArray],
    agreeing: AgreeingRecords | None,
    place: str,
) -> RuleTally:
    figures = [rule.figure(records) for records in classes]
    violating = [records for records, figure in zip(classes, figures, strict=True) if not rule.allows(figure)]
    certain = violating
    if agreeing is not None:
        certain = [records for records in violating if _violates_anyway(rule, records, agreeing)]
    return RuleTally(
        rule.option,
        name,
        rule.asks,
        place,
        rule.at_least,
        reached=min(figures) if rule.at_least else max(figures),
        n_classes=len(classes),
        n_violating=len(violating),
        n_certain=len(certain),
        violating=checked.tally(np.concatenate([np.empty(0, dtype=np.int64), *certain])),
    )


def _violates_anyway(rule: _Rule, records: IntArray, agreeing: AgreeingRecords) -> bool:
    """Check whether a class violates a rule even with all records that may have the values of one of its records."""
    _, firsts = np.unique(agreeing.row_of[records], return_index=True)
    return any(not rule.holds(agreeing.candidates(int(records[first]))) for first in firsts)


def _l_diversity(checked: CheckedRelease, name: str, least: int) -> _Rule:
    codes = value_codes(checked.released, name)
    asks = f"at least {least} different values of {name!r}"
    return _Rule("l_diversity", asks, lambda records: distinct_values(codes[records]), least, True)


def _entropy_l_diversity(checked: CheckedRelease, name: str, least: float) -> _Rule:
    codes = value_codes(checked.released, name)
    asks = f"values of {name!r} as diverse as {least:g} equally frequent ones"
    return _Rule("entropy_l_diversity", asks, lambda records: effective_values(codes[records]), least, True)


def _t_closeness(checked: CheckedRelease, name: str, t: float) -> _Rule:
    values = ConfidentialValues.of(checked, name)
    ranks = values.ranks
    asks = f"values of {name!r} at most {t:g} from those of all records (earth mover's distance)"
    if values.ordered:
        reference = OrderedReference.of(ranks)
        return _Rule("t_closeness", asks, lambda records: ordered_distance(ranks[records], reference), t, False)
    shares = np.bincount(ranks) / len(ranks)
    return _Rule("t_closeness", asks, lambda records: equal_distance(ranks[records], shares), t, False)


def _dominance(checked: CheckedRelease, name: str, limit: tuple[int, float]) -> _Rule:
    contributed = _contributions(checked, name)
    n, share = limit
    asks = f"its {n} largest contributors with at most {100 * share:g} % of its total of {name!r}"
    return _Rule("dominance", asks, lambda records: share_of_largest(contributed(records), n), share, False)


def _p_percent(checked: CheckedRelease, name: str, p: float) -> _Rule:
    contributed = _contributions(checked, name)
    asks = f"a total of {name!r} without its two largest contributors of at least {p:g} % of the largest"
    return _Rule("p_percent", asks, lambda records: rest_in_percent(contributed(records)), p, True)


def _contributions(checked: CheckedRelease, name: str) -> Callable[[IntArray], FloatArray]:
    """Return what tells the contributions of some records to a total; a missing amount contributes nothing."""
    table: Table | None = checked.counterpart if name in checked.protected else checked.released
    assert table is not None, "rules about values that are not known are left out"
    amounts = np.nan_to_num(table.numbers(name), nan=0.0)
    units = units_of_records(checked)
    return lambda records: contributions(amounts[records], None if units is None else units[records])


_RULES: dict[str, Callable[[CheckedRelease, str, Any], _Rule]] = {
    "l_diversity": _l_diversity,
    "entropy_l_diversity": _entropy_l_diversity,
    "t_closeness": _t_closeness,
    "dominance": _dominance,
    "p_percent": _p_percent,
}
