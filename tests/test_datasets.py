"""The classic data sets are found in the folder that the user names."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from microagg import InputError, Table, datasets
from microagg.model.arrays import FloatArray


def test_error_says_where_a_data_set_was_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no data set 'iris': known are 'tarragona', 'census', 'eia'"):
        datasets.load("iris")
    with pytest.raises(InputError, match="no data set 'Census': did you mean 'census'"):
        datasets.load("Census")
    with pytest.raises(InputError, match="set MICROAGG_DATA to the folder that has census"):
        datasets.load("census", tmp_path)
    monkeypatch.delenv("MICROAGG_DATA")
    with pytest.raises(InputError, match="set the environment variable MICROAGG_DATA"):
        datasets.load("census")


def test_folder_comes_before_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROAGG_DATA", str(tmp_path / "elsewhere"))
    (tmp_path / "eia.csv").write_text("a\n1\n2\n")
    assert datasets.load("eia", tmp_path).n_records == 2
    monkeypatch.setenv("MICROAGG_DATA", str(tmp_path))
    assert datasets.load("eia").n_records == 2


def test_matrix_has_every_column(tmp_path: Path) -> None:
    (tmp_path / "eia.csv").write_text("a,b\n1,2.5\n3,4\n")
    np.testing.assert_array_equal(datasets.matrix("eia", tmp_path), [[1.0, 2.5], [3.0, 4.0]])


@pytest.mark.parametrize(("name", "shape"), [("tarragona", (834, 13)), ("census", (1080, 13)), ("eia", (4092, 11))])
def test_shapes(classic: Callable[[str], Table], name: str, shape: tuple[int, int]) -> None:
    table = classic(name)
    assert (table.n_records, len(table.names)) == shape
    assert {table.kind(column) for column in table.names} <= {"integer", "number"}


def test_matrix_of_a_classic_data_set(matrix: Callable[[str], FloatArray]) -> None:
    assert matrix("census").shape == (1080, 13)
