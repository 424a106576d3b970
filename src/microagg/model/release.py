"""Result of `protect`: the released data, how they were made, and their measures."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from microagg.model.arrays import IntArray
from microagg.model.assessment import Assessment
from microagg.model.errors import InputError
from microagg.model.location import Location
from microagg.model.measures import Measures
from microagg.model.names import quantity
from microagg.model.plan import Plan
from microagg.model.presentation import Plottable, Writable
from microagg.model.solution import Solution, Status
from microagg.model.table import Table
from microagg.model.verdict import Exposure, Verdict


@dataclass(frozen=True, eq=False, repr=False)
class SetRelease:
    """Result for one column set.

    Parameters
    ----------
    columns
        The protected columns.
    solution
        The groups, and what is proved of them. The records are those that are released, in the order of the input.
    measures
        Measures computed from the released table itself: its k is counted as an auditor counts, who takes a missing
        cell for a value of its own.
    n_below_k
        Number of records that share their released values with fewer than k − 1 others.
    k_if_missing_agrees
        The k that is reached if a missing cell may be any value; None where that is not what the plan promises.

    Examples
    --------
    >>> import microagg
    >>> release = microagg.protect([[1.0], [2.0], [8.0], [9.0]], k=2)
    >>> release.sets[0].columns, release.sets[0].k
    (('0',), 2)
    """

    columns: tuple[str, ...]
    solution: Solution
    measures: Measures
    n_below_k: int = 0
    k_if_missing_agrees: int | None = None

    def __repr__(self) -> str:
        return f"SetRelease({quantity(len(self.columns), 'column')}, {self.solution!r})"

    @property
    def k(self) -> int:
        """Smallest group allowed."""
        return self.solution.partition.problem.k


@dataclass(frozen=True, eq=False, repr=False)
class Release(Writable, Plottable):
    """Protected table, with its groups and measures.

    If there is one column set, the properties below are those of its groups; of several, see `sets`.

    Parameters
    ----------
    native
        Released data, the same kind of object as was given. For a file: a polars dataframe with typed columns; None
        where it does not fit in memory.
    table
        The same, ready to be written.
    plan
        The plan with every choice settled: the same plan on the same input gives the same release.
    sets
        Result for each column set.
    made
        When it was made.
    order
        Record of the input in each row, of shape (n,); None if all are released, in the order of the input.
    identifying
        Columns besides the protected ones that differ in every record.
    together
        Measures of all protected columns together; of several sets, the columns are scaled to variance 1. Sets that
        are k-anonymous each on its own may reach a smaller k together, often 1.
    permutation
        Place of each row among the released records before they were shuffled; None if they were not.
    remarks
        Every warning about the release, a sentence each: those of its verdict.
    path
        Where the release was written to by `protect_file`.
    assessment
        All measures of utility and risk, of all protected columns together; None unless they were asked for by
        `measures="all"`.
    exposure
        Whom all released columns that others may know single out together, and which columns do.
    verdict
        Whether k holds of all released columns that others may know, or of less than these; what was counted, and
        every warning.

    Notes
    -----
    The object knows the original data: groups and losses are computed from them. The release is `data`, and
    what `write` writes; keep the object itself, and pickles of it, as you keep the originals.

    Examples
    --------
    >>> import microagg
    >>> release = microagg.protect([[1.0], [2.0], [8.0], [9.0]], k=2)
    >>> release
    Release(4 records, 1 column protected, k = 2, information loss 2.0000 %, verified)
    >>> release.labels.tolist(), release.status
    ([0, 0, 1, 1], 'optimal')
    """

    native: Any
    table: Table
    plan: Plan
    sets: tuple[SetRelease, ...]
    made: datetime
    order: IntArray | None = None
    identifying: tuple[str, ...] = ()
    together: Measures | None = None
    permutation: IntArray | None = None
    remarks: tuple[str, ...] = ()
    path: Location | None = None
    assessment: Assessment | None = None
    exposure: Exposure | None = None
    verdict: Verdict | None = None

    def __repr__(self) -> str:
        sets = self.sets
        records = quantity(self.table.n_records, "record")
        what = quantity(len(sets[0].columns), "column") if len(sets) == 1 else f"{len(sets)} column sets"
        losses = ", ".join(f"{one.measures.information_loss:.4f} %" for one in sets)
        ks = ", ".join(str(one.k) for one in sets)
        verdict = "not looked at as a whole" if self.verdict is None else self.verdict.headline
        if len(sets) > 1 and self.together is not None:
            verdict = f"{verdict}, k = {self.together.k_reached} on all protected columns together"
        return f"Release({records}, {what} protected, k = {ks}, information loss {losses}, {verdict})"

    @property
    def data(self) -> Any:
        """Released data, the same kind of object as was given; an `InputError` where they do not fit in memory."""
        if self.native is None:
            where = "write it to a file" if self.path is None else f"it is in the file {self.path}"
            raise InputError(f"the release does not fit in memory: {where}, and read from there what you need")
        return self.native

    @property
    def only(self) -> SetRelease:
        """Result for the one column set; an `InputError` where there are several."""
        if len(self.sets) > 1:
            raise InputError(f"this release has {len(self.sets)} column sets: ask for one, as in release.sets[0]")
        return self.sets[0]

    @property
    def columns(self) -> tuple[str, ...]:
        """Every protected column."""
        return tuple(name for one in self.sets for name in one.columns)

    @property
    def solution(self) -> Solution:
        """The groups, and what is proved of them. Records are in the order of the input."""
        return self.only.solution

    @property
    def measures(self) -> Measures:
        """Measures computed from the released table itself."""
        return self.only.measures

    @property
    def k(self) -> int:
        """Smallest group allowed."""
        return self.only.k

    @property
    def labels(self) -> IntArray:
        """Group of each record of `data`, of shape (n,): in the order of the release, also where it is shuffled."""
        labels = self.solution.labels
        return labels if self.permutation is None else np.asarray(labels[self.permutation])

    @property
    def n_suppressed(self) -> int:
        """Number of records that are left out of the release."""
        return self.table.source.n_records - self.table.n_records

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return self.solution.n_groups

    @property
    def sizes(self) -> IntArray:
        """Number of records in each group, of shape (n_groups,)."""
        return self.solution.sizes

    @property
    def sse(self) -> float:
        """Within-group squares."""
        return self.solution.sse

    @property
    def information_loss(self) -> float:
        """100·sse/sst in percent."""
        return self.solution.information_loss

    @property
    def lower_bound(self) -> float | None:
        """Proved lower bound of the sse of any partition; None if none was asked for."""
        return self.solution.lower_bound

    @property
    def gap(self) -> float | None:
        """(sse − lower_bound)/sse; None if no bound was asked for."""
        return self.solution.gap

    @property
    def status(self) -> Status:
        """What is proved of the groups: "heuristic", "bounded" or "optimal"."""
        return self.solution.status
