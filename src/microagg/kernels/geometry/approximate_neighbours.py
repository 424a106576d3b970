"""Lists of near records in nearly linear time, for uses that hardly notice if some of the nearest are missing."""

from microagg.kernels.geometry.leaf_search import EXACT, Effort, ParallelMap, one_by_one
from microagg.kernels.geometry.neighbour_lists import search_lists
from microagg.kernels.geometry.record_leaves import LEAF
from microagg.kernels.tick import Tick, no_tick
from microagg.model.arrays import FloatArray, IntArray

_MAX_EXACT_WORK = 5e11  # n²·d: at worst about half a minute of one processor
_FEW_COLUMNS = 4  # up to which an exact search takes hardly longer than an approximate one, whatever n
_MAX_LEAVES = 512
_MAX_ROUGH_LEAVES = 128
_SHRINK = 1 / 1.5**2  # a leaf is skipped if it is farther than 1/1.5 of the distance of the last neighbour


def neighbours_near(
    X: FloatArray,
    n_neighbours: int,
    tick: Tick = no_tick,
    in_parallel: ParallelMap = one_by_one,
    *,
    rough: bool = False,
) -> IntArray:
    """Find other records near each record, by distance, then index: the nearest ones unless there are too many records.

    Above the border, each list has the nearest of those records that are in up to 512 leaves around the record: nearly
    linear in n. The share of true neighbours is in `docs/neighbours.md`.

    Parameters
    ----------
    X
        The points of the records, of shape (n, d).
    n_neighbours
        The length of the lists, below n.
    tick
        Progress callback.
    in_parallel
        The map that shares the work among threads, such as `Workers.map`; it changes no result.
    rough
        Whether to search fewer leaves, and not all of them even of few records; up to four columns, it changes nothing.

    Returns
    -------
    ndarray of shape (n, n_neighbours)
    """
    n, d = X.shape
    return search_lists(X, n_neighbours, effort_for(n, d, n_neighbours, rough=rough), tick, in_parallel)


def effort_for(n: int, d: int, n_neighbours: int, *, rough: bool = False) -> Effort:
    """Return how far to search n records of d columns; far enough at least to fill the lists."""
    if d <= _FEW_COLUMNS or (n * n * d <= _MAX_EXACT_WORK and not rough):
        return EXACT
    return Effort(max(_MAX_ROUGH_LEAVES if rough else _MAX_LEAVES, 4 * n_neighbours // LEAF), _SHRINK)
