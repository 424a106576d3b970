"""Column sets of a plan, as the user gives them: one, or several that share options."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from microagg.model.column_set import SET_OPTIONS, ColumnSet, check_known
from microagg.model.errors import InputError
from microagg.model.names import column_names
from microagg.model.treatment import Treatment, together
from microagg.model.treatment_options import BY_COLUMN, CODES, checked_option, named_in, restricted


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

    @property
    def codes(self) -> Treatment:
        """Which columns hold codes: those named for any set, and confidential ones."""
        sets = self.sets if self.shared is None else (*self.sets, self.shared)
        return together(one.treatment for one in sets)


def given_sets(options: Mapping[str, Any], confidential: Sequence[str] = ()) -> GivenSets:
    """Return the column sets that the options of a plan describe: one, or several under the key "sets".

    Parameters
    ----------
    options
        Options of the plan.
    confidential
        Columns that may hold codes, too.

    Returns
    -------
    GivenSets
        The column sets, and what was given for each.
    """
    shared = {name: options[name] for name in SET_OPTIONS if name in options}
    shared |= {name: checked_option(name, shared[name]) for name in BY_COLUMN if name in shared}
    if "sets" not in options:
        if "k" not in shared:
            raise InputError("how large must groups be at least? Set it, as in k=5 (-k 5)")
        alone = ColumnSet(**shared)
        _check_named(alone, alone.columns, confidential)
        return GivenSets((alone,))
    if "columns" in options:
        raise InputError("columns and sets are both given: name the columns of each set in it")
    own = [_own_options(one) for one in _listed(options["sets"])]
    for name in shared:
        if all(name in one for one in own):
            raise InputError(f"{name} is given for the plan, but every column set has its own: leave one of them out")
    sets = tuple(_column_set({**_concerning(shared, one), **one}, alone=len(own) == 1) for one in own)
    for one_set in sets:
        _check_named(one_set, one_set.columns, confidential)
    kept = None if not shared else ColumnSet(**{"k": sets[0].k, **shared})
    if kept is not None:
        _check_named(kept, None if sets[0].columns is None else _chosen(sets), confidential)
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
    check_known(one, SET_OPTIONS, "a column set", "; an option of the whole plan stands above the first [[sets]]")
    return {**one, "columns": column_names("columns", one["columns"])} if "columns" in one else dict(one)


def _concerning(shared: Mapping[str, Any], one: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options given for all sets, as far as they concern the columns of one."""
    columns = one.get("columns")
    if columns is None:
        return dict(shared)
    return {**shared, **{name: restricted(shared[name], columns) for name in BY_COLUMN if name in shared}}


def _column_set(options: Mapping[str, Any], alone: bool) -> ColumnSet:
    if "k" not in options:
        raise InputError("how large must the groups of each column set be at least? Set it, as in k = 5")
    made = ColumnSet(**options)
    if made.columns is None and not alone:
        raise InputError("a column set names no columns: of several sets, each must")
    return made


def _chosen(sets: Sequence[ColumnSet]) -> tuple[str, ...]:
    return tuple(name for one in sets for name in one.columns or ())


def _check_named(options: ColumnSet, columns: tuple[str, ...] | None, confidential: Sequence[str]) -> None:
    """Refuse options for a column that is not chosen, where that is known; confidential ones may hold codes, too."""
    if columns is None:
        return
    for option in BY_COLUMN:
        known = frozenset((*columns, *confidential) if option in CODES else columns)
        for name in named_in(getattr(options, option)):
            if name not in known:
                raise InputError(f"{option} names column {name!r}, which is not in columns: name it there, too")
