"""Solve a problem: construct, refine, bound."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypedDict, Unpack

from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.encode import encode
from microagg.methods import pipeline, set_pipeline
from microagg.model.column_set import ColumnSet, MethodLike, check_known
from microagg.model.errors import InputError
from microagg.model.group_rules import GroupRules
from microagg.model.plan import Plan
from microagg.model.solution import LowerBound, Solution
from microagg.model.table import Table
from microagg.read import read
from microagg.run_pipeline import check_limits, known_random_state
from microagg.select import select
from microagg.solve_blocks import solve_problem


class SolveOptions(TypedDict, total=False):
    """Options of `solve`; each is as in `Plan`."""

    columns: Iterable[Hashable] | None
    exclude: Iterable[Hashable]
    method: MethodLike
    effort: str | None
    block_size: int | None
    rounds: int | None
    standardise: bool
    scale: str | float | Mapping[Any, str | float] | None
    transform: str | Mapping[Any, str] | None
    nominal: Iterable[Hashable] | None
    ordinal: Iterable[Hashable] | Mapping[Any, Iterable[Any]] | None
    bound: bool | str | Callable[..., Any]
    random_state: int | None
    time_limit: float | None
    iterations: int | None
    target_gap: float | None


def solve(
    X: Any,
    k: int,
    *,
    run: Run | None = None,
    progress: Progress | None = None,
    **options: Unpack[SolveOptions],
) -> Solution:
    """Group records into groups of at least k with little information loss.

    Parameters
    ----------
    X
        The records: an array, a dataframe or a path.
    k
        Smallest group allowed.
    run
        Limits, progress, workers, and the way to cancel the work from another thread.
    progress
        Called with stage, share done and note, where no run is given.
    **options
        As in `Plan`: columns, exclude, method, effort, block_size, rounds, standardise, scale, transform, nominal,
        ordinal, bound, random_state, time_limit, iterations, target_gap.

    Returns
    -------
    Solution
        The groups, their loss, and what is proved of it. A bound never replaces the groups of the method: better ones
        that the proof found are `Solution.improved`. Only "auto", "search", "exact" and "column-generation" take them.

    Raises
    ------
    InputError
        If something cannot be used: one sentence says what and why.

    Examples
    --------
    >>> import numpy as np, microagg
    >>> solution = microagg.solve(np.array([[1.0], [2.0], [8.0], [9.0]]), k=2)
    >>> solution.labels.tolist(), solution.status
    ([0, 0, 1, 1], 'optimal')
    """
    check_known(options, tuple(SolveOptions.__annotations__), "solve")
    plan = Plan(k=k, allow_k1=True, **options)
    with begun(X, plan, run_of(run, progress)) as (table, names, current):
        return group_table(table, names, plan.sets[0], plan.random_state, current)


class BoundOptions(TypedDict, total=False):
    """Options of `lower_bound`; each is as in `Plan`."""

    columns: Iterable[Hashable] | None
    exclude: Iterable[Hashable]
    standardise: bool
    scale: str | float | Mapping[Any, str | float] | None
    transform: str | Mapping[Any, str] | None
    nominal: Iterable[Hashable] | None
    ordinal: Iterable[Hashable] | Mapping[Any, Iterable[Any]] | None
    random_state: int | None
    time_limit: float | None
    target_gap: float | None


def lower_bound(
    X: Any,
    k: int,
    bound: str | Callable[..., Any] = "automatic",
    *,
    run: Run | None = None,
    progress: Progress | None = None,
    **options: Unpack[BoundOptions],
) -> LowerBound:
    """Prove how much information any partition into groups of at least k loses, whatever the method.

    A proof begins with groups: here with those of a quick search.

    Parameters
    ----------
    X
        The records: an array, a dataframe or a path.
    k
        Smallest group allowed.
    bound
        Name of the bound, as `microagg methods` lists them, or a stage of your own.
    run
        Limits, progress, workers, and the way to cancel the work from another thread.
    progress
        Called with stage, share done and note, where no run is given.
    **options
        As in `Plan`: columns, exclude, standardise, scale, transform, nominal, ordinal, random_state, time_limit,
        target_gap.

    Returns
    -------
    LowerBound
        The bound: as sse, and as information loss in percent.

    Raises
    ------
    InputError
        If something cannot be used: one sentence says what and why.

    Examples
    --------
    >>> import microagg
    >>> bound = microagg.lower_bound([[1.0], [2.0], [8.0], [9.0]], k=2)
    >>> bound.sse == microagg.solve([[1.0], [2.0], [8.0], [9.0]], k=2).sse, round(bound.information_loss, 9)
    (True, 2.0)
    """
    check_known(options, tuple(BoundOptions.__annotations__), "lower_bound")
    if isinstance(bound, bool):
        raise InputError(f"bound must be a bound's name or a stage, found {bound}: leave it out, or name one")
    proved = solve(X, k, run=run, progress=progress, effort="quick", bound=bound, **options).bound
    assert proved is not None
    return proved


@contextmanager
def begun(X: Any, plan: Plan, run: Run) -> Iterator[tuple[Table, Sequence[str], Run]]:
    """Begin to solve in a `with` block: check the limits, read the records, select the columns of the one column set.

    Yields
    ------
    tuple of Table, sequence of str and Run
        The records, the names of the columns, and the run, which is under way.
    """
    (wanted,) = plan.sets
    chosen = pipeline(wanted.method, wanted.effort, wanted.bound)
    with run.under_way(plan.limits) as current:
        check_limits(chosen, current.limits)
        table = read(X)
        names = select(table, wanted.columns, plan.exclude, asks=table.source.may_hold_identifiers)
        current.start_clock()
        yield table, names, current


def group_table(table: Table, names: Sequence[str], wanted: ColumnSet, random_state: int | None, run: Run) -> Solution:
    """Group a table's records by some columns: encode these, and solve the problem."""
    chosen = set_pipeline(wanted)
    encoding, problem = encode(table, names, wanted.k, wanted.treatment)
    solution = solve_problem(chosen, problem, GroupRules(), known_random_state(random_state), run)
    return replace(solution, encoding=encoding)
