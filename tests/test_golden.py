"""Information losses on the classic data sets."""

import csv
from pathlib import Path

import pytest

from microagg import protect, solve, verify

FIGURES = [
    (method, row["dataset"], int(row["k"]), row["information_loss"])
    for method, file in [("mdav", "mdav.csv"), ("mdav+recut", "recut.csv")]
    for row in csv.DictReader((Path(__file__).parent / "golden" / file).read_text().splitlines())
]


@pytest.mark.parametrize(("method", "name", "k", "loss"), FIGURES)
def test_information_loss(method, name, k, loss, classic):
    """The figures of mdav are published ones; those of recut are ours, as the README states them."""
    solution = solve(classic(name), k, method=method)
    assert f"{solution.information_loss:.4f}" == loss
    assert solution.status == "heuristic"


@pytest.mark.parametrize("name", ["tarragona", "census", "eia"])
def test_the_whole_line_on_a_classic(name, classic):
    table = classic(name)
    release = protect(table, 5)
    assert release.measures.k_reached >= 5
    assert release.measures.information_loss == pytest.approx(release.information_loss, rel=1e-9)
    assert verify(table, release.table, 5, release.columns).passed


@pytest.mark.parametrize("name", ["tarragona", "census", "eia"])
def test_one_column_of_a_classic_is_solved_to_optimality(name, classic):
    table = classic(name)
    for column in table.names[:3]:
        optimal = protect(table, 3, columns=[column], method="univariate")
        assert optimal.status == "optimal"
        assert optimal.gap == 0.0
        assert optimal.sse <= protect(table, 3, columns=[column], method="mdav").sse
