"""Columns of a text file larger than memory: its fields are spooled to a temporary file, column by column."""

import codecs
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from microagg.model.column import Kind
from microagg.model.errors import ReadError
from microagg.model.reading import Reading
from microagg.model.source_protocol import FileKind
from microagg.source.batch_files import save_batches
from microagg.source.column_spool import ColumnSpool
from microagg.source.delimited import DelimitedSource, doubt_of_names
from microagg.source.dialect import Dialect, column_names, detect_layout
from microagg.source.record_chunks import RecordLayout, record_chunks
from microagg.source.text_decoding import Decoded, candidates, without_further_marks
from microagg.source.text_files import save_texts
from microagg.source.text_parsing import DecimalSign
from microagg.source.text_records import parse_chunks
from microagg.source.watched_file import WatchedFile

CHUNK_SIZE = 2**22
"""Bytes of a text file that are parsed at once."""

_BEGINNING = 2**22  # bytes by which the dialect is detected
_LONGEST_CHARACTER = 4  # bytes of a line end in the widest encoding


@dataclass(frozen=True, eq=False, repr=False)
class LargeText:
    """Columns of a text file, spooled.

    Parameters
    ----------
    names
        The names of the columns.
    n_records
        The number of records.
    spool
        The fields, all text.
    dialect
        The encoding and layout of the file.
    reading
        The user's options for reading it.
    """

    names: tuple[str, ...]
    n_records: int
    spool: ColumnSpool
    dialect: Dialect
    reading: Reading

    @classmethod
    def opened(cls, file: WatchedFile, reading: Reading, folder: Path, chunk_size: int | None = None) -> "LargeText":
        """Spool a text file to a folder; raise `ReadError` if it cannot be read as a table."""
        beginning = file.beginning(_BEGINNING)
        mark, encodings, failure = candidates(beginning, file.label, reading.encoding)
        for encoding in encodings:
            spool = ColumnSpool(folder / f"input-{os.urandom(6).hex()}.columns")
            try:
                with file.unchanged():
                    text = _decoded_beginning(beginning, mark, encoding, file)
                    return _spooled(file, text, reading, spool, chunk_size or CHUNK_SIZE)
            except UnicodeError:
                spool.remove()
            except OSError as error:
                spool.remove()
                raise ReadError(
                    f"cannot read {file.label} by way of the folder {folder}: {error.strerror or error}"
                ) from None
            except BaseException:
                spool.remove()
                raise
        raise ReadError(failure)

    @cached_property
    def file_signs(self) -> frozenset[DecimalSign]:
        """The decimal signs of all columns; none if they are not needed, as the file can have one only."""
        one_possible = self.reading.decimal is not None or self.dialect.delimiter == ","
        sources = () if one_possible else (self._source(name, None) for name in self.names)
        return frozenset(sign for source in sources for sign in source.decimal_signs)

    @property
    def read_as(self) -> dict[str, str]:
        """How the file was read, in words; also when the spool is gone."""
        import polars as pl

        return DelimitedSource(pl.DataFrame(), self.dialect, None, "", self.reading, self.file_signs).read_as

    def header_doubt(self) -> str | None:
        """Describe why the first line may be a record and not a header; None if it is not doubtful, or was given."""
        if self.reading.header is not None:
            return None
        return doubt_of_names(self.names, lambda name: self._source(name, frozenset()))

    def kind(self, name: str) -> Kind:
        """Return the kind of a column."""
        return self.source(name).kind(name)

    def source(self, name: str) -> DelimitedSource:
        """Return a source of one column."""
        return self._source(name, self.file_signs)

    def save(self, columns: ColumnSpool, path: Path, kind: FileKind) -> None:
        """Write spooled columns as a file, as text in the same dialect."""
        if kind == "CSV":
            save_texts(columns.batches(), path, self.dialect)
        else:
            save_batches(columns, path, kind)

    def _source(self, name: str, file_signs: frozenset[DecimalSign] | None) -> DelimitedSource:
        return DelimitedSource(self.spool.column(name), self.dialect, None, "", self.reading, file_signs)


def _spooled(file: WatchedFile, beginning: Decoded, reading: Reading, spool: ColumnSpool, chunk_size: int) -> LargeText:
    """Spool a text file of known encoding, the next chunk of records after the other."""
    line_end, delimiter, first_record = detect_layout(beginning.data, file.label, reading)
    names = column_names(first_record, file.label, reading)
    mark = beginning.byte_order_mark
    encoding = beginning.encoding
    final_line_end = file.ending(_LONGEST_CHARACTER).endswith(("\n".encode(encoding), "\r".encode(encoding)))
    dialect = Dialect(mark, encoding, line_end, final_line_end, delimiter, header=reading.header is not False)
    layout = RecordLayout(encoding, len(mark), line_end, delimiter, len(names))
    n_records = 0
    for frame in parse_chunks(record_chunks(file, layout, chunk_size), names, dialect, file.label):
        spool.append(frame)
        n_records += frame.height
    return LargeText(names, n_records, spool, dialect, reading)


def _decoded_beginning(beginning: bytes, mark: bytes, encoding: str, file: WatchedFile) -> Decoded:
    """Return the first lines of a file in UTF-8; raise `UnicodeError` if they are not valid in this encoding."""
    whole = len(beginning) == file.state.size
    decoder = codecs.getincrementaldecoder(encoding)()
    data = decoder.decode(beginning[len(mark) :], final=whole).encode()
    if not whole:
        n_kept = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        if not n_kept:
            raise ReadError(f"the first line of {file.label} is longer than {_BEGINNING} bytes: correct its line ends")
        data = data[:n_kept]
    return without_further_marks(Decoded(mark, encoding, data))
