"""Division of the records of a column set: which parts are divided into blocks, how, and in how many rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from microagg.block_plan import BlockPlan, plan_blocks
from microagg.join import joined_reason
from microagg.leaf_blocks import LeafBlocks
from microagg.methods import Pipeline, set_pipeline
from microagg.methods.pipelines import BLOCK_SIZE
from microagg.model.arrays import BoolArray, IntArray
from microagg.model.column_set import ColumnSet
from microagg.model.encoding import Encoding
from microagg.model.errors import MethodError
from microagg.model.limits import Limits
from microagg.model.plan import Plan
from microagg.model.problem_shape import Shape
from microagg.solve_blocks import reason_for_blocks
from microagg.spark.cluster_parts import PartFacts, Parts, SetParts
from microagg.spark.cluster_walls import DividedPart, PartSample
from microagg.spark.released_block import BlockFacts
from microagg.spark.set_records import PointMaker

_LARGEST_WHOLE = 2 * BLOCK_SIZE
_DIVIDE = f"divide them, as in block_size={BLOCK_SIZE} (--block-size)"


@dataclass(frozen=True)
class SetDivision:
    """Division of the records of one column set, from counts alone: nothing here asks Spark.

    Parameters
    ----------
    plan
        The plan, settled.
    number
        The number of the set in the plan.
    set_parts
        Parts of the set.
    encoding
        How its columns become coordinates.
    limits
        Limits of the refiners.
    """

    plan: Plan
    number: int
    set_parts: SetParts
    encoding: Encoding
    limits: Limits

    @property
    def wanted(self) -> ColumnSet:
        """The column set."""
        return self.plan.sets[self.number]

    @property
    def parts(self) -> Parts:
        """Parts of the set, in the order of their first records."""
        return self.set_parts.facts

    @cached_property
    def sizes(self) -> list[int]:
        """Number of records of each part."""
        return [part.n_records for part in self.parts.values()]

    def part_name(self, number: int) -> str:
        """Describe what the records of a part share."""
        return self._part_names[number]

    @cached_property
    def _part_names(self) -> list[str]:
        return [self.set_parts.names[key] for key in self.parts]

    @property
    def counts_groups(self) -> bool:
        """Whether k is counted in groups, as a group may hold records that lack different cells."""
        return self.plan.missing_policy.mixed_cells == "kept" and self.set_parts.lack_cells

    @property
    def counted_strata(self) -> tuple[str, ...]:
        """Strata within which k is counted: none where small ones may be merged."""
        return () if self.plan.missing_policy.small_strata == "merge" else self.plan.roles.strata

    @cached_property
    def chosen(self) -> Pipeline:
        """The pipeline of the set."""
        return set_pipeline(self.wanted)

    def pipeline_of(self, part: PartFacts) -> Pipeline:
        """Return the pipeline of a part."""
        return self.chosen.in_part(part.n_records, sum(self.sizes))

    @cached_property
    def block_plans(self) -> dict[int, BlockPlan]:
        """Plan of the blocks of each part that is divided, by its number.

        Raises
        ------
        MethodError
            If a part is too large for a method that takes it whole.
        """
        plans = {}
        for number, part in enumerate(self.parts.values()):
            plan = plan_blocks(self.pipeline_of(part), self._shape(part), self.limits)
            if plan is not None:
                plans[number] = plan
            elif part.n_records > _LARGEST_WHOLE:
                raise MethodError(
                    f"method {self.chosen.name!r} takes all {part.n_records} records of a part "
                    f"({self.part_name(number)}) at once, which one task cannot hold: {_DIVIDE}"
                )
        return plans

    def _shape(self, part: PartFacts, n_varying: int | None = None) -> Shape:
        lacking = (part.n_present > 0) & (part.n_present < part.n_records)
        return Shape(
            part.n_records,
            sum(self.encoding.widths),
            self.wanted.k,
            n_varying=n_varying,
            is_weighted=self.wanted.weighted_loss,
            lacks_cells=bool(lacking.any()),
        )

    @cached_property
    def whole_parts(self) -> list[int]:
        """Parts that are taken whole, each as one block."""
        return [number for number in range(len(self.parts)) if number not in self.block_plans]

    @cached_property
    def divided_parts(self) -> dict[int, DividedPart]:
        """Parts that are divided into blocks, by number."""
        return {
            number: DividedPart(self.sizes[number], plan.n_blocks, self.wanted.k)
            for number, plan in self.block_plans.items()
        }

    @cached_property
    def n_rounds(self) -> int:
        """Number of rounds of blocks."""
        numbers = {plan.n_rounds for plan in self.block_plans.values()}
        if None in numbers:
            raise MethodError("nothing ends the rounds of blocks: give an effort, rounds or iterations")
        return max((number for number in numbers if number is not None), default=1)

    @cached_property
    def points(self) -> PointMaker:
        """What makes points of records."""
        gone: dict[int, BoolArray] = {}
        for number, part in enumerate(self.parts.values()):
            lacks = np.repeat(part.n_present == 0, self.encoding.widths)
            if lacks.any():
                gone[number] = lacks
        return PointMaker(self.encoding, gone)

    def check_varying(self, samples: Mapping[int, PartSample]) -> None:
        """Refuse parts that one machine would not divide, as at most one column varies.

        Parameters
        ----------
        samples
            Sample of each part that is divided.

        Raises
        ------
        MethodError
            If there is one.
        """
        listed = list(self.parts.values())
        for number, sample in samples.items():
            X = sample.points
            n_varying = int((X.max(axis=0) > X.min(axis=0)).sum()) if len(X) else 0
            part = listed[number]
            if plan_blocks(self.pipeline_of(part), self._shape(part, n_varying), self.limits) is None:
                raise MethodError(
                    f"in the sample of a part of {part.n_records} records ({self.part_name(number)}) at most "
                    f"one column varies, which would be cut in one piece: {_DIVIDE}"
                )

    def blocks(self, totals: Mapping[int, IntArray]) -> dict[int, LeafBlocks]:
        """Return the blocks that the leaves of parts make.

        Parameters
        ----------
        totals
            Number of records of each leaf, by part.
        """
        blocks = {}
        for part, of_leaves in totals.items():
            plan = self.block_plans.get(part)
            blocks[part] = LeafBlocks(of_leaves, int(of_leaves.sum()) if plan is None else plan.block_size)
        return blocks

    @property
    def whole_totals(self) -> dict[int, IntArray]:
        """Number of records of the one leaf of each part that is taken whole."""
        return {number: np.array([self.sizes[number]]) for number in self.whole_parts}

    def method(self, blocks: Sequence[BlockFacts]) -> str:
        """Return the name of the method, as it was carried out in each part."""
        methods = {block.part: block.method for block in blocks}
        named = [f"{name} in blocks" if part in self.block_plans else name for part, name in sorted(methods.items())]
        return " or ".join(dict.fromkeys(named))

    def reason(self, blocks: Sequence[BlockFacts]) -> str:
        """Return why it was carried out so."""
        reasons = {block.part: block.reason for block in blocks}
        for part, plan in self.block_plans.items():
            reasons[part] = reason_for_blocks(self.sizes[part], plan.block_size, self.n_rounds)
        return joined_reason([reasons[part] for part in range(len(self.sizes))], self.sizes)
