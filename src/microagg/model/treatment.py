"""Treatment of columns: how they are encoded for the distances, and aggregated."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from microagg.model.by_column import ByColumn
from microagg.model.checks import flag, one_of
from microagg.model.column import Kind
from microagg.model.errors import InputError
from microagg.model.names import listing
from microagg.model.treatment_options import BY_COLUMN, SCALES, TRANSFORMS, checked_option, named_in

Level = Literal["number", "date", "ordinal", "nominal"]
"""Level of measurement: what may be done with the values of a column."""

ROUNDINGS = ("nearest", "total")

_LEVEL_OF_KIND: dict[Kind, Level] = {
    "integer": "number",
    "number": "number",
    "mixed": "number",
    "date": "date",
    "datetime": "date",
    "boolean": "nominal",
    "category": "nominal",
    "text": "nominal",
}
_POSSIBLE: dict[str, dict[Level, Sequence[str]]] = {
    "scale": {"number": SCALES, "date": SCALES, "ordinal": SCALES, "nominal": ("deviation", "none")},
    "transform": {"number": TRANSFORMS, "date": ("rank", "none"), "ordinal": ("rank", "none"), "nominal": ("none",)},
    "aggregate": {
        "number": ("mean", "median", "trimmed", "mode", "medoid"),
        "date": ("mean", "median", "trimmed", "mode", "medoid"),
        "ordinal": ("median", "mode", "medoid"),
        "nominal": ("mode", "medoid", "set"),
    },
}
_DEFAULT_AGGREGATE: dict[Level, str] = {"number": "mean", "date": "mean", "ordinal": "median", "nominal": "mode"}


@dataclass(frozen=True)
class Treatment:
    """How the columns of a set are encoded for the distances, and aggregated.

    A word given for all columns applies to those that can have it; one given for a column must be possible there.

    Parameters
    ----------
    scale
        What numbers are divided by: "deviation", "mad", "iqr", "range", "none"; "rank" puts mid-ranks of variance 1 in
        their place. A number w: the deviation, and the squares of the column count w times. Or one of these by column.
    transform
        "log", "rank" or "none", for the distances only; or one of these by column.
    nominal
        Columns whose values are categories without order, whatever their kind. Categories of a dataframe are so
        anyway, also if they are numbers or in an order.
    ordinal
        Columns whose values are categories in order; or the order of the categories by column. Categories that a
        dataframe has in an order are only ordinal if they are named here.
    aggregate
        "mean", "median", "trimmed", "mode", "medoid" or "set"; or one of these by column. None for the usual one.
    keep_integers
        Whether columns of whole numbers stay so.
    rounding
        How their means are rounded: each to the "nearest", or so that the column's "total" is nearly kept.

    Raises
    ------
    InputError
        If an option has a value that it cannot have.
    """

    scale: ByColumn[str | float] = field(default_factory=lambda: ByColumn("deviation"))
    transform: ByColumn[str] = field(default_factory=lambda: ByColumn("none"))
    nominal: tuple[str, ...] = ()
    ordinal: tuple[str, ...] | ByColumn[tuple[Any, ...]] = ()
    aggregate: ByColumn[str] | None = None
    keep_integers: bool = False
    rounding: str = "nearest"

    def __post_init__(self) -> None:
        for name in BY_COLUMN:
            object.__setattr__(self, name, checked_option(name, getattr(self, name)))
        flag("keep_integers", self.keep_integers)
        one_of("rounding", self.rounding, ROUNDINGS)
        ordinal = frozenset(named_in(self.ordinal))
        for name in self.nominal:
            if name in ordinal:
                raise InputError(f"column {name!r} is named in nominal and in ordinal: name it in one of them")

    @classmethod
    def plain(cls, standardise: bool) -> "Treatment":
        """Return the treatment of numbers that are scaled to variance 1, or not at all."""
        return cls(scale=ByColumn("deviation" if flag("standardise", standardise) else "none"))

    @property
    def standardise(self) -> bool:
        """Whether the columns are scaled at all."""
        return self.scale.for_all != "none"

    def level(self, name: str, kind: Kind) -> Level:
        """Return the level of measurement of a column: what is named here, else what its kind tells."""
        if name in self.nominal:
            return "nominal"
        return "ordinal" if name in named_in(self.ordinal) else _LEVEL_OF_KIND[kind]

    def order_of(self, name: str) -> tuple[Any, ...] | None:
        """Return the categories of an ordinal column in the order that the user gives; None where none is given."""
        return self.ordinal.of(name) if isinstance(self.ordinal, ByColumn) else None

    def scale_of(self, name: str, level: Level) -> str | float:
        """Return the scale of a column; of a nominal one, the number of times that its squares count."""
        scale: str | float = self._value("scale", name, level, "deviation")
        if level == "nominal":
            return 1.0 if isinstance(scale, str) else scale
        if scale == "rank" and self.transform_of(name, level) != "none":
            raise InputError(
                f"column {name!r} has the scale 'rank', which no transform changes: leave its transform out"
            )
        return scale

    def transform_of(self, name: str, level: Level) -> str:
        """Return the transform of a column."""
        return str(self._value("transform", name, level, "none"))

    def aggregate_of(self, name: str, level: Level) -> str:
        """Return how the values of a group are aggregated in a column."""
        return str(self._value("aggregate", name, level, _DEFAULT_AGGREGATE[level]))

    def takes_mode(self, name: str, kind: Kind) -> bool:
        """Whether a column of categories without order gets the most frequent one of each group."""
        level = self.level(name, kind)
        return level == "nominal" and self.aggregate_of(name, level) == "mode"

    def check(self, levels: Mapping[str, Level]) -> None:
        """Refuse what no column of some levels can have: nothing that was asked for is left undone.

        Parameters
        ----------
        levels
            Level of measurement of each column.
        """
        for option in _POSSIBLE:
            given: ByColumn[Any] | None = getattr(self, option)
            if given is not None:
                _check_columns(option, given, levels)
        for name, level in levels.items():
            self.scale_of(name, level)
            self.transform_of(name, level)
            self.aggregate_of(name, level)

    def _value(self, option: str, name: str, level: Level, default: Any) -> Any:
        given: ByColumn[Any] | None = getattr(self, option)
        if given is None:
            return default
        value = given.of(name)
        if value is None or (name not in given.names and not _is_possible(option, value, level)):
            return default
        if not _is_possible(option, value, level):
            possible = [*_POSSIBLE[option][level], *(["a positive number"] if option == "scale" else [])]
            raise InputError(
                f"{option} of column {name!r} is {value!r}, but it is treated as {level}: expected "
                f"{' or '.join(possible)}; or name it in nominal or ordinal if it holds codes"
            )
        return value


def together(treatments: Iterable[Treatment]) -> Treatment:
    """Return the treatment by which the loss of several column sets is measured: their codes, in the usual scale."""
    nominal: list[str] = []
    orders: dict[str, tuple[Any, ...]] = {}
    for one in treatments:
        nominal += one.nominal
        orders |= dict(one.ordinal.named) if isinstance(one.ordinal, ByColumn) else dict.fromkeys(one.ordinal, ())
    return Treatment(nominal=tuple(dict.fromkeys(nominal)), ordinal=ByColumn(None, tuple(orders.items())))


def _is_possible(option: str, value: Any, level: Level) -> bool:
    if option == "scale" and not isinstance(value, str):
        return True
    return value in _POSSIBLE[option][level]


def _check_columns(option: str, given: ByColumn[Any], levels: Mapping[str, Level]) -> None:
    """Refuse an option for columns that are not there, or for all columns where none can have it."""
    columns = listing(tuple(levels))
    for name in given.names:
        if name not in levels:
            raise InputError(f"{option} names column {name!r}, which is not among the columns {columns}: leave it out")
    value = given.for_all
    if value is not None and not any(_is_possible(option, value, level) for level in levels.values()):
        raise InputError(f"{option} is {value!r}, which none of the columns {columns} can have: leave it out")
