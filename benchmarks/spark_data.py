"""Records for the measurements on Spark: the mixture as one file and as a folder of files, plain or hard."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from microagg.model.arrays import FloatArray, IntArray
from scale_data import BATCH, batches
from scale_runs import D

N_FILES = 20
COLUMNS = [f"x{j}" for j in range(D)]
STRATUM = "stratum"
N_STRATA = 500
SHAPES = {
    "plain": "plain",
    "strata": f"half of all records in one of {N_STRATA} strata",
    "identical": "two records in five identical",
}
"""What people call each shape."""

_STATE = 23  # random state of strata
_IDENTICAL = 0.4  # share of the records that are all the same
_RECORDS_A_STRATUM = 2000  # on average at least: a rehearsal has fewer strata
_POWER = 3  # strata after the first have sizes that fall with it: few are large, many are small


def write_file(path: Path, n: int) -> Path:
    """Write plain records to one Parquet file; one that is there already stays as it is."""
    if not path.exists():
        part = path.with_suffix(".part")
        with parquet.ParquetWriter(part, _schema("plain")) as writer:
            for table in _tables("plain", n):
                writer.write_table(table)
        part.rename(path)
    return path


def write_folder(path: Path, n: int, shape: str) -> Path:
    """Write records to a folder of Parquet files, in the order of their names; one that is there stays as it is."""
    if path.exists():
        return path
    part = path.with_suffix(".part")
    part.mkdir(parents=True, exist_ok=True)
    bounds = [n * number // N_FILES for number in range(N_FILES + 1)]
    written = 0
    number = 0
    writer = None
    for table in _tables(shape, n):
        while table.num_rows:
            if writer is None:
                writer = parquet.ParquetWriter(part / f"part-{number:05}.parquet", _schema(shape))
            taken = table.slice(0, bounds[number + 1] - written)
            writer.write_table(taken)
            written += taken.num_rows
            table = table.slice(taken.num_rows)
            if written == bounds[number + 1]:
                writer.close()
                writer = None
                number += 1
    part.rename(path)
    return path


def _schema(shape: str) -> pa.Schema:
    fields = [(name, pa.float64()) for name in COLUMNS]
    return pa.schema([*fields, (STRATUM, pa.int32())] if shape == "strata" else fields)


def _tables(shape: str, n: int) -> Iterator[pa.Table]:
    """Yield the records of a shape, batch by batch."""
    for number, rows in enumerate(batches("mixture", n, D)):
        rng = np.random.default_rng([_STATE, number])
        if shape == "identical":
            _make_identical(rows, rng)
        columns = list(rows.T)
        if shape == "strata":
            columns.append(_strata(rng, len(rows), min(N_STRATA, max(2, n // _RECORDS_A_STRATUM))))
        yield pa.table(columns, schema=_schema(shape))


def _make_identical(rows: FloatArray, rng: np.random.Generator) -> None:
    """Give two rows in five the same values, in place."""
    rows[rng.random(BATCH)[: len(rows)] < _IDENTICAL] = 1.0


def _strata(rng: np.random.Generator, n: int, n_strata: int) -> IntArray:
    """Draw a stratum for each record: half of them the first, the others few large and many small ones."""
    others = 1 + ((n_strata - 1) * rng.random(BATCH) ** _POWER).astype(np.int32)
    return np.where(rng.random(BATCH) < 0.5, np.int32(0), others)[:n]
