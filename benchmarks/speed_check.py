"""Compare the speed of this checkout with another revision, in one run: seconds, and ratios new / old.

Usage: `python benchmarks/speed_check.py REVISION [--only WORD …]` (`make speed-check REV=…`), where REVISION is what
git knows by that name, or the folder of another checkout. Every workload goes through the public interface, so that it
runs on any revision, on one thread. Both trees compile first; then they take turns, each in a process of its own, and
the best time of each counts. Ratios above 1.05 are measured again before they are flagged. The results are compared,
too: a workload whose labels, losses or bounds differ is named.

The trees of revisions are kept in `.speed-check/`, with their machine code, for the next comparison. Exits with 1 where
a ratio is flagged or a result differs.
"""

import argparse
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[1]
TREES = ROOT / ".speed-check"
MAX_RATIO = 1.05
ROUNDS = 3  # each in new processes: where code happens to lie in memory is worth some percent
EXTRA_ROUNDS = 4  # for what seems slower
TURNS = 3  # of each tree in a round
SAMPLE = 0.05  # seconds that one measurement takes at the least
LONG = 0.4  # seconds of a workload that is measured once in a round
BUDGET = 420.0  # seconds after which no further round begins
THREADED = ("MKL", "NUMBA", "OMP", "OPENBLAS")
ONE_THREAD = {**{f"{library}_NUM_THREADS": "1" for library in THREADED}, "POLARS_MAX_THREADS": "1"}

CONSTRUCTORS = (
    *("mdav", "mdav-nc", "cbfs-nn", "cbfs-nc", "tfrp-nn", "tfrp-nc", "gsms-nn", "md-nn", "md-nc", "v-mdav", "mst"),
    *("npn-mhm", "npn-mhm-tour", "md-mhm", "mdav-mhm", "cbfs-mhm", "pca-mhm", "zscore-mhm", "tsp-mhm-tour", "kmeans"),
)
REFINERS = ("recut", "imhm", "tfrp2", "igd", "reorder", "descent")

Work = Callable[[], Any]


# What runs in the process of a tree


def table(name: str) -> Any:
    """Return a table by its name: a classic one as a matrix, or normal numbers, as in "normal 1080x13"."""
    import numpy as np

    if match := re.fullmatch(r"normal (\d+)x(\d+)", name):
        n, d = map(int, match.groups())
        return np.random.default_rng([n, d]).normal(size=(n, d))
    name, _, rows = name.partition(" ")
    return np.loadtxt(data_folder() / f"{name}.csv", delimiter=",", skiprows=1)[: int(rows) if rows else None]


def data_folder() -> Path:
    """Return the folder that may hold the classic data sets."""
    return Path(os.environ.get("MICROAGG_DATA", ROOT.parent / "shared" / "data"))


def solving(data: str, k: int, method: str, **options: Any) -> Work:
    """Return the work of solving a table."""
    import microagg

    X = table(data)
    return lambda: microagg.solve(X, k, method=method, random_state=0, run=microagg.Run(workers=1), **options)


def certifying(data: str, k: int) -> Work:
    """Return the work of checking a certificate that this tree makes."""
    import microagg

    X = table(data)
    certificate = json.loads(microagg.as_certificate(microagg.solve(X, k, method="exact", random_state=0)))
    return lambda: microagg.certify(certificate, X, run=microagg.Run(workers=1))


def protecting(data: str, k: int, method: str, **options: Any) -> Work:
    """Return the work of protecting a table from file to file."""
    import numpy as np

    import microagg

    X = table(data)
    folder = Path(tempfile.mkdtemp())
    names = [f"c{j}" for j in range(X.shape[1])]
    np.savetxt(folder / "in.csv", X, fmt="%.6f", delimiter=",", header=",".join(names), comments="")

    def work() -> Any:
        run = microagg.Run(workers=1)
        return microagg.protect(folder / "in.csv", k, columns=names, method=method, random_state=0, run=run, **options)

    return work


