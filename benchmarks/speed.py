"""Measure how fast the kernels are: against their naive versions, and as n grows.

Prints times and, as machines are noisy, the ratios within one run. One thread, kernels warm.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import numpy as np

import naive
from microagg import Problem
from microagg.construct import CONSTRUCTORS
from microagg.progress import silent


def seconds(work: Callable[[], object], repeats: int) -> float:
    """Time some work: the best of a few runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Print the table."""
    rng = np.random.default_rng(0)
    k = 5

    def construct(name: str, X: np.ndarray) -> Callable[[], object]:
        problem = Problem(X, k)
        return lambda: CONSTRUCTORS[name](problem, rng, silent)

    small, large = rng.normal(size=(10_000, 10)), rng.normal(size=(100_000, 10))
    construct("mdav", small[:100])()
    construct("univariate", small[:100, :1])()

    fast = seconds(construct("mdav", small), 5)
    slow = seconds(lambda: naive.mdav(small, k), 1)
    huge = seconds(construct("mdav", large), 2)
    print(f"mdav        10 000 × 10, k = {k}: {fast:8.3f} s")
    print(f"naive mdav  10 000 × 10, k = {k}: {slow:8.3f} s   {slow / fast:6.1f} times as long (at least 50)")
    print(f"mdav       100 000 × 10, k = {k}: {huge:8.3f} s   {huge / fast:6.1f} times as long (at most 110)")

    column = rng.normal(size=(1_000_000, 1))
    print(f"univariate 1 000 000 × 1, k = {k}: {seconds(construct('univariate', column), 3):7.3f} s")


if __name__ == "__main__":
    main()
