"""Plots with the real matplotlib: every kind of column, hostile names, many columns; and nothing of pyplot."""

import subprocess
import sys
from datetime import date
from io import BytesIO
from typing import Any

import numpy as np
import polars as pl
import pytest

from candidates import candidate, on_front
from microagg import Aim, Candidate, Comparison, InputError, assess, compare, protect
from microagg.plots import plot
from microagg.plots.plot_text import plain_text
from microagg.recommend import recommend

pytest.importorskip("matplotlib", reason="plots need matplotlib")

RNG = np.random.default_rng(2)
N = 40
HOSTILE = "$\\frac{<b>&\n\t%s " + 60 * "long "
PEOPLE = pl.DataFrame(
    {
        "age": RNG.integers(18, 90, N),
        HOSTILE: RNG.lognormal(9, 1, N),
        "born": [date(1950 + int(year), 1, 1) for year in RNG.integers(0, 60, N)],
        "sex": RNG.choice(["f", "m"], N),
        "job": RNG.choice([f"$job_{number}" for number in range(12)], N),
        "constant": np.ones(N),
    }
)


def _drawn(figure: Any) -> bytes:
    """Draw a figure as a notebook does."""
    picture = figure._repr_png_()
    assert picture.startswith(b"\x89PNG")
    figure.savefig(BytesIO(), format="svg")
    return bytes(picture)


def _texts(figure: Any) -> str:
    from matplotlib.text import Text

    return "\n".join(text.get_text() for text in figure.findobj(Text))


def test_a_release_of_any_columns() -> None:
    release = protect(PEOPLE, k=4, method="mdav", columns=PEOPLE.columns)
    figure = release.plot()
    _drawn(figure)
    assert "k = 4, information loss" in _texts(figure)
    assert "records in a group" in _texts(figure)
    assert len(figure.axes[0].patches) == 6


def test_a_release_with_everything_measured_shows_distributions() -> None:
    release = protect(PEOPLE, k=4, method="mdav", columns=PEOPLE.columns, measures="all")
    figure = release.plot()
    _drawn(figure)
    assert len(figure.axes) == 6
    assert "before (grey) and after (blue)" in _texts(figure)
    assert "others" in _texts(figure)


def test_an_assessment() -> None:
    before = [[0.0], [2.0], [10.0], [12.0]]
    figure = assess(before, [[1.0], [1.0], [11.0], [11.0]]).plot()
    _drawn(figure)
    assert len(figure.axes) == 1


def test_values_that_are_all_missing() -> None:
    table = pl.DataFrame({"x": [1.0, 2.0, 5.0, 6.0], "y": pl.Series([None] * 4, dtype=pl.Float64)})
    release = protect(table, k=2, columns=["x", "y"], missing="available", measures="all")
    figure = release.plot()
    _drawn(figure)
    assert "no values" in _texts(figure)


def test_twenty_columns_and_more() -> None:
    wide = RNG.normal(size=(30, 20))
    figure = protect(wide, k=3, method="mdav").plot()
    _drawn(figure)
    assert len(figure.axes[0].patches) == 20
    wider = RNG.normal(size=(12, 70))
    release = protect(wider, k=3, method="mdav", measures="all")
    figure = release.plot()
    assert "the first 30 of 70 columns" in _texts(figure)
    assert "the first 60 of 70 columns" in _texts(protect(wider, k=3, method="mdav").plot())


def test_groups_of_many_sizes_and_several_column_sets() -> None:
    numbers = np.repeat(np.arange(40.0), np.arange(1, 41))
    release = protect(numbers[:, None], k=1, method="univariate", allow_k1=True)
    _drawn(release.plot())
    sets: Any = [{"columns": ["0"], "k": 2}, {"columns": ["1"], "k": 3}]
    figure = protect(RNG.normal(size=(20, 2)), sets=sets, method="mdav").plot()
    _drawn(figure)
    assert "k = 2, 3, information loss" in _texts(figure)


def test_a_comparison() -> None:
    figure = compare(PEOPLE, k=(2, 4, 400), methods=["mdav", "mondrian"], columns=["age", HOSTILE]).plot()
    _drawn(figure)
    texts = _texts(figure)
    assert "information loss in % (less is better)" in texts
    assert "record linkage by distance in % (less is better)" in texts
    assert "recommended: k = " in texts
    assert "2 candidates not shown" in texts


def test_limits_and_directions_are_drawn() -> None:
    aim = Aim(max_loss=5.0, max_risk=30.0)
    candidates = on_front([candidate(3, 2.0, 20.0), candidate(5, 4.0, 12.0), candidate(10, 9.0, 7.0, "search")])
    figure = Comparison(candidates, aim, *recommend(candidates, aim), None, 100).plot()
    _drawn(figure)
    assert _texts(figure).count("acceptable at most") == 2


def test_a_comparison_without_any_place_is_empty() -> None:
    failed = (Candidate(3, "exact", error="No."),)
    figure = Comparison(failed, Aim(), None, "Nothing.", None, 10).plot()
    _drawn(figure)
    assert "1 candidate not shown" in _texts(figure)


def test_names_are_no_formulas() -> None:
    assert plain_text("a\n b") == "a b"
    assert plain_text("5 $ or $6") == r"5 \$ or \$6"
    assert plain_text("x" * 40, 10) == "x" * 9 + "…"


def test_other_objects_have_no_plot() -> None:
    with pytest.raises(TypeError, match="there is no plot of an object of type str"):
        plot("text")


def test_without_matplotlib_it_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "microagg.plots.notebook_figure", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(InputError, match=r"plots need matplotlib, .* run pip install 'microagg\[plot\]'"):
        protect([[1.0], [2.0]], k=2).plot()


def test_pyplot_is_left_alone() -> None:
    program = (
        "import sys, microagg; assert 'matplotlib' not in sys.modules; "
        "microagg.protect([[1.0], [2.0]], k=2).plot()._repr_png_(); "
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
