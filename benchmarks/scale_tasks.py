"""Tasks of the measurements of scale: which runs there are, on what they depend, and how each is started."""

import json
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from cached_tasks import Result, Task, digest
from microagg.refine.block_schedule import LARGEST_WHOLE
from process_meter import Completed, run_metered
from scale_data import HARD, PLAIN, plain
from scale_files import MEMORY, run_file
from scale_runs import D, K
from source_state import modules_state
from speed_check import tree_of

EFFORTS = ("quick", "standard")
BORDER = (LARGEST_WHOLE, LARGEST_WHOLE + 1)
"""Numbers of records between which blocks begin."""
N_KILLS = 20
"""Moments at which a run is killed."""

UNDIVIDED = "76d3900"
"""Last revision that solves everything undivided: version 0.1."""

LARGE_BOUNDS = ("neighbours", "dual-ascent")
"""Bounds that are proved of any number of records."""

_HERE = Path(__file__).parent
_CONTROL = _HERE.parent / "src" / "microagg" / "control"
_OURS = ("microagg.solve", "microagg.solve_parts", "microagg.solve_blocks")
_BOUNDS = ("microagg.bound", *_OURS)
_FILES = ("microagg.cli", "microagg.protect_file", "microagg.verify", *_OURS)
_PEERS = ("neighbours", "constrained-kmeans", "undivided")  # what does not depend on the sources here


