"""Individual ranking: every column of a set grouped on its own, as a column set of one column."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from microagg.methods.aliases import without_alias
from microagg.methods.grammar import StageName, listed_stages, set_parameters
from microagg.model.checks import one_of
from microagg.model.column import Kind
from microagg.model.column_set import SET_OPTIONS, ColumnSet, MethodLike
from microagg.model.errors import MethodError
from microagg.model.plan import Plan

INDIVIDUAL_RANKING = "individual-ranking"
_COLUMN_METHODS = {"optimal": "univariate", "fixed": "zscore-fixed"}  # by the cut of the sorted column


@dataclass(frozen=True)
class IndividualRanking:
    """Individual ranking: each column grouped on its own; NOT k-anonymous on the columns together.

    Every column is sorted and cut into groups of its own, so that there is no one partition: `protect` makes a column
    set of each column, and says which k the release reaches on all columns together, often 1. Little is lost, because
    little is protected: a record may be the only one with its combination of values.

    Parameters
    ----------
    cut
        How each sorted column is cut: "optimal", where the least is lost, or "fixed", into runs of k values, as other
        tools do it.

    References
    ----------
    Defays & Nanopoulos (1993), Panels of enterprises and confidentiality: the small aggregates method, Statistics
    Canada Symposium 92.
    """

    cut: str = "optimal"
    reference: ClassVar[str] = "Defays & Nanopoulos 1993"

    def __post_init__(self) -> None:
        one_of("cut", self.cut, _COLUMN_METHODS)

    @property
    def column_method(self) -> str:
        """The method by which each column is grouped."""
        return _COLUMN_METHODS[self.cut]


def individual_ranking(method: MethodLike) -> IndividualRanking | None:
    """Return the individual ranking that a method stands for; None where it is any other method."""
    first, *others = listed_stages(method)
    if isinstance(first, StageName):
        first = without_alias(first)[0]
    if not isinstance(first, StageName) or first.name != INDIVIDUAL_RANKING:
        return None
    if others:
        raise MethodError(f"nothing can follow {INDIVIDUAL_RANKING!r}, which makes no one partition: leave it out")
    ranking: IndividualRanking = set_parameters(IndividualRanking(), first)
    return ranking


def column_method(method: MethodLike) -> MethodLike:
    """Return the method by which groups are made: of individual ranking, that of each column."""
    ranking = individual_ranking(method)
    return method if ranking is None else ranking.column_method


def separate_columns(
    plan: Plan, columns: Sequence[Sequence[str]], holds_integers: Callable[[str], bool], kind: Callable[[str], Kind]
) -> tuple[Plan, list[Sequence[str]]]:
    """Replace each column set of individual ranking by sets of one column.

    Parameters
    ----------
    plan
        The plan.
    columns
        The columns of each set.
    holds_integers
        Tells whether a column holds whole numbers: where integers are to be kept, that is asked of such columns alone.
    kind
        Tells the kind of a column.

    Returns
    -------
    plan : Plan
        The same plan if none of its methods is individual ranking.
    columns : list
        The columns of each of its sets.
    """
    rankings = [individual_ranking(one.method) for one in plan.sets]
    if not any(rankings):
        return plan, list(columns)
    sets: list[ColumnSet] = []
    for one, ranking, names in zip(plan.sets, rankings, columns, strict=True):
        if ranking is None:
            sets.append(replace(one, columns=tuple(names)))
        else:
            whole = replace(one, columns=tuple(names))
            sets += _sets_of_one(whole, plan.roles.confidential, holds_integers, kind)
    others = {name: value for name, value in plan.given.items() if name not in (*SET_OPTIONS, "sets")}
    return Plan(**others, sets=sets), [one.columns or () for one in sets]


def _sets_of_one(
    whole: ColumnSet, confidential: Sequence[str], holds_integers: Callable[[str], bool], kind: Callable[[str], Kind]
) -> list[ColumnSet]:
    """Return a set for each column of a set, which keep integers where there are some; if there are none, all do."""
    names = whole.columns or ()
    for name in names:
        if whole.treatment.level(name, kind(name)) == "nominal":
            raise MethodError(
                f"{INDIVIDUAL_RANKING!r} sorts each column, and column {name!r} holds categories without order: "
                "name it in ordinal, or protect it in a set of its own by another method"
            )
    if not whole.keep_integers:
        return [whole.of_columns([name], confidential) for name in names]
    kept = [name for name in names if holds_integers(name)] or names
    sets = [whole.of_columns([name], confidential) for name in names]
    return [one if name in kept else _not_rounded(one) for name, one in zip(names, sets, strict=True)]


def _not_rounded(one: ColumnSet) -> ColumnSet:
    return replace(one, keep_integers=False, rounding=None)
