"""Recombine groups of several partitions into one that loses less than any of them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from microagg.control.run import Run
from microagg.lp import choose, relax
from microagg.lp.group_columns import Columns
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.partition import Partition

_MOST_RECORDS = 20_000  # beyond that, the relaxation takes longer than searching on
_SMALL, _LARGE = 1e-2, 1e3  # what groups lose; else it is measured by what they lose on average
_MOST_COLUMNS = 1000  # of the integer programme, besides the incumbent's: a second or two


class Pool(NamedTuple):
    """Hold groups to choose from."""

    members: IntArray  # (any number, 2k − 1) the records of each, the first `sizes` count
    sizes: IntArray  # (any number,)
    sses: FloatArray  # (any number,)
    marks: IntArray  # (any number,) equal for equal groups


def crossed(one: Partition, other: Partition) -> Partition:
    """Take from two partitions what is better wherever they differ: O(n).

    Groups that share a record are linked; each connected set of groups of the one covers the same records as those of
    the other, and the better of the two is taken.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    groups, n_groups = one.n_groups + other.n_groups, one.n_groups
    links = coo_array((np.ones(len(one.labels)), (one.labels, n_groups + other.labels)), shape=(groups, groups))
    count, part = connected_components(links, directed=False)
    part = part[one.labels]  # of each record
    losses = [np.bincount(part, weights=partition.losses, minlength=count) for partition in (one, other)]
    better = (losses[1] < losses[0])[part]
    return min(one, Partition(one.problem, np.where(better, n_groups + other.labels, one.labels)), key=_sse)


def recombined(best: Partition, others: Sequence[Partition], pool: Pool, patience: int, run: Run) -> Partition | None:
    """Choose groups of partitions and of a pool so that every record is in one of them and least is lost.

    First wherever the partitions differ, the better of any two; then, where there are not too many records, by set
    partitioning: the relaxation over the whole pool tells which columns can be part of a better choice, and the
    integer programme chooses among the most promising of these.

    Parameters
    ----------
    best, others
        Partitions of the same problem.
    pool
        Groups met on the way to them.
    patience
        Of the integer programme: see `choose`.
    run
        Whose time is limited, and which may be cancelled.

    Returns
    -------
    Partition or None
        One no worse than `best`; None where the run ended it: what was found would depend on when.
    """
    for other in others:
        best = crossed(best, other)
    if best.problem.n > _MOST_RECORDS:
        return best
    typical = best.sse / best.n_groups
    if typical == 0.0:
        return best
    columns, incumbent = _columns(best, pool)
    if not _SMALL < typical < _LARGE:
        columns = columns._replace(sses=columns.sses / typical)
    relaxation = relax(columns, run.time_left)
    if relaxation is None or run.cancelled:
        return None
    gap = float(columns.sses[incumbent].sum()) - relaxation.sse
    reduced_costs = columns.reduced_costs(relaxation.duals)
    promising = np.flatnonzero(reduced_costs < gap)
    promising = promising[np.argsort(reduced_costs[promising], kind="stable")[:_MOST_COLUMNS]]
    which = np.union1d(promising, incumbent)
    chosen = choose(
        columns.only(which), np.searchsorted(which, incumbent), patience, run.time_left, lambda: run.cancelled
    )
    if chosen is None:
        return None
    return min(best, Partition(best.problem, columns.labels(which[chosen])), key=_sse)


def _columns(best: Partition, pool: Pool) -> tuple[Columns, IntArray]:
    """Give the groups of a partition, and those of a pool that are others, and the numbers of the first."""
    there = np.arange(pool.members.shape[1]) < pool.sizes[:, None]
    label = best.labels[np.where(there, pool.members, pool.members[:, :1])]
    other = ~((label == label[:, :1]).all(axis=1) & (pool.sizes == best.sizes[label[:, 0]]))
    _, first = np.unique(pool.marks, return_index=True)
    new = first[other[first]]
    starts = np.concatenate([[0], np.cumsum(pool.sizes[new])])
    others = Columns(best.problem.n, starts, pool.members[new][there[new]], pool.sses[new])
    return Columns.of(best).and_also(others), np.arange(best.n_groups)


def _sse(partition: Partition) -> float:
    return partition.sse
