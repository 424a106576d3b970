"""Sample of a file: its first records, and how many there are, without reading it all."""

import codecs
from dataclasses import dataclass, replace
from pathlib import Path

from microagg.model.reading import Reading
from microagg.model.source_protocol import FileKind, Source
from microagg.source.delimited import DelimitedSource
from microagg.source.dialect import sniff
from microagg.source.file_kinds import FORMATS, kind_of_file
from microagg.source.file_reading import refuse_reading
from microagg.source.frame import FrameSource
from microagg.source.text_decoding import candidates, decode
from microagg.source.text_records import parse_records
from microagg.source.typed_columns import first_records, schema_and_length
from microagg.source.watched_file import WatchedFile

_N_FIRST_RECORDS = 1000
_BEGINNING = 2**20  # bytes of a text file that are parsed
_N_PIECES = 64  # of a text file, from its start to its end, in which lines are counted
_PIECE = 2**14  # bytes


@dataclass(frozen=True)
class FileSample:
    """First records of a file, and the number of all.

    Parameters
    ----------
    first_records
        The first records.
    n_records
        The number of all records; of a long text file, by the length of its lines here and there.
    is_counted
        Whether the number is exact.
    """

    first_records: Source
    n_records: int
    is_counted: bool


def sample_file(path: Path, reading: Reading) -> FileSample:
    """Look at the beginning and the metadata of a file.

    Parameters
    ----------
    path
        A file of any kind.
    reading
        The format of a text file, as far as it is given.

    Raises
    ------
    ReadError
        If the file cannot be read.
    """
    file = WatchedFile.opened(path, str(path))
    kind = kind_of_file(file)
    handler = FORMATS[kind].handler
    if handler is not None:
        refuse_reading(reading, f"the {kind} file {path}", FORMATS[kind].options)
        return FileSample(*handler.first_records(file, _N_FIRST_RECORDS, reading), is_counted=True)
    return _sample_of_text(file, reading) if kind == "CSV" else _sample_of_typed_file(file, kind)


def _sample_of_typed_file(file: WatchedFile, kind: FileKind) -> FileSample:
    _, n_records = schema_and_length(file, kind)
    frame = first_records(file, kind, _N_FIRST_RECORDS)
    return FileSample(FrameSource(frame, path=file.path, file_kind=kind), n_records, is_counted=True)


def _sample_of_text(file: WatchedFile, reading: Reading) -> FileSample:
    beginning = file.beginning(_BEGINNING)
    is_whole = len(beginning) == file.state.size
    if not is_whole:
        beginning = _complete_records(beginning, file.label, reading.encoding)
        reading = replace(reading, encoding="utf-8")
    data, names, dialect = sniff(beginning, file.label, reading)
    frame = parse_records(data, names, dialect, file.label)
    source = DelimitedSource(frame, dialect, file.path, "", reading)
    if is_whole:
        return FileSample(source, frame.height, is_counted=True)
    records_per_line = frame.height / max(1, data.count(b"\n") - dialect.header)
    return FileSample(source, round(_estimated_lines(file) * records_per_line), is_counted=False)


def _complete_records(beginning: bytes, label: str, encoding: str | None) -> bytes:
    """Return the complete records at the start of a text file, in UTF-8."""
    mark, encodings, _ = candidates(beginning, label, encoding)
    for possible in encodings:
        try:
            text = codecs.getincrementaldecoder(possible)().decode(beginning[len(mark) :])
        except UnicodeError:
            continue
        return _up_to_last_line_end(text).encode()
    return decode(beginning, label, encoding).data


def _up_to_last_line_end(text: str) -> str:
    """Cut a text after the last line end that is not within quotes."""
    end = len(text)
    n_quotes = text.count('"')
    while end >= 0:
        last = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end))
        n_quotes -= text.count('"', last + 1, end)
        end = last
        if end >= 0 and n_quotes % 2 == 0:
            return text[: end + 1]
    return text


def _estimated_lines(file: WatchedFile) -> float:
    """Estimate the number of lines of a file by pieces of it."""
    size = file.state.size
    piece = min(_PIECE, size // _N_PIECES)
    n_line_ends = 0
    with file.unchanged(), file.path.open("rb") as opened:
        for number in range(_N_PIECES):
            opened.seek(size * (2 * number + 1) // (2 * _N_PIECES) - piece // 2)
            found = opened.read(piece)
            n_line_ends += max(found.count(b"\n"), found.count(b"\r"))
    return n_line_ends / (_N_PIECES * piece) * size
