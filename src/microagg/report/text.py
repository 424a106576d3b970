"""Put facts into words."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from microagg.control.progress import floor_percent
from microagg.report.facts import Facts

_MARKS = {True: "pass", False: "FAIL", None: "note"}
_EVERYTHING = 100.0  # percent


class Section(NamedTuple):
    """A part of a report: what it is about, names and what is to say of each, and a table of rows."""

    heading: str
    lines: dict[str, str]
    table: Sequence[Sequence[str]] = ()


def as_text(facts: Facts) -> str:
    """Write the sections one after another."""
    return "\n\n".join(_section(section) for section in sections(facts))


def sections(facts: Facts) -> list[Section]:
    """Put facts of any kind into words."""
    return _SECTIONS[facts["facts"]](facts)


def _section(section: Section) -> str:
    parts = [section.heading] if section.heading else []
    if section.lines:
        width = max(18, *(len(name) + 2 for name in section.lines))
        parts.append("\n".join(f"{name + ':':<{width}}{text}" for name, text in section.lines.items()))
    if section.table:
        parts.append(_aligned(section.table))
    between = "\n\n" if section.lines and section.table else "\n"
    return between.join(parts)


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Align a table: the first column to the left, the others to the right."""
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    lines = []
    for first, *others in rows:
        cells = [first.ljust(widths[0]), *(text.rjust(width) for text, width in zip(others, widths[1:], strict=True))]
        lines.append("  ".join(cells))
    return "\n".join(lines)


def _release(facts: Facts) -> list[Section]:
    sets = facts["sets"]
    head = {
        "records": f"{facts['input']['n_records']}",
        "protected": _names(facts["columns"]),
        "as they came": _names(facts["as_they_came"]),
    }
    if facts["identifying"]:
        head["beware"] = (
            f"{_names(facts['identifying'])}: different in every record, so whoever knows one of these values finds "
            "its record"
        )
    if facts["index"]:
        head["index"] = "of the dataframe, as it came; files are written without it"
    if facts["dropped"]:
        head["left out"] = _names(facts["dropped"])
    if facts["shuffled"]:
        head["order"] = "random"
    if len(sets) == 1:
        return [Section("", {**head, **_set(sets[0])}, _columns(sets[0]["measures"]))]
    head["column sets"] = f"{len(sets)}, each k-anonymous on its own columns, not on those of several sets together"
    several = [
        Section(f"column set {number}: {_names(one['columns'])}", _set(one), _columns(one["measures"]))
        for number, one in enumerate(sets, start=1)
    ]
    return [Section("", head), *several]


def _set(facts: Facts) -> dict[str, str]:
    loss = f"{facts['information_loss']:.4f} %"
    if not facts["standardise"]:
        loss += " of the squares of the columns on their own scales"
    if facts["keep_integers"]:
        loss += f", {facts['measures']['information_loss']:.4f} % with whole numbers kept"
    sizes = f"{facts['smallest_group']} to {facts['largest_group']}"
    return {
        "method": _method(facts),
        **_endings(facts),
        "groups": f"{facts['n_groups']} of {sizes} records",
        "information loss": loss,
        "bound": bound_in_words(facts),
        "verified": (
            f"every group has at least {facts['k']} records (k reached: {facts['measures']['k_reached']})"
            if facts["verified"]
            else f"NOT: k reached is {facts['measures']['k_reached']}"
        ),
    }


def _method(facts: Facts) -> str:
    improved = ", then better groups that the proof of the bound met" if facts["improved_by_bound"] else ""
    return f"{facts['method']}, k = {facts['k']}{improved}"


def _endings(facts: Facts) -> dict[str, str]:
    """Say how far the work came where it was ended early, and what would be reproducible."""
    ended_by = facts["ended_by"]
    if ended_by is None:
        return {}
    if facts["fallback_share"]:
        haste = f"ended by {ended_by}: {facts['fallback_share']:.0%} of the records were grouped by the fallback, in slabs"
        return {"constructing": haste}
    ending = f"ended by {ended_by} after {facts['iterations']} iterations"
    if ended_by in ("time_limit", "cancelled"):
        ending += ": not reproducible"
        ending += f", iterations={facts['iterations']} is" if facts["bound_kind"] is None else ""
    return {"refining": ending}


