"""Measure the risk that is left in a release: linkage, intervals, re-identification, attributes, uniqueness."""

from collections.abc import Mapping
from typing import NamedTuple

from microagg.control.run import Run
from microagg.measure.attribute_disclosure import measure_attributes
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.distance_linkage import link_by_distance
from microagg.measure.interval_disclosure import measure_intervals
from microagg.measure.overall_score import disclosure_risk
from microagg.measure.part_anonymity import measure_anonymity
from microagg.measure.probabilistic_linkage import link_by_probability
from microagg.measure.reidentification import measure_reidentification
from microagg.measure.released_classes import ReleasedClasses
from microagg.measure.risk_catalogue import RISK_FIGURES
from microagg.measure.unchanged_columns import measure_uniqueness
from microagg.model.assessment import ConfidentialColumn, PartAnonymity
from microagg.model.figure import Figure
from microagg.model.inspection import SinglingOut
from microagg.model.source_protocol import BatchedSource

_TOO_LARGE = "the table is larger than memory, and a linkage needs all protected columns there at once"

_RECORDS = "records are linked, not units: a unit of several records is linked wherever one of them is"

_NO_RISK = "record linkage by distance, or interval disclosure, has no value"


class RiskMeasures(NamedTuple):
    """Risk that is left in a release.

    Parameters
    ----------
    figures
        Every number about the whole, in the order of the catalogue.
    parts
        k reached, of all records and by stratum.
    confidential
        What the groups tell about columns beside them.
    singling_out
        Columns that are released unchanged: combinations that single out most records, the whole of them last.
    group_sizes
        Sizes of groups, and how many groups have each.
    """

    figures: tuple[Figure, ...]
    parts: tuple[PartAnonymity, ...]
    confidential: tuple[ConfidentialColumn, ...]
    singling_out: tuple[SinglingOut, ...]
    group_sizes: tuple[tuple[int, int], ...]


def measure_risk(tables: ComparedTables, sampling_fraction: float | None, run: Run) -> RiskMeasures:
    """Measure the risk that is left in a release.

    Parameters
    ----------
    tables
        The original and the release.
    sampling_fraction
        Share of the population that is in the table; None where it is not known.
    run
        Reports progress, checks whether to go on, and shares the work among threads.

    Returns
    -------
    RiskMeasures
        Every figure of the catalogue but the scores, which need a loss, too.

    Raises
    ------
    InputError
        If the sampling fraction is not above 0 and at most 1, a weight is not positive, or a column that the plan names
        is not there.
    StoppedError
        If the run must end.
    """
    classes = ReleasedClasses.of(tables)
    reidentification = measure_reidentification(tables, classes, sampling_fraction)
    anonymity = measure_anonymity(tables)
    uniqueness = measure_uniqueness(tables, classes, run)
    attributes = measure_attributes(tables, run)
    intervals = measure_intervals(tables, run)
    linkage = _link(tables, classes, run)
    found = [*linkage, *intervals, *reidentification, anonymity.figure, *uniqueness.figures, attributes.figure]
    found.append(_disclosure_risk({figure.name: figure.value for figure in found}))
    places = list(RISK_FIGURES)
    return RiskMeasures(
        tuple(sorted(found, key=lambda figure: places.index(figure.name))),
        anonymity.parts,
        attributes.columns,
        uniqueness.singling_out,
        classes.size_counts(),
    )


def _disclosure_risk(values: Mapping[str, float | None]) -> Figure:
    risk = disclosure_risk(values["dld"], values["id"])
    return RISK_FIGURES["disclosure_risk"].measured(risk, "" if risk is not None else _NO_RISK)


def _link(tables: ComparedTables, classes: ReleasedClasses, run: Run) -> list[Figure]:
    """Return the shares of records that are linked; None of tables that are larger than memory."""
    names = ("dld", "dld_nearest_two", "pld")
    if any(isinstance(table.source, BatchedSource) for table in (tables.before, tables.after)):
        return [RISK_FIGURES[name].measured(None, _TOO_LARGE) for name in names]
    linkage = link_by_distance(tables, classes, run)
    return [
        _of_units(tables, RISK_FIGURES["dld"].measured(100.0 * float(linkage.nearest.mean()))),
        _of_units(tables, RISK_FIGURES["dld_nearest_two"].measured(100.0 * float(linkage.nearest_two.mean()))),
        _of_units(tables, link_by_probability(tables, classes, run)),
    ]


def _of_units(tables: ComparedTables, figure: Figure) -> Figure:
    """Say of a linkage that it is of records, where the plan names units: these may be found more often."""
    if tables.plan is None or tables.plan.roles.unit is None:
        return figure
    return figure.measured(figure.value, "; ".join(filter(None, (figure.note, _RECORDS))))
