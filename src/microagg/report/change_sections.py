"""Facts about changes put into words."""

from collections.abc import Sequence
from typing import Any

from microagg.report.section import Section

_ORDERS = {
    "kept": "as before",
    "assumed": "taken to be as before, which no column shows",
    "changed": "not as before: each column is compared as a whole",
    "unknown": "other records are there, so that rows cannot be compared; the plan tells which are left out",
}
_CELL_TITLES = ("column", "plan", "kind", "other values", "to missing", "from missing", "rewritten")
_METADATA_TITLES = ("column", "what", "change")


def change_sections(facts: dict[str, Any]) -> list[Section]:
    """Return the sections of a report on changes: the table, the cells of each column, and what else has changed."""
    columns = facts["columns"]
    shown = [column for column in columns if _has_other_values(column)]
    same = [column["name"] for column in columns if not _has_other_values(column) and not _is_unknown(column)]
    sections = [Section("", _table_lines(facts) | {"same values": ", ".join(same) or "none"})]
    if shown:
        rows = [_cell_row(column) for column in shown]
        sections.append(Section("values", {}, [_CELL_TITLES, *rows], left=("plan", "kind")))
    described = [row for column in columns for row in _metadata_rows(column["name"], column["metadata"])]
    if described:
        sections.append(Section("besides the values", {}, [_METADATA_TITLES, *described], left=_METADATA_TITLES))
    return sections


def _table_lines(facts: dict[str, Any]) -> dict[str, str]:
    """Describe what has changed of the table as a whole."""
    left_out = facts["n_left_out"]
    counted = f"{facts['n_before']} before, {facts['n_after']} after"
    n_before = sum(column["kind_before"] is not None for column in facts["columns"])
    n_after = sum(column["kind_after"] is not None for column in facts["columns"])
    moved = "" if facts["columns_in_order"] else ", in another order"
    lines = {
        "records": f"{counted}: {left_out} left out" if left_out else counted,
        "order": _ORDERS[facts["order"]],
        "columns": f"{n_before} before, {n_after} after{moved}",
    }
    for what in ("dropped", "added"):
        if facts[what]:
            lines[what] = ", ".join(facts[what])
    if facts["unplanned"]:
        lines["NOT PLANNED"] = f"{', '.join(facts['unplanned'])}: changed, though the plan does nothing to them"
    return lines | {one["what"]: _change_in_words(one) for one in facts["table"]}


def _has_other_values(column: dict[str, Any]) -> bool:
    rewritten = column["cells"] is not None and column["cells"]["rewritten"] > 0
    in_both = column["kind_before"] is not None and column["kind_after"] is not None
    return in_both and (column["is_changed"] or rewritten)


def _is_unknown(column: dict[str, Any]) -> bool:
    return column["same_values"] is None


def _cell_row(column: dict[str, Any]) -> Sequence[str]:
    cells = column["cells"]
    counts = ("altered", "to_missing", "from_missing", "rewritten")
    kinds = dict.fromkeys([column["kind_before"], column["kind_after"]])
    numbers = ["some", "–", "–", "–"] if cells is None else [str(cells[name]) for name in counts]
    return column["name"], column["role"] or "–", " → ".join(kinds), *numbers


def _metadata_rows(name: str, changes: list[dict[str, Any]]) -> list[Sequence[str]]:
    return [(name, one["what"], _change_in_words(one)) for one in changes]


def _change_in_words(change: dict[str, Any]) -> str:
    """Describe a change; of entries, such as value labels, by their numbers."""
    counts = {what: change[what] for what in ("lost", "added", "altered") if change[what]}
    if counts:
        return ", ".join(f"{number} {what}" for what, number in counts.items())
    return f"{change['before'] or 'none'} → {change['after'] or 'none'}"
