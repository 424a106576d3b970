"""Measure the loss and the time of the search and of the other methods; write docs/search.md.

Finds the classic data sets as the tests do. Results are kept in benchmarks/.quality.csv, so that an interrupted run
resumes where it stopped; they are computed anew when a refiner or a kernel has changed. The best partitions found are
recorded in best_known.toml if they lose less than those there.
"""

import csv
import hashlib
import math
import sys
import time
import tomllib
from collections.abc import Iterable
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import microagg
import search_picture
from classics import CLASSICS
from documents import DOCS, fill, table
from microagg import InputError, Solution, datasets, solve
from microagg.model.arrays import FloatArray
from repartition import remaining_gain

HERE = Path(__file__).parent
CACHE = HERE / ".quality.csv"
BEST_KNOWN = HERE / "best_known.toml"
TEXT = HERE / "search.in.md"
DOCUMENT = DOCS / "search.md"

KS = (3, 4, 5, 10)
TARGETS = {  # information loss at most, for each k
    "standard": {
        "tarragona": (14.52, 17.15, 20.20, 30.20),
        "census": (4.73, 6.12, 7.38, 11.50),
        "eia": (0.350, 0.487, 0.735, 1.945),
    },
    "thorough": {
        "tarragona": (14.475, 17.09, 20.15, 30.11),
        "census": (4.69, 6.06, 7.29, 11.39),
        "eia": (0.349, 0.483, 0.7305, 1.933),
    },
}
STATES = {"thorough": range(1), "standard": range(10)}
ABLATION = {
    "search, standard effort": "search",
    "… without recombination": "search(recombine=no)",
    "… accepting almost no worse partition (heat = 0.003)": "search(heat=0.003)",
    "… accepting more (heat = 1)": "search(heat=1)",
    "… with one run": "search(runs=1)",
    "… dissolving and distilling in every trial": "search(regroup=yes)",
    "… then the tour cut, as a large move": "search+recut",
    "… then circles of moves (ejection chains) and the tour cut": "search+icsm",
    "descent alone, from MDAV": "mdav+descent",
}
ABLATED = (("tarragona", 5), ("census", 3))
ABLATION_STATES = range(3)
REPARTITIONED = (("tarragona", 3), ("census", 3), ("census", 4))
OTHER_KS = (2, 7, 25)
SHORTENED = {"reporder": "reporder(starts=60)"}  # methods that take too long with their default parameters
REFINED = (
    "icsm(starts=50,perturb=best)",
    "mst+recut",
    "mst+imhm",
    "mst+icsm",
    "gsms-nn+igd",
    "mdav+reorder",
    "cbfs-nc+tfrp2",
)


HEADER = """# The least sse known, on standardised columns, and what found it: `make quality`, `make certificates`.
# lower_bound, bound: no partition loses less, as sse and in percent; proof: what proved it. Where lower_bound agrees
# with the sse to seven digits, the partition is optimal.
# lower_elsewhere: a lower loss in percent that an experiment with column generation and cuts reached before this
# package had a search; its partition was not kept.
# Entries of an earlier state of the search say so, or were found before it skipped neighbouring groups.
"""


class Task(NamedTuple):
    """Run of a method: a data set or shape, k, the method, a random state."""

    data: str
    k: int
    method: str
    random_state: int = 0


Results = dict[Task, tuple[float, float]]
"""Loss and seconds of each task."""


def shapes() -> dict[str, FloatArray]:
    """Return data of shapes that the classic sets do not have."""
    rng = np.random.default_rng(7)
    centres = 8 * rng.normal(size=(25, 4))
    return {
        "heavy tails, d = 5": rng.standard_t(1.5, size=(600, 5)),
        "25 clusters, d = 4": centres[rng.integers(25, size=600)] + 0.3 * rng.normal(size=(600, 4)),
        "ties, d = 3": rng.integers(0, 6, size=(600, 3)).astype(np.float64),
        "normal, d = 2": rng.normal(size=(600, 2)),
        "normal, d = 40": rng.normal(size=(500, 40)),
    }


