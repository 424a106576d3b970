"""Verify a release in a Spark DataFrame, whichever tool made it: the checks of `verify`, where the records are."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from microagg.check.anonymity_check import strata_finding, strata_of_classes, together_finding, units_finding
from microagg.check.checked_release import CheckedRelease, protected_columns
from microagg.check.group_value_check import group_value_findings
from microagg.check.plan_check import NO_ORIGINAL, count_finding, identifying_findings, order_finding
from microagg.check.role_check import check_gone, check_names, reordered_finding, untouched_finding
from microagg.check.value_check import missing_finding, total_findings
from microagg.check.wording import where
from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.model.checks import whole_number
from microagg.model.column import NUMERIC
from microagg.model.errors import InputError
from microagg.model.plan import Plan
from microagg.model.verdict import Exposure
from microagg.model.verification import Finding, Verification
from microagg.select import select
from microagg.spark.class_check_jobs import ReleasedClasses
from microagg.spark.class_checks import Facts, FactsOfColumns, RowChecks, RowTallies
from microagg.spark.class_counts import CountedClasses, count_classes, expose, identifying_columns
from microagg.spark.jobs import Jobs
from microagg.spark.named_frames import empty_table
from microagg.spark.paired_records import (
    ORIGINAL,
    PairedRecords,
    PairReader,
    frame_of,
    in_other_order,
    moved_columns,
    pair_records,
    reader_of_frame,
    same_records,
)
from microagg.spark.record_fields import quoted
from microagg.spark.row_numbers import NumberedRows, numbered_rows
from microagg.spark.staging import Staging
from microagg.spark.task_results import collect_results
from microagg.verdict import whole_findings
from microagg.verify import ComparedMean, compare_names, means_finding, others_finding

_ON_ONE_MACHINE = "which needs all records in one place: verify it on one machine"


def verify(
    original: Any,
    released: Any,
    k: int | None = None,
    columns: Iterable[Hashable] | None = None,
    *,
    plan: Plan | None = None,
    row_id: str | None = None,
    staging: str | None = None,
    run: Run | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Check a release: that it is k-anonymous in some columns, or all that a plan promises.

    The checks are those of `microagg.verify`, with the same verdicts. Records of a class, which share their released
    values, are checked in one task; no record comes to the driver.

    Parameters
    ----------
    original
        DataFrame of the table before, or the path of a folder of Parquet; None to check the release alone.
    released
        DataFrame to be checked, or the path of a folder of Parquet.
    k
        Number of records that must share each combination of values.
    columns
        Columns that are to be k-anonymous together. They must be named: a verdict on guessed ones would be worthless.
    plan
        The plan of the release, in place of `k` and `columns`; it names the columns, too.
    row_id
        A column of both that names each record; None: both read Parquet files, and records correspond by their order.
    staging
        Folder that all executors reach, for what rests between jobs; None: the system's temporary folder, where all
        executors are on this machine.
    run
        Progress, and the way to cancel the work from another thread.
    progress
        Called with stage, share done and note, where no run is given.

    Returns
    -------
    Verification
        The verdict, and the findings behind it.

    Raises
    ------
    InputError
        If no columns are named, a plan is given besides k and columns, or it promises what cannot be checked on a
        cluster.
    """
    current = run_of(run, progress)
    if current.limits.given:
        raise InputError(
            f"a verification has nothing that {' or '.join(current.limits.given)} could limit: leave it out"
        )
    after = frame_of(released)
    before = None if original is None else frame_of(original)
    folder = Staging(after.sparkSession, staging)
    jobs = Jobs(after.sparkSession, current)
    try:
        if plan is None:
            return _verify_columns(before, after, k, columns, row_id, folder, jobs)
        if k is not None or columns is not None:
            given = " and ".join(name for name, value in (("k", k), ("columns", columns)) if value is not None)
            raise InputError(
                f"{given} and a plan are both given: leave one out, as the plan has k and columns of its own"
            )
        return _verify_by_plan(before, after, plan, row_id, folder, jobs)
    finally:
        folder.remove()


