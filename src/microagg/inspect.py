"""Inspect a table: what each column looks like, whom they single out together, and which role each may have."""

from typing import Any

from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.doubt.appearance import Appearance, appearance
from microagg.model.errors import CancelledError, InputError
from microagg.model.inspection import ColumnInspection, Inspection, Look, Proposal, SinglingOut
from microagg.model.reading import Reading
from microagg.model.table import Table
from microagg.propose import propose
from microagg.read import read
from microagg.singling_out import singled_out, singling_out

_STAGE = "inspect"
_RELEASED = ("quasi-identifier", "amount", "unchanged")
_COLUMNS_SHARE = 0.7  # of the progress; the rest counts combinations of values


def inspect(table: Any, *, run: Run | None = None, progress: Progress | None = None) -> Inspection:
    """Describe the columns of a table before it is protected, and propose a role for each.

    Parameters
    ----------
    table
        A path, a dataframe or an array; see `read`. It is not changed.
    run
        Progress callback, and the way to cancel from another thread.
    progress
        Progress callback, if no run is given: it gets the stage, the share done, and the column that is next.

    Returns
    -------
    Inspection
        What each column looks like, how many records are singled out by what others may know, the roles, and by
        `Inspection.to_toml` a starter plan. It is about the original data, for their owner only.

    Raises
    ------
    InputError
        If the table has no columns or no records, or if the run has limits.
    CancelledError
        If the run was cancelled.

    Examples
    --------
    >>> import microagg, polars
    >>> ages = [44, 31, 5, 17, 23, 38, 61, 9, 50, 72]
    >>> survey = polars.DataFrame({"person_id": range(10), "sex": [1, 2] * 5, "age": ages})
    >>> inspection = microagg.inspect(survey)
    >>> inspection.columns[0].looks[0].reason
    'looks like an identifier, by its name'
    >>> inspection.singling_out[-1].n_unique
    10
    """
    current = run_of(run, progress)
    if current.limits.given:
        raise InputError(
            f"an inspection has nothing that {' or '.join(current.limits.given)} could limit: leave it out"
        )
    original = read(table)
    if not original.names or not original.n_records:
        what = "records" if original.names else "columns"
        raise InputError(f"the table has no {what}: there is nothing to inspect")
    columns = _appearances(original, current)
    proposals = propose(columns)
    if original.index is not None:
        labels = [_index_appearance(original.index, name) for name in original.index.names]
        columns += labels
        proposals |= {label.name: Proposal("identifier") for label in labels}
    combinations = _count_singled_out(original, proposals, current)
    current.report(_STAGE, 1.0)
    source = original.source
    return Inspection(
        original.n_records,
        tuple(_inspected(column, proposals[column.name]) for column in columns),
        combinations,
        None if source.path is None else source.path.name,
        getattr(source, "reading", Reading()),
        source.header_doubt(),
        read_as=getattr(source, "read_as", {}),
    )


def _appearances(table: Table, run: Run) -> list[Appearance]:
    """Look at one column after the other."""
    columns = []
    for number, name in enumerate(table.names):
        _report(run, _COLUMNS_SHARE * number / len(table.names), name)
        columns.append(appearance(table, name))
    return columns


def _index_appearance(index: Table, name: str) -> Appearance:
    """Return what the labels of the records of a dataframe look like: they are released as a column is."""
    found = appearance(index, name)
    said = Look("identifier", "is the index of the dataframe, which is released with it unless it is left out")
    return found._replace(looks=(said, *(look for look in found.looks if look.aspect == "identifier")))


def _count_singled_out(table: Table, proposals: dict[str, Proposal], run: Run) -> tuple[SinglingOut, ...]:
    """Count the records that the columns to be protected single out, and then all columns that would be released."""
    names = [name for name, proposal in proposals.items() if proposal.role in ("quasi-identifier", "amount")]
    released = [name for name, proposal in proposals.items() if proposal.role in _RELEASED]
    rest = 1.0 - _COLUMNS_SHARE
    found = singling_out(
        table, names, lambda done: _report(run, _COLUMNS_SHARE + rest * done, "combinations of values")
    )
    return found if len(released) == len(names) else (*found, singled_out(released, table.patterns(released)))


def _report(run: Run, done: float, note: str) -> None:
    if run.cancelled:
        raise CancelledError("cancelled: the table is not inspected to its end, and nothing is reported")
    run.report(_STAGE, done, note)


def _inspected(column: Appearance, proposal: Proposal) -> ColumnInspection:
    return ColumnInspection(column.name, column.values, column.looks, column.sentinels, proposal, column.label)
