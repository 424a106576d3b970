"""The plan: what is to be done to which columns, the same from keywords, a TOML file and the command line."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict

from microagg.model.abilities import Shown
from microagg.model.checks import flag, whole_number
from microagg.model.errors import InputError, ReadError
from microagg.model.limits import Limits
from microagg.model.names import column_names, suggestion
from microagg.model.reading import Reading

MethodLike = str | Callable[..., Any] | Sequence[str | Callable[..., Any]]
"""A method's name, a stage, or several of either in order."""

_FRESH = "fresh"  # what TOML, which knows no None, has for a random state of the operating system


class GroupingOptions(TypedDict, total=False):
    """What can be said of a column set, but for k: see `ColumnSet`."""

    columns: Iterable[Hashable] | None
    method: MethodLike
    effort: str | None
    standardise: bool
    bound: bool | Callable[..., Any]
    keep_integers: bool


class SetOptions(GroupingOptions, total=False):
    """What can be said of a column set: see `ColumnSet`."""

    k: int


class PlanOptions(GroupingOptions, total=False):
    """What can be said of a plan, but for k: see `Plan`."""

    sets: "Sequence[ColumnSet | SetOptions]"
    exclude: Iterable[Hashable]
    drop: Iterable[Hashable]
    shuffle: bool
    random_state: int | None
    time_limit: float | None
    iterations: int | None
    target_gap: float | None
    allow_k1: bool
    delimiter: str | None
    decimal: str | None
    encoding: str | None
    header: bool | None


SET_OPTIONS = ("k", *GroupingOptions.__annotations__)
PLAN_OPTIONS = ("k", *PlanOptions.__annotations__)
LIMITS = tuple(one.name for one in fields(Limits))
READING = tuple(one.name for one in fields(Reading))


@dataclass(frozen=True)
class ColumnSet:
    """Columns that are grouped together, and how.

    Parameters
    ----------
    k
        The smallest group allowed.
    columns
        Which columns; None: every numeric one, if none of them is doubtful.
    method
        A name from `methods()`, refiners joined by "+", parameters in parentheses: "v-mdav(gamma=1.1)+recut"; or a
        stage of your own, or several names and stages in order. "auto" is "search"; one column alone is cut optimally.
    effort
        How long "search" goes on: "quick", "standard" or "thorough".
    standardise
        Whether each column is scaled to variance 1 for the grouping, so that all weigh alike.
    bound
        Whether to prove how little any grouping must lose; or a stage of your own that proves it.
    keep_integers
        Whether columns of whole numbers stay so: their means are rounded.
    """

    k: int
    columns: tuple[str, ...] | None = None
    method: MethodLike = "auto"
    effort: str | None = None
    standardise: bool = True
    bound: bool | Callable[..., Any] = False
    keep_integers: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", whole_number("k", self.k, at_least=1))
        object.__setattr__(self, "columns", column_names("columns", self.columns))
        if isinstance(self.method, list):
            object.__setattr__(self, "method", tuple(self.method))
        flag("standardise", self.standardise)
        flag("keep_integers", self.keep_integers)
        if not callable(self.bound):
            flag("bound", self.bound)


