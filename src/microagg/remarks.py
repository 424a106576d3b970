"""Remarks about what a plan asks for and may not mean, and refusals of what it cannot mean."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from microagg.doubt import alike, looks_of_numbers
from microagg.model.by_column import ByColumn
from microagg.model.column import NUMERIC, numeric_marks
from microagg.model.column_values import distinct_values
from microagg.model.errors import Doubt, InputError
from microagg.model.names import listing, quantity
from microagg.model.pair_codes import pair_codes
from microagg.model.plan import Plan
from microagg.model.source_protocol import CodebookSource
from microagg.model.table import Table
from microagg.source.frame import FrameSource
from microagg.source.number_like_text import MISSING_MARKS

_ASPECTS = ("sentinel", "code")


def remarks_on(plan: Plan, table: Table) -> tuple[str, ...]:
    """Return remarks about columns that are averaged although they may hold codes or sentinels.

    Parameters
    ----------
    plan
        The plan, its columns settled.
    table
        The table, which knows what stands for missing values.

    Returns
    -------
    tuple of str
        One sentence each; of the values, they show sentinels only.
    """
    named = [name for one in plan.sets for name in one.columns or ()]
    numbers = [name for name in named if plan.codes.level(name, table.kind(name)) == "number"]
    looks = {name: list(looks_of_numbers(table, name)) for name in numbers if table.kind(name) in NUMERIC}
    doubts = [Doubt(name, found[0].reason) for name, found in looks.items() if found and found[0].aspect in _ASPECTS]
    remarks = [f"{columns} {reason}, and is treated as numbers" for columns, reason in alike(doubts)]
    return tuple(remarks)


def remarks_on_release(plan: Plan, original: Table, released: Table) -> tuple[str, ...]:
    """Return remarks about what a release holds that its user may not expect: other types, new combinations.

    Parameters
    ----------
    plan
        The plan, its columns settled.
    original
        The records that are released, before.
    released
        The same records, after, in the same order.
    """
    remarks = []
    for name in (name for one in plan.sets for name in one.columns or ()):
        sources = original.source, released.source
        old, new = (one.description(name).get("type") if isinstance(one, FrameSource) else None for one in sources)
        if None not in (old, new) and old != new and (original.kind(name) != "integer" or old == "object"):
            remarks.append(f"column {name!r} was of type {old}, and is of type {new}")
    for one in plan.sets:
        names = [name for name in one.columns or () if one.treatment.takes_mode(name, original.kind(name))]
        if len(names) > 1 and (n_new := _count_new_combinations(original, released, names)):
            remarks.append(
                f"{n_new} of {quantity(released.n_records, 'record')} have a combination of categories in "
                f"{listing(names)} that no original record has, as each column has the mode of its group: "
                "aggregate='medoid' releases combinations that occur"
            )
    return tuple(remarks)


def _count_new_combinations(original: Table, released: Table, names: Sequence[str]) -> int:
    """Return the number of released records whose values in some columns no original record has together."""
    combined = np.zeros(original.n_records + released.n_records, dtype=np.int64)
    for name in names:
        place_of: dict[str, int] = {}
        both = []
        for table in (original, released):
            codes, found = distinct_values(table.column(name))
            places = [place_of.setdefault(str(value), len(place_of)) for value in found]
            both.append(np.array([*places, -1], dtype=np.int64)[codes])
        combined = np.unique(pair_codes(combined, np.concatenate(both) + 1), return_inverse=True)[1].astype(np.int64)
    before, after = np.split(combined, [original.n_records])
    return int(np.count_nonzero(~np.isin(after, before)))


def refuse_unused_marks(plan: Plan, table: Table, found: Collection[tuple[str | None, Any]] | None = None) -> None:
    """Refuse values that stand for a missing one where no record has them: they were meant otherwise.

    Parameters
    ----------
    plan
        The plan.
    table
        The whole table, before records are left out.
    found
        What `marks_found` says of all records; None: of those of the table.

    Raises
    ------
    InputError
        If a column lacks a value that is named for it, or every column lacks one that is given for all.
    """
    values = plan.missing_policy.missing_values
    found = marks_found(values, table) if found is None else found
    for name, marks in values.named:
        if unused := [mark for mark in marks if (name, mark) not in found]:
            cannot = table.kind(name) in NUMERIC and not numeric_marks(unused)
            why = f"holds numbers, and so cannot have {unused[0]!r}" if cannot else f"has no {_any_of(unused)}"
            raise InputError(f"column {name!r} {why}, which missing_values names: correct it, or leave it out")
    if unused := [mark for mark in values.for_all or () if (None, mark) not in found]:
        raise InputError(f"no column has {_any_of(unused)}, which missing_values names: correct it, or leave it out")


def marks_found(values: ByColumn[tuple[Any, ...]], table: Table) -> frozenset[tuple[str | None, Any]]:
    """Return the values that stand for a missing one and occur, each with its column; None where it is for all."""
    named = {(name, mark) for name, marks in values.named for mark in marks if _occurs(table, name, mark)}
    sought = set(values.for_all or ())
    left = set(sought)
    for name in table.names if left else ():
        left -= {mark for mark in left if _occurs(table, name, mark)}
        if not left:
            break
    return frozenset(named | {(None, mark) for mark in sought - left})


def _any_of(values: Sequence[object]) -> str:
    return " or ".join(map(str, values))


def _occurs(table: Table, name: str, mark: object) -> bool:
    """Check whether a column has a value, also where it was read as a missing one."""
    column = table.source.column(name)
    if column.with_missing([mark]) is not column:
        return True
    declared = table.source.marks(name) if isinstance(table.source, CodebookSource) else ()
    return str(mark) in map(str, declared) or (str(mark) in MISSING_MARKS and column.missing is not None)
