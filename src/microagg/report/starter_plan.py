"""Starter plan of an inspection: TOML in which every guess has its reason, and every doubt is a question."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.name_rules import is_place
from microagg.model.inspection import ColumnInspection, Inspection
from microagg.report.plan_lines import asked, comment, entries, given
from microagg.report.starter_sets import having_role, protected, set_parts, why
from microagg.source.file_kinds import written_suffixes

_K = 5
_UNIT = "the unit: its number links its records, which together single it out"
_MISSING = {"missing": "pattern", "small_strata": "suppress"}
"""What is proposed for missing values: k holds with it."""
_MISSING_REASONS = {
    "missing": 'grouped with records that lack the same columns; or "fill", "blank" or "drop": k holds with each',
    "small_strata": 'left out where fewer than k lack the same columns; or "merge": joined, and more cells are blanked',
}
_MAX_STRATA = 50  # different values of a column: of more, many have few records


def starter_plan(inspection: Inspection, file: str = "release.toml", command: Sequence[str] | None = None) -> str:
    """Return a plan to start with.

    Parameters
    ----------
    inspection
        What a table looks like.
    file
        The file that the plan will be in.
    command
        Words of the command that carries it out; None: the usual one.

    Returns
    -------
    str
        TOML text that `Plan.from_toml` reads; of the values, it shows sentinels only.
    """
    parts = [
        _head(inspection, file, command),
        [given("k", _K, "at least so many records, or units, share their released values; 3 is little, 10 is much")],
        _reading(inspection),
        _roles(inspection),
        _unchanged(inspection),
        _missing(inspection),
        _privacy(inspection),
        *set_parts(inspection),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _head(inspection: Inspection, file: str, command: Sequence[str] | None) -> list[str]:
    maker = "microagg spark inspect" if inspection.on_cluster else "microagg inspect"
    lines = [
        comment(f"Starter plan for {inspection.file or 'a table'}, made by {maker}. Each line is a guess, and"),
        comment("says why; what is unknown is protected or left out, with a question. Edit it, then run:"),
        comment(f"  {shlex.join(command or _usual_command(inspection, file))}"),
    ]
    if inspection.n_inspected is not None:
        lines.append(
            comment(f"Only a sample of {inspection.n_inspected} of {inspection.n_records} records was looked at.")
        )
    return lines


def _usual_command(inspection: Inspection, file: str) -> list[str]:
    if inspection.on_cluster:
        return ["microagg", "spark", "protect", inspection.file or "FOLDER", "--plan", file, "-o", "safe/"]
    return ["microagg", "protect", inspection.file or "FILE", "--plan", file, "-o", f"safe{_ending(inspection)}"]


def _ending(inspection: Inspection) -> str:
    """Return the ending of a file of the same kind, or of a text file if such cannot be written."""
    suffix = Path(inspection.file or "").suffix.lower()
    return suffix if suffix in written_suffixes() else ".csv"


def _reading(inspection: Inspection) -> list[str]:
    reading = inspection.reading
    lines = [given(name, getattr(reading, name), "as the file was read") for name in reading.given]
    if inspection.header_doubt is not None:
        lines.append(asked("header", True, f"{inspection.header_doubt}: does it name them?"))
    return lines


def _roles(inspection: Inspection) -> list[str]:
    """Return the lines of columns that are not protected but have a role."""
    lines = []
    units = having_role(inspection, "unit")
    left_out = [
        (column.name, _asked(column, column.look("identifier") or ""))
        for column in having_role(inspection, "identifier")
    ]
    if left_out or units:
        lines += entries("identifiers", [*left_out, *((column.name, _UNIT) for column in units)])
    for column in units:
        lines.append(
            given("unit", column.name, f"k counts its values, not records: {_asked(column, f'it {_repeats(column)}')}")
        )
        if not inspection.on_cluster:
            linked = "or new numbers for it? take it out of identifiers: its records can then be linked"
            lines.append(asked("renumber", [column.name], linked))
    for column in having_role(inspection, "weight"):
        released = "it is released unchanged: name it in drop, too, if others can know it"
        lines.append(given("weight", column.name, f"means are weighted: it {column.look('weight')}; {released}"))
    if dropped := having_role(inspection, "dropped"):
        lines += entries("drop", [(column.name, _asked(column, why(column))) for column in dropped])
    return lines


def _repeats(column: ColumnInspection) -> str:
    return column.look("unit") or ""


def _asked(column: ColumnInspection, reason: str) -> str:
    """Return a reason, and the question where the role is doubtful."""
    return f"{reason}; {column.proposal.question}" if column.proposal.question else reason


def _unchanged(inspection: Inspection) -> list[str]:
    """Return comments on the columns that no line of the plan names."""
    columns = having_role(inspection, "unchanged")
    lines = [comment(f"  {column.name!r} {why(column)}") for column in columns]
    return [comment("Released unchanged, since they do not distinguish records:"), *lines] if lines else []


def _missing(inspection: Inspection) -> list[str]:
    """Return the lines about missing values, if protected columns have some."""
    columns = protected(inspection)
    marked = {column.name: list(column.sentinels) for column in columns if column.sentinels}
    lines = []
    if inspection.on_cluster:
        of_text = [column.name for column in columns if column.name in marked and column.values.kind == "text"]
        marks = [f"{name} ({', '.join(map(repr, marked.pop(name)))})" for name in of_text]
        question = "do these texts stand for missing values? then replace them by null before: "
        lines += [comment(question + "; ".join(marks))] if marks else []
    if not marked and not any(column.values.n_missing for column in columns):
        return lines
    if marked:
        reason = "may stand for missing values: do they?"
        lines.append(given("missing_values", marked, reason))
    # On a cluster, small strata are counted in records, so that a unit allows no choice about them.
    options = ["missing"] if inspection.on_cluster and having_role(inspection, "unit") else list(_MISSING)
    return lines + [given(option, _MISSING[option], _MISSING_REASONS[option]) for option in options]


def _privacy(inspection: Inspection) -> list[str]:
    """Return questions about strata and confidential columns."""
    lines = []
    places = [column.name for column in having_role(inspection, "quasi-identifier") if _divides(column)]
    if places:
        question = "should no group mix records of two of these? then take it out of columns and nominal"
        lines.append(asked("strata", places[:1], question))
    if protected(inspection):
        question = "which columns can nobody else know? they are released unchanged: take them out of columns"
        lines.append(asked("confidential", ["NAME"], question))
        lines.append(asked("l_diversity", 2, "how many different confidential values must a group have, at least?"))
    return lines


def _divides(column: ColumnInspection) -> bool:
    few = column.values.n_distinct <= _MAX_STRATA
    return few and column.proposal.nominal and is_place(ColumnProfile.named(column.name))
