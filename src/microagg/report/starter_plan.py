"""Starter plan of an inspection: TOML in which every guess has its reason, and every doubt is a question."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.meaning_rules import is_place
from microagg.model.inspection import ColumnInspection, Inspection
from microagg.report.plan_lines import asked, comment, entries, given
from microagg.report.starter_sets import PlannedSet, having_role, planned_sets, set_parts, why
from microagg.source.file_kinds import written_suffixes

_K = 5
_UNIT_ON_CLUSTER = "the unit: left out of the release, as on a cluster there are no new numbers for it (renumber)"
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
    sets = planned_sets(inspection)
    protected = [column for one in sets for column in one.columns]
    parts = [
        _head(inspection, file, command),
        [given("k", _K, "at least so many records, or units, share their released values; 3 is little, 10 is much")],
        _reading(inspection),
        _roles(inspection),
        _unchanged(inspection, sets),
        _missing(inspection, protected),
        _privacy(inspection),
        *set_parts(sets),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _head(inspection: Inspection, file: str, command: Sequence[str] | None) -> list[str]:
    maker = "microagg spark inspect" if inspection.on_cluster else "microagg inspect"
    lines = [
        comment(f"Starter plan for {inspection.file or 'a table'}, made by {maker}. Each line is a guess, and"),
        comment("says why; what is doubtful is commented out, with a question. Edit it, then run:"),
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
    left_out = [(column.name, column.look("identifier") or "") for column in having_role(inspection, "identifier")]
    if inspection.on_cluster:
        left_out += [(column.name, _UNIT_ON_CLUSTER) for column in units]
    if left_out:
        lines += entries("identifiers", left_out)
    for column in units:
        lines.append(given("unit", column.name, f"k counts its values, not records: it {column.look('unit')}"))
        if not inspection.on_cluster:
            linked = "new numbers, by which its records can be linked; or among identifiers, to be left out"
            lines.append(given("renumber", [column.name], linked))
    for column in having_role(inspection, "weight"):
        lines.append(given("weight", column.name, f"means are weighted: it {column.look('weight')}"))
    if dropped := having_role(inspection, "dropped"):
        lines += entries("drop", [(column.name, _why_dropped(column)) for column in dropped])
    return lines


def _why_dropped(column: ColumnInspection) -> str:
    if column.look("free text") is not None:
        return why(column)
    return f"{column.values.n_distinct} categories are too many to be protected: coarsen them, or leave it out?"


def _unchanged(inspection: Inspection, sets: Sequence[PlannedSet]) -> list[str]:
    """Return comments on the columns that no line of the plan names."""
    named = {column.name for one in sets for column in one.doubtful}
    lines = [comment("Released as they came:")]
    for column in having_role(inspection, "unchanged"):
        if column.name not in named:
            question = f"; {column.proposal.question}" if column.proposal.question else ""
            lines.append(comment(f"  {column.name!r} {why(column)}{question}"))
    return lines if len(lines) > 1 else []


def _missing(inspection: Inspection, protected: Sequence[ColumnInspection]) -> list[str]:
    """Return the lines about missing values, if protected columns have some."""
    marked = {column.name: list(column.sentinels) for column in protected if _has_sentinels(column)}
    lines = []
    if inspection.on_cluster:
        of_text = [column.name for column in protected if column.name in marked and column.values.kind == "text"]
        marks = [f"{name} ({', '.join(map(repr, marked.pop(name)))})" for name in of_text]
        question = "do these texts stand for missing values? then replace them by null before: "
        lines += [comment(question + "; ".join(marks))] if marks else []
    if not marked and not any(column.values.n_missing for column in protected):
        return lines
    if marked:
        reason = "may stand for missing values, and are released as they are; do they?"
        lines.append(given("missing_values", marked, reason))
    choices = 'grouped with records that lack the same columns; or "fill", "blank", "drop"'
    lines.append(given("missing", "pattern", choices))
    if not inspection.on_cluster or not having_role(inspection, "unit"):
        lines.append(asked("small_strata", "suppress", "what if fewer than k records lack the same columns? or merge"))
    return lines


def _has_sentinels(column: ColumnInspection) -> bool:
    of_text = any(isinstance(sentinel, str) for sentinel in column.sentinels)
    return of_text or (bool(column.sentinels) and not column.proposal.nominal)


def _privacy(inspection: Inspection) -> list[str]:
    """Return questions about strata and confidential columns."""
    lines = []
    places = [column.name for column in having_role(inspection, "quasi-identifier") if _divides(column)]
    if places:
        question = "must no group have records of two of these? then take it out of columns and nominal"
        lines.append(asked("strata", places[:1], question))
    if amounts := having_role(inspection, "amount"):
        question = "which columns can nobody know? they are released as they came: take them out of columns"
        lines.append(asked("confidential", [amounts[-1].name], question))
        lines.append(asked("l_diversity", 2, "how many different confidential values must a group have, at least?"))
    return lines


def _divides(column: ColumnInspection) -> bool:
    few = column.values.n_distinct <= _MAX_STRATA
    return few and column.proposal.nominal and is_place(ColumnProfile.named(column.name))
