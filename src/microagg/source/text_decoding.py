"""Decoding of text files: byte order marks and encodings."""

import codecs
from typing import NamedTuple

from microagg.model.errors import ReadError

_ENCODING_OF_MARK = {  # the longer byte order marks first, as one of them starts with another
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_WITHOUT_MARK = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}  # names that leave the mark open
_BYTES_CHECKED_FOR_NULL = 4096  # at the start of the file


class Decoded(NamedTuple):
    """A decoded text file: its byte order marks, its encoding as Python names it, and the rest in UTF-8."""

    byte_order_mark: bytes
    encoding: str
    data: bytes


class Candidates(NamedTuple):
    """Encodings that a file may have.

    Parameters
    ----------
    byte_order_mark
        What the file starts with; empty if it has none.
    encodings
        The names of the encodings, as Python names them; the first that is valid is the one.
    failure
        What to tell if none is.
    """

    byte_order_mark: bytes
    encodings: tuple[str, ...]
    failure: str


def decode(raw: bytes, file: str, encoding: str | None) -> Decoded:
    """Decode a file in the given encoding, or in a detected one; raise `ReadError` if it is not valid text."""
    mark, encodings, failure = candidates(raw, file, encoding)
    for possible in encodings:
        data = _as_utf8(raw[len(mark) :] if mark else raw, possible)
        if data is not None:
            return without_further_marks(Decoded(mark, possible, data))
    raise ReadError(failure)


def candidates(beginning: bytes, file: str, given: str | None) -> Candidates:
    """Return the encodings that a file may have by its beginning; raise `ReadError` if it is no text file."""
    return _detected(beginning, file) if given is None else _given(beginning, file, given)


def without_further_marks(decoded: Decoded) -> Decoded:
    """Return the text without byte order marks at its start: some programs write the mark twice."""
    mark, encoding, data = decoded
    while data.startswith(codecs.BOM_UTF8):
        mark += codecs.BOM_UTF8.decode().encode(encoding)
        data = data.removeprefix(codecs.BOM_UTF8)
    return Decoded(mark, encoding, data)


def _detected(beginning: bytes, file: str) -> Candidates:
    """Return the encoding of the byte order mark, else UTF-8, Windows-1252 and Latin-1.

    The last two turn every byte into one character and back, so a wrong guess damages nothing.
    """
    mark = next((mark for mark in _ENCODING_OF_MARK if beginning.startswith(mark)), b"")
    if not mark and b"\0" in beginning[:_BYTES_CHECKED_FOR_NULL]:
        raise ReadError(f"{file} is no text file, and neither Parquet nor Arrow: give a file of one of these kinds")
    if not mark:
        return Candidates(mark, ("utf-8", "cp1252", "latin-1"), "")
    encoding = _ENCODING_OF_MARK[mark]
    failure = f"{file} is not valid {encoding}, though it starts as such: save it again as UTF-8"
    return Candidates(mark, (encoding,), failure)


def _given(beginning: bytes, file: str, given: str) -> Candidates:
    """Return the given encoding; the file may start with a byte order mark of it."""
    name = codecs.lookup(given).name
    possible = [mark for mark, encoding in _ENCODING_OF_MARK.items() if encoding.startswith(name.removesuffix("-sig"))]
    mark = next((mark for mark in possible if beginning.startswith(mark)), b"")
    encoding = _ENCODING_OF_MARK[mark] if mark else _WITHOUT_MARK.get(name, name)
    failure = f"{file} is not valid {given}: say its real encoding, or leave it out to have it detected"
    return Candidates(mark, (encoding,), failure)


def _as_utf8(raw: bytes, encoding: str) -> bytes | None:
    """Return the bytes in UTF-8; None if they are not valid in this encoding."""
    if encoding == "utf-8" and raw.isascii():
        return raw
    try:
        text = raw.decode(encoding)
        return raw if encoding == "utf-8" else text.encode()
    except UnicodeError:
        return None
