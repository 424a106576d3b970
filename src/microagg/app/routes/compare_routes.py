"""Routes of the comparison of runs: pick one, discard one, undo, take a plan up again."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from microagg.app.answers import frame_of, go, page_answer, read_json, session_of
from microagg.app.compared_run import ComparedRun, OtherRun
from microagg.app.pages.compare_page import compare_page
from microagg.app.pages.page_frame import Frame
from microagg.app.request_error import RequestError
from microagg.app.web_sessions import Session, SessionJob

_OTHER_FILE = "This run is of a file that is no longer open: open that file again, and run it anew."
_NO_RELEASE = "This run has no release that could be taken home: pick one that has."
_NOTHING_TO_UNDO = "There is nothing to undo: no run was picked or discarded since the file was opened."


async def _compare(request: Request) -> Response:
    session = session_of(request)
    if session.source is None:
        return RedirectResponse("/open", status_code=303)
    return await page_answer(_compare_page, frame_of(request, "compare"), session)


def _compare_page(frame: Frame, session: Session) -> str:
    runs = [_compared(session.jobs[number]) for number in session.runs]
    others = [OtherRun(one.number, one.file.name, one.process.last) for one in session.other_runs() if one.file]
    return compare_page(frame, runs, session.picked, bool(session.undo), others)


def _compared(run: SessionJob) -> ComparedRun:
    release = read_json(run.job.folder / "release.json") if run.process.is_released else None
    document = read_json(run.job.folder / "document.json") if run.process.is_over else None
    facts = None if release is None else release["facts"]
    return ComparedRun(run.number, run.plan_text, run.process.last, facts, document)


async def _pick(request: Request) -> Response:
    session = session_of(request)
    run = _compared_run(request)
    if not run.process.is_released:
        raise RequestError(409, _NO_RELEASE)
    session.remember()
    session.picked = run.number
    return go("/compare")


async def _discard(request: Request) -> Response:
    session = session_of(request)
    run = _compared_run(request)
    session.remember()
    session.runs.remove(run.number)
    if session.picked == run.number:
        session.picked = None
    return go("/compare")


async def _undo(request: Request) -> Response:
    session = session_of(request)
    if not session.undo:
        raise RequestError(409, _NOTHING_TO_UNDO)
    session.runs, session.picked = session.undo.pop()
    return go("/compare")


async def _reopen(request: Request) -> Response:
    session = session_of(request)
    run = _compared_run(request)
    session.plan_text = run.plan_text
    session.valid_plan_text = run.plan_text
    return go("/settings")


def _compared_run(request: Request) -> SessionJob:
    """Return the run that an address names, if it is among those that are compared."""
    session = session_of(request)
    run = session.job_of("protect", request.path_params["number"])
    if run.file != session.source:
        raise RequestError(409, _OTHER_FILE)
    if run.number not in session.runs:
        raise RequestError(404, "This run is discarded: undo brings it back.")
    return run


ROUTES = [
    Route("/compare", _compare),
    Route("/compare/undo", _undo, methods=["POST"]),
    Route("/runs/{number:number}/pick", _pick, methods=["POST"]),
    Route("/runs/{number:number}/discard", _discard, methods=["POST"]),
    Route("/runs/{number:number}/reopen", _reopen, methods=["POST"]),
]
"""Addresses of the comparison."""
