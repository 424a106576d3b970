"""Assess a release: its utility and its risk, every figure."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.control.stopping import StoppedError
from microagg.divide import kept_records
from microagg.measure import measure_tables
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.overall_score import assess_score, classic_score
from microagg.measure.reidentification import checked_fraction
from microagg.measure.risk import measure_risk
from microagg.measure.risk_catalogue import RISK_FIGURES
from microagg.measure.table_pairing import pair_by_plan, pair_tables, planned_tables
from microagg.measure.utility import measure_utility
from microagg.model.assessment import Assessment
from microagg.model.checks import whole_number
from microagg.model.errors import CancelledError, InputError
from microagg.model.figure import Figure
from microagg.model.limits import Limits
from microagg.model.names import column_names
from microagg.model.plan import Plan
from microagg.model.release import Release
from microagg.model.table import Table
from microagg.workspace import out_of_core_arrays

_CANCELLED = "cancelled: the release is not assessed to its end, and nothing is reported"
_NO_SCORE = "one of the figures that it is made of has no value"


def assess(
    original: Any,
    released: Any,
    columns: Iterable[Hashable] | None = None,
    *,
    plan: Plan | None = None,
    k: int | None = None,
    regressions: Iterable[str] = (),
    domains: Iterable[Hashable] = (),
    sampling_fraction: float | None = None,
    standardise: bool = True,
    nominal: Iterable[Hashable] | None = None,
    ordinal: Iterable[Hashable] | Mapping[Any, Iterable[Any]] | None = None,
    run: Run | None = None,
    progress: Progress | None = None,
) -> Assessment:
    """Measure the utility and the risk of a release, whichever tool made it.

    Parameters
    ----------
    original, released
        Paths, dataframes or arrays, with the same records in the same order.
    columns
        Names of the protected columns; None for every numeric one that the release has changed.
    plan
        The plan of the release, in place of k, columns and codes: it also names weights, strata, units and confidential
        columns, and what counts as missing; records that it leaves out are left out of the original.
    k
        Smallest group that was wanted, for the figures that compare with it.
    regressions
        Regressions to fit to both tables, as "income ~ age + sex"; names with blanks in backticks.
    domains
        Columns by whose combinations of values totals are compared.
    sampling_fraction
        Share of the population that is in the data, above 0 and at most 1; None where it is not known.
    standardise
        Whether all columns weigh alike in the information loss.
    nominal, ordinal
        Which of the columns hold codes: see `ColumnSet`. Text, categories and booleans are nominal anyway.
    run
        Progress callback, workers, and the way to cancel from another thread.
    progress
        Progress callback, if no run is given.

    Returns
    -------
    Assessment
        Every figure of docs/measures.md, and what was found of columns, regressions, domains and groups. It shows
        quantiles and totals of the original: it is for the owner of the data.

    Raises
    ------
    InputError
        If the two cannot be compared, as when the records are in another order; if options are given besides a plan; if
        the run has limits.
    CancelledError
        If the run was cancelled.

    Examples
    --------
    >>> import microagg
    >>> assessment = microagg.assess([[0.0], [2.0], [10.0], [12.0]], [[1.0], [1.0], [11.0], [11.0]])
    >>> round(assessment.figure("il1s").value, 4), assessment.figure("il1s").higher
    (0.1201, 'loses more')
    """
    current = run_of(run, progress)
    if current.limits.given:
        raise InputError(
            f"an assessment has nothing that {' or '.join(current.limits.given)} could limit: leave it out"
        )
    wanted = _formulas(regressions)
    chosen = column_names("domains", domains) or ()
    fraction = checked_fraction(sampling_fraction)
    current.report("read")
    if plan is None:
        smallest = None if k is None else whole_number("k", k, at_least=1)
        tables = pair_tables(
            original, released, columns, k=smallest, standardise=standardise, nominal=nominal, ordinal=ordinal
        )
    else:
        given = (columns, k, nominal, ordinal)
        if any(one is not None for one in given) or not standardise:
            raise InputError("a plan says which columns are assessed, and how: leave the other options out")
        tables = pair_by_plan(original, released, plan)
    try:
        with current.under_way(Limits()), out_of_core_arrays(current, tables.before, tables.after):
            return assess_tables(tables, current, regressions=wanted, domains=chosen, sampling_fraction=fraction)
    except StoppedError:
        raise CancelledError(_CANCELLED) from None


def assess_release(release: Release, run: Run) -> Assessment:
    """Assess a release after it was made, as `protect` does by `measures="all"`.

    Parameters
    ----------
    release
        The release, whose original can still be read.
    run
        The run, which has not begun, and has no limits.

    Returns
    -------
    Assessment
        Every figure, of all protected columns together.

    Raises
    ------
    CancelledError
        If the run was cancelled.
    """
    plan = release.plan
    before = Table(release.table.source).with_missing_values(plan.missing_policy.missing_values)
    records = kept_records(before, plan)
    before = before if len(records) == before.n_records else before.in_order(records)
    shuffled = release.permutation
    after = release.table if shuffled is None else release.table.in_order(np.argsort(shuffled))
    try:
        with run.under_way(Limits()), out_of_core_arrays(run, before, after):
            return assess_tables(planned_tables(before, after, plan), run)
    except StoppedError:
        raise CancelledError(_CANCELLED) from None


def _formulas(regressions: Iterable[str]) -> tuple[str, ...]:
    if isinstance(regressions, str):
        raise InputError(f"regressions must be a list of formulas, found {regressions!r}: put it into a list")
    return tuple(regressions)


def assess_tables(
    tables: ComparedTables,
    run: Run,
    *,
    regressions: Sequence[str] = (),
    domains: Sequence[str] = (),
    sampling_fraction: float | None = None,
) -> Assessment:
    """Measure the utility and the risk of tables that are already read and paired.

    Parameters
    ----------
    tables
        The original and the release.
    run
        The run, which is under way; it has no limits.
    regressions, domains, sampling_fraction
        As of `assess`.

    Returns
    -------
    Assessment
        Every figure.

    Raises
    ------
    InputError
        If a regression or a domain names a column that is not there.
    StoppedError
        If the run was cancelled.
    """
    measures = replace(measure_tables(tables.before, tables.after, tables.encoding), remarks=tables.remarks)
    utility = measure_utility(tables, regressions, domains, run)
    risk = measure_risk(tables, sampling_fraction, run)
    figures = (*utility.figures, *risk.figures)
    return Assessment(
        measures,
        (*figures, *_scores(figures)),
        utility.numbers,
        utility.categories,
        utility.correlations,
        utility.regressions,
        utility.domains,
        risk.parts,
        risk.confidential,
        risk.singling_out,
        risk.group_sizes,
    )


def _scores(figures: Sequence[Figure]) -> list[Figure]:
    """Return the scores that balance loss and risk."""
    values = {one.name: one.value for one in figures}
    scores = {
        "score": assess_score(values["pil"], values["disclosure_risk"]),
        "score_classic": classic_score(values["information_loss"], values["dld"], values["pld"], values["id"]),
    }
    return [RISK_FIGURES[name].measured(value, _NO_SCORE if value is None else "") for name, value in scores.items()]
