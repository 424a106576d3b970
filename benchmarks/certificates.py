"""Prove optima: of complete data sets, of subsets, and of small ones whose optimum is known.

Finds the classic data sets as the tests do. Results are kept in benchmarks/.certificates.jsonl, so that an interrupted
run resumes where it stopped; they are computed anew when a bound or a kernel has changed. Words after the command
choose tasks: "whole tarragona 4". MICROAGG_SECONDS shortens the ten minutes that each proof may take. Records what is
proved in best_known.toml, and writes docs/certificates.md.
"""

import json
import os
import sys
import time
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import polars as pl

import prove_optima
from cached_tasks import Result, Task, digest, kept_results, run_tasks
from classics import CLASSICS
from documents import DOCS, fill, new_figure, save_figure, table
from microagg import InputError, Run, datasets, solve
from microagg.certify import certify
from microagg.methods import pipeline
from microagg.model.limits import Limits
from microagg.report.certificate import as_certificate
from quality import BEST_KNOWN, record
from repartition import least_sse
from reproduction.paper_subsets import standardised, subset

HERE = Path(__file__).parent
CACHE = HERE / ".certificates.jsonl"
TEXT = HERE / "certificates.in.md"
DOCUMENT = DOCS / "certificates.md"
PLOT = DOCS / "certificates.svg"

TARGETS = {  # bound at least, loss at most, gap at most, in how many seconds
    ("census", 3): (4.66793, 4.66794, 1e-7, 180),
    ("tarragona", 3): (14.46733, 14.46735, 1e-7, 480),
    ("tarragona", 4): (17.0802, 17.0804, 1e-4, 300),
    ("census", 4): (6.025, 6.03, 1.5e-3, 600),
    ("census", 5): (7.234, 7.245, 1.5e-3, 600),
    ("tarragona", 5): (20.143, 20.15, 1e-3, 600),
    ("eia", 3): (0.3488, 0.3490, 1e-3, 600),
}
LIMIT = float(os.environ.get("MICROAGG_SECONDS", "600"))  # seconds for each data set
SMALL_KS = (3, 4, 5)  # others can only be bounded by relaxed pricing: see docs/column_generation.md
SUBSETS = ("tarragona", "census")
SIZES = (100, 200)
NUMBERS = 3  # subsets of each size
SUBSET_LIMIT = 60.0  # seconds
INSTANCES = 200  # whose optimum is known
BATCH = 50  # instances in a task
PLOTTED = tuple((name, k) for k in (3, 4) for name in CLASSICS)


class RecordedRun(Run):
    """Run that records when each bound was proved, and the least loss then."""

    def __init__(self, time_limit: float) -> None:
        super().__init__(time_limit)
        self.marks: list[list[float]] = []

    def ends(self, iteration: int, sse: float, lower_bound: float = 0.0) -> bool:
        """Record bound and loss; return whether the proof must end."""
        _, before, least = self.marks[-1] if self.marks else (0.0, 0.0, sse)
        mark = [round(self.elapsed, 2), max(before, lower_bound), min(least, sse)]
        if mark[1:] != [before, least] or not self.marks:
            self.marks.append(mark)
        return super().ends(iteration, sse, lower_bound)


def tasks() -> list[Task]:
    """Return every task, those with a target first."""
    listed: list[Task] = [("whole", name, k) for name, k in TARGETS]
    listed += [("whole", name, k) for k in SMALL_KS for name in CLASSICS if (name, k) not in TARGETS]
    listed += [
        ("subset", name, size, number, k)
        for size in SIZES
        for name in SUBSETS
        for number in range(NUMBERS)
        for k in SMALL_KS
    ]
    return [*listed, *(("truth", start) for start in range(0, INSTANCES, BATCH))]


