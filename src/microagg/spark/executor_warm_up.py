"""Compilation of all kernels on the executors, so that no task of a later job has to."""

import socket
from collections.abc import Iterable, Iterator
from typing import Any

from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.spark.jobs import Jobs
from microagg.spark.task_results import collect_results


def warm_up(spark: Any, *, run: Run | None = None, progress: Progress | None = None) -> tuple[str, ...]:
    """Compile every kernel on the executors, and keep the machine code on their disks.

    There is a task for each processor; those of one machine share what is compiled. Executors that come later, as with
    dynamic allocation, are not reached: install the package with compiled kernels there.

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
    names = collect_results(records, _compile, Jobs(spark, run_of(run, progress)), "warm-up")
    return tuple(sorted(set(names)))


def _compile(batches: Iterable[Any]) -> Iterator[str]:
    from microagg.warm_up import warm_up as compile_all

    if sum(batch.num_rows for batch in batches):
        compile_all()
        yield socket.gethostname()
