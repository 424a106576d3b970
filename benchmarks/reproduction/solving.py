"""Tasks that solve a data set: what was lost, how long it took, in how many iterations."""

import time
from functools import cache
from pathlib import Path
from statistics import mean, median

import numpy as np

import simulated
from cached_tasks import Result, Task, digest
from classics import CLASSICS
from microagg import datasets, solve
from microagg.model.arrays import FloatArray
from source_state import method_state

ROUNDS = {"synthetic (max 20 iterations)": 20, "synthetic (max 400 iterations)": 400}
N_ORDERS = 12  # of the records, in which a method is run that depends on it
_WARMING_RECORDS = 60
_REPEATED_BELOW = 2.0  # seconds: what takes longer is measured once
_REPETITIONS = 5


def loss_task(dataset: str, k: int, method: str) -> Task:
    """Return the task of solving a data set once."""
    return "solve", dataset, k, method


def timed_task(dataset: str, k: int, method: str) -> Task:
    """Return the task of solving a data set with compiled kernels, several times, with nothing beside it."""
    return "time", dataset, k, method


def orders_task(dataset: str, k: int, method: str) -> Task:
    """Return the task of solving a data set with its records in several random orders."""
    return "orders", dataset, k, method


def state(task: Task) -> str:
    """Return the state of the sources that such a task depends on."""
    _, dataset, _, method = task
    of_data = "" if dataset in CLASSICS else digest([Path(simulated.__file__)])
    return method_state(_limited(dataset, method)) + of_data


def run_solve(dataset: str, k: int, method: str) -> Result:
    """Solve a data set, or all simulated ones of a name: means."""
    start = time.perf_counter()
    solutions = [solve(X, k, method=_limited(dataset, method)) for X in _matrices(dataset)]
    seconds = time.perf_counter() - start
    losses = [solution.information_loss for solution in solutions]
    return {"loss": mean(losses), "iterations": mean(one.iterations for one in solutions), "seconds": seconds}


def run_orders(dataset: str, k: int, method: str) -> Result:
    """Solve a data set with its records in random orders, the same for every method: the loss of each."""
    X = datasets.matrix(dataset)
    start = time.perf_counter()
    orders = [np.random.default_rng(number).permutation(len(X)) for number in range(N_ORDERS)]
    losses = [solve(np.ascontiguousarray(X[order]), k, method=method).information_loss for order in orders]
    return {"losses": losses, "seconds": time.perf_counter() - start}


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
    return (datasets.matrix(dataset),) if dataset in CLASSICS else tuple(simulated.sets(dataset))


def _limited(dataset: str, method: str) -> str:
    """Return the method with the number of iterations that the ICSM paper allows on its synthetic data set."""
    if dataset not in ROUNDS or not method.startswith("icsm"):
        return method
    given = method.removeprefix("icsm").strip("()")
    return f"icsm({','.join(filter(None, [given, f'max_iterations={ROUNDS[dataset]}']))})"
