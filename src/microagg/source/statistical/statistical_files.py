"""Handlers of Stata, SPSS and SAS files."""

import logging
from dataclasses import dataclass, replace
from pathlib import Path

from microagg.model.errors import ReadError, WriteError
from microagg.model.reading import Reading
from microagg.model.source_protocol import Changes, FileKind, Source
from microagg.source.file_handler import FileContent, FirstRecords, with_article
from microagg.source.statistical.byte_cursor import LayoutError
from microagg.source.statistical.spss_editing import edited_spss
from microagg.source.statistical.spss_file import ROWS, ZLIB
from microagg.source.statistical.spss_parsing import parse_spss
from microagg.source.statistical.spss_rendering import render_spss
from microagg.source.statistical.stata_editing import edited_stata
from microagg.source.statistical.stata_file import StataFile
from microagg.source.statistical.stata_parsing import parse_stata
from microagg.source.statistical.stata_rendering import render_stata
from microagg.source.statistical.statistical_reading import StatisticalReader
from microagg.source.statistical.statistical_source import StatisticalSource
from microagg.source.statistical.statistical_writing import write_new
from microagg.source.watched_file import WatchedFile

_log = logging.getLogger("microagg")

_NOTE = b"note"
_LANGUAGE = b"_lang"
_N_FIRST_BYTES = 1024
_BYTES_PER_VALUE = 56  # as it is read, as an object, and with its type
_EXPANSION = 40  # of a file that does not tell how many records it has

_STATA_TAG = b"<stata_dta>"
_STATA_END = b"</stata_dta>"
_STATA_PLAIN_VERSIONS = range(102, 117)
_SPSS_SYSTEM = (b"$FL2", b"$FL3")
_SPSS_PORTABLE = b"SPSSPORT"
_SAS_DATA = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
_SAS_TRANSPORT = b"HEADER RECORD*******LIB"


def begins_as_stata(beginning: bytes) -> bool:
    """Check whether a file begins as one of Stata: by its first tag, or by version, order of bytes and a one."""
    if beginning.startswith(_STATA_TAG):
        return True
    return len(beginning) > 3 and beginning[0] in _STATA_PLAIN_VERSIONS and beginning[1] in (1, 2) and beginning[2] == 1


def begins_as_spss(beginning: bytes) -> bool:
    """Check whether a file begins as one of SPSS; a portable one has its name between lines of 80 characters."""
    return beginning.startswith(_SPSS_SYSTEM) or _SPSS_PORTABLE in beginning.translate(None, b"\r\n")


def begins_as_sas(beginning: bytes) -> bool:
    """Check whether a file begins as one of SAS."""
    return beginning.startswith((_SAS_DATA, _SAS_TRANSPORT))


