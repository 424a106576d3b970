"""Inspections put into words: the warnings first, then every column, then what was noticed about each."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from microagg.model.names import quantity
from microagg.report.provenance_lines import read_as_line
from microagg.report.section import Section

_WIDTH = 116  # characters of a line of warnings
_MAX_NAME = 32  # characters of a column's name
_MAX_NAMES = 10  # in one warning
_MAX_LABEL = 80  # characters of what a file says of a column
_MAX_VALUES = 28  # characters of the values of a column
_MAX_PLAIN = 1e6  # larger numbers are written without decimals
_MIN_POWER = 1e15  # and much larger ones with a power of ten
_HEADING = "This report shows ranges and values of the ORIGINAL data: it is for their owner, not for publication."

_ROLES = {
    "identifier": "leave out",
    "unit": "unit",
    "weight": "weight",
    "dropped": "leave out",
    "unchanged": "unchanged",
}

_REMARKS = {
    "free text": "free text, which may name people",
    "infinite": "infinite values, which cannot be protected",
    "mixed": "numbers and other fields in one column",
    "structural zeros": "structural zeros, which means turn into small amounts",
    "skewed": 'skewed, so that a few large values decide the groups; transform = "log" may help',
}
"""What is said of columns that look like something, the most important first."""


def inspection_sections(facts: dict[str, Any]) -> list[Section]:
    """Return the sections of a report on an inspection."""
    columns = facts["columns"]
    file = {"file": facts["file"] or "none", **read_as_line(facts["read_as"])}
    lines = {**file, "records": _records(facts), "columns": f"{len(columns)}"}
    sections = [Section(_HEADING, lines)]
    warnings = [_wrapped(warning) for warning in _warnings(facts)]
    if warnings:
        sections.append(Section("\n".join(["warnings, the most important first", *warnings]), {}))
    sections.append(Section("", {}, _column_table(columns), left=("kind", "values", "proposed")))
    noticed = _noticed_table(columns)
    if len(noticed) > 1:
        sections.append(Section("", {}, noticed, left=("what was noticed",)))
    questions = [_wrapped(question) for question in _questions(columns)]
    if questions:
        sections.append(Section("\n".join(["questions that the plan needs an answer to", *questions]), {}))
    return sections


def _records(facts: dict[str, Any]) -> str:
    if facts["n_inspected"] is None:
        return f"{facts['n_records']}"
    return (
        f"{facts['n_records']}, of which a sample of {facts['n_inspected']} was looked at: all below but the numbers "
        "of missing values is about the sample"
    )


def _wrapped(warning: str) -> str:
    return textwrap.fill(warning, _WIDTH, initial_indent="* ", subsequent_indent="  ", break_long_words=False)


def _warnings(facts: dict[str, Any]) -> Iterator[str]:
    """Yield what the owner of the data should know first."""
    if facts["header_doubt"]:
        yield f"{facts['header_doubt']}: read it with --header or --no-header"
    yield from identifier_warnings(facts["columns"])
    if facts["singling_out"]:
        yield from _singling_out_warnings(facts["singling_out"], facts["n_inspected"] or facts["n_records"])
    yield from column_warnings(facts["columns"])


def identifier_warnings(columns: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield which columns are not to be released."""
    if names := _names_of(columns, "identifier"):
        yield f"not to be released, as they identify people or enterprises: {names}"


