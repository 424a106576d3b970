"""The one pool of threads that all stages of a run share."""

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def processors() -> int:
    """Count the processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers:
    """Threads, made when they are first needed; how many there are changes no result.

    Parameters
    ----------
    count
        How many calls run side by side.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()

    def submit(self, function: Callable[..., Result], *arguments: Any) -> "Future[Result]":
        """Call a function in one of the threads."""
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self.count, thread_name_prefix="microagg")
            return self._pool.submit(copy_context().run, function, *arguments)

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        """Call a function for each item; give the results in order when all have come.

        Where one call fails, those that have begun are waited for: they may be writing what the caller reads next.
        """
        futures = [self.submit(function, item) for item in items]
        _, running = wait(futures, return_when=FIRST_EXCEPTION)
        for future in running:
            future.cancel()
        wait(running)
        failed = (future for future in futures if not future.cancelled() and future.exception() is not None)
        for future in failed:
            future.result()
        return [future.result() for future in futures]

    def close(self) -> None:
        """End the threads when their work is done; they are made anew if they are needed again."""
        with self._lock:
            if self._pool is not None:
                self._pool.shutdown(wait=True)
                self._pool = None