@dataclass(frozen=True, init=False, repr=False)
class Plan(Shown):
    """What is to be done to which columns.

    Every option has the same name here, as a keyword of `protect`, in a TOML file and, with dashes, on the command
    line. What is not said has a default.

    Parameters
    ----------
    k, columns, method, effort, standardise, bound, keep_integers
        Of the one column set, see `ColumnSet`; with `sets`, what holds for each set that does not say otherwise.
    sets
        Several column sets, each grouped on its own. Each is then k-anonymous on its own columns, not on those of
        several sets together.
    exclude
        Columns that are released as they came although they are numeric; only where `columns` are not named.
    drop
        Columns that are left out of the release.
    shuffle
        Whether the released records are put in a random order, by fresh randomness of the operating system, never by
        `random_state`: an order that can be drawn again can be undone.
    random_state
        The same number gives the same groups; None ("fresh" in TOML) takes fresh randomness. The default is 0.
    time_limit, iterations, target_gap
        Limits of the work: see `Run`.
    allow_k1
        Whether k = 1 is allowed, which protects nothing.
    delimiter, decimal, encoding, header
        How a text file is to be read, where that must not be found out: see `read`.

    Examples
    --------
    >>> from microagg import Plan
    >>> plan = Plan(k=5, columns=["income", "assets"], random_state=1)
    >>> print(plan.to_toml())
    k = 5
    columns = ["income", "assets"]
    random_state = 1
    <BLANKLINE>
    >>> Plan.from_toml(plan.to_toml()) == plan
    True
    """

    sets: tuple[ColumnSet, ...]
    exclude: tuple[str, ...]
    drop: tuple[str, ...]
    shuffle: bool
    random_state: int | None
    limits: Limits
    reading: Reading
    given: Mapping[str, Any] = field(compare=False)

    def __init__(self, **options: Any) -> None:
        _check_known(options, PLAN_OPTIONS, "a plan")
        given = {name: _settled(name, options[name]) for name in PLAN_OPTIONS if name in options}
        values = {
            "sets": _sets(given),
            "exclude": column_names("exclude", given.get("exclude")) or (),
            "drop": column_names("drop", given.get("drop")) or (),
            "shuffle": flag("shuffle", given.get("shuffle", False)),
            "random_state": _random_state(given.get("random_state", 0)),
            "limits": Limits(**{name: given[name] for name in LIMITS if name in given}),
            "reading": Reading(**{name: given[name] for name in READING if name in given}),
            "given": given,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._check()

    def _check(self) -> None:
        if not flag("allow_k1", self.given.get("allow_k1", False)) and any(one.k == 1 for one in self.sets):
            raise InputError("k = 1 protects nothing: choose a larger k, or allow it, as in allow_k1=True (--allow-k1)")
        chosen = [name for one in self.sets for name in one.columns or ()]
        for name in chosen:
            if len(self.sets) > 1 and chosen.count(name) > 1:
                raise InputError(f"column {name!r} is in {chosen.count(name)} column sets: name it in one")
        for what, names in (("excluded", self.exclude), ("dropped", self.drop)):
            if both := [name for name in names if name in chosen]:
                raise InputError(f"column {both[0]!r} is to be protected and to be {what}: name it once")

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={value!r}" for name, value in self.given.items())
        return f"Plan({said})"

    @classmethod
    def from_toml(cls, source: str | PathLike[str]) -> "Plan":
        """Read a plan.

        Parameters
        ----------
        source
            The path of a TOML file, or its text.

        Raises
        ------
        ReadError
            Where it is no TOML.
        InputError
            Where a key is unknown, or its value cannot be.
        """
        import tomllib

        text, where = _toml_text(source)
        try:
            options = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ReadError(f"{where} is no TOML: {error}") from None
        if options.get("random_state") == _FRESH:
            options["random_state"] = None
        return cls(**options)

    def to_toml(self) -> str:
        """Write what was said of the plan, as `from_toml` reads it."""
        import tomlkit

        document = tomlkit.document()
        for name, value in self.given.items():
            if name == "sets":
                tables = tomlkit.aot()
                for one in value:
                    tables.append(_table(one))
                document.append(name, tables)
            elif name == "random_state" and value is None:
                document.append(name, tomlkit.item(_FRESH))
            elif value is not None:
                document.append(name, tomlkit.item(_plain(name, value)))
        return tomlkit.dumps(document)

    def with_options(self, **options: Any) -> "Plan":
        """Give the plan with more said of it; refuse what contradicts it."""
        _check_known(options, PLAN_OPTIONS, "a plan")
        for name, value in options.items():
            if name in self.given and self.given[name] != _settled(name, value):
                raise InputError(
                    f"{name} = {value!r} contradicts the plan, which says {self.given[name]!r}: leave one of them out"
                )
        return Plan(**{**self.given, **options})

    def with_columns(self, columns: Sequence[Sequence[str]]) -> "Plan":
        """Give the plan with the columns of each set filled in: nothing is left to be chosen."""
        given = {name: value for name, value in self.given.items() if name != "exclude"}
        if "sets" not in given:
            return Plan(**{**given, "columns": tuple(columns[0])})
        sets = [
            ColumnSet(**{**_options(one), "columns": tuple(names)})
            for one, names in zip(self.sets, columns, strict=True)
        ]
        return Plan(**{name: value for name, value in given.items() if name not in SET_OPTIONS} | {"sets": sets})


def _check_known(options: Iterable[str], known: Sequence[str], what: str) -> None:
    for name in options:
        if name not in known:
            raise InputError(f"{what} has no option {name!r}: {suggestion(name, known)}")


def _settled(name: str, value: Any) -> Any:
    """Give an option's value as it is kept: nothing that can be used up or changed."""
    if name in ("columns", "exclude", "drop"):
        return column_names(name, value)
    if name == "sets":
        return _checked_sets(value)
    return tuple(value) if isinstance(value, list) else value


def _checked_sets(sets: object) -> tuple[Any, ...]:
    if isinstance(sets, str | bytes | Mapping) or not isinstance(sets, Iterable):
        raise InputError(f"sets must be a list of column sets, found {sets!r}")
    listed = tuple(sets)
    for one in listed:
        if isinstance(one, Mapping):
            _check_known(one, SET_OPTIONS, "a column set")
        elif not isinstance(one, ColumnSet):
            raise InputError(f"a column set is a ColumnSet or a table of its options, found {one!r}")
    if not listed:
        raise InputError("sets is empty: name at least one column set")
    return listed


def _sets(given: Mapping[str, Any]) -> tuple[ColumnSet, ...]:
    """Make the column sets: the one that the options of the plan are of, or several."""
    common = {name: given[name] for name in SET_OPTIONS if name in given}
    if "sets" not in given:
        if "k" not in common:
            raise InputError("how large must groups be at least? Say it, as in k=5")
        return (ColumnSet(**common),)
    for name in ("columns", "exclude"):
        if name in given:
            raise InputError(f"{name} and sets are both said: name the columns of each set in it")
    sets = []
    for one in given["sets"]:
        if common and isinstance(one, ColumnSet):
            raise InputError(f"{next(iter(common))} is said of the plan, but a ColumnSet says all of it: say it there")
        options = {**common, **one} if isinstance(one, Mapping) else _options(one)
        if "k" not in options:
            raise InputError("how large must the groups of each column set be at least? Say it, as in k = 5")
        sets.append(ColumnSet(**options))
        if sets[-1].columns is None and len(given["sets"]) > 1:
            raise InputError("a column set names no columns: of several sets, each must")
    return tuple(sets)


def _options(one: ColumnSet) -> dict[str, Any]:
    return {each.name: getattr(one, each.name) for each in fields(one)}


def _random_state(value: object) -> int | None:
    return None if value is None else whole_number("random_state", value, at_least=0)


def _toml_text(source: str | PathLike[str]) -> tuple[str, str]:
    """Give the text of a plan, and where it stands."""
    if isinstance(source, str) and ("\n" in source or "=" in source):
        return source, "the plan"
    try:
        return Path(source).read_text(encoding="utf-8-sig"), str(source)
    except OSError as error:
        raise ReadError(f"cannot read the plan {source}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ReadError(f"the plan {source} is no UTF-8: save it again as such") from None


def _table(one: ColumnSet | Mapping[str, Any]) -> Any:
    """Write what was said of a column set; of a `ColumnSet`, what is not the default."""
    import tomlkit

    table = tomlkit.table()
    said = dict(one) if isinstance(one, Mapping) else _options(one)
    if isinstance(one, ColumnSet):
        defaults = _options(ColumnSet(one.k))
        said = {name: value for name, value in said.items() if name == "k" or value != defaults[name]}
    for name, value in said.items():
        if value is not None:
            table.append(name, tomlkit.item(_plain(name, value)))
    return table


def _plain(name: str, value: Any) -> Any:
    """Give a value as TOML can hold it."""
    values = value if isinstance(value, list | tuple) else (value,)
    if any(callable(one) for one in values):
        raise InputError(f"{name} holds a stage of your own, which no TOML can hold: give it as a keyword instead")
    return list(value) if isinstance(value, list | tuple) else value
