"""Column set: columns that are grouped together, and how."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypedDict

from microagg.model.checks import flag, whole_number
from microagg.model.errors import InputError
from microagg.model.names import column_names, suggestion

MethodLike = str | Callable[..., Any] | Sequence[str | Callable[..., Any]]
"""A method's name, a stage, or several of either in order."""


class GroupingOptions(TypedDict, total=False):
    """Options of a column set except k: see `ColumnSet`."""

    columns: Iterable[Hashable] | None
    method: MethodLike
    effort: str | None
    standardise: bool
    bound: bool | Callable[..., Any]
    keep_integers: bool
    weighted_loss: bool


class SetOptions(GroupingOptions, total=False):
    """Options of a column set: see `ColumnSet`."""

    k: int


SET_OPTIONS = ("k", *GroupingOptions.__annotations__)


@dataclass(frozen=True)
class ColumnSet:
    """Columns that are grouped together, and how.

    Parameters
    ----------
    k
        Smallest group allowed.
    columns
        Names of the columns; None for every numeric one, if none of them is doubtful.
    method
        A name from `methods()`, refiners joined by "+", parameters in parentheses: "v-mdav(gamma=1.1)+recut"; or a
        stage of your own, or several names and stages in order. "auto" is "search"; one column alone is cut optimally.
    effort
        How long "search" goes on: "quick", "standard" or "thorough".
    standardise
        Whether each column is scaled to variance 1 for the grouping, so that all weigh alike.
    bound
        Whether to prove a lower bound of the loss of any grouping; or a stage of your own that proves it.
    keep_integers
        Whether columns of whole numbers stay so: their means are rounded.
    weighted_loss
        Whether the weights of the records count in the loss that the groups are made to keep low; only some methods
        can do that. Means of groups are weighted anyway where there are weights.

    Raises
    ------
    InputError
        If an option has a value that it cannot have.

    Examples
    --------
    >>> from microagg import ColumnSet, Plan
    >>> plan = Plan(sets=[ColumnSet(k=5, columns=("income", "assets")), ColumnSet(k=3, columns=("age",))])
    >>> [one.k for one in plan.sets]
    [5, 3]
    """

    k: int
    columns: tuple[str, ...] | None = None
    method: MethodLike = "auto"
    effort: str | None = None
    standardise: bool = True
    bound: bool | Callable[..., Any] = False
    keep_integers: bool = False
    weighted_loss: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", whole_number("k", self.k, at_least=1))
        object.__setattr__(self, "columns", column_names("columns", self.columns))
        if isinstance(self.method, list):
            object.__setattr__(self, "method", tuple(self.method))
        flag("standardise", self.standardise)
        flag("keep_integers", self.keep_integers)
        flag("weighted_loss", self.weighted_loss)
        if not callable(self.bound):
            flag("bound", self.bound)


@dataclass(frozen=True)
class GivenSets:
    """Column sets of a plan, and which options were given for them.

    Parameters
    ----------
    sets
        The column sets, complete.
    own
        Names of the options given for each set itself; empty where the plan has no key "sets".
    shared
        Options given for all sets together, as a column set; None where there are none, or no key "sets".
    """

    sets: tuple[ColumnSet, ...]
    own: tuple[tuple[str, ...], ...] = ()
    shared: ColumnSet | None = None


def given_sets(options: Mapping[str, Any]) -> GivenSets:
    """Return the column sets that the options of a plan describe: one, or several under the key "sets"."""
    shared = {name: options[name] for name in SET_OPTIONS if name in options}
    if "sets" not in options:
        if "k" not in shared:
            raise InputError("how large must groups be at least? Set it, as in k=5 (-k 5)")
        return GivenSets((ColumnSet(**shared),))
    for name in ("columns", "exclude"):
        if name in options:
            raise InputError(f"{name} and sets are both given: name the columns of each set in it")
    own = [_own_options(one) for one in _listed(options["sets"])]
    for name in shared:
        if all(name in one for one in own):
            raise InputError(f"{name} is given for the plan, but every column set has its own: leave one of them out")
    sets = tuple(_column_set({**shared, **one}, alone=len(own) == 1) for one in own)
    kept = None if not shared else ColumnSet(**{"k": sets[0].k, **shared})
    return GivenSets(sets, tuple(map(tuple, own)), kept)


def check_known(options: Iterable[str], known: Sequence[str], what: str) -> None:
    """Refuse options that are not known, and suggest the ones that were probably meant."""
    for name in options:
        if name not in known:
            raise InputError(f"{what} has no option {name!r}: {suggestion(name, known)}")


def _listed(sets: object) -> tuple[Any, ...]:
    if isinstance(sets, str | bytes | Mapping) or not isinstance(sets, Iterable):
        raise InputError(f"sets must be a list of column sets, found {sets!r}")
    listed = tuple(sets)
    if not listed:
        raise InputError("sets is empty: name at least one column set")
    return listed


def _own_options(one: object) -> dict[str, Any]:
    """Return the options of a set: of a `ColumnSet`, all that are not None."""
    if isinstance(one, ColumnSet):
        return {each.name: getattr(one, each.name) for each in fields(one) if getattr(one, each.name) is not None}
    if not isinstance(one, Mapping):
        raise InputError(f"a column set is a ColumnSet or a table of its options, found {one!r}")
    check_known(one, SET_OPTIONS, "a column set")
    return dict(one)


def _column_set(options: Mapping[str, Any], alone: bool) -> ColumnSet:
    if "k" not in options:
        raise InputError("how large must the groups of each column set be at least? Set it, as in k = 5")
    made = ColumnSet(**options)
    if made.columns is None and not alone:
        raise InputError("a column set names no columns: of several sets, each must")
    return made
