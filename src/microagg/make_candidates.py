"""Make the candidates of a comparison side by side: protect by the plan of each, and measure what came of it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from microagg.candidate_plans import candidate_plan, fitting_limits
from microagg.candidate_works import candidate_works
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.control.workers import Workers
from microagg.kept_candidates import KeptCandidates
from microagg.measure.candidate_figures import candidate_figures
from microagg.measure.table_pairing import planned_tables
from microagg.model.column_set import MethodLike
from microagg.model.comparison import Aim, Candidate
from microagg.model.errors import DoubtError, InputError, MicroaggError
from microagg.model.limits import Limits
from microagg.model.plan import Plan
from microagg.model.solution import Solution
from microagg.model.table import Table
from microagg.protect import protect_sets, settle, verified_release
from microagg.shared_work import SharedWork

CANCELLED = "the comparison was cancelled before this candidate was finished"
"""Why there is no release of a candidate, where that is the reason."""

_TOO_LATE = "the time limit was over before all records were grouped: allow more time, or compare fewer candidates"


@dataclass(frozen=True)
class CandidateTask:
    """Candidate that is to be made.

    Parameters
    ----------
    k
        Smallest group allowed.
    name
        Name of the method.
    method
        The method.
    """

    k: int
    name: str
    method: MethodLike


class CandidateMaker:
    """What all candidates of a comparison have in common, and the work that they share.

    Parameters
    ----------
    plan
        What is to be done, but for k and method.
    table
        The table.
    aim
        The axes.
    kept
        Candidates that were finished before, and where to keep others; None: nowhere.
    """

    def __init__(self, plan: Plan, table: Table, aim: Aim, kept: KeptCandidates | None) -> None:
        self._plan = plan
        self._table = table
        self._aim = aim
        self._kept = kept
        self._shared = SharedWork()

    def make_all(self, tasks: Sequence[CandidateTask], run: Run) -> list[Candidate]:
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
        works = candidate_works([(one.k, one.method) for one in tasks], self._plan, self._table, run.limits)
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
            under_way = [tasks[number] for number in turns[n_finished : n_finished + threads.count]]
            names = "".join(f", {one.name} {one.k}" for one in under_way)
            run.report("compare", done, f"{n_finished} of {len(tasks)}{names}")

        threads = Workers(run.workers.count)
        try:
            made = threads.map(make_one, range(len(tasks)), report)
        finally:
            threads.close()
        return [made[turns.index(number)] for number in range(len(tasks))]

    def _candidate(self, task: CandidateTask, run: Run) -> Candidate:
        """Make a candidate, unless it is kept; one that cannot be made has the error in its place."""
        try:
            plan = candidate_plan(self._plan, task.k, task.method)
            candidate = None if self._kept is None else self._kept.load(plan)
            if candidate is not None:
                return candidate
            run.check()
            candidate = self._measured(task, plan, run)
        except DoubtError:
            raise
        except MicroaggError as error:
            return Candidate(task.k, task.name, error=CANCELLED if run.cancelled else str(error))
        except StoppedError as stopped:
            return Candidate(task.k, task.name, error=CANCELLED if stopped.ending == "cancelled" else _TOO_LATE)
        if self._kept is not None:
            self._kept.store(plan, candidate)
        return candidate

    def _measured(self, task: CandidateTask, plan: Plan, run: Run) -> Candidate:
        """Protect the table by the plan of a candidate, and measure what came of it."""
        run.limits = fitting_limits(run.limits, plan)
        settled = settle(plan, self._table, run.limits)
        started = time.perf_counter()
        released, solutions = protect_sets(settled, run, self._shared)
        _check_finished(solutions)
        measures = verified_release(settled, released, solutions, as_whole=False).together
        seconds = time.perf_counter() - started
        assert measures is not None, "every release has them"
        tables = planned_tables(settled.original, released, settled.plan)
        measuring = run.child(Limits(), silent=True)  # the time limit is for solving
        figures = candidate_figures(tables, measures.information_loss, self._aim, measuring)
        return Candidate(task.k, task.name, measures.information_loss, measures.k_reached, seconds, figures)


def _check_finished(solutions: Sequence[Solution]) -> None:
    """Refuse what was cancelled, or grouped by the fallback: it is not what the method makes."""
    if any(one.ended_by == "cancelled" for one in solutions):
        raise StoppedError("cancelled")
    if any(one.fallback_share > 0 for one in solutions):
        raise InputError(_TOO_LATE)
