"""Prove the five known optima with several versions of HiGHS and two random states, without limits.

    python benchmarks/prove_optima.py                      # all, the quickest cells first
    python benchmarks/prove_optima.py "census 3" "eia"     # some cells
    python benchmarks/prove_optima.py --minutes 40         # begin no proof after so much processor time

Each version of highspy is installed into a folder of its own, benchmarks/.highspy/. Results are kept in
benchmarks/proofs.jsonl, row by row, so that a later run completes the table; rows that other sources of the proof have
made do not count. Writes the table into docs/certificates.md, and says which runs are missing.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cached_tasks import Result, Task, digest, kept_results
from classics import CLASSICS
from documents import DOCS, table
from microagg import InputError, datasets, solve

HERE = Path(__file__).parent
RESULTS = HERE / "proofs.jsonl"
FOLDERS = HERE / ".highspy"
DOCUMENT = DOCS / "certificates.md"
BEGIN, END = "<!-- begin of proofs -->", "<!-- end of proofs -->"

CELLS = (("census", 3), ("eia", 3), ("tarragona", 3), ("eia", 4), ("tarragona", 4))
HIGHS = ("1.8.1", "1.11.0", "1.15.1")
STATES = (0, 1)
PACKAGES = ("highspy", "numba", "numpy", "scipy", "microagg")
SOURCES = ("exact", "lp", "kernels/pricing")  # of the proof


def tasks() -> list[Task]:
    """Return every task, the quickest cells first."""
    return [(name, k, highs, state) for name, k in CELLS for state in STATES for highs in reversed(HIGHS)]


def state_of(task: Task) -> str:
    """Return the state of the sources that a proof depends on."""
    package = HERE.parent / "src" / "microagg"
    return digest(source for folder in SOURCES for source in sorted(package.glob(f"{folder}/**/*.py")))


def prove(name: str, k: int, state: int) -> Result:
    """Prove the optimum in this process, kernels compiled."""
    X: Any = datasets.matrix(name)
    solve(X[:80], k, method="exact", random_state=0)
    began = time.perf_counter(), time.process_time()
    solution = solve(X, k, method="exact", random_state=state)
    seconds, cpu = time.perf_counter() - began[0], time.process_time() - began[1]
    bound: Any = solution.bound
    facts = {"status": solution.status, "gap": solution.gap, "ended_by": bound.ended_by, "sse": solution.sse}
    facts |= {"information_loss": solution.information_loss, "lower_bound": bound.sse}
    facts |= {"seconds": round(seconds, 1), "cpu": round(cpu, 1)}
    return facts | {one: version(one) for one in PACKAGES} | {"python": platform.python_version()}


def prove_with(name: str, k: int, highs: str, state: int) -> Result:
    """Prove the optimum with a version of HiGHS, in a process of its own."""
    folder = FOLDERS / highs
    if not folder.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder)]
        subprocess.run([*pip, f"highspy=={highs}"], check=True)
    paths = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))
    command = [sys.executable, str(Path(__file__)), "--one", name, str(k), str(state)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": paths})
    found: Result = json.loads(done.stdout.splitlines()[-1])
    if found["highspy"] != highs:
        raise AssertionError(f"highspy {found['highspy']} was used in place of {highs}")
    return found


def complete(chosen: tuple[str, ...], cpu_seconds: float) -> None:
    """Run the chosen tasks that have no row yet, and keep each row; begin none after so much processor time."""
    known = kept_results(RESULTS, tasks(), state_of)
    for task in tasks():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        if task in known or not " ".join(map(str, task)).startswith(chosen):
            continue
        if used.ru_utime + used.ru_stime >= cpu_seconds:
            break
        found = prove_with(*task)
        with RESULTS.open("a") as file:
            file.write(json.dumps([state_of(task), task, found]) + "\n")
        print(*task, _cell(found), flush=True)


def section(results: dict[Task, Result]) -> str:
    """Return what the page says of the proofs that were run."""
    if not results:
        return "No proof was run with the present sources: `make proofs`."
    rows = []
    for name, k in CELLS:
        for state in STATES:
            found = [results.get((name, k, highs, state)) for highs in HIGHS]
            losses = {f"{one['information_loss']:.6f}" for one in found if one is not None}
            rows.append([CLASSICS[name], str(k), str(state), " or ".join(sorted(losses)) or "–", *map(_cell, found)])
    header = ["data", "k", "random_state", "loss", *(f"highspy {highs}" for highs in HIGHS)]
    n_optimal = sum(one["status"] == "optimal" for one in results.values())
    n_missing = len(tasks()) - len(results)
    missing = f" The other {n_missing} of {len(tasks())} were not run: –." if n_missing else ""
    others = {package: {one[package] for one in results.values()} for package in ("python", *PACKAGES[1:])}
    versions = ", ".join(f"{package} {' or '.join(sorted(found))}" for package, found in others.items())
    told = f"{n_optimal} of {len(results)} runs proved the optimum.{missing} Seconds of processor time; {versions}."
    return f"{told}\n\n{table(header, rows)}"


def _cell(found: Result | None) -> str:
    if found is None:
        return "–"
    proved = "optimal" if found["status"] == "optimal" else f"gap {found['gap']:.2g}, ended by {found['ended_by']}"
    return f"{proved}, {found['cpu']:.0f} s"


def write(results: dict[Task, Result]) -> None:
    """Write the table into the page."""
    before, _, rest = DOCUMENT.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    if not after:
        raise AssertionError(f"{DOCUMENT} has no place for the proofs")
    DOCUMENT.write_text(f"{before}{BEGIN}\n{section(results)}\n{END}{after}")


def main() -> None:
    """Prove what has no row yet, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cells", nargs="*", help='as in "census 3"')
    parser.add_argument("--minutes", type=float, default=float("inf"), help="of processor time, to begin proofs in")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        name, k, state = arguments.one
        print(json.dumps(prove(name, int(k), int(state))))
        return

    try:
        datasets.matrix(CELLS[0][0])
    except InputError as error:
        sys.exit(f"nothing is proved: {error}")
    complete(tuple(arguments.cells or [""]), 60 * arguments.minutes)
    write(kept_results(RESULTS, tasks(), state_of))


if __name__ == "__main__":
    main()
