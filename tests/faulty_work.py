"""Block work that fails as it is told, in a session of Spark: for tests of what faults do to a release."""

import os
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark import cloudpickle

from microagg.spark.block_stage import BlockWork
from patience import wait_until

EXECUTOR = b"CoarseGrainedExecutorBackend"  # in the command line of every executor that is a process of its own

for module in (__name__, wait_until.__module__):  # workers cannot import what is only in the tests
    cloudpickle.register_pickle_by_value(sys.modules[module])


@dataclass(frozen=True)
class Fault:
    """Something that happens to a task, once or whenever it is called.

    Parameters
    ----------
    mark
        File that the first task makes, with the process that the fault is about; where it exists, nothing happens.
        None: it happens every time.
    """

    mark: Path | None = None

    def __call__(self) -> None:
        """Let it happen, unless it has."""
        process = self.process()
        if self.mark is not None:
            try:
                with self.mark.open("x") as file:
                    file.write(str(process))
            except FileExistsError:
                return
        self.happen(process)

    def process(self) -> int:
        """Return the process that the fault is about: that of the task."""
        return os.getpid()

    def happen(self, process: int) -> None:
        """Do it."""
        raise NotImplementedError


class Failure(Fault):
    """The task fails."""

    def happen(self, process: int) -> None:
        raise OSError(f"process {process} fails")


class DeadWorker(Fault):
    """The Python worker is killed, as by a system that is short of memory."""

    def happen(self, process: int) -> None:
        os.kill(process, signal.SIGKILL)


class DeadExecutor(Fault):
    """The executor is killed, with all that it holds for others."""

    def process(self) -> int:
        return next(one for one in ancestors(os.getpid()) if EXECUTOR in command_line(one))

    def happen(self, process: int) -> None:
        os.kill(process, signal.SIGKILL)


class Standstill(Fault):
    """The task goes on until it is killed."""

    def happen(self, process: int) -> None:
        wait_until(lambda: False, f"process {process} is killed")


@dataclass(frozen=True)
class FaultyWork(BlockWork):
    """Block work to which a fault happens in some rounds, after the first records of a partition were handed over.

    Parameters
    ----------
    faults
        The faults, by the number of the round, from 0.
    """

    faults: Mapping[int, Fault] = field(kw_only=True)

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the records of all blocks of a partition, with their groups."""
        for batch in super().__call__(batches):
            yield batch
            if self.number in self.faults:
                self.faults[self.number]()


@dataclass(frozen=True)
class PoisonedWork(BlockWork):
    """Block work that cannot solve one block.

    Parameters
    ----------
    poisoned
        The number of the round, from 0, and that of the block.
    """

    poisoned: tuple[int, int] = field(kw_only=True)

    def _solved(self, part: int, block: int, batch: Any) -> Any:
        if (self.number, block) == self.poisoned:
            raise ZeroDivisionError("division by zero")
        return super()._solved(part, block, batch)


def ancestors(process: int) -> Iterator[int]:
    """Yield the parent of a process, its parent, and so on."""
    while process > 1:
        process = parent(process)
        yield process


def parent(process: int) -> int:
    """Return the parent of a process."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def command_line(process: int) -> bytes:
    """Return the command line of a process; nothing where it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def processes() -> list[int]:
    """Return all processes of this machine."""
    return [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]
