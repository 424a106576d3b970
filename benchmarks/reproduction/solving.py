"""Tasks that solve a data set: what was lost, how long it took, in how many iterations."""

import time
from functools import cache
from statistics import mean, median

from cached_tasks import Result, Task
from classics import CLASSICS
from microagg import datasets, solve
from microagg.model.arrays import FloatArray
from simulated import sets
from source_state import method_state

ROUNDS = {"synthetic (max 20 iterations)": 20, "synthetic (max 400 iterations)": 400}
_WARMING_RECORDS = 60
_REPEATED_BELOW = 2.0  # seconds: what takes longer is measured once
_REPETITIONS = 5


def loss_task(dataset: str, k: int, method: str) -> Task:
    """Return the task of solving a data set once."""
    return "solve", dataset, k, method


def timed_task(dataset: str, k: int, method: str) -> Task:
    """Return the task of solving a data set with compiled kernels, several times, with nothing beside it."""
    return "time", dataset, k, method


def state(task: Task) -> str:
    """Return the state of the sources that such a task depends on."""
    _, dataset, _, method = task
    return method_state(_limited(dataset, method))


def run_solve(dataset: str, k: int, method: str) -> Result:
    """Solve a data set, or all simulated ones of a name: means."""
    start = time.perf_counter()
    solutions = [solve(X, k, method=_limited(dataset, method)) for X in _matrices(dataset)]
    seconds = time.perf_counter() - start
    losses = [solution.information_loss for solution in solutions]
    return {"loss": mean(losses), "iterations": mean(one.iterations for one in solutions), "seconds": seconds}


def run_time(dataset: str, k: int, method: str) -> Result:
    """Solve a data set, or the first simulated one of a name, with compiled kernels: the median time."""
    limited = _limited(dataset, method)
    X = _matrices(dataset)[0]
    solve(X[:_WARMING_RECORDS], k, method=limited)
    times: list[float] = []
    while not times or (len(times) < _REPETITIONS and times[0] < _REPEATED_BELOW):
        start = time.perf_counter()
        solution = solve(X, k, method=limited)
        times.append(time.perf_counter() - start)
    return {"loss": solution.information_loss, "iterations": solution.iterations, "seconds": median(times)}


@cache
def _matrices(dataset: str) -> tuple[FloatArray, ...]:
    return (datasets.matrix(dataset),) if dataset in CLASSICS else tuple(sets(dataset))


def _limited(dataset: str, method: str) -> str:
    """Return the method with the number of iterations that the ICSM paper allows on its synthetic data set."""
    if dataset not in ROUNDS or not method.startswith("icsm"):
        return method
    given = method.removeprefix("icsm").strip("()")
    return f"icsm({','.join(filter(None, [given, f'max_iterations={ROUNDS[dataset]}']))})"
