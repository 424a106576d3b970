"""Made-up people in files, and what a release of them holds: for tests of faults on a cluster."""

from pathlib import Path

import numpy as np
import polars as pl

N_RECORDS = 6_000


def records(n: int) -> pl.DataFrame:
    """Return made-up people."""
    rng = np.random.default_rng(7)
    centres = rng.normal(size=(9, 3)) * 4
    points = centres[rng.integers(0, 9, n)] + rng.normal(size=(n, 3))
    return pl.DataFrame(points, schema=["income", "age", "assets"]).with_columns(id=pl.int_range(n))


def write_files(frame: pl.DataFrame, folder: Path, n_files: int) -> Path:
    """Write records to several files of a new folder."""
    folder.mkdir()
    for number, some in enumerate(frame.iter_slices(-(-frame.height // n_files))):
        write_plainly(some, folder / f"part-{number}.parquet")
    return folder


def write_plainly(frame: pl.DataFrame, file: Path) -> None:
    """Write records to a file whose size does not depend on their order."""
    frame.write_parquet(file, compression="uncompressed")


def files_of(folder: Path) -> list[pl.DataFrame]:
    """Return what the files of a release hold."""
    assert (folder / "_SUCCESS").exists()
    return [pl.read_parquet(file) for file in sorted(folder.glob("part-*"))]