def column_warnings(columns: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield what else was noticed about columns."""
    if names := _names_of(columns, "unit"):
        yield f"several records have the same {names}: k should count its values, not records"
    if marked := [column for column in columns if column["sentinels"]]:
        shown = ", ".join(f"{column['name']} ({_numbers(column['sentinels'])})" for column in marked[:_MAX_NAMES])
        yield f"values that may stand for missing ones: {shown}{_more(marked)}"
    if lacking := [column for column in columns if column["n_missing"]]:
        most = max(column["missing_share"] for column in lacking)
        yield f"missing values, up to {_percent(most)} of the records: {_names(lacking)}"
    for aspect, text in _REMARKS.items():
        if names := _names([column for column in columns if _has(column, aspect)]):
            yield f"{text}: {names}"


def _singling_out_warnings(combinations: Sequence[dict[str, Any]], n_records: int) -> Iterator[str]:
    *smaller, whole = combinations
    names = ", ".join(whole["columns"])
    if not whole["n_below_5"]:
        return
    yield (
        f"{_share(whole['n_unique'], n_records)} are unique in {names}; {_share(whole['n_below_3'], n_records)} are in "
        f"cells of fewer than 3, {_share(whole['n_below_5'], n_records)} of fewer than 5"
    )
    if smaller:
        shown = "; ".join(f"{' × '.join(one['columns'])}: {one['n_unique']}" for one in smaller)
        yield f"records that are unique already in few of these columns: {shown}"


def _share(number: int, n_records: int) -> str:
    return f"{quantity(number, 'record')} ({_percent(number / n_records)})"


def _column_table(columns: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Return a table of the values of each column, and what is proposed for it."""
    rows = [["column", "kind", "distinct", "missing", "values", "proposed"]]
    for column in columns:
        missing = f"{column['n_missing']} ({_percent(column['missing_share'])})" if column["n_missing"] else "–"
        rows.append(
            [
                _shortened(column["name"]),
                column["kind"],
                f"{column['n_distinct']}",
                missing,
                _values(column),
                _role(column),
            ]
        )
    return rows


def _role(column: dict[str, Any]) -> str:
    if column["role"] in ("quasi-identifier", "amount"):
        if column["kind"] in ("date", "datetime"):
            return "protect, as dates"
        return "protect, as categories" if column["nominal"] else "protect, as numbers"
    return f"{_ROLES[column['role']]} (?)" if column["question"] else _ROLES[column["role"]]


def _values(column: dict[str, Any]) -> str:
    """Write the most frequent values of a column of few, or the range of numbers and dates."""
    if column["nominal"] and column["frequent"]:
        more = ", …" if column["n_distinct"] > len(column["frequent"]) else ""
        return _shortened(f"{', '.join(column['frequent'])}{more}", _MAX_VALUES)
    if column["low"] is None:
        return "–"
    if column["low"] == column["high"]:
        return _number(column["low"])
    return f"{_number(column['low'])} to {_number(column['high'])}"


def _noticed_table(columns: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Return a table of what was noticed about columns; those about which the same was noticed share a line."""
    noticed: dict[tuple[str, ...], list[str]] = {}
    for column in columns:
        label = [f"is labelled '{_shortened(column['label'], _MAX_LABEL)}'"] if column["label"] else []
        reasons = (*label, *(look["reason"] for look in column["looks"]))
        noticed.setdefault(reasons, []).append(column["name"])
    rows = [["column", "what was noticed"]]
    for reasons, names in noticed.items():
        rows += [[_together(names) if number == 0 else "", reason] for number, reason in enumerate(reasons)]
    return rows


def _together(names: Sequence[str]) -> str:
    """Return as many names as a cell holds, and the number of the others."""
    shown = [_shortened(names[0])]
    for name in names[1:]:
        if len(", ".join([*shown, name])) > _MAX_NAME - len(" and 999 more"):
            break
        shown.append(name)
    n_more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {n_more} more" if n_more else "")


def _questions(columns: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield each question once, with the columns that it is about."""
    asked: dict[str, list[str]] = {}
    for column in columns:
        if column["question"]:
            asked.setdefault(column["question"], []).append(column["name"])
    for question, names in asked.items():
        more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
        yield f"{', '.join(names[:_MAX_NAMES])}{more}: {question}"


def _names_of(columns: Sequence[dict[str, Any]], role: str) -> str:
    return _names([column for column in columns if column["role"] == role])


def _names(columns: Sequence[dict[str, Any]]) -> str:
    return ", ".join(column["name"] for column in columns[:_MAX_NAMES]) + _more(columns)


def _more(columns: Sequence[object]) -> str:
    return f" and {len(columns) - _MAX_NAMES} more" if len(columns) > _MAX_NAMES else ""


def _has(column: dict[str, Any], aspect: str) -> bool:
    return any(look["aspect"] == aspect for look in column["looks"])


def _numbers(values: Sequence[float]) -> str:
    return ", ".join(_number(value) for value in values)


def _number(value: float | str) -> str:
    if isinstance(value, str | int):
        return str(value)
    return f"{value:.7g}" if abs(value) < _MAX_PLAIN or abs(value) >= _MIN_POWER else f"{value:.0f}"


def _percent(share: float) -> str:
    return "less than 0.1 %" if 0 < share < 0.001 else f"{100 * share:.1f} %"


def _shortened(text: str, most: int = _MAX_NAME) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
