"""Rounds of blocks on a cluster: records are routed to blocks, solved there, and whole groups are routed again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from microagg.block_plan import BlockPlan, plan_blocks
from microagg.join import joined_reason
from microagg.leaf_blocks import LeafBlocks
from microagg.methods import Pipeline, set_pipeline
from microagg.methods.pipelines import BLOCK_SIZE
from microagg.model.arrays import BoolArray
from microagg.model.column_set import ColumnSet
from microagg.model.errors import ClusterError, MethodError
from microagg.model.limits import Limits
from microagg.model.plan import Plan
from microagg.model.problem_shape import Shape
from microagg.solve_blocks import reason_for_blocks
from microagg.spark.batch_tables import BatchReader, reader_of
from microagg.spark.block_assignment import BlockAssignment, leaf_totals, with_blocks
from microagg.spark.block_stage import BlockWork, PartWork, unpickled_facts
from microagg.spark.cluster_parts import KeptRecords, PartFacts, Parts, SetParts
from microagg.spark.cluster_walls import DividedPart, PartSample, RoutingWork, Trees, take_samples
from microagg.spark.column_facts_job import SetFacts, WeightFacts
from microagg.spark.jobs import Jobs
from microagg.spark.record_fields import BEFORE, BLOCK, FACTS, GROUP, LEAF, ORIGIN, PART, ROW, quoted
from microagg.spark.released_block import BlockFacts, ReleaseWork
from microagg.spark.released_types import ReleasedType
from microagg.spark.set_records import AllRecords, PointMaker, RecordReader
from microagg.spark.staging import Staging

_LARGEST_WHOLE = 2 * BLOCK_SIZE
_TASKS_PER_PROCESSOR = 4
_DIVIDE = f"divide them, as in block_size={BLOCK_SIZE} (--block-size)"


@dataclass(frozen=True)
class SetRounds:
    """Rounds of one column set.

    Parameters
    ----------
    frame
        The numbered records.
    number
        The number of the set in the plan.
    plan
        The plan, settled.
    reader
        Reads the records.
    kept
        Which records are released.
    set_parts
        Parts of the set.
    facts
        What is known of its columns as a whole.
    weights
        What makes weights relative; None where no set weighs its loss.
    limits
        Limits of the refiners.
    types
        Types of the released columns.
    """

    frame: Any
    number: int
    plan: Plan
    reader: BatchReader
    kept: KeptRecords
    set_parts: SetParts
    facts: SetFacts
    weights: WeightFacts | None
    limits: Limits
    types: Mapping[str, ReleasedType]
    staging: Staging = field(repr=False)
    jobs: Jobs = field(repr=False)

    def run(self) -> list[BlockFacts]:
        """Make the groups of the set, and store its released columns; return what is known of each block.

        Returns
        -------
        list of BlockFacts
            Of every block of the last round.

        Raises
        ------
        MethodError
            If a part is too large for a method that takes it whole.
        ClusterError
            If a block fails, or records were lost on the way.
        """
        samples = self._samples()
        trees = self._trees(samples, 0)
        current = self._routed(trees)
        assignment = self._first_assignment(trees)
        if assignment.cut_leaves:
            current = self._stored(current, "routed", "route")
        for number in range(self.n_rounds - 1):
            trees = self._trees(samples, number + 1)
            divided = _only(current, self._block_plans) if number == 0 else current
            work = self._work(number, assignment.sizes(), trees)
            solved = with_blocks(divided, self._divided_only(assignment), self.jobs).mapInArrow(
                work, self._round_schema
            )
            current = self._stored(solved, f"round-{number + 1}", f"blocks, round {number + 1} of {self.n_rounds}")
            assignment = self._next_assignment(current, trees)
        return self._finished(current, assignment)

    def _finished(self, current: Any, assignment: BlockAssignment) -> list[BlockFacts]:
        """Solve the last round, with the parts that are taken whole; store what is released."""
        if self.n_rounds > 1 and self._whole_parts:
            current = current.unionByName(self._whole_records())
        work = self._work(self.n_rounds - 1, assignment.sizes(), {}, release=True)
        solved = with_blocks(current, assignment, self.jobs).mapInArrow(work, self._released_schema)
        stage = f"blocks, round {self.n_rounds} of {self.n_rounds}"
        released = self._stored(solved, "released", stage)
        told = released.filter(f"`{ROW}` < 0").select(FACTS)
        facts = unpickled_facts(self.jobs("facts", told.collect))
        n_expected = sum(one.n_records for one in self.parts.values())
        n_found = sum(one.n_records for one in facts)
        if n_found != n_expected:
            raise ClusterError(f"expected {n_expected} records in all blocks, found {n_found}: nothing is released")
        for number in range(self.n_rounds - 1):
            self.staging.drop(self._name(f"round-{number + 1}"))
        return facts

    @property
    def released(self) -> Any:
        """DataFrame of what is released of the set: row, group, and its columns."""
        return self.staging.load(self._name("released")).filter(f"`{ROW}` >= 0").drop(FACTS)

    @property
    def counts_groups(self) -> bool:
        """Whether k is counted in groups, as a group may hold records that lack different cells."""
        is_mixed = self.plan.missing_policy.missing == "available" or bool(self.set_parts.merged)
        return is_mixed and self.set_parts.lack_cells

    @property
    def counted_strata(self) -> tuple[str, ...]:
        """Strata within which k is counted: none where parts of several were merged."""
        return () if self.set_parts.merged else self.plan.roles.strata

    def method(self, blocks: Sequence[BlockFacts]) -> str:
        """Return the name of the method, as it was carried out in each part."""
        methods = {block.part: block.method for block in blocks}
        named = [f"{name} in blocks" if part in self._block_plans else name for part, name in sorted(methods.items())]
        return " or ".join(dict.fromkeys(named))

    def reason(self, blocks: Sequence[BlockFacts]) -> str:
        """Return why it was carried out so."""
        reasons = {block.part: block.reason for block in blocks}
        sizes = [part.n_records for part in self.parts.values()]
        for part, plan in self._block_plans.items():
            reasons[part] = reason_for_blocks(sizes[part], plan.block_size, self.n_rounds)
        return joined_reason([reasons[part] for part in range(len(sizes))], sizes)

    def part_name(self, number: int) -> str:
        """Describe what the records of a part share."""
        return self.set_parts.names[list(self.parts)[number]]

    @property
    def parts(self) -> Parts:
        """Parts of the set, in the order of their first records."""
        return self.set_parts.facts

    @property
    def wanted(self) -> ColumnSet:
        """The column set."""
        return self.plan.sets[self.number]

    def _name(self, what: str) -> str:
        return f"set{self.number}-{what}"

    def _stored(self, frame: Any, what: str, stage: str) -> Any:
        name = self._name(what)
        self.jobs(stage, lambda: self.staging.store(frame, name))
        return self.staging.load(name)

    @cached_property
    def _chosen(self) -> Pipeline:
        return set_pipeline(self.wanted)

    @cached_property
    def _block_plans(self) -> dict[int, BlockPlan]:
        """Plan of the blocks of each part that is divided, by its number."""
        plans = {}
        for number, part in enumerate(self.parts.values()):
            shape = self._shape(part)
            plan = plan_blocks(self._chosen, shape, self.limits)
            if plan is not None:
                plans[number] = plan
            elif part.n_records > _LARGEST_WHOLE:
                raise MethodError(
                    f"method {self._chosen.name!r} takes all {part.n_records} records of a part "
                    f"({self.part_name(number)}) at once, which one task cannot hold: {_DIVIDE}"
                )
        return plans

    def _shape(self, part: PartFacts, n_varying: int | None = None) -> Shape:
        lacking = (part.n_present > 0) & (part.n_present < part.n_records)
        d = sum(self.facts.encoding.widths)
        return Shape(
            part.n_records,
            d,
            self.wanted.k,
            n_varying=n_varying,
            is_weighted=self.wanted.weighted_loss,
            lacks_cells=bool(lacking.any()),
        )

    @property
    def _whole_parts(self) -> list[int]:
        return [number for number in range(len(self.parts)) if number not in self._block_plans]

    @cached_property
    def n_rounds(self) -> int:
        """Number of rounds of blocks."""
        numbers = {plan.n_rounds for plan in self._block_plans.values()}
        if None in numbers:
            raise MethodError("nothing ends the rounds of blocks: give an effort, rounds or iterations")
        return max((number for number in numbers if number is not None), default=1)

    @cached_property
    def _records(self) -> RecordReader:
        return RecordReader(AllRecords(self.reader, self.kept), self.set_parts.keys, self.set_parts.numbers)

    @cached_property
    def _points(self) -> PointMaker:
        gone: dict[int, BoolArray] = {}
        widths = self.facts.encoding.widths
        for number, part in enumerate(self.parts.values()):
            lacks = np.repeat(part.n_present == 0, widths)
            if lacks.any():
                gone[number] = lacks
        return PointMaker(self.facts.encoding, gone)

    @cached_property
    def _carried(self) -> tuple[str, ...]:
        """Columns that travel with the records: those of the set, and those that rules and means need."""
        roles = self.plan.roles
        names = [*(self.wanted.columns or ())]
        names += [name for name in (roles.weight, roles.unit) if name is not None]
        names += roles.confidential if self.plan.privacy.given else ()
        return tuple(dict.fromkeys(names))

    def _samples(self) -> dict[int, PartSample]:
        """Take the samples; refuse parts that the line would not divide, as at most one column varies."""
        if not self._block_plans:
            return {}
        listed = list(self.parts.values())
        divided = {
            number: DividedPart(listed[number].n_records, plan.n_blocks, self.wanted.k)
            for number, plan in self._block_plans.items()
        }
        samples = take_samples(self._source, self._records, self._points, divided, self.jobs)
        for number, sample in samples.items():
            X = sample.points
            n_varying = int((X.max(axis=0) > X.min(axis=0)).sum()) if len(X) else 0
            if plan_blocks(self._chosen, self._shape(listed[number], n_varying), self.limits) is None:
                raise MethodError(
                    f"in a part of {listed[number].n_records} records ({self.part_name(number)}) at most one column "
                    f"varies, which would be cut in one piece: {_DIVIDE}"
                )
        return samples

    def _trees(self, samples: Mapping[int, PartSample], number: int) -> Trees:
        assert self.plan.random_state is not None, "settled"
        return {part: sample.tree(number, self.plan.random_state) for part, sample in samples.items()}

    @property
    def _source(self) -> Any:
        """The numbered records, with the columns that the set needs."""
        names = dict.fromkeys((*self._carried, *self.kept.complete, *self.plan.roles.strata, *self._lacking))
        return self.frame.select(ROW, *map(quoted, names))

    @property
    def _lacking(self) -> tuple[str, ...]:
        """Columns of other sets whose missing cells decide whether a record is kept."""
        return tuple(name for keys in self.kept.keys for name in keys.lacking) if any(self.kept.left_out) else ()

    def _routed(self, trees: Trees) -> Any:
        work = RoutingWork(self._records, self._points, trees, self._carried)
        return self._source.mapInArrow(work, self._schema(self._carried, {ROW: "long", PART: "int", LEAF: "int"}))

    def _first_assignment(self, trees: Trees) -> BlockAssignment:
        """Return the blocks of the first round, or of the only one."""
        n_leaves = dict.fromkeys(self._whole_parts, 1) | {part: tree.n_leaves for part, tree in trees.items()}
        if not trees:
            listed = list(self.parts.values())
            return self._assignment({number: np.array([listed[number].n_records]) for number in n_leaves})
        work = RoutingWork(self._records, self._points, trees, ())
        leaves = self._source.mapInArrow(work, self._schema((), {ROW: "long", PART: "int", LEAF: "int"}))
        counts = self.jobs("count leaves", leaves.groupBy(PART, LEAF).count().collect)
        return self._assignment(leaf_totals(counts, n_leaves))

    def _next_assignment(self, current: Any, trees: Trees) -> BlockAssignment:
        counts = self.jobs("count leaves", current.groupBy(PART, LEAF).count().collect)
        totals = leaf_totals(counts, {part: tree.n_leaves for part, tree in trees.items()})
        listed = list(self.parts.values())
        return self._assignment(totals | {number: np.array([listed[number].n_records]) for number in self._whole_parts})

    def _assignment(self, totals: Mapping[int, Any]) -> BlockAssignment:
        blocks = {}
        for part, of_leaves in totals.items():
            plan = self._block_plans.get(part)
            block_size = int(of_leaves.sum()) if plan is None else plan.block_size
            blocks[part] = LeafBlocks(of_leaves, block_size)
        n_blocks = sum(int(one.n_pieces.sum()) for one in blocks.values())
        n_records = sum(int(of_leaves.sum()) for of_leaves in totals.values())
        wanted = max(n_records // BLOCK_SIZE, _TASKS_PER_PROCESSOR * self._n_processors)
        return BlockAssignment(blocks, max(1, min(n_blocks, wanted)))

    def _divided_only(self, assignment: BlockAssignment) -> BlockAssignment:
        if not self._whole_parts:
            return assignment
        return self._assignment({part: assignment.blocks[part].totals for part in self._block_plans})

    @property
    def _n_processors(self) -> int:
        context = getattr(self.frame.sparkSession, "_sc", None)
        return 8 if context is None else int(context.defaultParallelism)

    def _whole_records(self) -> Any:
        """Return the records of parts that are taken whole, as if they came from a round before."""
        from pyspark.sql import functions

        routed = _only(self._routed({}), self._whole_parts)
        return routed.select(
            "*",
            functions.lit(0).alias(BLOCK),
            functions.lit(-1).cast("long").alias(GROUP),
            functions.lit(0).cast("long").alias(ORIGIN),
            functions.lit(0).cast("long").alias(BEFORE),
        )

    def _work(
        self, number: int, sizes: Mapping[tuple[int, int], int], trees: Trees, *, release: bool = False
    ) -> BlockWork:
        parts = {}
        for part in range(len(self.parts)):
            plan = self._block_plans.get(part)
            name = self.part_name(part)
            if plan is None:
                parts[part] = PartWork(name, self._chosen, True, (), None)
            else:
                assert plan.refiners is not None, "checked before"
                parts[part] = PartWork(name, plan.stages, False, plan.refiners[number], trees.get(part))
        within_strata = without_strata(self.plan)
        releasing = None
        if release:
            types = {name: one.arrow for name, one in self.types.items()}
            releasing = ReleaseWork(
                within_strata,
                self.wanted,
                self.facts.encoding,
                self.facts.whole,
                types,
                reader_of(types, self.reader.missing_values),
                self.counts_groups,
            )
        return BlockWork(
            within_strata,
            self.wanted,
            self.reader,
            self._points,
            self.weights if self.wanted.weighted_loss else None,
            parts,
            sizes,
            number,
            self.limits.iterations,
            releasing,
            self._carried,
            self.set_parts.lack_cells,
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


def _only(records: Any, parts: Any) -> Any:
    from pyspark.sql import functions

    return records.filter(functions.col(PART).isin(list(parts)))
