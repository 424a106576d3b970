"""Section of a document about other choices: the risk–utility map, every candidate, and what is recommended."""

from microagg.report import words
from microagg.report.charts import Caption, MapPoint, risk_utility_map
from microagg.report.comparison_sections import axis_titles
from microagg.report.document_parts.figure_sections import figure_value
from microagg.report.document_parts.html_elements import Markup, figure, notice, paragraph, section, table
from microagg.report.facts import Facts
from microagg.report.shown_text import number_text, shown_name


def map_section(comparison: Facts | None) -> Markup:
    """Return the choices that were compared, on a map and in a table; nothing where none were."""
    if comparison is None:
        return Markup()
    points = _points(comparison)
    caption = Caption("risk-utility-map", words.MAP_TITLE, words.MAP_DESCRIPTION.format(n=len(points)))
    chart = risk_utility_map(caption, points, *axis_titles(comparison))
    return section(
        "comparison",
        words.HEADINGS["comparison"],
        _recommendation(comparison),
        paragraph(words.MAP_INTRODUCTION),
        figure(chart, words.MAP_TITLE, wide=True),
        _candidates(comparison),
        *_failures(comparison),
    )


def _recommendation(comparison: Facts) -> Markup:
    if comparison["recommended"] is None:
        return notice("warning", words.NOT_RECOMMENDED, comparison["reason"])
    return notice("good", words.RECOMMENDED.format(choice=_name(comparison["recommended"])), comparison["reason"])


def _points(comparison: Facts) -> list[MapPoint]:
    """Return the candidates of which both figures are known."""
    found = []
    for one in comparison["candidates"]:
        loss, risk = (one["values"].get(comparison[axis]) for axis in ("utility", "risk"))
        if loss is not None and risk is not None:
            found.append(MapPoint(_name(one), loss, risk, one["on_front"], one["recommended"]))
    return found


def _name(candidate: Facts) -> str:
    return words.CHOICE.format(k=candidate["k"], method=shown_name(candidate["method"]))


def _candidates(comparison: Facts) -> Markup:
    """Return the two figures of the map, of each candidate that was made."""
    axes = [comparison["utility"], comparison["risk"]]
    shown = [one for one in comparison["figures"] if one["name"] in axes]
    rows = [
        [
            _name(one),
            *(figure_value({**each, "value": one["values"].get(each["name"])}) for each in shown),
            number_text(one["k_reached"]),
            _place(one),
        ]
        for one in comparison["candidates"]
        if one["error"] is None
    ]
    head = (words.MAP_CHOICE, *(one["title"] for one in shown), words.MAP_K_REACHED, words.MAP_PLACE)
    numbers = range(1, len(shown) + 2)
    return table(words.MAP_CAPTION, head, rows, numbers)


def _place(candidate: Facts) -> str:
    if candidate["recommended"]:
        return words.CHART_RECOMMENDED
    return words.MAP_ON_FRONT if candidate["on_front"] else words.NOTHING


def _failures(comparison: Facts) -> list[Markup]:
    rows = [[_name(one), one["error"]] for one in comparison["candidates"] if one["error"] is not None]
    return [table(words.MAP_FAILURES, words.MAP_FAILURES_HEAD, rows, names=(0, 1))]
