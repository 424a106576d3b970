"""Fields of forms, each with its label and a sentence."""

from collections.abc import Mapping

from microagg.app.pages.page_elements import void, with_attribute
from microagg.report.document_parts.html_elements import Markup, element


def text_field(key: str, label: str, hint: str, value: str, **attributes: str) -> Markup:
    """Return a field for a short text or a number."""
    told = {"aria_describedby": f"{key}-hint", "autocomplete": "off", "spellcheck": "false", **attributes}
    field = void("input", type="text", id=key, value=value, **told)
    return _field(key, label, field, hint)


def select_field(key: str, label: str, hint: str, value: str, options: Mapping[str, str], **attributes: str) -> Markup:
    """Return a field in which one of several words is chosen."""
    field = select(key, value, options, aria_describedby=f"{key}-hint", **attributes)
    return _field(key, label, field, hint)


def check_field(key: str, label: str, hint: str, value: bool, **attributes: str) -> Markup:
    """Return a box to be ticked."""
    checked = "checked" if value else ""
    field = void("input", type="checkbox", id=key, checked=checked, aria_describedby=f"{key}-hint", **attributes)
    told = element("span", hint, id=f"{key}-hint", class_="hint")
    return element("div", field, element("label", label, for_=key), told, class_="field check")


def select(key: str, value: str, options: Mapping[str, str], **attributes: str) -> Markup:
    """Return a list of words of which one is chosen; a value that is not among them is added."""
    shown = dict(options) if value in options else {**options, value: value}
    return element("select", *(option(each, text, each == value) for each, text in shown.items()), id=key, **attributes)


def option(value: str, text: str, chosen: bool, **attributes: str) -> Markup:
    """Return one of the words that can be chosen, also one whose value is empty."""
    made = element("option", text, selected="selected" if chosen else "", **attributes)
    return with_attribute(made, "value", value)


def _field(key: str, label: str, field: Markup, hint: str) -> Markup:
    told = element("span", hint, id=f"{key}-hint", class_="hint")
    return element("div", element("label", label, for_=key), field, told, class_="field")
