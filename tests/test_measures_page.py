"""The page of measures is that of the catalogues, and every figure is on it."""

from pathlib import Path

import measures_page
from microagg.measure.risk_catalogue import RISK_FIGURES
from microagg.measure.utility_catalogue import UTILITY_FIGURES

PAGE = (Path(__file__).parents[1] / "docs" / "measures.md").read_text()


def test_page_is_that_of_the_catalogues() -> None:
    assert measures_page.page() == PAGE, "write it anew: python benchmarks/measures_page.py"


def test_every_figure_is_on_the_page() -> None:
    for name, figure in {**UTILITY_FIGURES, **RISK_FIGURES}.items():
        assert f"### `{name}`: {figure.title}\n" in PAGE
        assert figure.sentence in PAGE
