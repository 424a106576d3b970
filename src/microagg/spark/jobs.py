"""Jobs of a Spark session: carried out with progress, measured, cancelled, and their errors told in one sentence."""

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as NotDone
from typing import Any, NamedTuple, TypeVar
from uuid import uuid4

from microagg.control.run import Run
from microagg.model import errors
from microagg.model.errors import CancelledError, ClusterError, MicroaggError, VerificationError

Result = TypeVar("Result")

_SECONDS_BETWEEN_LOOKS = 0.2
_SECONDS_TO_END = 30.0  # that tasks of a job which has ended may go on: Spark gives Python two seconds, then kills it
_OWN_ERROR = re.compile(r"microagg\.model\.errors\.(\w+): (.*)")
_CAUSE = re.compile(r"^(?:Caused by)?: [\w.$]+: (.+)$", re.MULTILINE)
_WRONG_QUERY = ("AnalysisException", "ParseException")
_CANCELLED = "the run was cancelled: nothing is released"


class StageTime(NamedTuple):
    """Time that a stage has taken.

    Parameters
    ----------
    name
        Name of the stage.
    seconds
        Time on the clock.
    tasks
        Number of tasks of its jobs; None where the session does not tell.
    """

    name: str
    seconds: float
    tasks: int | None


class Jobs:
    """Jobs of one call: each runs in a thread of its own, while this one reports how far it is.

    Parameters
    ----------
    spark
        The session; one of Spark Connect tells nothing of its tasks.
    run
        Progress, and the way to cancel from another thread.

    Attributes
    ----------
    times : list of StageTime
        What each stage has taken so far.
    """

    def __init__(self, spark: Any, run: Run) -> None:
        self.times: list[StageTime] = []
        self._context: Any = getattr(spark, "_sc", None)
        self._spark = spark
        self._run = run

    def __call__(self, stage: str, action: Callable[[], Result], note: str = "") -> Result:
        """Carry out an action, such as collecting or writing a DataFrame.

        Parameters
        ----------
        stage
            Name of the stage, for progress and times.
        action
            The action.
        note
            What the progress line says besides.

        Returns
        -------
        object
            What the action returns.

        Raises
        ------
        MicroaggError
            The error of a task that this package has raised there, in its own words.
        ClusterError
            If the job failed for another reason, such as lost files or Python workers that were killed.
        CancelledError
            If the run was cancelled.
        """
        if self._run.cancelled:
            raise CancelledError(_CANCELLED)
        began = time.monotonic()
        group = f"microagg-{uuid4()}"
        with ThreadPoolExecutor(1, "microagg-spark") as thread:
            future = thread.submit(self._in_group, group, action)
            try:
                result = self._awaited(future, stage, group, note)
            except BaseException:
                self._end(future, group)
                raise
        tasks = self._count_tasks(group)
        self.times.append(StageTime(stage, time.monotonic() - began, None if tasks is None else tasks[1]))
        return result

    def _in_group(self, group: str, action: Callable[[], Result]) -> Result:
        if self._context is None:
            self._spark.addTag(group)
        else:
            self._context.setJobGroup(group, "microagg", interruptOnCancel=True)
        return action()

    def _awaited(self, future: "Future[Result]", stage: str, group: str, note: str) -> Result:
        self._run.report(stage, None, note)
        while True:
            try:
                return future.result(timeout=_SECONDS_BETWEEN_LOOKS)
            except NotDone:
                if self._run.cancelled:
                    raise CancelledError(_CANCELLED) from None
                self._report(stage, group, note)
            except MicroaggError:
                raise
            except Exception as error:
                told = own_error(error) or _cluster_error(error, stage)
                if told is None:
                    raise
                raise told from error

    def _report(self, stage: str, group: str, note: str) -> None:
        tasks = self._count_tasks(group)
        if tasks is None or not tasks[1]:
            self._run.report(stage, None, note)
            return
        done, total = tasks
        told = f"{done} of {total} tasks"
        self._run.report(stage, min(done / total, 0.999), f"{note}, {told}" if note else told)

    def _count_tasks(self, group: str) -> tuple[int, int] | None:
        """Return how many tasks of the group's jobs are done, and how many there are; None where that is not told."""
        if self._context is None:
            return None
        stages = list(self._stages(group))
        return sum(stage.numCompletedTasks for stage in stages), sum(stage.numTasks for stage in stages)

    def _stages(self, group: str) -> Iterator[Any]:
        """Yield what the session tells of the stages of the group's jobs; nothing with Spark Connect."""
        if self._context is None:
            return
        tracker = self._context.statusTracker()
        for job in tracker.getJobIdsForGroup(group):
            info = tracker.getJobInfo(job)
            for number in () if info is None else info.stageIds:
                stage = tracker.getStageInfo(number)
                if stage is not None:
                    yield stage

    def _end(self, future: "Future[Any]", group: str) -> None:
        """End the jobs of a group, and those that its action begins meanwhile; wait until no task writes any more."""
        while not future.done():
            self._cancel(group)
            wait([future], timeout=_SECONDS_BETWEEN_LOOKS)
        give_up = time.monotonic() + _SECONDS_TO_END
        time.sleep(_SECONDS_BETWEEN_LOOKS)  # the tracker hears of tasks a moment later
        while any(stage.numActiveTasks for stage in self._stages(group)) and time.monotonic() < give_up:
            time.sleep(_SECONDS_BETWEEN_LOOKS)

    def _cancel(self, group: str) -> None:
        """End the jobs that a group has now; the thread that waits for them ends with them."""
        if self._context is None:
            self._spark.interruptTag(group)
        else:
            self._context.cancelJobGroup(group)


def own_error(error: BaseException) -> MicroaggError | None:
    """Return the error of this package that a task has raised, by what Spark tells of it; None where it is another.

    Parameters
    ----------
    error
        What came out of an action of Spark.
    """
    found = _OWN_ERROR.findall(str(error))
    if not found:
        return None
    kind, sentence = found[-1]
    known = getattr(errors, kind, VerificationError)
    sound = isinstance(known, type) and issubclass(known, MicroaggError) and known is not errors.DoubtError
    return known(sentence) if sound else VerificationError(sentence)


def _cluster_error(error: BaseException, stage: str) -> ClusterError | None:
    """Return an error of Spark in one sentence, by its first cause; None where it is none, or one of a wrong query."""
    kind = type(error)
    if not kind.__module__.startswith(("pyspark.", "py4j.")) or kind.__name__ in _WRONG_QUERY:
        return None
    text = str(error).strip() or kind.__name__
    causes = _CAUSE.findall(text)
    reason = causes[-1] if causes else text.splitlines()[0]
    return ClusterError(f"the stage {stage!r} failed on the cluster, and its result is discarded: {reason}")
