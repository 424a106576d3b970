"""Sections of a document with pictures: columns before and after, correlations, and sizes of groups."""

import math
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from microagg.model.assessment import QUANTILE_LEVELS
from microagg.report import words
from microagg.report.charts import Caption, category_bars, group_sizes, heat_map, histogram
from microagg.report.document_parts.html_elements import Markup, element, figure, paragraph, section, table
from microagg.report.facts import Facts
from microagg.report.shown_text import number_text, percent_text, shown_name, value_text

_MAX_PAIRS = 10  # of columns, in the table of correlations
_MAX_EIGENVALUES = 5
_DAYS_WITHOUT_HOURS = 100  # dates that are farther apart are told without hours
_PLACES = {level: place for place, level in enumerate(QUANTILE_LEVELS)}


class ChartedGroups(NamedTuple):
    """Groups of records that share their values in some columns.

    Parameters
    ----------
    title
        What the chart is about.
    sizes
        Sizes of groups, and how many groups have each.
    k
        Smallest size that is allowed; None where it is not known.
    """

    title: str
    sizes: Sequence[Sequence[int]]
    k: int | None


def distributions_section(assessment: Facts | None) -> Markup:
    """Return how the values of each column are distributed, before and after."""
    if assessment is None:
        return Markup()
    keys = count(1)
    columns = [_numbers(one, f"d{next(keys)}") for one in assessment["numbers"]]
    columns += [_categories(one, f"d{next(keys)}") for one in assessment["categories"]]
    if not columns:
        return Markup()
    heading = words.HEADINGS["released-distributions" if assessment["rounded"] else "distributions"]
    legend = Markup() if assessment["rounded"] else _legend()
    return section("distributions", heading, legend, *columns)


def _legend() -> Markup:
    """Return what the two colours stand for."""
    before = element("span", "", class_="swatch", aria_hidden="true")
    after = element("span", "", class_="swatch line", aria_hidden="true")
    return element(
        "p",
        element("span", before, words.LEGEND_BEFORE),
        element("span", after, words.LEGEND_AFTER),
        class_="legend",
    )


def _numbers(column: Facts, key: str) -> Markup:
    name = shown_name(column["name"])
    before = column["before"]
    after = column["after"]
    unit = column["unit"]
    shown = after if before is None else before
    edges = shown["bins"]
    template = words.HISTOGRAM_DESCRIPTION_PUBLIC if before is None else words.HISTOGRAM_DESCRIPTION
    ends = [value_text(edge, unit) for edge in (edges[0], edges[-1])] if edges else [words.NOTHING] * 2
    caption = Caption(
        key,
        words.HISTOGRAM_TITLE.format(name=name),
        template.format(n=number_text(shown["count"]), low=ends[0], high=ends[1]),
    )
    if before is None:
        chart = histogram(caption, edges, after["counts"], None, unit)
    else:
        chart = histogram(caption, edges, column["after_counts"], column["before_counts"], unit)
    return figure(chart, name, _statistics(name, before, after, unit))


def _statistics(name: str, before: Facts | None, after: Facts, unit: str | None) -> Markup:
    """Return moments and quantiles, those of the original only where they may be shown."""
    both = [after] if before is None else [before, after]
    whole = bool(after["quantiles"]) and after["quantiles"][-1] - after["quantiles"][0] > _DAYS_WITHOUT_HOURS
    rows = []
    for key, title in words.STATISTICS.items():
        cells = [_statistic(one, key, unit, whole=whole) for one in both]
        if set(cells) != {words.NOTHING}:
            rows.append([title, *cells])
    for level, title in words.QUANTILES.items():
        values = [one["quantiles"][_PLACES[level]] if one["quantiles"] else None for one in both]
        rows.append([title, *(value_text(value, unit, whole=whole) for value in values)])
    head = words.STATISTICS_HEAD_PUBLIC if before is None else words.STATISTICS_HEAD
    return table(words.STATISTICS_CAPTION.format(name=name), head, rows, (1, 2))


def _statistic(one: Facts, key: str, unit: str | None, *, whole: bool) -> str:
    """Write one statistic of a distribution; nothing where it says nothing."""
    if key == "deviation":
        variance = one["variance"]
        written = number_text(None if variance is None else math.sqrt(max(0.0, variance)))
        return written if unit is None or variance is None else words.DAYS.format(days=written)
    if key == "mean":
        return value_text(one["mean"], unit, whole=whole)
    if key == "zero_share":
        return percent_text(one["zero_share"], 1) if one["zero_share"] and unit is None else words.NOTHING
    if key == "n_missing":
        return number_text(one["n_missing"]) if one["n_missing"] else words.NOTHING
    return number_text(one[key], 3 if key == "skewness" else 5)


