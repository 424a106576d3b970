"""Long texts of a Stata file: they lie behind the records, whose cells refer to them by column and record."""

from collections.abc import Mapping, Sequence

import numpy as np

from microagg.model.arrays import IntArray
from microagg.source.statistical.byte_cursor import LayoutError
from microagg.source.statistical.stata_file import ByteArray, LongText, StataFile

_BITS_OF_COLUMN = {117: 32, 118: 16, 119: 24}  # of the 64 of a reference
_ALL_BITS = 64
_TEXT = 130  # kind of a text that ends with a zero; 129 is of any bytes
_NONE = 0  # number of the empty text, which is not stored


class LongTexts:
    """Long texts of a file by numbers: those that it has, and new ones.

    Parameters
    ----------
    file
        The file.
    """

    def __init__(self, file: StataFile) -> None:
        self._version = file.version
        self._order = file.order
        self._stored: list[tuple[int, bytes]] = [(_TEXT, b"\0")]
        self._number_of: dict[tuple[int, int], int] = {(0, 0): _NONE}
        for text in file.long_texts:
            self._number_of[text.column, text.record] = len(self._stored)
            self._stored.append((text.kind, text.content))

    @property
    def are_possible(self) -> bool:
        """Whether a file of this version has long texts."""
        return self._version in _BITS_OF_COLUMN

    def numbers(self, cells: ByteArray) -> IntArray:
        """Return the number of the text that each cell refers to, of shape (n,)."""
        references = np.ascontiguousarray(cells).view(f"{self._order}u8")[:, 0].tolist()
        try:
            return np.array([self._number_of[self._place(reference)] for reference in references], dtype=np.int64)
        except KeyError:
            raise LayoutError("a cell refers to a long text that is not there") from None

    def content(self, number: int) -> bytes:
        """Return a text."""
        return self._stored[number][1].removesuffix(b"\0")

    def add(self, text: bytes) -> int:
        """Return the number of a new text."""
        if not text:
            return _NONE
        self._stored.append((_TEXT, text + b"\0"))
        return len(self._stored) - 1

    def stored(self, columns: Mapping[int, IntArray]) -> tuple[dict[int, ByteArray], tuple[LongText, ...]]:
        """Store the texts of some columns: record by record, each text where it first occurs.

        Parameters
        ----------
        columns
            Numbers of texts, by the place of the column.

        Returns
        -------
        cells : dict of ndarray
            What refers to the texts, by the place of the column.
        texts : tuple of LongText
            The texts.
        """
        places = list(columns)
        if not places:
            return {}, ()
        used = np.column_stack(list(columns.values()))
        found, first = np.unique(used, return_index=True)
        in_order = np.argsort(first)
        texts = {}
        for number, at in zip(found[in_order].tolist(), first[in_order].tolist(), strict=True):
            if number != _NONE:
                record, place = divmod(at, len(places))
                texts[number] = LongText(places[place] + 1, record + 1, *self._stored[number])
        references = {number: self._reference(text) for number, text in texts.items()} | {_NONE: 0}
        return {place: self._cells(column, references) for place, column in columns.items()}, tuple(texts.values())

    def _cells(self, numbers: IntArray, references: Mapping[int, int]) -> ByteArray:
        listed: Sequence[int] = [references[number] for number in numbers.tolist()]
        return np.array(listed, dtype=f"{self._order}u8").view(np.uint8).reshape(len(listed), 8)

    def _place(self, reference: int) -> tuple[int, int]:
        """Return the column and the record that a reference names; the column comes first in the file."""
        bits = _BITS_OF_COLUMN[self._version]
        if self._order == "<":
            return reference & ((1 << bits) - 1), reference >> bits
        return reference >> (_ALL_BITS - bits), reference & ((1 << (_ALL_BITS - bits)) - 1)

    def _reference(self, text: LongText) -> int:
        bits = _BITS_OF_COLUMN[self._version]
        if self._order == "<":
            return text.column | text.record << bits
        return text.column << (_ALL_BITS - bits) | text.record
