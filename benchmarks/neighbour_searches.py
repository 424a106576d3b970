"""Searches for the neighbours of all records, ours and those of other libraries, each with two threads.

Run as a program, in a process of its own, it measures one of them: `neighbour_searches.py NAME DATA.npy` prints
seconds, memory, recall and whether a second run finds the same, as JSON. Libraries are imported when they are needed.
"""

import json
import resource
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Lists = npt.NDArray[np.int64]

THREADS = 2
N_NEIGHBOURS = 17
_N_CHECKED = 500  # records whose true neighbours are computed, for the recall
_N_WARM = 3000  # records of the first call, which compiles
_TWICE_BELOW = 30.0  # seconds, up to which a search is done again, to see whether it finds the same


def _ours(X: Points) -> Lists:
    near = import_module("microagg.kernels.geometry.approximate_neighbours")
    return _with_workers(near.neighbours_near, X)


def _ours_rough(X: Points) -> Lists:
    near = import_module("microagg.kernels.geometry.approximate_neighbours")
    return _with_workers(partial(near.neighbours_near, rough=True), X)


def _ours_exact(X: Points) -> Lists:
    exact = import_module("microagg.kernels.geometry.neighbour_lists")
    return _with_workers(exact.neighbours, X)


def _with_workers(search: Callable[..., Lists], X: Points) -> Lists:
    workers = import_module("microagg.control.workers").Workers(THREADS)
    lists = search(X, N_NEIGHBOURS, in_parallel=workers.map)
    workers.close()
    return lists


def _scipy(X: Points) -> Lists:
    tree = import_module("scipy.spatial").cKDTree(X)
    return _others(tree.query(X, N_NEIGHBOURS + 1, workers=THREADS)[1])


def _pynndescent(X: Points) -> Lists:
    library = import_module("pynndescent")
    index = library.NNDescent(X.astype(np.float32), n_neighbors=N_NEIGHBOURS + 1, random_state=0, n_jobs=THREADS)
    return _others(index.neighbor_graph[0])


def _faiss_ivf(X: Points) -> Lists:
    faiss = import_module("faiss")
    faiss.omp_set_num_threads(THREADS)
    single = X.astype(np.float32)
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(X.shape[1]), X.shape[1], int(len(X) ** 0.5))
    index.train(single)
    index.add(single)
    index.nprobe = 16
    return _others(index.search(single, N_NEIGHBOURS + 1)[1])


def _hnswlib(X: Points) -> Lists:
    single = X.astype(np.float32)
    index = import_module("hnswlib").Index(space="l2", dim=X.shape[1])
    index.init_index(max_elements=len(X), ef_construction=100, M=16, random_seed=0)
    index.set_num_threads(THREADS)
    index.add_items(single)
    index.set_ef(64)
    return _others(index.knn_query(single, N_NEIGHBOURS + 1)[0].astype(np.int64))


def _usearch(X: Points) -> Lists:
    single = X.astype(np.float32)
    index = import_module("usearch.index").Index(ndim=X.shape[1], metric="l2sq", dtype="f32")
    index.add(np.arange(len(X)), single, threads=THREADS)
    return _others(index.search(single, N_NEIGHBOURS + 1, threads=THREADS).keys.astype(np.int64))


SEARCHES: Mapping[str, Callable[[Points], Lists]] = {
    "ours": _ours,
    "ours, exact": _ours_exact,
    "ours, rough": _ours_rough,
    "scipy cKDTree": _scipy,
    "faiss IVF": _faiss_ivf,
    "pynndescent": _pynndescent,
    "hnswlib": _hnswlib,
    "usearch": _usearch,
}


def _others(lists: npt.NDArray[Any]) -> Lists:
    """Return the lists without the record itself, or without their last one where it is not in them."""
    is_record = lists == np.arange(len(lists))[:, None]
    is_record[:, -1] |= ~is_record.any(axis=1)
    others: Lists = lists[~is_record].reshape(len(lists), -1).astype(np.int64)
    return others


def _recall(X: Points, lists: Lists) -> float:
    """Return the share of true neighbours in the lists of some records; one at the same distance counts as true."""
    n_found = 0
    records = np.random.default_rng(0).choice(len(X), _N_CHECKED, replace=False)
    for record in records:
        squares = np.square(X - X[record]).sum(axis=1)
        squares[record] = np.inf
        farthest = np.partition(squares, N_NEIGHBOURS - 1)[N_NEIGHBOURS - 1]
        n_found += int((squares[np.unique(lists[record])] <= farthest).sum())
    return n_found / (_N_CHECKED * N_NEIGHBOURS)


def _peak() -> int:
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measure(name: str, X: Points) -> dict[str, Any]:
    """Run a search, the second call of which is measured, and perhaps a third to compare."""
    search = SEARCHES[name]
    search(X[:_N_WARM].copy())
    before = _peak()
    wall, cpu = time.perf_counter(), time.process_time()
    lists = search(X)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = _peak() - before
    is_repeated = bool((search(X) == lists).all()) if wall < _TWICE_BELOW else None
    return {"wall": wall, "cpu": cpu, "memory": peak, "recall": _recall(X, lists), "repeated": is_repeated}


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], np.load(sys.argv[2]))))
