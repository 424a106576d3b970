"""Measure how fast the kernels are: against their naive versions, as n grows, beside `mdav`, and with many starts.

Prints times and, as machines are noisy, the ratios within one run. One thread, kernels warm.
"""

import os
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MICROAGG_DATA", str(Path(__file__).parents[2] / "shared" / "data"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import numpy as np
from numpy.random import Generator

import naive
from microagg import InputError, Partition, Problem, Run, Solution, datasets
from microagg.construct import CONSTRUCTORS
from microagg.construct.fixed_size import FixedSize
from microagg.construct.kmeans import nearest_random_means
from microagg.encode import encode
from microagg.methods import SYSTEMS, pipeline
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.limits import Limits
from microagg.refine.icsm import Icsm
from microagg.refine.reorder import RepOrder
from microagg.run_pipeline import run_pipeline

K = 5
MAX_RATIO = 5.0  # times mdav: what a constructor of fixed size may take, but for gsms
SLOW = {"mf-tsp": "O(n³)", "reporder": "200 starts"}  # minutes to an hour at 10 000 records
STARTS = 200
MAX_STARTS_RATIO = 60.0  # times gsms-nn: what all starts of reporder may take
MIN_SCAN_RATIO = 20.0  # times icsm: what it would take with a scan of complete matrices each round


def seconds(work: Callable[[], object], repeats: int) -> float:
    """Return the seconds that some work takes: the best of a few runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def ready(method: str, problem: Problem) -> Callable[[], object]:
    """Return one run of a method to be timed, with its kernels compiled."""
    solved(method, Problem(problem.X[:100], K))
    return partial(solved, method, problem)


def solved(method: str, problem: Problem) -> Solution:
    """Run a method, in a run of its own."""
    with Run().under_way(Limits()) as run:
        return run_pipeline(pipeline(method), problem, 0, run)


def standardised(name: str, k: int) -> Problem:
    """Return a classic data set as a problem."""
    table = datasets.load(name)
    return encode(table, table.names, k)[1]


def against_naive_and_size() -> None:
    """Print mdav against its naive version, at ten times the records, and a million records in one column."""
    rng = np.random.default_rng(0)
    small, large = Problem(rng.normal(size=(10_000, 10)), K), Problem(rng.normal(size=(100_000, 10)), K)
    fast = seconds(ready("mdav", small), 5)
    slow = seconds(lambda: naive.mdav(small.X, K), 1)
    huge = seconds(ready("mdav", large), 2)
    print(f"mdav        10 000 × 10, k = {K}: {fast:8.3f} s")
    print(f"naive mdav  10 000 × 10, k = {K}: {slow:8.3f} s   {slow / fast:6.1f} times as long (at least 50)")
    print(f"mdav       100 000 × 10, k = {K}: {huge:8.3f} s   {huge / fast:6.1f} times as long (at most 110)")
    column = Problem(rng.normal(size=(1_000_000, 1)), K)
    print(f"univariate 1 000 000 × 1, k = {K}: {seconds(ready('univariate', column), 3):7.3f} s")


def beside_mdav(name: str, problem: Problem, repeats: int) -> None:
    """Print the time of every constructor and system, and its ratio to that of `mdav` just before."""
    mdav = ready("mdav", problem)
    print(f"\n{name}, k = {K}: seconds, and times mdav")
    for method in dict.fromkeys([*CONSTRUCTORS, *SYSTEMS]):
        if method == "univariate":
            continue
        if method in SLOW and problem.n > 5000:
            print(f"{method:<16}     not timed: {SLOW[method]}")
            continue
        work = ready(method, problem)
        base = seconds(mdav, repeats)
        took = seconds(work, 1 if method in SLOW else repeats)
        limited = isinstance(pipeline(method).construct, FixedSize) and method not in ("gsms-nn", *SYSTEMS)
        verdict = f"at most {MAX_RATIO:g}{'' if took <= MAX_RATIO * base else ': EXCEEDED'}" if limited else ""
        print(f"{method:<16}{took:12.4f} s {took / base:9.2f}   {verdict}")


def many_starts(name: str, repeats: int) -> None:
    """Print the time of reporder's starts beside one `gsms-nn`: as in its paper's table 3 without k-means, and with."""
    print(f"\n{name}: {STARTS} starts of reporder, and times gsms-nn (at most {MAX_STARTS_RATIO:g}); with k-means")
    for k in (3, 5, 10):
        problem = standardised(name, k)
        rng = np.random.default_rng(0)
        parts = [nearest_random_means(problem.X, means, rng) for means in range(1, STARTS + 1)]
        start = pipeline("reporder").construct(problem, rng, Run())
        given = RepOrder(partial(_part, parts))
        base = seconds(ready("gsms-nn", problem), repeats)
        took = seconds(partial(given, start, rng, Run()), 2)
        whole = seconds(ready("reporder", problem), 1)
        verdict = "" if took <= MAX_STARTS_RATIO * base else "EXCEEDED"
        print(f"k = {k:<3}{base:10.4f} s {took:10.3f} s {took / base:7.1f} {verdict:<9} {whole:10.3f} s")


def _part(parts: list[IntArray], X: FloatArray, means: int, rng: Generator) -> IntArray:
    """Return parts that are known already."""
    return parts[means - 1]


def scan_of_matrices() -> None:
    """Print what icsm takes on EIA at k = 3, beside one scan of complete matrices in numpy for each of its rounds."""
    problem = standardised("eia", 3)
    start = solved("mdav", problem).partition

    def refine(most: int | None = None) -> Partition:
        return Icsm(max_iterations=most)(start, np.random.default_rng(0), Run())

    best, took = refine().sse, seconds(refine, 4)
    rounds = next(most for most in count(1) if refine(most).sse == best)
    one = seconds(lambda: naive.scan(problem.X, start.labels, 3), 2)
    ratio = one * rounds / took
    print(f"\nicsm on EIA, k = 3: {took:.3f} s for {rounds} rounds; one scan of complete matrices {one:.3f} s")
    print(f"that scan each round would take {ratio:.1f} times as long (at least {MIN_SCAN_RATIO:g})")


def main() -> None:
    """Print the tables."""
    against_naive_and_size()
    try:
        beside_mdav("Census, 1080 × 13", standardised("census", K), 20)
        scan_of_matrices()
        many_starts("tarragona", 20)
        many_starts("eia", 5)
    except InputError as error:
        print(f"\nclassic data sets: skipped, {error}")
    beside_mdav("10 000 × 10", Problem(np.random.default_rng(0).normal(size=(10_000, 10)), K), 3)


if __name__ == "__main__":
    main()
