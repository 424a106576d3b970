"""Runs of the league: which methods take part, and what is measured of each."""

import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from statistics import median
from typing import Any

import microagg
from cached_tasks import Result, Task
from league_data import DATA
from microagg import MethodError, solve
from microagg.methods import pipeline
from microagg.methods.pipelines import has_effort
from microagg.methods.systems import AUTO
from microagg.version import __version__

KS = (3, 5, 10)
RANDOM = ("kmeans", "ls", "mf-tsp", "ona", "reporder", "search")
"""The methods whose groups depend on `random_state`: a test compares the others."""

LEFT_OUT = {AUTO: "search", "univariate": "one column", "exact": "no end but a proof", "column-generation": "minutes"}
"""The methods that do not take part, and why."""

_N_STATES = {"kmeans": 10, "mf-tsp": 3, "ona": 3, "ls": 3, "reporder": 3, "search": 3}  # others need one
_TOO_LARGE = {"mf-tsp": ("eia", "digits")}  # data for O(n³) time
_EFFORT = "(effort=standard)"  # of a search
_WARMING_RECORDS = 60
_REPETITIONS = 3
_REPEATED_BELOW = 0.1  # seconds: what takes longer is measured once


@cache
def competitors() -> tuple[str, ...]:
    """Return every method once: constructors, systems, and refiners after MDAV; no second name of the same stages."""
    chosen: dict[Any, str] = {}
    for listed in microagg.methods():
        method = f"mdav{listed.name}" if listed.name.startswith("+") else listed.name
        if method not in LEFT_OUT:
            with suppress(MethodError):  # of what makes no single partition
                chosen.setdefault(pipeline(method).stages, method)
    return tuple(chosen.values())


def tasks() -> Iterator[Task]:
    """Generate every run, the first random state of all methods first: data, k, method, random state."""
    for state in range(max(_N_STATES.values())):
        for method in competitors():
            if state < _N_STATES.get(method, 1):
                names = (name for name in DATA if name not in _TOO_LARGE.get(method, ()))
                yield from (("run", name, k, method, state) for name in names for k in KS)


def run(data: str, k: int, method: str, state: int) -> Result:
    """Run a method to its own end with compiled kernels: its loss, its iterations, the median of its processor times.

    Processor time is that of all threads together. No run has a limit of time: each ends where its parameters say, as
    after a number of iterations without gain, or of iterations in all.
    """
    whole = _with_effort(method)
    X = DATA[data]()
    _warm_up(whole)
    times: list[float] = []
    while not times or (len(times) < _REPETITIONS and times[0] < _REPEATED_BELOW):
        start = time.process_time()
        solution = solve(X, k, method=whole, random_state=state)
        times.append(time.process_time() - start)
    facts = {"iterations": solution.iterations, "loss": solution.information_loss}
    return facts | {"seconds": round(median(times), 5), "version": __version__}


def _with_effort(method: str) -> str:
    """Return a method with the effort of its search, which is then its own on any machine."""
    stages = pipeline(method)
    return f"{method}{_EFFORT}" if stages.bound is None and any(map(has_effort, stages.refiners)) else method


@cache
def _warm_up(method: str) -> None:
    """Compile the kernels of a method."""
    solve(next(iter(DATA.values()))()[:_WARMING_RECORDS], KS[0], method=method)
