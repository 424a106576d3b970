"""What a kind of file cannot hold is refused, by the name of its column, and nothing is left behind."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import WriteError, read, write
from microagg.model.source_protocol import FileKind
from microagg.source.batch_files import save_batches
from microagg.source.column_spool import ColumnSpool
from microagg.source.polars_files import save_frame
from source_tables import FILES

FULL_DISK = Path("/dev/full")


def test_what_a_file_cannot_hold_is_refused(tmp_path: Path) -> None:
    nested = read(pl.DataFrame({"a": [1, 2], "b": [[1], [2]]}))
    with pytest.raises(WriteError, match=r"column 'b' has values of type List\(Int64\), which a CSV file cannot hold"):
        write(nested, tmp_path / "out.csv")
    several = read(pd.DataFrame({"a": pd.Series([1, "x", None], dtype=object)}))
    write(several, tmp_path / "several.csv")
    assert read(tmp_path / "several.csv").values("a") == ["1", "x", None]
    for suffix, words in ((".parquet", "a Parquet file"), (".arrow", "an Arrow file")):
        with pytest.raises(WriteError, match=f"column 'a' has Python objects, which {words} cannot hold"):
            write(several, tmp_path / f"out{suffix}")
    with pytest.raises(WriteError, match="cannot hold"):
        write(read(np.array([[1j], [2j]])), tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["several.csv"]


@pytest.mark.parametrize("suffix", [".tsv", ".tab", ".TSV"])
def test_tabs_go_by_the_ending(suffix: str, tmp_path: Path) -> None:
    write(read(pl.DataFrame({"a": [1, 2], "b": ["x", "y"]})), tmp_path / f"out{suffix}")
    assert (tmp_path / f"out{suffix}").read_text() == "a\tb\n1\tx\n2\ty\n"


@pytest.mark.skipif(not FULL_DISK.exists(), reason="no device stands for a full disk here")
@pytest.mark.parametrize("kind", FILES.values())
def test_full_disk_is_an_error_of_the_system(kind: FileKind, tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": range(20_000)})
    spool = ColumnSpool(tmp_path / "spool")
    spool.append_batches(frame, 5_000)
    with pytest.raises(OSError, match="No space left on device"):
        save_frame(frame, FULL_DISK, kind)
    with pytest.raises(OSError, match="No space left on device"):
        save_batches(spool, FULL_DISK, kind)
