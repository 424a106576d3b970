"""How the loss fell while the work went on."""

from typing import NamedTuple


class Step(NamedTuple):
    """The loss at a moment of the work."""

    seconds: float  # since the start
    iteration: int
    sse: float
