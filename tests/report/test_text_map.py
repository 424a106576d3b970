"""Maps as plain text."""

from hypothesis import given
from hypothesis import strategies as st

from microagg.report.text_map import MarkedPoint, text_map

numbers = st.floats(-1e6, 1e6)


def test_a_map_made_by_hand() -> None:
    lines = text_map([MarkedPoint(0.0, 0.0, "a"), MarkedPoint(10.0, 20.0, "b")], "loss", "risk").splitlines()
    assert lines[0] == "risk"
    assert lines[1] == "20 |" + " " * 59 + "b"
    assert lines[14] == " 0 |a"
    assert lines[15] == "   +" + "-" * 60
    assert lines[16] == "    0" + " " * 57 + "10"
    assert lines[17] == "    " + " " * 56 + "loss"
    assert len(lines) == 18


def test_the_first_of_several_points_at_a_place_is_shown() -> None:
    drawn = text_map([MarkedPoint(1.0, 1.0, mark) for mark in "abc"], "x", "y")
    assert "|a" in drawn
    assert "b" not in drawn


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
def test_every_map_has_the_same_size_and_shows_the_first_point(places: list[tuple[float, float]]) -> None:
    points = [MarkedPoint(x, y, "o") for x, y in places]
    points[0] = points[0]._replace(mark="@")
    lines = text_map(points, "x", "y").splitlines()
    assert len(lines) == 18
    assert sum(line.count("@") for line in lines) == 1
    assert len({line.index("|") for line in lines[1:15]}) == 1