def workloads() -> dict[str, Callable[[], Work]]:
    """Return all workloads by name, each as a function that makes its data ready."""
    listed: dict[str, Callable[[], Work]] = {}

    def add(name: str, make: Callable[..., Work], *arguments: Any, **options: Any) -> None:
        listed[name] = lambda: make(*arguments, **options)

    for method in CONSTRUCTORS:
        add(f"construct {method}", solving, "normal 4000x10", 5, method)
    add("construct mdav large", solving, "normal 20000x5", 5, "mdav")
    add("construct mf-tsp", solving, "normal 250x4", 3, "mf-tsp")
    add("construct univariate", solving, "normal 200000x1", 5, "univariate")
    for refiner in REFINERS:
        add(f"refine mdav+{refiner}", solving, "normal 2000x8", 5, f"mdav+{refiner}")
    add("refine mdav+icsm", solving, "normal 1000x8", 5, "mdav+icsm")
    add("refine icsm starts", solving, "normal 300x5", 4, "icsm(starts=4, perturb=best)")
    add("refine reporder", solving, "normal 400x6", 3, "reporder(starts=4)")
    add("search quick", solving, "normal 300x6", 3, "search", effort="quick")
    add("search quick, large k", solving, "normal 300x6", 10, "search", effort="quick")
    add("search standard", solving, "normal 100x4", 3, "search", effort="standard")
    add("bound column generation", solving, "normal 150x3", 3, "mdav", bound=True)
    add("bound paper", solving, "normal 60x3", 3, "column-generation")
    add("bound neighbours", solving, "normal 8200x3", 3, "mdav", bound=True)
    add("exact", solving, "normal 60x4", 3, "exact")
    add("certify", certifying, "normal 60x4", 3)
    add("protect file", protecting, "normal 20000x8", 5, "mdav")
    add("protect default", protecting, "normal 120x3", 3, "auto")
    if (data_folder() / "eia.csv").is_file():
        add("census mdav+igd", solving, "census", 5, "mdav+igd")
        add("tarragona search", solving, "tarragona 200", 3, "search", effort="quick")
        add("eia cbfs-nc", solving, "eia", 3, "cbfs-nc")
        add("eia icsm", solving, "eia", 3, "icsm")
        add("eia exact", solving, "eia 80", 3, "exact")
        add("eia certify", certifying, "eia 80", 3)
    return listed


def digest(result: Any) -> str:
    """Return what tells one result from another, to the last bit: labels, losses, bounds; a check's findings."""
    known = hashlib.sha256()
    for name in ("labels", "sse", "lower_bound", "information_loss", "passed", "certified"):
        value = getattr(result, name, None)
        if name == "labels" and value is not None:
            known.update(value.astype("int64").tobytes())
        elif isinstance(value, float):
            known.update(value.hex().encode())
        else:
            known.update(repr(value).encode())
    return known.hexdigest()[:12]


def serve() -> None:
    """Run what is asked for on stdin, and answer with seconds on stdout: a line of JSON each."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a solver prints is no answer
    known = workloads()
    ready = cache(lambda name: known[name]())
    for line in sys.stdin:
        name, number = json.loads(line)
        try:
            work = ready(name)
            wall, cpu = time.perf_counter(), time.process_time()
            for _ in range(number):
                result = work()
            times = (time.perf_counter() - wall) / number, (time.process_time() - cpu) / number
            answer: dict[str, Any] = {"wall": times[0], "cpu": times[1], "digest": digest(result)}
        except Exception as error:  # a revision may lack a method
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


# What runs here


class Server:
    """Process that runs workloads with the sources of one tree."""

    def __init__(self, tree: Path, log: IO[str]) -> None:
        environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(tree / "src")}
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )

    def run(self, workload: str, number: int = 1) -> dict[str, Any]:
        """Run a workload some times and return the seconds of one."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([workload, number]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process of {workload!r} ended: see its messages above")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


@contextmanager
def serving(trees: list[Path]) -> Iterator[list[Server]]:
    """Start one process for each tree."""
    servers = [Server(tree, sys.stderr) for tree in trees]
    try:
        yield servers
    finally:
        for server in servers:
            server.close()


@dataclass
class Comparison:
    """Times of one workload: the best of each tree, old and new."""

    name: str
    number: int = 1  # of runs in one measurement
    long: bool = False
    wall: list[float] = field(default_factory=lambda: [float("inf")] * 2)
    cpu: list[float] = field(default_factory=lambda: [float("inf")] * 2)
    digests: list[str] = field(default_factory=lambda: ["", ""])
    error: str | None = None

    def add(self, tree: int, answer: dict[str, Any]) -> None:
        """Note one measurement."""
        if "error" in answer:
            self.error = f"{('old', 'new')[tree]}: {answer['error']}"
            return
        self.wall[tree] = min(self.wall[tree], answer["wall"])
        self.cpu[tree] = min(self.cpu[tree], answer["cpu"])
        self.digests[tree] = answer["digest"]

    @property
    def slower(self) -> bool:
        """Whether the new tree takes noticeably longer."""
        return self.error is None and any(new > MAX_RATIO * old for old, new in (self.wall, self.cpu))

    @property
    def differs(self) -> bool:
        """Whether the two trees find something else."""
        return self.error is None and self.digests[0] != self.digests[1]

    def row(self) -> str:
        """Return a row of the table."""
        if self.error is not None:
            return f"{self.name:<28} not compared: {self.error}"
        numbers = "".join(f"{old:10.4f}{new:10.4f}{new / old:8.3f}" for old, new in (self.wall, self.cpu))
        words = ["SLOWER"] * self.slower + ["DIFFERENT RESULT"] * self.differs
        return f"{self.name:<28}{numbers}  {', '.join(words)}".rstrip()