@dataclass(frozen=True)
class Sizes:
    """Numbers of records: small, middle and large in memory, beside version 0.1, and of the file."""

    small: int = 10**4
    middle: int = 10**5
    large: int = 10**6
    undivided: int = 20_000
    file: int = 10**7

    def divided_by(self, divisor: int) -> "Sizes":
        """Return smaller numbers, for a rehearsal."""
        divided = (self.small, self.middle, self.large, self.undivided, self.file)
        return Sizes(*(n // divisor for n in divided))

    @property
    def in_memory(self) -> tuple[int, int, int]:
        """The numbers whose times are compared."""
        return self.small, self.middle, self.large


def task_groups(sizes: Sizes) -> dict[str, list[Task]]:
    """Return all tasks, by the name of their group, in the order in which they run: compared ones together."""
    growth = [("solve", shape, n, effort) for effort in EFFORTS for shape in PLAIN for n in sizes.in_memory]
    beside = [("beside-mdav", shape, n) for n in (sizes.small, sizes.middle) for shape in PLAIN]
    leaves = [("leaves", shape, n) for n in (sizes.middle, sizes.large) for shape in PLAIN]
    return {
        "beside-mdav": beside,
        "border": [("solve", "mixture", n, effort) for n in BORDER for effort in EFFORTS],
        "undivided": [("undivided", "mixture", sizes.undivided), ("solve", "mixture", sizes.undivided, "standard")],
        "hard-quick": [("hard", shape, sizes.middle, "quick") for shape in HARD],
        "growth": growth,
        "leaves": leaves,
        "hard-standard": [("hard", shape, sizes.middle, "standard") for shape in HARD],
        "constrained-kmeans": [("constrained-kmeans", "mixture", sizes.small)],
        "neighbours": [("neighbours", "mixture", n) for n in (sizes.middle, sizes.large)],
        "bounds": [("bounds", sizes.middle)],
        "kill": [("kill", N_KILLS)],
        "file": [("file", sizes.large, "quick"), ("file", sizes.file, "quick")],
        "file-standard": [("file", sizes.file, "standard")],
    }


def functions(sizes: Sizes, folder: Path | None, peers: Path | None) -> dict[str, Callable[..., Result]]:
    """Return what each task runs, by its first word.

    Parameters
    ----------
    sizes
        Numbers of records.
    folder
        Where large files may be; None: tasks with files fail.
    peers
        A Python that has k-means-constrained; None: the task fails.
    """
    in_process = {name: partial(_run_in_process, name) for name in ("solve", "beside-mdav", "hard", "leaves")}
    chosen: dict[str, Callable[..., Result]] = {
        **in_process,
        "neighbours": partial(_run_in_process, "neighbours"),
        "undivided": _run_undivided,
        "constrained-kmeans": partial(_run_constrained_kmeans, peers),
        "file": partial(_run_file, sizes, folder),
        "bounds": _run_bounds,
        "kill": partial(_run_kills, folder),
    }
    return {name: telling_errors(function) for name, function in chosen.items()}


@cache
def state(task: Task) -> str:
    """Return the state of the sources that a task depends on: results of another state do not count."""
    files = digest(_HERE / name for name in ("scale_data.py", "scale_runs.py"))
    if task[0] in _PEERS:
        return digest([_HERE / "scale_data.py"])
    modules = {"file": _FILES, "kill": _FILES, "bounds": _BOUNDS}.get(task[0], _OURS)
    further = {"kill": [_HERE / "kill_test.py", *sorted(_CONTROL.glob("*.py"))], "bounds": [_HERE / "large_bounds.py"]}
    return modules_state(modules) + files + (digest(further[task[0]]) if task[0] in further else "")


def telling_errors(function: Callable[..., Result]) -> Callable[..., Result]:
    """Let an error be a result, too, so that the other tasks go on."""

    def run(*arguments: object) -> Result:
        try:
            return function(*arguments)
        except (RuntimeError, OSError, ValueError, KeyError) as error:
            return {"error": f"{type(error).__name__}: {error}"}

    return run


def _run_in_process(name: str, *arguments: object, sources: Path = _HERE.parent / "src") -> Result:
    """Run a task in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(sources), str(_HERE)])}
    command = [sys.executable, str(_HERE / "scale_runs.py"), name, *map(str, arguments)]
    return _answer(_completed(command, environment))


def _run_undivided(shape: str, n: int) -> Result:
    """Solve with standard effort by the sources of version 0.1."""
    return _run_in_process("solve", shape, n, "standard", sources=tree_of(UNDIVIDED) / "src")


def _run_constrained_kmeans(python: Path | None, shape: str, n: int) -> Result:
    """Group by constrained k-means."""
    if python is None:
        raise ValueError("name a Python that has k-means-constrained by --peers")
    X = plain(shape, n, D)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.npy"
        np.save(data, (X - X.mean(axis=0)) / X.std(axis=0))
        done = _completed([str(python), str(_HERE / "constrained_kmeans.py"), str(data), str(K)])
    return {**_answer(done), "others": done.reading.others}


def _run_file(sizes: Sizes, folder: Path | None, n: int, effort: str) -> Result:
    """Protect a file: the largest with little memory, others as the program chooses."""
    if folder is None:
        raise ValueError("name a folder with room for the large file, its release and as much again by --folder")
    return run_file(folder, n, effort, MEMORY if n == sizes.file else None)


def _run_bounds(n: int) -> Result:
    """Prove the bounds of many records; the result is the table that is printed."""
    done = _completed([sys.executable, str(_HERE / "large_bounds.py"), str(n), "--bounds", *LARGE_BOUNDS])
    return {"table": done.output.strip()}


def _run_kills(folder: Path | None, n_kills: int) -> Result:
    """Kill runs of the command line out of core, and resume them; the result is what was found."""
    where = [] if folder is None else ["--folder", str(folder)]
    done = run_metered([sys.executable, str(_HERE / "kill_test.py"), "--moments", str(n_kills), *where])
    *_, last = done.output.strip().splitlines() or [""]
    if not last.endswith("failures"):
        raise RuntimeError(done.errors.strip()[-500:])
    return {"found": last, "passed": done.code == 0}


def _completed(command: list[str], environment: dict[str, str] | None = None) -> Completed:
    """Run a command; one that fails is an error with the end of what it said."""
    done = run_metered(command, environment)
    if done.code:
        raise RuntimeError(done.errors.strip()[-500:])
    return done


def _answer(done: Completed) -> Result:
    """Return the JSON that a process printed last."""
    answer: Result = json.loads(done.output.splitlines()[-1])
    return answer
