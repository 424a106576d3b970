"""Leave a round of refining when told to, however far it is; go from several starts at once."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from itertools import islice
from threading import Event
from typing import TYPE_CHECKING

from microagg.control.run import Run, StoppedError
from microagg.model.partition import Partition
from microagg.model.problem import Problem

if TYPE_CHECKING:
    from microagg.kernels.walks.walk_context import WalkContext

_NEWS = 0.2  # seconds between two words on how far the starts are

Hear = Callable[[float, int, float | None], None]
"""Is told the sse, the round, counting from 0, and the share of it that is done; raises `StoppedError` to end it."""


def tick(stage: str, problem: Problem, run: Run, sse: float, iteration: int, done: float | None) -> None:
    """Say how far the round is, and leave it when told to."""
    run.tell(stage, done, f"loss {100 * sse / problem.sst if problem.sst else 0.0:.4f} %")
    run.check_round(iteration, sse)


def surveyed(partition: Partition, hear: Hear, n_neighbours: int, most_distances: int = 0) -> "WalkContext":
    """Prepare for walks over the records.

    Parameters
    ----------
    n_neighbours
        Of each record, among which the next group is looked for first: the more walks, the more of them pay.
    most_distances
        The distances of all records are kept if there are no more records than that.
    """
    from microagg.kernels.geometry.distances import distance_matrix
    from microagg.kernels.geometry.neighbour_lists import neighbours
    from microagg.kernels.walks.walk_context import make_walk_context

    def say(done: float) -> None:
        hear(partition.sse, 0, None)

    say(0.0)
    X = partition.problem.X
    near = neighbours(X, min(len(X) - 1, n_neighbours), say)
    return make_walk_context(X, near, distance_matrix(X, say) if len(X) <= most_distances else None)


def best_of(
    stage: str,
    partition: Partition,
    runs: Iterable[Callable[[Hear], Partition]],
    before: int,
    total: int,
    run: Run,
) -> Partition:
    """Go from several starts, as many at once as there are workers, and give the best partition.

    The same one whoever comes first: of equals, that of the earliest start, and the one handed in before all. Only
    where a limit of time or gap ends them does it depend on how far each has come.

    Parameters
    ----------
    runs
        Refine from one start each, and give the best partition met, also when they are told to stop.
    before, total
        How many starts have been gone from before these, and how many there are at most with these and those to come.
    """
    called_off = Event()

    def hear(sse: float, iteration: int, done: float | None) -> None:
        if called_off.is_set():
            raise StoppedError("cancelled")
        run.check_round(iteration, sse)

    best = partition
    number = -1
    done = 0
    waiting = iter(enumerate(runs))
    running: dict[Future[Partition], int] = {}
    try:
        while True:
            tick(stage, partition.problem, run, best.sse, 0, (before + done) / total)
            for place, start in islice(waiting, run.workers.count - len(running)):
                running[run.workers.submit(start, hear)] = place
            if not running:
                return best
            finished, _ = wait(running, _NEWS, FIRST_COMPLETED)
            for future in finished:
                place = running.pop(future)
                found = future.result()
                done += 1
                if (found.sse, place) < (best.sse, number):
                    best = found
                    number = place
    except StoppedError:
        called_off.set()
        return min([best, *_ended(running)], key=lambda partition: partition.sse)
    finally:
        called_off.set()


def _ended(running: Iterable["Future[Partition]"]) -> Iterator[Partition]:
    """Give what starts have come to that were called off, but for those that a kernel's compiling ended."""
    for future in running:
        with suppress(StoppedError):
            yield future.result()
