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
_OWN_COLUMNS = 4  # that travel with a record: its row, its group, and where it goes
_HEAP = 6  # gigabytes of Java's memory in an executor
_READS_A_SECOND = 10_000  # of a disk without moving parts
_MOST_TASKS = 4_000  # that solve blocks
_SAMPLED_RECORDS = 100  # of each block


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
    worker
        Largest resident set of one Python worker, in bytes.
    """

    fixed: float
    cpu: float
    shuffled: float
    written: float
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
        large["peaks"]["worker"] / 2,
    )


class Needs(NamedTuple):
    """What a cluster would need.

    Parameters
    ----------
    seconds
        Time on the clock.
    n_blocks, n_tasks, n_maps
        Number of blocks, of tasks that solve them, and of tasks that read what the round before has stored.
    shuffled, written
        Bytes of all shuffles, and of all files.
    stored
        Bytes that one round stores.
    sample
        Bytes of the sample of records, which is sent to the driver at once.
    workers
        Bytes of all Python workers of an executor.
    """

    seconds: float
    n_blocks: int
    n_tasks: int
    n_maps: int
    shuffled: float
    written: float
    stored: float
    sample: float
    workers: float

    @property
    def n_pieces(self) -> int:
        """Number of pieces of one shuffle: every task that solves fetches one of every task that reads."""
        return self.n_maps * self.n_tasks


def needs(costs: RecordCosts, cluster: Cluster) -> Needs:
    """Compute what a cluster would need.

    Work and bytes grow with the columns as if all of them were spent on columns, which is too much.
    """
    wider = cluster.d / D
    n_blocks = math.ceil(cluster.n / BLOCK_SIZE)
    n_tasks = min(n_blocks, _MOST_TASKS)
    stored = cluster.n * _NUMBER * (cluster.d + _OWN_COLUMNS)
    return Needs(
        wider * costs.cpu * cluster.n / (cluster.executors * cluster.cores * _BUSY),
        n_blocks,
        n_tasks,
        math.ceil((stored + n_tasks * _OPEN_COST) / _SPLIT),
        wider * costs.shuffled * cluster.n,
        wider * costs.written * cluster.n,
        stored,
        n_blocks * _SAMPLED_RECORDS * _NUMBER * (cluster.d + 2),
        wider * costs.worker * cluster.cores,
    )


def breaks_first(needed: Needs, cluster: Cluster) -> str:
    """Return what comes nearest to its limit, in a sentence."""
    for_python = cluster.memory - _HEAP
    workers = (
        f"the memory of Python workers, who need {needed.workers / 1e9:.1f} GB of the {for_python} GB that a heap of "
        f"{_HEAP} GB leaves: take fewer cores an executor"
    )
    sample = f"the sample that goes to the driver, {needed.sample / 1e9:.2f} of 1 GB: raise spark.driver.maxResultSize"
    reading = _ROUNDS * needed.n_pieces / cluster.executors / _READS_A_SECOND
    pieces = (
        f"the reading of small pieces of shuffles, {reading / 60:.0f} minutes of {needed.seconds / 60:.0f} with disks "
        f"of {count_text(_READS_A_SECOND)} reads a second, and a hundred times as long with spinning ones"
    )
    shares = [
        (needed.workers / 1e9 / for_python, workers),
        (needed.sample / 1e9, sample),
        (reading / needed.seconds, pieces),
    ]
    return f"What breaks first is {max(shares)[1]}."


def simulated(costs: RecordCosts, cluster: Cluster) -> list[tuple[str, str, str]]:
    """Return what a cluster would need: what, how much, and how that is computed."""
    needed = needs(costs, cluster)
    wider = cluster.d / D
    n_cores = cluster.executors * cluster.cores
    n_blocks = count_text(needed.n_blocks)
    return [
        (
            "time",
            f"{needed.seconds / 3600:.1f} hours",
            f"{1e6 * wider * costs.cpu:.0f} µs a record, {n_cores} cores, {_BUSY:.0%} busy",
        ),
        ("blocks", n_blocks, f"{count_text(BLOCK_SIZE)} records each, in {_ROUNDS} rounds"),
        (
            "shuffled",
            f"{needed.shuffled / 1e12:.1f} TB",
            f"{wider * costs.shuffled:.0f} bytes a record in all shuffles together: "
            f"{needed.shuffled / cluster.executors / 1e9:.0f} GB on the disks of each executor",
        ),
        (
            "pieces of a shuffle",
            f"{needed.n_pieces / 1e6:.0f} million of {needed.stored / needed.n_pieces / 1e3:.1f} kB",
            f"{count_text(needed.n_maps)} tasks that read × {count_text(needed.n_tasks)} that solve",
        ),
        (
            "staged and released",
            f"{needed.written / 1e12:.1f} TB",
            "files of all rounds; two rounds are there at a time",
        ),
        (
            "Python workers of an executor",
            f"{needed.workers / 1e9:.1f} GB",
            f"{cluster.cores} workers, each as here with {wider:g} times the columns; {cluster.memory} GB are there",
        ),
        (
            "sent to the driver at once",
            f"{needed.sample / 1e9:.2f} GB",
            f"a sample of {_SAMPLED_RECORDS} records a block; spark.driver.maxResultSize is 1 GB unless set",
        ),
    ]
