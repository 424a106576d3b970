"""Page that compares the runs of a session: the risk–utility map, a table, and what can be done with each run."""

from collections.abc import Sequence

from microagg.app.compared_run import ComparedRun, OtherRun, map_of_runs
from microagg.app.pages.page_elements import button, card, link_button
from microagg.app.pages.page_frame import Frame, page
from microagg.app.plan_summary import plan_summary
from microagg.report.charts import Caption, risk_utility_map
from microagg.report.comparison_sections import axis_titles
from microagg.report.document_parts.html_elements import Markup, element, joined, paragraph
from microagg.report.document_parts.verdict_sections import TONES
from microagg.report.estimate_lines import duration_in_words
from microagg.report.shown_text import number_text, percent_text, shown_name
from microagg.report.words import NOTHING

_LEAD = (
    "Less is better on both axes: what the release loses, and how well somebody could find records "
    "again by the protected columns."
)
_FRONT = "A line joins the runs that no other run beats on both axes: the Pareto front."
_ONE = (
    "This is the only run so far. To compare it with another, change the settings, k or the method for instance, and "
    "run again: every run of this session stays here."
)
_NONE = "There is no run to compare yet: run a plan first."
_OTHERS = (
    "Runs of different files cannot be compared. To compare these again, open their file again by its path: an upload "
    "is a new copy."
)
_NO_PLACE = "A run has a place on the map when its risk has been measured."
_MAP = "Risk–utility map of the runs"
_HEAD = ("run", "plan", "loss", "gap", "risk", "groups", "time", "state", "what to do")
_NUMBERS = (2, 3, 4, 5, 6)
_STATES = {
    "queued": ("", "waiting"),
    "working": ("", "running"),
    "released": ("", "risk is being measured"),
    "done": ("", "ready"),
    "failed": ("bad", "failed"),
    "cancelled": ("warning", "cancelled"),
}


def compare_page(
    frame: Frame, runs: Sequence[ComparedRun], picked: int | None, can_undo: bool, others: Sequence[OtherRun] = ()
) -> str:
    """Return the page that compares runs.

    Parameters
    ----------
    frame
        What is around the page.
    runs
        Runs of the session that are not discarded, in the order of the page.
    picked
        Number of the run that was picked, which is what "Take home" offers.
    can_undo
        Whether there is something to undo.
    others
        Runs of other files of the session, which are only listed.

    Returns
    -------
    str
        The page; compare_runs.js loads it anew when a run has news.
    """
    undo = button("Undo", data_post="/compare/undo") if can_undo else Markup()
    if not runs:
        actions = element("div", link_button("Settings", "/settings", "primary"), undo, class_="actions")
        return page(frame, "Compare runs", paragraph(_NONE), actions, _others(others), styles=("results.css",))
    home = Markup()
    if picked is not None:
        home = link_button(f"Take home run {picked}", f"/runs/{picked}/take-home", "primary")
    return page(
        frame,
        "Compare runs",
        element("p", _LEAD, class_="lead"),
        _map(runs, picked),
        _table(runs, picked),
        element("p", _ONE, class_="muted") if len(runs) == 1 else Markup(),
        element("div", home, link_button("Make another run", "/settings"), undo, class_="actions"),
        _others(others),
        scripts=("compare_runs.js",),
        styles=("results.css",),
    )


def _others(others: Sequence[OtherRun]) -> Markup:
    """Return the runs of other files, each with a link; nothing where there are none."""
    if not others:
        return Markup()
    items = [
        element(
            "li",
            element("a", f"Run {one.number}", href=f"/runs/{one.number}"),
            f" of {shown_name(one.file)} ",
            _badge(*_STATES[one.last.state]),
        )
        for one in others
    ]
    return card("Runs of other files", paragraph(_OTHERS), element("ul", *items))


def _map(runs: Sequence[ComparedRun], picked: int | None) -> Markup:
    """Return the map of the runs whose risk is known."""
    placed = map_of_runs(runs, picked)
    if not placed.points:
        return element("p", _NO_PLACE, class_="muted")
    loss_title, risk_title = axis_titles(placed.axes)
    description = f"Map of {len(placed.points)} runs by what they lose and what they risk; all are in the table below."
    chart = risk_utility_map(Caption("runs", _MAP, description), placed.points, loss_title, risk_title, "picked")
    told = element("figcaption", _FRONT) if len(placed.points) > 1 else Markup()
    return element("figure", Markup(chart), told, class_="figure-card map")


def _table(runs: Sequence[ComparedRun], picked: int | None) -> Markup:
    titles = [
        element("th", title, scope="col", class_="n" if place in _NUMBERS else "") for place, title in enumerate(_HEAD)
    ]
    rows = [_row(one, is_picked=one.number == picked) for one in runs]
    whole = element(
        "table",
        element("caption", "Runs of this session", class_="visually-hidden"),
        element("thead", element("tr", *titles)),
        element("tbody", *rows),
        class_="runs",
    )
    return element("div", whole, class_="table-scroll", tabindex="0", role="region", aria_label="Runs of this session")


def _row(run: ComparedRun, *, is_picked: bool) -> Markup:
    sets = [] if run.release is None else run.release["sets"]
    gaps = [one["gap"] for one in sets]
    cells = [
        ("w", plan_summary(run.plan_toml)),
        ("n", percent_text(run.loss, 3)),
        ("n", NOTHING if None in gaps or not gaps else percent_text(100.0 * max(gaps))),
        ("n", percent_text(run.risk)),
        ("n", " + ".join(number_text(one["n_groups"]) for one in sets) or NOTHING),
        ("n", duration_in_words(run.last.elapsed) if run.last.elapsed else NOTHING),
        ("", _state(run)),
        ("", _actions(run, is_picked=is_picked)),
    ]
    name = element("a", f"Run {run.number}", href=f"/runs/{run.number}")
    mark = element("span", "picked", class_="badge good") if is_picked else Markup()
    head = element("th", name, " ", mark, scope="row")
    waits = "" if run.last.is_over else f"/jobs/{run.number}/events"
    kind = "picked" if is_picked else ""
    row = [element("td", content, class_=kind_of_cell) for kind_of_cell, content in cells]
    return element("tr", head, *row, class_=kind, data_events=waits, data_state=run.last.state if waits else "")


def _state(run: ComparedRun) -> Markup:
    kind, words = _STATES[run.last.state]
    if run.last.state == "done" and run.is_stopped_early:
        kind, words = "warning", "stopped early"
    why = run.last.sentence if run.last.state in ("failed", "cancelled") else ""
    if run.last.state == "done" and run.release is not None:
        verdict = run.release["verdict"]
        kind = "warning" if kind == "warning" and verdict["tone"] == "verified" else TONES[verdict["tone"]]
        why = verdict["headline"]
    return joined([_badge(kind, words), element("span", why, class_="why") if why else Markup()])


def _badge(kind: str, words: str) -> Markup:
    return element("span", words, class_=f"badge {kind}".rstrip())


def _actions(run: ComparedRun, *, is_picked: bool) -> Markup:
    named = f"run {run.number}"
    buttons = []
    if run.release is not None and not is_picked:
        buttons.append(_post("Pick", f"/runs/{run.number}/pick", f"Pick {named}"))
    buttons.append(_post("Open its plan", f"/runs/{run.number}/reopen", f"Open the plan of {named}"))
    if run.last.is_over:
        buttons.append(_post("Discard", f"/runs/{run.number}/discard", f"Discard {named}"))
    return element("div", *buttons, class_="row-actions")


def _post(words: str, address: str, label: str) -> Markup:
    return button(words, "small", data_post=address, aria_label=label)