def _categories(column: Facts, key: str) -> Markup:
    name = shown_name(column["name"])
    names = [shown_name(category) for category in column["categories"]]
    after = column["after_counts"]
    if len(after) > len(names):
        names.append(words.CHART_OTHERS)
    template = words.BARS_DESCRIPTION if column["before_counts"] is not None else words.BARS_DESCRIPTION_PUBLIC
    caption = Caption(key, words.BARS_TITLE.format(name=name), template.format(n=len(column["categories"])))
    chart = category_bars(caption, names, after, column["before_counts"])
    changed = column["changed"]
    note = "" if changed is None else paragraph(words.CHANGED.format(share=percent_text(changed)))
    return figure(chart, name, note)


def correlations_section(assessment: Facts | None) -> Markup:
    """Return how correlations have changed: a heat map, the pairs that changed most, and eigenvalues."""
    if assessment is None or assessment["correlations"] is None:
        return Markup()
    found = assessment["correlations"]
    names = [shown_name(name) for name in found["names"]]
    if found["before"] is None:
        return section(
            "correlations",
            words.HEADINGS["correlations"],
            paragraph(words.CORRELATIONS_INTRODUCTION_PUBLIC),
            _heat_map(names, found["after"], words.CORRELATIONS_TITLE_PUBLIC, words.CORRELATIONS_DESCRIPTION_PUBLIC),
        )
    changes = [
        [None if None in pair else pair[1] - pair[0] for pair in zip(*rows, strict=True)]
        for rows in zip(found["before"], found["after"], strict=True)
    ]
    return section(
        "correlations",
        words.HEADINGS["correlations"],
        paragraph(words.CORRELATIONS_INTRODUCTION),
        _heat_map(names, changes, words.CORRELATIONS_TITLE, words.CORRELATIONS_DESCRIPTION),
        _changed_pairs(names, found, changes),
        _eigenvalues(found),
    )


def _heat_map(names: Sequence[str], values: Sequence[Sequence[float | None]], title: str, description: str) -> Markup:
    caption = Caption("correlation-map", title, description.format(n=len(names)))
    return figure(heat_map(caption, names, values), title, wide=True)


def _changed_pairs(names: Sequence[str], found: Facts, changes: Sequence[Sequence[float | None]]) -> Markup:
    """Return the pairs of columns whose correlation has changed most."""
    pairs = [
        (abs(change), row, column)
        for row, line in enumerate(changes)
        for column, change in enumerate(line[:row])
        if change is not None
    ]
    rows = [
        [
            words.PAIR.format(one=names[column], other=names[row]),
            number_text(found["before"][row][column], 3),
            number_text(found["after"][row][column], 3),
            number_text(changes[row][column], 2),
        ]
        for _, row, column in sorted(pairs, key=lambda pair: (-pair[0], pair[1:]))[:_MAX_PAIRS]
    ]
    return table(words.CORRELATIONS_CAPTION, words.CORRELATIONS_HEAD, rows, (1, 2, 3))


def _eigenvalues(found: Facts) -> Markup:
    both = zip(found["eigenvalues_before"], found["eigenvalues_after"], strict=True)
    rows = [
        [str(place), number_text(before, 4), number_text(after, 4)]
        for place, (before, after) in enumerate(both, start=1)
        if before is not None and after is not None
    ]
    return table(words.EIGENVALUES_CAPTION, words.EIGENVALUES_HEAD, rows[:_MAX_EIGENVALUES], (1, 2))


def groups_section(columns: Sequence[ChartedGroups]) -> Markup:
    """Return how many groups have each size, for each set of columns."""
    charts = [_sizes(one, f"g{number}") for number, one in enumerate(columns, start=1) if one.sizes]
    if not charts:
        return Markup()
    return section("groups", words.HEADINGS["groups"], paragraph(words.SIZES_INTRODUCTION), *charts)


def groups_of_release(facts: Facts) -> list[ChartedGroups]:
    """Return the groups of each column set of a release."""
    sets = facts["sets"]
    titles = [words.SET_CAPTION.format(number=number) for number in range(1, len(sets) + 1)]
    return [
        ChartedGroups(title if len(sets) > 1 else words.SIZES_TITLE, one["group_sizes"], one["k"])
        for title, one in zip(titles, sets, strict=True)
    ]


def groups_of_assessment(assessment: Facts) -> list[ChartedGroups]:
    """Return the groups of all columns that were assessed together."""
    return [ChartedGroups(words.SIZES_TITLE, assessment["group_sizes"], None)]


def _sizes(groups: ChartedGroups, key: str) -> Markup:
    sizes = [(size, n_groups) for size, n_groups in groups.sizes]
    ends = [number_text(end(size for size, _ in sizes)) for end in (min, max)]
    caption = Caption(key, words.SIZES_TITLE, words.SIZES_DESCRIPTION.format(low=ends[0], high=ends[1]))
    return figure(group_sizes(caption, sizes, groups.k), groups.title, wide=True)
