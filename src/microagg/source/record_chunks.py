"""Text file read in chunks that end where a record ends."""

import codecs
from collections.abc import Iterator
from typing import NamedTuple

from microagg.model.errors import ReadError
from microagg.source.csv_grammar import check_quotes, end_of_records
from microagg.source.dialect import trimmed, with_line_feeds
from microagg.source.watched_file import WatchedFile

_MAX_CHUNK = 2**28  # bytes without the end of a record: a quote was never closed


class RecordLayout(NamedTuple):
    """What must be known of a text file to find its records.

    Parameters
    ----------
    encoding
        The encoding of the file.
    n_skipped
        The number of bytes at its start that are no text: byte order marks.
    line_end
        What ends a line.
    delimiter
        What separates two fields.
    width
        The number of fields of a record.
    """

    encoding: str
    n_skipped: int
    line_end: str
    delimiter: str
    width: int


def record_chunks(file: WatchedFile, layout: RecordLayout, chunk_size: int) -> Iterator[bytes]:
    """Return a text file in UTF-8, in chunks of records, each ended by a line feed, with quotes in place.

    Empty lines at the end of the file are no records, unless records have one field.

    Parameters
    ----------
    file
        The file.
    layout
        Its layout.
    chunk_size
        The number of bytes that are read at a time; a chunk is at most a record longer.

    Raises
    ------
    ReadError
        If a quote is not in its place.
    UnicodeError
        If the file is not valid in its encoding.
    """
    n_lines = 0
    rest = b""
    for piece in _lines_ended(file, layout, chunk_size):
        rest += piece
        end = _end_of_chunk(rest, layout.width)
        if end:
            yield _checked(rest[:end], layout, file.label, n_lines)
            n_lines += rest.count(b"\n", 0, end)
            rest = rest[end:]
        elif len(rest) > _MAX_CHUNK:
            _checked(rest + b"\n", layout, file.label, n_lines)
            raise ReadError(f"{file.label} has a record of more than {_MAX_CHUNK} bytes: correct its line ends")
    if rest.strip(b"\r\n") or (rest and layout.width == 1):
        yield _checked(trimmed(rest, layout.width), layout, file.label, n_lines)


def utf8_pieces(file: WatchedFile, encoding: str, n_skipped: int, size: int) -> Iterator[bytes]:
    """Return the text of a file in UTF-8, in pieces of some bytes; raise `UnicodeError` where it is not valid."""
    decoder = codecs.getincrementaldecoder(encoding)()
    with file.unchanged(), file.path.open("rb") as stream:
        stream.seek(n_skipped)
        while piece := stream.read(size):
            text = decoder.decode(piece)
            yield piece if encoding == "utf-8" else text.encode()
        yield decoder.decode(b"", final=True).encode()


def _lines_ended(file: WatchedFile, layout: RecordLayout, size: int) -> Iterator[bytes]:
    """Return the text with line feeds at the ends of lines; raise `ReadError` if only its beginning had none."""
    for piece in utf8_pieces(file, layout.encoding, layout.n_skipped, size):
        if layout.line_end == "\r" and b"\n" in piece:
            raise ReadError(
                f"{file.label} ends its first lines by carriage returns, and others by line feeds: save it "
                "with one of them"
            )
        yield with_line_feeds(piece, layout.line_end)


def _checked(chunk: bytes, layout: RecordLayout, label: str, n_lines_before: int) -> bytes:
    """Return a chunk; raise `ReadError` if a quote is not in its place."""
    check_quotes(chunk, layout.delimiter, label, n_lines_before)
    return chunk


def _end_of_chunk(data: bytes, width: int) -> int:
    """Return where the last record ends; empty lines after it may be the end of the file."""
    end = end_of_records(data)
    if width == 1 or not end:
        return end
    filled = data[:end].rstrip(b"\r\n")
    return data.index(b"\n", len(filled)) + 1 if filled else 0
