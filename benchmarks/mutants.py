"""Mutation testing of what makes promises: the model, the line and the checker of certificates.

Usage: `python benchmarks/mutants.py [FILE OR FOLDER …] [--sample N]` (`make mutants MUTANTS=400`). A mutant is the
program with one small change (`mutations.py`); it is killed where a test fails that passes without it. First every test
is run once, to see which lines it covers; then each mutant meets the tests that cover its line, those of its own module
first, for some seconds. What is known is kept in `.mutants/`: a run that was broken off goes on where it stopped; a
mutant that was killed is not tried again until its file changes, one that survived until the tests change.

By their sources, mutmut leaves constants, defaults and properties alone, and cosmic-ray starts pytest
anew for each mutant, seconds each time.
"""

import argparse
import ast
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from typing import IO, Any

from mutations import Mutant, mutants_of

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "microagg"
STATE = ROOT / ".mutants"
OTHER_PARTS = {  # neither model nor line nor checker
    *(
        "app",
        "bound",
        "construct",
        "control",
        "exact",
        "kernels",
        "lp",
        "methods",
        "refine",
        "report",
        "source",
        "spark",
    ),
    *("__init__", "__main__", "arguments", "cli", "datasets", "estimator", "terminal", "warm_up", "version"),
}
LEFT_OUT = ("test_golden.py",)  # figures, by the minute
MAX_TESTS = 400
PYTEST = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:faulthandler"]
TEST_SEED = "0"  # of Python's hashes, so that every run collects the same tests


@dataclass(frozen=True)
class Coverage:
    """Tests that pass, how long they take, and which of them run each line of each file; −1: when it is imported."""

    tests: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    lines: dict[str, dict[int, set[int]]] = field(default_factory=dict)

    def add(self, found: dict[str, Any]) -> None:
        """Add what another process found."""
        shift = len(self.tests)
        self.tests.extend(found["tests"])
        self.seconds.extend(found["seconds"])
        for path, covered in found["lines"].items():
            lines = self.lines.setdefault(path, {})
            for line, tests in covered.items():
                lines.setdefault(int(line), set()).update(test + shift if test >= 0 else -1 for test in tests)

    def of_lines(self, path: str, first: int, last: int) -> set[int]:
        """Return the tests that run one of some lines."""
        lines = self.lines.get(path, {})
        return set().union(*(lines.get(line, set()) for line in range(first, last + 1)))

    def of_file(self, path: str) -> set[int]:
        """Return the tests that run any line of a file."""
        return set().union(*self.lines.get(path, {}).values()) - {-1}


# What is mutated


