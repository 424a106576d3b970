"""Assignment of records to blocks, and of blocks to partitions, from the numbers of records in the leaves."""

import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from microagg.leaf_blocks import LeafBlocks
from microagg.model.arrays import IntArray
from microagg.spark.jobs import Jobs
from microagg.spark.record_fields import BEFORE, BLOCK, KEY, LEAF, ORIGIN, OWN_PREFIX, PART, ROW, quoted

_ROWS_PER_ORIGIN = 2**16  # consecutive rows that are counted together, where a leaf is cut along the rows
_PIECE = f"{OWN_PREFIX}piece"
_PIECES = f"{OWN_PREFIX}pieces"
_OFFSET = f"{OWN_PREFIX}offset"
_TOTAL = f"{OWN_PREFIX}total"
_KEYS_TRIED = 40  # for each partition, until every one has a key
_KNOWN_KEYS: dict[int, list[int]] = {}  # by the number of partitions: the hash is the same in every session


@dataclass(frozen=True)
class BlockAssignment:
    """Blocks of one round.

    Parameters
    ----------
    blocks
        Blocks of the leaves of each part, by the number of the part.
    n_partitions
        Number of partitions that the blocks are spread over.
    """

    blocks: Mapping[int, LeafBlocks]
    n_partitions: int

    @property
    def cut_leaves(self) -> list[tuple[int, int]]:
        """Part and leaf of each leaf that is cut into several blocks."""
        return [
            (part, int(leaf)) for part, blocks in self.blocks.items() for leaf in np.flatnonzero(blocks.n_pieces > 1)
        ]

    def sizes(self) -> dict[tuple[int, int], int]:
        """Return the number of records of each block that is a whole leaf, by part and block."""
        return {
            (part, int(blocks.first_block[leaf])): int(blocks.totals[leaf])
            for part, blocks in self.blocks.items()
            for leaf in np.flatnonzero(blocks.n_pieces == 1)
        }

    def rows(self, keys: list[int]) -> list[tuple[int, int, int, int, int]]:
        """Return part, leaf, piece, block and key of each block; the largest go to the emptiest partitions first.

        Parameters
        ----------
        keys
            Key of each partition.
        """
        listed = []
        for part, blocks in self.blocks.items():
            for leaf, n_pieces in enumerate(blocks.n_pieces.tolist()):
                for piece in range(n_pieces):
                    size = int(blocks.totals[leaf]) // n_pieces
                    listed.append((size, part, leaf, piece, int(blocks.first_block[leaf]) + piece))
        listed.sort(key=lambda block: (-block[0], *block[1:]))
        loads = [(0, partition) for partition in range(self.n_partitions)]
        rows = []
        for size, part, leaf, piece, block in listed:
            load, partition = heapq.heappop(loads)
            heapq.heappush(loads, (load + size, partition))
            rows.append((part, leaf, piece, block, keys[partition]))
        return rows


def partition_keys(spark: Any, n_partitions: int) -> list[int]:
    """Return a number for each partition that Spark's own hash sends there.

    Parameters
    ----------
    spark
        The session.
    n_partitions
        Number of partitions.
    """
    if n_partitions not in _KNOWN_KEYS:
        _KNOWN_KEYS[n_partitions] = _found_keys(spark, n_partitions)
    return _KNOWN_KEYS[n_partitions]


def _found_keys(spark: Any, n_partitions: int) -> list[int]:
    from pyspark.sql import functions

    found: dict[int, int] = {}
    start = 0
    while len(found) < n_partitions:
        end = start + _KEYS_TRIED * n_partitions
        tried = spark.range(start, end).select(functions.col("id").cast("int").alias("key"))
        partition = functions.pmod(functions.hash("key"), functions.lit(n_partitions))
        for row in tried.groupBy(partition.alias("partition")).agg(functions.min("key").alias("key")).collect():
            found.setdefault(row["partition"], row["key"])
        start = end
    return [found[partition] for partition in range(n_partitions)]


