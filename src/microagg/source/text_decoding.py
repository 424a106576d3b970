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


def decode(raw: bytes, file: str, encoding: str | None) -> Decoded:
    """Decode a file in the given encoding, or in a detected one; raise `ReadError` if it is not valid text."""
    decoded = _decode_detected(raw, file) if encoding is None else _decode_as(raw, file, encoding)
    mark = decoded.byte_order_mark
    data = decoded.data
    while data.startswith(codecs.BOM_UTF8):  # some programs write the mark twice
        mark += codecs.BOM_UTF8.decode().encode(decoded.encoding)
        data = data.removeprefix(codecs.BOM_UTF8)
    return Decoded(mark, decoded.encoding, data)


def _decode_detected(raw: bytes, file: str) -> Decoded:
    """Decode by the byte order mark, else as UTF-8, else as Windows-1252 or Latin-1.

    The last two turn every byte into one character and back, so a wrong guess damages nothing.
    """
    mark = next((mark for mark in _ENCODING_OF_MARK if raw.startswith(mark)), b"")
    if not mark and b"\0" in raw[:_BYTES_CHECKED_FOR_NULL]:
        raise ReadError(f"{file} is no text file, and neither Parquet nor Arrow: give a file of one of these kinds")
    for encoding in [_ENCODING_OF_MARK[mark]] if mark else ["utf-8", "cp1252", "latin-1"]:
        data = _as_utf8(raw[len(mark) :] if mark else raw, encoding)
        if data is not None:
            return Decoded(mark, encoding, data)
    raise ReadError(f"{file} is not valid {_ENCODING_OF_MARK[mark]}, though it starts as such: save it again as UTF-8")


def _decode_as(raw: bytes, file: str, given: str) -> Decoded:
    """Decode in the given encoding; the file may start with a byte order mark of it."""
    name = codecs.lookup(given).name
    possible = [mark for mark, encoding in _ENCODING_OF_MARK.items() if encoding.startswith(name.removesuffix("-sig"))]
    mark = next((mark for mark in possible if raw.startswith(mark)), b"")
    encoding = _ENCODING_OF_MARK[mark] if mark else _WITHOUT_MARK.get(name, name)
    data = _as_utf8(raw[len(mark) :] if mark else raw, encoding)
    if data is None:
        raise ReadError(f"{file} is not valid {given}: say its real encoding, or leave it out to have it detected")
    return Decoded(mark, encoding, data)


def _as_utf8(raw: bytes, encoding: str) -> bytes | None:
    """Return the bytes in UTF-8; None if they are not valid in this encoding."""
    if encoding == "utf-8" and raw.isascii():
        return raw
    try:
        text = raw.decode(encoding)
        return raw if encoding == "utf-8" else text.encode()
    except UnicodeError:
        return None
