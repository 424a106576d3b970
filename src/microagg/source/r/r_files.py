"""Handler of R files, .rds and .rda: one data frame is read, and none is written."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from microagg.model.errors import ReadError, WriteError
from microagg.model.names import listing
from microagg.model.reading import Reading
from microagg.model.source_protocol import Changes, Source
from microagg.source.file_handler import FileContent, FirstRecords
from microagg.source.r.r_columns import RColumn, column_of_vector
from microagg.source.r.r_objects import RObjects, estimated_size
from microagg.source.statistical.codebook import Codebook
from microagg.source.statistical.statistical_source import StatisticalSource
from microagg.source.table_choice import chosen_table
from microagg.source.watched_file import WatchedFile

_BYTES_PER_BYTE = 12  # that rdata takes in memory for each of the file: every text is an object
_N_FIRST_BYTES = 16
_log = logging.getLogger("microagg")


class RFileHandler:
    """What reads data frames of R files."""

    @property
    def written_suffixes(self) -> tuple[str, ...]:
        """No endings: R files are not written."""
        return ()

    def read(self, content: FileContent) -> Source:
        """Return a data frame as a source; raise `ReadError` if there is none, or none such."""
        objects = RObjects.parsed(content.data, content.label)
        frames = {name: item for name, item in objects.named.items() if "data.frame" in objects.classes(item)}
        if not frames:
            raise ReadError(f"{content.label} holds {_contents(objects)}, and no data frame: make one in R")
        name = _chosen(list(frames), content)
        return _source(objects, frames[name], content)

    def first_records(self, file: WatchedFile, n_records: int, reading: Reading) -> FirstRecords:
        """Return the data frame: its first records cannot be read alone."""
        with file.unchanged():
            data = file.path.read_bytes()
        source = self.read(FileContent(data, file.path, file.label, "", reading))
        return FirstRecords(source, source.n_records)

    def estimated_memory(self, file: WatchedFile, reading: Reading) -> int:
        """Estimate the bytes that a file takes in memory while it is parsed."""
        size = estimated_size(file.ending(_N_FIRST_BYTES), file.state.size, file.beginning(_N_FIRST_BYTES))
        return _BYTES_PER_BYTE * size

    def write(self, source: Source, changes: Changes, path: Path) -> None:
        """Refuse to write an R file."""
        raise WriteError(f"the output {path} would be an R file, which cannot be written: write .csv, .dta or .parquet")


def _contents(objects: RObjects) -> str:
    """Name what is in a file."""
    names = [name for name in objects.named if name]
    return listing(names) if names else "one object"


def _chosen(names: Sequence[str], content: FileContent) -> str:
    """Return the name of the data frame that is wanted; that of an .rds file has none."""
    if list(names) == [""]:
        if content.reading.table_name is not None:
            raise ReadError(f"'table_name' names one of several objects, found one in {content.label}: leave it out")
        return ""
    return chosen_table(names, content.reading.table_name, content.label, "data frame")


def _source(objects: RObjects, frame: Any, content: FileContent) -> StatisticalSource:
    import polars as pl

    known = objects.attributes(frame)
    names = [name or "" for name in objects.texts(known.get("names"))]
    twice = sorted({name for name in names if names.count(name) > 1 or not name})
    if twice:
        raise ReadError(f"{content.label} has columns of the name {listing(twice)}: give each a name of its own")
    columns: dict[str, RColumn] = {
        name: column_of_vector(objects, vector, f"column {name!r} of {content.label}")
        for name, vector in zip(names, frame.value, strict=True)
    }
    if objects.texts(known.get("row.names")):
        _log.warning("the row names of %s are left out: they are no column", content.label)
    book = Codebook({name: column.entry for name, column in columns.items()}, encoding=objects.encoding)
    codes = {name: one.typed.missing_codes for name, one in columns.items() if one.typed.missing_codes is not None}
    values = pl.DataFrame({name: column.typed.values for name, column in columns.items()})
    return StatisticalSource(values, book, codes, replace(content, data=b""), "R")
