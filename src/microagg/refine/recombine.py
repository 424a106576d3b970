"""Recombination of the groups of several partitions into one that loses less than any of them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from microagg.control.run import Run
from microagg.lp.group_columns import GroupColumns
from microagg.lp.integer_programme import improve_choice
from microagg.lp.lp_relaxation import solve_relaxation
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.partition import Partition

_MAX_RECORDS = 20_000  # beyond, the relaxation takes longer than searching on
_MIN_SCALE = 1e-2  # average sse of a group beyond which sses are scaled, as HiGHS's tolerances are absolute
_MAX_SCALE = 1e3
_MAX_COLUMNS = 1000  # of the integer programme, besides the incumbent's: a second or two


class VisitedGroups(NamedTuple):
    """Groups that a search has visited."""

    members: IntArray  # (n_groups, 2k − 1) the records of each, of which the first `sizes` count
    sizes: IntArray  # (n_groups,)
    sses: FloatArray  # (n_groups,)
    hashes: IntArray  # (n_groups,) equal for equal groups


def crossover(one: Partition, other: Partition) -> Partition:
    """Return a partition that takes the better of two wherever they differ: O(n).

    Groups that share a record are linked; each connected set of groups of the one covers the same records as those of
    the other, and the better of the two is taken.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n_own, n_all = one.n_groups, one.n_groups + other.n_groups
    links = coo_array((np.ones(len(one.labels)), (one.labels, n_own + other.labels)), shape=(n_all, n_all))
    n_components, component_of_group = connected_components(links, directed=False)
    component = component_of_group[one.labels]  # of each record
    losses = [np.bincount(component, weights=both.losses, minlength=n_components) for both in (one, other)]
    is_better = (losses[1] < losses[0])[component]
    return min(one, Partition(one.problem, np.where(is_better, n_own + other.labels, one.labels)), key=_sse)


def recombine(
    best: Partition, others: Sequence[Partition], visited: VisitedGroups, max_checks: int, run: Run
) -> Partition | None:
    """Choose groups of partitions and of those visited that cover each record once and lose least.

    First by crossover of any two partitions; then, where there are not too many records, by set partitioning: the
    reduced costs of the relaxation over all groups tell which of them can be part of a better choice, and the integer
    programme chooses among the most promising of these.

    Parameters
    ----------
    best, others
        Partitions of the same problem.
    visited
        Groups found on the way to them.
    max_checks
        Effort of the integer programme: see `improve_choice`.
    run
        Its time limit and its cancel flag hold.

    Returns
    -------
    Partition or None
        One no worse than `best`; None where the run ended it: what was found would depend on when.
    """
    for other in others:
        best = crossover(best, other)
    if best.problem.n > _MAX_RECORDS:
        return best
    scale = best.sse / best.n_groups
    if scale == 0.0:
        return best
    columns, incumbent = _columns(best, visited)
    if not _MIN_SCALE < scale < _MAX_SCALE:
        columns = columns._replace(sses=columns.sses / scale)
    relaxation = solve_relaxation(columns, run)
    if relaxation is None or run.cancelled:
        return None
    gap = float(columns.sses[incumbent].sum()) - relaxation.objective
    reduced_costs = columns.reduced_costs(relaxation.duals)
    promising = np.flatnonzero(reduced_costs < gap)
    promising = promising[np.argsort(reduced_costs[promising], kind="stable")[:_MAX_COLUMNS]]
    which = np.union1d(promising, incumbent)
    chosen = improve_choice(columns.select(which), np.searchsorted(which, incumbent), max_checks, run)
    if chosen is None:
        return None
    return min(best, Partition(best.problem, columns.labels(which[chosen])), key=_sse)


def _columns(best: Partition, visited: VisitedGroups) -> tuple[GroupColumns, IntArray]:
    """Return the groups of a partition followed by other visited ones, and the indices of the first."""
    is_member = np.arange(visited.members.shape[1]) < visited.sizes[:, None]
    labels = best.labels[np.where(is_member, visited.members, visited.members[:, :1])]
    is_other = ~((labels == labels[:, :1]).all(axis=1) & (visited.sizes == best.sizes[labels[:, 0]]))
    _, first = np.unique(visited.hashes, return_index=True)
    new = first[is_other[first]]
    starts = np.concatenate([[0], np.cumsum(visited.sizes[new])])
    others = GroupColumns(best.problem.n, starts, visited.members[new][is_member[new]], visited.sses[new])
    return GroupColumns.of_partition(best).extended(others), np.arange(best.n_groups)


def _sse(partition: Partition) -> float:
    return partition.sse