def run_whole(name: str, k: int) -> Result:
    """Prove what can be proved of a complete data set, from the default search, and check the proof."""
    data = datasets.load(name)
    start = time.perf_counter()
    found = solve(data, k, columns=data.names)
    search_seconds = time.perf_counter() - start
    target = TARGETS.get((name, k))
    run = RecordedRun(target[3] if target and target[2] <= 1e-4 else LIMIT)
    proof: Any = pipeline("exact").bound
    with run.under_way(Limits()):
        bound, partition = proof(found.partition.problem, found.partition, run)
        seconds = search_seconds + run.elapsed
    solution = replace(found, partition=partition, method="exact", bound=bound)
    record(name, k, solution, f"exact, {seconds:.0f} s")
    percent = 100 / solution.sst
    facts = {"loss": solution.information_loss, "bound": percent * bound.sse, "gap": solution.gap, "kind": bound.kind}
    facts |= {"status": solution.status, "ended_by": bound.ended_by, "search": search_seconds, "seconds": seconds}
    marks = [[round(search_seconds + at, 2), percent * lower, percent * sse] for at, lower, sse in run.marks]
    branches = len(bound.proof()) if bound.proof else 0
    facts |= {"limit": run.limits.time_limit, "branches": branches, "marks": _thinned(marks)}
    if solution.status == "optimal":
        start = time.perf_counter()
        text = as_certificate(solution)
        verdict = certify(json.loads(text), data)
        facts |= {"certified": verdict.optimal, "certifying": time.perf_counter() - start, "bytes": len(text)}
    return facts


def _thinned(marks: list[list[float]]) -> list[list[float]]:
    """Return the marks where a number changes by more than a thousandth of a percent, and the last."""
    kept = marks[:1]
    for mark in marks[1:]:
        pairs = zip(mark[1:], kept[-1][1:], strict=True)
        if max(abs(after / before - 1) if before else 1.0 for after, before in pairs) > 1e-5:
            kept.append(mark)
    return [*kept, marks[-1]]


def run_subset(name: str, size: int, number: int, k: int) -> Result:
    """Prove the optimum of a random subset."""
    X = subset(name, "random", size, number)
    start = time.perf_counter()
    solution = solve(X, k, method="exact", effort="standard", standardise=False, time_limit=SUBSET_LIMIT)
    return {"seconds": time.perf_counter() - start, "status": solution.status, "gap": solution.gap}


def run_truth(first: int) -> Result:
    """Compare proved optima with those of dynamic programming."""
    wrong = 0
    refused = 0
    for number in range(first, first + BATCH):
        rng = np.random.default_rng([98, number])
        n = int(rng.integers(13, 18))
        k = int(rng.integers(2, 5))
        shapes = (rng.normal(size=(n, 3)), rng.integers(0, 4, size=(n, 2)).astype(np.float64))
        X = (*shapes, rng.standard_t(1.2, size=(n, 2)))[number % 3]
        frame = pl.DataFrame(X - X.mean(axis=0), schema=[f"x{j}" for j in range(X.shape[1])])
        found = solve(frame, k, columns=frame.columns, method="mdav", standardise=False)
        problem = found.partition.problem
        proof: Any = pipeline("exact").bound
        bound, partition = proof(problem, found.partition, Run())
        optimum = least_sse(problem.X, k)
        solution = replace(found, partition=partition, method="exact", bound=bound)
        wrong += abs(partition.sse - optimum) > 1e-7 * optimum or bound.sse > optimum * (1 + 1e-14)
        wrong += solution.status != "optimal"
        refused += not certify(json.loads(as_certificate(solution)), frame).optimal
    return {"wrong": int(wrong), "refused": refused}


RUNS: dict[str, Callable[..., Result]] = {"whole": run_whole, "subset": run_subset, "truth": run_truth}


def measure(prefixes: list[str]) -> dict[Task, Result]:
    """Run the tasks that start with one of the prefixes and have no result yet; return all results."""
    package = HERE.parent / "src" / "microagg"
    folders = ("bound", "exact", "kernels", "lp")
    sources = [source for folder in folders for source in sorted(package.glob(f"{folder}/**/*.py"))]
    solve(standardised("tarragona")[:80], 3, method="exact")  # compile
    state = digest(sources)
    return run_tasks(CACHE, lambda task: state, tasks(), RUNS, prefixes)


def whole_table(results: dict[Task, Result]) -> str:
    """Return what is proved of complete data sets."""
    rows = []
    for name in CLASSICS:
        for k in SMALL_KS:
            found = results.get(("whole", name, k))
            if found is None:
                continue
            optimal = found["status"] == "optimal"
            gap = "**optimal**" if optimal else f"{found['gap']:.4%}"
            cells = [f"{found['bound']:.5f}", f"{found['loss']:.5f}", gap, f"{found['seconds']:.0f} s"]
            cells += [str(found["branches"] or "–"), _checked(found), _target(name, k, found)]
            ending = "–" if optimal else f"{found['kind']}, ended by {found['ended_by']}"
            rows.append([CLASSICS[name], str(k), *cells, ending])
    return table(["data", "k", "bound", "loss", "gap", "time", "nodes", "checked", "wanted", "kind"], rows)


