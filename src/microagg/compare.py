"""Compare the releases that several k and methods would give: what each loses, what each risks, which one to take."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from microagg.candidate_plans import candidate_plan, check_used, checked_methods, fitting_limits
from microagg.candidate_works import candidate_works
from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.control.stopping import StoppedError
from microagg.control.workers import Workers
from microagg.kept_candidates import KeptCandidates
from microagg.measure.candidate_figures import axis_figure, candidate_figures, measured_names
from microagg.measure.table_pairing import planned_tables
from microagg.model.checks import group_sizes, whole_number
from microagg.model.column_set import MethodLike
from microagg.model.comparison import Aim, Candidate, Comparison
from microagg.model.errors import CancelledError, DoubtError, InputError, MicroaggError
from microagg.model.limits import Limits
from microagg.model.plan import Plan, PlanOptions
from microagg.model.table import Table
from microagg.pareto_front import with_front
from microagg.protect import complete_plan, protect_sets, settle, verified_release
from microagg.read import read
from microagg.recommend import check_aim, recommend
from microagg.run_pipeline import known_random_state
from microagg.shared_work import SharedWork

_STAGE = "compare"
_CANCELLED = "the comparison was cancelled before this candidate was finished"


class CompareOptions(PlanOptions, total=False):
    """Options of `compare`: those of a plan, and those of an `Aim`."""

    utility: str
    risk: str
    max_loss: float | None
    max_risk: float | None


def compare(
    table: Any,
    k: int | Iterable[int] = (3, 5, 10),
    methods: Sequence[MethodLike] = ("mdav", "search"),
    *,
    plan: Plan | None = None,
    run: Run | None = None,
    progress: Progress | None = None,
    checkpoint: str | PathLike[str] | None = None,
    **options: Unpack[CompareOptions],
) -> Comparison:
    """Compare what a release would lose and risk, for every k with every method, and recommend one.

    Each candidate is protected as by `protect`, and measured; nothing is released. What does not depend on k, such as
    reading and encoding, and the order of the records of "fdm" and other methods that cut one, is done once. Candidates
    are made side by side; the result is the same for any number of workers.

    Parameters
    ----------
    table
        A path, a dataframe or an array; see `read`. It is not changed.
    k
        Smallest groups allowed: several, or one.
    methods
        Methods, each as in `Plan`. The name of a refiner alone, such as "igd", stands for "mdav+igd".
    plan
        What is to be done otherwise: its k and its methods, also those of column sets, are replaced by those above. Its
        effort and its limits hold for those methods that have something to limit.
    run
        Limits, progress, workers, and the way to cancel the work from another thread: what is finished then is the
        result. A time limit is shared by the candidates.
    progress
        Called with stage, share done and note, where no run is given.
    checkpoint
        A file in which finished candidates are kept. Those that it holds already, of the same data, plan and version,
        are taken over: so a comparison that was interrupted goes on, and one with more k or methods is an addition.
    **options
        Options of a plan: see `Plan`. And of the choice, see `Aim`: `utility` and `risk`, the figures on the two axes,
        "information_loss" and "dld" by default; `max_loss` and `max_risk`, what is acceptable at most.

    Returns
    -------
    Comparison
        A row for each candidate; one that cannot be protected so, as when k is too large for a stratum, has a sentence
        about why. How the recommended one is chosen is told in docs/compare.md.

    Raises
    ------
    InputError
        If something cannot be used: one sentence says what and why. If none of the candidates can be protected, all for
        the same reason.
    DoubtError
        If no columns are named and one of the numeric ones may not be meant.
    CancelledError
        If the run was cancelled before any candidate was finished.

    Examples
    --------
    >>> import microagg
    >>> ages = [[20.0], [21.0], [23.0], [40.0], [41.0], [43.0], [70.0], [71.0]]
    >>> comparison = microagg.compare(ages, k=(2, 3, 4), methods=["mdav", "univariate"])
    >>> [(one.name, round(one.information_loss, 2)) for one in comparison.front]
    [('k = 2 with univariate', 0.19), ('k = 3 with univariate', 8.84), ('k = 4 with univariate', 18.89)]
    """
    aim = Aim(**{name: options.pop(name) for name in _AIM if name in options})  # type: ignore[misc]
    check_aim(aim, axis_figure("utility", aim.utility), axis_figure("risk", aim.risk))
    sizes = [whole_number("k", k, at_least=1)] if isinstance(k, Integral) else group_sizes(_several(k))
    named = checked_methods(methods)
    wanted = _wanted(plan, {**options}, min(sizes))
    with run_of(run, progress).under_way(wanted.limits) as current:
        check_used(wanted, tuple(named.values()), current.limits)
        current.report("read")
        whole = read(table, wanted.reading).with_missing_values(wanted.missing_policy.missing_values)
        kept = None if checkpoint is None else _kept(Path(checkpoint), whole, wanted, aim)
        wanted = Plan(**{**wanted.given, "random_state": known_random_state(wanted.random_state)})
        current.start_clock()
        tasks = [_Task(size, name, named[name]) for size in sizes for name in named]
        candidates = _Candidates(wanted, whole, aim, kept).make(tasks, current)
        _check_any(candidates, current)
    candidates = with_front(candidates, aim)
    recommended, reason = recommend(candidates, aim)
    chosen = None if recommended is None else candidate_plan(wanted, recommended.k, named[recommended.method])
    file = None if whole.path is None else whole.path.name
    return Comparison(tuple(candidates), aim, recommended, reason, chosen, whole.n_records, file)


_AIM = tuple(one.name for one in fields(Aim))


def _several(k: object) -> Iterable[object]:
    if isinstance(k, str) or not isinstance(k, Iterable):
        raise InputError(f"k must be whole numbers, as in (3, 5, 10), found {k!r}")
    return k


def _wanted(plan: Plan | None, options: dict[str, Any], k: int) -> Plan:
    """Return the plan that plan and keywords make together; it has the smallest k."""
    if "method" in options:
        raise InputError(f"method = {options['method']!r} is given, but methods are compared: name it in methods")
    return complete_plan(plan, options if plan is not None else {**options, "k": k})


def _kept(path: Path, table: Table, plan: Plan, aim: Aim) -> KeptCandidates:
    if plan.random_state is None:
        raise InputError("a comparison with fresh randomness cannot be kept: set random_state, or leave checkpoint out")
    return KeptCandidates(path, table, measured_names(aim))


def _check_any(candidates: Sequence[Candidate], run: Run) -> None:
    """Refuse a comparison in which no candidate was made, all for the same reason."""
    errors = {one.error for one in candidates}
    if errors == {_CANCELLED}:
        raise CancelledError("the comparison was cancelled before any candidate was finished")
    if len(errors) == 1 and None not in errors:
        raise InputError(candidates[0].error)


@dataclass(frozen=True)
class _Task:
    """Candidate that is to be made."""

    k: int
    name: str
    method: MethodLike

    @property
    def title(self) -> str:
        """Method and k, in short."""
        return f"{self.name} {self.k}"


class _Candidates:
    """Candidates of a comparison, made side by side."""

    def __init__(self, plan: Plan, whole: Table, aim: Aim, kept: KeptCandidates | None) -> None:
        self._plan = plan
        self._whole = whole
        self._aim = aim
        self._kept = kept
        self._shared = SharedWork()

    def make(self, tasks: Sequence[_Task], run: Run) -> list[Candidate]:
        """Make all candidates, those first that take longest.

        Each has a thread of its own, in which it waits for the threads of the run that share its work: so these are
        busy to the end, also where only one candidate is left.

        Parameters
        ----------
        tasks
            The candidates to make.
        run
            The run.

        Returns
        -------
        list of Candidate
            In the order of the tasks.
        """
        works = candidate_works([(one.k, one.method) for one in tasks], self._plan, self._whole, run.limits)
        turns = sorted(range(len(tasks)), key=lambda number: -works[number])
        finished: list[int] = []

        def make_one(turn: int) -> Candidate:
            number = turns[turn]
            left = sum(works[later] for later in turns[turn:])
            own = run.task(run.workers.count * works[number] / left)
            own.workers = run.workers
            candidate = self._candidate(tasks[number], own)
            finished.append(number)
            return candidate

        def report(n_finished: int) -> None:
            done = sum(works[number] for number in finished) / sum(works)
            names = ", ".join(tasks[number].title for number in turns[n_finished : n_finished + threads.count])
            run.report(_STAGE, done, f"{n_finished} of {len(tasks)}; {names}")

        threads = Workers(run.workers.count)
        try:
            made = threads.map(make_one, range(len(tasks)), report)
        finally:
            threads.close()
        return [made[turns.index(number)] for number in range(len(tasks))]

    def _candidate(self, task: _Task, run: Run) -> Candidate:
        """Make a candidate, unless it is kept; one that cannot be made has the error in its place."""
        try:
            plan = candidate_plan(self._plan, task.k, task.method)
            found = None if self._kept is None else self._kept.load(plan)
            if found is not None:
                return found
            run.check()
            candidate = self._measured(task, plan, run)
            run.check()
        except DoubtError:
            raise
        except (MicroaggError, StoppedError) as error:
            return Candidate(task.k, task.name, error=_CANCELLED if run.cancelled else str(error))
        if self._kept is not None:
            self._kept.store(plan, candidate)
        return candidate

    def _measured(self, task: _Task, plan: Plan, run: Run) -> Candidate:
        """Protect the table by the plan of a candidate, and measure what came of it."""
        run.limits = fitting_limits(run.limits, plan)
        settled = settle(plan, self._whole, run.limits)
        started = time.perf_counter()
        released, solutions = protect_sets(settled, run, self._shared)
        measures = verified_release(settled, released, solutions).together
        seconds = time.perf_counter() - started
        assert measures is not None, "made by `protect`"
        tables = planned_tables(settled.original, released, settled.plan)
        figures = candidate_figures(tables, measures.information_loss, self._aim, run.child(Limits(), silent=True))
        return Candidate(task.k, task.name, measures.information_loss, measures.k_reached, seconds, figures)
