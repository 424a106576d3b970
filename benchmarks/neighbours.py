"""Measure the search for neighbours of all records beside other libraries, and write docs/neighbours.md.

Each search runs in a process of its own. Results are kept in benchmarks/.neighbours.jsonl, so that an interrupted
measurement resumes where it stopped. `--peers` is the Python with the other libraries: pynndescent, faiss-cpu, hnswlib
and usearch are no dependencies of this package.
"""

import argparse
import json
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import neighbour_searches
from documents import DOCS, fill, table
from neighbour_searches import N_NEIGHBOURS, SEARCHES
from scale_data import TITLES, data

_FOLDER = Path(__file__).parent
_CACHE = _FOLDER / ".neighbours.jsonl"
_TEMPLATE = _FOLDER / "neighbours.in.md"
_MAX_CPU_SECONDS = 300  # of a process: data, first call, the measured one and perhaps a third
_CASES = [  # shape, columns, records
    ("mixture", 2, 100_000),
    ("mixture", 10, 100_000),
    ("mixture", 30, 100_000),
    ("mixture", 10, 1_000_000),
    ("mixture", 2, 1_000_000),
    ("mixture", 30, 1_000_000),
    ("normal", 10, 100_000),
    ("normal", 30, 100_000),
]
_IN_BLOCKS = [(shape, 10, n) for shape in ("mixture", "normal") for n in (5_000, 20_000, 50_000)]
_OF_BLOCKS = ("ours, exact", "ours, rough", "scipy cKDTree")
_NOT_RUN = [("scipy cKDTree", 10), ("scipy cKDTree", 30)]  # at a million: known to take longer than is allowed here

Case = tuple[str, str, int, int]


def main() -> None:
    """Measure what has not been measured, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", default=sys.executable, help="Python that has the other libraries")
    parser.add_argument("--only", default="", help="measure only searches whose name begins so")
    parser.add_argument("--so-far", action="store_true", help="measure nothing, write the page of what there is")
    given = parser.parse_args()
    results = _kept()
    for case in () if given.so_far else _cases():
        if case not in results and case[0].startswith(given.only):
            results[case] = _measure(case, given.peers)
            with _CACHE.open("a") as cache:
                cache.write(json.dumps([case, results[case]]) + "\n")
    write_page(results)


def write_page(results: dict[Case, dict[str, Any]]) -> None:
    """Write docs/neighbours.md."""
    parts = {
        "large": "\n\n".join(_table(results, *case) for case in _CASES if _is_measured(results, *case)),
        "missing": "; ".join(_title(*case) for case in _CASES if not _is_measured(results, *case)) or "none",
        "blocks": _block_table(results),
        "count": str(N_NEIGHBOURS),
        "limit": str(_MAX_CPU_SECONDS),
    }
    (DOCS / "neighbours.md").write_text(fill(_TEMPLATE, parts))


def _is_measured(results: dict[Case, dict[str, Any]], shape: str, d: int, n: int) -> bool:
    """Check whether any search has a result in a case."""
    return any((name, shape, d, n) in results for name in SEARCHES)


def _title(shape: str, d: int, n: int) -> str:
    return f"{n:_} × {d}, {TITLES[shape]}".replace("_", " ")


def _cases() -> Iterator[Case]:
    for shape, d, n in _IN_BLOCKS:
        for name in _OF_BLOCKS:
            yield name, shape, d, n
    for shape, d, n in _CASES:
        for name in SEARCHES:
            yield name, shape, d, n


def _kept() -> dict[Case, dict[str, Any]]:
    lines = _CACHE.read_text().splitlines() if _CACHE.exists() else []
    return {tuple(case): result for case, result in map(json.loads, lines)}


def _measure(case: Case, peers: str) -> dict[str, Any]:
    name, shape, d, n = case
    if n == 1_000_000 and (name, d) in _NOT_RUN:
        return {"failed": "not run"}
    python = sys.executable if name.startswith(("ours", "scipy")) else peers
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "points.npy"
        np.save(path, data(shape, n, d))
        command = [python, neighbour_searches.__file__, name, str(path)]
        found = subprocess.run(command, capture_output=True, text=True, preexec_fn=_limit_cpu)
    if found.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"failed": f"stopped after {_MAX_CPU_SECONDS} CPU-s"}
    if found.returncode:
        last = found.stderr.strip().rpartition("\n")[2]
        return {"failed": f"ended with code {found.returncode}: {last}"}
    result: dict[str, Any] = json.loads(found.stdout.splitlines()[-1])
    return result


def _limit_cpu() -> None:
    """Limit the processor time of a process, which unlike the time on the clock depends little on other programs."""
    resource.setrlimit(resource.RLIMIT_CPU, (_MAX_CPU_SECONDS, _MAX_CPU_SECONDS))


def _table(results: dict[Case, dict[str, Any]], shape: str, d: int, n: int) -> str:
    header = ["search", "seconds", "CPU-seconds", "recall", "memory, MB", "twice the same"]
    rows = [_row(name, results.get((name, shape, d, n))) for name in SEARCHES]
    return f"**{_title(shape, d, n)}**\n\n" + table(header, rows)


def _row(name: str, result: dict[str, Any] | None) -> Sequence[str]:
    if result is None or "failed" in result:
        return [name, "not measured" if result is None else result["failed"], "", "", "", ""]
    repeated = {True: "yes", False: "no", None: ""}[result["repeated"]]
    return [
        name,
        f"{result['wall']:.2f}",
        f"{result['cpu']:.2f}",
        f"{result['recall']:.3f}",
        f"{result['memory'] / 1e6:.0f}",
        repeated,
    ]


def _block_table(results: dict[Case, dict[str, Any]]) -> str:
    rows = []
    for shape, d, n in _IN_BLOCKS:
        found = [results.get((name, shape, d, n)) for name in _OF_BLOCKS]
        known = [result for result in found if result is not None]
        if len(known) == len(found):
            micros = [f"{result['cpu'] / n * 1e6:.1f}" for result in known]
            rows.append([TITLES[shape], f"{n:_}".replace("_", " "), *micros])
    first, *others = _OF_BLOCKS
    return table(["data", "records", f"{first}: CPU-µs a record", *others], rows)


if __name__ == "__main__":
    main()
