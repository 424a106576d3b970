"""Worker: a process that waits for one job, carries it out, and tells events as lines of JSON.

The job comes as one line on standard input; a line "stop" after it ends the work with the best so far, and the end of
the input, as when the server is killed, ends the process at once. What libraries print is discarded, as it may show
values of the data; the server's log gets the type and the place of unexpected errors, on standard error.
"""

import importlib
import logging
import os
import queue
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from microagg.app.event_writer import EventWriter
from microagg.app.job import Job
from microagg.app.job_tasks.task_context import TaskContext
from microagg.app.log_line import log_error, log_to
from microagg.control.resident_memory import free_bytes
from microagg.model.errors import CancelledError, DoubtError, MicroaggError
from microagg.model.names import listing

_STDIN = 0
_NICE = 5  # so that the server answers at once
_SHORT = ("columns", "inspect", "estimate", "verify")
_STATUS = Path("/proc/self/status")  # of Linux
_LEAST_MEMORY = 1_000_000_000  # bytes: what libraries take besides the data
_OOM_SCORE = Path("/proc/self/oom_score_adj")  # of Linux
_OOM_SHARE = "500"  # from 0 to 1000: the system ends the worker first, and not the server
_READ_SIZE = 1 << 16
_LIBRARIES = ("numba", "polars")  # which modules import when they are first needed: a spare worker does so before
_UNEXPECTED = "An unexpected error ({kind}): nothing was released. The server's log tells where it was."
_NO_FILE = "A file could not be read or written ({reason}): nothing was released. Check the disk, and try again."
_NO_MEMORY = "The memory was not enough: nothing was released. Close other programs, or take a smaller file."


def main() -> None:
    """Wait for a job, carry it out, and end the process."""
    events = EventWriter(_redirect_output())
    inbox = _Inbox()
    threading.Thread(target=inbox.listen, daemon=True).start()
    _settle_in()
    tasks = _tasks()
    events.line("ready")
    job = inbox.job()
    _move_to(job)
    if job.kind in _SHORT:
        _limit_memory(job)
    events.begin()
    context = TaskContext(job, events)
    inbox.when_stopped(context.stop)
    _carry_out(tasks[job.kind], context)
    os._exit(0)


class _Inbox:
    """Lines that the server sends: the job, and later perhaps that it is to be stopped."""

    def __init__(self) -> None:
        self._jobs: queue.Queue[Job] = queue.Queue()
        self._stopped = threading.Event()
        self._on_stop: Callable[[], None] | None = None
        self._lock = threading.Lock()

    def listen(self) -> None:
        """Take each line; end the process when there are no more."""
        for number, line in enumerate(_lines(_STDIN)):
            if number == 0:
                self._jobs.put(Job.from_line(line))
            else:
                self._stop()
        os._exit(1)

    def job(self) -> Job:
        """Wait for the job."""
        return self._jobs.get()

    def when_stopped(self, action: Callable[[], None]) -> None:
        """Set what is done at each stop, and do it if there was one before."""
        with self._lock:
            self._on_stop = action
        if self._stopped.is_set():
            action()

    def _stop(self) -> None:
        with self._lock:
            action = self._on_stop
            self._stopped.set()
        if action is not None:
            action()


def _lines(descriptor: int) -> Iterator[str]:
    """Yield the lines that come in, without a lock that would be held at the end of the process."""
    rest = b""
    while data := os.read(descriptor, _READ_SIZE):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield line.decode()


def _redirect_output() -> int:
    """Discard what is printed from now on; return a descriptor of what was standard output, for events."""
    events = os.dup(1)
    log_to(os.dup(2))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)
    return events


def _settle_in() -> None:
    """Make files for this user only, and give the server precedence, also where memory runs out."""
    os.umask(0o077)
    with suppress(OSError):
        _OOM_SCORE.write_text(_OOM_SHARE)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    logging.getLogger("microagg").setLevel(logging.CRITICAL)


def _tasks() -> dict[str, Callable[[TaskContext], None]]:
    """Import everything that tasks need; return the function of each kind of job."""
    for library in _LIBRARIES:
        importlib.import_module(library)

    from microagg.app.job_tasks.columns_task import name_columns
    from microagg.app.job_tasks.estimate_task import estimate_run
    from microagg.app.job_tasks.inspect_task import inspect_file
    from microagg.app.job_tasks.protect_task import protect_file
    from microagg.app.job_tasks.verify_task import verify_release
    from microagg.app.job_tasks.warm_up_task import compile_kernels

    return {
        "columns": name_columns,
        "inspect": inspect_file,
        "estimate": estimate_run,
        "protect": protect_file,
        "verify": verify_release,
        "warm_up": compile_kernels,
    }


def _move_to(job: Job) -> None:
    """Let all temporary files be made in the folder of the job, with which they are removed."""
    os.environ["TMPDIR"] = str(job.folder)
    tempfile.tempdir = str(job.folder)


def _limit_memory(job: Job) -> None:
    """Let a job have no more memory than it may occupy, where the system can see to it: a file may never end."""
    with suppress(ImportError, OSError, ValueError, AttributeError):
        import resource

        used = next(int(line.split()[1]) for line in _STATUS.read_text().splitlines() if line.startswith("VmData:"))
        free = free_bytes()
        most = job.options.get("memory") or (None if free is None else free // 2)
        if most is not None:
            limit = 1024 * used + max(most, _LEAST_MEMORY)
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _carry_out(task: Callable[[TaskContext], None], context: TaskContext) -> None:
    """Carry out a task; tell in one sentence why it failed, if it did."""
    try:
        task(context)
    except CancelledError:
        context.tell("cancelled", sentence="The work was stopped before there was any result: nothing was released.")
    except DoubtError as error:
        context.tell("failed", sentence=f"{_shown(error.finding, context)}: {_remedy(error)}.")
    except MicroaggError as error:
        context.tell("failed", sentence=_shown(str(error), context))
    except MemoryError as error:
        log_error(error)
        context.tell("failed", sentence=_NO_MEMORY)
    except OSError as error:
        log_error(error)
        context.tell("failed", sentence=_NO_FILE.format(reason=error.strerror or type(error).__name__))
    except Exception as error:
        log_error(error)
        context.tell("failed", sentence=_UNEXPECTED.format(kind=type(error).__name__))


def _remedy(error: DoubtError) -> str:
    """Return how to go on: on the page, where it is settled."""
    if error.doubts:
        named = [f"leave out {listing(error.identifiers)}"] if error.identifiers else []
        named += [f"protect {listing(error.plain)}"] if error.plain else []
        return (
            f"{' and '.join(named) or 'give the columns their roles'} on the settings page; a column that is to go out "
            'unchanged all the same is named there in the text of the plan, as in exclude = ["name"]'
        )
    return "say so in the plan on the settings page, by header = true if it names the columns, else header = false"


def _shown(sentence: str, context: TaskContext) -> str:
    """Return a sentence in which files have the names that the user knows."""
    for path, name in context.known_as.items():
        sentence = sentence.replace(path, name)
    for option in ("source", "released", "original"):
        path = context.option(option)
        if path is not None:
            name = "name" if option == "source" else f"{option}_name"
            sentence = sentence.replace(str(path), context.option(name) or os.path.basename(path))  # noqa: PTH119
    return sentence.replace(f"{context.folder}{os.sep}", "")


if __name__ == "__main__":
    main()
