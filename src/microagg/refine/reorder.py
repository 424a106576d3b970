"""RepOrdMic: repeated record ordering."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.random import Generator

from microagg.control.round_progress import RoundProgress
from microagg.control.run import Run
from microagg.control.stage_fields import INJECTED
from microagg.control.stopping import StoppedError
from microagg.kernels.tick import Tick
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.checks import one_of, whole_number
from microagg.model.errors import InputError, MethodError
from microagg.model.partition import Partition
from microagg.refine.multistart import MultiStart, initial_sse
from microagg.refine.starting_clusters import merged_clusters, spanning_tree_merges, ward_merges
from microagg.refine.walk_preparation import prepare_walks

if TYPE_CHECKING:
    from microagg.kernels.walks.walk_context import WalkContext

_INSERTIONS = ("cheapest", "nearest")
_MERGES = {"ward": ward_merges, "spanning-tree": spanning_tree_merges}
_STARTS = ("k-means", *_MERGES)
_MIN_GAIN = 1e-7  # of a round's sse, where columns have variance 1: a round that gains less is the last one
_N_NEIGHBOURS = 32
_MAX_DISTANCE_RECORDS = 5_000  # whose distances are kept: 200 MB


@dataclass(frozen=True)
class Reorder:
    """Repeated record ordering: each group ordered by cheapest insertion, the sequence cut optimally.

    Until a round lowers the sse of standardised columns by less than 1e-7. A round is O(n·k·d) and, for the way from
    group to group, O(n²·d/k) at worst. The distances of up to 5 000 records are kept: 200 MB.

    Parameters
    ----------
    insertion
        The record of a group that goes next to where it lengthens the sequence least: "cheapest", the one that
        lengthens it least, as the pseudo-code says, or "nearest", the one nearest to the sequence, as the text says.
    start
        Clusters to begin with instead of the groups of the partition: the label of each record. They may have any size,
        also below k. Only code can set them: `Reorder(start=labels)`.

    References
    ----------
    Mortazavi (2020), Repeated record ordering for constrained size clustering, International Journal of Engineering
    33(7), section 4 and algorithm 1.
    """

    insertion: str = "cheapest"
    start: Sequence[Any] | IntArray | None = field(default=None, repr=False, metadata=INJECTED)
    reference: ClassVar[str] = "Mortazavi 2020"

    def __post_init__(self) -> None:
        one_of("insertion", self.insertion, _INSERTIONS)
        if self.start is not None:
            object.__setattr__(self, "start", _cluster_numbers(self.start))

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not needed."""
        labels = self._start(partition)
        progress = RoundProgress("reorder", partition.problem, run)
        try:
            context = prepare_walks(partition, progress, _N_NEIGHBOURS, _MAX_DISTANCE_RECORDS)
        except StoppedError:
            return partition
        return _refine(partition, labels, context, self.insertion == "nearest", progress)

    def _start(self, partition: Partition) -> IntArray:
        if self.start is None:
            return partition.labels
        if len(self.start) != partition.problem.n:
            raise MethodError(
                f"start must have a label for each of the {partition.problem.n} records that are grouped at once, "
                f"found {len(self.start)}"
            )
        return np.array(self.start, dtype=np.int64)


@dataclass(frozen=True)
class RepOrder:
    """RepOrdMic: repeated record ordering from 1, 2, … clusters, such as those of k-means; the best is kept.

    As many starts as are asked for, or fewer where there are fewer distinct records. The partition to refine, in the
    system "reporder" the cut path through all records, is kept where no start is better.

    Parameters
    ----------
    assign_to_means
        A function of the records, the number of means and a random generator that returns the nearest mean of each
        record.
    starts
        The number of starts, and of clusters in the last one.
    insertion
        "cheapest" or "nearest": see `Reorder`, which also begins with labels of your own.
    start
        Where the clusters come from: "k-means", as in the paper, "ward", Ward's hierarchical clustering, for at most
        5 000 records at once, or "spanning-tree", the minimum spanning tree without its longest edges. The last two are
        computed once for all starts.

    References
    ----------
    Mortazavi (2020), Repeated record ordering for constrained size clustering, International Journal of Engineering
    33(7), section 5.
    """

    assign_to_means: Callable[[FloatArray, int, Generator], IntArray] = field(metadata=INJECTED)
    starts: int = 200
    insertion: str = "cheapest"
    start: str = "k-means"
    reference: ClassVar[str] = "Mortazavi 2020"

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", whole_number("starts", self.starts, at_least=1))
        one_of("insertion", self.insertion, _INSERTIONS)
        one_of("start", self.start, _STARTS)

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition."""
        progress = RoundProgress("reporder", partition.problem, run)
        try:
            context = prepare_walks(partition, progress, _N_NEIGHBOURS, _MAX_DISTANCE_RECORDS)
            clusters = self._clusters(partition.problem.X, rng, progress.ticker(0, partition.sse))
        except StoppedError:
            return partition
        multistart = MultiStart("reporder", partition, self.starts, run)
        nearest = self.insertion == "nearest"
        multistart.refine_batch(partial(_refine, partition, labels, context, nearest) for labels in clusters)
        return multistart.best

    def _clusters(self, X: FloatArray, rng: Generator, tick: Tick) -> Iterator[IntArray]:
        """Return an iterator over 1, 2, … clusters, at most as many as there are distinct records."""
        from microagg.kernels.geometry.equal_records import distinct_points

        numbers = range(1, min(self.starts, len(distinct_points(X)[1])) + 1)
        if self.start == "k-means":
            return (self.assign_to_means(X, n_means, rng.spawn(1)[0]) for n_means in numbers)
        return map(partial(merged_clusters, _MERGES[self.start](X, tick)), numbers)


def _cluster_numbers(labels: Sequence[Any] | IntArray) -> tuple[int, ...]:
    """Return the labels as numbers from 0: a tuple, which can be compared."""
    given = np.asarray(labels)
    if given.ndim != 1:
        raise InputError(f"start must be a list of labels, one for each record, found {given.ndim} dimensions")
    return tuple(np.unique(given, return_inverse=True)[1].tolist())


def _refine(
    base: Partition, labels: IntArray, context: "WalkContext", nearest: bool, progress: RoundProgress
) -> Partition:
    """Do rounds from the clusters of some labels 0, 1, …, of any size; return the best of the result and `base`."""
    from microagg.kernels.walks.repeated_ordering import first_round, further_rounds, initial_state
    from microagg.kernels.walks.walk_context import copy_walk_context

    problem = base.problem
    min_gain = _MIN_GAIN * problem.sst / problem.X.size
    max_rounds = progress.run.limits.iterations
    iteration = 0
    try:
        context = copy_walk_context(context)
        state = initial_state(labels, initial_sse(base, labels))
        progress.report(iteration, state.sse)
        state = first_round(context, problem.k, state, progress.ticker(iteration, state.sse), nearest)
        iteration = 1
        gaining = True
        while gaining:
            progress.report(iteration, state.sse)
            rounds_left = np.inf if max_rounds is None else max_rounds - iteration
            state, n_rounds, gaining = further_rounds(context, problem.k, state, min_gain, rounds_left, nearest)
            iteration += n_rounds
        progress.finish(iteration, state.sse)
    except StoppedError:
        pass
    if iteration == 0:
        return base
    return min(base, Partition(problem, state.groups.labels), key=lambda partition: partition.sse)
