"""A Stata file taken apart: what is not changed is written back byte for byte."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

ByteArray = npt.NDArray[np.uint8]

STRL = "strL"
"""Storage type of texts that lie elsewhere in the file; a cell refers to one."""


class FieldSizes(NamedTuple):
    """Bytes of the fields that a version of the format has."""

    name: int
    format: int
    label: int
    counts: int  # number of columns, and places in the sort order
    long_text: int  # longest text within a record
    encoding: str


VERSIONS: dict[int, FieldSizes] = {
    113: FieldSizes(33, 12, 81, 2, 244, "cp1252"),
    114: FieldSizes(33, 49, 81, 2, 244, "cp1252"),
    115: FieldSizes(33, 49, 81, 2, 244, "cp1252"),
    117: FieldSizes(33, 49, 81, 2, 2045, "cp1252"),
    118: FieldSizes(129, 57, 321, 2, 2045, "utf-8"),
    119: FieldSizes(129, 57, 321, 4, 2045, "utf-8"),
}
"""Versions of the format that can be written, from Stata 8 on: https://www.stata.com/help.cgi?dta."""

FIRST_TAGGED = 117
"""First version whose sections stand between tags."""

_NUMBERS = {"byte": "i1", "int": "i2", "long": "i4", "float": "f4", "double": "f8"}
_TAGGED_CODES = {65530: "byte", 65529: "int", 65528: "long", 65527: "float", 65526: "double", 32768: STRL}
_PLAIN_CODES = {251: "byte", 252: "int", 253: "long", 254: "float", 255: "double"}
_STRL_WIDTH = 8


def text_of(field: bytes) -> bytes:
    """Return the text in a field: what comes before the first zero."""
    return field.partition(b"\0")[0]


class Storage(NamedTuple):
    """Type in which a column is stored: "byte", "int", "long", "float", "double", "strL", or "str" of a width."""

    name: str
    width: int

    @classmethod
    def of_code(cls, code: int, version: int) -> "Storage":
        """Return the type that a number in the file stands for."""
        known = _TAGGED_CODES if version >= FIRST_TAGGED else _PLAIN_CODES
        name = known.get(code, "str")
        if name == "str":
            return cls(name, code)
        return cls(name, _STRL_WIDTH if name == STRL else np.dtype(_NUMBERS[name]).itemsize)

    @classmethod
    def of_numbers(cls, name: str) -> "Storage":
        """Return a type of numbers."""
        return cls(name, np.dtype(_NUMBERS[name]).itemsize)

    @classmethod
    def of_long_texts(cls) -> "Storage":
        """Return the type of references to long texts."""
        return cls(STRL, _STRL_WIDTH)

    def code(self, version: int) -> int:
        """Return the number that stands for the type in the file."""
        known = _TAGGED_CODES if version >= FIRST_TAGGED else _PLAIN_CODES
        return self.width if self.name == "str" else next(code for code, name in known.items() if name == self.name)

    @property
    def is_number(self) -> bool:
        """Whether values are numbers."""
        return self.name in _NUMBERS

    def dtype(self, order: str) -> np.dtype[np.generic]:
        """Return the type of numbers in numpy; `order` is "<" or ">"."""
        return np.dtype(f"{order}{_NUMBERS[self.name]}")


@dataclass(frozen=True)
class StataColumn:
    """One column: its type, and its fields as they stand in the file, padded with zeros."""

    storage: Storage
    name: bytes
    format: bytes
    label_set: bytes
    label: bytes


class Characteristic(NamedTuple):
    """A characteristic, such as a note, of a column or of the whole file."""

    kind: int  # in files without tags
    content: bytes  # begins with the name of the column

    def owner(self, sizes: FieldSizes) -> bytes:
        """Return the name of the column that it is about, or "_dta"."""
        return text_of(self.content[: sizes.name])

    def name(self, sizes: FieldSizes) -> bytes:
        """Return its name."""
        return text_of(self.content[sizes.name : 2 * sizes.name])

    def text(self, sizes: FieldSizes) -> bytes:
        """Return what it says."""
        return text_of(self.content[2 * sizes.name :])


class LabelSet(NamedTuple):
    """Labels of values under a name; several columns may have the same."""

    name: bytes
    labels: tuple[tuple[int, bytes], ...]
    raw: bytes | None  # as it stands in the file; None if it is new


class LongText(NamedTuple):
    """A text that lies outside of the records, by the column and the record that it first occurs in."""

    column: int
    record: int
    kind: int
    content: bytes


@dataclass(frozen=True, eq=False)
class StataFile:
    """Everything in a Stata file.

    Parameters
    ----------
    version
        Version of the format.
    order
        "<" if the least significant byte of a number comes first, else ">".
    label, timestamp
        What the file is, and when it was written, as they stand in the file.
    columns
        The columns.
    sorted_by
        Numbers of the columns, from 1, by which the records are sorted.
    characteristics
        Notes and the like.
    records
        The records as bytes, of shape (n, width).
    long_texts
        Texts that lie outside of the records.
    label_sets
        Labels of values.
    """

    version: int
    order: str
    label: bytes
    timestamp: bytes
    columns: tuple[StataColumn, ...]
    sorted_by: tuple[int, ...]
    characteristics: tuple[Characteristic, ...]
    records: ByteArray = field(repr=False)
    long_texts: tuple[LongText, ...] = field(repr=False)
    label_sets: tuple[LabelSet, ...] = field(repr=False)

    @property
    def sizes(self) -> FieldSizes:
        """Bytes of the fields."""
        return VERSIONS[self.version]

    def cells(self, number: int) -> ByteArray:
        """Return the cells of a column as bytes, of shape (n, width); the first column has number 0."""
        start = sum(column.storage.width for column in self.columns[:number])
        return self.records[:, start : start + self.columns[number].storage.width]
