"""Compression of SPSS files: a byte for each cell that is a small whole number, blank or missing."""

import struct
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from microagg.model.arrays import BoolArray
from microagg.source.statistical.byte_cursor import ByteCursor, LayoutError, Packer
from microagg.source.statistical.spss_file import WordArray

_PADDING, _END, _LITERAL, _BLANK, _MISSING = 0, 252, 253, 254, 255
_FIRST, _LAST = 1, 251  # codes of whole numbers
_BLOCK = 0x3FF000  # bytes that are compressed together
_SPACES = np.frombuffer(b" " * 8, dtype=np.uint64)[0]


def system_missing(order: str) -> np.uint64:
    """Return the cell of a missing number: the lowest of all."""
    return np.uint64(np.frombuffer(struct.pack(f"{order}d", -np.finfo(np.float64).max), dtype=np.uint64)[0])


def decompressed(data: bytes, order: str, bias: float) -> WordArray:
    """Return the cells of a compressed file, one after the other.

    Parameters
    ----------
    data
        Bytes after the dictionary.
    order
        Order of bytes.
    bias
        What was added to whole numbers.
    """
    words = np.frombuffer(data[: len(data) // 8 * 8], dtype=np.uint64)
    n_literals = (words.view(np.uint8).reshape(-1, 8) == _LITERAL).sum(axis=1).tolist()
    starts = []
    place = 0
    while place < len(words):
        starts.append(place)
        place += 1 + n_literals[place]
    is_start = np.zeros(len(words), dtype=np.bool_)
    is_start[starts] = True
    codes = words[is_start].view(np.uint8)
    ends = np.flatnonzero(codes == _END)
    codes = codes[: ends[0]] if len(ends) else codes
    codes = codes[codes != _PADDING]
    cells: WordArray = _words_of_codes(order, bias)[codes]
    literal = np.flatnonzero(codes == _LITERAL)
    literals = words[~is_start]
    if len(literal) > len(literals):
        raise LayoutError("it ends too early")
    cells[literal] = literals[: len(literal)]
    return cells


def compressed(cells: WordArray, is_text: BoolArray, order: str, bias: float) -> bytes:
    """Return cells compressed; the inverse of `decompressed`.

    Parameters
    ----------
    cells
        The cells, of shape (n, cells of a record).
    is_text
        Which cells of a record hold texts.
    order, bias
        As for `decompressed`.
    """
    known = _words_of_codes(order, bias)
    codes = np.full(cells.shape, _LITERAL, dtype=np.uint8)
    numbers = cells[:, ~is_text]
    codes[:, ~is_text] = _codes_of_numbers(numbers, known, order, bias)
    codes[:, is_text] = np.where(cells[:, is_text] == _SPACES, _BLANK, _LITERAL)
    flat = codes.ravel()
    n_blocks = -(-len(flat) // 8)
    blocks = np.concatenate([flat, np.zeros(8 * n_blocks - len(flat), dtype=np.uint8)]).reshape(n_blocks, 8)
    is_literal = blocks == _LITERAL
    lengths = 1 + is_literal.sum(axis=1)
    starts = np.cumsum(lengths) - lengths
    stream = np.empty(int(lengths.sum()), dtype=np.uint64)
    is_start = np.zeros(len(stream), dtype=np.bool_)
    is_start[starts] = True
    stream[is_start] = np.ascontiguousarray(blocks).view(np.uint64)[:, 0]
    stream[~is_start] = cells.ravel()[flat == _LITERAL]
    return stream.tobytes()


def inflated(data: bytes, place: int, order: str) -> bytes:
    """Return what zlib has compressed in a file; `place` is where that begins."""
    cursor = ByteCursor(data, order)
    cursor.place = place
    cursor.number("q")  # this place
    trailer = ByteCursor(data, order)
    trailer.place = cursor.number("q")
    trailer.take(8 + 8 + 4)
    blocks = []
    for _ in range(trailer.number("i")):
        trailer.take(8)
        at = trailer.number("q")
        trailer.take(4)
        length = trailer.number("i")
        try:
            blocks.append(zlib.decompress(data[at : at + length]))
        except zlib.error as error:
            raise LayoutError(str(error)) from None
    return b"".join(blocks)


def deflated(stream: bytes, place: int, order: str, bias: float) -> bytes:
    """Return what zlib makes of a stream that begins at some place of a file, with header and trailer."""
    pack = Packer(order)
    blocks = [stream[start : start + _BLOCK] for start in range(0, len(stream), _BLOCK)]
    squeezed = [zlib.compress(block) for block in blocks]
    header_length = 3 * 8
    entries = []
    before = place
    after = place + header_length
    for block, small in zip(blocks, squeezed, strict=True):
        entries.append(pack("q", before, after) + pack("i", len(block), len(small)))
        before += len(block)
        after += len(small)
    trailer = pack("q", -int(bias), 0) + pack("i", _BLOCK, len(blocks)) + b"".join(entries)
    return pack("q", place, after, len(trailer)) + b"".join(squeezed) + trailer


def _words_of_codes(order: str, bias: float) -> WordArray:
    """Return the cell that each code stands for, of shape (256,)."""
    numbers = (np.arange(256) - bias).astype(f"{order}f8")
    words = numbers.view(np.uint64).copy()
    words[_BLANK] = _SPACES
    words[_MISSING] = system_missing(order)
    return words


def _codes_of_numbers(cells: WordArray, known: WordArray, order: str, bias: float) -> npt.NDArray[np.uint8]:
    """Return the code of each cell; only where it stands for exactly that cell is it no literal."""
    numbers: npt.NDArray[Any] = np.ascontiguousarray(cells).view(f"{order}f8").astype(np.float64)
    with np.errstate(invalid="ignore"):
        shifted = np.clip(np.nan_to_num(numbers) + bias, 0, _LAST + 1)
    codes = shifted.astype(np.uint8)
    small = (codes >= _FIRST) & (codes <= _LAST) & (known[codes] == cells)
    codes = np.where(small, codes, np.uint8(_LITERAL))
    return np.where(cells == known[_MISSING], np.uint8(_MISSING), codes)
