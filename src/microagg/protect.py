"""Protect a table: the whole line on one page."""

import logging
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple, Unpack

import numpy as np

from microagg.aggregate import aggregate, holds_integers
from microagg.assess import assess_tables
from microagg.column_comparison import identifying_columns, unchanged
from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.control.stopping import StoppedError
from microagg.count_k import count_if_missing_agrees, count_k
from microagg.declared_levels import with_declared_levels
from microagg.divide import kept_records
from microagg.encode import fit_encoding
from microagg.exposure import expose
from microagg.group import group_records
from microagg.measure import measure_tables
from microagg.measure.table_pairing import planned_tables
from microagg.methods import separate_columns, set_pipeline
from microagg.model.arrays import IntArray
from microagg.model.assessment import Assessment
from microagg.model.checks import one_of
from microagg.model.column_set import ColumnSet
from microagg.model.errors import InputError, VerificationError
from microagg.model.limits import Limits
from microagg.model.measures import Measures
from microagg.model.plan import Plan, PlanOptions
from microagg.model.release import Release, SetRelease
from microagg.model.solution import Solution
from microagg.model.source_protocol import CodebookSource
from microagg.model.table import Table
from microagg.model.treatment import Treatment, together
from microagg.privacy_rules import group_rules
from microagg.read import read, read_back
from microagg.remarks import refuse_unused_marks, remarks_on, remarks_on_release
from microagg.renumber import renumbered
from microagg.run_pipeline import check_limits, known_random_state
from microagg.sampling_weights import record_weights
from microagg.select import refuse_unnamed, select
from microagg.shared_work import SharedWork
from microagg.shuffling import check_shuffling
from microagg.source.large_file import LargeSource
from microagg.verdict import LEAST_LOSS, strict_error, verdict_on
from microagg.workspace import out_of_core_arrays
from microagg.write import to_native

MEASURES = ("all",)
"""What may be measured of a release besides the usual."""

_log = logging.getLogger("microagg")


def protect(
    table: Any,
    k: int | None = None,
    *,
    plan: Plan | None = None,
    measures: str | None = None,
    run: Run | None = None,
    progress: Progress | None = None,
    **options: Unpack[PlanOptions],
) -> Release:
    """Replace the chosen columns of each record by the means of its group of at least k records.

    Parameters
    ----------
    table
        A path, a dataframe or an array; see `read`. It is not changed.
    k
        Smallest group allowed.
    plan
        What is to be done; `k` and `options` may add to it, but not contradict it.
    measures
        "all" to measure everything that `assess` measures, as `release.assessment`; no limit ends that, but `cancel`
        does. None: only the information loss and what else `release.measures` has.
    run
        Limits, progress, workers, and the way to cancel the work from another thread.
    progress
        Called with stage, share done and note, where no run is given.
    **options
        Options of a plan: see `Plan`. `protect(table, k=5, columns=[…])` is short for
        `protect(table, plan=Plan(k=5, columns=[…]))`.

    Returns
    -------
    Release
        The released data, the groups and the measures; verified to reach k.

    Raises
    ------
    InputError
        If something cannot be used: one sentence says what and why.
    DoubtError
        If no columns are named and one of the numeric ones may not be meant.
    CancelledError
        If the run was cancelled before there was anything to release.

    Examples
    --------
    >>> import microagg
    >>> release = microagg.protect([[1.0], [2.0], [8.0], [9.0]], k=2)
    >>> release.data.tolist()
    [[1.5], [1.5], [8.5], [8.5]]
    """
    plan = complete_plan(plan, {**options} if k is None else {**options, "k": k})
    check_measures(measures)
    with ExitStack() as cleanup:
        with run_of(run, progress).under_way(plan.limits) as current:
            _check_limits(plan, current.limits)
            whole = read(table, plan.reading).with_missing_values(plan.missing_policy.missing_values)
            cleanup.enter_context(out_of_core_arrays(current, whole))
            settled = settle(plan, whole, current.limits)
            current.start_clock()
            released, solutions = protect_sets(settled, current)
            assessment = None if measures is None else _assess(settled, released, current)
        current.report("measure")
        release = verified_release(settled, released, solutions)
        _refuse_limited(release)
        return replace(release, assessment=assessment)


class SettledTable(NamedTuple):
    """Table to protect, and the plan with every open choice settled by it.

    Parameters
    ----------
    plan
        The plan, with the columns of each set, and a known random state.
    original
        The table, without the records that the plan leaves out.
    remarks
        Sentences about columns that may not be meant as the plan takes them.
    """

    plan: Plan
    original: Table
    remarks: tuple[str, ...]


def settle(plan: Plan, whole: Table, limits: Limits) -> SettledTable:
    """Settle what a plan leaves open: the columns, the random state, and the records that are left out.

    Parameters
    ----------
    plan
        The plan.
    whole
        The table as it was read, which knows the values that stand for missing ones.
    limits
        Limits of plan and run together.

    Raises
    ------
    InputError
        If the plan cannot be carried out with this table.
    """
    refuse_unused_marks(plan, whole)
    plan = settled_plan(plan, whole, limits)
    refuse_unnamed(whole, plan)
    remarks = remarks_on(plan, whole)
    records = kept_records(whole, plan)
    original = whole if len(records) == whole.n_records else whole.in_order(records)
    if plan.shuffle:
        check_shuffling(original, _unchanged(plan, original))
    return SettledTable(plan, original, remarks)