def with_blocks(routed: Any, assignment: BlockAssignment, jobs: Jobs) -> Any:
    """Send routed records to the partitions of their blocks, in the order of blocks and rows.

    Parameters
    ----------
    routed
        Records with part and leaf; from the second round on, also with the block before as their origin, and the
        number of records before their group in the same leaf and origin.
    assignment
        The blocks.
    jobs
        Carries out what must be counted.

    Returns
    -------
    DataFrame
        The records with part and block; sorted, in the partitions that the blocks are assigned to.
    """
    from pyspark.sql import functions

    spark = routed.sparkSession
    cut = assignment.cut_leaves
    pieced = _with_pieces(routed, assignment, cut, jobs) if cut else routed.withColumn(_PIECE, functions.lit(0))
    keys = jobs("blocks", lambda: partition_keys(spark, assignment.n_partitions))
    schema = f"`{PART}` int, `{LEAF}` int, `{_PIECE}` int, `{BLOCK}` int, `{KEY}` int"
    blocks = spark.createDataFrame(assignment.rows(keys), schema)
    placed = pieced.drop(BLOCK).join(functions.broadcast(blocks), [PART, LEAF, _PIECE])
    placed = placed.drop(LEAF, _PIECE, ORIGIN, BEFORE)
    return placed.repartition(assignment.n_partitions, KEY).drop(KEY).sortWithinPartitions(PART, BLOCK, ROW)


def _with_pieces(routed: Any, assignment: BlockAssignment, cut: list[tuple[int, int]], jobs: Jobs) -> Any:
    """Add the piece of its leaf that each record is in, where leaves are cut along the order of their records."""
    from pyspark.sql import functions

    spark = routed.sparkSession
    cut_leaves = functions.broadcast(spark.createDataFrame(cut, f"`{PART}` int, `{LEAF}` int"))
    of_cut = routed.join(cut_leaves, [PART, LEAF])
    if ORIGIN not in routed.columns:
        of_cut = _ranked_by_row(of_cut)
    counts = of_cut.groupBy(PART, LEAF, ORIGIN).count().orderBy(PART, LEAF, ORIGIN)
    offsets = _offsets(jobs("cut leaves", counts.collect), assignment)
    schema = f"`{PART}` int, `{LEAF}` int, `{ORIGIN}` long, `{_OFFSET}` long, `{_PIECES}` long, `{_TOTAL}` long"
    known = functions.broadcast(spark.createDataFrame(offsets, schema))
    placed = of_cut.join(known, [PART, LEAF, ORIGIN]).withColumn(
        _PIECE, functions.expr(f"cast(((`{_OFFSET}` + `{BEFORE}`) * `{_PIECES}`) div `{_TOTAL}` as int)")
    )
    others = routed.join(cut_leaves, [PART, LEAF], "left_anti").withColumn(_PIECE, functions.lit(0))
    return others.unionByName(placed.select(*map(quoted, others.columns)))


def _ranked_by_row(records: Any) -> Any:
    """Add the origin of records, a range of rows, and the number of those before each in leaf and origin."""
    from pyspark.sql import Window, functions

    ranges = records.withColumn(ORIGIN, functions.expr(f"`{ROW}` div {_ROWS_PER_ORIGIN}"))
    rank = functions.row_number().over(Window.partitionBy(PART, LEAF, ORIGIN).orderBy(ROW))
    return ranges.withColumn(BEFORE, rank.cast("long") - 1)


def _offsets(counts: list[Any], assignment: BlockAssignment) -> list[tuple[int, ...]]:
    """Return how many records of its leaf come before each origin, with the pieces and the records of the leaf."""
    offsets: list[tuple[int, ...]] = []
    place = (-1, -1)
    before = 0
    for row in counts:
        if (row[PART], row[LEAF]) != place:
            place = (row[PART], row[LEAF])
            before = 0
        blocks = assignment.blocks[row[PART]]
        leaf = row[LEAF]
        offsets.append((*place, row[ORIGIN], before, int(blocks.n_pieces[leaf]), int(blocks.totals[leaf])))
        before += row["count"]
    return offsets


def leaf_totals(counts: list[Any], n_leaves: Mapping[int, int]) -> dict[int, IntArray]:
    """Return the number of records of each leaf of each part, from counts of those that have any.

    Parameters
    ----------
    counts
        Rows of part, leaf and count.
    n_leaves
        Number of leaves of each part.
    """
    totals = {part: np.zeros(number, dtype=np.int64) for part, number in n_leaves.items()}
    for row in counts:
        totals[row[PART]][row[LEAF]] = row["count"]
    return totals
