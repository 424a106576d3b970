"""Uniqueness before and after, and the risk of columns that are released unchanged beside the groups."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from microagg.column_comparison import unchanged
from microagg.control.run import Run
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.released_classes import ReleasedClasses
from microagg.measure.risk_catalogue import RISK_FIGURES
from microagg.model.arrays import IntArray
from microagg.model.figure import Figure
from microagg.model.inspection import SinglingOut
from microagg.model.names import listing
from microagg.model.pair_codes import pair_codes
from microagg.singling_out import singling_out

_STAGE = "columns as they came"
_NONE = "no column is released unchanged"


class Uniqueness(NamedTuple):
    """Records that are unique in some columns, and the combinations of unchanged columns that single them out."""

    figures: list[Figure]
    singling_out: tuple[SinglingOut, ...]


def measure_uniqueness(tables: ComparedTables, classes: ReleasedClasses, run: Run) -> Uniqueness:
    """Count the records that are unique in the protected columns, before and after, and in the unchanged ones.

    Every column counts that holds the same values as in the original, whatever its role: weights, strata, units and
    confidential columns identify, too, whoever knows them.

    Parameters
    ----------
    tables
        The original and the release.
    classes
        Classes of the release.
    run
        Reports progress, and checks whether to go on.

    Returns
    -------
    Uniqueness
        Numbers of records. Where no column is unchanged, no record is unique in these.
    """
    names = _unchanged_names(tables, run)
    before = _count_below(tables.before.patterns(tables.names), 2)
    after = _count_below(classes.labels, 2)
    figures = [
        RISK_FIGURES["unique_before"].measured(before),
        RISK_FIGURES["unique_after"].measured(after),
        *_of_unchanged(tables, classes, names),
    ]
    return Uniqueness(figures, singling_out(tables.after, names, partial(run.tick, _STAGE)))


def _unchanged_names(tables: ComparedTables, run: Run) -> list[str]:
    names = []
    for number, name in enumerate(tables.others):
        run.tick(_STAGE, number / len(tables.others), name)
        if unchanged(tables.before, tables.after, name):
            names.append(name)
    return names


def _of_unchanged(tables: ComparedTables, classes: ReleasedClasses, names: Sequence[str]) -> list[Figure]:
    """Return the figures of the columns that are released unchanged."""
    unique, below, together = (
        RISK_FIGURES[name] for name in ("unchanged_unique", "unchanged_below_k", "unchanged_with_groups_unique")
    )
    if not names:
        return [unique.measured(0, _NONE), below.measured(0, _NONE), together.measured(0, _NONE)]
    pattern = tables.after.patterns(names)
    note = f"released unchanged: {listing(names)}"
    known = _known_names(tables, names)
    with_groups = np.unique(pair_codes(classes.labels, pattern), return_inverse=True)[1].astype(np.int64)
    return [
        unique.measured(_count_below(pattern, 2), note + _without_confidential(tables, names, known)),
        _below_k(below, pattern, tables.k, note),
        together.measured(_count_below(with_groups, 2), note),
    ]


def _below_k(figure: Figure, pattern: IntArray, k: int | None, note: str) -> Figure:
    if k is None:
        return figure.measured(None, f"k is not known; {note}")
    return figure.measured(_count_below(pattern, k), f"k = {k}; {note}")


def _known_names(tables: ComparedTables, names: Sequence[str]) -> list[str]:
    """Return those of some columns that are not named as confidential."""
    confidential = () if tables.plan is None else tables.plan.roles.confidential
    return [name for name in names if name not in confidential]


def _without_confidential(tables: ComparedTables, names: Sequence[str], known: Sequence[str]) -> str:
    """Say how many records are unique for somebody who does not know the confidential values."""
    if not known or len(known) == len(names):
        return ""
    return f"; without the confidential ones {_count_below(tables.after.patterns(known), 2)}"


def _count_below(pattern: IntArray, size: int) -> int:
    """Count the records that share their pattern with fewer than so many, themselves included."""
    sizes = np.bincount(pattern)
    return int(sizes[sizes < size].sum())
