"""A release to be checked, with its plan, and with the records of the original that correspond to its rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from microagg.check.column_facts import ColumnFacts
from microagg.check.kept_records import records_to_keep
from microagg.check.row_tally import RowTally
from microagg.column_comparison import is_constant, matched_by_index, reordered, unchanged
from microagg.methods.individual_ranking import individual_ranking
from microagg.model.arrays import IntArray
from microagg.model.column_set import ColumnSet
from microagg.model.errors import InputError
from microagg.model.plan import Plan
from microagg.model.table import Table


@dataclass(frozen=True, eq=False)
class CheckedRelease:
    """A release, its plan, and what is known of its original.

    Parameters
    ----------
    plan
        The plan; each column set names its columns.
    released
        The table to be checked.
    original
        The table before; None if it is not given.
    counterpart
        Those records of the original that the plan keeps, in the rows of the release; None where the two do not
        correspond row by row.
    n_expected
        Number of records that the plan keeps of the original; None without one.
    facts
        Facts of whole columns of the original by their names, where these tables are a part of it.
    rows
        Row of each record in the whole release, where the released table is a part of it; None: 0, 1, …
    counts
        Number of records that each one stands for, as they are equal in all that is checked; None: one.
    is_matched
        Whether the records of the original were put in the order of the release, by their labels.
    """

    plan: Plan
    released: Table
    original: Table | None
    counterpart: Table | None
    n_expected: int | None
    facts: Mapping[str, ColumnFacts] = field(default_factory=dict)
    rows: IntArray | None = None
    counts: IntArray | None = None
    is_matched: bool = False

    def tally(self, records: IntArray) -> RowTally:
        """Return the tally of some records of the release, by their rows."""
        rows = records if self.rows is None else self.rows[records]
        return RowTally.of(rows, None if self.counts is None else self.counts[records])

    def facts_of(self, before: Table, name: str) -> ColumnFacts:
        """Return the facts of a whole column: those that are given, or else those of a table before."""
        return self.facts[name] if name in self.facts else ColumnFacts.of(before, name)

    @property
    def sets(self) -> tuple[ColumnSet, ...]:
        """Column sets that are grouped on their own: of individual ranking, one for each column."""
        return tuple(each for one in self.plan.sets for each in _separate(one))

    @property
    def protected(self) -> tuple[str, ...]:
        """The columns of all sets."""
        return protected_columns(self.plan)

    @property
    def untouched(self) -> tuple[str, ...]:
        """Columns of original and release that the plan releases as they came."""
        assert self.original is not None
        return untouched_columns(self.plan, self.original, self.released)

    @property
    def strata(self) -> tuple[str, ...]:
        """Columns of strata that the release shows."""
        return tuple(name for name in self.plan.roles.strata if name in self.released.names)

    @property
    def missing_is_open(self) -> bool:
        """Whether the plan promises k only if a missing cell may be any value, as groups lack different cells."""
        return self.plan.missing_policy.missing == "available"


def checked_release(original: Table | None, released: Table, plan: Plan) -> CheckedRelease:
    """Match a release with its plan and its original.

    Raises
    ------
    InputError
        If the plan leaves columns to be guessed, or names one that is not there.
    """
    if any(one.columns is None for one in plan.sets):
        raise InputError(
            "the plan names no columns: name those that it protects, as the plan of the release itself does; a verdict "
            "on guessed ones would be worthless"
        )
    for name in protected_columns(plan):
        released.check_name(name)
    released = with_marks(released, plan)
    if original is None:
        return CheckedRelease(plan, released, None, None, None)
    for name in (*protected_columns(plan), *plan.roles.columns, *plan.drop):
        if name not in original.index_names:
            original.check_name(name)
    original = with_marks(original, plan)
    kept = records_to_keep(original, plan)
    candidate = original if len(kept) == original.n_records else original.in_order(kept)
    matched = None if plan.shuffle else matched_by_index(candidate, released)
    candidate = candidate if matched is None else matched
    counterpart = candidate if _corresponds(candidate, released, plan) else None
    return CheckedRelease(plan, released, original, counterpart, len(kept), is_matched=matched is not None)


def protected_columns(plan: Plan) -> tuple[str, ...]:
    """Return the columns of all sets of a plan."""
    return tuple(name for one in plan.sets for name in one.columns or ())


def untouched_columns(plan: Plan, original: Table, released: Table) -> tuple[str, ...]:
    """Return the columns of both tables that the plan releases as they came."""
    changed = {*protected_columns(plan), *plan.roles.identifiers, *plan.roles.renumber, *plan.drop}
    return tuple(name for name in original.names if name in released.names and name not in changed)


def _separate(one: ColumnSet) -> list[ColumnSet]:
    if individual_ranking(one.method) is None:
        return [one]
    return [replace(one, columns=(name,)) for name in one.columns or ()]


def with_marks(table: Table, plan: Plan) -> Table:
    """Return a table in which the values that stand for a missing one are missing."""
    return table.with_missing_values(plan.missing_policy.missing_values.among(table.names))


def _corresponds(original: Table, released: Table, plan: Plan) -> bool:
    """Check whether the rows of two tables are the same records, as far as columns that were not touched tell."""
    if plan.shuffle or original.n_records != released.n_records:
        return False
    names = untouched_columns(plan, original, released)
    moved = reordered(original, released, names)
    return not moved or _any_in_place(original, released, [name for name in names if name not in moved])


def _any_in_place(original: Table, released: Table, names: Sequence[str]) -> bool:
    """Check whether some column that is not constant has its values where they were: then no record has moved."""
    return any(not is_constant(original, name) and unchanged(original, released, name) for name in names)
