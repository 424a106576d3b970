"""What a release holds of a record that is left out: neither its category nor its text, in memory or in a file."""

import pickle
import subprocess
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

from command_line import start
from large_sources import large_table, small_batches
from microagg import VerificationError, protect, read, write
from microagg.source import polars_columns, polars_files

_ONLY = "ASTRONAUT, the only one of them"  # polars keeps texts of up to 12 bytes apart
_JOBS = ["a", "b"] * 19 + ["a", _ONLY]
_LEVELS = ["a", _ONLY, "b", "of nobody"]
_NUMBERS = {"x": [float(number) for number in range(len(_JOBS))]}
_DICTIONARY = pa.dictionary(pa.int8(), pa.string())
_NESTED = [[job] for job in _JOBS]
_ARROW = pd.ArrowDtype(_DICTIONARY)

FRAMES = {
    "text": pl.DataFrame({**_NUMBERS, "job": _JOBS}),
    "categorical": pl.DataFrame({**_NUMBERS, "job": pl.Series(_JOBS, dtype=pl.Categorical)}),
    "enum": pl.DataFrame({**_NUMBERS, "job": pl.Series(_JOBS, dtype=pl.Enum(_LEVELS))}),
    "list": pl.DataFrame({**_NUMBERS, "job": _JOBS, "l": pl.Series(_NESTED, dtype=pl.List(pl.Enum(_LEVELS)))}),
    "array": pl.DataFrame({**_NUMBERS, "job": _JOBS, "l": pl.Series(_NESTED, dtype=pl.Array(pl.Enum(_LEVELS), 1))}),
    "struct": pl.DataFrame({**_NUMBERS, "job": pl.Series(_JOBS, dtype=pl.Enum(_LEVELS))}).with_columns(
        pl.struct("job").alias("s")
    ),
    "pandas": pd.DataFrame({**_NUMBERS, "job": pd.Categorical(_JOBS)}),
    "pandas ordered": pd.DataFrame({**_NUMBERS, "job": pd.Categorical(_JOBS, _LEVELS, ordered=True)}),
    "pandas of arrow": pd.DataFrame({**_NUMBERS, "job": pd.Series(_JOBS, dtype=_ARROW)}),
    "pandas index": pd.DataFrame({**_NUMBERS, "job": _JOBS}, index=pd.CategoricalIndex(_JOBS)),
    "pandas two indices": pd.DataFrame(
        {**_NUMBERS, "job": _JOBS}, index=pd.MultiIndex.from_arrays([pd.Categorical(_JOBS), _JOBS])
    ),
    "arrow": pa.table({**_NUMBERS, "job": pa.array(_JOBS, _DICTIONARY)}),
    "arrow ordered": pa.table(
        {
            **_NUMBERS,
            "job": pa.DictionaryArray.from_arrays([_LEVELS.index(job) for job in _JOBS], _LEVELS, ordered=True),
        }
    ),
    "arrow list": pa.table({**_NUMBERS, "job": _JOBS, "l": pa.array(_NESTED, pa.list_(_DICTIONARY))}),
}