def targets(named: list[str]) -> list[Path]:
    """List the files to mutate: those that are named, or the model, the line and the checker."""
    if named:
        paths = [Path(name).resolve() for name in named]
    else:
        paths = [path for path in PACKAGE.iterdir() if path.stem not in OTHER_PARTS and not path.name.startswith("__")]
    files = [file for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    missing = [str(file) for file in files if not file.is_file() or file.suffix != ".py"]
    if missing and named:
        sys.exit(f"not a Python file, nor a folder: {', '.join(missing)}")
    return sorted(file for file in files if file.suffix == ".py")


def digest(paths: Iterable[Path]) -> str:
    """Return what tells one state of some files from another."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()[:16]


def key(mutant: Mutant, source: bytes) -> str:
    """Return what a mutant is known by, as long as its file is the same."""
    known = f"{mutant.path} {hashlib.sha256(source).hexdigest()} {mutant.start} {mutant.end} {mutant.text}"
    return hashlib.sha256(known.encode()).hexdigest()[:24]


# Which tests


def measure_coverage(test_files: list[Path], processes: int, state: str) -> Coverage:
    """Run all tests once, in several processes; or take what is known of this state."""
    kept = STATE / f"coverage-{state}.json"
    coverage = Coverage()
    if kept.exists():
        for found in json.loads(kept.read_text()):
            coverage.add(found)
        return coverage
    print(f"running the tests of {len(test_files)} files once, to see which lines they cover …", flush=True)
    files = sorted(test_files, key=lambda file: -file.stat().st_size)
    parts = [files[number::processes] for number in range(processes) if files[number::processes]]
    servers = [Process("coverage", [*PYTEST, *map(str, part)]) for part in parts]
    everything = [server.read() for server in servers]
    for server in servers:
        server.close()
    for old in STATE.glob("coverage-*.json"):
        old.unlink()
    kept.write_text(json.dumps(everything))
    for found in everything:
        coverage.add(found)
    return coverage


def places_of_names() -> dict[str, list[tuple[str, int]]]:
    """Find where each name is used in the package."""
    places: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_bytes())):
            name = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "arg", None)
            if isinstance(name, str):
                places[name].append((str(file.relative_to(ROOT)), node.lineno))  # type: ignore[attr-defined]
    return places


def tests_for(mutant: Mutant, coverage: Coverage, places: dict[str, list[tuple[str, int]]], budget: float) -> list[str]:
    """List the tests that a mutant meets: of its own module first, then the fastest, as many as the budget allows."""
    covering = coverage.of_lines(mutant.path, *mutant.lines)
    if mutant.function is not None and covering != {-1}:
        numbers = covering - {-1}
    else:
        numbers = coverage.of_file(mutant.path)
        for path, line in places.get(mutant.names[0], []) if mutant.names else []:
            numbers |= coverage.of_lines(path, line, line) - {-1}
    stem, folder = Path(mutant.path).stem, Path(mutant.path).parent.name

    def rank(number: int) -> tuple[int, float]:
        file = coverage.tests[number].partition("::")[0]
        own = Path(file).stem == f"test_{stem}"
        near = Path(file).stem == f"test_{folder}" or Path(file).parent.name == folder
        return 0 if own else 1 if near else 2, coverage.seconds[number]

    chosen: list[str] = []
    spent = 0.0
    for number in sorted(numbers, key=rank):
        if chosen and (len(chosen) == MAX_TESTS or spent + coverage.seconds[number] > budget):
            continue
        chosen.append(coverage.tests[number])
        spent += coverage.seconds[number]
    return chosen


def is_cold(mutant: Mutant, coverage: Coverage) -> bool:
    """Check whether a mutant acts when the package is imported."""
    return mutant.function is None or -1 in coverage.of_lines(mutant.path, *mutant.lines)


# Trying


class Process:
    """Process of `mutant_tests.py`, with a pipe in and a pipe out."""

    def __init__(self, mode: str, arguments: list[str]) -> None:
        self.folder = tempfile.TemporaryDirectory()
        reading, self.jobs = _pipe()
        self.answers, writing = _pipe()
        environment = {**os.environ, "PYTHONHASHSEED": TEST_SEED, "PYTHONPATH": str(ROOT / "src")}
        for library in ("OMP", "OPENBLAS", "MKL"):
            environment[f"{library}_NUM_THREADS"] = "1"
        self.process = subprocess.Popen(
            [
                *(sys.executable, str(Path(__file__).with_name("mutant_tests.py")), mode),
                *(str(reading.fileno()), str(writing.fileno())),
                *(f"--basetemp={self.folder.name}/tests", *arguments),
            ],
            cwd=ROOT,
            env=environment,
            pass_fds=(reading.fileno(), writing.fileno()),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        reading.close()
        writing.close()

    def send(self, job: dict[str, Any]) -> dict[str, Any]:
        """Send a job and return its outcome."""
        print(json.dumps(job), file=self.jobs, flush=True)
        return self.read()

    def read(self) -> dict[str, Any]:
        """Read an answer."""
        line = self.answers.readline()
        if not line:
            raise RuntimeError("a process that runs tests ended: see its messages above")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        self.jobs.close()
        self.process.wait()
        self.answers.close()
        self.folder.cleanup()


def _pipe() -> tuple[IO[str], IO[str]]:
    reading, writing = os.pipe()
    return os.fdopen(reading), os.fdopen(writing, "w")


class Servers:
    """Two processes that try mutants: one in functions that are there, one in a package yet to be imported."""

    def __init__(self, coverage: Coverage, test_files: list[Path]) -> None:
        self.seconds = dict(zip(coverage.tests, coverage.seconds, strict=True))
        self.files = [str(file) for file in test_files]
        self.known: dict[str, Process] = {}

    def attempt(self, mutant: Mutant | None, source: bytes, tests: list[str], cold: bool) -> dict[str, Any]:
        """Try a mutant; None: the tests on the program as it is."""
        mode = "cold" if cold else "warm"
        if mode not in self.known:
            self.known[mode] = Process(mode, PYTEST if cold else [*PYTEST, *self.files])
            self.known[mode].read()
        spent = sum(self.seconds[test] for test in tests)
        job = {
            "path": mutant.path if mutant else "",
            "source": mutant.apply(source).decode() if mutant else "",
            "function": mutant.function if mutant else None,
            "tests": tests,
            "cpu": int(10 + 3 * spent),
            "wall": 60 + 20 * spent,
        }
        return self.known[mode].send(job)

    def close(self) -> None:
        """End both."""
        for process in self.known.values():
            process.close()


@dataclass
class Attempts:
    """Mutants that are to be tried, by several threads with servers of their own, and what came of each."""

    coverage: Coverage
    test_files: list[Path]
    sources: dict[str, bytes]
    budget: float
    results: IO[str]
    tests_state: str
    outcomes: dict[str, str] = field(default_factory=dict)
    killers: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    lock: threading.Lock = field(default_factory=threading.Lock)
    errors: list[str] = field(default_factory=list)

    def run(self, mutants: list[Mutant], processes: int) -> None:
        """Try all mutants."""
        self.places = places_of_names()
        self.began = time.monotonic()
        self.total = len(mutants)
        self.done = 0
        queue: Queue[Mutant] = Queue()
        for mutant in mutants:
            queue.put(mutant)
        threads = [threading.Thread(target=self._work, args=(queue,)) for _ in range(min(processes, len(mutants)))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.errors:
            sys.exit("\n".join(self.errors))

    def _work(self, queue: "Queue[Mutant]") -> None:
        """Try mutants until none is left."""
        servers = Servers(self.coverage, self.test_files)
        try:
            self._check(servers)
            while not self.errors:
                mutant = queue.get_nowait()
                self._note(mutant, self._attempt(servers, mutant))
        except Empty:
            pass
        except Exception as error:
            self.errors.append(f"{type(error).__name__}: {error}")
        finally:
            servers.close()

    def _check(self, servers: Servers) -> None:
        """Check that tests pass in the servers where nothing is changed."""
        quick = sorted(servers.seconds, key=lambda test: servers.seconds[test])[: MAX_TESTS // 4]
        for cold in (False, True):
            outcome = servers.attempt(None, b"", quick, cold)
            if outcome["outcome"] != "survived":
                raise RuntimeError(f"without a mutant, {outcome['test']} {outcome['outcome']} (cold: {cold})")

    def _attempt(self, servers: Servers, mutant: Mutant) -> dict[str, Any]:
        """Try one mutant with its tests, those that killed others of the same function first."""
        tests = tests_for(mutant, self.coverage, self.places, self.budget)
        if not tests:
            return {"outcome": "not covered", "test": None}
        place = f"{mutant.path} {mutant.function}"
        first = [test for test in self.killers[place] if test in tests]
        ordered = [*first, *(test for test in tests if test not in first)]
        source = self.sources[mutant.path]
        cold = is_cold(mutant, self.coverage)
        outcome = servers.attempt(mutant, source, ordered, cold)
        if outcome["outcome"] == "error" and not cold:  # the code does not fit the function that is there
            outcome = servers.attempt(mutant, source, ordered, cold=True)
        if outcome["outcome"] == "killed" and outcome["test"] in tests:
            self.killers[place] = [outcome["test"], *(test for test in first if test != outcome["test"])][:5]
        return outcome

    def _note(self, mutant: Mutant, outcome: dict[str, Any]) -> None:
        """Keep an outcome, and say how far the work is."""
        with self.lock:
            known = key(mutant, self.sources[mutant.path])
            self.outcomes[known] = outcome["outcome"]
            print(
                json.dumps([known, self.tests_state, outcome["outcome"], outcome["test"]]),
                file=self.results,
                flush=True,
            )
            self.done += 1
            if self.done % 50 == 0 or self.done == self.total:
                minutes = (time.monotonic() - self.began) / 60
                print(f"{self.done} of {self.total} mutants, {minutes:.1f} min", flush=True)


# Report


def known_outcomes(tests_state: str, fresh: bool) -> dict[str, str]:
    """Return the outcomes of earlier runs that still hold."""
    results = STATE / "results.jsonl"
    if fresh or not results.exists():
        return {}
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    return {known: outcome for known, state, outcome, _ in rows if state == tests_state or outcome in KILLED}


KILLED = ("killed", "timeout")


def report(mutants: list[Mutant], sources: dict[str, bytes], outcomes: dict[str, str]) -> None:
    """Print every survivor, the share that was killed of each file, and of all."""
    by_file: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for mutant in mutants:
        source = sources[mutant.path]
        outcome = outcomes[key(mutant, source)]
        by_file[mutant.path][outcome] += 1
        if outcome not in KILLED:
            print(f"\n{mutant.path}:{mutant.lines[0]} {outcome}\n{mutant.difference(source)}")
    print(f"\n{'file':<52}{'mutants':>8}{'killed':>8}{'late':>6}{'alive':>7}{'not covered':>13}{'share':>8}")
    for path, counts in sorted(by_file.items()):
        print(_row(path, counts))
    print(_row("all", sum(by_file.values(), Counter())))


def _row(name: str, counts: Counter[str]) -> str:
    """Return a row of the table."""
    total = counts.total()
    alive = total - counts["killed"] - counts["timeout"] - counts["not covered"]
    share = (counts["killed"] + counts["timeout"]) / total
    numbers = f"{total:8}{counts['killed']:8}{counts['timeout']:6}{alive:7}{counts['not covered']:13}"
    return f"{name:<52}{numbers}{share:8.1%}"


def main() -> None:
    """Try mutants and report."""
    parser = argparse.ArgumentParser(description="Mutation testing of the model, the line and the checker.")
    parser.add_argument("paths", nargs="*", help="files and folders to mutate; none: the model, the line, the checker")
    parser.add_argument("--sample", type=int, default=0, help="how many mutants, drawn at random; 0: all")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="files and folders of the tests that may kill")
    parser.add_argument("--seconds", type=float, default=10.0, help="of tests that each mutant meets at most")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="how many work side by side")
    parser.add_argument("--fresh", action="store_true", help="forget what earlier runs found")
    given = parser.parse_args()
    STATE.mkdir(exist_ok=True)
    files = targets(given.paths)
    sources = {str(file.relative_to(ROOT)): file.read_bytes() for file in files}
    mutants = [mutant for path, source in sources.items() for mutant in mutants_of(path, source)]
    if given.sample and given.sample < len(mutants):
        mutants = sorted(random.Random(given.seed).sample(mutants, given.sample), key=lambda one: (one.path, one.start))
    test_files = [file for file in _python_files(given.tests, "test_*.py") if file.name not in LEFT_OUT]
    tests_state = digest([*(ROOT / "tests").rglob("*.py"), *PACKAGE.rglob("*.py"), *test_files])
    outcomes = known_outcomes(tests_state, given.fresh)
    waiting = [one for one in mutants if key(one, sources[one.path]) not in outcomes]
    print(f"{len(mutants)} mutants of {len(sources)} files, {len(waiting)} to be tried", flush=True)
    if waiting:
        coverage = measure_coverage(test_files, given.processes, tests_state)
        with (STATE / "results.jsonl").open("a") as results:
            attempts = Attempts(coverage, test_files, sources, given.seconds, results, tests_state)
            attempts.run(waiting, given.processes)
        outcomes |= attempts.outcomes
    report(mutants, sources, outcomes)


def _python_files(paths: list[str], pattern: str) -> Iterator[Path]:
    """Yield the files that are named, and those of a pattern below the folders that are named."""
    for name in paths:
        path = Path(name).resolve()
        yield from sorted(path.rglob(pattern)) if path.is_dir() else [path]


if __name__ == "__main__":
    main()
