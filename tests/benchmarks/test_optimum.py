"""The optima that are published are partitions with the sse that is printed, and the page of the gaps is up to date."""

import json
from collections.abc import Callable

import numpy as np
import pytest

import optimal_partitions
import optimum
from documents import kept_pictures
from microagg.model.arrays import FloatArray
from optimum import Cell, Figure
from prove_optima import CELLS

KEPT = [cell for cell in CELLS if optimal_partitions.is_kept(*cell)]
EIA = Cell("eia", 3, 0.348903, 0.348902, 157.048)


@pytest.mark.parametrize(("name", "k"), KEPT)
def test_labels_are_the_optimum(name: str, k: int, matrix: Callable[[str], FloatArray]) -> None:
    X = matrix(name)
    labels = optimal_partitions.read_labels(name, k)
    sizes = np.bincount(labels)
    sse = optimal_partitions.sse_of(X, labels)
    assert len(labels) == len(X)
    assert sizes.min() >= k
    assert sse == pytest.approx(optimum.cells()[name, k].sse, rel=1e-9)
    assert f"{100 * sse / X.size:.6f}" == f"{optimum.cells()[name, k].loss:.6f}"
    assert f"| {sse:.6f} | {len(sizes)} |" in optimum.PAGE.read_text()


@pytest.mark.parametrize(("name", "k"), KEPT)
def test_certificates_prove_the_optimum(name: str, k: int) -> None:
    path = optimal_partitions.certificate_path(name, k)
    certificate = json.loads(path.read_text())
    assert certificate["sse"] - certificate["lower_bound"] <= 1e-7 * certificate["sse"]
    assert path.stat().st_size < 1e6


def test_page_is_what_the_results_make() -> None:
    with kept_pictures():
        assert optimum.PAGE.read_text() == optimum.text(), "make optimum"


def test_excess_of_a_rounded_figure_may_be_nought() -> None:
    rounded = Figure("paper", "method", EIA, "0.35", None)
    exact = Figure("paper", "method", EIA, "0.3500", 0.35)
    assert rounded.may_be_below
    assert not exact.may_be_below
    assert rounded.text == "0.35 +0.31 %† · –"
    assert exact.text == "0.3500 +0.31 % · 0.3500 +0.31 %"
    assert "0.35, which stands for an excess between -1.12 and +1.75 %" in optimum.rounding([rounded, exact])
    assert optimum.rounding([exact]).startswith("No figure")


def test_a_figure_below_the_optimum_is_named() -> None:
    assert "however they were rounded: method, EIA, k = 3: 0.34." in optimum.rounding(
        [Figure("paper", "method", EIA, "0.34", None)]
    )


def test_every_cell_has_a_floor() -> None:
    cells = optimum.cells()
    assert len(cells) == 12
    assert [cell.proved for cell in cells.values()] == [True] * 5 + [False] * 7
    assert all(cell.floor <= cell.loss for cell in cells.values())
