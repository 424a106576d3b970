"""Solve or refine one block of a divided problem, or take over what a killed run has found of it."""

import zlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng

from microagg.available import refine_available
from microagg.control.run import Run
from microagg.control.stages import Refine
from microagg.control.stopping import Ending, StoppedError
from microagg.methods import Pipeline
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.group_rules import GroupRules
from microagg.model.limits import Limits
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.solve_whole import solve_whole

_BLOCKS = 0  # spawn key of the random states of blocks, beside those of trees
_NO_RULES = GroupRules()


class SolvedBlock(NamedTuple):
    """Groups of a block, and how they came about."""

    labels: IntArray
    centroids: FloatArray
    sizes: IntArray
    sse: float
    ended_by: Ending | None
    fallback_share: float
    starts: int
    gain: float  # by which the sse has fallen in the round


@dataclass(frozen=True)
class BlockTask:
    """Solving or refining of the blocks of one round.

    Parameters
    ----------
    chosen
        The pipeline.
    problem
        The whole problem.
    refiners
        The refiners of the round.
    number
        The number of the round, from 0.
    random_state
        The same number gives the same groups.
    labels
        Groups to refine, of all records; None in the first round, which makes them.
    """

    chosen: Pipeline
    problem: Problem
    refiners: tuple[Refine, ...]
    number: int
    random_state: int
    labels: IntArray | None

    def __call__(self, block: int, records: IntArray, run: Run) -> SolvedBlock:
        """Solve a block, or refine the groups that it has; what a killed run has found of the same is used again.

        Parameters
        ----------
        block
            The number of the block.
        records
            Its records.
        run
            The run of this block alone.
        """
        part = self.problem.part(records)
        start = None if self.labels is None else Partition(part, self.labels[records])
        key = f"round{self.number}/block{block}"
        same = np.array([self.random_state % 2**32, _checksum(records, start)])
        stored = run.checkpoint.load(key)
        if stored is not None and np.array_equal(stored["of"], same):
            return _solved(Partition(part, stored["labels"]), start, run)
        seeds = SeedSequence(self.random_state, spawn_key=(_BLOCKS, self.number, block))
        if start is None:
            partition = self._solve(part, int(seeds.generate_state(1)[0]), run)
        else:
            partition = self._refine(start, list(map(default_rng, seeds.spawn(len(self.refiners)))), run)
        if not _is_over(run):
            run.checkpoint.store(key, {"of": same, "labels": partition.labels.astype(np.int32)})
        return _solved(partition, start, run)

    def _solve(self, part: Problem, random_state: int, run: Run) -> Partition:
        limits = run.limits if self.refiners else Limits(run.limits.time_limit)
        return solve_whole(
            self.chosen.in_block(self.refiners), part, _NO_RULES, random_state, run.child(limits)
        ).partition

    def _refine(self, partition: Partition, rngs: list[Generator], run: Run) -> Partition:
        for refine, rng in zip(self.refiners, rngs, strict=True):
            try:
                run.check()
                partition = refine_available(partition, refine, rng, run)
            except StoppedError:
                break
        return partition


def _solved(partition: Partition, start: Partition | None, run: Run) -> SolvedBlock:
    log = run.log
    return SolvedBlock(
        partition.labels,
        partition.centroids,
        partition.sizes,
        partition.sse,
        log.ended_by,
        log.fallback_share,
        log.starts,
        0.0 if start is None else start.sse - partition.sse,
    )


def _checksum(records: IntArray, start: Partition | None) -> int:
    """Return a number that tells what a block is given: its records and groups."""
    of_records = zlib.crc32(records.tobytes())
    return of_records if start is None else zlib.crc32(start.labels.tobytes(), of_records)


def _is_over(run: Run) -> bool:
    """Check whether the work must end: then the block may be unfinished."""
    try:
        run.check()
    except StoppedError:
        return True
    return False
