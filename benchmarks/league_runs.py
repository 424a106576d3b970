"""Runs of the league: which methods take part, and what is measured of each."""

import time
from contextlib import suppress
from functools import cache
from statistics import median
from typing import Any

import microagg
from cached_tasks import Result
from league_data import DATA
from microagg import MethodError, solve
from microagg.methods import pipeline
from microagg.methods.pipelines import has_effort
from microagg.methods.systems import AUTO

LIMIT = 15.0  # seconds of a run
_ONE_COLUMN = "univariate"  # refuses several
_EFFORT = "(effort=standard)"  # of a search, which would else go on until its time is up
_WARMING_RECORDS = 60
_REPETITIONS = 3
_REPEATED_BELOW = 0.5  # seconds: what takes longer is measured once


@cache
def competitors() -> tuple[str, ...]:
    """Return every method once: constructors, systems, and refiners after MDAV; no second name of the same stages."""
    chosen: dict[Any, str] = {}
    for listed in microagg.methods():
        method = f"mdav{listed.name}" if listed.name.startswith("+") else listed.name
        if method not in (AUTO, _ONE_COLUMN):
            with suppress(MethodError):  # of what makes no single partition
                chosen.setdefault(pipeline(method).stages, method)
    return tuple(chosen.values())


def _limited(method: str) -> str:
    """Return a method that ends by itself: a search with the effort that it has without a time limit."""
    stages = pipeline(method)
    return f"{method}{_EFFORT}" if stages.bound is None and any(map(has_effort, stages.refiners)) else method


def run(data: str, k: int, method: str) -> Result:
    """Run a method with compiled kernels: its loss, the median of its processor times, and whether it made its groups.

    Processor time is that of all threads together. A constructor that the time limit ended is not finished; a refiner
    or a proof is, with its best partition so far.
    """
    limited = _limited(method)
    X = DATA[data]()
    solve(X[:_WARMING_RECORDS], k, method=limited, time_limit=LIMIT)
    times: list[float] = []
    while not times or (len(times) < _REPETITIONS and times[0] < _REPEATED_BELOW):
        start = time.process_time()
        solution = solve(X, k, method=limited, time_limit=LIMIT)
        times.append(time.process_time() - start)
    finished = solution.fallback_share == 0.0
    return {"loss": solution.information_loss, "seconds": median(times), "finished": finished}
