"""Runs of the measurements of scale, each in a process of its own: `python scale_runs.py RUN ARGUMENT …` prints JSON.

Kernels are compiled and loaded by smaller runs before the clock starts. A short run is repeated, and its least time
counts, as machines are noisy; what is compared with each other takes turns.
"""

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from microagg import solve
from microagg.model.arrays import FloatArray
from process_meter import Meter, high_water_mark
from scale_data import data

K = 5
D = 10
N_NEIGHBOURS = 17
_WARMING_RECORDS = 2_000
_DIVIDED_RECORDS = 100_000  # enough to be solved in blocks
_REPETITIONS = 3
_REPEATED_BELOW = 40.0  # seconds: what takes longer is measured once

Result = dict[str, Any]
Work = Callable[[], Result]


def _grouped(X: FloatArray, **options: Any) -> Result:
    """Solve, and tell the loss, whether the groups are legal, and which method was chosen."""
    solution = solve(X, K, random_state=0, **options)
    sizes = np.bincount(solution.labels)
    legal = len(solution.labels) == len(X) and bool(sizes.min() >= K)
    return {"loss": solution.information_loss, "legal": legal, "method": solution.method}


def _warm(X: FloatArray, effort: str) -> None:
    """Load all kernels: with the same effort on few records, and on many, which are divided, with quick effort."""
    _grouped(X[:_WARMING_RECORDS], effort=effort)
    if len(X) >= _DIVIDED_RECORDS:
        _grouped(X[:_DIVIDED_RECORDS], effort="quick")


def _in_turns(works: Mapping[str, Work]) -> Result:
    """Do some works in turns; return the result of each, with the least of its times."""
    results: Result = {}
    for turn in range(_REPETITIONS):
        for name, work in works.items():
            meter = Meter()
            result = work()
            reading = meter.read()
            if turn == 0 or reading.wall < results[name]["wall"]:
                results[name] = {**result, **reading._asdict()}
        if sum(result["wall"] for result in results.values()) > _REPEATED_BELOW:
            break
    return results


def _alone(work: Work) -> Result:
    """Do one work, and tell the most memory that this process ever had, too."""
    result: Result = _in_turns({"": work})[""]
    return {**result, "peak": high_water_mark()}


def run_solve(shape: str, n: int, effort: str) -> Result:
    """Solve by the default method."""
    X = data(shape, n, D)
    _warm(X, effort)
    return _alone(lambda: _grouped(X, effort=effort))


def run_beside_mdav(shape: str, n: int) -> Result:
    """Solve by exact MDAV and, in turns, with quick effort."""
    X = data(shape, n, D)
    _grouped(X[:_WARMING_RECORDS], method="mdav")
    _warm(X, "quick")
    return _in_turns({"mdav": lambda: _grouped(X, method="mdav"), "quick": lambda: _grouped(X, effort="quick")})


def run_hard(shape: str, n: int, effort: str) -> Result:
    """Solve a hard shape and, in turns, the plain data it was made of."""
    plain = data("mixture", n, D)
    hard = data(shape, n, D)
    _warm(plain, effort)
    return _in_turns({"plain": lambda: _grouped(plain, effort=effort), "hard": lambda: _grouped(hard, effort=effort)})


def run_leaves(shape: str, n: int) -> Result:
    """Solve by MDAV in leaves, on one thread."""
    X = data(shape, n, D)
    from mdav_in_leaves import mdav_in_leaves  # the sources of version 0.1 cannot run it

    mdav_in_leaves(X[:_WARMING_RECORDS], K)
    return _alone(lambda: {"loss": mdav_in_leaves(X, K)})


def run_neighbours(shape: str, n: int) -> Result:
    """Find the exact neighbours of every record by scipy's tree, which is built before the clock starts."""
    from scipy.spatial import cKDTree

    X = data(shape, n, D)
    points = (X - X.mean(axis=0)) / X.std(axis=0)
    tree = cKDTree(points)

    def query() -> Result:
        tree.query(points, N_NEIGHBOURS + 1, workers=2)  # the nearest is the record itself
        return {}

    return _alone(query)


RUNS: Mapping[str, Callable[..., Result]] = {
    "solve": run_solve,
    "beside-mdav": run_beside_mdav,
    "hard": run_hard,
    "leaves": run_leaves,
    "neighbours": run_neighbours,
}
"""Every run, by its name."""


def main() -> None:
    """Do the run that the arguments name, and print its result."""
    name, shape, n, *effort = sys.argv[1:]
    print(json.dumps(RUNS[name](shape, int(n), *effort)))


if __name__ == "__main__":
    main()
