"""What a plan does, in sentences."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from microagg.app.form_state import is_automatic, named_columns
from microagg.app.page_words import listed
from microagg.model.by_column import ByColumn, as_given
from microagg.model.column_set import ColumnSet
from microagg.model.plan import READING, Plan
from microagg.model.plan_file import options_to_toml
from microagg.model.roles import ROLES
from microagg.model.treatment_options import named_in
from microagg.report.estimate_lines import duration_in_words
from microagg.report.shown_text import shown_name

_USUAL = ColumnSet(2)
_CAUTION = "Make sure that nobody can be found by {}."
_MISSING = {
    "error": "Records with a missing value in a protected column are refused: the run would end with an error.",
    "pattern": "Records are grouped only with records that lack the same columns; missing values stay missing.",
    "fill": "Records are grouped by the cells that are there; members that lack a cell get the value of their group.",
    "blank": "A cell that one member of a group lacks is blank for all of them; groups are made so that few cells go.",
    "drop": "Records with a missing value in a protected column are left out of the release.",
    "available": (
        "Records with missing values are grouped by the cells that are there; missing values stay missing. This is a "
        "weaker promise: whoever sees a blank can tell its record from the others of its group."
    ),
}
_SMALL_STRATA = {
    "error": "If a stratum, or a pattern of missing values, has fewer than k records, the run would end with an error.",
    "suppress": "Records of a stratum, or of a pattern of missing values, with fewer than k records are left out.",
    "merge": (
        "A stratum, or a pattern of missing values, with fewer than k records is joined with the nearest one; a cell "
        "that one member of a group lacks is then blank for all of them."
    ),
}
_AGGREGATES = {
    "mean": "the mean",
    "median": "the median",
    "trimmed": "the mean without the lowest and highest 10 %",
    "mode": "the most frequent value",
    "medoid": "the value of the record nearest to the mean",
    "set": "the set of all its categories",
}
_BY_KEY_OF_SET = ("block_size", "rounds", "standardise", "scale", "transform")
_BY_KEY = ("random_state", "iterations", "target_gap", "allow_k1", *READING)
_MOST_NAMES = 12


def plan_words(plan: Plan, columns: Sequence[str]) -> list[str]:
    """Say in sentences what a plan does.

    Parameters
    ----------
    plan
        The plan.
    columns
        Columns of the table.

    Returns
    -------
    list of str
        One sentence or two each.
    """
    return [
        *_protected(plan),
        *_roles(plan),
        *_left_out(plan),
        *_as_it_came(plan, columns),
        *_missing(plan),
        *_rules(plan),
        *_work(plan),
        *_by_key(plan),
        *_unknown(plan, columns),
    ]


def _protected(plan: Plan) -> Iterator[str]:
    """Yield what is done to the columns of each set."""
    several = len(plan.sets) > 1
    unit = plan.roles.unit
    for number, one in enumerate(plan.sets, start=1):
        what = f"Set {number}: " if several else ""
        names = _every_numeric(plan) if one.columns is None else _names(one.columns)
        are = "is" if one.columns is None else _are(one.columns)
        counted = f"{one.k} records" if unit is None else f"{one.k} different {_name(unit)}"
        shared = f"Released values are shared by {'records of ' * (unit is not None)}at least {counted}"
        shared += ", if a missing one may be any value." if plan.missing_policy.missing == "available" else "."
        yield " ".join([f"{what}{names} {are} protected. {shared}", _method(one), *_treatment(one)])
    if several:
        yield "Each set is k-anonymous on its own columns, not on those of several sets together."


def _every_numeric(plan: Plan) -> str:
    has_others = plan.exclude or plan.drop or any(plan.roles.columns_of(role) for role in ROLES)
    return "Every numeric column that is not named below" if has_others else "Every numeric column"


def _method(one: ColumnSet) -> str:
    stages = one.method if isinstance(one.method, tuple) else (one.method,)
    name = "+".join(str(stage) for stage in stages)
    effort = "" if one.effort is None else f", with {one.effort} effort"
    proof = " A lower bound of the loss is proved." if one.bound else ""
    return f"Groups are made by the method “{name}”{effort}.{proof}"


def _treatment(one: ColumnSet) -> Iterator[str]:
    if one.nominal:
        yield f"{_names(one.nominal)} {_are(one.nominal)} treated as categories without order."
    if one.ordinal:
        named = named_in(one.ordinal)
        yield f"{_names(named)} {_are(named)} treated as categories in order."
    if one.keep_integers:
        total = ", so that totals are nearly kept" if one.rounding == "total" else ""
        yield f"Whole numbers stay whole{total}."
    if one.aggregate is not None:
        yield from _released_values(as_given(one.aggregate))
    if one.weighted_loss:
        yield "The weights of the records count in the loss."
    if asked := {name: value for name in _BY_KEY_OF_SET if (value := getattr(one, name)) != getattr(_USUAL, name)}:
        yield f"Distances and blocks are as the plan asks: {_keys_and_values(asked)}."


def _released_values(aggregate: str | dict[str, str]) -> Iterator[str]:
    """Yield what stands for a group."""
    if isinstance(aggregate, str):
        yield f"What is released of a group is {_AGGREGATES[aggregate]}, of all columns that can have it."
        return
    for name, value in aggregate.items():
        yield f"What is released of a group in {_name(name)} is {_AGGREGATES[value]}."


def _roles(plan: Plan) -> Iterator[str]:
    roles = plan.roles
    if roles.strata:
        yield f"No group has records of two strata, which are made by {_names(roles.strata)}."
    if roles.weight is not None:
        yield f"Means are weighted by {_name(roles.weight)}."
    if roles.renumber:
        yield f"New numbers in random order: {_names(roles.renumber)}. Records that shared a value share the new one."


def _left_out(plan: Plan) -> Iterator[str]:
    identifiers = plan.roles.identifiers
    if identifiers:
        lead = "it leads" if len(identifiers) == 1 else "they lead"
        yield f"Left out, as {lead} to people or enterprises: {_names(identifiers)}."
    if plan.drop:
        yield f"Also left out of the release: {_names(plan.drop)}."


def _as_it_came(plan: Plan, columns: Sequence[str]) -> Iterator[str]:
    """Yield which columns are released unchanged: those that no option names, and roles that do not change a column."""
    roles = plan.roles
    changed = {name for one in plan.sets for name in one.columns or ()}
    changed |= {*roles.identifiers, *roles.renumber, *plan.drop}
    if roles.confidential:
        guarded = "guarded by the rules below" if plan.privacy.given else "confidential, but guarded by no rule"
        yield f"Released as {_came(roles.confidential)}, {guarded}: {_names(roles.confidential)}."
    if is_automatic(plan):
        kept = [*roles.strata, *(name for name in (roles.weight, roles.unit) if name is not None), *plan.exclude]
        left = f", and so {_are(kept)} {_names(kept)}" if kept else ""
        yield f"All other columns, which hold no numbers, are released unchanged{left}. {_CAUTION.format('them')}"
        return
    others = [name for name in columns if name not in changed and name not in roles.confidential]
    if others:
        found = "it" if len(others) == 1 else "them"
        yield f"Released as {_came(others)}: {_names(others)}. {_CAUTION.format(found)}"


def _missing(plan: Plan) -> Iterator[str]:
    policy = plan.missing_policy
    yield _MISSING[policy.missing]
    if policy.missing_values != ByColumn():
        yield f"Taken for missing values: {_value(policy.missing_values.given)}."
    if plan.roles.strata or policy.missing == "pattern":
        yield _SMALL_STRATA[policy.small_strata]


def _rules(plan: Plan) -> Iterator[str]:
    for option in plan.privacy.given:
        yield f"Each group must also satisfy {option.replace('_', '-')}: {_value(getattr(plan.privacy, option).given)}."


def _value(given: object) -> str:
    if isinstance(given, dict):
        return listed([f"{_value(value)} in {_name(str(name))}" for name, value in given.items()])
    return listed([str(each) for each in given]) if isinstance(given, tuple) else str(given)


def _work(plan: Plan) -> Iterator[str]:
    if plan.limits.time_limit is not None:
        duration = duration_in_words(plan.limits.time_limit)
        yield f"Grouping ends after {duration} at the latest, with the best groups so far."
    if plan.shuffle:
        yield "The released records are put in a random order."
    if plan.strict:
        yield "Nothing is released unless k holds on all released columns that others may know."
    if plan.random_state is None:
        yield "Fresh randomness is taken: the same plan may give other groups next time."


def _by_key(plan: Plan) -> Iterator[str]:
    """Yield the options that have no sentence of their own."""
    given = plan.given
    if asked := {name: given[name] for name in _BY_KEY if given.get(name) is not None}:
        yield f"Also as the plan asks: {_keys_and_values(asked)}."


def _keys_and_values(options: Mapping[str, Any]) -> str:
    lines = [options_to_toml({name: as_given(value)}).strip() for name, value in options.items()]
    return listed(lines)


def _unknown(plan: Plan, columns: Sequence[str]) -> Iterator[str]:
    known = frozenset(columns)
    if unknown := [name for name in named_columns(plan) if name not in known]:
        yield f"The file has no column {_names(unknown)}: the run would end with an error."


def _came(names: Sequence[str]) -> str:
    return "it came" if len(names) == 1 else "they came"


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _names(names: Sequence[str]) -> str:
    shown = [_name(name) for name in names[:_MOST_NAMES]]
    more = len(names) - _MOST_NAMES
    return listed([*shown, f"{more} more"]) if more > 0 else listed(shown)


def _name(name: str) -> str:
    return f"“{shown_name(name)}”"
