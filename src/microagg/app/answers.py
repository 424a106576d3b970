"""Answers to requests: pages, where to go next, sentences of errors, documents and downloads."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response

from microagg.app.pages.page_elements import void
from microagg.app.pages.page_frame import Frame
from microagg.app.pages.problem_page import problem_page
from microagg.app.request_error import RequestError
from microagg.app.server_state import ServerState
from microagg.app.web_sessions import Session
from microagg.report.document_parts.html_elements import element, joined

DOCUMENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
"""What a document may load: nothing, but its own style."""

_LARGEST_JSON = 5_000_000  # bytes; a plan with ten thousand columns is smaller
_DATA_ADDRESSES = ("/open/folder", "/jobs/")
_TITLES = {
    400: "This address is not known",
    403: "You are not let in",
    404: "There is nothing here",
    405: "This cannot be done here",
    500: "Something unexpected happened",
}


def server_of(request: Request) -> ServerState:
    """Return what all requests share."""
    server: ServerState = request.app.state.server
    return server


def session_of(request: Request) -> Session:
    """Return the session of a request that was let in."""
    session: Session = request.scope["session"]
    return session


def frame_of(request: Request, step: str, file: str | None = None) -> Frame:
    """Return what is around a page.

    Parameters
    ----------
    request
        The request.
    step
        The step that the page is.
    file
        Name of the file that the page is about; None: the open one.
    """
    session: Session | None = request.scope.get("session")
    address = server_of(request).address
    if session is None:
        return Frame(step, "", remote=address.remote_name, secure=address.is_secure)
    source = None if session.source is None else session.source.name
    return Frame(
        step,
        session.csrf,
        source if file is None else file,
        frozenset(_reached(session)),
        session.taken_run,
        remote=address.remote_name,
        secure=address.is_secure,
    )


def _reached(session: Session) -> list[str]:
    """Return the steps that a session can go to."""
    steps = ["open", "verify"]
    if session.source is not None:
        steps.append("inspect")
    inspection = session.latest("inspect")
    if inspection is not None and inspection.process.last.state == "done":
        steps += ["settings", "estimate"]
    if session.runs:
        steps.append("run")
    if session.runs or session.other_runs():
        steps.append("compare")
    taken = session.taken_run
    if taken is not None and session.jobs[taken].process.is_released:
        steps.append("take-home")
    return steps


async def page_answer(make_page: Callable[..., str], *values: Any, **named: Any) -> HTMLResponse:
    """Return a page, made in a thread, so that others are answered meanwhile."""
    return HTMLResponse(await asyncio.to_thread(partial(make_page, *values, **named)))


def go(address: str) -> JSONResponse:
    """Return where the browser is to go next."""
    return JSONResponse({"go": address})


def error_answer(request: Request, status: int, sentence: str) -> Response:
    """Return the sentence of an error: as a page, or as data where a script asked."""
    is_page = request.method in ("GET", "HEAD") and not request.scope["path"].startswith(_DATA_ADDRESSES)
    if not is_page:
        return JSONResponse({"error": sentence}, status_code=status)
    title = _TITLES.get(status, "This cannot be done")
    return HTMLResponse(problem_page(frame_of(request, ""), title, sentence), status_code=status)


def hand_over_page() -> HTMLResponse:
    """Return a page that leads to the first one at once."""
    head = joined([void("meta", charset="utf-8"), void("meta", http_equiv="refresh", content="0;url=/")])
    body = element("p", element("a", "Go to microagg", href="/"))
    parts = element("head", head, element("title", "microagg")) + element("body", body)
    return HTMLResponse(f'<!DOCTYPE html>\n<html lang="en-GB">{parts}</html>\n')


async def json_body(request: Request) -> dict[str, Any]:
    """Return the JSON object in the body of a request.

    Raises
    ------
    RequestError
        If it is none, or too large.
    """
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _LARGEST_JSON:
            raise RequestError(413, "The request is larger than a plan can be: nothing was done.")
    try:
        sent = json.loads(bytes(body) or b"{}")
        json.dumps(sent, ensure_ascii=False).encode()  # half a character could be kept, and never be shown
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict):
        raise RequestError(400, "The request is not a JSON object, as the pages send it: reload the page.")
    return sent


def text_in(body: dict[str, Any], name: str) -> str:
    """Return a text of a JSON body; raise `RequestError` if it is none."""
    value = body.get(name)
    if not isinstance(value, str):
        raise RequestError(400, f"The request must have a text called {name}: reload the page.")
    return value


def read_json(path: Path) -> Any:
    """Return what a job has written; None if it has not."""
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        return None


def download(path: Path, name: str) -> FileResponse:
    """Return a file that the browser saves, and does not show."""
    headers = {"Content-Disposition": _attachment(name), "Content-Security-Policy": DOCUMENT_POLICY}
    return FileResponse(path, media_type="application/octet-stream", headers=headers)


def document(path: Path) -> FileResponse:
    """Return a document that microagg has made, to be shown in a window of its own."""
    headers = {"Content-Security-Policy": DOCUMENT_POLICY}
    return FileResponse(path, media_type="text/html; charset=utf-8", headers=headers)


def _attachment(name: str) -> str:
    """Return the header of a download: the name in ASCII for old browsers, and as RFC 5987 writes it."""
    plain = "".join(sign if sign.isascii() and (sign.isalnum() or sign in " ._-()") else "_" for sign in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
