"""Meter of a command of Spark: time and memory of its driver, its Java process and its Python workers; Linux only."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from process_meter import Completed, FamilySampler, resident_set, run_metered

KINDS = ("driver", "java", "worker")
"""The command's own Python, the Java process, and the Python processes that Java has started."""

_TICK = 1 / os.sysconf("SC_CLK_TCK")  # seconds
_USER, _SYSTEM = 11, 12  # fields of /proc/PID/stat behind the name, in ticks


class TreeReading(NamedTuple):
    """What was read of a command with its descendants.

    Parameters
    ----------
    wall
        Seconds that passed.
    cpu
        Processor seconds of all processes.
    others
        Processors that other programs kept busy meanwhile, on average.
    peak
        Largest resident set of all processes together, in bytes.
    peaks
        Largest resident set of each kind of process, in bytes.
    cpus
        Processor seconds of each kind of process.
    n_workers
        Largest number of Python workers at the same time, with the process that forks them.
    """

    wall: float
    cpu: float
    others: float
    peak: int
    peaks: dict[str, int]
    cpus: dict[str, float]
    n_workers: int


def run_tree(command: Sequence[str]) -> tuple[Completed, TreeReading]:
    """Run a command to its end, and measure it and all of its descendants, also those that outlive it."""
    samplers: list[_KindSampler] = []

    def sampler(pid: int) -> "_KindSampler":
        samplers.append(_KindSampler(pid))
        return samplers[0]

    done = run_metered(command, make_sampler=sampler)
    return done, samplers[0].reading(done)


class _KindSampler(FamilySampler):
    """Sampler that tells processes apart by what they are."""

    def __init__(self, pid: int) -> None:
        super().__init__(pid)
        self._peaks: Counter[str] = Counter()
        self._seconds: dict[int, float] = {}  # of each process, when it was last seen
        self._kinds: dict[int, str] = {}
        self._n_workers = 0

    def look(self, family: Sequence[int]) -> None:
        """Look at the process and its descendants once."""
        super().look(family)
        residents: Counter[str] = Counter()
        for pid in family:
            seconds = _cpu_seconds(pid)
            if seconds is None:
                continue
            self._seconds[pid] = seconds
            self._kinds[pid] = self._kind(pid)
            residents[self._kinds[pid]] += resident_set(pid)
        self._n_workers = max(self._n_workers, sum(self._kinds.get(pid) == "worker" for pid in family))
        for kind, resident in residents.items():
            self._peaks[kind] = max(self._peaks[kind], resident)

    def reading(self, done: Completed) -> TreeReading:
        """Return what was read in all."""
        cpus = dict.fromkeys(KINDS, 0.0)
        for pid, seconds in self._seconds.items():
            cpus[self._kinds[pid]] += seconds
        cpu = sum(cpus.values())
        uncounted = max(cpu - done.reading.cpu, 0.0)  # of descendants that nobody waited for
        others = max(done.reading.others - uncounted / done.reading.wall, 0.0)
        peaks = {kind: self._peaks[kind] for kind in KINDS}
        return TreeReading(
            done.reading.wall, cpu, others, max(self.peak, self.high_water), peaks, cpus, self._n_workers
        )

    def _kind(self, pid: int) -> str:
        if _name(pid) == "java":
            return "java"
        ancestor = self.parents.get(pid, 0)
        while ancestor > 1:
            if self._kinds.get(ancestor) == "java":
                return "worker"
            ancestor = self.parents.get(ancestor, 0)
        return "driver"


def _name(pid: int) -> str:
    """Return the name of a process's program; nothing where it has ended."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def _cpu_seconds(pid: int) -> float | None:
    """Return the processor seconds of a process without its descendants; None where it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return _TICK * (int(fields[_USER]) + int(fields[_SYSTEM]))
