"""Measure the utility of a release: what is left of distributions, relations and analyses."""

from collections.abc import Sequence
from typing import NamedTuple

from microagg.control.run import Run
from microagg.measure.category_changes import assess_categories
from microagg.measure.common_cells import CellCounts
from microagg.measure.compared_columns import ComparedNumbers, read_columns
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.domain_totals import domain_totals
from microagg.measure.number_comparison import NumberComparison, compare_numbers, empty_assessment, is_empty
from microagg.measure.number_figures import cell_figures, distribution_figures
from microagg.measure.propensity import measure_propensity
from microagg.measure.regression import compare_regression
from microagg.measure.regression_formula import parse_formula
from microagg.measure.relation_figures import probabilistic_figures, relation_figures, relations_of
from microagg.measure.utility_catalogue import UTILITY_FIGURES
from microagg.model.arrays import FloatArray
from microagg.model.assessment import (
    CategoryAssessment,
    CorrelationChange,
    DomainTotal,
    NumberAssessment,
    RegressionComparison,
)
from microagg.model.errors import InputError
from microagg.model.figure import Figure
from microagg.model.names import quantity
from microagg.sampling_weights import record_weights

_COMMON = "over the values that both tables have: see suppressed cells"


class UtilityMeasures(NamedTuple):
    """Everything that was measured of the utility of a release; see `Assessment`."""

    figures: tuple[Figure, ...]
    numbers: tuple[NumberAssessment, ...]
    categories: tuple[CategoryAssessment, ...]
    correlations: CorrelationChange | None
    regressions: tuple[RegressionComparison, ...]
    domains: tuple[DomainTotal, ...]


def measure_utility(
    tables: ComparedTables, regressions: Sequence[str], domains: Sequence[str], run: Run
) -> UtilityMeasures:
    """Measure the utility of a release.

    Columns are read and sorted one after another, and relations between them summed in slices of the records: out of
    core, one column is in memory at a time.

    Parameters
    ----------
    tables
        The original and the release.
    regressions
        Formulas of regressions to compare.
    domains
        Columns whose combinations of values are domains for totals.
    run
        The run.

    Returns
    -------
    UtilityMeasures
        The figures, in the order of their catalogue, and what is known of columns, regressions and domains.

    Raises
    ------
    InputError
        If a regression or a domain cannot be read, or a column of it is not there.
    StoppedError
        If the run was cancelled.
    """
    formulas = [parse_formula(text) for text in regressions]
    _check_names(tables, [name for one in formulas for name in (one.response, *one.terms)])
    _check_names(tables, domains)
    weights = _weights(tables)
    columns = read_columns(tables, run)
    numbers = [one for one in columns.numbers if not is_empty(one)]
    compared = _compare_all(numbers, run)
    relations = relations_of(numbers, compared, run)
    run.tick("propensity score")
    propensity = measure_propensity(columns, tables.n_records)
    fitted = tuple(compare_regression(tables, formula, weights, run) for formula in formulas)
    totals = domain_totals(tables, numbers, domains, weights, run) if domains else ()
    suppressed = _suppressed(columns.cells)
    figures = [
        UTILITY_FIGURES["information_loss"].measured(columns.information_loss, _COMMON if suppressed else ""),
        *cell_figures(compared, columns.categories),
        *distribution_figures(compared),
        *relation_figures(relations),
        *probabilistic_figures(compared, relations),
        UTILITY_FIGURES["pmse"].measured(propensity.pmse, propensity.note),
        UTILITY_FIGURES["pmse_ratio"].measured(propensity.ratio, propensity.note),
        *_asked_figures(fitted, totals),
        *suppressed,
    ]
    found = {one.assessment.name: one.assessment for one in compared}
    return UtilityMeasures(
        tuple(figures),
        tuple(found.get(one.name) or empty_assessment(one) for one in columns.numbers),
        tuple(map(assess_categories, columns.categories)),
        None if relations is None else relations.change,
        fitted,
        totals,
    )


def _check_names(tables: ComparedTables, names: Sequence[str]) -> None:
    """Refuse columns that one of the tables does not have."""
    for name in names:
        tables.before.check_name(name)
        if name not in tables.after.names:
            raise InputError(f"the release has no column {name!r}: leave it out of regressions and domains")


def _weights(tables: ComparedTables) -> FloatArray | None:
    """Return the sampling weights of the records, if the plan names a column of them."""
    weight = None if tables.plan is None else tables.plan.roles.weight
    return None if weight is None else record_weights(tables.before, weight)


def _compare_all(columns: Sequence[ComparedNumbers], run: Run) -> list[NumberComparison]:
    compared = []
    for place, column in enumerate(columns):
        run.tick("distributions", place / len(columns))
        compared.append(compare_numbers(column))
    return compared


def _asked_figures(regressions: Sequence[RegressionComparison], totals: Sequence[DomainTotal]) -> list[Figure]:
    """Return the figures of what the user asked for."""
    figures = []
    if regressions:
        overlaps = [each.overlap for one in regressions for each in one.coefficients]
        figure = UTILITY_FIGURES["regression_overlap"]
        if overlaps:
            figures.append(figure.measured(sum(overlaps) / len(overlaps)))
        else:
            figures.append(figure.measured(None, "no coefficient can be estimated from both tables"))
    if totals:
        figures.append(_total_difference(totals))
    return figures


def _suppressed(cells: CellCounts) -> list[Figure]:
    """Return the share of values that the release lacks, where any is missing in one table only."""
    if not cells.n_suppressed and not cells.n_imputed:
        return []
    figure = UTILITY_FIGURES["suppressed_cells"]
    notes = []
    if cells.n_suppressed:
        notes.append(f"{cells.n_suppressed} of {quantity(cells.n_before, 'value')}")
    if cells.n_imputed:
        notes.append(f"the release has {quantity(cells.n_imputed, 'value')} where the original has none")
    share = 100.0 * cells.n_suppressed / cells.n_before if cells.n_before else None
    return [figure.measured(share, "; ".join(notes))]


def _total_difference(totals: Sequence[DomainTotal]) -> Figure:
    """Return the mean of |T − T′|/|T| over the totals that are not zero, in percent."""
    figure = UTILITY_FIGURES["domain_total_difference"]
    ratios = [abs(one.after - one.before) / abs(one.before) for one in totals if one.before]
    if not ratios:
        return figure.measured(None, "every total is 0 in the original")
    n_zero = len(totals) - len(ratios)
    note = f"without {quantity(n_zero, 'total')} of 0" if n_zero else ""
    return figure.measured(100.0 * sum(ratios) / len(ratios), note)
