"""Published information losses on the classic data sets."""

import csv
from pathlib import Path

import pytest

from microagg import protect, solve, verify

_rows = (Path(__file__).parent / "golden/mdav.csv").read_text().splitlines()
MDAV = [tuple(row.values()) for row in csv.DictReader(_rows)]


@pytest.mark.parametrize(("name", "k", "loss"), MDAV)
def test_mdav(name, k, loss, classic):
    solution = solve(classic(name), int(k), method="mdav")
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
