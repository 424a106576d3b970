"""The rounds of ICSM; [1] is its paper, see `Icsm`."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microagg.control.round_progress import RoundProgress
from microagg.model.arrays import BoolArray, IntArray
from microagg.model.partition import Partition, labels_along
from microagg.refine.multistart import initial_sse
from microagg.refine.recut import walk_and_cut

if TYPE_CHECKING:
    from microagg.kernels.walks.walk_context import WalkContext


class IcsmSettings(NamedTuple):
    """What happens in the rounds from one start: see the parameters of `Icsm`."""

    max_rounds: int | None
    pool_size: int
    both_orders: bool  # of the records of an exchange
    cycles: str  # which cycles through one group are made: "best", "first" or "all"


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
    settings
        What happens in the rounds.
    progress
        The progress to report and check.
    """

    def __init__(
        self,
        base: Partition,
        labels: IntArray,
        context: "WalkContext",
        settings: IcsmSettings,
        progress: RoundProgress,
    ) -> None:
        from microagg.kernels.walks.walk_context import copy_walk_context

        self.X = base.problem.X
        self.k = base.problem.k
        self.labels = labels
        self.sizes = np.bincount(labels)
        self.iteration = 0
        self.sse = initial_sse(base, labels)
        self.context = copy_walk_context(context)
        self.settings = settings
        self.progress = progress
        self.fresh: BoolArray = np.ones(len(self.sizes), dtype=np.bool_)  # not yet examined together with all others

    def repeat(self) -> None:
        """Do rounds while they improve, make cyclic moves where they do not, and so on until neither improves."""
        sse_at_last_cycle = np.inf
        while True:
            while not self._is_over() and self.round():
                pass
            if self._is_over() or not self.sse < sse_at_last_cycle:
                return
            sse_at_last_cycle = self.sse  # a cycle that gains by rounding only is not made again
            if not self.move_in_cycles():
                return

    def round(self) -> bool:
        """Cut a tour, then let records migrate and change places; return whether that improved the sse."""
        self.tick()
        self._recut()
        self._exchange()
        before = self.sse
        self._measure()
        self.iteration += 1
        return self.sse < before

    def move_in_cycles(self) -> bool:
        """Make a cycle of moves through the group of the lowest score, or one after the other: [1] algorithm 4."""
        from microagg.kernels.moves.cycles import least_score

        source = least_score(self.shape)
        moved = self._move_in_cycle(source)
        if self.settings.cycles == "all" and moved:
            self._move_in_more_cycles(source)
        return moved

    def tick(self, done: float | None = None) -> None:
        """Report how far the round is; raise `StoppedError` if the run must end."""
        self.progress.report(self.iteration, self.sse, done)

    def _is_over(self) -> bool:
        max_rounds = self.settings.max_rounds
        return max_rounds is not None and self.iteration >= max_rounds

    def _measure(self) -> None:
        """Measure the groups and their sse."""
        from microagg.kernels.moves.exchange import measure_groups

        self.shape = measure_groups(self.X, self.labels, len(self.sizes))
        self.sse = float(np.square(self.shape.radii).sum())

    def _move_in_cycle(self, source: int) -> bool:
        """Make the best, or the first, cycle of moves through a group that gains; return whether there is one."""
        from microagg.kernels.moves.cycles import apply_cycle, find_cycle

        first = self.settings.cycles != "best"
        nodes = find_cycle(self.X, self.shape, self.k, source, self.tick, first=first)
        before = self.labels.copy()
        apply_cycle(self.labels, nodes)
        moved = self.labels != before
        self.sizes = np.bincount(self.labels)
        self.fresh[before[moved]] = True
        self.fresh[self.labels[moved]] = True
        return len(nodes) > 0

    def _move_in_more_cycles(self, source: int) -> None:
        """Make cycles through a group, each on the groups as the one before left them, until none gains."""
        while True:
            before = self.sse
            self._measure()
            if not self.sse < before or not self._move_in_cycle(source):
                return  # after a cycle that gains by rounding only, too

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
        size = self.settings.pool_size
        pool = find_moves(self.X, shape, self.k, self.fresh, size, self.tick, self.settings.both_orders)
        changed = make_best_moves(self.labels, n_groups, pool)
        self.sizes = np.bincount(self.labels)
        self.fresh = changed if len(pool.records) < size else self.fresh | changed
