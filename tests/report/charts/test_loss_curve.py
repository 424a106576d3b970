"""The curve of a run is drawn in steps: the loss falls, the bound rises, and the last of both is told."""

import re

import pytest

from microagg.report.charts import Caption, CurvePoint, loss_curve
from microagg.report.charts.svg import AFTER, MARK
from svg_checks import parsed_picture, texts_of

CAPTION = Caption("run", "Curve <b>", "Of loss & bound")
RUN = [CurvePoint(0.0, 8.0), CurvePoint(2.0, 6.0, 3.0), CurvePoint(4.0, None, 5.0), CurvePoint(10.0, 5.5)]


def line(points: list[CurvePoint], colour: str) -> str:
    """Return the commands of the line of a colour."""
    (found,) = [one for one in parsed_picture(loss_curve(CAPTION, points)).iter("path") if one.get("stroke") == colour]
    return str(found.get("d"))


def heights(commands: str) -> list[float]:
    """Return the heights of a line from step to step."""
    return [float(number) for number in re.findall(r"(?:M[\d.]+ |V)([\d.]+)", commands)]


def test_the_loss_falls_and_the_bound_rises_in_steps() -> None:
    falling = heights(line(RUN, AFTER))
    assert falling == sorted(falling), "less is further down"
    rising = heights(line(RUN, MARK))
    assert rising == sorted(rising, reverse=True)
    assert falling[-1] < rising[-1], "the bound stays below the loss"


def test_a_value_holds_until_the_next_is_told() -> None:
    places = [float(number) for number in re.findall(r"[MH]([\d.]+)", line(RUN, MARK))]
    left, right = 46.0, 826.0
    assert places == [left + 0.2 * (right - left), left + 0.4 * (right - left), right]


def test_the_last_values_are_told() -> None:
    texts = texts_of(parsed_picture(loss_curve(CAPTION, RUN)))
    assert {"loss 5.50\u202f%", "bound 5.00\u202f%", "time in seconds"} <= set(texts)


def test_a_bound_is_never_rounded_up() -> None:
    texts = texts_of(parsed_picture(loss_curve(CAPTION, [CurvePoint(0.0, 6.0), CurvePoint(1.0, 6.0, 5.999)])))
    assert "bound 5.99\u202f%" in texts


def test_nothing_is_told_of_a_bound_that_is_not_proved() -> None:
    points = [CurvePoint(0.0, 8.0), CurvePoint(1.0, 7.0)]
    assert line(points, MARK) == ""
    assert not any("bound" in text for text in texts_of(parsed_picture(loss_curve(CAPTION, points))))


@pytest.mark.parametrize(
    ("end", "unit", "tick"), [(299.0, "seconds", "200"), (900.0, "minutes", "10"), (20e3, "hours", "5")]
)
def test_long_runs_are_told_in_minutes_and_hours(end: float, unit: str, tick: str) -> None:
    texts = texts_of(parsed_picture(loss_curve(CAPTION, [CurvePoint(0.0, 8.0), CurvePoint(end, 7.0)])))
    assert {f"time in {unit}", tick} <= set(texts)


@pytest.mark.parametrize("points", [[], [CurvePoint(3.0)]])
def test_a_run_that_told_nothing_says_so(points: list[CurvePoint]) -> None:
    assert texts_of(parsed_picture(loss_curve(CAPTION, points))) == ["no values"]


@pytest.mark.parametrize("loss", [0.0, 5.0, 100.0])
def test_one_moment_is_drawn_too(loss: float) -> None:
    parsed_picture(loss_curve(CAPTION, [CurvePoint(0.0, loss, loss)]))
