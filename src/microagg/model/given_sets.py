"""Column sets of a plan, as the user gives them: one, or several that share options."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from microagg.model.column_options import BY_COLUMN, CODES, checked_option, named_in, restricted
from microagg.model.column_set import SET_OPTIONS, ColumnSet, check_known
from microagg.model.errors import InputError
from microagg.model.names import column_names


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
        alone = ColumnSet(**shared)
        _check_named(options, (alone,))
        return GivenSets((alone,))
    for name in ("columns", "exclude"):
        if name in options:
            raise InputError(f"{name} and sets are both given: name the columns of each set in it")
    own = [_own_options(one) for one in _listed(options["sets"])]
    for name in shared:
        if all(name in one for one in own):
            raise InputError(f"{name} is given for the plan, but every column set has its own: leave one of them out")
    sets = tuple(_column_set({**_concerning(shared, one), **one}, alone=len(own) == 1) for one in own)
    _check_named(options, sets)
    kept = None if not shared else ColumnSet(**{"k": sets[0].k, **shared})
    return GivenSets(sets, tuple(map(tuple, own)), kept)


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


def _concerning(shared: Mapping[str, Any], one: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options given for all sets, as far as they concern the columns of one."""
    columns = column_names("columns", one.get("columns"))
    if columns is None:
        return dict(shared)
    own = {name: restricted(checked_option(name, shared[name]), columns) for name in BY_COLUMN if name in shared}
    return {**shared, **own}


def _column_set(options: Mapping[str, Any], alone: bool) -> ColumnSet:
    if "k" not in options:
        raise InputError("how large must the groups of each column set be at least? Set it, as in k = 5")
    made = ColumnSet(**options)
    if made.columns is None and not alone:
        raise InputError("a column set names no columns: of several sets, each must")
    return made


def _check_named(options: Mapping[str, Any], sets: Sequence[ColumnSet]) -> None:
    """Refuse options for a column that is in no set; codes may be named of confidential columns, too."""
    if any(one.columns is None for one in sets):
        return
    chosen = [name for one in sets for name in one.columns or ()]
    for option in BY_COLUMN:
        others = (column_names("confidential", options.get("confidential")) or ()) if option in CODES else ()
        given = [checked_option(option, options.get(option)), *(getattr(one, option) for one in sets)]
        for name in (name for each in given for name in named_in(each)):
            if name not in chosen and name not in others:
                raise InputError(f"{option} names column {name!r}, which is not in columns: name it there, too")
