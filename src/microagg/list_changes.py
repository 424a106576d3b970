"""List everything that differs between a table and its release: values, types, labels, columns, records, order."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from microagg.cell_changes import count_cell_changes
from microagg.check.checked_release import protected_columns, with_marks
from microagg.check.kept_records import records_to_keep
from microagg.column_comparison import is_constant, same_records
from microagg.metadata_changes import column_metadata, metadata_changes, table_metadata
from microagg.model.change_report import CellChanges, ChangeReport, ColumnChange, RecordOrder
from microagg.model.errors import InputError
from microagg.model.plan import Plan
from microagg.model.reading import Reading
from microagg.model.table import Table
from microagg.read import read
from microagg.verify import read_release


def changes(original: Any, released: Any, *, plan: Plan | None = None) -> ChangeReport:
    """List everything that differs between a table and its release, made by any tool; no value of either is shown.

    Cells are compared row by row: numbers exactly, everything else as text. Where the release has fewer records, the
    plan tells which are left out; where its records are in another order, columns are compared as a whole.

    Parameters
    ----------
    original
        The table before: a path, a dataframe or an array.
    released
        The table after: the file that was written, or any other table.
    plan
        The plan of the release. It tells which changes are meant, how files are read, and what stands for a missing
        value.

    Returns
    -------
    ChangeReport
        What has changed of the table and of each column.

    Raises
    ------
    InputError
        If something cannot be read, or if the plan names a column that the original lacks.

    Examples
    --------
    >>> import microagg
    >>> found = microagg.changes([[1.0, 5.0], [2.0, 6.0]], [[1.5, 5.0], [1.5, 6.0]])
    >>> found.columns[0].cells
    CellChanges(altered=2, to_missing=0, from_missing=0, rewritten=0)
    """
    if plan is not None and not isinstance(plan, Plan):
        raise InputError(f"plan must be a microagg.Plan, found {plan!r}: read a file by Plan.from_toml")
    reading = Reading() if plan is None else plan.reading
    before = original if isinstance(original, Table) else read(original, reading)
    after = released if isinstance(released, Table) else read_release(released, reading)
    if plan is not None:
        before = with_marks(before, plan)
        after = with_marks(after, plan)
    both = [name for name in before.names if name in after.names]
    compared = _compare_values(before, after, both, plan)
    return ChangeReport(
        before.n_records,
        after.n_records,
        compared.order,
        tuple(_column_change(name, before, after, compared, plan) for name in _all_names(before, after)),
        columns_in_order=both == [name for name in after.names if name in before.names],
        table=metadata_changes(table_metadata(before), table_metadata(after)),
    )


class _ComparedValues(NamedTuple):
    """What is known of the values of columns: by row where records correspond, as a whole where they may not."""

    order: RecordOrder
    cells: Mapping[str, CellChanges]
    same_values: Mapping[str, bool]


def _compare_values(before: Table, after: Table, names: list[str], plan: Plan | None) -> _ComparedValues:
    counterpart = _kept(before, plan)
    if counterpart.n_records != after.n_records:
        return _ComparedValues("unknown", {}, {})
    if plan is not None and plan.shuffle:
        return _ComparedValues("changed", {}, _same_as_a_whole(counterpart, after, names))
    cells = {name: count_cell_changes(counterpart, after, name) for name in names}
    in_place = {name: not cells[name].total for name in names}
    if any(same and not is_constant(after, name) for name, same in in_place.items()):
        return _ComparedValues("kept", cells, in_place)
    whole = _same_as_a_whole(counterpart, after, [name for name in names if not in_place[name]])
    if any(whole.values()):
        return _ComparedValues("changed", {}, in_place | whole)
    return _ComparedValues("assumed", cells, in_place)


def _kept(before: Table, plan: Plan | None) -> Table:
    """Return the records that the plan keeps of the original; all of them without a plan that names its columns."""
    if plan is None or any(one.columns is None for one in plan.sets):
        return before
    for name in (*protected_columns(plan), *plan.roles.columns):
        before.check_name(name)
    kept = records_to_keep(before, plan)
    return before if len(kept) == before.n_records else before.in_order(kept)


def _same_as_a_whole(before: Table, after: Table, names: list[str]) -> dict[str, bool]:
    return {name: same_records(before, after, [name]) for name in names}


def _column_change(
    name: str, before: Table, after: Table, compared: _ComparedValues, plan: Plan | None
) -> ColumnChange:
    is_in_both = name in before.names and name in after.names
    return ColumnChange(
        name,
        None if plan is None else _role(name, plan),
        before.kind(name) if name in before.names else None,
        after.kind(name) if name in after.names else None,
        compared.cells.get(name),
        compared.same_values.get(name),
        metadata_changes(column_metadata(before, name), column_metadata(after, name)) if is_in_both else (),
    )


def _all_names(before: Table, after: Table) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*before.names, *after.names]))


def _role(name: str, plan: Plan) -> str:
    """Return what a plan does to a column."""
    roles = {
        "protected": protected_columns(plan),
        "renumbered": plan.roles.renumber,
        "identifier": plan.roles.identifiers,
        "dropped": plan.drop,
    }
    return next((role for role, names in roles.items() if name in names), "untouched")
