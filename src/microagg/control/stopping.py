"""How a stage ends before its own end: the reasons, and the exception that carries them."""

from typing import Literal

Ending = Literal["time_limit", "iterations", "target_gap", "cancelled", "effort", "tolerance"]


class StoppedError(Exception):
    """Signal, raised between two slices of work, that a stage must end.

    Parameters
    ----------
    ending
        The reason.
    """

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending)
        self.ending = ending
