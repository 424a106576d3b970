"""Measure the bounds on complete data sets, on the column generation paper's subsets, and on known optima.

Finds the classic data sets as the tests do. Results are kept in benchmarks/.column_generation.jsonl, so that an
interrupted run resumes where it stopped; they are computed anew when a bound or one of its kernels has changed. Words
after the command choose tasks: "whole tarragona 10". Writes docs/column_generation.md.
"""

import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from cached_tasks import Result, Task, digest, run_tasks
from microagg import InputError, Partition, Problem, Run, datasets, solve
from microagg.bound import BOUNDS
from microagg.bound.column_generation import ColumnGeneration
from microagg.lp.group_columns import GroupColumns
from microagg.lp.rounding_heuristics import ROUNDINGS
from microagg.methods import pipeline
from microagg.model.arrays import FloatArray
from microagg.model.limits import Limits
from quality import CLASSICS, KS, table, title
from repartition import least_sse

HERE = Path(__file__).parent
CACHE = HERE / ".column_generation.jsonl"
TEXT = HERE / "column_generation.in.md"
DOCUMENT = HERE.parent / "docs" / "column_generation.md"
os.environ.setdefault("MICROAGG_DATA", str(HERE.parents[1] / "shared" / "data"))

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
SUBSETS = ("tarragona", "census")
CRITERIA = ("consecutive", "random", "norm", "distance")
SIZES = (30, 40, 50, 100, 200)
SMALL_KS = (3, 4, 5)
NUMBERS = 5  # subsets of each size and criterion
PRICINGS = ("paper", "enumeration", "ilp", "branch-and-bound")
PRICING_LIMIT = 20.0  # seconds
INSTANCES = 2000  # whose optimum is known
BATCH = 200  # instances in a task
LARGE = (100_000, 10, 5)  # records, columns, k


def tasks() -> list[Task]:
    """Return every task, the complete data sets first."""
    listed: list[Task] = [("whole", name, k) for k in KS for name in CLASSICS]
    listed += [("truth", start) for start in range(0, INSTANCES, BATCH)]
    listed += [
        ("subset", name, criterion, size, number, k)
        for size in SIZES
        for name in SUBSETS
        for criterion in CRITERIA
        for number in range(NUMBERS)
        for k in SMALL_KS
    ]
    listed += [("pricing", pricing, size, k) for pricing in PRICINGS for size in SIZES for k in SMALL_KS]
    return [*listed, ("large", *LARGE)]


def standardised(name: str) -> FloatArray:
    """Load a data set with columns of mean 0 and variance 1."""
    X = datasets.matrix(name)
    return np.ascontiguousarray((X - X.mean(axis=0)) / X.std(axis=0))


def subset(name: str, criterion: str, size: int, number: int) -> FloatArray:
    """Return one of five subsets, on the scale of the complete data set: the paper's section 6.

    Ordered ones are runs of records that start at equal distances, from the first to the last possible. The norm is
    that of the original records: that of standardised ones is the distance from the centroid.
    """
    X = standardised(name)
    if criterion == "random":
        return X[np.random.default_rng(number).choice(len(X), size=size, replace=False)]
    order = np.arange(len(X))
    if criterion == "norm":
        order = np.argsort(np.square(datasets.matrix(name)).sum(axis=1), kind="stable")
    elif criterion == "distance":
        order = np.argsort(np.square(X).sum(axis=1), kind="stable")
    start = number * (len(X) - size) // (NUMBERS - 1)
    return X[order[start : start + size]]


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


def run_subset(name: str, criterion: str, size: int, number: int, k: int) -> Result:
    """Bound a subset, and measure the loss of each heuristic on it."""
    X = subset(name, criterion, size, number)
    sses = {method: solve(X, k, method=method, standardise=False).sse for method in ("mdav", "v-mdav", "search")}
    rounded = {"simple": np.inf, "tree": np.inf}

    def recorded(which: str) -> Callable[[Problem, GroupColumns, FloatArray], Iterator[Partition]]:
        def rounding(problem: Problem, columns: GroupColumns, values: FloatArray) -> Iterator[Partition]:
            for partition in ROUNDINGS[which][0](problem, columns, values):
                rounded[which] = min(rounded[which], partition.sse)
                yield partition

        return rounding

    ROUNDINGS["recorded"] = (recorded("simple"), recorded("tree"))
    paper: Any = pipeline("column-generation").bound
    start = solve(X, k, method="mdav", standardise=False).partition
    started = time.perf_counter()
    generation = ColumnGeneration("branch-and-bound", "recorded", paper.first)
    bound, partition = generation(start.problem, start, Run())
    seconds = time.perf_counter() - started
    if bound.sse > partition.sse:
        raise AssertionError(f"a bound of {bound.sse} lies above a partition of sse {partition.sse}")
    return sses | rounded | {"bound": bound.sse, "best": partition.sse, "seconds": seconds}


