"""ICSM: tour cuts, exchanges and cyclic moves."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.random import Generator

from microagg.control.round_progress import RoundProgress
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.model.arrays import IntArray
from microagg.model.checks import one_of, whole_number
from microagg.model.errors import InputError
from microagg.model.partition import Partition
from microagg.refine.icsm_rounds import IcsmRounds, IcsmSettings
from microagg.refine.multistart import MultiStart
from microagg.refine.walk_preparation import prepare_walks

if TYPE_CHECKING:
    from microagg.kernels.walks.walk_context import WalkContext

_N_PERTURBED = 20  # records that get another group before another start: [1], section 5.3
_N_NEIGHBOURS = 16
_BATCH_SIZE = 8  # starts from one best partition
_PERTURB = ("start", "best")
_PAIRS = ("once", "both")
_CYCLES = ("best", "first", "all")


@dataclass(frozen=True)
class Icsm:
    """Optimal cut of a tour through the groups, migrations, exchanges and cyclic moves of records, in turn.

    Until nothing improves: the tour step (see `Recut`) finds the number of groups; then the first 100
    migrations (1-opt) and exchanges (2-opt) that gain are made, the best first, no two of them in one group; where
    there are none, the best cycle of moves (n-opt) through the group of the lowest score. O(n²·(d + k)) a round at
    worst; pairs of groups too far from each other, or unchanged since they were examined, are skipped. The pool takes
    the first changes found, record by record, as the pseudo-code says. Ties go to the lowest index.

    The defaults depart from the print in `pairs` and `cycles`; the print is `icsm(pairs=both, cycles=first)`. Neither
    loses less throughout: 14.63 and 14.79 % on Tarragona at k = 3, published 14.81; 7.69 and 7.56 % on Census at
    k = 5, published 7.78. Of the nine published losses on the classic data, the defaults are at most 0.7 % above.

    The print takes 71, 86, 90 rounds on Tarragona at k = 3, 5, 10, then 86, 157, 90 on Census and 9, 12, 25 on EIA; the
    defaults 54, 85, 73, then 40, 48, 99 and 9, 13, 31. Published are 174, 238, 127, then 203, 205, 210 and 29, 39, 142:
    each round gains less there, for a reason that is not printed. If the records were scanned group by group, the
    print would take about 90, 89, 130, then 80, 105, 154 and 15, 22, 25.

    Parameters
    ----------
    max_iterations
        The number of rounds of tour and exchanges from each start; None: no limit.
    starts
        The number of starts: the first from the partition as it is, each other after 20 of its records have been moved
        to random groups. The best result is kept.
    perturb
        The partition whose records are moved: "start", the one to refine, as in the paper; or "best", which is ours:
        the second half of the starts, eight at a time, moves records of the best partition so far.
    pool
        The number of migrations and exchanges that are found before the best of them are made; the paper's p_n.
    pairs
        How often two records are examined for an exchange: "once", or "both", in both orders, as line 6 of the paper's
        algorithm 3 says. Then an exchange may fill two places of the pool.
    cycles
        The cycles of moves that are made before the tour step comes again: "best", the one that gains most; "first",
        the first that gains, as the paper's algorithm 4 says; or "all", the first, then the first that still gains,
        and so on.

    References
    ----------
    [1] Mortazavi & Jalili (2015), A novel local search method for microaggregation, The ISC International Journal of
        Information Security 7(1), algorithms 2 to 5 and section 5.3.
    """

    max_iterations: int | None = None
    starts: int = 1
    perturb: str = "start"
    pool: int = 100  # p_n of [1], section 5.1
    pairs: str = "once"
    cycles: str = "best"
    reference: ClassVar[str] = "Mortazavi & Jalili 2015"

    def __post_init__(self) -> None:
        if self.max_iterations is not None:
            object.__setattr__(self, "max_iterations", whole_number("max_iterations", self.max_iterations, at_least=0))
        object.__setattr__(self, "starts", whole_number("starts", self.starts, at_least=1))
        object.__setattr__(self, "pool", whole_number("pool", self.pool, at_least=1))
        one_of("pairs", self.pairs, _PAIRS)
        one_of("cycles", self.cycles, _CYCLES)
        if one_of("perturb", self.perturb, _PERTURB) == "best" and self.starts == 1:
            raise InputError("perturb=best needs several starts, as in 'icsm(starts=200, perturb=best)', found one")

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is needed for several starts."""
        progress = RoundProgress("icsm", partition.problem, run)
        try:
            context = prepare_walks(partition, progress, _N_NEIGHBOURS)
        except StoppedError:
            return partition
        if self.starts == 1:
            return _refine(partition, partition.labels, context, self._settings, progress)
        multistart = MultiStart("icsm", partition, self.starts, run)
        for numbers in self._batches():
            base = multistart.best
            labels = (_perturb(base, rng.spawn(1)[0]) if number else base.labels for number in numbers)
            starts = (partial(_refine, base, start, context, self._settings) for start in labels)
            if not multistart.refine_batch(starts):
                break
        return multistart.best

    @property
    def _settings(self) -> IcsmSettings:
        return IcsmSettings(self.max_iterations, self.pool, self.pairs == "both", self.cycles)

    def _batches(self) -> Iterator[range]:
        """Yield the numbers of the starts that begin from the same partition."""
        first = self.starts if self.perturb == "start" else (self.starts + 1) // 2
        yield range(first)
        for done in range(first, self.starts, _BATCH_SIZE):
            yield range(done, min(done + _BATCH_SIZE, self.starts))


def _perturb(partition: Partition, rng: Generator) -> IntArray:
    """Give some records random groups ([1] section 5.3), which may then be below k: the tour is cut anew."""
    n_perturbed = min(partition.problem.n, _N_PERTURBED)
    groups = rng.integers(partition.n_groups, size=n_perturbed)
    records = rng.choice(partition.problem.n, n_perturbed, replace=False)
    labels = partition.labels.copy()
    labels[records] = groups
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _refine(
    base: Partition, labels: IntArray, context: "WalkContext", settings: IcsmSettings, progress: RoundProgress
) -> Partition:
    """Refine the groups of some labels until nothing improves; return the best of the result and `base`."""
    try:
        rounds = IcsmRounds(base, labels, context, settings, progress)
    except StoppedError:
        return base
    with suppress(StoppedError):
        rounds.repeat()
    if rounds.iteration == 0:
        return base
    return min(base, Partition(base.problem, rounds.labels), key=lambda partition: partition.sse)
