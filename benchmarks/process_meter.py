"""Meters of time and memory, of work in this process and of another process with its descendants; Linux only."""

import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_PERIOD = 0.1  # seconds between two looks at the resident set
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK = 1 / os.sysconf("SC_CLK_TCK")  # seconds
_IDLE = (3, 4)  # fields of /proc/stat that are no work: idle, and waiting for input or output
_GUEST = 8  # from here on, fields count again what is in others


class Reading(NamedTuple):
    """What a meter read.

    Parameters
    ----------
    wall
        Seconds that passed.
    cpu
        Seconds of all threads on all processors.
    others
        Processors that other programs kept busy meanwhile, on average.
    """

    wall: float
    cpu: float
    others: float


class Meter:
    """Meter of this process, which runs from its making on."""

    def __init__(self) -> None:
        self._wall = time.perf_counter()
        self._cpu = time.process_time()
        self._busy = _busy_seconds()

    def read(self) -> Reading:
        """Return what was used since the meter was made."""
        wall = time.perf_counter() - self._wall
        cpu = time.process_time() - self._cpu
        others = (_busy_seconds() - self._busy - cpu) / wall
        return Reading(wall, cpu, max(others, 0.0))


class Completed(NamedTuple):
    """A process that has ended.

    Parameters
    ----------
    code
        Its exit code.
    output
        What it printed to standard output.
    errors
        What it printed to standard error.
    reading
        Its time, and that of its descendants.
    peak
        Largest resident set of the process and its descendants together, in bytes, as sampled ten times a second.
    high_water
        Largest resident set of the process alone, in bytes, as the kernel keeps it: nothing escapes it.
    """

    code: int
    output: str
    errors: str
    reading: Reading
    peak: int
    high_water: int


def high_water_mark(pid: int | str = "self") -> int:
    """Return the largest resident set that a process has had so far, in bytes; 0 where it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


def run_metered(
    command: Sequence[str],
    environment: Mapping[str, str] | None = None,
    make_sampler: "Callable[[int], FamilySampler] | None" = None,
) -> Completed:
    """Run a command to its end, and measure it; a sampler of one's own may look at more than memory."""
    began = time.perf_counter()
    busy = _busy_seconds()
    cpu = _cpu_of_children()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL
    )
    sampler = FamilySampler(process.pid) if make_sampler is None else make_sampler(process.pid)
    sampler.start()
    output, errors = process.communicate()
    sampler.end()
    wall = time.perf_counter() - began
    used = _cpu_of_children() - cpu
    others = max((_busy_seconds() - busy - used) / wall, 0.0)
    return Completed(process.returncode, output, errors, Reading(wall, used, others), sampler.peak, sampler.high_water)


class FamilySampler(threading.Thread):
    """Thread that looks at the resident set of a process and its descendants, again and again."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.peak = 0
        self.high_water = 0
        self.parents: dict[int, int] = {}  # of all processes that there are
        self._ended = threading.Event()

    def run(self) -> None:
        """Look until the end."""
        while not self._ended.wait(_PERIOD):
            self.look(self._family())

    def look(self, family: Sequence[int]) -> None:
        """Look at the process and its descendants once."""
        self.peak = max(self.peak, sum(map(resident_set, family)))
        self.high_water = max(self.high_water, high_water_mark(self.pid))

    def end(self) -> None:
        """Look no more."""
        self._ended.set()
        self.join()

    def _family(self) -> list[int]:
        """Return the process and its descendants; only processes that are new are asked for their parents."""
        alive = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
        self.parents = {pid: self.parents.get(pid) or _parent(pid) for pid in alive}
        family = [self.pid]
        for member in family:
            family += [pid for pid, parent in self.parents.items() if parent == member]
        return family


def _parent(pid: int) -> int:
    """Return the parent of a process; 0 where it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[1])


def resident_set(pid: int) -> int:
    """Return the resident set of a process, in bytes; 0 where it has ended."""
    try:
        return _PAGE * int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0


def _busy_seconds() -> float:
    """Return the seconds that all processors have worked since the machine was started."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    return _TICK * sum(int(field) for number, field in enumerate(fields[:_GUEST]) if number not in _IDLE)


def _cpu_of_children() -> float:
    """Return the processor seconds of all processes that this one has started and that have ended."""
    times = os.times()
    return times.children_user + times.children_system
