"""Heat maps draw the lower triangle of a matrix, by colours that stand for signs and sizes."""

import pytest

from microagg.report.charts.heat_map import _COLOURS, heat_map
from microagg.report.charts.svg import Caption
from svg_checks import parsed_picture, texts_of

CAPTION = Caption("m1", "Map", "Of changes")


def cells(svg: str, colour: str) -> int:
    """Return the number of cells of a colour, but for its one box in the legend."""
    found = [str(one.get("d")) for one in parsed_picture(svg).iter("path") if one.get("fill") == colour]
    return sum(commands.count("M") for commands in found) - 1


def test_colours_tell_sign_and_size() -> None:
    svg = heat_map(CAPTION, ["a", "b", "c"], [[0, 0, 0], [0.2, 0, 0], [-0.2, 0.0, 0]])
    assert [cells(svg, _COLOURS[place]) for place in (0, 4, 8)] == [1, 1, 1]
    assert sum(cells(svg, colour) for colour in _COLOURS) == 3


def test_numbers_are_in_the_cells_where_there_is_room() -> None:
    texts = texts_of(parsed_picture(heat_map(CAPTION, ["a", "b"], [[1, 1], [-0.123, 1]])))
    assert "−.12" in texts
    assert {"−0.2", "0", "0.2"} <= set(texts), "the legend reaches to the next round number"
    names = [f"a column with a long name, number {number}" for number in range(40)]
    many = heat_map(CAPTION, names, [[0.123] * 40 for _ in range(40)])
    assert ".12" not in texts_of(parsed_picture(many))


def test_undefined_cells_are_grey_and_explained() -> None:
    svg = heat_map(CAPTION, ["a", "b"], [[None, None], [None, 1.0]])
    assert {"–", "not defined"} <= set(texts_of(parsed_picture(svg)))
    assert cells(svg, "#d9d9d9") == 1


def test_long_names_are_cut_and_columns_are_numbered() -> None:
    texts = texts_of(parsed_picture(heat_map(CAPTION, ["n" * 80, "b", "c"], [[0.0] * 3 for _ in range(3)])))
    assert "n" * 23 + "…" in texts
    assert texts[:2] == ["1", "n" * 23 + "…"]


@pytest.mark.parametrize("n", [1, 2, 20, 60])
def test_any_number_of_columns_is_drawn(n: int) -> None:
    svg = heat_map(CAPTION, [f"<{number}>" for number in range(n)], [[0.5] * n for _ in range(n)])
    parsed_picture(svg)
    assert cells(svg, _COLOURS[8]) == n * (n - 1) // 2
    assert len(svg) < 1500 + 70 * n * (n - 1) / 2 + 250 * n
