"""Assessments put into words: every figure with what it says, then columns, regressions, domains and groups."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from microagg.model.names import quantity
from microagg.report.section import Section

_HEADING = "This report shows quantiles and totals of the ORIGINAL data: it is for their owner, not for publication."
_WIDTH = 116  # characters of a line of warnings
_SAYS_WIDTH = 70  # characters of what a figure says
_MAX_ROWS = 20  # of tables of domains, strata and pairs of columns
_MAX_NAME = 40  # characters of a name
_NOTHING = "–"
_TITLES = {"utility": "utility: what is left of the information", "risk": "risk: what the release may give away"}


def assessment_sections(facts: dict[str, Any]) -> list[Section]:
    """Return the sections of a report on an assessment."""
    measures = facts["measures"]
    lines = {"records": f"{measures['n_records']}", "information loss": f"{measures['information_loss']:.4f} %"}
    lines |= {f"remark {number}": remark for number, remark in enumerate(measures["remarks"], 1)}
    listed = [Section(_HEADING, lines), *_warnings(facts)]
    for topic, title in _TITLES.items():
        figures = [one for one in facts["figures"] if one["topic"] == topic]
        listed.append(Section(title, {}, _figure_table(figures), left=("higher", "what it says")))
    tables = {
        "columns of numbers before → after": _number_table(facts["numbers"]),
        "columns of categories before → after": _category_table(facts["categories"]),
        "correlations that have changed most": _correlation_table(facts["correlations"]),
        "totals by domain": _domain_table(facts["domains"]),
        "k by stratum": _part_table(facts["parts"]),
        "what groups tell about confidential columns": _confidential_table(facts["confidential"]),
        "groups by size": [["records", "groups"], *([f"{size}", f"{n}"] for size, n in facts["group_sizes"])],
    }
    for title, table in tables.items():
        listed += _shortened_tables(title, table)
    return [*listed, *map(_regression_section, facts["regressions"])]


def _shortened_tables(title: str, table: list[list[str]]) -> list[Section]:
    """Return the section of a table, without the end of a long one; none of an empty table."""
    if len(table) < 2:
        return []
    n_more = len(table) - 1 - _MAX_ROWS
    heading = f"{title}, the first {_MAX_ROWS} of {len(table) - 1}" if n_more > 0 else title
    return [Section(heading, {}, table[: _MAX_ROWS + 1])]


def _warnings(facts: dict[str, Any]) -> Iterator[Section]:
    """Yield what must not be overlooked: columns released unchanged that single out records."""
    n_records = facts["measures"]["n_records"]
    found = [one for one in facts["singling_out"] if one["n_unique"]]
    if found:
        whole = found[-1]
        least = found[0]
        text = (
            f"WARNING: {quantity(whole['n_unique'], 'record')} of {n_records} are unique in columns that are released "
            f"unchanged ({_names(whole['columns'])}), whatever their groups"
        )
        if least is not whole:
            text += f"; {quantity(least['n_unique'], 'record')} already in {_names(least['columns'])}"
        yield Section(textwrap.fill(text, _WIDTH, break_long_words=False), {})


def _figure_table(figures: Sequence[dict[str, Any]]) -> list[list[str]]:
    rows = [["figure", "value", "higher", "what it says"]]
    for one in figures:
        says = f"{one['sentence']} ({one['note']})" if one["note"] else one["sentence"]
        rows.append([one["title"], _value(one), one["higher"], textwrap.fill(says, _SAYS_WIDTH)])
    return rows


def _value(figure: dict[str, Any]) -> str:
    value = figure["value"]
    if value is None:
        return _NOTHING
    unit = figure["unit"]
    if unit == "records" or (not unit and float(value).is_integer() and figure["topic"] == "risk"):
        return f"{value:.0f}"
    return f"{value:.4f} {unit}" if unit else f"{value:.4f}"


def _number_table(columns: Sequence[dict[str, Any]]) -> list[list[str]]:
    rows = [["column", "mean", "variance", "skewness", "zeros %", "median", "5 % to 95 %", "IL1s"]]
    for one in columns:
        before = one["before"]
        after = one["after"]
        moments = [_change(before[name], after[name]) for name in ("mean", "variance", "skewness", "zero_share")]
        quantiles = [_NOTHING, _NOTHING]
        if before["quantiles"]:
            quantiles = [
                _change(before["quantiles"][4], after["quantiles"][4]),
                f"{_number(before['quantiles'][2])} to {_number(before['quantiles'][6])} → "
                f"{_number(after['quantiles'][2])} to {_number(after['quantiles'][6])}",
            ]
        unit = f" ({one['unit']})" if one["unit"] else ""
        rows.append([f"{_shortened(one['name'])}{unit}", *moments, *quantiles, _number(one["il1s"])])
    return rows


def _category_table(columns: Sequence[dict[str, Any]]) -> list[list[str]]:
    rows = [["column", "changed %", "most frequent"]]
    for one in columns:
        counts = zip(one["categories"], one["before_counts"], one["after_counts"], strict=False)
        shown = ", ".join(f"{_shortened(name)} {before} → {after}" for name, before, after in list(counts)[:4])
        rows.append([_shortened(one["name"]), f"{one['changed']:.2f}", shown])
    return rows


def _correlation_table(correlations: dict[str, Any] | None) -> list[list[str]]:
    rows = [["columns", "before", "after"]]
    if correlations is None:
        return rows
    names = correlations["names"]
    pairs = [
        (correlations["before"][i][j], correlations["after"][i][j], f"{_shortened(names[i])} × {_shortened(names[j])}")
        for i in range(len(names))
        for j in range(i + 1, len(names))
        if correlations["before"][i][j] is not None
    ]
    pairs.sort(key=lambda pair: -abs(pair[0] - (pair[1] or 0.0)))
    return [*rows, *([name, _number(before), _number(after)] for before, after, name in pairs)]


def _domain_table(totals: Sequence[dict[str, Any]]) -> list[list[str]]:
    return [
        ["domain", "column", "records", "before", "after"],
        *(
            [one["domain"], one["column"], f"{one['n_records']}", _number(one["before"]), _number(one["after"])]
            for one in totals
        ),
    ]


def _part_table(parts: Sequence[dict[str, Any]]) -> list[list[str]]:
    return [
        ["stratum", "records", "k reached"],
        *([one["part"], f"{one['n_records']}", f"{one['k_reached']}"] for one in parts),
    ]


def _confidential_table(columns: Sequence[dict[str, Any]]) -> list[list[str]]:
    return [
        ["column", "records whose value is given away", "least l", "least entropy l", "largest t"],
        *(
            [
                _shortened(one["name"]),
                f"{one['n_constant']}",
                f"{one['least_distinct']}",
                _number(one["least_entropy_l"]),
                _number(one["largest_distance"]),
            ]
            for one in columns
        ),
    ]


def _regression_section(regression: dict[str, Any]) -> Section:
    rows = [["coefficient", "before", "95 % interval", "after", "95 % interval ", "overlap %"]]
    for one in regression["coefficients"]:
        intervals = [
            f"{_number(low)} to {_number(high)}" for low, high in (one["interval_before"], one["interval_after"])
        ]
        estimates = [_number(one["before"]), intervals[0], _number(one["after"]), intervals[1]]
        rows.append([_shortened(one["name"]), *estimates, f"{one['overlap']:.1f}"])
    r_squared = f"{regression['r_squared_before']:.4f} → {regression['r_squared_after']:.4f}"
    lines = {"R²": r_squared, "note": regression["note"]} if regression["note"] else {"R²": r_squared}
    return Section(f"regression {regression['formula']}", lines, rows)


def _change(before: float | None, after: float | None) -> str:
    return f"{_number(before)} → {_number(after)}"


def _number(number: float | None) -> str:
    return _NOTHING if number is None else f"{number:.5g}"


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(_shortened(name) for name in names[:_MAX_ROWS])
    return f"{shown} and {len(names) - _MAX_ROWS} more" if len(names) > _MAX_ROWS else shown


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_NAME else f"{text[: _MAX_NAME - 1]}…"
