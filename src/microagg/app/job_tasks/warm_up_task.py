"""Compile all kernels ahead of the first run, unless that has been done; the page does not wait for it."""

import os
from contextlib import suppress
from pathlib import Path

from microagg.app.job_tasks.task_context import TaskContext
from microagg.warm_up import warm_up

_NICE = 10  # added to that of other children
_MARKER = "all-compiled"


def compile_kernels(context: TaskContext) -> None:
    """Compile all kernels, if they have not been compiled for this state of the sources."""
    marker = _marker()
    if marker is None or not marker.exists():
        if hasattr(os, "nice"):
            os.nice(_NICE)
        warm_up(progress=context.progress)
        _touch(marker)
    context.tell("done")


def kernels_are_compiled() -> bool:
    """Check whether all kernels were compiled by an earlier job, and are kept on disk."""
    marker = _marker()
    return marker is not None and marker.exists()


def _touch(marker: Path | None) -> None:
    with suppress(OSError):  # a disk that is full or read-only: the kernels are compiled again at the next start
        if marker is not None:
            marker.parent.mkdir(parents=True, exist_ok=True)
            marker.touch()


def _marker() -> Path | None:
    """Return the file that says that all kernels are compiled; None where machine code cannot be kept."""
    from microagg.kernels.kernel_cache import KernelCache

    with suppress(RuntimeError, OSError):  # no folder to write to
        return Path(KernelCache(compile_kernels).cache_path) / _MARKER
    return None
