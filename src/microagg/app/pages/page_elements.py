"""Elements of pages that documents do not have: links, buttons, cards and elements without an end."""

import re
from html import escape

from microagg.report.document_parts.html_elements import Markup, element, joined


def void(tag: str, **attributes: str) -> Markup:
    """Return an element that has no contents and no end tag; names of attributes as in `element`."""
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"' for name, value in attributes.items() if value
    )
    return Markup(f"<{tag}{given}/>")


def with_attribute(made: Markup, name: str, value: str) -> Markup:
    """Return an element with one attribute more, which is written even where its value is empty."""
    return Markup(re.sub("^<[a-z]+", lambda tag: f'{tag[0]} {name}="{escape(value)}"', made))


def button(text: str, kind: str = "", **attributes: str) -> Markup:
    """Return a button that a script acts upon; of kind "primary", "danger" or neither."""
    return element("button", text, type="button", class_=_button_class(kind), **attributes)


def link_button(text: str, address: str, kind: str = "", **attributes: str) -> Markup:
    """Return a link that looks like a button."""
    return element("a", text, href=address, class_=_button_class(kind), **attributes)


def card(heading: str, *contents: str, level: int = 2, **attributes: str) -> Markup:
    """Return a card with a heading."""
    title = element(f"h{level}", heading)
    return element("section", title, joined(contents), **{"class_": "card", **attributes})


def hidden_text(content: str) -> Markup:
    """Return a text for people who do not see the page."""
    return element("span", content, class_="visually-hidden")


def _button_class(kind: str) -> str:
    return f"button {kind}".rstrip()
