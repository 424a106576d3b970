"""Compilation of all kernels on the executors, so that no task of a later job has to."""

import socket
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.spark.jobs import Jobs
from microagg.spark.task_results import collect_results
from microagg.warm_up import DEFAULT_METHODS, compile_method, warmed_methods

_METHODS_OF_A_JOB = 13


def warm_up(spark: Any, *, run: Run | None = None, progress: Progress | None = None) -> tuple[str, ...]:
    """Compile every kernel on the executors, and keep the machine code on their disks.

    It takes two to three minutes; what the default method needs is compiled first. There is a task for each processor;
    those of one machine share what is compiled. Executors that come later, as with dynamic allocation, are not reached:
    install the package with compiled kernels there.

    Parameters
    ----------
    spark
        The session.
    run
        Progress callback, and the way to cancel from another thread.
    progress
        Progress callback, if no run is given.

    Returns
    -------
    tuple of str
        Names of the machines that were reached.

    Examples
    --------
    >>> import microagg.spark
    >>> microagg.spark.warm_up(spark)  # doctest: +SKIP
    ('node1', 'node2')
    """
    context = getattr(spark, "_sc", None)
    n_tasks = 8 if context is None else int(context.defaultParallelism)
    records = spark.range(0, n_tasks, 1, n_tasks)
    jobs = Jobs(spark, run_of(run, progress))
    names: set[str] = set()
    for stage, methods in _stages():
        names |= set(collect_results(records, partial(_compile, methods), jobs, stage))
    return tuple(sorted(names))


def _stages() -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the methods that are compiled in each job, with the name of its stage: the default one first."""
    methods = warmed_methods()
    n_default = len(DEFAULT_METHODS)
    yield "warm-up, default method", methods[:n_default]
    for start in range(n_default, len(methods), _METHODS_OF_A_JOB):
        some = methods[start : start + _METHODS_OF_A_JOB]
        yield f"warm-up, methods {start + 1} to {start + len(some)} of {len(methods)}", some


def _compile(methods: Sequence[str], batches: Iterable[Any]) -> Iterator[str]:
    """Compile the kernels of some methods, in a task that has a record; yield the name of its machine."""
    if sum(batch.num_rows for batch in batches):
        for method in methods:
            compile_method(method)
        yield socket.gethostname()
