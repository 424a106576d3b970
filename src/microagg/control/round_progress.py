"""Progress of a refiner, round by round."""

from functools import partial

from microagg.control.loss_note import LossNote
from microagg.control.run import Run
from microagg.kernels.tick import Tick
from microagg.model.problem import Problem


class RoundProgress:
    """Progress of a refiner's rounds: reports the loss, logs it, and ends the refiner by `StoppedError`.

    Parameters
    ----------
    stage
        The name under which the refiner is reported.
    problem
        The problem whose partition is refined.
    run
        The run that gets the reports and has the limits.
    """

    def __init__(self, stage: str, problem: Problem, run: Run) -> None:
        self.stage = stage
        self.problem = problem
        self.run = run

    def report(self, iteration: int, sse: float, done: float | None = None) -> None:
        """Report how far a round is; raise `StoppedError` if the run must end.

        Parameters
        ----------
        iteration
            The number of the round, counting from 0.
        sse
            The sse reached.
        done
            The share of the round that is done; None where it is unknown.
        """
        loss = 100 * sse / self.problem.sst if self.problem.sst else 0.0
        self.run.report(self.stage, done, LossNote(f"loss {loss:.4f} %", loss))
        self.run.check_round(iteration, sse)

    def finish(self, iteration: int, sse: float) -> None:
        """Log how many rounds there were, and the sse reached, where the refiner ends by itself."""
        self.run.log_step(iteration, sse)

    def ticker(self, iteration: int, sse: float) -> Tick:
        """Return the tick for the kernels of a round: it reports the share done, and the sse before the round."""
        return partial(self.report, iteration, sse)
