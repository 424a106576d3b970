"""Page on which the release of any tool is verified: its files, and what is promised of it."""

from collections.abc import Mapping, Sequence

from microagg.app.pages.file_drop import file_drop
from microagg.app.pages.page_elements import button, card, hidden_text, void, with_attribute
from microagg.app.pages.page_frame import Frame, page, place_of
from microagg.report.document_parts.html_elements import Markup, element, joined, paragraph
from microagg.report.shown_text import shown_name

_LEAD = (
    "Check a released file, of this program or of any other: is each combination of values shared by at least k "
    "records? Nothing is changed, and all stays on {place}."
)
_RELEASED = "The file that is to be published or handed over."
_ORIGINAL = (
    "Optional. With it, a check by a plan also compares the release with the original: columns, missing values, "
    "totals, and what each group was replaced by."
)
_COLUMNS_HINT = "Those that others may know of a person or an enterprise: they must not single anybody out together."
_TYPED_HINT = "One name a line, as in the first line of the file."
_LIST_LATER = "When the released file is there, its columns are listed here."
_PLAN_HINT = "The plan that the release was made by names the columns, k, and everything else that is promised."
_MANY = 12  # columns from which they can be filtered
_TYPICAL_K = "3"


def verify_page(
    frame: Frame,
    files: Mapping[str, str],
    columns: Sequence[str] | None,
    has_folder: bool = True,
) -> str:
    """Return the page that asks for a release and for what is promised of it.

    Parameters
    ----------
    frame
        What is around the page.
    files
        Names of the files that were given so far, by role: "released", "original".
    columns
        Columns of the released file; None where they are not known.
    has_folder
        Whether paths of files may be given.

    Returns
    -------
    str
        The page; verify_files.js uploads files and sends the form.
    """
    place = place_of(frame) if has_folder else None
    given = element(
        "div",
        _file_card("released", "Released file", _RELEASED, files.get("released"), place),
        _file_card("original", "Original file", _ORIGINAL, files.get("original"), place),
        class_="cards two",
    )
    submit = element("button", "Check the release", type="submit", class_="button primary")
    form = element(
        "form",
        element("h2", "What is promised"),
        _ways(),
        _columns_part(columns, is_given="released" in files),
        _plan_part(),
        element("div", submit, class_="actions"),
        id="verify-form",
        class_="card",
    )
    return page(
        frame,
        "Verify a release",
        element("p", _LEAD.format(place=place_of(frame)), class_="lead"),
        given,
        form,
        scripts=("file_upload.js", "verify_files.js"),
        styles=("results.css",),
    )


def _file_card(role: str, title: str, sentence: str, name: str | None, place: str | None) -> Markup:
    """Return where a file is dropped, and where paths on a place are typed, if any; or the file that was given."""
    if name is not None:
        shown = element("p", element("strong", shown_name(name)), class_="given-file")
        other = button("Take another file", "small", data_clear=role, aria_label=f"{title}: take another file")
        return card(title, shown, other)
    area = file_drop(f"{role}-file", f"/verify/upload?role={role}", role=title.lower())
    path = Markup() if place is None else _path_form(role, title, place)
    return card(title, paragraph(sentence), area, path)


def _path_form(role: str, title: str, place: str) -> Markup:
    label = element("label", f"Or its path on {place}", for_=f"{role}-path")
    field = void("input", type="text", id=f"{role}-path", autocomplete="off", spellcheck="false")
    send = element("button", "Take it", hidden_text(f" as the {title.lower()}"), type="submit", class_="button")
    return element("form", element("div", label, field, class_="field"), send, class_="path-form", data_path=role)


def _ways() -> Markup:
    """Return the choice between columns, which comes first, and a plan."""
    titles = {"columns": "k and some columns", "plan": "a plan"}
    choices = [
        element(
            "div",
            void(
                "input",
                type="radio",
                name="way",
                value=way,
                id=f"way-{way}",
                checked="checked" if way == "columns" else "",
            ),
            element("label", title, for_=f"way-{way}"),
            class_="choice",
        )
        for way, title in titles.items()
    ]
    legend = element("legend", "The release is checked against")
    return element("fieldset", legend, element("div", *choices, class_="choices"))


def _columns_part(columns: Sequence[str] | None, *, is_given: bool) -> Markup:
    k = void("input", type="number", id="k", min="1", step="1", value=_TYPICAL_K, required="required")
    asked = element(
        "div",
        element("label", "k", for_="k"),
        k,
        element("span", "The smallest number of records that must share their values.", class_="hint"),
        class_="field narrow",
    )
    return element(
        "div", asked, _listed(columns) if columns is not None else _typed(is_given=is_given), id="by-columns"
    )


def _listed(columns: Sequence[str]) -> Markup:
    boxes = [
        element(
            "li",
            with_attribute(void("input", type="checkbox", id=f"column-{place}", name="columns"), "value", name),
            element("label", shown_name(name), for_=f"column-{place}"),
        )
        for place, name in enumerate(columns)
    ]
    sought = Markup()
    if len(columns) > _MANY:
        sought = element(
            "div",
            element("label", "Find a column", for_="find-column"),
            void("input", type="search", id="find-column", autocomplete="off"),
            class_="field narrow",
        )
    legend = element("legend", "Columns")
    hint = element("p", _COLUMNS_HINT, class_="muted small")
    return element("fieldset", legend, hint, sought, element("ul", *boxes, class_="column-list", id="columns"))


def _typed(*, is_given: bool) -> Markup:
    """Return a field for names of columns, where the file has not told them."""
    hints = [_COLUMNS_HINT, _TYPED_HINT] if is_given else [_COLUMNS_HINT, _TYPED_HINT, _LIST_LATER]
    return element(
        "div",
        element("label", "Columns", for_="typed-columns"),
        element("textarea", "", id="typed-columns", rows="5", spellcheck="false"),
        element("span", " ".join(hints), class_="hint"),
        class_="field",
    )


def _plan_part() -> Markup:
    chooser = void("input", type="file", id="plan-file", accept=".toml", class_="visually-hidden")
    choose = joined([chooser, element("label", "Read it from a file", for_="plan-file", class_="button small")])
    area = element("textarea", "", id="plan", rows="12", spellcheck="false")
    return element(
        "div",
        element("label", "Plan", for_="plan"),
        area,
        element("span", _PLAN_HINT, class_="hint"),
        element("p", choose),
        class_="field",
        id="by-plan",
    )
