"""What `protect` gives: the released data, how they were made, and what they measure."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np

from microagg.model.arrays import IntArray
from microagg.model.errors import InputError
from microagg.model.measures import Measures
from microagg.model.plan import Plan
from microagg.model.presentation import Written
from microagg.model.solution import Solution, Status
from microagg.model.table import Table


@dataclass(frozen=True, eq=False, repr=False)
class SetRelease:
    """What came of one column set.

    Parameters
    ----------
    columns
        The protected columns.
    solution
        The groups, and how good they are proved to be. Records are in the order of the input.
    measures
        Computed from the released table itself.
    """

    columns: tuple[str, ...]
    solution: Solution
    measures: Measures

    def __repr__(self) -> str:
        return f"SetRelease({len(self.columns)} columns, {self.solution!r})"

    @property
    def k(self) -> int:
        """The smallest group allowed."""
        return self.solution.partition.problem.k


@dataclass(frozen=True, eq=False, repr=False)
class Release(Written):
    """A protected table.

    Of a release of one column set, what there is to know of its groups can be asked for here; of several, in `sets`.

    Parameters
    ----------
    data
        The released data, the same kind of object as was given. Of a file: a polars dataframe, its columns typed.
    table
        The same, ready to be written.
    plan
        What was done, with nothing left to be chosen: the same plan on the same input gives the same release.
    sets
        What came of each column set.
    made
        When it was made.
    order
        Which record of the input stands in each row, of shape (n,), where they are shuffled.
    identifying
        Columns beside the protected ones that are different in every record.

    Notes
    -----
    The object knows the original data: groups and what they lose are computed from them. The release is `data`, and
    what `write` writes; keep the object itself, and what is pickled of it, as you keep the originals.
    """

    data: Any
    table: Table
    plan: Plan
    sets: tuple[SetRelease, ...]
    made: datetime = field(compare=False)
    order: IntArray | None = None
    identifying: tuple[str, ...] = ()

    def __repr__(self) -> str:
        sets = self.sets
        what = f"{len(sets[0].columns)} columns protected" if len(sets) == 1 else f"{len(sets)} column sets protected"
        losses = ", ".join(f"{one.measures.information_loss:.4f} %" for one in sets)
        ks = ", ".join(str(one.k) for one in sets)
        return f"Release({self.table.n_records} records, {what}, k = {ks}, information loss {losses}, verified)"

    @property
    def only(self) -> SetRelease:
        """What came of the one column set; refuse where there are several."""
        if len(self.sets) > 1:
            raise InputError(f"this release has {len(self.sets)} column sets: ask for one, as in release.sets[0]")
        return self.sets[0]

    @property
    def columns(self) -> tuple[str, ...]:
        """Every protected column."""
        return tuple(name for one in self.sets for name in one.columns)

    @property
    def solution(self) -> Solution:
        """The groups, and how good they are proved to be. Records are in the order of the input."""
        return self.only.solution

    @property
    def measures(self) -> Measures:
        """Computed from the released table itself."""
        return self.only.measures

    @property
    def k(self) -> int:
        """The smallest group allowed."""
        return self.only.k

    @property
    def labels(self) -> IntArray:
        """The group of each record of `data`, of shape (n,): in the order of the release, also where it is shuffled."""
        labels = self.solution.labels
        return labels if self.order is None else np.asarray(labels[self.order])

    @property
    def n_groups(self) -> int:
        """How many groups there are."""
        return self.solution.n_groups

    @property
    def sizes(self) -> IntArray:
        """How many records each group has, of shape (n_groups,)."""
        return self.solution.sizes

    @property
    def sse(self) -> float:
        """The squares within the groups."""
        return self.solution.sse

    @property
    def information_loss(self) -> float:
        """100·sse/sst in percent."""
        return self.solution.information_loss

    @property
    def lower_bound(self) -> float | None:
        """What no partition can beat, as sse; None while no bound was asked for."""
        return self.solution.lower_bound

    @property
    def gap(self) -> float | None:
        """(sse − lower_bound)/sse; None while no bound was asked for."""
        return self.solution.gap

    @property
    def status(self) -> Status:
        """How much is proved of the solution."""
        return self.solution.status