@pytest.fixture
def uncompressed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write Parquet files without compression, so that their bytes can be searched."""
    monkeypatch.setattr(polars_files, "_write", partial(polars_files._write, compression="uncompressed"))


@pytest.mark.usefixtures("uncompressed")
@pytest.mark.parametrize("name", FRAMES)
def test_neither_memory_nor_files_hold_it(name: str, tmp_path: Path) -> None:
    release = protect(FRAMES[name], 3, columns=["x"], strata=["job"], small_strata="suppress", method="mdav")
    assert len(release.data) == len(_JOBS) - 1
    held = {"memory": pickle.dumps(release.data)}
    for ending in ("parquet", "arrow"):
        path = tmp_path / f"out.{ending}"
        release.write(path)
        held[ending] = path.read_bytes()
    if isinstance(release.data, pl.DataFrame):
        release.data.write_ipc(by_polars := BytesIO())
        held["written by polars"] = by_polars.getvalue()
    assert [where for where, data in held.items() if b"ASTRONAUT" in data or b"of nobody" in data] == []


def test_memory_does_not_hold_text_of_a_csv_file(tmp_path: Path) -> None:
    FRAMES["text"].write_csv(tmp_path / "in.csv")
    release = protect(tmp_path / "in.csv", 3, columns=["x"], strata=["job"], small_strata="suppress", method="mdav")
    assert b"ASTRONAUT" not in pickle.dumps(release.data)


@pytest.mark.parametrize("dtype", [pl.Categorical(), pl.Enum([*_LEVELS, *map(str, range(9000))])], ids=["cat", "enum"])
@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize("is_large", [False, True])
def test_stored_dictionaries_are_those_of_the_released_records(
    dtype: pl.DataType, ending: str, is_large: bool, tmp_path: Path
) -> None:
    """Read by another library, which shows the dictionaries as they are stored."""
    jobs = [*map(str, range(9000)), *_JOBS]
    pl.DataFrame({"job": pl.Series(jobs, dtype=dtype)}).write_parquet(tmp_path / "in.parquet")
    with small_batches(4000):
        table = large_table(tmp_path / "in.parquet", tmp_path) if is_large else read(tmp_path / "in.parquet")
        write(table.in_order(np.arange(len(jobs) - 1)), tmp_path / f"out.{ending}")
    stored = {job for piece in _stored_dictionaries(tmp_path / f"out.{ending}") for job in piece}
    assert sorted(stored) == sorted({*jobs} - {_ONLY})


def _stored_dictionaries(path: Path) -> list[list[str]]:
    if path.suffix == ".parquet":
        jobs = pq.ParquetFile(path, read_dictionary=["job"]).read()["job"]
    else:
        with pa.memory_map(str(path)) as file:
            jobs = pa.ipc.open_file(file).read_all()["job"]
    return [chunk.dictionary.to_pylist() for chunk in jobs.chunks]


def test_levels_keep_their_order_and_all_stay_where_no_record_is_left_out() -> None:
    jobs = [job for job in _JOBS if job != _ONLY]
    enum = pl.DataFrame({"x": range(len(jobs)), "job": pl.Series(jobs, dtype=pl.Enum(_LEVELS[::-1]))})
    assert protect(enum, 3, columns=["x"]).data.schema["job"] == enum.schema["job"], "released unchanged"
    left_out = {"columns": ["x"], "strata": ["job"], "small_strata": "suppress", "method": "mdav"}
    assert protect(FRAMES["enum"], 3, **left_out).data.schema["job"] == pl.Enum(["a", "b"])  # type: ignore[arg-type]
    ordered = protect(FRAMES["pandas ordered"], 3, **left_out).data["job"]  # type: ignore[arg-type]
    assert ordered.dtype == pd.CategoricalDtype(["a", "b"], ordered=True)
    table = protect(FRAMES["arrow ordered"], 3, **left_out).data  # type: ignore[arg-type]
    assert table.schema.field("job").type.ordered
    assert table["job"].chunk(0).dictionary.to_pylist() == ["a", "b"]
    assert table["job"].to_pylist() == jobs


def test_the_command_line_leaves_it_out(tmp_path: Path) -> None:
    FRAMES["categorical"].write_parquet(tmp_path / "in.parquet")
    left_out = ["--columns", "x", "--strata", "job", "--small-strata", "suppress", "--method", "mdav"]
    for name in ("out.parquet", "out.arrow"):
        command = ["protect", tmp_path / "in.parquet", "-k", 3, "-o", tmp_path / name, *left_out]
        started = start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        _, err = started.communicate()
        assert (started.returncode, "verified" in err) == (0, True)
        assert _stored_dictionaries(tmp_path / name) == [["a", "b"]]


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize("name", ["enum", "list"])
def test_a_file_that_holds_it_is_refused(
    name: str, ending: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(polars_columns, "_with_occurring_categories", lambda series: series)
    release = protect(FRAMES[name], 3, columns=["x"], strata=["job"], small_strata="suppress", method="mdav")
    with pytest.raises(VerificationError, match=r"^column '(job|l)' of the file stores a category that no record of"):
        release.write(tmp_path / f"out.{ending}")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_version_of_polars_that_stores_it_is_refused(
    ending: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def with_all_categories(frame: pl.DataFrame, file: Any, *_: object, **__: object) -> None:
        """Write a file as polars 1.30 does: the categories before the selection, and the values."""
        file.write(b"here elsewhere" + repr(frame).encode())

    monkeypatch.setattr(polars_files, "_write", with_all_categories)
    polars_files._stores_other_categories.cache_clear()
    release = protect(FRAMES["categorical"], 3, columns=["x"], strata=["job"], small_strata="suppress", method="mdav")
    with pytest.raises(VerificationError, match=r"^polars \S+ stores categories of records that are left out in an? "):
        release.write(tmp_path / f"out.{ending}")
    polars_files._stores_other_categories.cache_clear()
    assert [*tmp_path.iterdir()] == []
