"""Codebook of a statistical file: what it tells of each column besides the values."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray

Storage = str
"""Type in which values are stored: "int8", "int16", "int32", "float", "double" or "string"."""


class MissingRange(NamedTuple):
    """Values that stand for a missing one, from the lowest to the highest; two equal ones are a single value."""

    low: float | str
    high: float | str

    def has(self, value: Any) -> bool:
        """Check whether a value is in the range."""
        if value is None or isinstance(value, str) != isinstance(self.low, str):
            return False
        return bool(self.low <= value <= self.high)


@dataclass(frozen=True)
class CodebookEntry:
    """What a statistical file tells of one column.

    Parameters
    ----------
    label
        What the column is, in words.
    storage
        Type in which its values are stored.
    width
        Bytes of each value.
    format
        How values are shown, in the notation of the program that made the file.
    value_labels
        Meaning of values, and of the codes for missing ones; those of Stata and SAS are letters.
    missing
        Values that stand for missing ones, as in SPSS.
    measure
        "nominal", "ordinal", "scale" or "unknown".
    display_width, alignment
        How wide the column is shown, and where its values stand there.
    """

    label: str | None = None
    storage: Storage = "double"
    width: int = 8
    format: str | None = None
    value_labels: Mapping[Any, str] = field(default_factory=dict, repr=False)
    missing: tuple[MissingRange, ...] = ()
    measure: str = "unknown"
    display_width: int = 0
    alignment: str = "unknown"

    @property
    def is_text(self) -> bool:
        """Whether values are texts."""
        return self.storage == "string"

    @property
    def labels_of_codes(self) -> dict[Any, str]:
        """Labels of values that do not stand for missing ones."""
        return {value: label for value, label in self.value_labels.items() if not self.stands_for_missing(value)}

    def stands_for_missing(self, value: Any) -> bool:
        """Check whether a labelled value is a code for missing ones: a letter among numbers, or in a range of such."""
        if isinstance(value, str) and not self.is_text:
            return True
        if isinstance(value, float) and not np.isfinite(value):
            return True
        return any(one.has(value) for one in self.missing)

    def declared_missing(self, numbers: FloatArray) -> BoolArray:
        """Return which numbers are in a range of missing ones, of shape (n,)."""
        declared = np.zeros(len(numbers), dtype=np.bool_)
        for low, high in self.missing:
            if not isinstance(low, str) and not isinstance(high, str):
                declared |= (numbers >= low) & (numbers <= high)
        return declared

    def facts(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self) | {"missing": [list(one) for one in self.missing]}


@dataclass(frozen=True)
class Codebook:
    """What a statistical file tells of its columns and of itself.

    Parameters
    ----------
    entries
        What it tells of each column, by name.
    file_label
        What the file is, in words.
    notes
        Notes in the file.
    encoding
        Encoding of its texts, if the file names one.
    """

    entries: Mapping[str, CodebookEntry]
    file_label: str | None = None
    notes: tuple[str, ...] = ()
    encoding: str | None = None

    def facts(self) -> dict[str, Any]:
        """Return everything but the entries as plain values."""
        return {"file_label": self.file_label, "notes": list(self.notes), "encoding": self.encoding}
