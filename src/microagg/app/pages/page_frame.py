"""The page around every step: header with the steps, message, contents and footer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from microagg.app.pages.page_elements import button, hidden_text, void
from microagg.report.document_parts.html_elements import Markup, element, joined, notice
from microagg.report.shown_text import shown_name
from microagg.version import __version__

STEPS = {
    "open": "Open",
    "inspect": "Inspect",
    "settings": "Settings",
    "estimate": "Estimate",
    "run": "Run",
    "compare": "Compare",
    "take-home": "Take home",
}
"""Titles of the steps, in order."""

_NOT_ENCRYPTED = (
    "What you send to {place}, and what it sends back, can be read by others on the network. Open no confidential file "
    "here: ask whoever runs the server for an address that begins with https."
)
_THEMES = {"auto": "Auto", "light": "Light", "dark": "Dark"}


@dataclass(frozen=True)
class Frame:
    """What the page around a step shows.

    Parameters
    ----------
    step
        Where the page is: one of `STEPS`, "verify", or nothing for a page of none of them.
    csrf
        Token that requests of this session carry; empty where there is no session.
    file
        Name of the open file.
    reached
        Steps that can be gone to.
    run
        Number of the run that the steps "run" and "take-home" lead to.
    remote
        Name of the machine that the server is on; None where nobody but this machine reaches it.
    secure
        Whether all that goes there and back is encrypted.
    version
        Version of the program.
    """

    step: str
    csrf: str
    file: str | None = None
    reached: frozenset[str] = frozenset()
    run: int | None = None
    remote: str | None = None
    secure: bool = False
    version: str = __version__


def page(frame: Frame, title: str, *contents: str, scripts: Sequence[str] = (), styles: Sequence[str] = ()) -> str:
    """Return a whole page.

    Parameters
    ----------
    frame
        What the page around the contents shows.
    title
        What the page is about: its heading, and the title of the window.
    *contents
        HTML, or texts, which are escaped.
    scripts, styles
        Names of further files in the folder "static".

    Returns
    -------
    str
        The page: no style and no script stands in it, all are files.
    """
    head = joined(_head(frame, title, scripts, styles))
    message = element("div", id="message", role="alert")
    parts = [message, _warning(frame), element("h1", title), joined(contents)]
    main = element("main", *parts, id="content", tabindex="-1", data_place=place_of(frame))
    skip = element("a", "Skip to the contents", href="#content", class_="skip-link")
    return (
        f'<!DOCTYPE html>\n<html lang="en-GB">\n<head>\n{head}</head>\n'
        f"<body>\n{skip}\n{_header(frame)}\n{main}\n{_footer(frame)}\n</body>\n</html>\n"
    )


def place_of(frame: Frame) -> str:
    """Return where files are read and kept, in words: this machine, or the server."""
    return "this machine" if frame.remote is None else f"the server {shown_name(frame.remote)}"


def _warning(frame: Frame) -> Markup:
    """Return what must be known of a server elsewhere that is reached without encryption."""
    if frame.remote is None or frame.secure:
        return Markup()
    return notice("warning", "NOT ENCRYPTED", _NOT_ENCRYPTED.format(place=place_of(frame)))


def _head(frame: Frame, title: str, scripts: Sequence[str], styles: Sequence[str]) -> Iterator[Markup]:
    yield void("meta", charset="utf-8")
    yield void("meta", name="viewport", content="width=device-width, initial-scale=1")
    yield void("meta", name="color-scheme", content="light dark")
    if frame.csrf:
        yield void("meta", name="microagg-csrf", content=frame.csrf)
    yield element("title", f"{title} – microagg")
    yield void("link", rel="icon", href="/static/favicon.svg", type="image/svg+xml")
    for name in ("app.css", *styles):
        yield void("link", rel="stylesheet", href=f"/static/{name}")
    yield element("script", src="/static/theme.js")
    for name in ("app.js", *scripts):
        yield element("script", src=f"/static/{name}", type="module")


def _header(frame: Frame) -> Markup:
    steps = element("ol", *(_step(frame, number, key) for number, key in enumerate(STEPS, start=1)), class_="steps")
    return element(
        "header",
        element("div", _brand(frame), _tools(frame), class_="masthead"),
        element("nav", steps, aria_label="Steps"),
    )


def _brand(frame: Frame) -> Markup:
    name = element("a", "microagg", href="/", class_="brand")
    if frame.file is None:
        return element("div", name, class_="masthead-start")
    shown = shown_name(frame.file)
    file = element("span", hidden_text("Open file: "), shown, class_="open-file", title=shown)
    return element("div", name, file, class_="masthead-start")


def _tools(frame: Frame) -> Markup:
    """Return what is there on every page: verify, the theme, and the end of the session."""
    here = "page" if frame.step == "verify" else ""
    parts = [element("a", "Verify a file", href="/verify", aria_current=here)]
    options = [element("option", text, value=value) for value, text in _THEMES.items()]
    parts.append(element("label", element("span", "Theme"), element("select", *options, id="theme"), class_="theme"))
    if frame.csrf:
        parts.append(button("End session", "quiet", id="end-session"))
    return element("div", *parts, class_="masthead-end")


def _step(frame: Frame, number: int, key: str) -> Markup:
    shown = [element("span", f"{number}", class_="step-number"), element("span", STEPS[key], class_="step-title")]
    address = _address(frame, key)
    here = "step" if key == frame.step else ""
    if address is None:
        return element("li", element("span", *shown, class_="step", aria_current=here))
    return element("li", element("a", *shown, href=address, class_="step", aria_current=here))


def _address(frame: Frame, key: str) -> str | None:
    """Return where a step is; None if it has not been reached."""
    if key not in frame.reached:
        return None
    if key in ("run", "take-home") and frame.run is None:
        return None
    if key == "run":
        return f"/runs/{frame.run}"
    return f"/runs/{frame.run}/take-home" if key == "take-home" else f"/{key}"


def _footer(frame: Frame) -> Markup:
    stays = element("span", f"Everything stays on {place_of(frame)}.")
    return element("footer", element("span", f"microagg {frame.version}"), stays)
