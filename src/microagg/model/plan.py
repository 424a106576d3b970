"""The plan: what is to be done to which columns, the same from keywords, a TOML file and the command line."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict

from microagg.model.checks import flag, whole_number
from microagg.model.errors import InputError, ReadError
from microagg.model.limits import Limits
from microagg.model.names import column_names, suggestion
from microagg.model.presentation import Shown
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

    Attributes
    ----------
    sets : tuple of ColumnSet
        The column sets, complete.
    given : dict
        What was said, by name.

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
    allow_k1: bool
    limits: Limits
    reading: Reading
    said: tuple[str, ...] = field(compare=False)
    sets_say: tuple[tuple[str, ...], ...] = field(compare=False)
    common: ColumnSet | None = field(compare=False)

    def __init__(self, **options: Any) -> None:
        _check_known(options, PLAN_OPTIONS, "a plan")
        values = {
            **_sets(options),
            "exclude": column_names("exclude", options.get("exclude")) or (),
            "drop": column_names("drop", options.get("drop")) or (),
            "shuffle": flag("shuffle", options.get("shuffle", False)),
            "random_state": _random_state(options.get("random_state", 0)),
            "allow_k1": flag("allow_k1", options.get("allow_k1", False)),
            "limits": Limits(**{name: options[name] for name in LIMITS if name in options}),
            "reading": Reading(**{name: options[name] for name in READING if name in options}),
            "said": tuple(name for name in PLAN_OPTIONS if name in options),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._check()

    def _check(self) -> None:
        if not self.allow_k1 and any(one.k == 1 for one in self.sets):
            raise InputError("k = 1 protects nothing: choose a larger k, or allow it, as in allow_k1=True (--allow-k1)")
        chosen = [name for one in self.sets for name in one.columns or ()]
        for name in chosen:
            if len(self.sets) > 1 and chosen.count(name) > 1:
                raise InputError(f"column {name!r} is in {chosen.count(name)} column sets: name it in one")
        for what, names in (("excluded", self.exclude), ("dropped", self.drop)):
            if both := [name for name in names if name in chosen]:
                raise InputError(f"column {both[0]!r} is to be protected and to be {what}: name it once")
        if both := [name for name in self.exclude if name in self.drop]:
            raise InputError(f"column {both[0]!r} is to be excluded and to be dropped: name it once")

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={value!r}" for name, value in self.given.items())
        return f"Plan({said})"

    @property
    def given(self) -> dict[str, Any]:
        """What was said of the plan, by name: `Plan(**plan.given)` is the same plan."""
        return {name: self._value(name) for name in self.said}

    def _value(self, name: str) -> Any:
        if name == "sets":
            several = zip(self.sets, self.sets_say, strict=True)
            return [{each: getattr(one, each) for each in names} for one, names in several]
        if name in SET_OPTIONS:
            return getattr(self.common or self.sets[0], name)
        if name in LIMITS:
            return getattr(self.limits, name)
        return getattr(self.reading if name in READING else self, name)

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
        given = self.given
        sets = given.pop("sets", [])
        if given.get("random_state", 0) is None:
            given["random_state"] = _FRESH
        for name, value in _plain(given).items():
            document.append(name, tomlkit.item(value))
        if sets:
            tables = tomlkit.aot()
            for one in sets:
                tables.append(tomlkit.item(_plain(one)))
            document.append("sets", tables)
        return tomlkit.dumps(document)

    def with_options(self, **options: Any) -> "Plan":
        """Give the plan with more said of it; refuse what contradicts it."""
        _check_known(options, PLAN_OPTIONS, "a plan")
        before = self.given
        plan = Plan(**{**before, **options})
        after = plan.given
        for name, value in options.items():
            if name in before and before[name] != after[name]:
                says = f"which says {before[name]!r}"
                raise InputError(f"{name} = {value!r} contradicts the plan, {says}: leave one of them out")
        return plan

    def settled(self, columns: Sequence[Sequence[str]], limits: Limits, random_state: int) -> "Plan":
        """Give the plan with nothing left to be chosen.

        Parameters
        ----------
        columns
            Of each column set.
        limits
            Those of the run, too.
        random_state
            A number, also where fresh randomness was wanted.
        """
        given = {name: value for name, value in self.given.items() if name not in ("exclude", "random_state")}
        if "sets" in given:
            for one, names in zip(given["sets"], columns, strict=True):
                one["columns"] = tuple(names)
        else:
            given["columns"] = tuple(columns[0])
        known = {name: getattr(limits, name) for name in limits.given}
        return Plan(**{**given, **known, "random_state": random_state})


def _check_known(options: Iterable[str], known: Sequence[str], what: str) -> None:
    for name in options:
        if name not in known:
            raise InputError(f"{what} has no option {name!r}: {suggestion(name, known)}")


def _sets(options: Mapping[str, Any]) -> dict[str, Any]:
    """Make the column sets, and keep what each says itself: the one that the plan is of, or several."""
    common = {name: options[name] for name in SET_OPTIONS if name in options}
    if "sets" not in options:
        if "k" not in common:
            raise InputError("how large must groups be at least? Say it, as in k=5 (-k 5)")
        return {"sets": (ColumnSet(**common),), "sets_say": (), "common": None}
    for name in ("columns", "exclude"):
        if name in options:
            raise InputError(f"{name} and sets are both said: name the columns of each set in it")
    said = [_set_options(one) for one in _listed_sets(options["sets"])]
    for name in common:
        if all(name in one for one in said):
            raise InputError(f"{name} is said of the plan, but every column set says its own: leave one of them out")
    sets = tuple(_column_set({**common, **one}, alone=len(said) == 1) for one in said)
    kept = None if not common else ColumnSet(**{"k": sets[0].k, **common})
    return {"sets": sets, "sets_say": tuple(map(tuple, said)), "common": kept}


def _listed_sets(sets: object) -> tuple[Any, ...]:
    if isinstance(sets, str | bytes | Mapping) or not isinstance(sets, Iterable):
        raise InputError(f"sets must be a list of column sets, found {sets!r}")
    listed = tuple(sets)
    if not listed:
        raise InputError("sets is empty: name at least one column set")
    return listed


def _set_options(one: object) -> dict[str, Any]:
    """Give what is said of a column set: of a `ColumnSet`, all of it."""
    if isinstance(one, ColumnSet):
        return {each.name: getattr(one, each.name) for each in fields(one) if getattr(one, each.name) is not None}
    if not isinstance(one, Mapping):
        raise InputError(f"a column set is a ColumnSet or a table of its options, found {one!r}")
    _check_known(one, SET_OPTIONS, "a column set")
    return dict(one)


def _column_set(options: Mapping[str, Any], alone: bool) -> ColumnSet:
    if "k" not in options:
        raise InputError("how large must the groups of each column set be at least? Say it, as in k = 5")
    made = ColumnSet(**options)
    if made.columns is None and not alone:
        raise InputError("a column set names no columns: of several sets, each must")
    return made


def _random_state(value: object) -> int | None:
    return None if value is None else whole_number("random_state", value, at_least=0)


def _toml_text(source: str | PathLike[str]) -> tuple[str, str]:
    """Give the text of a plan, and where it stands."""
    if isinstance(source, str) and ("\n" in source or ("=" in source and not Path(source).exists())):
        return source, "the plan"
    try:
        return Path(source).read_text(encoding="utf-8-sig"), str(source)
    except (OSError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            raise ReadError(f"the plan {source} is no UTF-8: save it again as such") from None
        raise ReadError(f"cannot read the plan {source}: {getattr(error, 'strerror', None) or error}") from None


def _plain(said: Mapping[str, Any]) -> dict[str, Any]:
    """Give what was said as TOML can hold it; what is None is as good as not said."""
    plain: dict[str, Any] = {}
    for name, value in said.items():
        values = value if isinstance(value, tuple) else (value,)
        if any(callable(one) for one in values):
            raise InputError(f"{name} holds a stage of your own, which no TOML can hold: give it as a keyword instead")
        if value is not None:
            plain[name] = list(value) if isinstance(value, tuple) else value
    return plain
