"""The classic data sets are found where the user says."""

import pytest

from microagg import InputError, datasets


def test_load_says_where_it_looked(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="no data set 'iris': known are tarragona, census, eia"):
        datasets.load("iris")
    with pytest.raises(InputError, match="set MICROAGG_DATA to the folder that has census"):
        datasets.load("census", tmp_path)
    monkeypatch.delenv("MICROAGG_DATA")
    with pytest.raises(InputError, match="Set the environment variable MICROAGG_DATA"):
        datasets.load("census")


def test_folder_comes_before_the_environment(tmp_path):
    (tmp_path / "eia.csv").write_text("a\n1\n2\n")
    assert datasets.load("eia", tmp_path).n_records == 2


@pytest.mark.parametrize(("name", "shape"), [("tarragona", (834, 13)), ("census", (1080, 13)), ("eia", (4092, 11))])
def test_shapes(classic, name, shape):
    table = classic(name)
    assert (table.n_records, len(table.names)) == shape
    assert {table.kind(column) for column in table.names} <= {"integer", "number"}


def test_matrix_has_every_column(matrix):
    assert matrix("census").shape == (1080, 13)
