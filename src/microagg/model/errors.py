"""Everything that can go wrong, so that a caller can tell its own mistake from ours."""

from collections.abc import Sequence
from typing import NamedTuple


class MicroaggError(Exception):
    """Base class of all errors of this package."""


class InputError(MicroaggError, ValueError):
    """Input that cannot be used: one sentence that says what was expected, what was found, and what to do."""


class ReadError(InputError):
    """A file or an object that cannot be read as a table."""


class WriteError(InputError):
    """A table that cannot be written where it was asked to be."""


class MethodError(InputError):
    """A method that is unknown, or that cannot do what was asked of it."""


class CancelledError(InputError):
    """A run that was cancelled before there was any legal partition to release."""


class PartitionError(MicroaggError, ValueError):
    """A grouping that is not a partition into groups of at least k."""


class VerificationError(MicroaggError, RuntimeError):
    """A result that fails its own check: a defect of this package."""


class Doubt(NamedTuple):
    """A reason why a column is not averaged unless it is named."""

    column: str
    reason: str


class DoubtError(InputError):
    """Columns that would have to be guessed.

    Parameters
    ----------
    finding
        What is in doubt, the first part of the sentence.
    doubts
        The doubtful columns, and why.
    plain
        The other columns of numbers: what could be named.
    advice
        What to do in Python, the second part of the sentence; other faces give an advice of their own.
    """

    def __init__(
        self, finding: str, doubts: Sequence[Doubt] = (), plain: Sequence[str] = (), advice: str | None = None
    ) -> None:
        super().__init__(finding if advice is None else f"{finding}: {advice}")
        self.finding = finding
        self.doubts = tuple(doubts)
        self.plain = tuple(plain)
        self.advice = advice

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.finding, self.doubts, self.plain, self.advice)