def measure_round(trees: list[Path], comparisons: list[Comparison]) -> None:
    """Let the trees take turns at every workload, in new processes."""
    with serving(trees) as servers:
        for comparison in comparisons:
            firsts = [server.run(comparison.name) for server in servers]  # loads, and compiles where needed
            if comparison.error or any("error" in first for first in firsts):
                for tree, first in enumerate(firsts):
                    comparison.add(tree, first)
                continue
            for turn in range(1 if comparison.long else TURNS):
                for tree in (0, 1) if turn % 2 else (1, 0):
                    comparison.add(tree, servers[tree].run(comparison.name, comparison.number))


def compile_trees(trees: list[Path], comparisons: list[Comparison]) -> None:
    """Run every workload in each tree, so that all machine code is on disk, and see how long it takes."""
    for tree in trees:
        began = time.perf_counter()
        with serving([tree]) as (server,):
            for comparison in comparisons:
                server.run(comparison.name)
                once = server.run(comparison.name).get("wall", LONG)
                comparison.number = max(1, int(SAMPLE / once))
                comparison.long = once > LONG
        print(f"{tree}: ready after {time.perf_counter() - began:.0f} s", flush=True)


def tree_of(revision: str) -> Path:
    """Return a folder with the sources of a revision; a folder that has sources is taken as it is."""
    if (Path(revision) / "src" / "microagg").is_dir():
        return Path(revision).resolve()
    commit = _git("rev-parse", "--verify", f"{revision}^{{commit}}").decode().strip()
    tree = TREES / commit
    if not tree.exists():
        TREES.mkdir(exist_ok=True)
        with tarfile.open(fileobj=io.BytesIO(_git("archive", commit, "src"))) as archive:
            archive.extractall(tree, filter="data")
    return tree


def _git(*arguments: str) -> bytes:
    """Run git here and return what it prints."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True)
    if done.returncode:
        sys.exit(f"git {arguments[0]}: {done.stderr.decode().strip()}")
    return done.stdout


def main() -> None:
    """Compare two trees and print the table."""
    parser = argparse.ArgumentParser(description="Compare the speed of this checkout with another revision.")
    parser.add_argument("revision", nargs="?", help="a revision, or the folder of another checkout")
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD", help="workloads whose names contain a word")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often new processes are started")
    parser.add_argument("--list", action="store_true", help="list the workloads")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve()
        return
    names = [name for name in workloads() if any(word in name for word in given.only)]
    if given.list:
        print("\n".join(names))
        return
    if given.revision is None or not names:
        parser.error("name a revision, such as HEAD~1" if names else f"no workload has {given.only} in its name")
    sys.exit(compare([tree_of(given.revision), ROOT], names, given.rounds))


def compare(trees: list[Path], names: list[str], rounds: int) -> int:
    """Compare an old and a new tree; return 1 where something got slower or differs, else 0."""
    began = time.perf_counter()
    comparisons = [Comparison(name) for name in names]
    compile_trees(trees, comparisons)
    for number in range(rounds + EXTRA_ROUNDS):
        chosen = comparisons if number < rounds else [one for one in comparisons if one.slower]
        if not chosen or (number > 0 and time.perf_counter() - began > BUDGET):
            break
        measure_round(trees, chosen)
    print(f"\n{'seconds':<28}{'wall old':>10}{'new':>10}{'ratio':>8}{'CPU old':>10}{'new':>10}{'ratio':>8}")
    for comparison in comparisons:
        print(comparison.row())
    flagged = sum(comparison.slower for comparison in comparisons)
    different = sum(comparison.differs for comparison in comparisons)
    print(
        f"\n{len(names)} workloads, {flagged} slower by more than {MAX_RATIO - 1:.0%}, {different} with another result "
        f"({time.perf_counter() - began:.0f} s)"
    )
    return int(flagged + different > 0)


if __name__ == "__main__":
    main()
