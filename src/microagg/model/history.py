"""Steps in which the loss fell during a run."""

from typing import NamedTuple


class Step(NamedTuple):
    """Loss reached at one moment of a run.

    Parameters
    ----------
    seconds
        Time since the run began.
    iteration
        Round of the refiner, counted from 0; of one of its starts, if there are several and more rounds follow.
    sse
        Within-group squares at that moment.

    Examples
    --------
    >>> import microagg
    >>> solution = microagg.solve([[1.0], [2.0], [8.0], [9.0]], k=2)
    >>> solution.history[-1].sse == solution.sse
    True
    """

    seconds: float
    iteration: int
    sse: float
