"""The form of the settings page and the plan: each is made from the other, and nothing gets lost."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from microagg.app.form_state import (
    FRESH,
    PRIVACY_FIELDS,
    ColumnChoice,
    FormState,
    SetChoice,
    form_of,
    is_automatic,
)
from microagg.app.plan_draft import PlanDraft
from microagg.app.plan_text import parsed_plan
from microagg.model.column import NUMERIC
from microagg.model.errors import InputError, MicroaggError
from microagg.model.plan import Plan

__all__ = ["FormState", "form_of", "form_of_text", "form_to_text", "plan_of", "text_to_form"]

_STALE = "the plan has changed since the form was shown: reload the page"
_FIRST_PLAN = Plan(k=5)


def plan_of(form: FormState, base: Plan) -> Plan:
    """Return a plan as it is changed in the form.

    Parameters
    ----------
    form
        The form.
    base
        The plan that it was filled in by: everything that the form does not change stays as it is there.

    Returns
    -------
    Plan
        The plan.

    Raises
    ------
    InputError
        If the choices contradict each other, or a value cannot be.
    """
    names = [one.name for one in form.columns]
    before = form_of(base, names, {one.name: one.kind for one in form.columns})
    if len(form.sets) != len(before.sets):
        raise InputError(_STALE)
    draft = PlanDraft(base)
    for number, (old, new) in enumerate(zip(before.sets, form.sets, strict=True), start=1):
        for name, value in _changed_set_options(old, new):
            draft.set_option(number, name, value)
    for name, value in _changed_options(before, form):
        draft.set_plan_option(name, value)
    if form.random_state != before.random_state and form.random_state.strip() == FRESH:
        draft.options["random_state"] = None
    _change_columns(draft, before, form, automatic=is_automatic(base))
    return draft.plan()


def form_to_text(body: Mapping[str, Any], columns: Sequence[str], kinds: Mapping[str, str]) -> dict[str, Any]:
    """Answer a change in the form: the text of the plan, and the form that it fills in.

    Parameters
    ----------
    body
        What the browser sent: "form", and the text of the plan before, "toml".
    columns, kinds
        Columns of the table, and the kind of each.

    Raises
    ------
    MicroaggError
        If the choices contradict each other, a value cannot be, or the text before is no plan.
    """
    sent = FormState.from_json(body.get("form"))
    base, problem = _plan_or_first(str(body.get("toml", "")))
    if problem:
        raise InputError(f"the text of the plan must be mended before the form can change it: {problem}")
    plan = plan_of(_with_names(sent, form_of(base, columns, kinds)), base)
    return {"toml": plan.to_toml(), "form": form_of(plan, columns, kinds).to_json()}


def text_to_form(body: Mapping[str, Any], columns: Sequence[str], kinds: Mapping[str, str]) -> dict[str, Any]:
    """Answer a change in the text of the plan: the same text, and the form that it fills in.

    Parameters
    ----------
    body
        What the browser sent: the text of the plan, "toml".
    columns, kinds
        Columns of the table, and the kind of each.

    Raises
    ------
    MicroaggError
        If the text is no plan.
    """
    text = str(body.get("toml", ""))
    return {"toml": text, "form": form_of(parsed_plan(text), columns, kinds).to_json()}


def form_of_text(text: str, columns: Sequence[str], kinds: Mapping[str, str]) -> tuple[FormState, str]:
    """Return the form that a text fills in, and what is wrong with the text; nothing if it is a plan.

    Parameters
    ----------
    text
        Text of a plan. One that is no plan leaves the form as a plan fills it in that says k = 5 and nothing else.
    columns, kinds
        Columns of the table, and the kind of each.
    """
    plan, problem = _plan_or_first(text)
    return form_of(plan, columns, kinds), problem


def _plan_or_first(text: str) -> tuple[Plan, str]:
    try:
        return parsed_plan(text), ""
    except MicroaggError as error:
        return _FIRST_PLAN, str(error)


def _with_names(sent: FormState, filled: FormState) -> FormState:
    """Return a form that was sent with the names and kinds of its columns, as a page cannot hold every character."""
    names = [one.name for one in filled.columns]
    if [_as_sent(name) for name in names] != [_as_sent(one.name) for one in sent.columns]:
        raise InputError(_STALE)
    both = zip(sent.columns, filled.columns, strict=True)
    return replace(sent, columns=tuple(replace(one, name=known.name, kind=known.kind) for one, known in both))


def _as_sent(name: str) -> str:
    """Return a name as a browser sends it back: line ends are alike, and there is no NUL."""
    return name.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def _changed_set_options(old: SetChoice, new: SetChoice) -> Iterator[tuple[str, Any]]:
    """Yield options of a column set that the form changes; None for one that is not given any more."""
    if old.k != new.k:
        yield "k", _typed(new.k)
    for name in ("method", "effort", "transform", "aggregate", "bound", "weighted_loss"):
        if getattr(old, name) != getattr(new, name):
            yield name, getattr(new, name) or None
    if old.scale != new.scale:
        yield "standardise", None
        yield "scale", _typed(new.scale) if new.scale else None
    if old.whole_numbers != new.whole_numbers:
        yield "keep_integers", None if new.whole_numbers == "means" else True
        yield "rounding", "total" if new.whole_numbers == "total" else None


def _changed_options(old: FormState, new: FormState) -> Iterator[tuple[str, Any]]:
    """Yield options of the plan that the form changes; None for one that is not given any more."""
    for name in ("missing", "small_strata"):
        if getattr(old, name) != getattr(new, name):
            yield name, None if getattr(new, name) == "error" else getattr(new, name)
    for name in ("shuffle", "strict"):
        if getattr(old, name) != getattr(new, name):
            yield name, getattr(new, name) or None
    for name in ("random_state", "time_limit", *PRIVACY_FIELDS):
        if getattr(old, name) != getattr(new, name):
            typed = getattr(new, name).strip()
            yield name, _typed(typed) if typed else None
    pair = [each.strip() for each in (new.dominance_n, new.dominance_share)]
    if pair != [old.dominance_n, old.dominance_share]:
        yield "dominance", [_typed(each) for each in pair if each] or None


def _typed(text: str) -> int | float | str:
    """Return the number that was typed, with a decimal point or comma; what is none is left to the plan to refuse."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return number if math.isfinite(number) else text


