"""Routes of what is taken home from a run: the page, and its downloads."""

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from microagg.app.answers import document, download, frame_of, page_answer, read_json, session_of
from microagg.app.pages.page_frame import Frame
from microagg.app.pages.take_home_page import take_home_page
from microagg.app.request_error import RequestError
from microagg.app.taken_files import taken_files
from microagg.app.web_sessions import SessionJob

_NO_RELEASE = "This run has no release yet, so there is nothing to take home: wait until it has, or run another."
_NOT_CHECKED = (
    "The released file is not checked yet, so it is not given away: wait a moment, and load the page of the run again. "
    "If its run is over, the check broke off: run the plan again."
)
_NO_FILE = "This run has no such file to take home: its page lists those that it has."
_SHOWN = ("report.html", "report_public.html")


async def _take_home(request: Request) -> Response:
    run = _released_run(request)
    frame = frame_of(request, "take-home", None if run.file is None else run.file.name)
    return await page_answer(_take_home_page, frame, run)


def _take_home_page(frame: Frame, run: SessionJob) -> str:
    folder = run.job.folder
    release = _release_of(run)
    files = taken_files(folder, release["file"])
    command = _text(folder / "command.txt")
    script = _text(folder / "script.py")
    plan = _text(folder / "release.toml")
    document = read_json(folder / "document.json")
    return take_home_page(frame, run.number, files, command, script, plan, release["facts"], document)


async def _file(request: Request) -> Response:
    run = _released_run(request)
    name = request.path_params["name"]
    release = _release_of(run)
    if name not in [each.name for each in taken_files(run.job.folder, release["file"])]:
        raise RequestError(409, _NOT_CHECKED) if name == release["file"] else RequestError(404, _NO_FILE)
    path = run.job.folder / name
    if name in _SHOWN and "show" in request.query_params:
        return document(path)
    return download(path, name)


def _released_run(request: Request) -> SessionJob:
    run = session_of(request).job_of("protect", request.path_params["number"])
    if not run.process.is_released:
        raise RequestError(409, _NO_RELEASE)
    return run


def _release_of(run: SessionJob) -> Any:
    """Return what is known of a release; refuse one that is being withdrawn."""
    release = read_json(run.job.folder / "release.json")
    if release is None:
        raise RequestError(409, _NO_RELEASE)
    return release


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


ROUTES = [
    Route("/runs/{number:number}/take-home", _take_home),
    Route("/runs/{number:number}/files/{name}", _file),
]
"""Addresses of what is taken home."""
