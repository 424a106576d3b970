"""The table of the settings page in which columns get their roles."""

from collections.abc import Mapping

from microagg.app.form_state import ColumnChoice, FormState
from microagg.app.pages.form_fields import select
from microagg.app.pages.inspect_page import filter_field, reasons, scrolled
from microagg.app.pages.page_elements import with_attribute
from microagg.app.settings_words import LEVELS, RARE_ROLES, ROLES
from microagg.report.document_parts.html_elements import Markup, element, joined
from microagg.report.facts import Facts
from microagg.report.shown_text import shown_name

_PLAIN = {"date": "Dates", "datetime": "Dates", "text": "Categories", "category": "Categories", "boolean": "Categories"}
_LEVELLED = ("protect", "automatic", "confidential")


def role_table(form: FormState, inspected: Mapping[str, Facts]) -> Markup:
    """Return the table in which columns get their roles.

    Parameters
    ----------
    form
        What is chosen.
    inspected
        What was found out about each column of the file.

    Returns
    -------
    Markup
        A filter, the table, and what the roles mean.
    """
    several = len(form.sets) > 1 or any(one.role in ("protect", "automatic") for one in form.columns)
    titles = ("Column", "Role", *(("Set",) if several else ()), "Treated as")
    head = element("tr", *(element("th", title, scope="col") for title in titles))
    taken = {one.role for one in form.columns}
    offered = {key: words.label for key, words in ROLES.items() if key not in RARE_ROLES or key in taken}
    rows = [_row(place, one, form, offered, inspected.get(one.name), several) for place, one in enumerate(form.columns)]
    body = element(
        "table",
        element("caption", "Roles of the columns", class_="visually-hidden"),
        element("thead", head),
        element("tbody", *rows),
        id="roles",
        class_="roles",
    )
    scroll = scrolled(body, "Roles of columns", len(rows), "roles")
    return joined([filter_field("roles"), scroll, _meanings()])


def _row(
    place: int, one: ColumnChoice, form: FormState, offered: Mapping[str, str], facts: Facts | None, several: bool
) -> Markup:
    name = shown_name(one.name)
    label = facts["label"] if facts is not None and facts["label"] else ""
    role = select(f"role-{place}", one.role, offered, aria_label=f"Role of {name}", data_choice="role")
    about = element("span", label, class_="column-label") if label else ""
    cells = [element("th", name, about, _why(facts), scope="row"), element("td", role, class_="role")]
    if several:
        cells.append(element("td", _set(place, one, form), class_="set"))
    cells.append(element("td", _level(place, one), class_="level"))
    row = element("tr", *cells, data_kind=one.kind, id=f"column-{place}")
    return with_attribute(row, "data-name", one.name)


def _set(place: int, one: ColumnChoice, form: FormState) -> Markup:
    numbers = {f"{number}": f"{number}" for number in range(1, len(form.sets) + 1)}
    numbers[f"{len(form.sets) + 1}"] = "a new one"
    resting = "" if one.role in ("protect", "automatic") else "disabled"
    return select(
        f"set-{place}",
        f"{max(1, one.number)}",
        numbers,
        aria_label=f"Column set of {shown_name(one.name)}",
        data_choice="number",
        disabled=resting,
    )


def _level(place: int, one: ColumnChoice) -> Markup:
    plain = _PLAIN.get(one.kind, "Numbers")
    offered = {"plain": plain, **LEVELS}
    if plain == "Categories" and one.level != "nominal":
        del offered["nominal"]
    resting = "" if one.role in _LEVELLED else "disabled"
    return select(
        f"level-{place}",
        one.level,
        offered,
        aria_label=f"Treatment of {shown_name(one.name)}",
        data_choice="level",
        disabled=resting,
    )


def _why(facts: Facts | None) -> Markup:
    if facts is None:
        return element("span", "The file has no such column.", class_="badge bad")
    found = "; ".join(reasons(facts))
    return element("span", found, class_="reason") if found else Markup()


def _meanings() -> Markup:
    rows = [
        element("div", element("dt", words.label), element("dd", words.hint))
        for key, words in ROLES.items()
        if key not in RARE_ROLES
    ]
    order = "Ordered categories: numbers and dates have one; that of texts is written into the plan, as in "
    example = element("code", 'ordinal = {education = ["low", "middle", "high"]}')
    return element(
        "details",
        element("summary", "What the roles mean"),
        element("dl", *rows, class_="meanings"),
        element("p", order, example, "."),
    )