def _change_columns(draft: PlanDraft, before: FormState, form: FormState, *, automatic: bool) -> None:
    """Give columns the roles and treatments that the form changes."""
    old_choices = before.columns
    new_choices = form.columns
    if automatic and _names_needed(draft, old_choices, new_choices):
        draft.name_columns([one.name for one in old_choices if one.role == "automatic"])
        old_choices = tuple(map(_named, old_choices))
        automatic = False
    if not automatic:
        new_choices = tuple(map(_named, new_choices))
    known = {one.name: one for one in old_choices}
    changes = [(known[one.name], one) for one in new_choices if known[one.name] != one]
    moved = [(old, new) for old, new in changes if (old.role, old.number) != (new.role, new.number)]
    values = {old.name: draft.own_values(old.name, max(1, old.number)) for old, _ in changes}
    for old, _ in moved:
        draft.take_out(old.name)
    for old, new in moved:
        _place(draft, old, new)
    for old, new in changes:
        _treat(draft, old, new, values[old.name])
    draft.remove_empty_sets()


def _names_needed(draft: PlanDraft, old_choices: Sequence[ColumnChoice], new_choices: Sequence[ColumnChoice]) -> bool:
    """Return whether columns must be named, where every numeric one has been protected so far."""
    if any(one.role == "protect" for one in new_choices):
        return True
    excluded = {one.name for one in new_choices if one.role == "as-it-came"}
    return not draft.can_exclude and any(one.role == "automatic" and one.name in excluded for one in old_choices)


def _named(choice: ColumnChoice) -> ColumnChoice:
    """Return a choice in which a column that is protected as it holds numbers is named."""
    if choice.role == "automatic":
        return replace(choice, role="protect", number=max(1, choice.number))
    return choice


def _place(draft: PlanDraft, old: ColumnChoice, new: ColumnChoice) -> None:
    if new.role == "protect":
        draft.put_into(new.name, max(1, new.number), old.number)
    elif new.role == "as-it-came" and draft.can_exclude and new.kind in NUMERIC:
        draft.exclude(new.name)
    else:
        draft.give_role(new.name, new.role)


def _treat(draft: PlanDraft, old: ColumnChoice, new: ColumnChoice, values: Mapping[str, Any]) -> None:
    """Name a column in the options that treat it, and in no other."""
    draft.forget(new.name)
    if new.role in ("protect", "automatic"):
        kept = values if old.role in ("protect", "automatic") else {}
        draft.name_again(new.name, min(max(1, new.number), len(draft.sets)), new.level, kept)
    elif new.role == "confidential":
        draft.name_again(new.name, draft.first_set, new.level, {})
