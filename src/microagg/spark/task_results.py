"""Results of tasks: small objects that come to the driver, in place of records."""

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from microagg.spark.arrow_mapping import map_in_arrow
from microagg.spark.jobs import Jobs

_SCHEMA = "result binary"

TaskWork = Callable[[Iterable[Any]], Iterator[Any]]
"""Function of the Arrow batches of a partition that yields results."""


def collect_results(frame: Any, work: TaskWork, jobs: Jobs, stage: str, note: str = "") -> list[Any]:
    """Return what a function makes of each partition of a DataFrame, in no particular order.

    Parameters
    ----------
    frame
        The DataFrame.
    work
        The function; its results are small: they come to the driver.
    jobs
        Carries out the job.
    stage, note
        As in `Jobs`.

    Returns
    -------
    list
        All results.
    """
    rows = jobs(stage, map_in_arrow(frame, _Pickled(work), _SCHEMA).collect, note)
    return [pickle.loads(row[0]) for row in rows]


class _Pickled:
    """Function whose results are pickled into Arrow batches."""

    def __init__(self, work: TaskWork) -> None:
        self._work = work

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for result in self._work(batches):
            yield pa.RecordBatch.from_pydict({"result": pa.array([pickle.dumps(result)], pa.binary())})
