"""Several starts: which partition is kept, and how they end."""

import threading
import time
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from microagg import Partition, Problem, Run, solve
from microagg.control.round_progress import RoundProgress
from microagg.control.stopping import StoppedError
from microagg.refine.multistart import MultiStart, Start
from patience import PATIENCE
from runs import EndsBelow
from samples import heavy_tailed

SQUARE = Problem(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), 2)
DIAGONAL = Partition(SQUARE, np.array([0, 1, 1, 0]))  # sse 2
ROWS = Partition(SQUARE, np.array([0, 0, 1, 1]))  # sse 1
COLUMNS = Partition(SQUARE, np.array([0, 1, 0, 1]))  # sse 1


class _Announced(Run):
    """Run that sets an event when the partition of the first start to finish has been taken."""

    def __init__(self) -> None:
        super().__init__(workers=2)
        self.one_taken = threading.Event()

    def report(self, stage: str, done: float | None = None, note: str = "") -> None:
        if done:
            self.one_taken.set()
        super().report(stage, done, note)


def _at_once(partition: Partition) -> Start:
    return lambda progress: partition


@pytest.mark.parametrize("first_to_finish", [0, 1])
def test_of_equal_partitions_that_of_the_earliest_start_is_kept(first_to_finish: int) -> None:
    """Whichever start finishes first: the other one waits until the partition of the first has been taken."""
    run = _Announced()

    def refine(number: int, partition: Partition) -> Start:
        def start(progress: RoundProgress) -> Partition:
            if number != first_to_finish:
                assert run.one_taken.wait(PATIENCE)
            return partition

        return start

    assert ROWS.sse == COLUMNS.sse < DIAGONAL.sse
    multistart = MultiStart("test", DIAGONAL, 2, run)
    assert multistart.refine_batch([refine(0, ROWS), refine(1, COLUMNS)])
    assert multistart.best is ROWS


def test_the_rounds_of_all_starts_are_added_up() -> None:
    """Of starts that finish, and of those that a limit of rounds ends."""

    def rounds(count: int) -> Start:
        def start(progress: RoundProgress) -> Partition:
            with suppress(StoppedError):
                for iteration in range(count):
                    progress.report(iteration, ROWS.sse)
                progress.finish(count, ROWS.sse)
            return ROWS

        return start

    for limit, total in ((None, 10), (4, 9)):
        run = Run(iterations=limit, workers=2)
        multistart = MultiStart("test", DIAGONAL, 3, run)
        multistart.refine_batch([rounds(2), rounds(3)])
        multistart.refine_batch([rounds(5)])
        assert (run.log.iterations, run.log.starts) == (total, 3)


def test_the_incumbent_is_kept_where_no_start_is_better() -> None:
    multistart = MultiStart("test", ROWS, 3, Run(workers=2))
    assert multistart.refine_batch([_at_once(COLUMNS), _at_once(DIAGONAL), _at_once(COLUMNS)])
    assert multistart.best is ROWS


def test_a_later_batch_must_be_better_than_an_earlier_one() -> None:
    multistart = MultiStart("test", DIAGONAL, 3, Run(workers=2))
    assert multistart.refine_batch([_at_once(DIAGONAL), _at_once(ROWS)])
    assert multistart.refine_batch([_at_once(COLUMNS)])
    assert multistart.best is ROWS


def test_starts_are_called_off_when_the_best_is_good_enough() -> None:
    """One start reaches the target, the other would go on for ever."""

    def endless(progress: RoundProgress) -> Partition:
        give_up = time.monotonic() + PATIENCE
        with suppress(StoppedError):
            while time.monotonic() < give_up:
                progress.report(1, DIAGONAL.sse)
            pytest.fail("it was not called off")
        return DIAGONAL

    multistart = MultiStart("test", DIAGONAL, 2, EndsBelow(ROWS.sse))
    assert not multistart.refine_batch([_at_once(ROWS), endless])
    assert multistart.best is ROWS


def test_what_starts_have_found_when_they_are_called_off_counts() -> None:
    """The run is cancelled while a start is under way, which then returns the best that it has found."""
    run = Run(workers=2)

    def cancelled(progress: RoundProgress) -> Partition:
        run.cancel()
        with pytest.raises(StoppedError):
            progress.report(0, ROWS.sse)
        return ROWS

    multistart = MultiStart("test", DIAGONAL, 1, run)
    multistart.refine_batch([cancelled])
    assert multistart.best is ROWS


@pytest.mark.parametrize("method", ["icsm(starts=50)", "reporder(starts=50)"])
def test_starts_stop_in_time_and_report(method: str) -> None:
    reports: list[Any] = []
    solution = solve(
        heavy_tailed(8, 400), 3, method=method, time_limit=0.05, progress=lambda *report: reports.append(report)
    )
    assert solution.sizes.min() >= 3
    shares = [done for stage, done, _ in reports if stage == method.partition("(")[0] and done is not None]
    assert shares == sorted(shares)


def test_an_error_in_progress_ends_all_starts() -> None:
    """An exception raised by the progress callback, as Ctrl-C is, does not wait for the starts that are running."""

    class PressedError(Exception):
        pass

    def progress(stage: str, done: float | None, note: str = "") -> None:
        if stage == "icsm" and done:
            raise PressedError

    with pytest.raises(PressedError):
        solve(heavy_tailed(9, 100), 3, method="icsm(starts=100000)", progress=progress)
