"""What the form of the settings page holds, and how a plan fills it in."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from microagg.app.planned_columns import PlannedColumns
from microagg.model.by_column import ByColumn
from microagg.model.column import NUMERIC
from microagg.model.column_set import SET_OPTIONS, ColumnSet
from microagg.model.errors import InputError
from microagg.model.plan import Plan
from microagg.model.privacy import PRIVACY_OPTIONS
from microagg.model.roles import ROLES
from microagg.model.treatment_options import named_in

BY_COLUMN = "by column"
"""Stands in a field whose value the plan gives by column: the text of the plan shows it."""

FRESH = "fresh"
"""Stands for fresh randomness."""

ROLE_OPTIONS: dict[str, tuple[str, ...]] = {
    "protect": (),
    "automatic": (),
    "identifier": ("identifiers",),
    "renumber": ("renumber",),
    "unit": ("unit",),
    "unit-renumbered": ("unit", "renumber"),
    "unit-identifier": ("unit", "identifiers"),
    "unit-dropped": ("unit", "drop"),
    "stratum": ("strata",),
    "stratum-dropped": ("strata", "drop"),
    "weight": ("weight",),
    "weight-dropped": ("weight", "drop"),
    "confidential": ("confidential",),
    "drop": ("drop",),
    "as-it-came": (),
}
"""Roles that a column can have in the form, each with the options of a plan that name it."""

PRIVACY_FIELDS = ("l_diversity", "entropy_l_diversity", "t_closeness", "p_percent")
"""Privacy rules of one number each; dominance has two."""

_OF_PLAN = ("sets", "exclude", "drop", "missing", "small_strata", "shuffle", "strict", "random_state", "time_limit")
_SHOWN = frozenset((*_OF_PLAN, *SET_OPTIONS, *ROLES, *PRIVACY_OPTIONS)) - {"block_size", "rounds"}


@dataclass(frozen=True)
class ColumnChoice:
    """What is chosen for a column.

    Parameters
    ----------
    name
        Its name.
    kind
        Kind of its values; empty where the table has no such column.
    role
        One of `ROLE_OPTIONS`.
    number
        Number of its column set, from 1 on; 0 where it is not protected.
    level
        "plain" for what its kind says, "nominal" or "ordinal".
    """

    name: str
    kind: str
    role: str
    number: int = 0
    level: str = "plain"


@dataclass(frozen=True)
class SetChoice:
    """What is chosen for a column set; numbers as they are typed.

    Parameters
    ----------
    k, method, effort, scale, transform, aggregate
        Options of a column set as texts; empty where the usual is meant, `BY_COLUMN` where columns are named.
    whole_numbers
        "means": means as they are. "nearest" and "total": whole numbers stay whole, rounded so.
    bound, weighted_loss
        Options of a column set.
    """

    k: str
    method: str
    effort: str
    scale: str
    transform: str
    aggregate: str
    whole_numbers: str
    bound: bool
    weighted_loss: bool


@dataclass(frozen=True)
class FormState:
    """What the form of the settings page holds.

    Parameters
    ----------
    columns
        The columns of the table in their order, then those that only the plan names.
    sets
        The column sets.
    missing, small_strata, shuffle, strict
        Options of the plan.
    random_state, time_limit, l_diversity, entropy_l_diversity, t_closeness, p_percent
        Options as they are typed; empty where they are not given.
    dominance_n, dominance_share
        The two numbers of the dominance rule.
    others
        Names of options that the plan gives and the form does not show.
    """

    columns: tuple[ColumnChoice, ...]
    sets: tuple[SetChoice, ...]
    missing: str
    small_strata: str
    shuffle: bool
    strict: bool
    random_state: str
    time_limit: str
    l_diversity: str
    entropy_l_diversity: str
    t_closeness: str
    p_percent: str
    dominance_n: str
    dominance_share: str
    others: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the form as JSON can hold it."""
        return asdict(self)

    @classmethod
    def from_json(cls, given: object) -> "FormState":
        """Return the form that a browser has sent.

        Raises
        ------
        InputError
            If it is not the form of the settings page.
        """
        values = _fields_of(cls, given)
        values["columns"] = tuple(ColumnChoice(**_fields_of(ColumnChoice, one)) for one in _listed(values["columns"]))
        values["sets"] = tuple(SetChoice(**_fields_of(SetChoice, one)) for one in _listed(values["sets"]))
        values["others"] = tuple(_listed(values["others"]))
        for one in values["columns"]:
            if one.role not in ROLE_OPTIONS or one.level not in ("plain", "nominal", "ordinal"):
                raise InputError(f"column {one.name!r} has a role or a treatment that there is not: {one.role!r}")
        return cls(**values)