def _verify_columns(
    before: Any,
    after: Any,
    k: int | None,
    columns: Iterable[Hashable] | None,
    row_id: str | None,
    staging: Staging,
    jobs: Jobs,
) -> Verification:
    if columns is None:
        raise InputError("name the columns to verify: a verdict on guessed ones would be worthless")
    names = select(empty_table(after), columns)
    k = whole_number("k", k, at_least=1)
    released = numbered_rows(after, row_id, staging, jobs, "released")
    tally = count_classes(released.frame, names, k, jobs).tally
    others = [name for name in released.names if name not in names]
    unique = identifying_columns(released.frame, others, released.n_records, jobs)
    exposure = expose(released.frame, released.names, Plan(k=k, columns=names, allow_k1=True), released.n_records, jobs)
    findings = [tally.finding(k, "records", where(names)), *whole_findings(exposure), *identifying_findings(unique)]
    if before is not None:
        findings += _compare(before, released, names, row_id, staging, jobs)
    return Verification(k, tally.smallest, names, tuple(findings), exposure)


def _compare(
    before: Any, released: NumberedRows, names: Sequence[str], row_id: str | None, staging: Staging, jobs: Jobs
) -> list[Finding]:
    """Compare a release with its original, as `verify` does without a plan."""
    pairs = pair_records(before, released, None, row_id, staging, jobs)
    fewer = pairs.n_before - released.n_records
    sound = None if fewer > 0 else fewer == 0
    findings = [Finding("records", sound, f"{pairs.n_before} before, {released.n_records} after")]
    findings += compare_names(before.columns, released.names)
    both = [name for name in released.names if name in before.columns]
    others = [name for name in both if name not in names]
    if others and not fewer:
        changed: Sequence[str] = others
        if pairs.frame is not None:
            tallies = _row_tallies(pairs, RowChecks(pairs.reader, None, {}, tuple(others)), others, others, jobs)
            changed = [name for name in others if name in tallies.changed]
        moved = moved_columns(before if pairs.frame is None else pairs.original, released, changed, jobs)
        findings.append(others_finding(others, [name for name in changed if name not in moved], moved))
    means = _means(before, released, [name for name in both if name in names], jobs)
    if means:
        findings.append(means_finding(means))
    return findings


def _means(before: Any, released: NumberedRows, names: Sequence[str], jobs: Jobs) -> list[ComparedMean]:
    """Return the means of those columns that hold finite numbers only, before and after."""
    from pyspark.sql import functions

    tables = (empty_table(before), empty_table(released.frame))
    numeric = [name for name in names if all(table.kind(name) in NUMERIC for table in tables)]
    if not numeric:
        return []
    found = []
    for frame in (before, released.frame):
        figures = []
        for name in numeric:
            number = functions.col(quoted(name)).cast("double")
            lacks = number.isNull() | functions.isnan(number) | (functions.abs(number) == float("inf"))
            figures += [functions.avg(number), functions.stddev_pop(number), functions.max(lacks.cast("int"))]
        found.append(tuple(jobs("compare means", frame.agg(*figures).collect)[0]))
    means = []
    for place, name in enumerate(numeric):
        (old, deviation, old_lacks), (new, _, new_lacks) = (row[3 * place : 3 * place + 3] for row in found)
        if not old_lacks and not new_lacks:
            means.append(ComparedMean(name, old, deviation, new))
    return means


def _row_tallies(
    pairs: PairedRecords, checks: RowChecks, released: Sequence[str], original: Sequence[str], jobs: Jobs
) -> RowTallies:
    found: list[RowTallies] = collect_results(pairs.select(released, original), checks, jobs, "check records")
    return reduce(RowTallies.merged, found)


def _verify_by_plan(
    before: Any, after: Any, plan: Plan, row_id: str | None, staging: Staging, jobs: Jobs
) -> Verification:
    _check_plan(plan, has_original=before is not None)
    empty = empty_table(after)
    for name in protected_columns(plan):
        empty.check_name(name)
    if before is not None:
        empty_before = empty_table(before)
        for name in (*protected_columns(plan), *plan.roles.columns, *plan.drop):
            empty_before.check_name(name)
    released = numbered_rows(after, row_id, staging, jobs, "released")
    pairs = None if before is None else pair_records(before, released, plan, row_id, staging, jobs)
    return _PlanCheck(plan, before, released, pairs, jobs).verification()


