"""Figures by which candidates are compared: those that are measured quickly, and others only where they are an axis."""

from microagg.control.run import Run
from microagg.measure.compared_columns import read_columns
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.distance_linkage import link_by_distance
from microagg.measure.interval_disclosure import measure_intervals
from microagg.measure.number_comparison import compare_numbers, is_empty
from microagg.measure.number_figures import cell_figures
from microagg.measure.reidentification import measure_reidentification
from microagg.measure.released_classes import ReleasedClasses
from microagg.measure.risk import measure_risk
from microagg.measure.risk_catalogue import RISK_FIGURES
from microagg.measure.utility import measure_utility
from microagg.measure.utility_catalogue import UTILITY_FIGURES
from microagg.model.comparison import Aim
from microagg.model.errors import InputError
from microagg.model.figure import Figure
from microagg.model.names import suggestion

_LOSS = "information_loss"
_LINKAGE = "dld"
_QUICK_UTILITY = (_LOSS, "il1s")
_QUICK_RISK = (_LINKAGE, "id", "sdid", "reidentification_marketer")
_NOT_OF_A_CANDIDATE = ("regression_overlap", "domain_total_difference", "suppressed_cells", "score", "score_classic")

_AXES = {
    "utility": {name: one for name, one in UTILITY_FIGURES.items() if name not in _NOT_OF_A_CANDIDATE},
    "risk": {name: one for name, one in RISK_FIGURES.items() if name not in _NOT_OF_A_CANDIDATE},
}


def axis_figure(topic: str, name: str) -> Figure:
    """Return the figure of an axis, without a value.

    Parameters
    ----------
    topic
        "utility" or "risk".
    name
        Name of the figure.

    Raises
    ------
    InputError
        If there is no such figure of this topic that can be compared.
    """
    known = _AXES[topic]
    if name not in known:
        raise InputError(f"{topic} = {name!r} is no figure of {topic} to compare by: {suggestion(name, tuple(known))}")
    return known[name]


def measured_names(aim: Aim) -> tuple[str, ...]:
    """Return the names of the figures that are measured of each candidate, utility first."""
    return tuple(dict.fromkeys((*_QUICK_UTILITY, aim.utility, *_QUICK_RISK, aim.risk)))


def candidate_figures(tables: ComparedTables, information_loss: float, aim: Aim, run: Run) -> tuple[Figure, ...]:
    """Measure a candidate.

    Parameters
    ----------
    tables
        The original and the release.
    information_loss
        What protecting has found, on the scales of the plan.
    aim
        The axes: a figure that is not measured quickly costs as much as all figures of its topic.
    run
        Reports progress, checks whether to go on, and shares the work among threads.

    Returns
    -------
    tuple of Figure
        In the order of `measured_names`.

    Raises
    ------
    StoppedError
        If the run must end.
    """
    if aim.utility in _QUICK_UTILITY:
        found = _quick_utility(tables, run)
    else:
        found = list(measure_utility(tables, (), (), run).figures)
    if aim.risk in _QUICK_RISK:
        found += _quick_risk(tables, run)
    else:
        found += measure_risk(tables, None, run).figures
    by_name = {one.name: one for one in found} | {_LOSS: UTILITY_FIGURES[_LOSS].measured(information_loss)}
    return tuple(by_name[name] for name in measured_names(aim))


def _quick_utility(tables: ComparedTables, run: Run) -> list[Figure]:
    columns = read_columns(tables, run)
    return cell_figures([compare_numbers(one) for one in columns.numbers if not is_empty(one)], columns.categories)


def _quick_risk(tables: ComparedTables, run: Run) -> list[Figure]:
    classes = ReleasedClasses.of(tables)
    linkage = link_by_distance(tables, classes, run)
    return [
        RISK_FIGURES[_LINKAGE].measured(100.0 * float(linkage.nearest.mean())),
        *measure_intervals(tables, run),
        *measure_reidentification(tables, classes, None),
    ]