def other_methods() -> list[str]:
    """Return every other method, and some with refiners."""
    left_out = {"auto", "search", "univariate", "individual-ranking"}  # ours, and those that need each column alone
    names = [method.name for method in microagg.methods() if method.name not in left_out and method.name[0] != "+"]
    return [*(SHORTENED.get(name, name) for name in names), *REFINED]


def tasks() -> list[Task]:
    """Return every run."""
    listed = [
        Task(name, k, f"search(effort={effort})", state)
        for effort, states in STATES.items()
        for name in CLASSICS
        for k in KS
        for state in states
    ]
    listed += [Task(name, k, "icsm") for name in CLASSICS for k in KS]
    listed += [
        Task(shape, k, method) for shape in shapes() for k in OTHER_KS for method in ("search", *other_methods())
    ]
    listed += [
        Task(name, k, method, state) for method in ABLATION.values() for name, k in ABLATED for state in ABLATION_STATES
    ]
    return list(dict.fromkeys(listed))


def digest() -> str:
    """Return a digest of the refiners and kernels: results of another state do not count."""
    package = HERE.parent / "src" / "microagg"
    sources = sorted([*package.glob("refine/*.py"), *package.glob("kernels/**/*.py"), *package.glob("lp/*.py")])
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]


def kept_results() -> Results:
    """Read the results of earlier runs of this state of the package."""
    if not CACHE.exists():
        return {}
    state = digest()
    with CACHE.open(newline="") as file:
        rows = [row for row in csv.reader(file) if row[0] == state]
    return {
        Task(data, int(k), method, int(state)): (float(loss), float(seconds))
        for _, data, k, method, state, loss, seconds in rows
    }


def measure(wanted: Iterable[Task]) -> Results:
    """Run the tasks that have no result yet; return all results."""
    results = kept_results()
    state = digest()
    data: dict[str, Any] = {name: datasets.matrix(name) for name in CLASSICS} | shapes()
    remaining = [task for task in wanted if task not in results]
    for method in {task.method for task in remaining}:
        solve(data["ties, d = 3"][:60], 3, method=method)  # compile
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with CACHE.open("a", newline="") as file, Progress(*columns) as progress:
        line = progress.add_task("", total=len(remaining))
        for task in remaining:
            progress.update(line, description=f"{task.data}, k = {task.k}, {task.method}")
            start = time.perf_counter()
            solution = solve(data[task.data], task.k, method=task.method, random_state=task.random_state)
            seconds = time.perf_counter() - start
            results[task] = solution.information_loss, seconds
            csv.writer(file).writerow([state, *task, repr(solution.information_loss), f"{seconds:.3f}"])
            file.flush()
            if task.data in CLASSICS:
                record(task.data, task.k, solution, f"{task.method}, random_state={task.random_state}")
            progress.advance(line)
    return results


def record(name: str, k: int, solution: Solution, source: str) -> None:
    """Record a solution, and what is proved of it, in best_known.toml if it is better than the entry there."""
    best = tomllib.loads(BEST_KNOWN.read_text()) if BEST_KNOWN.exists() else {}
    entry = best.setdefault(name, {}).setdefault(f"k{k}", {})
    better = solution.sse < entry.get("sse", np.inf) * (1 - 1e-12)
    if better:
        entry["sse"] = solution.sse
        entry["information_loss"] = round(solution.information_loss, 6)
        entry["source"] = source
        if entry.get("lower_elsewhere", np.inf) > solution.information_loss - 5e-6:
            entry.pop("lower_elsewhere", None)
    if solution.lower_bound is not None and solution.lower_bound > entry.get("lower_bound", 0.0):
        better = True
        entry["lower_bound"] = solution.lower_bound
        entry["bound"] = math.floor(1e8 * solution.lower_bound / solution.sst) / 1e6
        entry["proof"] = source
    if better:
        lines = [HEADER]
        for name in CLASSICS:
            for number, facts in sorted(best.get(name, {}).items(), key=lambda item: int(item[0][1:])):
                values = (f"{key} = {value!r}".replace("'", '"') for key, value in facts.items())
                lines.append("\n".join([f"[{name}.{number}]", *values, ""]))
        BEST_KNOWN.write_text("\n".join(lines))