def bound_in_words(facts: Facts) -> str:
    """Say in a line what is proved of a solution."""
    if facts["gap"] is None:
        return "none asked for"
    if facts["status"] == "optimal":
        return f"proved optimal: no grouping loses less ({facts['bound_kind']})"
    least = floor_percent(facts["information_loss"] * (1 - facts["gap"]))
    ending = "converged" if facts["bound_converged"] else f"ended by {facts['bound_ended_by']}"
    return f"no grouping loses less than {least}, gap {facts['gap']:.4%} ({facts['bound_kind']}, {ending})"


def _solution(facts: Facts) -> list[Section]:
    lines = {
        "records": f"{facts['n_records']}",
        "method": _method(facts),
        **_endings(facts),
        "information loss": f"{facts['information_loss']:.4f} %",
        "bound": bound_in_words(facts),
    }
    return [Section("", lines)]


def _measures(facts: Facts) -> list[Section]:
    lines = {
        "information loss": f"{facts['information_loss']:.4f} %",
        "k reached": f"{facts['k_reached']} ({facts['n_patterns']} groups of {facts['n_records']} records)",
    }
    if facts["information_loss"] > _EVERYTHING:
        lines["beware"] = "more is lost than there is: are the records of both files in the same order?"
    return [Section("", lines, _columns(facts))]


def _columns(measures: Facts) -> list[list[str]]:
    """Show each column before and after."""
    rows = [["column", "mean before", "mean after", "variance before", "variance after", "loss %"]]
    for column in measures["columns"]:
        loss = "–" if column["information_loss"] is None else f"{column['information_loss']:.4f}"
        numbers = (column[name] for name in ("mean_before", "mean_after", "variance_before", "variance_after"))
        rows.append([column["name"], *(f"{number:.6g}" for number in numbers), loss])
    return rows


def _findings(verdict: str, facts: Facts) -> list[Section]:
    lines = [f"{_MARKS[one['passed']]}  {one['check']}: {one['detail']}" for one in facts["findings"]]
    return [Section("\n".join([verdict, *lines]), {})]


def _verification(facts: Facts) -> list[Section]:
    return _findings("PASS" if facts["passed"] else "FAIL", facts)


def _certification(facts: Facts) -> list[Section]:
    if not facts["passed"] or facts["bound"] is None or facts["gap"] is None:
        return _findings("NOT CERTIFIED", facts)
    bound = facts["bound"] if facts["optimal"] else math.floor(1e5 * facts["bound"]) / 1e5
    how_good = "optimal" if facts["optimal"] else f"gap {100 * facts['gap']:.2g} %"
    verdict = (
        f"CERTIFIED: no grouping loses less than {bound:.5f} %; these groups lose "
        f"{facts['information_loss']:.5f} %: {how_good}"
    )
    return _findings(verdict, facts)


def _plan(facts: Facts) -> list[Section]:
    common = {name: _said(value) for name, value in facts.items() if name not in _ABOUT and name != "sets"}
    sets = [
        Section(f"column set {number}", {name: _said(value) for name, value in one.items()})
        for number, one in enumerate(facts["sets"], start=1)
    ]
    return [Section("plan", common), *sets]


_ABOUT = ("facts", "schema", "program", "version")


def _said(value: object) -> str:
    if isinstance(value, list):
        return _names(value)
    return "–" if value is None else str(value)


def _methods(facts: Facts) -> list[Section]:
    width = max(len(method["name"]) for method in facts["methods"])
    lines = []
    for method in facts["methods"]:
        parameters = f" Parameters: {', '.join(method['parameters'])}." if method["parameters"] else ""
        lines.append(f"{method['name']:<{width}}  {method['summary']}{parameters} [{method['reference']}]")
    return [Section("\n".join(lines), {})]


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(str, names)) or "no column"


_SECTIONS: dict[str, Callable[[Facts], list[Section]]] = {
    "release": _release,
    "solution": _solution,
    "measures": _measures,
    "verification": _verification,
    "certification": _certification,
    "plan": _plan,
    "methods": _methods,
}
