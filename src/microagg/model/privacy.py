"""Privacy rules on top of k: what the confidential values of a group must satisfy."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypedDict

from microagg.model.by_column import ByColumn, by_column
from microagg.model.checks import positive_number, whole_number
from microagg.model.errors import InputError

_OF_AMOUNTS = ("dominance", "p_percent")


class PrivacyOptions(TypedDict, total=False):
    """Options of privacy on top of k: see `Privacy`."""

    l_diversity: int | Mapping[str, int]
    entropy_l_diversity: float | Mapping[str, float]
    t_closeness: float | Mapping[str, float]
    dominance: Iterable[float] | Mapping[str, Iterable[float]]
    p_percent: float | Mapping[str, float]


@dataclass(frozen=True)
class Privacy:
    """Privacy rules on top of k, each for all confidential columns, or by column.

    Parameters
    ----------
    l_diversity
        Number of different values that a confidential column must have in each group (distinct l-diversity, p-sensitive
        k-anonymity); 2 means that no group reveals the value of all its members. A missing value is none: a group in
        which all are missing has 0.
    entropy_l_diversity
        Number l such that the entropy of the values in each group is at least log l. Missing values do not count; a
        group in which all are missing violates the rule.
    t_closeness
        Largest earth mover's distance of a group's values from those of all records, from 0 to 1. Numbers, dates and
        ordinal columns have an order, by which values are nearer or farther; text and categories have none. Missing is
        one value of its own, however it is marked, the last in the order.
    dominance
        Number n and share: the n largest contributors to a group's total may not have more than this share of it.
        Contributors are records, or units where a unit is named; amounts count without signs, missing ones as 0.
    p_percent
        Percentage p: without its two largest contributors, a group's total must be at least p % of the largest;
        contributors as for dominance.

    Raises
    ------
    InputError
        If a value cannot be.
    """

    l_diversity: ByColumn[int] | None = None
    entropy_l_diversity: ByColumn[float] | None = None
    t_closeness: ByColumn[float] | None = None
    dominance: ByColumn[tuple[int, float]] | None = None
    p_percent: ByColumn[float] | None = None

    def __post_init__(self) -> None:
        for option, check in _CHECKS.items():
            value = getattr(self, option)
            if value is not None:
                object.__setattr__(self, option, by_column(option, value, check))

    @property
    def given(self) -> tuple[str, ...]:
        """Names of the rules that are given."""
        return tuple(option for option in PRIVACY_OPTIONS if getattr(self, option) is not None)

    def check_columns(self, confidential: tuple[str, ...], protected: tuple[str, ...] | None) -> None:
        """Refuse rules for columns that have no confidential values.

        Parameters
        ----------
        confidential
            The confidential columns.
        protected
            The protected columns, which may have rules about amounts; None where they are not known yet.

        Raises
        ------
        InputError
            If a rule is for a column that is neither, or for all confidential ones where there are none.
        """
        for option in self.given:
            rule: ByColumn[Any] = getattr(self, option)
            if rule.for_all is not None and not confidential:
                raise InputError(
                    f"{option} guards confidential columns, and none is named: add confidential=[…] (--confidential)"
                )
            allowed = confidential
            if option in _OF_AMOUNTS:
                allowed = rule.names if protected is None else (*confidential, *protected)
            for name in rule.names:
                if name not in allowed:
                    raise InputError(f"{option} names column {name!r}, which is not confidential: name it there, too")


def _diversity(option: str, value: object) -> int:
    return whole_number(option, value, at_least=2)


def _entropy_diversity(option: str, value: object) -> float:
    number = positive_number(option, value)
    if number <= 1:
        raise InputError(f"{option} must be more than 1, found {value!r}")
    return number


def _closeness(option: str, value: object) -> float:
    number = positive_number(option, value)
    if number >= 1:
        raise InputError(f"{option} must be a distance below 1, such as 0.2, found {value!r}")
    return number


def _dominance(option: str, value: object) -> tuple[int, float]:
    if isinstance(value, str) or not isinstance(value, Iterable) or len(pair := tuple(value)) != 2:
        raise InputError(f"{option} must be a number of contributors and a share, such as [1, 0.8], found {value!r}")
    n = whole_number(f"{option}, its number of contributors,", pair[0], at_least=1)
    share = positive_number(f"{option}, its share,", pair[1])
    if share >= 1:
        raise InputError(f"{option} must have a share below 1, such as 0.8, found {pair[1]!r}")
    return n, share


_CHECKS = {
    "l_diversity": _diversity,
    "entropy_l_diversity": _entropy_diversity,
    "t_closeness": _closeness,
    "dominance": _dominance,
    "p_percent": positive_number,
}
PRIVACY_OPTIONS = tuple(each.name for each in fields(Privacy))
