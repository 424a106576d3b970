"""Subgradient ascent with Adam's steps."""

from dataclasses import dataclass, field

import numpy as np

from microagg.model.arrays import FloatArray

_BETA1 = 0.9  # decay of the mean of the subgradients
_BETA2 = 0.99  # decay of the mean of their squares


@dataclass
class AdamAscent:
    """Steps of a subgradient ascent, whose length decays geometrically from the first to the last.

    Parameters
    ----------
    scales
        The unit of each coordinate's steps: those of outliers must go farther than others.
    n_steps
        How many there are.
    first_step, last_step
        Their lengths, in units.
    epsilon
        Adam's ε: below it a subgradient hardly counts.

    References
    ----------
    Kingma & Ba (2015), Adam: a method for stochastic optimization, ICLR.
    """

    scales: FloatArray
    n_steps: int
    first_step: float
    last_step: float
    epsilon: float
    n_taken: int = 0
    first_moment: FloatArray = field(init=False)
    second_moment: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        self.first_moment = np.zeros_like(self.scales)
        self.second_moment = np.zeros_like(self.scales)

    def __call__(self, subgradient: FloatArray) -> FloatArray:
        """Return the next step."""
        length = self.first_step * (self.last_step / self.first_step) ** (self.n_taken / self.n_steps)
        self.n_taken += 1
        self.first_moment = _BETA1 * self.first_moment + (1 - _BETA1) * subgradient
        self.second_moment = _BETA2 * self.second_moment + (1 - _BETA2) * subgradient**2
        unbiased = self.first_moment / (1 - _BETA1**self.n_taken)
        size = np.sqrt(self.second_moment / (1 - _BETA2**self.n_taken))
        step: FloatArray = length * self.scales * unbiased / (size + self.epsilon)
        return step