def form_of(plan: Plan, columns: Sequence[str], kinds: Mapping[str, str]) -> FormState:
    """Fill in the form by a plan.

    Parameters
    ----------
    plan
        The plan.
    columns
        Columns of the table.
    kinds
        Kind of each of them.

    Returns
    -------
    FormState
        The form.
    """
    dominance = _pair(plan.privacy.dominance)
    planned = PlannedColumns(plan)
    automatic = frozenset(NUMERIC if is_automatic(plan) else ())
    names = (*columns, *_unknown(plan, columns))
    return FormState(
        columns=tuple(_choice(planned, name, kinds.get(name, ""), automatic) for name in names),
        sets=tuple(_set_choice(one) for one in plan.sets),
        missing=plan.missing_policy.missing,
        small_strata=plan.missing_policy.small_strata,
        shuffle=plan.shuffle,
        strict=plan.strict,
        random_state=FRESH if plan.random_state is None else str(plan.random_state),
        time_limit=_shown(plan.limits.time_limit),
        **{name: _word(getattr(plan.privacy, name)) for name in PRIVACY_FIELDS},
        dominance_n=dominance[0],
        dominance_share=dominance[1],
        others=_others(plan),
    )


def _others(plan: Plan) -> tuple[str, ...]:
    """Return the options that are given for the plan or for a column set, and that the form does not show."""
    given = plan.given
    names = [*given, *(name for one in given.get("sets", []) for name in one)]
    return tuple(dict.fromkeys(name for name in names if name not in _SHOWN))


def is_automatic(plan: Plan) -> bool:
    """Return whether a plan names no columns: every numeric one is protected."""
    return plan.sets[0].columns is None


def named_columns(plan: Plan) -> tuple[str, ...]:
    """Return every column that a plan names, in any option."""
    chosen = [name for one in plan.sets for name in one.columns or ()]
    codes = [*plan.codes.nominal, *named_in(plan.codes.ordinal)]
    marked = plan.missing_policy.missing_values.names
    return tuple(dict.fromkeys([*chosen, *plan.roles.columns, *plan.drop, *plan.exclude, *codes, *marked]))


def _unknown(plan: Plan, columns: Sequence[str]) -> list[str]:
    known = frozenset(columns)
    return [name for name in named_columns(plan) if name not in known]


def _choice(planned: PlannedColumns, name: str, kind: str, automatic: frozenset[str]) -> ColumnChoice:
    """Return what a plan chooses for a column; kinds that are protected without being named are `automatic`."""
    number = planned.set_number(name)
    role = "protect" if number else _role(planned, name, kind in automatic)
    return ColumnChoice(name, kind, role, 1 if role == "automatic" else number, planned.level(name))


def _role(planned: PlannedColumns, name: str, is_automatic: bool) -> str:
    """Return the role of a column that is not named as one to protect."""
    named = planned.role_options(name)
    for role, options in ROLE_OPTIONS.items():
        if options and named == set(options):
            return role
    return "automatic" if is_automatic and not planned.is_excluded(name) else "as-it-came"


def _set_choice(one: ColumnSet) -> SetChoice:
    stages = one.method if isinstance(one.method, tuple) else (one.method,)
    whole_numbers = (one.rounding or "nearest") if one.keep_integers else "means"
    return SetChoice(
        k=str(one.k),
        method="+".join(str(stage) for stage in stages),
        effort=one.effort or "",
        scale=_word(one.scale) if one.standardise else "none",
        transform=_word(one.transform),
        aggregate=_word(one.aggregate),
        whole_numbers=whole_numbers,
        bound=bool(one.bound),
        weighted_loss=one.weighted_loss,
    )


def _word(option: ByColumn[Any] | None) -> str:
    if option is None:
        return ""
    return BY_COLUMN if option.for_all is None else _shown(option.for_all)


def _pair(option: ByColumn[tuple[int, float]] | None) -> tuple[str, str]:
    if option is None:
        return "", ""
    if option.for_all is None:
        return BY_COLUMN, BY_COLUMN
    n, share = option.for_all
    return _shown(n), _shown(share)


def _shown(value: object) -> str:
    """Write a value as it is typed: nothing for None, no ".0"."""
    if value is None:
        return ""
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _fields_of(kind: type, given: object) -> dict[str, Any]:
    names = {one.name for one in fields(kind)}
    if not isinstance(given, Mapping) or set(given) != names:
        raise InputError("this is not the form of the settings page: reload the page")
    for one in fields(kind):
        wanted = {"str": str, "int": int, "bool": bool}.get(str(getattr(one.type, "__name__", one.type)))
        if wanted is not None and type(given[one.name]) is not wanted:
            raise InputError(f"{one.name} of the form must be of type {wanted.__name__}: reload the page")
    return dict(given)


def _listed(value: object) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise InputError("this is not the form of the settings page: reload the page")
    return list(value)
