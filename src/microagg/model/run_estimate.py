"""Estimate: the time and the memory that a run is expected to take, before it begins."""

from dataclasses import dataclass

from microagg.model.presentation import Reportable


@dataclass(frozen=True)
class Estimate(Reportable):
    """Time and memory that a run is expected to take; nothing is said where nothing is known.

    Parameters
    ----------
    n_records
        Number of records; of a text file, as its size suggests.
    seconds
        Time that the whole run is expected to take on this machine; None if it cannot be predicted.
    at_least
        Whether the run may well take longer than that, as part of it cannot be predicted.
    memory
        Bytes of memory that it is expected to take.
    out_of_core
        Whether it works in files, column by column, since it does not fit in memory.
    reasons
        What the estimate rests on, and why something is unknown or done.

    Examples
    --------
    >>> from microagg.model.run_estimate import Estimate
    >>> estimate = Estimate(1000, seconds=0.5, memory=2**20)
    >>> estimate.seconds, estimate.out_of_core
    (0.5, False)
    """

    n_records: int
    seconds: float | None
    memory: int
    at_least: bool = False
    out_of_core: bool = False
    reasons: tuple[str, ...] = ()