def classic_table(results: Results, effort: str) -> str:
    """Return the results of an effort on the classic sets: best and worst loss, target, least time, and ICSM."""
    rows = []
    for name in CLASSICS:
        for k, target in zip(KS, TARGETS[effort][name], strict=True):
            found = [results[Task(name, k, f"search(effort={effort})", state)] for state in STATES[effort]]
            losses, times = zip(*found, strict=True)
            best = min(losses)
            worst = max(losses)
            icsm, icsm_seconds = results[Task(name, k, "icsm")]
            cells = [f"{best:.5f}", f"{worst:.5f}", f"{worst / best - 1:.2%}"][: 3 if len(losses) > 1 else 1]
            verdict = f"{target}{'' if worst <= target else ' (missed)'}"
            rows.append(
                [CLASSICS[name], str(k), *cells, verdict, f"{min(times):.1f} s", f"{icsm:.4f}", f"{icsm_seconds:.1f} s"]
            )
    header = ["best", "worst", "worst above best"] if len(STATES[effort]) > 1 else ["loss"]
    return table(["data", "k", *header, "wanted ≤", "time", "`icsm`", "its time"], rows)


def ablation_table(results: Results) -> str:
    """Return what each part of the search contributes: mean loss over the random states, and the mean time."""
    rows = []
    for label, method in ABLATION.items():
        losses = [[results[Task(name, k, method, state)] for state in ABLATION_STATES] for name, k in ABLATED]
        cells = [f"{mean(loss for loss, _ in found):.4f}" for found in losses]
        rows.append([label, *cells, f"{mean(seconds for found in losses for _, seconds in found):.1f} s"])
    return table(["", *(f"{CLASSICS[name]} k = {k}" for name, k in ABLATED), "time"], rows)


def repartition_table() -> str:
    """Return what optimal repartition of two or three neighbouring groups gains after the search."""
    rows = []
    for name, k in REPARTITIONED:
        data = datasets.load(name)
        X = np.column_stack([data.numbers(column) for column in data.names])
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        solution = solve(data, k)
        for n_together in (2, 3):
            tried, improved, largest = remaining_gain(X, solution.labels, k, n_together)
            rows.append([CLASSICS[name], str(k), str(n_together), str(tried), str(improved), f"{largest:.5f}"])
    return table(["data", "k", "groups together", "tried", "improved", "most gained"], rows)


def shapes_table(results: Results) -> str:
    """Return the results of the search, and of the best other method, on other shapes."""
    rows = []
    for shape in shapes():
        for k in OTHER_KS:
            loss, seconds = results[Task(shape, k, "search")]
            best = min(other_methods(), key=lambda method: results[Task(shape, k, method)][0])
            other = results[Task(shape, k, best)][0]
            verdict = "" if loss <= other * (1 + 1e-9) else " **worse**"
            rows.append([shape, str(k), f"{loss:.4f}{verdict}", f"{seconds:.1f} s", f"{other:.4f}", f"`{best}`"])
    return table(["data", "k", "`search`", "time", "best other", "which"], rows)


def main() -> None:
    """Measure, and write the document."""
    try:
        results = measure(tasks())
    except InputError as error:
        sys.exit(f"nothing is measured: {error}")
    search_picture.draw()
    parts = {effort: classic_table(results, effort) for effort in STATES}
    parts |= {"n_others": str(len(other_methods())), "ablation": ablation_table(results)}
    parts |= {"shapes": shapes_table(results), "repartition": repartition_table()}
    DOCUMENT.write_text(fill(TEXT, parts))
    print(f"written: {DOCUMENT}")


if __name__ == "__main__":
    main()
