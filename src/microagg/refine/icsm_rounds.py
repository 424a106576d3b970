"""The rounds of ICSM; [1] is its paper, see `Icsm`."""

from typing import TYPE_CHECKING

import numpy as np

from microagg.control.round_progress import RoundProgress
from microagg.model.arrays import BoolArray, IntArray
from microagg.model.partition import Partition, labels_along
from microagg.refine.multistart import initial_sse
from microagg.refine.recut import walk_and_cut

if TYPE_CHECKING:
    from microagg.kernels.walks.walk_context import WalkContext

_POOL_SIZE = 100  # p_n of [1], section 5.1


class IcsmRounds:
    """Groups that improve round by round; after the first round they are legal.

    Parameters
    ----------
    base
        A partition of the problem.
    labels
        The groups to start from: those of `base`, or others of any size.
    context
        From `prepare_walks`.
    progress
        The progress to report and check.
    """

    def __init__(self, base: Partition, labels: IntArray, context: "WalkContext", progress: RoundProgress) -> None:
        from microagg.kernels.walks.walk_context import copy_walk_context

        self.X = base.problem.X
        self.k = base.problem.k
        self.labels = labels
        self.sizes = np.bincount(labels)
        self.iteration = 0
        self.sse = initial_sse(base, labels)
        self.context = copy_walk_context(context)
        self.progress = progress
        self.fresh: BoolArray = np.ones(len(self.sizes), dtype=np.bool_)  # not yet examined together with all others

    def repeat(self, max_rounds: int | None) -> None:
        """Do rounds while they improve, make a cyclic move where they do not, and so on until neither improves."""
        sse_at_last_cycle = np.inf
        while True:
            while not self._is_over(max_rounds) and self.round():
                pass
            if self._is_over(max_rounds) or not self.sse < sse_at_last_cycle or not self.move_in_cycle():
                return
            sse_at_last_cycle = self.sse  # a cycle that gains by rounding only is not made again

    def round(self) -> bool:
        """Cut a tour, then let records migrate and change places; return whether that improved the sse."""
        from microagg.kernels.moves.exchange import measure_groups

        self.tick()
        self._recut()
        self._exchange()
        self.shape = measure_groups(self.X, self.labels, len(self.sizes))
        before = self.sse
        self.sse = float(np.square(self.shape.radii).sum())
        self.iteration += 1
        return self.sse < before

    def move_in_cycle(self) -> bool:
        """Make the best cycle of moves through the group of the lowest score, if any gains: [1] algorithm 4."""
        from microagg.kernels.moves.cycles import apply_cycle, find_cycle

        nodes = find_cycle(self.X, self.shape, self.k, self.tick)
        before = self.labels.copy()
        apply_cycle(self.labels, nodes)
        moved = self.labels != before
        self.sizes = np.bincount(self.labels)
        self.fresh[before[moved]] = True
        self.fresh[self.labels[moved]] = True
        return len(nodes) > 0

    def tick(self, done: float | None = None) -> None:
        """Report how far the round is; raise `StoppedError` if the run must end."""
        self.progress.report(self.iteration, self.sse, done)

    def _is_over(self, max_rounds: int | None) -> bool:
        return max_rounds is not None and self.iteration >= max_rounds

    def _recut(self) -> None:
        """Cut a tour through the groups: [1] section 4.2."""
        from microagg.kernels.moves.exchange import fresh_groups_after

        order, starts = walk_and_cut(self.context, self.labels, self.sizes, self.k, self.tick)
        labels = labels_along(order, starts)
        sizes = np.bincount(labels)
        self.fresh = fresh_groups_after(self.labels, self.sizes, self.fresh, labels, sizes)
        self.labels = labels
        self.sizes = sizes

    def _exchange(self) -> None:
        """Make the best of the first changes that gain: [1] algorithm 3."""
        from microagg.kernels.moves.exchange import find_moves, make_best_moves, measure_groups

        n_groups = len(self.sizes)
        shape = measure_groups(self.X, self.labels, n_groups)
        pool = find_moves(self.X, shape, self.k, self.fresh, _POOL_SIZE, self.tick)
        changed = make_best_moves(self.labels, n_groups, pool)
        self.sizes = np.bincount(self.labels)
        self.fresh = changed if len(pool.records) < _POOL_SIZE else self.fresh | changed