def _checked(found: Result) -> str:
    if "certified" not in found:
        return "–"
    verdict = "certified" if found["certified"] else "refused"
    return f"{verdict}, {found['certifying']:.0f} s, {found['bytes'] / 1e6:.1f} MB"


def _target(name: str, k: int, found: Result) -> str:
    if (name, k) not in TARGETS:
        return "–"
    bound, loss, gap, seconds = TARGETS[name, k]
    reached = found["bound"] >= bound and found["loss"] <= loss and found["gap"] <= gap and found["seconds"] <= seconds
    target = "optimal" if gap <= 1e-7 else f"≥ {bound}, ≤ {loss}, {gap:.2%}"
    return f"{target} in {seconds} s{'' if reached else ' (missed)'}"


def subset_table(results: dict[Task, Result]) -> str:
    """Return how many optima of subsets were proved, and how fast."""
    rows = []
    for size in SIZES:
        for name in SUBSETS:
            for k in SMALL_KS:
                every = [results.get(("subset", name, size, number, k)) for number in range(NUMBERS)]
                found = [one for one in every if one is not None]
                if not found:
                    continue
                proved = sum(one["status"] == "optimal" for one in found)
                times = [one["seconds"] for one in found]
                cells = [f"{proved} of {len(found)}", f"{median(times):.1f} s", f"{max(times):.1f} s"]
                rows.append([str(size), CLASSICS[name], str(k), *cells, f"{max(one['gap'] for one in found):.4%}"])
    return table(["records", "data", "k", "proved", "median", "longest", "largest gap"], rows)


def plot(results: dict[Task, Result]) -> None:
    """Plot how bound and loss approach each other."""
    figure, panels = new_figure(2, 3, 12, 6)
    for panel, (name, k) in zip(panels.ravel(), PLOTTED, strict=True):
        found = results.get(("whole", name, k))
        if found is None:
            continue
        at, bounds, losses = zip(*found["marks"], strict=True)
        panel.step(at, losses, where="post", label="loss of the best partition")
        panel.step(at, bounds, where="post", label="proved bound")
        panel.set_ylim(found["loss"] * (1 - 0.008), found["loss"] * (1 + 0.004))
        panel.set_title(f"{CLASSICS[name]}, k = {k}")
        panel.set_xlabel("seconds")
        panel.set_ylabel("percent")
    panels[0, 0].legend()
    save_figure(figure, PLOT)


def main() -> None:
    """Measure, and write the document."""
    try:
        results = measure(sys.argv[1:] or [""])
    except InputError as error:
        sys.exit(f"nothing is measured: {error}")
    truth = [result for task, result in results.items() if task[0] == "truth"]
    small = [result for task, result in results.items() if task[0] == "subset"]
    sizes = [task[2] for task in results if task[0] == "subset"]
    limits = sorted({result["limit"] for task, result in results.items() if task[0] == "whole"})
    best = tomllib.loads(BEST_KNOWN.read_text())
    parts = {
        "whole": whole_table(results),
        "subsets": subset_table(results),
        "proofs": prove_optima.section(kept_results(prove_optima.RESULTS, prove_optima.tasks(), prove_optima.state_of)),
        "instances": str(BATCH * len(truth)),
        "wrong": str(sum(one["wrong"] for one in truth)),
        "refused": str(sum(one["refused"] for one in truth)),
        "limits": ", ".join(f"{limit:.0f}" for limit in limits),
        "proved_cells": str(sum("lower_bound" in entry for ks in best.values() for entry in ks.values())),
    }
    for size in SIZES:
        found = [one for one, of_size in zip(small, sizes, strict=True) if of_size == size]
        parts[f"proved_{size}"] = f"{sum(one['status'] == 'optimal' for one in found)} of {len(found)}"
        parts[f"median_{size}"] = f"{median(one['seconds'] for one in found):.1f}" if found else "–"
    DOCUMENT.write_text(fill(TEXT, parts))
    plot(results)
    n_missing = len(tasks()) - len(results)
    print(f"written: {DOCUMENT}, {PLOT}{f'; {n_missing} tasks have no result yet' if n_missing else ''}")


if __name__ == "__main__":
    main()
