"""The risk–utility map marks the front and the recommended choice, and no name hides another."""

from microagg.report.charts.risk_utility_map import MapPoint, _Box, _room, risk_utility_map
from microagg.report.charts.svg import AFTER, BEFORE, MARK, Caption
from svg_checks import parsed_picture, texts_of

CAPTION = Caption("r1", "Map", "Of choices")
POINTS = [
    MapPoint("k = 3 with mdav", 5.0, 30.0, on_front=True),
    MapPoint("k = 5 with <search>", 8.0, 18.0, on_front=True, recommended=True),
    MapPoint("k = 5 with mdav", 9.0, 19.0),
]


def test_points_front_and_recommendation_are_marked() -> None:
    root = parsed_picture(risk_utility_map(CAPTION, POINTS, "loss", "risk"))
    circles = [(one.get("fill"), one.get("stroke")) for one in root.iter("circle")]
    assert [fill for fill, _ in circles].count(AFTER) == 2
    assert [fill for fill, _ in circles].count(BEFORE) == 1
    assert circles.count(("none", MARK)) == 1
    texts = texts_of(root)
    assert {"k = 5 with <search> (recommended)", "k = 3 with mdav", "loss", "risk"} <= set(texts)


def test_the_front_is_a_line_from_choice_to_choice() -> None:
    root = parsed_picture(risk_utility_map(CAPTION, POINTS, "loss", "risk"))
    (line,) = [one for one in root.iter("path") if one.get("stroke") == AFTER]
    places = [(one.get("cx"), one.get("cy")) for one in root.iter("circle") if one.get("fill") == AFTER]
    assert line.get("d") == "M" + " ".join(f"{x} {y}" for x, y in places)


def test_less_is_left_and_below() -> None:
    root = parsed_picture(risk_utility_map(CAPTION, POINTS, "loss", "risk"))
    first, second = [one for one in root.iter("circle") if one.get("fill") == AFTER]
    assert float(str(first.get("cx"))) < float(str(second.get("cx")))
    assert float(str(first.get("cy"))) < float(str(second.get("cy")))


def test_no_name_hides_another() -> None:
    crowd = [MapPoint(f"choice number {number}", 1.0 + number / 1000, 2.0) for number in range(30)]
    texts = texts_of(parsed_picture(risk_utility_map(CAPTION, crowd, "loss", "risk")))
    assert 0 < sum(text.startswith("choice") for text in texts) < 30


def test_a_name_goes_where_there_is_room() -> None:
    right = _room(300.0, 200.0, 60.0, [])
    assert right is not None
    assert right.left > 300.0
    left = _room(300.0, 200.0, 60.0, [right])
    assert left is not None
    assert left.right < 300.0
    assert _room(300.0, 200.0, 60.0, [_Box(0.0, 0.0, 999.0, 999.0)]) is None


def test_one_choice_and_none() -> None:
    parsed_picture(risk_utility_map(CAPTION, POINTS[:1], "loss", "risk"))
    assert texts_of(parsed_picture(risk_utility_map(CAPTION, [], "loss", "risk"))) == ["no values"]
    parsed_picture(risk_utility_map(CAPTION, [MapPoint("zero", 0.0, 0.0)], "loss", "risk"))
