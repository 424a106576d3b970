"""Rounds of blocks on a cluster: records are routed to blocks, solved there, and whole groups are routed again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from microagg.methods.pipelines import BLOCK_SIZE
from microagg.model.arrays import IntArray
from microagg.model.errors import ClusterError
from microagg.model.plan import Plan
from microagg.spark.arrow_mapping import map_in_arrow
from microagg.spark.batch_tables import BatchReader, reader_of
from microagg.spark.block_assignment import BlockAssignment, leaf_totals, with_blocks
from microagg.spark.block_stage import BlockWork, PartWork, unpickled_facts
from microagg.spark.cluster_parts import KeptRecords
from microagg.spark.cluster_walls import PartSample, RoutingWork, Trees, take_samples
from microagg.spark.column_facts_job import SetFacts, WeightFacts
from microagg.spark.jobs import Jobs
from microagg.spark.record_fields import BEFORE, BLOCK, FACTS, GROUP, LEAF, ORIGIN, PART, ROW, quoted
from microagg.spark.released_block import FoundBlocks, ReleaseWork
from microagg.spark.released_types import ReleasedType
from microagg.spark.set_division import SetDivision
from microagg.spark.set_records import AllRecords, RecordReader
from microagg.spark.staging import Staging

_TASKS_PER_PROCESSOR = 4
_MOST_TASKS = 4_000  # else the pieces that tasks send each other are many and small
_PROCESSORS_OF_CONNECT = 8  # a session of Spark Connect does not tell how many there are


@dataclass(frozen=True)
class SetRounds:
    """Rounds of one column set.

    Parameters
    ----------
    frame
        The numbered records.
    division
        How the records of the set are divided.
    reader
        Reads the records.
    kept
        Which records are released.
    facts
        What is known of the columns of the set as a whole.
    weights
        What makes weights relative; None where no set weighs its loss.
    types
        Types of the released columns.
    staging
        Where records rest between rounds.
    jobs
        Carries out the jobs.
    """

    frame: Any
    division: SetDivision
    reader: BatchReader
    kept: KeptRecords
    facts: SetFacts
    weights: WeightFacts | None
    types: Mapping[str, ReleasedType]
    staging: Staging = field(repr=False)
    jobs: Jobs = field(repr=False)

    def run(self) -> FoundBlocks:
        """Make the groups of the set, and store its released columns; return what is known of each block.

        Returns
        -------
        FoundBlocks
            Every block of the last round.

        Raises
        ------
        MethodError
            If a part is too large for a method that takes it whole.
        ClusterError
            If a block fails, or records were lost on the way.
        """
        division = self.division
        samples = self._samples()
        trees = self._trees(samples, 0)
        current = self._routed(trees, self._carried)
        assignment = self._first_assignment(trees)
        if assignment.cut_leaves:
            current = self._stored(current, "routed", "route")
        for number in range(division.n_rounds - 1):
            trees = self._trees(samples, number + 1)
            if number == 0 and division.whole_parts:
                current = _only(current, division.block_plans)
                assignment = self._assignment({part: assignment.blocks[part].totals for part in division.block_plans})
            work = self._work(number, assignment.sizes(), trees)
            solved = map_in_arrow(with_blocks(current, assignment, self.jobs), work, self._round_schema)
            stage = f"blocks, round {number + 1} of {division.n_rounds}"
            current = self._stored(solved, f"round-{number + 1}", stage)
            self.staging.drop(self._name(f"round-{number}" if number else "routed"))
            assignment = self._next_assignment(current, trees)
        return self._finished(current, assignment)

    def _finished(self, current: Any, assignment: BlockAssignment) -> FoundBlocks:
        """Solve the last round, with the parts that are taken whole; store what is released."""
        n_rounds = self.division.n_rounds
        if n_rounds > 1 and self.division.whole_parts:
            current = current.unionByName(self._whole_records())
        work = self._work(n_rounds - 1, assignment.sizes(), {}, release=self._release_work)
        solved = map_in_arrow(with_blocks(current, assignment, self.jobs), work, self._released_schema)
        released = self._stored(solved, "released", f"blocks, round {n_rounds} of {n_rounds}")
        told = released.filter(f"`{ROW}` < 0").select(FACTS)
        found = unpickled_facts(self.jobs("facts", told.collect))
        n_expected = sum(self.division.sizes)
        n_found = sum(one.n_records for one in found.blocks)
        if n_found != n_expected:
            raise ClusterError(f"expected {n_expected} records in all blocks, found {n_found}: nothing is released")
        self.staging.drop(self._name(f"round-{n_rounds - 1}" if n_rounds > 1 else "routed"))
        return found

    @property
    def released(self) -> Any:
        """DataFrame of what is released of the set: row, group, and its columns."""
        return self.staging.load(self._name("released")).filter(f"`{ROW}` >= 0").drop(FACTS)

    @property
    def _plan(self) -> Plan:
        return self.division.plan

    def _name(self, what: str) -> str:
        return f"set{self.division.number}-{what}"

    def _stored(self, frame: Any, what: str, stage: str) -> Any:
        name = self._name(what)
        self.jobs(stage, lambda: self.staging.store(frame, name))
        return self.staging.load(name)

    @cached_property
    def _records(self) -> RecordReader:
        parts = self.division.set_parts
        return RecordReader(AllRecords(self.reader, self.kept), parts.keys, parts.numbers)

    @cached_property
    def _carried(self) -> tuple[str, ...]:
        """Columns that travel with the records: those of the set, and those that rules and means need."""
        roles = self._plan.roles
        names = [*(self.division.wanted.columns or ())]
        names += [name for name in (roles.weight, roles.unit) if name is not None]
        names += roles.confidential if self._plan.privacy.given else ()
        return tuple(dict.fromkeys(names))

    @property
    def _source(self) -> Any:
        """The numbered records, with the columns that the set needs."""
        lacking = [name for keys in self.kept.keys for name in keys.lacking] if any(self.kept.left_out) else []
        names = dict.fromkeys((*self._carried, *self.kept.complete, *self._plan.roles.strata, *lacking))
        return self.frame.select(ROW, *map(quoted, names))

    def _samples(self) -> dict[int, PartSample]:
        if not self.division.block_plans:
            return {}
        divided = self.division.divided_parts
        samples = take_samples(self._source, self._records, self.division.points, divided, self.jobs)
        self.division.check_varying(samples)
        return samples

    def _trees(self, samples: Mapping[int, PartSample], number: int) -> Trees:
        assert self._plan.random_state is not None, "settled"
        return {part: sample.tree(number, self._plan.random_state) for part, sample in samples.items()}

    def _routed(self, trees: Trees, carried: tuple[str, ...]) -> Any:
        work = RoutingWork(self._records, self.division.points, trees, carried)
        return map_in_arrow(self._source, work, self._schema(carried, {ROW: "long", PART: "int", LEAF: "int"}))

    def _first_assignment(self, trees: Trees) -> BlockAssignment:
        """Return the blocks of the first round, or of the only one."""
        if not trees:
            return self._assignment(self.division.whole_totals)
        return self._next_assignment(self._routed(trees, ()), trees)

    def _next_assignment(self, routed: Any, trees: Trees) -> BlockAssignment:
        """Return the blocks of a round, with the parts that are taken whole, whose sizes are known."""
        divided = _only(routed, trees) if self.division.whole_parts else routed
        counts = self.jobs("count leaves", divided.groupBy(PART, LEAF).count().collect)
        totals = leaf_totals(counts, {part: tree.n_leaves for part, tree in trees.items()})
        return self._assignment(totals | self.division.whole_totals)

    def _assignment(self, totals: Mapping[int, IntArray]) -> BlockAssignment:
        blocks = self.division.blocks(totals)
        n_blocks = sum(int(one.n_pieces.sum()) for one in blocks.values())
        n_records = sum(int(of_leaves.sum()) for of_leaves in totals.values())
        context = getattr(self.frame.sparkSession, "_sc", None)
        n_processors = _PROCESSORS_OF_CONNECT if context is None else int(context.defaultParallelism)
        wanted = max(min(n_records // BLOCK_SIZE, _MOST_TASKS), _TASKS_PER_PROCESSOR * n_processors)
        return BlockAssignment(blocks, max(1, min(n_blocks, wanted)))

    def _whole_records(self) -> Any:
        """Return the records of parts that are taken whole, as if they came from a round before."""
        from pyspark.sql import functions

        routed = _only(self._routed({}, self._carried), self.division.whole_parts)
        return routed.select(
            "*",
            functions.lit(0).alias(BLOCK),
            functions.lit(-1).cast("long").alias(GROUP),
            functions.lit(0).cast("long").alias(ORIGIN),
            functions.lit(0).cast("long").alias(BEFORE),
        )

    def _work(
        self, number: int, sizes: Mapping[tuple[int, int], int], trees: Trees, release: ReleaseWork | None = None
    ) -> BlockWork:
        division = self.division
        parts = {}
        for part, facts in enumerate(division.parts.values()):
            plan = division.block_plans.get(part)
            name = division.part_name(part)
            if plan is None:
                parts[part] = PartWork(name, division.pipeline_of(facts), True, (), None)
            else:
                assert plan.refiners is not None, "the number of rounds is known"
                parts[part] = PartWork(name, plan.stages, False, plan.refiners[number], trees.get(part))
        return BlockWork(
            without_strata(self._plan),
            division.wanted,
            self.reader,
            division.points,
            self.weights if division.wanted.weighted_loss else None,
            parts,
            sizes,
            number,
            division.limits.iterations,
            release,
            self._carried,
            division.set_parts.lack_cells,
        )

    @property
    def _release_work(self) -> ReleaseWork:
        types = {name: one.arrow for name, one in self.types.items()}
        return ReleaseWork(
            without_strata(self._plan),
            self.division.wanted,
            self.facts.encoding,
            self.facts.whole,
            types,
            reader_of(types, self.reader.missing_values),
        )

    @property
    def _round_schema(self) -> Any:
        own = {ROW: "long", PART: "int", BLOCK: "int", GROUP: "long", LEAF: "int", ORIGIN: "long", BEFORE: "long"}
        return self._schema(self._carried, own)

    @property
    def _released_schema(self) -> Any:
        from pyspark.sql.types import BinaryType, LongType, StructField, StructType

        columns = [StructField(name, one.spark) for name, one in self.types.items()]
        own = [StructField(name, LongType()) for name in (ROW, GROUP)]
        return StructType([*own, *columns, StructField(FACTS, BinaryType())])

    def _schema(self, names: Sequence[str], own: Mapping[str, str]) -> Any:
        from pyspark.sql.types import IntegerType, LongType, StructField, StructType

        types = {"long": LongType(), "int": IntegerType()}
        columns = [StructField(name, self.frame.schema[name].dataType) for name in names]
        return StructType([*columns, *(StructField(name, types[kind]) for name, kind in own.items())])


def without_strata(plan: Plan) -> Plan:
    """Return a plan as it is within a stratum."""
    given = {name: value for name, value in plan.given.items() if name not in ("strata", "small_strata")}
    return Plan(**given)


def _only(records: Any, parts: Iterable[int]) -> Any:
    """Return the records of some parts."""
    from pyspark.sql import functions

    return records.filter(functions.col(PART).isin(list(parts)))
