"""Sections of a document about what was measured: risk, utility, regressions and totals of domains."""

from collections.abc import Sequence

from microagg.report import words
from microagg.report.document_parts.html_elements import Markup, joined, named_rows, paragraph, section, table
from microagg.report.document_parts.verdict_sections import rounded_percent
from microagg.report.facts import Facts
from microagg.report.shown_text import number_text, percent_text, shown_name

_FIRST = ("dld", "reidentification_prosecutor", "reidentification_marketer", "sdid", "unchanged_unique")
_ROUNDING = 1e-12  # below it, a figure is what rounding has left of 0
_MAX_PARTS = 20  # strata in the table, those of the smallest k first
_MAX_DOMAINS = 30  # totals in the table, those that have changed most first


def risk_section(assessment: Facts | None) -> Markup:
    """Return the measures of risk, k by stratum, and what groups tell about the columns beside them."""
    if assessment is None:
        return Markup()
    return section(
        "risk",
        words.HEADINGS["risk"],
        paragraph(words.RISK_INTRODUCTION),
        _figures(assessment, "risk"),
        _parts(assessment["parts"]),
        _confidential(assessment["confidential"]),
    )


def first_risks(assessment: Facts) -> list[tuple[str, str]]:
    """Return the figures of risk that come first, by their titles."""
    figures = {one["name"]: one for one in assessment["figures"]}
    told = [figures[name] for name in _FIRST if name in figures and figures[name]["value"] is not None]
    return [(one["title"], figure_value(one, rounded=assessment["rounded"])) for one in told]


def first_risks_table(assessment: Facts | None) -> Markup:
    """Return a table of the figures of risk that come first; nothing where none was measured."""
    rows = [] if assessment is None else first_risks(assessment)
    return joined([named_rows(words.FIRST_RISKS_CAPTION, rows), paragraph(words.FIRST_RISKS)]) if rows else Markup()


def utility_section(assessment: Facts | None) -> Markup:
    """Return the measures of utility, for the whole and for each column."""
    if assessment is None:
        return Markup()
    return section(
        "utility",
        words.HEADINGS["utility"],
        paragraph(words.UTILITY_INTRODUCTION),
        _figures(assessment, "utility"),
        _losses(assessment),
    )


def _figures(assessment: Facts, topic: str) -> Markup:
    rows = [
        [
            one["title"],
            figure_value(one, rounded=assessment["rounded"]),
            words.DIRECTIONS[one["higher"]],
            " ".join(filter(None, [one["sentence"], one["note"] and f"({one['note']})"])),
        ]
        for one in assessment["figures"]
        if one["topic"] == topic
    ]
    return table(words.FIGURES_CAPTIONS[topic], words.FIGURES_HEAD, rows, (1,), ()) or paragraph(words.NO_FIGURES)


def figure_value(one: Facts, *, rounded: bool = False) -> str:
    """Write the value of a figure with its unit."""
    value = one["value"]
    if value is None:
        return words.NOTHING
    if one["unit"] == "%":
        return rounded_percent(value) if rounded else percent_text(value)
    value = 0.0 if abs(value) < _ROUNDING else value
    return f"{number_text(value, 2 if rounded else 4)} {one['unit']}".rstrip()


def _parts(parts: Sequence[Facts]) -> Markup:
    """Return k reached in each stratum, the smallest first; nothing where there is one part."""
    if len(parts) < 2:
        return Markup()
    ordered = sorted(parts, key=lambda part: part["k_reached"])
    rows = [
        [shown_name(part["part"]), number_text(part["n_records"]), number_text(part["k_reached"])]
        for part in ordered[:_MAX_PARTS]
    ]
    others = ordered[_MAX_PARTS:]
    more = words.PARTS_MORE.format(n=len(others), k=others[0]["k_reached"]) if others else ""
    return joined([table(words.PARTS_CAPTION, words.PARTS_HEAD, rows, (1, 2)), paragraph(more)])


def _confidential(columns: Sequence[Facts]) -> Markup:
    rows = [
        [
            shown_name(one["name"]),
            number_text(one["n_constant"]),
            number_text(one["least_distinct"]),
            number_text(one["least_entropy_l"], 3),
            number_text(one["largest_distance"], 3),
        ]
        for one in columns
    ]
    return table(words.CONFIDENTIAL_CAPTION, words.CONFIDENTIAL_HEAD, rows, (1, 2, 3, 4))


def _losses(assessment: Facts) -> Markup:
    """Return what each column lost."""
    il1s = {one["name"]: one["il1s"] for one in assessment["numbers"]}
    rows = [
        [
            shown_name(one["name"]),
            percent_text(one["information_loss"]),
            number_text(il1s.get(one["name"]), 4),
            percent_text(one.get("changed")),
        ]
        for one in assessment["measures"]["columns"]
    ]
    return table(words.LOSSES_CAPTION, words.LOSSES_HEAD, rows, (1, 2, 3))


def regressions_section(assessment: Facts | None) -> Markup:
    """Return the user's own regressions before and after."""
    if assessment is None:
        return Markup()
    parts = []
    for one in assessment["regressions"]:
        caption = words.REGRESSION_CAPTION.format(
            formula=shown_name(one["formula"]),
            before=number_text(one["r_squared_before"], 4),
            after=number_text(one["r_squared_after"], 4),
        )
        rows = [_coefficient(each) for each in one["coefficients"]]
        parts += [table(caption, words.REGRESSION_HEAD, rows, (1, 2, 3, 4, 5)), paragraph(one["note"])]
    return section("regressions", words.HEADINGS["regressions"], *parts)


def _coefficient(one: Facts) -> list[str]:
    intervals = [
        words.INTERVAL.format(low=number_text(low, 4), high=number_text(high, 4))
        for low, high in (one["interval_before"], one["interval_after"])
    ]
    return [
        shown_name(one["name"]),
        number_text(one["before"], 4),
        intervals[0],
        number_text(one["after"], 4),
        intervals[1],
        percent_text(one["overlap"], 1),
    ]


def domains_section(assessment: Facts | None) -> Markup:
    """Return totals by domain, those that have changed most first."""
    if assessment is None or not assessment["domains"]:
        return Markup()
    totals = sorted(assessment["domains"], key=lambda one: -abs(_change(one) or 0.0))
    rows = [
        [
            shown_name(one["domain"]),
            shown_name(one["column"]),
            number_text(one["n_records"]),
            number_text(one["before"]),
            number_text(one["after"]),
            percent_text(_change(one)),
        ]
        for one in totals[:_MAX_DOMAINS]
    ]
    hidden = words.ROWS_MORE.format(shown=len(rows), n=len(totals)) if len(totals) > len(rows) else ""
    return section(
        "domains",
        words.HEADINGS["domains"],
        table(words.DOMAINS_CAPTION, words.DOMAINS_HEAD, rows, (2, 3, 4, 5)),
        paragraph(hidden),
    )


def _change(one: Facts) -> float | None:
    """Return by how many percent a total has changed; None where it was 0."""
    return 100.0 * (one["after"] - one["before"]) / abs(one["before"]) if one["before"] else None