@dataclass(frozen=True)
class StatisticalFiles:
    """What reads and writes files of one kind: Stata, SPSS or SAS.

    Parameters
    ----------
    kind
        The kind.
    written_suffixes
        Endings of the files that it can write.
    """

    kind: FileKind
    written_suffixes: tuple[str, ...] = ()

    def read(self, content: FileContent) -> StatisticalSource:
        """Return a file as a source; raise `ReadError` if it is damaged."""
        if content.data.startswith(_STATA_TAG) and not content.data.endswith(_STATA_END):
            raise ReadError(f"{content.label} is a damaged Stata file: it does not end as one")  # others would read it
        return self._reader(content.data).source(content)

    def first_records(self, file: WatchedFile, n_records: int, reading: Reading) -> FirstRecords:
        """Return the first records of a file; raise `ReadError` if it is damaged."""
        with file.unchanged():
            content = FileContent(file.path.read_bytes(), file.path, file.label, "", reading)
            reader = self._reader(content.data)
            counted = reader.metadata(content).number_rows
            source = reader.source(content, n_records if counted is not None else 0)
        return FirstRecords(source, source.n_records if counted is None else counted)

    def estimated_memory(self, file: WatchedFile, reading: Reading) -> int:
        """Estimate the bytes that a file takes in memory, with its own: rather too many than too few."""
        with file.unchanged():
            content = FileContent(file.beginning(_N_FIRST_BYTES), file.path, file.label, "", reading)
            found = self._reader(content.data).metadata(content)
        if found.number_rows is None or found.number_rows < 0:
            return _EXPANSION * file.state.size
        n_bytes: int = _BYTES_PER_VALUE * len(found.column_names) + sum(found.variable_storage_width.values())
        return file.state.size + int(found.number_rows) * n_bytes

    def write(self, source: Source, changes: Changes, path: Path) -> None:
        """Write a source with its changes; one of this kind keeps everything that is not replaced as it was read."""
        if not isinstance(source, StatisticalSource) or source.file_kind != self.kind or _is_portable(source):
            write_new(source, changes, path, self.kind)
            if isinstance(source, StatisticalSource):
                _tell_of_free_texts(source, _notes(source) if self.kind == "SPSS" else [])
            return
        try:
            edited = _edited(source, changes, path.suffix.lower())
        except LayoutError as error:
            raise WriteError(
                f"{source.content.label} cannot be written back as {with_article(self.kind)}, as {error}: write "
                f"another kind of file, or save it by a newer {self.kind} first"
            ) from None
        path.write_bytes(edited)

    def _reader(self, beginning: bytes) -> StatisticalReader:
        if self.kind == "Stata":
            return StatisticalReader(self.kind, "read_dta")
        if self.kind == "SPSS":
            return StatisticalReader(self.kind, "read_sav" if beginning.startswith(_SPSS_SYSTEM) else "read_por")
        return StatisticalReader(self.kind, "read_sas7bdat" if beginning.startswith(_SAS_DATA) else "read_xport")


def _is_portable(source: StatisticalSource) -> bool:
    return source.file_kind == "SPSS" and not source.content.data.startswith(_SPSS_SYSTEM)


def _edited(source: StatisticalSource, changes: Changes, suffix: str) -> bytes:
    """Return the file that was read, with changes; its ending tells how it is compressed."""
    if source.file_kind == "Stata":
        stata = parse_stata(source.content.data)
        _check_size(source, len(stata.columns), len(stata.records))
        edited = edited_stata(stata, source, changes)
        _tell_of_free_texts(source, _characteristics(edited))
        return render_stata(edited)
    spss = parse_spss(source.content.data)
    _check_size(source, len(spss.columns), len(spss.cells))
    if suffix == ".zsav":
        spss = replace(spss, compression=ZLIB)
    elif suffix == ".sav" and spss.compression == ZLIB:
        spss = replace(spss, compression=ROWS)
    _tell_of_free_texts(source, _notes(source))
    return render_spss(edited_spss(spss, source, changes))


def _tell_of_free_texts(source: StatisticalSource, others: list[str]) -> None:
    """Tell which kinds of free text of a file that was read are in the one that is written, not what they say."""
    kinds = ["file label", *others] if source.book.file_label else others
    if kinds:
        _log.warning(
            "free texts of %s are kept as they are: %s; read them, as they may tell what is protected",
            source.content.label,
            ", ".join(kinds),
        )


def _notes(source: StatisticalSource) -> list[str]:
    return ["notes"] if source.book.notes else []


def _characteristics(file: StataFile) -> list[str]:
    """Return the kinds of characteristics of a file, besides those that name its languages."""
    names = [one.name(file.sizes) for one in file.characteristics]
    others = [name for name in names if not name.startswith((_NOTE, _LANGUAGE))]
    has_notes = any(name.startswith(_NOTE) for name in names)
    return [*(["notes"] if has_notes else []), *(["characteristics"] if others else [])]


def _check_size(source: StatisticalSource, n_columns: int, n_records: int) -> None:
    """Refuse a file that has other columns or records to the editor than to the reader."""
    if (n_columns, n_records) != (len(source.names), source.n_records):
        raise LayoutError("its columns or records cannot be told apart")
