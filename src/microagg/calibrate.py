"""Calibrate: measure how fast this machine is, and keep that for a month."""

import json
import os
import platform
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from microagg.construct import CONSTRUCTORS
from microagg.control.run import Run
from microagg.model.limits import Limits
from microagg.model.problem import Problem
from microagg.model.problem_shape import Shape
from microagg.refine.search import Search
from microagg.stage_times import stage_work
from microagg.version import __version__

_SHAPE = Shape(4000, 10, 5)  # of the made data
_N_TRIALS = 500  # of each annealing run
_N_SORTED = 200_000
_SECONDS_TO_SORT = 0.009  # on the machine of reference
_N_REPEATS = 3
_SECONDS_KEPT = 30 * 24 * 3600


@dataclass(frozen=True)
class MachineSpeed:
    """Time that this machine takes, as multiples of that of the machine of reference.

    Parameters
    ----------
    kernel
        For kernels that go through records in order.
    search
        For kernels that change single groups.
    table
        For reading, sorting and writing columns.
    """

    kernel: float = 1.0
    search: float = 1.0
    table: float = 1.0


def machine_speed() -> MachineSpeed:
    """Return the speed of this machine: as it was measured in the last month, or measured now.

    It takes a second, and once more the time of compiling. It is kept in the cache folder of the user, for this host
    and this version.
    """
    path = _cache_file()
    known = _kept(path)
    if known is not None:
        return known
    measured = measured_speed()
    with suppress(OSError):  # it is measured again next time
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{os.urandom(4).hex()}-{path.name}")
        temporary.write_text(json.dumps({"version": __version__, **asdict(measured)}), encoding="utf-8")
        temporary.replace(path)
    return measured


def measured_speed() -> MachineSpeed:
    """Measure the speed of this machine on made data, by the time of one processor: others may be busy."""
    problem = Problem(_made_points(), _SHAPE.k)
    construct = CONSTRUCTORS["mdav"]
    partition = construct(problem, np.random.default_rng(0), Run(workers=1))
    search = Search(recombine="no")
    kernel = _seconds(lambda: construct(problem, np.random.default_rng(0), Run(workers=1)))
    searching = _seconds(lambda: search(partition, np.random.default_rng(0), Run(iterations=_N_TRIALS, workers=1)))
    values = np.random.default_rng(0).random(_N_SORTED)
    return MachineSpeed(
        kernel / _predicted(construct, Limits()),
        searching / _predicted(search, Limits(iterations=_N_TRIALS)),
        _seconds(lambda: np.sort(values)) / _SECONDS_TO_SORT,
    )


def _predicted(stage: Any, limits: Limits) -> float:
    """Return the seconds of a stage on the machine of reference."""
    work = stage_work(stage, _SHAPE, limits)
    assert work is not None, "the time of MDAV, and that of a search of some trials, is predicted"
    return sum(one.seconds for one in work)


def _made_points() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Make points in some clusters of different spread."""
    rng = np.random.default_rng(0)
    centres = 3.0 * rng.normal(size=(50, _SHAPE.d))
    spread = rng.lognormal(0.0, 0.5, size=(_SHAPE.n, 1))
    return centres[rng.integers(0, len(centres), _SHAPE.n)] + spread * rng.normal(size=(_SHAPE.n, _SHAPE.d))


def _seconds(work: Callable[[], object]) -> float:
    """Return the least processor time of some repetitions, of which the first compiles and is not counted."""
    work()
    seconds = []
    for _ in range(_N_REPEATS):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


def _kept(path: Path) -> MachineSpeed | None:
    """Return what was measured before; None if that is too old, of another version, or cannot be read."""
    try:
        age = time.time() - path.stat().st_mtime
        kept = json.loads(path.read_text(encoding="utf-8"))
        if not 0 <= age <= _SECONDS_KEPT or kept.pop("version") != __version__:
            return None
        speed = MachineSpeed(**{name: float(value) for name, value in kept.items()})
    except (OSError, ValueError, TypeError, AttributeError, KeyError):
        return None
    return speed if all(0.0 < value < float("inf") for value in asdict(speed).values()) else None


def _cache_file() -> Path:
    host = "".join(letter if letter.isalnum() else "-" for letter in platform.node())
    return _cache_folder() / "microagg" / f"speed-of-{host or 'this-machine'}.json"


def _cache_folder() -> Path:
    """Return the folder in which programs of this user keep what they can make again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
