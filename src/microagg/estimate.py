"""Estimate the time and the memory of a run before it begins, from the beginning and the metadata of the data."""

from collections.abc import Sequence
from math import inf
from os import PathLike
from typing import Any, NamedTuple, Unpack

from microagg.calibrate import MachineSpeed, machine_speed
from microagg.control.workers import count_processors
from microagg.data_size import DataSize, data_size
from microagg.methods import set_pipeline
from microagg.model.checks import whole_number
from microagg.model.memory_budget import BYTES_OF_PROGRAM, BYTES_PER_RECORD, check_out_of_core, in_words
from microagg.model.plan import Plan, PlanOptions
from microagg.model.reading import Reading
from microagg.model.run_estimate import Estimate
from microagg.pipeline_times import parts_work
from microagg.protect import complete_plan
from microagg.stage_times import Work
from microagg.workspace import Workspace

_SECONDS_PER_CELL = 7e-7  # of reading, encoding, aggregating, measuring and writing, on the machine of reference
_SECONDS_PER_CELL_OUT_OF_CORE = 1.2e-6
_BYTES_PER_CELL = 25  # of the table in memory, with the points and what is released
_SECONDS_NOT_CALIBRATED = 5.0  # on the machine of reference: nobody needs to know them better


def estimate(
    source: Any,
    k: int | None = None,
    *,
    plan: Plan | None = None,
    memory: int | str | None = None,
    workers: int | None = None,
    **options: Unpack[PlanOptions],
) -> Estimate:
    """Estimate the time and the memory that `protect_file`, or `protect`, would take on this machine.

    Only the beginning and the metadata of a file are read. How fast the machine is, is measured once a month, in about
    a second, and kept in the user's cache folder.

    Parameters
    ----------
    source
        A path, a dataframe or an array; see `read`.
    k
        Smallest group allowed.
    plan
        What is to be done; `k` and `options` may add to it, but not contradict it.
    memory
        Memory that the process may occupy, in bytes or as a text such as "2G"; None: half of what is free.
    workers
        The number of threads that share the work; None: one for each processor.
    **options
        Options of a plan: see `Plan`.

    Returns
    -------
    Estimate
        Time and memory; where a method's time cannot be predicted, it says so.

    Raises
    ------
    InputError
        If something cannot be used: one sentence says what and why.

    Examples
    --------
    >>> import numpy as np, microagg
    >>> expected = microagg.estimate(np.arange(3000.0).reshape(1000, 3), k=5, method="mdav")
    >>> expected.n_records, expected.seconds < 60
    (1000, True)
    """
    plan = complete_plan(plan, {**options} if k is None else {**options, "k": k})
    n_workers = count_processors() if workers is None else whole_number("workers", workers, at_least=1)
    size = data_size(source, plan)
    place = _place(source, plan.reading, size, memory)
    time = _time(plan, size, n_workers, out_of_core=place.out_of_core)
    return Estimate(
        size.n_records,
        time.seconds,
        place.memory,
        at_least=time.at_least,
        out_of_core=place.out_of_core,
        reasons=(*size.reasons, *time.reasons, *place.reasons),
    )


class _Time(NamedTuple):
    """Seconds that are expected, or None, and why they are not known better."""

    seconds: float | None
    at_least: bool = False
    reasons: tuple[str, ...] = ()


class _Place(NamedTuple):
    """Memory that is expected, and where the work is done."""

    memory: int
    out_of_core: bool = False
    reasons: tuple[str, ...] = ()


def _time(plan: Plan, size: DataSize, n_workers: int, *, out_of_core: bool) -> _Time:
    """Return the time of the whole run; the machine is calibrated only if that matters."""
    works = [parts_work(set_pipeline(wanted), shape, size.parts, plan.limits) for wanted, shape in size.sets]
    known = [work for work in works if work is not None]
    limit = plan.limits.time_limit
    if len(known) < len(works) and limit is None:
        names = ", ".join(dict.fromkeys(repr(set_pipeline(wanted).name) for wanted, _ in size.sets))
        return _Time(None, reasons=(f"the time that method {names} takes depends on the data: set a time limit",))
    tables = Work("table", size.n_cells * (_SECONDS_PER_CELL_OUT_OF_CORE if out_of_core else _SECONDS_PER_CELL))
    solving = [one for work in known for one in work]

    def seconds(speed: MachineSpeed) -> float:
        solved = inf if len(known) < len(works) else _seconds(solving, speed, n_workers)
        return _seconds([tables], speed, n_workers) + min(solved, inf if limit is None else limit)

    expected = seconds(MachineSpeed())
    if expected > _SECONDS_NOT_CALIBRATED:
        expected = seconds(machine_speed())
    longer = [what for what, is_asked in _longer(plan).items() if is_asked]
    reasons = tuple(f"{what} take further time, which depends on the data" for what in longer)
    return _Time(expected, bool(longer), reasons)


def _seconds(works: Sequence[Work], speed: MachineSpeed, n_workers: int) -> float:
    """Return the seconds of some work on a machine of some speed."""
    return sum(float(getattr(speed, one.kind)) * one.seconds / min(n_workers, one.n_threads) for one in works)


def _longer(plan: Plan) -> dict[str, bool]:
    """Return what takes a time that cannot be predicted, and whether it is asked for."""
    return {
        "rules of privacy": bool(plan.privacy.given) or plan.roles.unit is not None,
        "records with missing values": plan.missing_policy.missing in ("fill", "blank", "available"),
    }


def _place(source: Any, reading: Reading, size: DataSize, memory: int | str | None) -> _Place:
    """Return the memory of the run, and whether a file is too large for what there is."""
    in_memory = BYTES_OF_PROGRAM + _BYTES_PER_CELL * size.n_cells + BYTES_PER_RECORD * size.n_records
    workspace = Workspace(memory)
    if not isinstance(source, str | PathLike) or workspace.fits(source, reading):
        return _Place(in_memory)
    assert workspace.budget is not None, "else every file fits"
    if memory is not None:
        check_out_of_core(workspace.budget, size.n_records)
    budget = in_words(workspace.budget)
    reason = f"the file might take more than {budget}, " + ("half of what is free" if memory is None else "as given")
    return _Place(workspace.budget, True, (reason,))
