"""Column set of a starter plan: everything that others may know, in one set, so that k holds for all of it."""

from collections.abc import Sequence

from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.name_rules import is_known_to_others, is_ordered
from microagg.model.column import NUMERIC
from microagg.model.inspection import ColumnInspection, Inspection, Role
from microagg.report.plan_lines import as_toml, asked, comment, entries, given

_TITLE = "What others may know, in one set: each combination of values is that of k records, or units."
_MANY = 12  # columns: more lose most of what they hold
_MAX_NAMES = 30  # in a comment


def set_parts(inspection: Inspection) -> list[list[str]]:
    """Return the lines of the column set, and what to do to lose less."""
    columns = protected(inspection)
    if not columns:
        return [[asked("columns", ["NAME"], "which columns are to be protected? none looks like one that others know")]]
    return [[comment(_TITLE), *_to_lose_less(columns), *_set_lines(columns, inspection.on_cluster)], _sets(inspection)]


def protected(inspection: Inspection) -> list[ColumnInspection]:
    """Return the columns that are to be protected: codes and ages first, then amounts."""
    return having_role(inspection, "quasi-identifier") + having_role(inspection, "amount")


def _to_lose_less(columns: Sequence[ColumnInspection]) -> list[str]:
    """Return what can be done where many columns lose much."""
    if len(columns) <= _MANY:
        return []
    unknown = [column.name for column in columns if not is_known_to_others(ColumnProfile.named(column.name))]
    shown = ", ".join(unknown[:_MAX_NAMES]) + (", …" if len(unknown) > _MAX_NAMES else "")
    lines = [
        f"{len(columns)} columns in one set lose most of what they hold. To lose less, drop what is not needed, or",
        "name as confidential what nobody else can know.",
    ]
    return [comment(line) for line in (*lines, *([f"Names do not say that others know: {shown}"] if unknown else []))]


def _sets(inspection: Inspection) -> list[str]:
    """Return the two sets that lose less, commented out, and their price."""
    parts = [having_role(inspection, role) for role in _PROTECTED]
    if not all(parts):
        return []
    price = [
        "Two sets lose less, but k holds for each set alone: over both together k is often 1, and most records can",
        "then be linked. The report of a run has k and the linkage (--measures all) of both. Instead of the above:",
    ]
    lines = list(price)
    for part in parts:
        lines += ["[[sets]]", f"columns = {as_toml([column.name for column in part])}"]
        if nominal := [column.name for column in part if _needs_nominal(column, inspection.on_cluster)]:
            lines.append(f"nominal = {as_toml(nominal)}")
    return [comment(line) for line in lines]


_PROTECTED: tuple[Role, ...] = ("quasi-identifier", "amount")


def _set_lines(columns: Sequence[ColumnInspection], names_text: bool) -> list[str]:
    """Return the options of a column set."""
    lines = entries("columns", [(column.name, why(column)) for column in columns])
    if nominal := [(column.name, _n_categories(column)) for column in columns if _needs_nominal(column, names_text)]:
        lines += entries("nominal", nominal)
    if ordered := [column.name for column in columns if column.proposal.nominal and _has_order(column)]:
        lines.append(
            asked("ordinal", ordered, "do their codes rise with what they mean? then take them out of nominal")
        )
    if any(_is_whole(column) for column in columns):
        lines.append(given("keep_integers", True, "ages and the like are released as whole numbers"))
    if skewed := {column.name: "log" for column in columns if column.look("skewed") is not None}:
        lines.append(
            asked(
                "transform",
                skewed,
                "should distances compare ratios, not differences?",
            )
        )
    if zeros := {column.name: [0] for column in columns if column.look("structural zeros") is not None}:
        lines.append(asked("missing_values", zeros, "are zeros to stay zero? then add this to missing_values above"))
    return lines


def _is_whole(column: ColumnInspection) -> bool:
    proposal = column.proposal
    return proposal.role == "quasi-identifier" and not proposal.nominal and column.values.kind == "integer"


def _needs_nominal(column: ColumnInspection, names_text: bool) -> bool:
    """Check whether a column must be named as one of categories: of numbers; text is such anyway, or is named, too."""
    if column.values.kind == "text":
        return names_text
    return column.proposal.nominal and column.values.kind in NUMERIC


def _n_categories(column: ColumnInspection) -> str:
    return f"{column.values.n_distinct - len(column.sentinels)} categories"


def _has_order(column: ColumnInspection) -> bool:
    return is_ordered(ColumnProfile.named(column.name))


def having_role(inspection: Inspection, role: Role) -> list[ColumnInspection]:
    """Return the columns that a role is proposed for."""
    return [column for column in inspection.columns if column.proposal.role == role]


def why(column: ColumnInspection) -> str:
    """Return what a column looks like, in one sentence without its values."""
    looks = [look.reason for look in column.looks] or [f"{column.values.n_distinct} different numbers"]
    return "; ".join([repr(column.label), *looks] if column.label else looks)
