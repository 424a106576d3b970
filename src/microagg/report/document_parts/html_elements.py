"""Elements of an HTML document: escaped texts, tables, sections and notices."""

from collections.abc import Iterable, Sequence
from html import escape

from microagg.report.shown_text import plain_text


class Markup(str):
    """Text that is HTML already, and is not escaped again."""

    __slots__ = ()


def text(content: str) -> Markup:
    """Return a text as HTML: what is invisible is marked, what is special is escaped."""
    return content if isinstance(content, Markup) else Markup(escape(plain_text(content)))


def element(tag: str, *contents: str, **attributes: str) -> Markup:
    """Return an element with some contents; `class_` is the attribute class, and an underscore is a dash."""
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"' for name, value in attributes.items() if value
    )
    return Markup(f"<{tag}{given}>{''.join(map(text, contents))}</{tag}>")


def joined(parts: Iterable[str]) -> Markup:
    """Return parts one after another."""
    return Markup("".join(map(text, parts)))


def paragraph(content: str) -> Markup:
    """Return a paragraph; nothing of an empty one."""
    return element("p", content) if content else Markup()


def section(key: str, heading: str, *contents: str) -> Markup:
    """Return a section of a document with its heading; nothing where it has no contents."""
    body = joined(each for each in contents if each)
    if not body:
        return Markup()
    title = element("h2", heading, id=f"{key}-heading")
    return element("section", title, body, id=key, aria_labelledby=f"{key}-heading")


def notice(kind: str, title: str, sentence: str) -> Markup:
    """Return a box that is seen before anything else: a verdict ("good" or "bad"), or a "warning"."""
    return element("div", element("p", element("strong", title)), paragraph(sentence), class_=f"notice {kind}")


def table(
    caption: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Sequence[int] = (),
    names: Sequence[int] = (0,),
) -> Markup:
    """Return a table; the first cell of each row names it.

    Parameters
    ----------
    caption
        What the table shows.
    head
        Titles of its columns.
    rows
        Texts of its cells.
    numbers
        Places of the columns that hold numbers.
    names
        Places of the columns that hold names of the user's: these may be broken anywhere.

    Returns
    -------
    Markup
        The table; nothing where it has no rows.
    """
    if not rows:
        return Markup()
    kinds = ["n" if place in numbers else "w" if place in names else "" for place in range(len(head))]
    titles = joined(
        element("th", title, scope="col", class_="n" if kind == "n" else "")
        for title, kind in zip(head, kinds, strict=True)
    )
    lines = joined(_row(row, kinds) for row in rows)
    return element(
        "table", element("caption", caption), element("thead", element("tr", titles)), element("tbody", lines)
    )


def _row(row: Sequence[str], kinds: Sequence[str]) -> Markup:
    first, *others = row
    cells = [element("td", each, class_=kind) for each, kind in zip(others, kinds[1:], strict=True)]
    return element("tr", element("th", first, scope="row", class_=kinds[0]), *cells)


def named_rows(caption: str, rows: Sequence[tuple[str, str]]) -> Markup:
    """Return a table of texts by their names, without titles above."""
    lines = joined(
        element("tr", element("th", name, scope="row"), element("td", content, class_="w")) for name, content in rows
    )
    return element("table", element("caption", caption), element("tbody", lines), class_="named") if rows else Markup()


def preformatted(content: str) -> Markup:
    """Return a text whose lines stay as they are."""
    lines = Markup("\n".join(text(line) if line else "" for line in content.splitlines()))
    return element("pre", lines)


def figure(chart: str, heading: str, beside: str = "", *, wide: bool = False) -> Markup:
    """Return a chart with a heading above, and perhaps a table beside it; a wide one takes the whole page."""
    drawn = element("div", Markup(chart), class_="chart wide" if wide else "chart")
    caption = element("figcaption", element("h3", heading))
    return element("figure", caption, element("div", drawn, beside, class_="pair"))
