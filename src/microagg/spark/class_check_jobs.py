"""Jobs that check the classes of a release on a cluster: what stands for each class, and the rules of privacy."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from microagg.check.checked_release import protected_columns
from microagg.check.group_value_check import GroupValueTally
from microagg.check.wording import where
from microagg.model.column_set import ColumnSet
from microagg.model.errors import InputError
from microagg.model.plan import Plan
from microagg.spark.class_checks import COUNT, ClassChecks, ClassTallies, Facts
from microagg.spark.compared_values import compared, hash_of
from microagg.spark.jobs import Jobs
from microagg.spark.paired_records import ORIGINAL, PairedRecords, PairReader
from microagg.spark.record_fields import KEY, ROW, quoted
from microagg.spark.row_numbers import NumberedRows
from microagg.spark.task_results import collect_results

RECORDS_PER_TASK = 250_000
"""Records of whole classes that a task checks, one table of them after another."""

LARGE_CLASS = 250_000
"""Records of a class above which equal ones are counted, in place of being held in memory."""

MOST_BY_RULES = 5_000_000
"""Records of the largest class in which rules of privacy are checked."""


@dataclass(frozen=True, eq=False)
class ReleasedClasses:
    """Classes of a release: records that share their released values.

    Parameters
    ----------
    plan
        The plan.
    released
        The release.
    pairs
        Its records beside those of the original; None where they do not correspond.
    reader
        Reads the records; those of the release alone have no column of the original.
    facts
        Facts of whole columns of the original.
    strata
        Columns of strata within which records are compared.
    jobs
        Carries out the jobs.
    """

    plan: Plan
    released: NumberedRows
    pairs: PairedRecords | None
    reader: PairReader
    facts: Facts
    strata: tuple[str, ...]
    jobs: Jobs

    def tallies(self, one: ColumnSet, most: int) -> ClassTallies:
        """Check what stands for each class of a column set, and the rules of privacy.

        Parameters
        ----------
        one
            The column set.
        most
            Number of records of its largest class.

        Raises
        ------
        InputError
            If there are rules of privacy, and that class is too large for them.
        """
        has_rules = bool(self.plan.privacy.given)
        if self.pairs is None and not has_rules:
            return ClassTallies([], [])
        columns = () if self.pairs is None else tuple(one.columns or ())
        keys = (*(one.columns or ()), *self.strata)
        frame = self._keyed(one, keys)
        if most <= LARGE_CLASS:
            return self._checked(frame, self._checks(one, columns, has_rules=has_rules))
        if has_rules and most > MOST_BY_RULES:
            raise InputError(
                f"a class of {most} records has the same released values, {where(one.columns or ())}: on a cluster "
                f"rules of privacy are checked in classes of up to {MOST_BY_RULES} records, so verify it on one machine"
            )
        rules = self._checked(frame, self._checks(one, (), has_rules=True)).rules if has_rules else []
        values = [] if self.pairs is None else self._values_beside_large(frame, one, keys)
        return ClassTallies(values, rules)

    def _values_beside_large(self, frame: Any, one: ColumnSet, keys: Sequence[str]) -> list[GroupValueTally]:
        """Check the values of each class; in large ones, records with the same original value count as one."""
        columns = tuple(one.columns or ())
        sizes = frame.groupBy(KEY).count()
        large = sizes.filter(sizes["count"] > LARGE_CLASS)
        small = frame.join(large.select(KEY), KEY, "left_anti")
        found = self._checked(small, self._checks(one, columns, has_rules=False)).values
        of_large = frame.join(large.select(KEY), KEY, "left_semi")
        values = []
        for place, name in enumerate(columns):
            counted = self._counted(of_large, keys, name)
            tally = self._checked(counted, self._checks(one, (name,), has_rules=False)).values[0]
            values.append(found[place].merged(tally) if found else tally)
        return values

    def _counted(self, frame: Any, keys: Sequence[str], name: str) -> Any:
        """Count the records that have the same released values and the same original value of a column."""
        from pyspark.sql import functions

        old = f"{ORIGINAL}{name}"
        weight = self.plan.roles.weight
        figures = [functions.count("*").alias(COUNT), functions.min(ROW).alias(ROW)]
        if weight is not None and weight != name:
            figures.append(functions.sum(quoted(f"{ORIGINAL}{weight}")).alias(f"{ORIGINAL}{weight}"))
        grouped = frame.groupBy(KEY, *map(quoted, keys), compared(frame, old).alias(old))
        return grouped.agg(*figures)

    def _keyed(self, one: ColumnSet, keys: Sequence[str]) -> Any:
        """Return the columns that checks of a column set need, with the key of each record's class."""
        roles = self.plan.roles
        named = (*(one.columns or ()), *keys, *roles.confidential, *(() if roles.unit is None else (roles.unit,)))
        on_release = [name for name in named if name in self.released.names]
        if self.pairs is None:
            frame = self.released.frame.select(ROW, *map(quoted, dict.fromkeys(on_release)))
        else:
            weight = () if roles.weight is None else (roles.weight,)
            guarded = protected_columns(self.plan) if self.plan.privacy.given else ()
            of_original = (*named, *weight, *guarded)
            frame = self.pairs.select(on_release, [name for name in of_original if name in self.reader.before.kinds])
        return frame.withColumn(KEY, hash_of(frame, keys))

    def _checks(self, one: ColumnSet, columns: tuple[str, ...], *, has_rules: bool) -> ClassChecks:
        return ClassChecks(self.reader, self.plan, one, self.facts, columns, has_rules, self.pairs is not None)

    def _checked(self, frame: Any, checks: ClassChecks) -> ClassTallies:
        n_tasks = max(2, -(-self.released.n_records // RECORDS_PER_TASK))
        divided = frame.repartition(n_tasks, KEY).sortWithinPartitions(KEY, ROW)
        found: list[ClassTallies] = collect_results(divided, checks, self.jobs, "check classes")
        return reduce(ClassTallies.merged, found) if found else ClassTallies([], [])
