"""Charts are well-formed pictures that draw the numbers they are given."""

import re

import pytest

from microagg.report.charts import Caption, category_bars, group_sizes, histogram
from microagg.report.charts.svg import AFTER, BEFORE
from svg_checks import parsed_picture, texts_of

CAPTION = Caption("c1", "Title <b>", "What & 'why'")
HOSTILE = "<script>alert(1)</script>\x00\n\"'&\ud800"


def paths(svg: str, colour: str, attribute: str = "fill") -> list[str]:
    """Return the commands of the paths of a colour."""
    return [str(one.get("d")) for one in parsed_picture(svg).iter("path") if one.get(attribute) == colour]


def heights(commands: str) -> list[float]:
    """Return the vertical coordinates that the outline of a histogram takes, one after another."""
    return [float(number) for number in re.findall(r"V(-?[\d.]+)", commands)]


def test_histogram_overlays_before_and_after() -> None:
    svg = histogram(CAPTION, [0.0, 1.0, 2.0, 3.0], after=[0, 4, 0], before=[2, 0, 2])
    (area,) = paths(svg, BEFORE)
    (line,) = paths(svg, AFTER, "stroke")
    base, top = 186.0, 26.0
    assert heights(line) == [top, base, base]
    assert heights(area) == [(base + top) / 2, base, (base + top) / 2, base]


def test_histogram_of_the_release_alone_has_no_area() -> None:
    svg = histogram(CAPTION, [0.0, 1.0], after=[3])
    assert paths(svg, BEFORE) == []
    assert len(paths(svg, AFTER, "stroke")) == 1


def test_histogram_has_ticks_at_round_numbers() -> None:
    texts = texts_of(parsed_picture(histogram(CAPTION, [130.0, 517.5, 905.0], [3, 5])))
    assert [text for text in texts if text.endswith("00")] == ["200", "400", "600", "800"]
    assert {"0", "2", "4", "records"} <= set(texts)


def test_histogram_of_dates_has_years() -> None:
    svg = histogram(CAPTION, [0.0, 3000.0, 6000.0], [1, 1], unit="days since 1970-01-01")
    assert "1975" in texts_of(parsed_picture(svg))


@pytest.mark.parametrize("svg", [histogram(CAPTION, [], []), group_sizes(CAPTION, [])])
def test_chart_without_values_says_so(svg: str) -> None:
    assert texts_of(parsed_picture(svg)) == ["no values"]


def test_histogram_of_equal_values_and_of_none_in_the_bins() -> None:
    parsed_picture(histogram(CAPTION, [5.0, 5.0], [7]))
    parsed_picture(histogram(CAPTION, [4.5, 5.5], [0]))


def test_bars_show_every_category_with_both_counts() -> None:
    texts = texts_of(parsed_picture(category_bars(CAPTION, ["a", "b"], after=[30, 0], before=[20, 12345])))
    assert texts == ["a", "20", "30", "b", "12\u202f345", "–"]


def test_bars_are_as_long_as_counts() -> None:
    svg = category_bars(CAPTION, ["a", "b"], after=[40, 10])
    long, short = (float(re.findall(r"h([\d.]+)", one)[0]) for one in paths(svg, AFTER))
    assert long == pytest.approx(4 * short, abs=0.3)


def test_long_names_of_categories_are_cut() -> None:
    texts = texts_of(parsed_picture(category_bars(CAPTION, ["y" * 99], after=[1])))
    assert texts[0] == "y" * 17 + "…"


def test_every_size_has_a_bar_and_k_is_marked() -> None:
    svg = group_sizes(CAPTION, [(3, 20), (4, 5), (7, 1)], k=3)
    (bars,) = paths(svg, AFTER)
    assert bars.count("M") == 3
    assert {"k = 3", "records in a group", "groups"} <= set(texts_of(parsed_picture(svg)))


def test_many_sizes_are_counted_in_ranges() -> None:
    (bars,) = paths(group_sizes(CAPTION, [(size, 1) for size in range(3, 1003)], k=3), AFTER)
    assert bars.count("M") == 20  # of 50 sizes each


def test_few_large_groups_are_counted_in_one_bar() -> None:
    svg = group_sizes(CAPTION, [(3, 99), (4, 100), (500, 1), (900, 2)], k=3)
    (bars,) = paths(svg, AFTER)
    assert bars.count("M") == 3
    assert "42 and more" in texts_of(parsed_picture(svg))


@pytest.mark.parametrize(
    "svg",
    [
        histogram(Caption("h", HOSTILE, HOSTILE), [0.0, 1.0], [1]),
        category_bars(Caption("b", HOSTILE, HOSTILE), [HOSTILE], [1], [2]),
        group_sizes(Caption("g", HOSTILE, HOSTILE), [(3, 1)]),
    ],
)
def test_hostile_texts_are_escaped_and_can_be_encoded(svg: str) -> None:
    root = parsed_picture(svg)
    assert "<script" not in svg
    assert root[0].text == "<script>alert(1)</script>\ufffd↵\"'&\ufffd"
    svg.encode()


def test_the_same_numbers_give_the_same_bytes() -> None:
    drawn = {histogram(CAPTION, [0.0, 0.1, 0.3], [1, 2], [2, 1]) for _ in range(2)}
    assert len(drawn) == 1
