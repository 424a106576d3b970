"""Progress of a round of blocks: how many are done, and the loss by then."""

import threading

from microagg.control.grouped_records import GroupedRecords
from microagg.control.loss_note import LossNote
from microagg.control.run import Run
from microagg.model.arrays import IntArray
from microagg.model.problem import Problem


class BlockProgress:
    """Progress of a round, in which the loss falls by what each block that is finished has gained.

    The first round makes the groups: there, the loss is that of the blocks that are done.

    Parameters
    ----------
    stage
        The name under which the round is reported.
    n_blocks
        The number of its blocks.
    problem
        The whole problem.
    run
        The run that gets the reports.
    sse
        The sse before the round; None before the first, which makes the groups.
    """

    def __init__(self, stage: str, n_blocks: int, problem: Problem, run: Run, sse: float | None) -> None:
        self._stage = stage
        self._n_blocks = n_blocks
        self._percent = 100 / problem.sst if problem.sst else 0.0
        self._run = run
        self._sse = sse
        self._gained = 0.0
        self._grouped = GroupedRecords(problem)
        self._lock = threading.Lock()

    def add(self, records: IntArray, sse: float, gain: float) -> None:
        """Add a block that is done; several threads may do so at once.

        Parameters
        ----------
        records
            Indices of its records.
        sse
            The sse of its groups.
        gain
            What they have gained.
        """
        if self._sse is None:
            self._grouped.add(records, sse)
        with self._lock:
            self._gained += gain

    def report(self, n_done: int) -> None:
        """Report how many blocks are done, and the loss."""
        share = n_done / self._n_blocks
        text = f"{n_done} of {self._n_blocks}" if n_done else ""
        if self._sse is None:
            self._run.report(self._stage, share, self._grouped.note(n_done, self._n_blocks))
        else:
            self._run.report(self._stage, share, self._with_loss(text, self._sse - self._gained))

    def finish(self, sse: float) -> None:
        """Report the loss after the round."""
        self._run.report(self._stage, 1.0, self._with_loss(f"{self._n_blocks} of {self._n_blocks}", sse))

    def _with_loss(self, text: str, sse: float) -> LossNote:
        loss = self._percent * max(0.0, sse)
        return LossNote(f"loss {loss:.4f} %", loss).after(f"{text}, " if text else "")
