"""Lower bounds of many records: gap, CPU time and memory of each, on the mixture of `scale_data`, as a Markdown table.

    python benchmarks/large_bounds.py                     # 2 000 to 100 000 records
    python benchmarks/large_bounds.py 1000000 --bounds neighbours dual-ascent

Every bound runs in a process of its own, against the same partition. The gap is that between the two: what the
partition loses above the optimum is in it. `column-generation` has a time limit, and is left out above 5 000 records.
"""

import argparse
import multiprocessing
import resource
import time
from typing import NamedTuple

import numpy as np

from microagg import Partition, Problem, Run, solve
from microagg.bound import BOUNDS
from microagg.model.arrays import IntArray
from microagg.model.limits import Limits
from scale_data import plain

_K = 5
_D = 10
_SIZES = (2_000, 5_000, 20_000, 100_000)
_NAMES = ("neighbours", "dual-ascent", "column-generation")
_MAX_GENERATED = 5_000  # records of column generation
_TIME_LIMIT = 600.0  # seconds of column generation


class _Task(NamedTuple):
    """One bound of one data set."""

    name: str
    n: int
    labels: IntArray


def _problem(n: int) -> Problem:
    """Return the first records of the mixture, standardised."""
    X = plain("mixture", n, _D)
    return Problem((X - X.mean(axis=0)) / X.std(axis=0), _K)


def _labels(n: int, effort: str) -> IntArray:
    """Solve the problem, as well as its effort allows."""
    return solve(_problem(n).X, _K, standardise=False, effort=effort).partition.labels


def _table_row(task: _Task) -> str:
    """Prove a bound, and describe it."""
    problem = _problem(task.n)
    partition = Partition(problem, task.labels)
    run = Run()
    limited = Limits(_TIME_LIMIT if task.name == "column-generation" else None)
    before = time.monotonic(), time.process_time()
    with run.under_way(limited):
        bound, _ = BOUNDS[task.name](problem, partition, run)
    seconds, cpu = time.monotonic() - before[0], time.process_time() - before[1]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    ended = "" if bound.ended_by is None else f" ({bound.ended_by.replace('_', ' ')})"
    loss, lower = (100 * sse / problem.sst for sse in (partition.sse, bound.sse))
    proof = f"| {task.n:,} | {task.name} | {bound.kind}{ended} | {loss:.3f} | {lower:.3f} | {1 - lower / loss:.1%} "
    return f"{proof}| {cpu:.0f} | {seconds:.0f} | {memory:.2f} |".replace(",", " ")


def _warm_up() -> None:
    """Compile every kernel, so that no bound waits for that."""
    problem = Problem(np.random.default_rng(0).normal(size=(300, 2)), _K)
    partition = solve(problem.X, _K, standardise=False, effort="quick").partition
    for name in _NAMES:
        BOUNDS[name](problem, partition, Run())


def main() -> None:
    """Print the table, row by row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=_SIZES, help="numbers of records")
    parser.add_argument("--bounds", nargs="+", choices=_NAMES, default=_NAMES)
    parser.add_argument("--effort", default="standard", help="of the partition")
    arguments = parser.parse_args()
    _warm_up()
    print("| records | bound | kind | loss of the partition | lower bound | gap | CPU s | s | GB |")
    print("|---|---|---|---|---|---|---|---|---|")
    context = multiprocessing.get_context("spawn")
    for n in arguments.sizes:
        labels = _labels(n, arguments.effort)
        for name in arguments.bounds:
            if name != "column-generation" or n <= _MAX_GENERATED:
                with context.Pool(1) as pool:
                    print(pool.apply(_table_row, (_Task(name, n, labels),)), flush=True)


if __name__ == "__main__":
    main()
