"""Simulation on paper of a large cluster, from what a record costs on Spark on this machine."""

import math
from typing import Any, NamedTuple

from microagg.methods.pipelines import BLOCK_SIZE
from scale_results import count_text
from scale_runs import D

_SPLIT = 128e6  # bytes of files that Spark reads in a task, and that each file counts as open costs
_OPEN_COST = 4e6
_BUSY = 0.8  # share of the time that a core of a cluster works: the last tasks of a stage leave others waiting
_ROUNDS = 3  # of quick effort
_NUMBER = 8  # bytes


class Cluster(NamedTuple):
    """A cluster, and what it has to do.

    Parameters
    ----------
    n
        Number of records.
    d
        Number of columns.
    executors, cores, memory
        Number of executors, and the cores and gigabytes of each.
    """

    n: int = 10**9
    d: int = 20
    executors: int = 50
    cores: int = 4
    memory: int = 16


class RecordCosts(NamedTuple):
    """What a record of ten columns costs on Spark.

    Parameters
    ----------
    fixed
        Processor seconds that do not depend on the number of records.
    cpu
        Processor seconds a record.
    shuffled, written
        Bytes a record that are written for shuffles, and to files.
    facts
        Bytes that a block sends to the driver.
    worker
        Largest resident set of one Python worker, in bytes.
    """

    fixed: float
    cpu: float
    shuffled: float
    written: float
    facts: float
    worker: float


def record_costs(large: dict[str, Any], n_large: int, small: dict[str, Any], n_small: int) -> RecordCosts:
    """Fit what a record costs to two runs of different numbers of plain records."""
    cpu = (large["cpu"] - small["cpu"]) / (n_large - n_small)
    tasks = large["tasks"]
    return RecordCosts(
        large["cpu"] - cpu * n_large,
        cpu,
        tasks["shuffled"] / n_large,
        tasks["written"] / n_large,
        tasks["most_sent"] / max(1, n_large // BLOCK_SIZE),
        large["peaks"]["worker"] / 2,
    )


def simulated(costs: RecordCosts, cluster: Cluster) -> list[tuple[str, str, str]]:
    """Return what a cluster would need: what, how much, and how that is computed.

    Work and bytes grow with the columns as if all of them were spent on columns, which is too much.
    """
    wider = cluster.d / D
    n_cores = cluster.executors * cluster.cores
    n_blocks = math.ceil(cluster.n / BLOCK_SIZE)
    hours = wider * costs.cpu * cluster.n / (n_cores * _BUSY) / 3600
    shuffled = wider * costs.shuffled * cluster.n
    written = wider * costs.written * cluster.n
    facts = wider * costs.facts * n_blocks
    staged = cluster.n * _NUMBER * (cluster.d + 4)
    n_maps = math.ceil((staged + n_blocks * _OPEN_COST) / _SPLIT)
    fetched = staged / (n_maps * n_blocks)
    workers = wider * costs.worker * cluster.cores
    return [
        ("time", f"{hours:.1f} hours", f"{1e6 * wider * costs.cpu:.0f} µs a record, {n_cores} cores, {_BUSY:.0%} busy"),
        ("blocks", count_text(n_blocks), f"{count_text(BLOCK_SIZE)} records each, in {_ROUNDS} rounds"),
        (
            "shuffled",
            f"{shuffled / 1e12:.1f} TB",
            f"{wider * costs.shuffled:.0f} bytes a record in all shuffles together: "
            f"{shuffled / cluster.executors / 1e9:.0f} GB on the disks of each executor, if nothing is removed before",
        ),
        (
            "pieces of a shuffle",
            f"{n_maps * n_blocks / 1e6:.0f} million of {fetched / 1e3:.1f} kB",
            f"{count_text(n_maps)} tasks that read × {count_text(n_blocks)} that solve",
        ),
        ("staged and released", f"{written / 1e12:.1f} TB", "files of all rounds; two rounds are there at a time"),
        (
            "Python workers of an executor",
            f"{workers / 1e9:.1f} GB",
            f"{cluster.cores} workers, each as here with {wider:g} times the columns; {cluster.memory} GB are there",
        ),
        (
            "sent to the driver at once",
            f"{facts / 1e9:.2f} GB",
            f"{wider * costs.facts / 1e3:.1f} kB a block; spark.driver.maxResultSize is 1 GB unless set",
        ),
    ]
