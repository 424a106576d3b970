"""Limits of the work, as the user states them."""

from dataclasses import dataclass, fields

from microagg.model.checks import positive_number, whole_number
from microagg.model.errors import InputError

NO_TIME_LEFT = 1e-9
"""Seconds: a time limit that is over at once, as a limit must be positive."""


@dataclass(frozen=True)
class Limits:
    """Limits of the work; where none is set, it ends when nothing improves.

    Parameters
    ----------
    time_limit
        Seconds that solving may take. Runs that end by it are not reproducible.
    iterations
        Number of rounds that each refiner may do, from each of its starts if it has several.
    target_gap
        Gap to the lower bound that is small enough, below 1.

    Raises
    ------
    InputError
        If a limit is not a positive number, `iterations` not a whole number from 0 on, or `target_gap` not below 1.

    Examples
    --------
    >>> from microagg import Limits
    >>> Limits(time_limit=60, target_gap=0.01).given
    ('time_limit', 'target_gap')
    """

    time_limit: float | None = None
    iterations: int | None = None
    target_gap: float | None = None

    def __post_init__(self) -> None:
        if self.time_limit is not None:
            object.__setattr__(self, "time_limit", positive_number("time_limit", self.time_limit))
        if self.iterations is not None:
            object.__setattr__(self, "iterations", whole_number("iterations", self.iterations, at_least=0))
        if self.target_gap is not None:
            object.__setattr__(self, "target_gap", positive_number("target_gap", self.target_gap))
            if self.target_gap >= 1:
                raise InputError(f"target_gap must be a share below 1, such as 0.01, found {self.target_gap}")

    @property
    def given(self) -> tuple[str, ...]:
        """Names of the limits that are set."""
        return tuple(field.name for field in fields(self) if getattr(self, field.name) is not None)

    def joined(self, other: "Limits") -> "Limits":
        """Return the limits of both.

        Parameters
        ----------
        other
            Limits from another place.

        Returns
        -------
        Limits
            Every limit that is set here or there.

        Raises
        ------
        InputError
            If a limit is set in both, and differently.
        """
        both = {}
        for name in self.given:
            mine = getattr(self, name)
            theirs = getattr(other, name)
            if theirs not in (None, mine):
                raise InputError(f"{name} is given twice, as {mine} and as {theirs}: leave one out")
            both[name] = mine
        return Limits(**{name: getattr(other, name) for name in other.given} | both)
