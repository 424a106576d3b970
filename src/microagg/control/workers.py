"""The one pool of threads that all stages of a run share."""

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def count_processors() -> int:
    """Count the processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_SECONDS_BETWEEN_REPORTS = 0.2


class Workers:
    """Threads, started when they are first needed; their number changes no result.

    Parameters
    ----------
    count
        The number of threads.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()

    def submit(self, function: Callable[..., Result], *arguments: Any) -> "Future[Result]":
        """Call a function in one of the threads, in the context of the caller."""
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self.count, thread_name_prefix="microagg")
            return self._pool.submit(copy_context().run, function, *arguments)

    def map(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        finished: Callable[[int], object] = lambda number: None,
    ) -> list[Result]:
        """Call a function for each item, wait for all calls, and return the results in the order of the items.

        If one call fails, the error of the first item that failed is raised, but only after all calls under way have
        returned: they may be writing what the caller reads next. `finished` is called, in the thread of the caller,
        with the number of items that are done, from time to time.
        """
        futures = [self.submit(function, item) for item in items]
        running = set(futures)
        while running:
            done, running = wait(running, timeout=_SECONDS_BETWEEN_REPORTS, return_when=FIRST_EXCEPTION)
            if any(future.exception() is not None for future in done):
                break
            finished(len(futures) - len(running))
        for future in running:
            future.cancel()
        wait(running)
        failed = (future for future in futures if not future.cancelled() and future.exception() is not None)
        for future in failed:
            future.result()
        return [future.result() for future in futures]

    def close(self) -> None:
        """Wait for the calls under way and end the threads; a later call starts new ones."""
        with self._lock:
            if self._pool is not None:
                self._pool.shutdown(wait=True)
                self._pool = None


class NoWorkers(Workers):
    """No threads: every call runs in the calling thread, as befits a task that is itself one of many."""

    def __init__(self) -> None:
        super().__init__(1)

    def submit(self, function: Callable[..., Result], *arguments: Any) -> "Future[Result]":
        """Call a function at once."""
        future: Future[Result] = Future()
        try:
            future.set_result(function(*arguments))
        except BaseException as error:
            future.set_exception(error)
        return future
