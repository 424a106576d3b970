"""Attribute disclosure: what the classes of a release tell about columns that are released beside them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from microagg.control.run import Run
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.released_classes import ReleasedClasses
from microagg.measure.risk_catalogue import RISK_FIGURES
from microagg.model.arrays import BoolArray, IntArray
from microagg.model.assessment import ConfidentialColumn
from microagg.model.column import Column
from microagg.model.column_encoding import ordered_categories
from microagg.model.column_values import distinct_values
from microagg.model.diversity_rules import MISSING
from microagg.model.figure import Figure
from microagg.model.group_rules import Closeness, DistinctValues, EntropyDiversity
from microagg.model.names import listing
from microagg.model.treatment import Treatment

_STAGE = "attribute disclosure"


class AttributeDisclosure(NamedTuple):
    """What the classes tell about each column, and how many records have a value that they give away."""

    columns: tuple[ConfidentialColumn, ...]
    figure: Figure


class _Looked(NamedTuple):
    """What the classes tell about a column, and for which records it is the same in the whole class."""

    column: ConfidentialColumn
    is_constant: BoolArray


def measure_attributes(tables: ComparedTables, run: Run) -> AttributeDisclosure:
    """Measure what whoever finds the class of a record learns about its confidential values.

    Classes are those of each column set within strata, as for k and the rules of privacy; of several sets, the worst
    counts.

    Parameters
    ----------
    tables
        The original and the release.
    run
        Reports progress, and checks whether to go on.

    Returns
    -------
    AttributeDisclosure
        Of the confidential columns of the plan; where it names none, of the other columns that have no role.
    """
    figure = RISK_FIGURES["constant_confidential"]
    names, note = _looked_at(tables)
    if not names:
        return AttributeDisclosure((), figure.measured(None, note))
    treatment = tables.encoding.treatment if tables.plan is None else tables.plan.codes
    strata = _strata(tables)
    sets = [ReleasedClasses.of(tables, (*columns, *strata)) for columns in tables.column_sets]
    given_away = np.zeros(tables.n_records, dtype=np.bool_)
    found = []
    for number, name in enumerate(names):
        run.tick(_STAGE, number / len(names), name)
        column = tables.after.column(name)
        looked = _worst([_look(column, treatment, classes) for classes in sets])
        given_away |= looked.is_constant
        found.append(looked.column)
    return AttributeDisclosure(tuple(found), figure.measured(int(given_away.sum()), note))


def _strata(tables: ComparedTables) -> tuple[str, ...]:
    """Return the columns of strata that the release shows, unless small strata may be merged."""
    if tables.plan is None or tables.plan.missing_policy.small_strata == "merge":
        return ()
    return tuple(name for name in tables.plan.roles.strata if name in tables.after.names)


def _worst(looked: Sequence[_Looked]) -> _Looked:
    """Return the worst that the classes of any column set tell about a column."""
    is_constant = np.logical_or.reduce([one.is_constant for one in looked])
    columns = [one.column for one in looked]
    distances = [one.largest_distance for one in columns if one.largest_distance is not None]
    worst = ConfidentialColumn(
        columns[0].name,
        n_constant=int(is_constant.sum()),
        least_distinct=min(one.least_distinct for one in columns),
        least_entropy_l=min(one.least_entropy_l for one in columns),
        largest_distance=max(distances, default=None),
    )
    return _Looked(worst, is_constant)


def _looked_at(tables: ComparedTables) -> tuple[tuple[str, ...], str]:
    """Return the columns that are looked at, and which they are in words."""
    if tables.plan is not None and tables.plan.roles.confidential:
        names = tuple(name for name in tables.plan.roles.confidential if name in tables.others)
        return names, f"confidential: {listing(names)}" if names else "no confidential column is in the release"
    roles = () if tables.plan is None else tables.plan.roles.columns
    names = tuple(name for name in tables.others if name not in roles)
    if not names:
        return (), "every other released column has a role"
    return names, f"no column is named as confidential: looked at are {listing(names)}"


def _look(column: Column, treatment: Treatment, classes: ReleasedClasses) -> _Looked:
    codes = distinct_values(column)[0]
    labels = classes.labels
    n_distinct = DistinctValues(column.name, codes, 1).reached(labels)
    n_missing = np.bincount(labels[codes == MISSING], minlength=len(classes))
    is_constant = (n_distinct == 1) & (n_missing == 0)
    found = ConfidentialColumn(
        column.name,
        n_constant=int(classes.sizes[is_constant].sum()),
        least_distinct=int(n_distinct.min()),
        least_entropy_l=float(EntropyDiversity(column.name, codes, 1.0).reached(labels).min()),
        largest_distance=_largest_distance(column, codes, treatment, labels),
    )
    return _Looked(found, is_constant[labels])


def _largest_distance(column: Column, codes: IntArray, treatment: Treatment, labels: IntArray) -> float | None:
    """Return the largest earth mover's distance of a class from all records; None where an order is not known.

    A missing value comes after all others, as it does in the rule of t-closeness.
    """
    level = treatment.level(column.name, column.kind)
    if column.kind == "mixed" and level == "number":
        return None
    if level == "ordinal":
        places = ordered_categories(column, treatment).read(column)
        codes = np.nan_to_num(places, nan=float(MISSING)).astype(np.int64)
    ranks = np.where(codes == MISSING, codes.max() + 1, codes)
    rule = Closeness.to_all(column.name, ranks, 1.0, ordered=level != "nominal")
    return float(rule.reached(labels).max())
