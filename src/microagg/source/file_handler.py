"""What a kind of file is: how it is recognised, and what reads and writes it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from microagg.model.errors import ReadError
from microagg.model.reading import Reading
from microagg.model.source_protocol import Changes, FileKind, Source
from microagg.source.watched_file import WatchedFile


@dataclass(frozen=True)
class FileContent:
    """Content of a file that was read into memory, and how it is to be understood."""

    data: bytes = field(repr=False)  # none of a file that is read in place
    path: Path | None  # None for standard input
    label: str  # what messages call it
    sha256: str
    reading: Reading = field(default_factory=Reading)


class FirstRecords(NamedTuple):
    """First records of a file, and the number of all."""

    source: Source
    n_records: int


class FileHandler(Protocol):
    """What reads and writes files of one kind, which are always read into memory as a whole."""

    @property
    def written_suffixes(self) -> tuple[str, ...]:
        """Endings of the files that it can write; none if it can only read."""

    def read(self, content: FileContent) -> Source:
        """Return a file as a source; raise `ReadError` if it is damaged."""

    def first_records(self, file: WatchedFile, n_records: int, reading: Reading) -> FirstRecords:
        """Return the first records of a file; raise `ReadError` if it is damaged."""

    def estimated_memory(self, file: WatchedFile, reading: Reading) -> int:
        """Estimate the bytes that a file takes in memory, with its own: rather too many than too few."""

    def write(self, source: Source, changes: Changes, path: Path) -> None:
        """Write a source with its changes; one of this kind keeps everything that is not replaced as it was read."""


@dataclass(frozen=True)
class FileFormat:
    """One kind of file.

    Parameters
    ----------
    suffixes
        Endings of the names of such files.
    begins
        Function that tells such a file by its first bytes; None: they do not tell it.
    handler
        What reads and writes it. None: text, Parquet and Arrow, which are read and written out of core, too.
    options
        Options of `Reading` that tell how it is read; all others are refused.
    in_place
        Whether it is read where it lies, piece by piece, and never as a whole: a database.
    most_records, most_columns
        Numbers of records and columns that it can hold at most; None: any number.
    """

    suffixes: tuple[str, ...]
    begins: Callable[[bytes], bool] | None = None
    handler: FileHandler | None = None
    options: tuple[str, ...] = ()
    in_place: bool = False
    most_records: int | None = None
    most_columns: int | None = None

    @property
    def written_suffixes(self) -> tuple[str, ...]:
        """Endings of the files that can be written."""
        return self.suffixes if self.handler is None else self.handler.written_suffixes


def begins_with(*magic: bytes) -> Callable[[bytes], bool]:
    """Return the function that checks whether a file begins with one of some bytes."""
    return lambda beginning: beginning.startswith(magic)


def with_article(kind: FileKind) -> str:
    """Return "a CSV file", "an SPSS file"."""
    return f"{'an' if kind in ('Arrow', 'SPSS', 'Excel', 'R', 'SQLite') else 'a'} {kind} file"


@contextmanager
def needing_extra(extra: str, purpose: str, error: type[Exception] = ReadError) -> Iterator[None]:
    """Turn the failing import of an optional library into an error that says how to install it.

    Parameters
    ----------
    extra
        The extra of this package that installs it.
    purpose
        What needs it, as the subject of a sentence.
    error
        The error to raise.
    """
    try:
        yield
    except ImportError as missing:
        package = (missing.name or "").partition(".")[0]
        raise error(f"{purpose} needs the package {package}: pip install 'microagg[{extra}]'") from None
