"""Generate columns: choose parts of those that are there, price, and add others, until none pays."""

from collections.abc import Callable

import numpy as np

from microagg.control.run import Run
from microagg.lp import Master, Vertex
from microagg.lp.group_columns import Columns, Rows
from microagg.lp.group_pricing import PAYING, Priced, TooDearError
from microagg.lp.subgradient_ascent import Ascent
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.partition import Partition

Price = Callable[[FloatArray, Rows], Priced]
"""Finds columns that pay with some duals, of the records and of rows."""

Proof = tuple[FloatArray, Rows]
"""Duals that prove something, and the rows that the last of them are of."""

CLOSE = 1e-9  # of the sse: a gap that is none
_WHOLE = 1e-6  # a part that is none, or all
_BATCH = 4000  # columns that enter at once
_MANY = 30  # columns for each record, more than which are not kept
_LESS = 0.1  # how the smoothing falls
_FARTHER = 4.0  # times the reach of duals, where nothing pays within it
_NEARLY = 0.99  # a share that is nearly all
_FEW = 0.25  # columns for each record: fewer new ones are a sign that smoothing is no longer needed
_LEAST_UNIT = 0.01  # of the average dual


class Generation:
    """Hold a master, the duals that proved most, and what they prove; squares are scaled: a group loses about one.

    Parameters
    ----------
    master
        The columns, and the rows that they must obey.
    run
        Whose time ends it.
    hear
        Is called now and then, and may raise `StoppedError`.
    meet
        Is told of every vertex, with the columns that it chooses from.
    """

    def __init__(
        self, master: Master, run: Run, hear: Callable[[], None], meet: Callable[[Columns, Vertex], None]
    ) -> None:
        self.master, self.run, self.hear, self.meet = master, run, hear, meet
        self.centre = np.zeros(master.columns.n + master.rows.n_rows)
        self.proved, self.kind = 0.0, ""
        self.proof: Proof = self.centre, master.rows
        self.vertex: Vertex | None = None

    def start(self, duals: FloatArray, proved: float, kind: str) -> None:
        """Begin from duals of which something is known."""
        self.centre, self.proved, self.kind, self.proof = duals, proved, kind, (duals, self.master.rows)

    @property
    def units(self) -> FloatArray:
        """What the steps of each dual are measured in: itself, but for records that cost next to nothing."""
        units: FloatArray = np.maximum(self.centre, _LEAST_UNIT * self.centre.mean())
        return units

    def climb(self, price: Price, ascent: Ascent, kind: str, take: bool) -> None:
        """Change the duals step by step: records that no column covers are worth more, those of several less."""
        duals = self.centre
        for _ in range(ascent.steps):
            priced = self.improve(price, duals, kind)
            if take:
                self.take(priced.columns, duals)
            duals = duals + ascent(1.0 - priced.cover.astype(np.float64))

    def choose(
        self,
        price: Price,
        kind: str,
        most: float,
        close: float = CLOSE,
        enough: float = np.inf,
        reach: float = np.inf,
    ) -> str | None:
        """Choose parts of columns, price, and add columns, until nothing is left to gain.

        Parameters
        ----------
        most
            Share of the duals that proved most so far in those that are priced, at first.
        close
            Of the sse: what may be left to gain.
        enough
            What need not be exceeded.
        reach
            How far from the duals that proved most those of the records may be, at first, in shares of these and of
            their mean: where few columns are there, duals are wild, and dear to price.

        Returns
        -------
        str or None
            What ended that before its own end.
        """
        smooth, far, floor = most, reach, 0.0  # less smoothing than the floor is too dear
        while True:
            vertex = self.vertex = self.master.solve(self.run.time_left, self.told)
            self.hear()
            if vertex is None:
                return "time_limit" if self.run.time_left == 0.0 else "tolerance"
            self.meet(self.master.columns, vertex)
            self.forget(vertex)
            if vertex.sse - self.proved <= close * vertex.sse or self.proved >= enough:
                return None
            proved = self.proved
            drawn = smooth * self.centre + (1 - smooth) * vertex.duals
            duals = self.within(drawn, far)
            try:
                priced = self.improve(price, duals, kind)
            except TooDearError:
                if smooth > _NEARLY:
                    raise
                smooth = floor = (1 + smooth) / 2
                continue
            new, better = self.take(priced.columns, vertex.duals), self.proved > proved
            if not new and smooth == floor:
                if not floor and np.array_equal(drawn, duals):
                    return None if np.isfinite(priced.bound) else "tolerance"
                if not better:
                    if floor:
                        raise TooDearError
                    far *= _FARTHER
                    continue
            if better:
                far, floor = reach, 0.0
            few = better or new < _FEW * self.master.columns.n
            smooth = max(floor, round(smooth - _LESS, 9) if few else most)

    def told(self) -> bool:
        """Say whether to end at once, with nothing: a limit of time is known to HiGHS."""
        return self.run.cancelled

    def within(self, duals: FloatArray, reach: float) -> FloatArray:
        """Give duals of which those of records are no farther from the ones that proved most: see `choose`."""
        n = self.master.columns.n
        size = np.abs(self.centre[:n])
        if np.isinf(reach) or not size.any():
            return duals
        far = reach * (size + size.mean())
        near = np.clip(duals[:n], self.centre[:n] - far, self.centre[:n] + far)
        return np.append(near, duals[n:])

    def improve(self, price: Price, duals: FloatArray, kind: str) -> Priced:
        """Price with some duals, and keep what they prove."""
        priced = price(duals, self.master.rows)
        if priced.bound > self.proved:
            self.start(duals, priced.bound, kind)
        return priced

    def take(self, found: Columns, duals: FloatArray) -> int:
        """Add those columns that pay most, and say how many are new."""
        costs = found.reduced_costs(duals, self.master.rows)
        paying = np.flatnonzero(costs < -PAYING)
        return self.master.add(found.only(paying[np.argsort(costs[paying], kind="stable")[:_BATCH]]))

    def forget(self, vertex: Vertex) -> None:
        """Where there are too many columns, keep those only that are chosen or pay most."""
        many = _MANY * self.master.columns.n
        if len(vertex.parts) > many:
            costs = self.master.columns.reduced_costs(vertex.duals, self.master.rows)
            which = np.union1d(np.flatnonzero(vertex.parts), np.argsort(costs, kind="stable")[: many // 2])
            self.master.keep(which)
            self.vertex = vertex._replace(parts=vertex.parts[which])

    def cut(self, rows: Rows) -> None:
        """Let columns obey more rows, and forget cuts that do not matter."""
        if self.vertex is not None:
            duals = self.vertex.duals[self.master.columns.n :]
            matter = np.flatnonzero(duals)
            if len(matter) < len(duals):
                self.master.loosen(matter)
                self.centre = np.concatenate([self.centre[: rows.n], self.centre[rows.n :][matter]])
        self.master.cut(rows)
        self.centre = np.concatenate([self.centre, np.zeros(rows.n_rows)])


def whole(vertex: Vertex) -> IntArray | None:
    """Give the columns chosen, where none is chosen in part only."""
    chosen = np.flatnonzero(vertex.parts > 1 - _WHOLE)
    all_of_it = vertex.uncovered < _WHOLE and vertex.parts[chosen].sum() > vertex.parts.sum() - _WHOLE
    return chosen if all_of_it else None


def least(*partitions: Partition) -> Partition:
    """Give the partition that loses least, the first of equal ones."""
    return min(partitions, key=lambda partition: partition.sse)
