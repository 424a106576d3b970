"""How far the work is, told to whoever wants to hear."""

import math
from typing import Protocol


class Progress(Protocol):
    """Listener that is told how far a stage is; called often, must be quick."""

    def __call__(self, stage: str, done: float | None, note: str = "") -> None:
        """Take news.

        Parameters
        ----------
        stage
            What is being done, e.g. "mdav".
        done
            The share of the stage that is done, from 0 to 1; None where the end is not known.
        note
            What is new, e.g. the loss reached.
        """


def silent(stage: str, done: float | None, note: str = "") -> None:
    """Say nothing: the default."""


def at_least(percent: float) -> str:
    """Write a percentage that is proved, rounded down."""
    return f"{math.floor(1e4 * percent) / 1e4:.4f} %"
