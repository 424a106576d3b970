"""Errors of this package: a caller can tell its own mistake from a defect of ours."""

import re
from collections.abc import Sequence
from typing import NamedTuple

_IN_COMMAND_LINE = re.compile(r" \(--[a-z][^()]*\)|, --[a-z][a-z-]*(?=\))")


class MicroaggError(Exception):
    """Base class of all errors of this package.

    A message names options as Python does, and in parentheses as the command line does where that does not follow, as
    in "force=True (--force)". What Python shows is without these; the command line renders `message`.
    """

    def __str__(self) -> str:
        return _IN_COMMAND_LINE.sub("", self.message)

    @property
    def message(self) -> str:
        """The sentence with the options of the command line."""
        return super().__str__()


class InputError(MicroaggError, ValueError):
    """Input that cannot be used: one sentence that says what was expected, what was found, and what to do."""


class ReadError(InputError):
    """File or object that cannot be read as a table."""


class WriteError(InputError):
    """Table that cannot be written to the given place or format."""


class MethodError(InputError):
    """Method that is unknown, or that cannot do what is asked of it."""


class CancelledError(InputError):
    """Run that was cancelled before there was a legal partition to release."""


class PartitionError(MicroaggError, ValueError):
    """Grouping that is not a partition into groups of at least k."""


class VerificationError(MicroaggError, RuntimeError):
    """Result that fails its own check, which is a defect of this package, or a verdict that a strict plan refuses."""


class ClusterError(MicroaggError, RuntimeError):
    """Work on a cluster that failed: one sentence that says which block it was, and why."""


class Doubt(NamedTuple):
    """Reason why a column is not averaged, or not released unchanged, unless it is named.

    Parameters
    ----------
    column
        Name of the column.
    reason
        What was noticed; completes a sentence that begins with "column 'x' ".
    """

    column: str
    reason: str


class DoubtError(InputError):
    """Choice of columns that would be a guess.

    Parameters
    ----------
    finding
        What is doubtful: the first part of the sentence.
    doubts
        The doubtful columns, with reasons.
    plain
        The other columns of numbers: those that could be named.
    advice
        What to do in Python, the second part of the sentence; the command line replaces it by its own.
    identifiers
        Those of the doubtful columns that look like identifiers: they could be left out.
    unchanged
        Columns that would be released unchanged if `plain` were protected and `identifiers` left out.

    Examples
    --------
    >>> import microagg, polars
    >>> survey = polars.DataFrame({"person_id": [7, 3, 9], "income": [310.5, 270.0, 402.5]})
    >>> try:
    ...     microagg.protect(survey, k=3)
    ... except microagg.DoubtError as error:
    ...     print(error.doubts[0].column, error.plain)
    person_id ('income',)
    """

    def __init__(
        self,
        finding: str,
        doubts: Sequence[Doubt] = (),
        plain: Sequence[str] = (),
        advice: str | None = None,
        identifiers: Sequence[str] = (),
        unchanged: Sequence[str] = (),
    ) -> None:
        super().__init__(finding if advice is None else f"{finding}: {advice}")
        self.finding = finding
        self.doubts = tuple(doubts)
        self.plain = tuple(plain)
        self.advice = advice
        self.identifiers = tuple(identifiers)
        self.unchanged = tuple(unchanged)

    def __reduce__(self) -> tuple[object, ...]:
        given = (self.finding, self.doubts, self.plain, self.advice, self.identifiers, self.unchanged)
        return type(self), given