def _assess(settled: SettledTable, released: Table, run: Run) -> Assessment | None:
    """Assess a release; None where the run is cancelled, as what was found so far is wanted at once."""
    without_limits = run.child(Limits())
    try:
        with without_limits.checked_while_compiling():
            return assess_tables(planned_tables(settled.original, released, settled.plan), without_limits)
    except StoppedError:
        _log.warning("the run was cancelled: the release is made, and not assessed")
        return None


def verified_release(
    settled: SettledTable, released: Table, solutions: Sequence[Solution], *, as_whole: bool = True
) -> Release:
    """Verify the released table, look at it as a whole, and put the release together.

    Out of core, the file is verified again when it is written. Without `as_whole`, there is neither exposure nor
    verdict.
    """
    plan, original, remarks = settled
    in_memory = not isinstance(released.source, LargeSource)
    data = to_native(released) if in_memory else None
    read_again = released
    if in_memory:
        marks = plan.missing_policy.missing_values.among(released.names)
        read_again = read_back(data, released.names).with_missing_values(marks)
    remarks += remarks_on_release(plan, original, read_again)
    classes = [read_again.patterns(one.columns or ()) for one in plan.sets]
    each_set = zip(plan.sets, solutions, classes, strict=True)
    sets = tuple(_verified(plan, original, read_again, *each) for each in each_set)
    together = _measure_together(plan, original, read_again, sets)
    exposure = expose(read_again, plan, original, classes) if as_whole else None
    verdict = None
    if exposure is not None:
        is_changed = bool(plan.roles.renumber) or any(_is_changed(original, read_again, one) for one in sets)
        has_index = read_again.index is not None and not plan.shuffle
        verdict = verdict_on(
            plan,
            sets,
            together.k_reached,
            exposure,
            is_changed=is_changed,
            fallback=max(one.solution.fallback_share for one in sets),
            remarks=remarks,
            index=has_index,
        )
        remarks = tuple(one.sentence for one in verdict.warnings)
    identifying = identifying_columns(read_again, (*_protected(plan), *plan.roles.renumber))
    permutation = None
    if plan.shuffle:
        permutation = np.random.default_rng().permutation(released.n_records)
        released = released.in_order(permutation)
        data = to_native(released) if in_memory else None
    return Release(
        data,
        released,
        plan,
        sets,
        datetime.now(UTC),
        released.order,
        identifying,
        together,
        permutation,
        remarks,
        exposure=exposure,
        verdict=verdict,
    )


def _is_changed(original: Table, released: Table, one: SetRelease) -> bool:
    """Check whether a cell of a column set was changed; the loss says so, but for what rounding leaves."""
    if one.measures.information_loss > LEAST_LOSS:
        return True
    return not all(unchanged(original, released, name) for name in one.columns)


def _refuse_limited(release: Release) -> None:
    """Refuse a release whose verdict is not "verified", where the plan is strict."""
    verdict = release.verdict
    if release.plan.strict and verdict is not None and verdict.tone != "verified":
        raise strict_error(verdict)


def check_measures(measures: object) -> None:
    """Refuse anything but None or "all" as what is measured of a release."""
    if measures is not None:
        one_of("measures", measures, MEASURES)


def complete_plan(plan: Plan | None, options: Mapping[str, Any]) -> Plan:
    """Return the plan that plan and keywords make together.

    Raises
    ------
    InputError
        If they contradict each other, or are no plan.
    """
    if plan is None:
        return Plan(**options)
    if not isinstance(plan, Plan):
        raise InputError(f"plan must be a microagg.Plan, found {plan!r}: read a file by Plan.from_toml")
    return plan.with_options(**options)


def _check_limits(plan: Plan, limits: Limits) -> None:
    for one in plan.sets:
        check_limits(set_pipeline(one), limits)


def settled_plan(plan: Plan, table: Table, limits: Limits) -> Plan:
    """Settle what a plan leaves open by the columns of a table: those of each set, and the random state.

    Parameters
    ----------
    plan
        The plan.
    table
        The table; where the plan names its columns, one without records will do.
    limits
        Limits of plan and run together.
    """
    index = table.index_names
    for name in plan.roles.columns:
        if name not in index or name not in (*plan.roles.identifiers, *plan.roles.confidential):
            table.check_name(name)
    plan = with_declared_levels(plan, table)
    kept = table.without(plan.drop)
    left_out = (*plan.drop, *index)
    others = dict.fromkeys(name for name in (*plan.exclude, *plan.roles.columns) if name not in left_out)
    selected = [select(kept, one.columns, others) for one in plan.sets]
    plan, columns = separate_columns(plan, selected, partial(holds_integers, table), table.kind)
    return plan.settled(columns, limits, known_random_state(plan.random_state))


