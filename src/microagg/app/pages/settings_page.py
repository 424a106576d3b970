"""The page on which columns get their roles, and the plan its settings: a form, and the plan as text beside it."""

from html import escape

from microagg.app.form_state import FRESH, PRIVACY_FIELDS, FormState
from microagg.app.pages.form_fields import check_field, select_field, text_field
from microagg.app.pages.page_elements import button, card, hidden_text
from microagg.app.pages.page_frame import Frame, page
from microagg.app.pages.role_table import role_table
from microagg.app.pages.set_fields import set_fields
from microagg.app.plan_text import plan_hash
from microagg.app.settings_words import FIELDS, MISSING, SMALL_STRATA
from microagg.report.document_parts.html_elements import Markup, element, paragraph
from microagg.report.facts import Facts

_LEAD = "The form begins with what the inspection proposes. Form and plan are two views of the same: change either."
_AGREE = "Form and plan agree."
_SEVERAL = "Each set is grouped on its own: k-anonymous on its own columns, not on those of several sets together."


def settings_page(frame: Frame, result: Facts, form: FormState, toml: str, problem: str) -> str:
    """Return the page of the settings.

    Parameters
    ----------
    frame
        What the page around it shows.
    result
        What the inspection found.
    form
        What is chosen.
    toml
        Text of the plan, as it was typed last.
    problem
        Why this text is no plan; nothing if it is one.

    Returns
    -------
    str
        The page.
    """
    inspected = {column["name"]: column for column in result["inspection"]["columns"]}
    sets = [set_fields(number, one, form) for number, one in enumerate(form.sets, start=1)]
    several = paragraph(_SEVERAL) if len(form.sets) > 1 else Markup()
    fields = element(
        "form",
        card("Columns", role_table(form, inspected)),
        card("Groups", several, *sets),
        card("Missing values and strata", _missing(form)),
        card("More privacy", _privacy(form)),
        card("The run", _run(form)),
        element("div", button("Go on to the estimate", "primary", id="go-on"), class_="actions"),
        id="plan-form",
        autocomplete="off",
        data_plan=plan_hash(toml),
    )
    return page(
        frame,
        "Roles and settings",
        element("p", _LEAD, class_="lead"),
        element("div", fields, _plan(form, toml, problem), class_="settings"),
        scripts=("settings.js",),
    )


def _missing(form: FormState) -> Markup:
    return element(
        "div",
        select_field("missing", *FIELDS["missing"], form.missing, MISSING),
        select_field("small_strata", *FIELDS["small_strata"], form.small_strata, SMALL_STRATA),
        class_="option-grid wide",
    )


def _privacy(form: FormState) -> Markup:
    """Return the rules about confidential columns, folded up unless one is given."""
    names = (*PRIVACY_FIELDS[:-1], "dominance_n", "dominance_share", "p_percent")
    given = any(getattr(form, name) for name in names)
    fields = [text_field(name, *FIELDS[name], getattr(form, name), inputmode="decimal") for name in names]
    introduction = "These rules guard columns whose role is “confidential”; an empty field asks for nothing."
    return element(
        "details",
        element("summary", "Rules on top of k"),
        element("p", introduction),
        element("div", *fields, class_="option-grid"),
        open_="open" if given else "",
    )


def _run(form: FormState) -> Markup:
    more = element(
        "div",
        text_field("random_state", *FIELDS["random_state"], form.random_state, placeholder=f"0 or {FRESH}"),
        check_field("shuffle", *FIELDS["shuffle"], form.shuffle),
        check_field("strict", *FIELDS["strict"], form.strict),
        class_="option-grid",
    )
    return element(
        "div",
        element(
            "div",
            text_field("time_limit", *FIELDS["time_limit"], form.time_limit, inputmode="decimal"),
            class_="option-grid",
        ),
        element("details", element("summary", "More about the run"), more),
    )


def _plan(form: FormState, toml: str, problem: str) -> Markup:
    """Return the plan as text, what is wrong with it, and what the form does not show."""
    text = element(
        "textarea",
        _lines(toml),
        id="plan-text",
        spellcheck="false",
        autocomplete="off",
        aria_describedby="plan-problem plan-others",
        aria_invalid="true" if problem else "",
        rows="28",
    )
    told = element(
        "p", problem, id="plan-problem", class_="plan-problem", role="alert", hidden="" if problem else "hidden"
    )
    state = element("p", "" if problem else _AGREE, id="plan-state", class_="plan-state", role="status")
    others = element(
        "p", *_others(form), id="plan-others", class_="muted small", hidden="" if form.others else "hidden"
    )
    introduction = "The plan as TOML: the same as the command line reads. Comments are lost when the form changes it."
    return element(
        "aside",
        card(
            "The plan",
            paragraph(introduction),
            element("label", "Text of the plan", for_="plan-text", class_="visually-hidden"),
            text,
            told,
            state,
            others,
        ),
        class_="plan-side",
        aria_label="The plan as text",
    )


def _others(form: FormState) -> list[Markup | str]:
    return [
        "Also in the plan, and kept: ",
        element("span", ", ".join(form.others), id="plan-other-names"),
        hidden_text("."),
    ]


def _lines(toml: str) -> Markup:
    """Return the lines of a text as they are: a text area keeps them."""
    return Markup("\n" + escape(toml.replace("\0", "\ufffd")))
