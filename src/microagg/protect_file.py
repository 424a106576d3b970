"""Protect a file into a file: in memory where it fits there, else out of core."""

from dataclasses import replace
from os import PathLike
from typing import Unpack

from microagg.control.run import Run, run_of
from microagg.model.checks import flag
from microagg.model.errors import InputError
from microagg.model.location import Location, location
from microagg.model.plan import Plan, PlanOptions
from microagg.model.release import Release
from microagg.model.table import Table
from microagg.protect import check_measures, complete_plan, protect
from microagg.resumption import resumable
from microagg.workspace import Workspace
from microagg.write import STANDARD_OUTPUT, check_target, replace_files, write_to_stdout
from microagg.written_file import checked_writer


def protect_file(
    source: str | PathLike[str],
    target: str | PathLike[str],
    k: int | None = None,
    *,
    plan: Plan | None = None,
    measures: str | None = None,
    run: Run | None = None,
    memory: int | str | None = None,
    resume: bool = False,
    force: bool = False,
    **options: Unpack[PlanOptions],
) -> Release:
    r"""Protect a file into a file, however large it is.

    A file that fits in the memory budget is protected in memory, as by `protect`; any other out of core, one column
    after another, with the same result. What was written out of core is read again, and refused unless it reaches k.

    Parameters
    ----------
    source
        The file to protect, of any kind that `read` knows, or the address of a table of a database; "-" for standard
        input.
    target
        The file to write, by its ending of any kind that `write` knows; the address of a table of a database, such as
        "duckdb:///safe.duckdb?table=people"; "-" for standard output.
    k
        Smallest group allowed.
    plan
        What is to be done; `k` and `options` may add to it, but not contradict it.
    measures
        "all" to measure everything, as by `protect`; out of core, what needs all columns in memory has no value.
    run
        Limits, progress, workers, and the way to cancel the work from another thread.
    memory
        Memory that the process may occupy, in bytes or as a text such as "2G"; None: half of what is free. It decides
        whether the work is done out of core, and changes no result.
    resume
        Whether to go on from where a run with the same source, target and plan was killed.
    force
        Whether an existing file, or table of a database, is replaced. The source never is.
    **options
        Options of a plan: see `Plan`.

    Returns
    -------
    Release
        The groups and the measures. Its `data` are there only if the file was protected in memory.

    Raises
    ------
    InputError
        If something cannot be used: one sentence says what and why.
    WriteError
        If the target cannot be written.

    Examples
    --------
    >>> import microagg, tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     people = pathlib.Path(folder, "people.csv")
    ...     _ = people.write_text("age\n31\n33\n58\n60\n")
    ...     release = microagg.protect_file(people, pathlib.Path(folder, "safe.csv"), k=2)
    ...     print(pathlib.Path(folder, "safe.csv").read_text())
    age
    32.0
    32.0
    59.0
    59.0
    <BLANKLINE>
    """
    plan = complete_plan(plan, {**options} if k is None else {**options, "k": k})
    check_measures(measures)
    current = run_of(run, None)
    target = location(target)
    budget = current.memory if memory is None else memory
    with Workspace(budget, target, resume=flag("resume", resume)) as workspace:
        current.report("read")
        table = workspace.read(source, plan.reading)
        check_target(table, target, force=force)
        plan = prepare(current, workspace, table, plan, target, resume=resume)
        release = protect(table, plan=plan, measures=measures, run=current)
        current.report("write")
        if target == STANDARD_OUTPUT:
            write_to_stdout(checked_writer(release, target))
        else:
            replace_files({target: checked_writer(release, target)}, force=force)
    return replace(release, path=target)


def prepare(run: Run, workspace: Workspace, table: Table, plan: Plan, target: Location, *, resume: bool) -> Plan:
    """Give a run that writes a file its memory, its work folder and its checkpoint.

    Returns
    -------
    Plan
        The plan to carry out: where its random state is fresh, with that of the run that is resumed.

    Raises
    ------
    InputError
        If a run is to be resumed that writes to standard output, or that differs from the one that was killed.
    """
    workspace.equip(run)
    if target == STANDARD_OUTPUT:
        if resume:
            raise InputError("a run that writes to standard output cannot be resumed: name an output file")
        return plan
    run.folder = workspace.folder
    plan, run.checkpoint = resumable(plan, table, run.folder, target, resume=resume)
    return plan
