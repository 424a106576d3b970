"""Columns spooled to a temporary file, so that a table can be read by column or by batch of records."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import polars as pl

_BATCH_RECORDS = 2**16
_BATCH_CELLS = 2**22  # the batches of a wide table have fewer records
_MIN_BATCH_RECORDS = 2**10


class _Piece(NamedTuple):
    """Where consecutive values of a column are in the file."""

    offset: int
    length: int


@dataclass(frozen=True, eq=False, repr=False)
class ColumnSpool:
    """Columns in one temporary file, each in pieces of consecutive records.

    Parameters
    ----------
    path
        Where the file is made.
    """

    path: Path
    _pieces: dict[str, list[_Piece]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"ColumnSpool({len(self._pieces)} columns)"

    @property
    def n_batches(self) -> int:
        """The number of pieces of each column: at least one, which may be empty."""
        return max(map(len, self._pieces.values()), default=1)

    def append(self, frame: "pl.DataFrame") -> None:
        """Add a piece to each of the columns of a dataframe."""
        with self.path.open("ab") as file:
            for series in frame.iter_columns():
                buffer = BytesIO()
                series.to_frame().write_ipc(buffer)
                piece = _Piece(file.tell(), buffer.tell())
                file.write(buffer.getbuffer())
                self._pieces.setdefault(series.name, []).append(piece)

    def append_batches(self, frame: "pl.DataFrame", n_records: int) -> None:
        """Add the records of a dataframe in batches of `n_records`."""
        for start in range(0, max(frame.height, 1), n_records):
            self.append(frame[start : start + n_records])

    def column(self, name: str) -> "pl.DataFrame":
        """Return a column, as a dataframe."""
        import polars as pl

        with self.path.open("rb") as file:
            pieces = [_read(file, piece) for piece in self._pieces[name]]
        return pl.concat(pieces, rechunk=False)

    def batch(self, number: int) -> "pl.DataFrame":
        """Return the records of one piece, in all columns."""
        import polars as pl

        if not self._pieces:
            return pl.DataFrame()
        with self.path.open("rb") as file:
            columns = [_read(file, pieces[number]) for pieces in self._pieces.values()]
        return pl.concat(columns, how="horizontal")

    def batches(self) -> "Iterator[pl.DataFrame]":
        """Return the records of one piece after the other, in all columns."""
        return map(self.batch, range(self.n_batches))

    def remove(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)


def records_per_batch(n_columns: int) -> int:
    """Return how many records of a table of some width are held in memory at once."""
    return max(_MIN_BATCH_RECORDS, min(_BATCH_RECORDS, _BATCH_CELLS // max(n_columns, 1)))


def _read(file: Any, piece: _Piece) -> "pl.DataFrame":
    import polars as pl

    file.seek(piece.offset)
    return pl.read_ipc(file.read(piece.length))
