"""Climb: change numbers step by step along a slope, each by a share of its own size."""

from dataclasses import dataclass, field

import numpy as np

from microagg.model.arrays import FloatArray

_HEAVY, _HEAVIER = 0.9, 0.99  # how much of the slopes before is kept, and of their squares


@dataclass
class Ascent:
    """Say how far to go, with steps that get shorter from the first to the last.

    Parameters
    ----------
    units
        What each number's steps are measured in: outliers must go farther than others.
    steps
        How many there are.
    first, last
        Their lengths, in units.
    still
        A slope that is hardly one.

    References
    ----------
    Kingma & Ba (2015), Adam: a method for stochastic optimization, ICLR: slopes are smoothed, and scaled for each
    number on its own.
    """

    units: FloatArray
    steps: int
    first: float
    last: float
    still: float
    done: int = 0
    slopes: FloatArray = field(init=False)
    squares: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        self.slopes, self.squares = np.zeros_like(self.units), np.zeros_like(self.units)

    def __call__(self, slope: FloatArray) -> FloatArray:
        """Give the next change."""
        length = self.first * (self.last / self.first) ** (self.done / self.steps)
        self.done += 1
        self.slopes = _HEAVY * self.slopes + (1 - _HEAVY) * slope
        self.squares = _HEAVIER * self.squares + (1 - _HEAVIER) * slope**2
        unbiased = self.slopes / (1 - _HEAVY**self.done)
        size = np.sqrt(self.squares / (1 - _HEAVIER**self.done))
        change: FloatArray = length * self.units * unbiased / (size + self.still)
        return change
