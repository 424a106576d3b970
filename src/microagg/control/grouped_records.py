"""Loss of the records that have groups so far, while those of other parts or blocks are still to be grouped."""

import threading

from microagg.control.loss_note import LossNote
from microagg.model.arrays import IntArray
from microagg.model.problem import Problem


class GroupedRecords:
    """Records of a problem that are grouped part by part, and what they lose; several threads may add to them.

    Parameters
    ----------
    problem
        The problem of all records.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._sse = 0.0
        self._squares = 0.0
        self._lock = threading.Lock()

    def add(self, records: IntArray, sse: float) -> None:
        """Add records that have groups now.

        Parameters
        ----------
        records
            Indices of the records.
        sse
            The sse of their groups.
        """
        squares = self._problem.squares_of(records)
        with self._lock:
            self._sse += sse
            self._squares += squares

    @property
    def loss(self) -> float:
        """Their information loss in percent: when all are grouped, that of all."""
        return 100 * self._sse / self._squares if self._squares else 0.0

    def note(self, n_done: int, n_parts: int) -> LossNote:
        """Tell how many parts are done, and the loss of their records, if there are any."""
        if not n_done:
            return LossNote(f"0 of {n_parts}")
        return LossNote(f"{n_done} of {n_parts}, loss {self.loss:.4f} % in these", self.loss)
