"""An SPSS file taken apart: what is not changed is written back byte for byte."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

WordArray = npt.NDArray[np.uint64]
"""Cells of eight bytes, as they stand in the file."""

CONTINUATION = -1
"""Width of a record that continues a text of more than eight bytes."""

ROWS, ZLIB = 1, 2
"""Ways of compression; 0 is none."""


class VariableRecord(NamedTuple):
    """A record of the dictionary: a column, a part of a long text, or its continuation."""

    width: int  # 0 for numbers, the bytes of a text, or CONTINUATION
    label: bytes | None  # with its length, padded
    n_missing: int  # negative if the first two values are a range
    missing: bytes
    print_format: int
    write_format: int
    name: bytes

    @property
    def is_continuation(self) -> bool:
        """Whether it continues the text of the record before."""
        return self.width == CONTINUATION


class SpssColumn(NamedTuple):
    """A column: its records in the dictionary, and the display parameters of all but continuations."""

    records: tuple[VariableRecord, ...]
    display: tuple[tuple[int, ...], ...]

    @property
    def short_name(self) -> bytes:
        """Name of at most eight bytes, under which other records refer to it."""
        return self.records[0].name.rstrip()

    @property
    def segments(self) -> tuple[VariableRecord, ...]:
        """Records but continuations: more than one if it is a very long text."""
        return tuple(record for record in self.records if not record.is_continuation)

    @property
    def is_number(self) -> bool:
        """Whether values are numbers."""
        return self.records[0].width == 0


class ValueLabels(NamedTuple):
    """Labels of values, which some columns share; a column is named by its number, from 0."""

    labels: tuple[tuple[bytes, bytes], ...]  # values of eight bytes
    columns: tuple[int, ...]


class Documents(NamedTuple):
    """Lines of text about the file, each of 80 bytes."""

    content: bytes


class Extension(NamedTuple):
    """A record whose subtype tells what it holds, of `count` elements of `size` bytes."""

    subtype: int
    size: int
    content: bytes


OtherRecord = ValueLabels | Documents | Extension


@dataclass(frozen=True, eq=False)
class SpssFile:
    """Everything in an SPSS system file.

    Parameters
    ----------
    order
        "<" if the least significant byte of a number comes first, else ">".
    product
        What wrote the file, as it stands there.
    layout
        Number that tells the order of bytes.
    compression
        0, `ROWS` or `ZLIB`.
    bias
        What is added to small whole numbers when they are compressed.
    has_case_size
        Whether the header tells the number of cells of a record.
    has_count
        Whether the header tells the number of records.
    weight
        Number of the column that weighs the records, from 0; None if there is none.
    stamp
        Date, time, label and padding of the header, as they stand there.
    columns
        The columns.
    others
        All other records of the dictionary, in order.
    cells
        The values, of shape (n, cells of a record).
    """

    order: str
    product: bytes
    layout: int
    compression: int
    bias: float
    has_case_size: bool
    has_count: bool
    weight: int | None
    stamp: bytes
    columns: tuple[SpssColumn, ...]
    others: tuple[OtherRecord, ...]
    cells: WordArray = field(repr=False)

    def cells_of(self, number: int) -> WordArray:
        """Return the cells of a column, of shape (n, its cells)."""
        start = sum(len(column.records) for column in self.columns[:number])
        return self.cells[:, start : start + len(self.columns[number].records)]

    def extension(self, subtype: int) -> Extension | None:
        """Return the first extension of a subtype."""
        return next((one for one in self.others if isinstance(one, Extension) and one.subtype == subtype), None)


DISPLAY = 11
"""Subtype of the extension that holds display parameters."""

LONG_NAMES = 13
"""Subtype of the extension that holds long names."""

VERY_LONG_TEXTS = 14
"""Subtype of the extension that names the texts of more than 255 bytes."""

N_RECORDS = 16
"""Subtype of the extension that holds the number of records in 64 bits."""