def run_pricing(pricing: str, size: int, k: int) -> Result:
    """Bound a subset of Census with one of the pricings."""
    start = solve(subset("census", "random", size, 0), k, method="mdav", standardise=False).partition
    with Run(PRICING_LIMIT).under_way(Limits()) as run:
        bound, _ = ColumnGeneration(pricing, "both")(start.problem, start, run)
        return {"seconds": run.elapsed, "bound": bound.sse, "ended_by": bound.ended_by}


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
    "subset": run_subset,
    "pricing": run_pricing,
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
    return run_tasks(CACHE, digest(sources), tasks(), RUNS, prefixes)


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
            rows.append([title(name), str(k), *proved, *cells, f"{found['kind']}, {ending}"])
    return table(["data", "k", "bound", "time", "wanted", "loss", "gap", "kind"], rows)


def subset_table(results: dict[Task, Result], name: str) -> str:
    """Return the gaps of each heuristic: means over five subsets."""
    rows = []
    for size in SIZES:
        for k in SMALL_KS:
            for criterion in CRITERIA:
                found = [results["subset", name, criterion, size, number, k] for number in range(NUMBERS)]
                gaps = [mean(_gap(one, which) for one in found) for which in ("mdav", "v-mdav", "tree", "simple")]
                gaps.append(mean(_gap(one, "search") for one in found))
                exact = [sum(_gap(one, which) <= 1e-4 for one in found) for which in ("best", "search")]
                cells = [f"{gap:.2f}" for gap in gaps]
                seconds = mean(one["seconds"] for one in found)
                rows.append([str(size), str(k), criterion, *cells, f"{seconds:.2f} s", *map(str, exact)])
    header = ["n", "k", "subsets", "MDAV", "V-MDAV", "MSTH", "SRH", "`search`", "time", "Ex", "`search` Ex"]
    return table(header, rows)


def _gap(found: Result, which: str) -> float:
    """Return the gap in percent: (15) of the paper."""
    return 100 * max(0.0, 1 - found["bound"] / found[which]) if found[which] else 0.0


def summary_table(results: dict[Task, Result]) -> str:
    """Return the gaps by size and k."""
    rows = []
    for size in SIZES:
        for k in SMALL_KS:
            found = [result for task, result in results.items() if task[0] == "subset" and task[3::2] == (size, k)]
            gaps = [
                f"{mean(_gap(one, which) for one in found):.2f}"
                for which in ("mdav", "v-mdav", "tree", "simple", "search")
            ]
            exact = [sum(_gap(one, which) <= 1e-4 for one in found) for which in ("best", "search")]
            rows.append([str(size), str(k), *gaps, *(f"{count} of {len(found)}" for count in exact)])
    header = ["n", "k", "MDAV", "V-MDAV", "MSTH", "SRH", "`search`", "Ex", "`search` Ex"]
    return table(header, rows)


def pricing_table(results: dict[Task, Result]) -> str:
    """Return how long each pricing takes."""
    rows = []
    for size in SIZES:
        for k in SMALL_KS:
            cells = []
            for pricing in PRICINGS:
                found = results["pricing", pricing, size, k]
                cells.append("–" if found["ended_by"] else f"{found['seconds']:.2f} s")
            rows.append([str(size), str(k), *cells])
    return table(["n", "k", *(f"`{pricing}`" for pricing in PRICINGS)], rows)


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
        "summary": summary_table(results),
        "tarragona": subset_table(results, "tarragona"),
        "census": subset_table(results, "census"),
        "pricing": pricing_table(results),
        "pricing_limit": f"{PRICING_LIMIT:.0f}",
        "instances": str(INSTANCES),
        "above": ", ".join(f"{sum(one[name] for one in truth)} of {name}" for name in truth[0]),
        "large_loss": f"{large['loss']:.4f}",
        "large_bound": f"{large['bound']:.4f}",
        "large_gap": f"{1 - large['bound'] / large['loss']:.2%}",
        "large_seconds": f"{large['seconds']:.0f}",
        "large_gigabytes": f"{large['gigabytes']:.1f}",
    }
    text = TEXT.read_text()
    for name, part in parts.items():
        text = text.replace(f"{{{name}}}", part)
    DOCUMENT.write_text(text)
    print(f"written: {DOCUMENT}")


if __name__ == "__main__":
    main()
