"""Checks that every page must pass: balanced tags, ids used once, and nothing inline that its policy forbids."""

import re
from html.parser import HTMLParser

_VOID = ("meta", "link", "input")


class ParsedPage(HTMLParser):
    """Elements and texts of a page.

    Parameters
    ----------
    page
        The HTML of the page.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an element that ends at once."""
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        """Close the element that was opened last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        self.texts.append(data)

    @property
    def text(self) -> str:
        """All texts on one line."""
        return re.sub(r"\s+", " ", " ".join(self.texts)).replace("\u202f", " ")

    def attributes(self, name: str) -> list[str]:
        """Return the values of an attribute, of whichever elements have it."""
        return [attributes[name] for _, attributes in self.elements if name in attributes]


def sound_page(page: str) -> ParsedPage:
    """Return a page in parts, after checking what holds for every page."""
    page.encode()
    parsed = ParsedPage(page)
    assert parsed.open == []
    ids = parsed.attributes("id")
    assert len(set(ids)) == len(ids)
    for tag, attributes in parsed.elements:
        assert tag not in ("style", "iframe", "object", "b", "i")
        assert tag != "script" or attributes["src"].startswith("/static/")
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        for name in ("href", "src", "data-post"):
            assert attributes.get(name, "/")[0] in "/#", "nothing is fetched from elsewhere"
        for name in ("for", "aria-labelledby", "data-copy"):
            assert set(attributes.get(name, "").split()) <= set(ids)
    _check_labels(parsed)
    return parsed


def _check_labels(parsed: ParsedPage) -> None:
    """Check that every field has a label."""
    labelled = parsed.attributes("for")
    for tag, attributes in parsed.elements:
        if tag in ("input", "textarea"):
            assert attributes["id"] in labelled or attributes.get("aria-label")
