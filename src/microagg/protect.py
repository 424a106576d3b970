"""Protect a table: the whole line on one page."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from operator import ge, le
from typing import Any, Unpack

import numpy as np

from microagg.aggregate import aggregate
from microagg.compare import identifying_columns
from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.measure import measure_tables
from microagg.methods import pipeline
from microagg.model.column import NUMERIC
from microagg.model.errors import InputError, VerificationError
from microagg.model.limits import Limits
from microagg.model.plan import Plan, PlanOptions
from microagg.model.release import Release, SetRelease
from microagg.model.solution import Solution
from microagg.model.table import Table
from microagg.read import read, read_back
from microagg.select import select
from microagg.solve import check_limits, drawn, group
from microagg.write import to_native

_TELLING = 6  # different values, fewer of which are often in order by chance, or tell little


def protect(
    table: Any,
    k: int | None = None,
    *,
    plan: Plan | None = None,
    run: Run | None = None,
    progress: Progress | None = None,
    **options: Unpack[PlanOptions],
) -> Release:
    """Replace the chosen columns of each record by the means of its group of at least k records.

    Parameters
    ----------
    table
        A path, a dataframe or an array; see `read`. It is not changed.
    k
        The smallest group allowed.
    plan
        What is to be done; `k` and `options` may say more of it, but nothing else.
    run
        Limits, progress, workers, and the way to cancel the work from another thread.
    progress
        Is told how far the work is, where no run is handed in.
    **options
        What a plan can say: see `Plan`. `protect(table, k=5, columns=[…])` is short for
        `protect(table, plan=Plan(k=5, columns=[…]))`.

    Returns
    -------
    Release
        The released data, the groups and the measures; checked to reach k before it is handed out.

    Raises
    ------
    InputError
        Where something cannot be used: one sentence says what and why.
    DoubtError
        Where no columns are named and one of them may not be meant.
    CancelledError
        Where the run was cancelled before there was anything to release.

    Examples
    --------
    >>> import microagg
    >>> release = microagg.protect([[1.0], [2.0], [8.0], [9.0]], k=2)
    >>> release.data.tolist()
    [[1.5], [1.5], [8.5], [8.5]]
    """
    planned = _planned(plan, {**options} if k is None else {**options, "k": k})
    with run_of(run, progress).under_way(planned.limits) as under_way:
        for one in planned.sets:
            check_limits(pipeline(one.method, one.effort, one.bound), under_way.limits)
        original = read(table, planned.reading)
        planned = _settled(planned, original, under_way.limits)
        released = original.without(planned.drop)
        protected = tuple(name for one in planned.sets for name in one.columns or ())
        if planned.shuffle:
            _check_shuffling(released, protected)
        under_way.start_clock()
        solutions = []
        for number, one in enumerate(planned.sets):
            names = one.columns or ()
            part = _share(under_way, len(planned.sets) - number)
            solution = group(original, names, one, planned.random_state, part)
            released = aggregate(released, solution.partition, names, keep_integers=one.keep_integers)
            solutions.append(solution)
    data = to_native(released)
    handed_out = read_back(data, released.names)
    sets = tuple(_verified(original, handed_out, solution) for solution in solutions)
    order = None
    if planned.shuffle:
        order = np.random.default_rng().permutation(released.n_records)
        released = released.in_order(order)
        data = to_native(released)
    identifying = identifying_columns(handed_out, protected)
    return Release(data, released, planned, sets, datetime.now(UTC), order, identifying)


def _planned(plan: Plan | None, options: Mapping[str, Any]) -> Plan:
    if plan is None:
        return Plan(**options)
    if not isinstance(plan, Plan):
        raise InputError(f"plan must be a microagg.Plan, found {plan!r}: read a file by Plan.from_toml")
    return plan.with_options(**options)


def _settled(plan: Plan, table: Table, limits: Limits) -> Plan:
    """Choose what the plan leaves open: the columns of each set, and a random state."""
    kept = table.without(plan.drop)
    columns = [select(kept, one.columns, plan.exclude) for one in plan.sets]
    return plan.settled(columns, limits, drawn(plan.random_state))


def _share(run: Run, sets: int) -> Run:
    """Give a run for the first of several sets: its share of the time that is left, and a log of its own."""
    limits = run.limits
    left = run.time_left
    until = None if left is None else max(run.elapsed + left / sets, 1e-9)
    return run.child(Limits(until, limits.iterations, limits.target_gap), own_log=True)


def _verified(original: Table, handed_out: Table, solution: Solution) -> SetRelease:
    """Measure what is handed out; refuse it where it does not reach k."""
    encoding = solution.encoding
    assert encoding is not None, "made by `group`"
    measures = measure_tables(original, handed_out, encoding)
    k = solution.partition.problem.k
    if measures.k_reached < k:
        raise VerificationError(f"the release reaches only k = {measures.k_reached}, not {k}: nothing is released")
    return SetRelease(encoding.names, solution, measures)


def _check_shuffling(table: Table, protected: Sequence[str]) -> None:
    """Refuse to shuffle, before any work is done, where a column that is released as it came tells the old order."""
    for name in table.names:
        if name not in protected and _tells_order(table, name):
            raise InputError(f"column {name!r} rises or falls all the way, it would undo the shuffling: drop it")


def _tells_order(table: Table, name: str) -> bool:
    """Say whether no value of a column is below the one before, or none above; missing ones do not count."""
    values = table.numbers(name).tolist() if table.kind(name) in NUMERIC else table.values(name)
    present = [value for value in values if value is not None and value == value]
    with suppress(TypeError):  # values that have no order, or cannot be told apart
        if len(set(present)) >= _TELLING:
            return all(map(le, present, present[1:])) or all(map(ge, present, present[1:]))
    return False
