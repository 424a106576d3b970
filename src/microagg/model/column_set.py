"""Column set: columns that are grouped together, and how."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from microagg.model.by_column import ByColumn
from microagg.model.checks import flag, one_of, whole_number
from microagg.model.errors import InputError
from microagg.model.names import column_names, nearest, suggestion
from microagg.model.treatment import ROUNDINGS, Treatment
from microagg.model.treatment_options import BY_COLUMN, checked_option, restricted

MethodLike = str | Callable[..., Any] | Sequence[str | Callable[..., Any]]
"""A method's name, a stage, or several of either in order."""


class GroupingOptions(TypedDict, total=False):
    """Options of a column set except k: see `ColumnSet`."""

    columns: Iterable[Hashable] | None
    method: MethodLike
    effort: str | None
    block_size: int | None
    rounds: int | None
    standardise: bool
    bound: bool | str | Callable[..., Any]
    keep_integers: bool
    weighted_loss: bool
    scale: str | float | Mapping[Any, str | float] | None
    transform: str | Mapping[Any, str] | None
    nominal: Iterable[Hashable] | None
    ordinal: Iterable[Hashable] | Mapping[Any, Iterable[Any]] | None
    aggregate: str | Mapping[Any, str] | None
    rounding: str | None


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
        How long "search" goes on: "quick", "standard" or "thorough". Of more than 5000 records in all, "quick" goes on
        the shorter in each stratum, the more records there are.
    block_size
        How many records a block has about, where they are divided into blocks that any method groups one by one: at
        least 4k. None: "auto" divides more than 5000 records into two blocks, or more of about 25 000, other methods
        take all at once, which is refused where data of so many records are larger than memory.
    rounds
        How often groups are refined in blocks with other walls, where the records are divided: at least 1. None: as
        the effort or the limits have it.
    standardise
        Whether each column is scaled to variance 1 for the grouping, so that all weigh alike.
    bound
        Whether to prove a lower bound of the loss of any grouping; or the name of a bound ("neighbours",
        "column-generation(pricing=relaxed)"; `microagg methods` lists them); or a stage of your own that proves it. The
        groups stay those of the method.
    keep_integers
        Whether columns of whole numbers stay so: their means are rounded.
    weighted_loss
        Whether the weights of the records count in the loss that the groups are made to keep low; only some methods
        can do that. Means of groups are weighted anyway where there are weights.
    scale
        What columns are divided by for the grouping: "deviation" (the default), "mad", "iqr", "range" or "none"; or
        "rank": mid-ranks of variance 1 are taken in place of the numbers. A number w: as "deviation", and the squares
        of the column count w times. A mapping gives one of these by column. `standardise=False` is short for "none".
    transform
        "log", "rank" or "none", or one of these by column: what is done to numbers for the distances only. The
        logarithm is sign(x)·log(1 + |x|).
    nominal
        Columns of codes, to be treated as categories without order. Text, categories and booleans always are.
    ordinal
        Columns to be treated as categories in order: that of numbers and dates, or of an ordered categorical. A
        mapping gives the categories in order by column, which text needs.
    aggregate
        What is released of a group: "mean", "median", "trimmed" (mean without the lowest and highest 10 %), "mode",
        "medoid" (the record nearest to the mean) or "set" (all categories, of nominal columns only); or one of these
        by column. Usual are the mean of numbers and dates, the median of ordinal columns, the mode of nominal ones. A
        word given for all columns applies to those that can have it.
    rounding
        With `keep_integers`, how means are rounded: each to the "nearest" (the default), or up and down so that the
        "total" of a column is kept as nearly as possible.

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
    block_size: int | None = None
    rounds: int | None = None
    standardise: bool = True
    bound: bool | str | Callable[..., Any] = False
    keep_integers: bool = False
    weighted_loss: bool = False
    scale: ByColumn[str | float] | None = None
    transform: ByColumn[str] | None = None
    nominal: tuple[str, ...] | None = None
    ordinal: tuple[str, ...] | ByColumn[tuple[Any, ...]] | None = None
    aggregate: ByColumn[str] | None = None
    rounding: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", whole_number("k", self.k, at_least=1))
        object.__setattr__(self, "columns", column_names("columns", self.columns))
        if self.block_size is not None:
            object.__setattr__(self, "block_size", whole_number("block_size", self.block_size, at_least=4 * self.k))
        if self.rounds is not None:
            object.__setattr__(self, "rounds", whole_number("rounds", self.rounds, at_least=1))
        if isinstance(self.method, list):
            object.__setattr__(self, "method", tuple(self.method))
        flag("standardise", self.standardise)
        flag("keep_integers", self.keep_integers)
        flag("weighted_loss", self.weighted_loss)
        if not (callable(self.bound) or isinstance(self.bound, bool | str)):
            raise InputError(f"bound must be True, False, a bound's name or a stage, found {self.bound!r}")
        for name in BY_COLUMN:
            object.__setattr__(self, name, checked_option(name, getattr(self, name)))
        self._check_treatment()

    def _check_treatment(self) -> None:
        if self.scale is not None and not self.standardise:
            raise InputError("scale and standardise=False are both given: leave one out; scale='none' means the same")
        if self.rounding is not None:
            one_of("rounding", self.rounding, ROUNDINGS)
            if not self.keep_integers:
                raise InputError("rounding is given, but nothing is rounded: add keep_integers=True, or leave it out")
        _ = self.treatment

    @property
    def treatment(self) -> Treatment:
        """How the columns are encoded for the distances, and aggregated."""
        given = {name: getattr(self, name) for name in (*BY_COLUMN, "rounding") if getattr(self, name) is not None}
        if not self.standardise:
            given["scale"] = ByColumn("none")
        return Treatment(keep_integers=self.keep_integers, **given)

    def of_columns(self, names: Sequence[str], confidential: Sequence[str] = ()) -> "ColumnSet":
        """Return the same set with some of its columns only, and the options that concern them.

        Parameters
        ----------
        names
            The columns to keep.
        confidential
            Columns besides these that options may name, as they may hold codes.

        Returns
        -------
        ColumnSet
            The smaller set.
        """
        own = {name: restricted(getattr(self, name), (*names, *confidential)) for name in BY_COLUMN}
        return replace(self, columns=tuple(names), **own)


def check_known(options: Iterable[str], known: Sequence[str], what: str, advice: str = "") -> None:
    """Refuse options that are not known, and suggest the ones that were probably meant."""
    for name in options:
        if name not in known:
            more = "" if nearest(name, known) else advice
            raise InputError(f"{what} has no option {name!r}: {suggestion(name, known)}{more}")
