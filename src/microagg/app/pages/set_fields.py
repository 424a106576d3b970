"""Fields of the settings page about one column set: k, method, and how records are compared and released."""

from collections.abc import Iterator

from microagg.app.form_state import BY_COLUMN, FormState, SetChoice
from microagg.app.pages.form_fields import check_field, option, select_field, text_field
from microagg.app.settings_words import (
    AGGREGATES,
    AUTO,
    BY_COLUMN_WORDS,
    EFFORTS,
    FIELDS,
    SCALES,
    TRANSFORMS,
    WHOLE_NUMBERS,
)
from microagg.methods import Method, methods
from microagg.report.document_parts.html_elements import Markup, element
from microagg.report.shown_text import shown_name

_FIRST = ("auto", "mdav", "exact", "individual-ranking")
_MOST_NAMES = 6


def set_fields(number: int, one: SetChoice, form: FormState) -> Markup:
    """Return the fields of one column set.

    Parameters
    ----------
    number
        Number of the set, from 1 on.
    one
        What is chosen for it.
    form
        The whole form.

    Returns
    -------
    Markup
        A group of fields; those that are rarely needed are folded up.
    """
    usual = element("div", _k(number, one), _method(number, one), _effort(number, one), class_="option-grid")
    rare = element(
        "details",
        element("summary", "More about the groups"),
        element("div", *_rare(number, one), class_="option-grid"),
    )
    legend = element("legend", _title(number, form), class_="" if len(form.sets) > 1 else "visually-hidden")
    return element("fieldset", legend, usual, rare, data_set=f"{number}")


def _title(number: int, form: FormState) -> str:
    if len(form.sets) == 1:
        return "Groups"
    names = [shown_name(one.name) for one in form.columns if one.number == number]
    more = ", …" if len(names) > _MOST_NAMES else ""
    return f"Set {number}: {', '.join(names[:_MOST_NAMES])}{more}"


def _k(number: int, one: SetChoice) -> Markup:
    words = FIELDS["k"]
    return text_field(f"k-{number}", *words, one.k, inputmode="numeric", data_option="k")


def _effort(number: int, one: SetChoice) -> Markup:
    return _chosen(number, "effort", one.effort, EFFORTS)


def _rare(number: int, one: SetChoice) -> Iterator[Markup]:
    yield _chosen(number, "aggregate", one.aggregate, AGGREGATES)
    yield _chosen(number, "whole_numbers", one.whole_numbers, WHOLE_NUMBERS)
    yield _chosen(number, "scale", one.scale, SCALES)
    yield _chosen(number, "transform", one.transform, TRANSFORMS)
    for name, value in (("bound", one.bound), ("weighted_loss", one.weighted_loss)):
        yield check_field(f"{name}-{number}", *FIELDS[name], value, data_option=name)


def _chosen(number: int, name: str, value: str, options: dict[str, str]) -> Markup:
    offered = {**options, **BY_COLUMN_WORDS} if value == BY_COLUMN else options
    return select_field(f"{name}-{number}", *FIELDS[name], value, offered, data_option=name)


def _method(number: int, one: SetChoice) -> Markup:
    """Return the field of the method; the sentence below it is that of the chosen one."""
    known = {method.name: method for method in methods() if not method.name.startswith("+")}
    first = [known[name] for name in _FIRST]
    others = [method for name, method in known.items() if name not in _FIRST]
    groups = [
        element("optgroup", *(_offer(method, one.method) for method in first), label="Often used"),
        element("optgroup", *(_offer(method, one.method) for method in others), label="All others"),
    ]
    summary = _summary(known[one.method]) if one.method in known else "As it is written in the plan."
    if one.method not in known:
        groups.insert(0, option(one.method, one.method, chosen=True, data_summary=summary))
    key = f"method-{number}"
    field = element("select", *groups, id=key, data_option="method", aria_describedby=f"{key}-hint")
    refiners = "Refiners and parameters are written into the plan, as in mdav+recut."
    told = element(
        "span", element("span", summary, data_summary_of=key), " ", refiners, id=f"{key}-hint", class_="hint"
    )
    return element("div", element("label", FIELDS["method"].label, for_=key), field, told, class_="field")


def _offer(method: Method, chosen: str) -> Markup:
    return option(method.name, method.name, method.name == chosen, data_summary=_summary(method))


def _summary(method: Method) -> str:
    if method.name == "auto":
        return AUTO
    return f"{method.summary} ({method.reference})"