def _check_plan(plan: Plan, *, has_original: bool) -> None:
    """Refuse a plan that promises what cannot be checked on a cluster."""
    if not isinstance(plan, Plan):
        raise InputError(f"plan must be a microagg.Plan, found {plan!r}: read a file by Plan.from_toml")
    if any(one.columns is None for one in plan.sets):
        raise InputError(
            "the plan names no columns: name those that it protects, as the plan of the release itself does; a verdict "
            "on guessed ones would be worthless"
        )
    policy = plan.missing_policy
    merges = policy.missing == "pattern" and policy.small_strata == "merge"
    is_open = policy.missing in ("available", "fill", "blank") or merges
    for option, is_given in (
        ("t_closeness", "t_closeness" in plan.privacy.given),
        ("shuffle", plan.shuffle and has_original),
        ("renumber", bool(plan.roles.renumber) and has_original),
        ("rounding='total'", has_original and any(one.treatment.rounding == "total" for one in plan.sets)),
        ("groups of records that lack different cells", is_open),
    ):
        if is_given:
            raise InputError(f"the plan has {option}, {_ON_ONE_MACHINE}")


@dataclass(frozen=True, eq=False)
class _PlanCheck:
    """Check of a release against its plan."""

    plan: Plan
    before: Any
    released: NumberedRows
    pairs: PairedRecords | None
    jobs: Jobs

    def verification(self) -> Verification:
        """Return the verdict."""
        facts = self._facts()
        rows = self._rows(facts)
        moved = self._moved(rows)
        is_paired = rows is not None and not moved
        counted, findings = self._anonymity(is_paired=is_paired)
        exposure = self._exposure(is_paired=is_paired)
        findings += whole_findings(exposure)
        sets = zip(self._schema.sets, counted, strict=True)
        classes = self._classes(facts, is_paired=is_paired)
        tallies = [classes.tallies(one, of_set.most_records) for one, of_set in sets]
        for of_set in tallies:
            findings += [one if isinstance(one, Finding) else one.finding() for one in of_set.rules]
        findings += self._identifying()
        findings += self._records(is_paired=is_paired)
        findings += check_gone(self.plan, self.released.names)
        if self.before is not None:
            findings += check_names(self.plan, self.before.columns, self.released.names)
        if rows is not None:
            findings += self._compared(rows, is_paired=is_paired)
        if is_paired:
            findings += group_value_findings([tally for of_set in tallies for tally in of_set.values])
        k = min(one.k for one in self.plan.sets)
        k_reached = min(of_set.tally.smallest for of_set in counted)
        return Verification(k, k_reached, protected_columns(self.plan), tuple(findings), exposure)

    def _exposure(self, *, is_paired: bool) -> Exposure:
        """Count whom all released columns that others may know single out."""
        frame = self.released.frame
        unit = self.plan.roles.unit
        if is_paired and self.pairs is not None and unit is not None and unit not in self.released.names:
            frame = self.pairs.frame.withColumnRenamed(f"{ORIGINAL}{unit}", unit)
        return expose(frame, self.released.names, self.plan, self.released.n_records, self.jobs)

    @property
    def _schema(self) -> CheckedRelease:
        """The release and its original without records."""
        original = None if self.before is None else empty_table(self.before)
        return CheckedRelease(self.plan, empty_table(self._after), original, original, None)

    @property
    def _after(self) -> Any:
        return self.released.frame.select(*map(quoted, self.released.names))

    def _facts(self) -> Facts:
        """Find out which columns of the original hold whole numbers, and the units of dates."""
        if self.pairs is None or self.pairs.frame is None:
            return {}
        empty = empty_table(self.before)
        levels = {
            name: one.treatment.level(name, empty.kind(name)) for one in self.plan.sets for name in one.columns or ()
        }
        names = tuple(name for name, level in levels.items() if level in ("number", "date"))
        if not names:
            return {}
        frame = self.pairs.select((), names)
        found: list[Facts] = collect_results(frame, FactsOfColumns(self.pairs.reader, names), self.jobs, "read columns")
        return {name: reduce(lambda one, other: one.merged(other), (some[name] for some in found)) for name in names}

    def _rows(self, facts: Facts) -> RowTallies | None:
        """Compare the records one by one; None where they do not correspond."""
        if self.pairs is None or self.pairs.frame is None:
            return None
        untouched = self._schema.untouched
        weight = () if self.plan.roles.weight is None else (self.plan.roles.weight,)
        needed = (*protected_columns(self.plan), *untouched, *weight)
        checks = RowChecks(self.pairs.reader, self.plan, facts, untouched)
        on_release = [name for name in needed if name in self.released.names]
        return _row_tallies(self.pairs, checks, on_release, needed, self.jobs)

    def _moved(self, rows: RowTallies | None) -> bool:
        """Check whether columns that were not touched show that the records are in another order."""
        if rows is None or not rows.changed:
            return False
        untouched = self._schema.untouched
        assert self.pairs is not None, "records were compared"
        return in_other_order(self.pairs, self.released, untouched, rows.changed, self.jobs)

    def _anonymity(self, *, is_paired: bool) -> tuple[list[CountedClasses], list[Finding]]:
        """Count the classes of each column set, and k of all of them together."""
        schema = self._schema
        frame = self.released.frame
        unit = self.plan.roles.unit
        findings = []
        if unit is not None and unit not in self.released.names:
            if is_paired and self.pairs is not None:
                frame = self.pairs.frame
                unit = f"{ORIGINAL}{unit}"
            else:
                findings.append(units_finding(unit))
                unit = None
        noun = "records" if unit is None else "units"
        strata = strata_of_classes(schema)
        counted = []
        for one in schema.sets:
            columns = one.columns or ()
            classes = count_classes(frame, (*columns, *strata), one.k, self.jobs, unit)
            counted.append(classes)
            findings.append(classes.tally.finding(one.k, noun, where(columns, strata)))
            if schema.strata and not strata:
                within = count_classes(frame, (*columns, *schema.strata), one.k, self.jobs, unit).tally
                place = where(columns, schema.strata)
                findings.append(strata_finding(within.n_small, within.n_classes, one.k, noun, place))
        if len(schema.sets) > 1:
            whole = count_classes(frame, (*schema.protected, *strata), 1, self.jobs, unit).tally
            findings.append(together_finding(whole.smallest, len(schema.sets)))
        return counted, findings

    def _classes(self, facts: Facts, *, is_paired: bool) -> ReleasedClasses:
        if self.pairs is not None:
            reader = self.pairs.reader
        else:
            released = reader_of_frame(self._after, self.plan.missing_policy.missing_values)
            reader = PairReader(released, released)
        pairs = self.pairs if is_paired else None
        strata = strata_of_classes(self._schema)
        return ReleasedClasses(self.plan, self.released, pairs, reader, facts, strata, self.jobs)

    def _identifying(self) -> list[Finding]:
        known = (*protected_columns(self.plan), *self.plan.roles.renumber)
        others = [name for name in self.released.names if name not in known]
        unique = identifying_columns(self.released.frame, others, self.released.n_records, self.jobs)
        return identifying_findings(unique)

    def _records(self, *, is_paired: bool) -> list[Finding]:
        if self.pairs is None:
            return [NO_ORIGINAL]
        n_after = self.released.n_records
        findings = [count_finding(self.pairs.n_before, n_after, self.pairs.n_expected)]
        if not is_paired:
            findings.append(order_finding(self.plan, has_all=n_after == self.pairs.n_expected))
        return findings

    def _compared(self, rows: RowTallies, *, is_paired: bool) -> list[Finding]:
        """Return what is to be said of columns that were not touched, of missing values and of totals."""
        assert self.pairs is not None, "records were compared"
        if not is_paired and self.pairs.n_before != self.released.n_records:
            return []
        findings = []
        names = self._schema.untouched
        if names and is_paired:
            findings.append(untouched_finding(names, [name for name in names if name in rows.changed]))
        elif names:
            is_same = same_records(self.pairs.original, self.released.frame, names, self.jobs)
            findings.append(reordered_finding(names, is_same=is_same))
        if is_paired:
            findings.append(missing_finding(rows.missing))
        return findings + total_findings(rows.totals, is_weighted=self.plan.roles.weight is not None)