def _protected(plan: Plan) -> tuple[str, ...]:
    return tuple(name for one in plan.sets for name in one.columns or ())


def _unchanged(plan: Plan, original: Table) -> tuple[str, ...]:
    """Return the columns that are released unchanged."""
    others = (*_protected(plan), *plan.roles.renumber, *plan.roles.identifiers, *plan.drop)
    return tuple(name for name in original.names if name not in others)


def protect_sets(settled: SettledTable, run: Run, shared: SharedWork | None = None) -> tuple[Table, list[Solution]]:
    """Group the records by each column set in turn, and replace its columns by those of the groups.

    Parameters
    ----------
    settled
        The table, and its plan.
    run
        The run, which is under way.
    shared
        What runs on the same table share; None where there is only this one.

    Returns
    -------
    released : Table
        The table with the columns replaced, not verified yet.
    solutions : list of Solution
        The groups of each column set.
    """
    plan, original, _ = settled
    roles = plan.roles
    released = original.without(tuple(dict.fromkeys((*plan.drop, *roles.identifiers))))
    kept = None if run.arrays is None else run.arrays.column
    released = released.with_columns((renumbered(original, name) for name in roles.renumber), kept)
    weights = None if roles.weight is None else record_weights(original, roles.weight)
    solutions = []
    for number, one in enumerate(plan.sets):
        share = run.share(len(plan.sets) - number)
        share.checkpoint = run.checkpoint.under(f"set{number}")
        share.tells_loss = len(plan.sets) == 1
        solution = group_records(original, plan, one, share, shared)
        partition = solution.partition
        run.report("aggregate")
        mixed = plan.missing_policy.mixed_cells
        names = one.columns or ()
        released = aggregate(
            released, partition, names, one.treatment, weights=weights, arrays=run.arrays, mixed_cells=mixed
        )
        solutions.append(solution)
    return released, solutions


def _verified(
    plan: Plan, original: Table, released: Table, wanted: ColumnSet, solution: Solution, patterns: IntArray
) -> SetRelease:
    """Measure the released table; refuse it where it does not reach k, or breaks a rule."""
    encoding = solution.encoding
    assert encoding is not None, "made by `group_records`"
    check_marks(original, released, encoding.names)
    measures = measure_tables(original, released, encoding, patterns)
    mixed = plan.missing_policy.mixed_cells
    if (measures.n_suppressed and mixed != "blank") or (measures.n_imputed and mixed != "fill"):
        raise VerificationError("the release lacks other values than the original: nothing is released")
    counted = count_k(plan, original, released, encoding.names, wanted.k, patterns)
    weaker = count_if_missing_agrees(plan, original, released, encoding.names, solution.labels)
    promised = counted.k_reached if weaker is None else weaker
    if promised < wanted.k:
        raise VerificationError(f"the release reaches only k = {promised}, not {wanted.k}: nothing is released")
    rules = group_rules(original, plan, wanted, solution.partition.problem.missing)
    if rules and rules.violated(solution.labels).any():
        raise VerificationError("a group violates a rule of the plan: nothing is released")
    measures = replace(measures, k_reached=counted.k_reached)
    return SetRelease(encoding.names, solution, measures, counted.n_below_k, weaker)


def check_marks(original: Table, released: Table, names: Sequence[str]) -> None:
    """Refuse a release in which the value of a group happens to be one that stands for a missing value.

    Parameters
    ----------
    original, released
        The tables before and after.
    names
        The protected columns.

    Raises
    ------
    InputError
        If there is such a value.
    """
    for name in names:
        found = released.missing_values.of(name) or ()
        plain = released.with_missing_values({}).column(name)
        blank = np.zeros(len(plain), dtype=np.bool_) if plain.missing is None else plain.missing
        missing = released.column(name).with_missing(found).missing
        if found and missing is not None and (missing & ~blank & (original.missing_codes(name) == 0)).any():
            raise _marked(name, f"one of {', '.join(map(str, found))}")
        source = original.source
        if isinstance(source, CodebookSource) and source.declared_missing(released.column(name)).any():
            raise _marked(name, "one of the codes of the file")


def _marked(name: str, marks: str) -> InputError:
    return InputError(
        f"what would be released for a group in column {name!r} is {marks}, which stand for a missing value: choose "
        "another k, method or aggregate, or leave keep_integers out"
    )


def _measure_together(plan: Plan, original: Table, released: Table, sets: Sequence[SetRelease]) -> Measures:
    """Measure all protected columns together: several sets, each k-anonymous on its own, need not be so together."""
    if len(sets) == 1:
        return sets[0].measures
    names = [name for one in sets for name in one.columns]
    measures = measure_tables(original, released, fit_encoding(original, names, _codes_of(sets)))
    return replace(measures, k_reached=count_k(plan, original, released, names, plan.sets[0].k).k_reached)


def _codes_of(sets: Sequence[SetRelease]) -> Treatment:
    """Return which columns of all sets hold codes; loss is measured on columns scaled to variance 1."""
    encodings = [one.solution.encoding for one in sets]
    return together([encoding.treatment for encoding in encodings if encoding is not None])
