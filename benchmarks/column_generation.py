"""Measure the bounds on complete data sets, on many records, and on known optima.

Finds the classic data sets as the tests do. Results are kept in benchmarks/.column_generation.jsonl, so that an
interrupted run resumes where it stopped; they are computed anew when a bound or one of its kernels has changed. Words
after the command choose tasks: "whole tarragona 10". Writes docs/column_generation.md.
"""

import multiprocessing
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from cached_tasks import Result, Task, digest, run_tasks
from classics import CLASSICS
from documents import DOCS, fill, table
from microagg import InputError, Partition, Problem, Run, datasets, solve
from microagg.bound import BOUNDS
from microagg.bound.column_generation import ColumnGeneration
from microagg.methods import pipeline
from microagg.model.limits import Limits
from quality import KS
from repartition import least_sse

HERE = Path(__file__).parent
CACHE = HERE / ".column_generation.jsonl"
TEXT = HERE / "column_generation.in.md"
DOCUMENT = DOCS / "column_generation.md"

TARGETS = {  # bound at least, in percent, in how many seconds
    ("tarragona", 3): (13.8574, 30),
    ("census", 3): (4.6460, 30),
    ("eia", 3): (0.3233, 120),
    ("tarragona", 4): (17.0429, 600),
    ("census", 4): (6.0020, 600),
    ("tarragona", 5): (20.1201, 300),
    ("census", 5): (7.2095, 300),
}
LIMIT = 600.0  # seconds for the bound of a complete data set
INSTANCES = 2000  # whose optimum is known
BATCH = 200  # instances in a task
LARGE = (100_000, 10, 5)  # records, columns, k


def tasks() -> list[Task]:
    """Return every task, the complete data sets first."""
    listed: list[Task] = [("whole", name, k) for k in KS for name in CLASSICS]
    listed += [("truth", start) for start in range(0, INSTANCES, BATCH)]
    return [*listed, ("large", *LARGE)]


def run_whole(name: str, k: int) -> Result:
    """Bound a complete data set, from the default search."""
    found = solve(datasets.matrix(name), k)
    default: Any = pipeline("search", bound=True).bound
    with Run(LIMIT).under_way(Limits()) as run:
        bound, partition = default(found.partition.problem, found.partition, run)
        seconds = run.elapsed
    percent = 100 / found.sst
    facts = {"bound": percent * bound.sse, "kind": bound.kind, "ended_by": bound.ended_by, "seconds": seconds}
    return facts | {"loss": percent * partition.sse}


def run_truth(first: int) -> Result:
    """Compare bounds with the optimum of random instances of up to twelve records."""
    above = {"automatic": 0, "relaxed": 0, "neighbours": 0}
    for number in range(first, first + BATCH):
        rng = np.random.default_rng([99, number])
        n = int(rng.integers(4, 13))
        d = int(rng.integers(1, 5))
        k = min(int(rng.integers(2, 5)), n)
        shapes = (rng.normal(size=(n, d)), rng.integers(0, 3, size=(n, d)).astype(np.float64))
        X = (*shapes, rng.standard_t(1.2, size=(n, d)))[number % 3]
        problem = Problem(X - X.mean(axis=0), k)
        optimum = least_sse(problem.X, k)
        start = Partition(problem, solve(problem.X, k, method="mdav", standardise=False).labels)
        for name in above:
            proof = ColumnGeneration("relaxed") if name == "relaxed" else BOUNDS[name]
            bound, partition = proof(problem, start, Run())
            above[name] += bound.sse > optimum * (1 + 1e-14) or partition.sse < optimum * (1 - 1e-9)
    return above


def run_large(n: int, d: int, k: int) -> Result:
    """Bound many records, in a process of its own, so that its memory can be measured."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_bound_large, (n, d, k))


def _bound_large(n: int, d: int, k: int) -> Result:
    X = np.random.default_rng(0).normal(size=(n, d))
    start = solve(X, k, method="search", time_limit=60).partition
    started = time.perf_counter()
    bound, _ = BOUNDS["automatic"](start.problem, start, Run())
    seconds = time.perf_counter() - started
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    percent = 100 / start.problem.sst
    facts = {"loss": percent * start.sse, "bound": percent * bound.sse, "kind": bound.kind}
    return facts | {"seconds": seconds, "gigabytes": gigabytes}


RUNS: dict[str, Callable[..., Result]] = {
    "whole": run_whole,
    "truth": run_truth,
    "large": run_large,
}


def measure(prefixes: list[str]) -> dict[Task, Result]:
    """Run the tasks that start with one of the prefixes and have no result yet; return all results."""
    package = HERE.parent / "src" / "microagg"
    folders = ("bound", "lp", "kernels/geometry", "kernels/pricing")
    sources = [source for folder in folders for source in sorted(package.glob(f"{folder}/*.py"))]
    X = np.random.default_rng(0).normal(size=(40, 2))
    for k in (3, 7):
        solve(X, k, bound=True)  # compile
    state = digest(sources)
    return run_tasks(CACHE, lambda task: state, tasks(), RUNS, prefixes)


def whole_table(results: dict[Task, Result]) -> str:
    """Return what is proved of complete data sets."""
    rows = []
    for name in CLASSICS:
        for k in KS:
            found = results["whole", name, k]
            target, limit = TARGETS.get((name, k), (None, None))
            reached = target is None or (found["bound"] >= target - 5e-5 and found["seconds"] <= (limit or LIMIT))
            cells = ["–" if target is None else f"{target} in {limit} s{'' if reached else ' (missed)'}"]
            cells += [f"{found['loss']:.5f}", f"{1 - found['bound'] / found['loss']:.2%}"]
            ending = "converged" if found["ended_by"] is None else f"ended by {found['ended_by']}"
            proved = [f"{found['bound']:.5f}", f"{found['seconds']:.1f} s"]
            rows.append([CLASSICS[name], str(k), *proved, *cells, f"{found['kind']}, {ending}"])
    return table(["data", "k", "bound", "time", "wanted", "loss", "gap", "kind"], rows)


def main() -> None:
    """Measure, and write the document."""
    try:
        results = measure(sys.argv[1:] or [""])
    except InputError as error:
        sys.exit(f"nothing is measured: {error}")
    if n_missing := len(tasks()) - len(results):
        sys.exit(f"{n_missing} tasks have no result yet: run it again without arguments")
    truth = [result for task, result in results.items() if task[0] == "truth"]
    large = results["large", *LARGE]
    parts = {
        "whole": whole_table(results),
        "instances": str(INSTANCES),
        "above": ", ".join(f"{sum(one[name] for one in truth)} of {name}" for name in truth[0]),
        "large_loss": f"{large['loss']:.4f}",
        "large_bound": f"{large['bound']:.4f}",
        "large_gap": f"{1 - large['bound'] / large['loss']:.2%}",
        "large_seconds": f"{large['seconds']:.0f}",
        "large_gigabytes": f"{large['gigabytes']:.1f}",
    }
    DOCUMENT.write_text(fill(TEXT, parts))
    print(f"written: {DOCUMENT}")


if __name__ == "__main__":
    main()
