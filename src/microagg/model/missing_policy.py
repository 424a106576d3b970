"""Missing policy: what stands for a missing value, and what is done about it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypedDict

import numpy as np

from microagg.model.by_column import ByColumn, by_column
from microagg.model.checks import one_of
from microagg.model.errors import InputError

MISSING_POLICIES = ("error", "pattern", "fill", "blank", "drop", "available")
SMALL_STRATA = ("error", "suppress", "merge")

MixedCells = Literal["fill", "blank", "kept"]
"""What becomes of a cell that only some members of a group have."""


class MissingOptions(TypedDict, total=False):
    """Options about missing values and about strata that are too small: see `MissingPolicy`."""

    missing: str
    missing_values: Any
    small_strata: str


@dataclass(frozen=True)
class MissingPolicy:
    """What is done about missing values, and about strata and patterns with fewer than k records.

    Parameters
    ----------
    missing
        What is done about records with a missing value in a protected column. "error": they are refused. "pattern":
        records are grouped only with records that lack the same columns. "fill": distances and means are over the cells
        that are there, a mean is over at least k of them, and members that lacked the cell get it, too; where there are
        fewer, none has it. "blank": a cell that one member of a group lacks is blank for all of them. "drop": they are
        left out of the release. "available": as "fill", but what is missing stays missing: a weaker promise, as k holds
        only if a missing cell may be any value.
    missing_values
        Values that stand for a missing one, such as −9, in every column, or by column; they are released unchanged.
        One that no record has is an error.
    small_strata
        What is done about strata, or patterns of missing values, with fewer than k records. "error": they are refused.
        "suppress": their records are left out of the release. "merge": each is joined with the nearest; a cell that one
        member of a group lacks is then blank for all of them, as by "blank".

    Raises
    ------
    InputError
        If a word is not one of these, or a value is neither a number nor a text.
    """

    missing: str = "error"
    missing_values: ByColumn[tuple[Any, ...]] = field(default_factory=ByColumn)
    small_strata: str = "error"

    def __post_init__(self) -> None:
        one_of("missing", self.missing, MISSING_POLICIES)
        one_of("small_strata", self.small_strata, SMALL_STRATA)
        values = self.missing_values
        is_empty = isinstance(values, Mapping) and not values
        listed = ByColumn() if is_empty else by_column("missing_values", values, _listed)
        object.__setattr__(self, "missing_values", listed)

    @property
    def mixed_cells(self) -> MixedCells:
        """What becomes of a cell that only some members of a group have; all have it or none, unless such are mixed."""
        if self.missing == "available":
            return "kept"
        return "fill" if self.missing == "fill" else "blank"


MISSING_OPTIONS = tuple(each.name for each in fields(MissingPolicy))


def _listed(option: str, values: object) -> tuple[Any, ...]:
    given = values if isinstance(values, Iterable) and not isinstance(values, str) else [values]
    listed = tuple(value.item() if isinstance(value, np.generic) else value for value in given)
    for value in listed:
        if not isinstance(value, str | int | float):
            raise InputError(f"{option} must be numbers or texts, found {value!r}")
        if value != value:
            raise InputError(f"{option} has NaN, which is missing anyway: leave it out")
    if not listed:
        raise InputError(f"{option} is an empty list: name a value, or leave the column out")
    return listed
