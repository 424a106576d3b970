"""k that a release reaches, in all and stratum by stratum: in records, or in units where the plan names any."""

from typing import NamedTuple

import numpy as np

from microagg.measure.compared_tables import ComparedTables
from microagg.measure.released_classes import count_units, units_of
from microagg.measure.risk_catalogue import RISK_FIGURES
from microagg.model.arrays import IntArray
from microagg.model.assessment import PartAnonymity
from microagg.model.column import Column
from microagg.model.figure import Figure
from microagg.model.names import listing
from microagg.model.pair_codes import pair_codes

_ALL = "all records"
_MISSING = "a missing value counts as a value of its own"
_MAX_STRATA = 200  # that are listed: those of the smallest k


class Anonymity(NamedTuple):
    """k reached by the whole release, and by its parts."""

    figure: Figure
    parts: tuple[PartAnonymity, ...]


class _Strata(NamedTuple):
    """Strata of the records: the number of each record's, the first record of each, and the columns that make them."""

    labels: IntArray
    firsts: IntArray
    names: tuple[str, ...]


def measure_anonymity(tables: ComparedTables) -> Anonymity:
    """Count how many records, or units, share their released values in the columns of a column set, at least.

    A missing value counts as a value of its own. Classes are counted within strata, unless small ones may be merged.

    Parameters
    ----------
    tables
        The original and the release.

    Returns
    -------
    Anonymity
        The smallest number in any column set, and that of each stratum.
    """
    strata = _strata(tables)
    units = units_of(tables)
    within = _fewest(tables, strata.labels, units)
    k_reached = int(within.min())
    if tables.plan is not None and tables.plan.missing_policy.small_strata == "merge":
        k_reached = int(_fewest(tables, np.zeros_like(strata.labels), units).min())
    parts = [PartAnonymity(_ALL, tables.n_records, k_reached)]
    if strata.names:
        parts += _parts(tables, strata, within)
    return Anonymity(RISK_FIGURES["k_reached"].measured(k_reached, _note(tables, strata, units)), tuple(parts))


def _strata(tables: ComparedTables) -> _Strata:
    names = () if tables.plan is None else tables.plan.roles.strata
    for name in names:
        tables.before.check_name(name)
    labels = tables.before.patterns(names)
    return _Strata(labels, np.unique(labels, return_index=True)[1].astype(np.int64), names)


def _fewest(tables: ComparedTables, strata: IntArray, units: IntArray | None) -> IntArray:
    """Return the fewest records, or units, of a class in each stratum, over all column sets."""
    fewest = np.full(int(strata.max()) + 1, tables.n_records, dtype=np.int64)
    for names in tables.column_sets:
        pairs = pair_codes(tables.after.patterns(names), strata)
        classes = np.unique(pairs, return_inverse=True)[1].astype(np.int64)
        stratum_of = np.empty(int(classes.max()) + 1, dtype=np.int64)
        stratum_of[classes] = strata
        np.minimum.at(fewest, stratum_of, _counts(classes, units))
    return fewest


def _counts(classes: IntArray, units: IntArray | None) -> IntArray:
    """Count the records, or the different units, of each class."""
    if units is None:
        return np.bincount(classes).astype(np.int64)
    return count_units(classes, units)


def _parts(tables: ComparedTables, strata: _Strata, fewest: IntArray) -> list[PartAnonymity]:
    """Return the strata in the order of their first records; of many, those of the smallest k."""
    shown = np.argsort(fewest, kind="stable")[:_MAX_STRATA]
    shown = shown[np.argsort(strata.firsts[shown])]
    titles = _titles(tables, strata, shown)
    sizes = np.bincount(strata.labels)
    rows = zip(titles, shown.tolist(), strict=True)
    return [PartAnonymity(title, int(sizes[stratum]), int(fewest[stratum])) for title, stratum in rows]


def _titles(tables: ComparedTables, strata: _Strata, shown: IntArray) -> list[str]:
    """Return the values of strata as texts; numbers in place of values that are not released."""
    if any(name not in tables.after.names for name in strata.names):
        return [f"stratum {number}" for number in range(1, len(shown) + 1)]
    firsts = strata.firsts[shown]
    texts = [_texts(name, tables.after.column(name).in_order(firsts)) for name in strata.names]
    return [", ".join(row) for row in zip(*texts, strict=True)]


def _texts(name: str, column: Column) -> list[str]:
    return [f"{name} {'missing' if value is None else f'= {value}'}" for value in column.objects()]


def _note(tables: ComparedTables, strata: _Strata, units: IntArray | None) -> str:
    """Say what is counted, and within what."""
    notes = [] if units is None else ["units are counted, not records"]
    if strata.names:
        notes.append(f"within strata by {listing(strata.names)}, of which there are {len(strata.firsts)}")
    if any((tables.after.missing_codes(name) > 0).any() for name in tables.names):
        notes.append(_MISSING)
    if len(tables.column_sets) > 1:
        notes.append("the smallest of all column sets, each on its own columns")
    return "; ".join(notes)
