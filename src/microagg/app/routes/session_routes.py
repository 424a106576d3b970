"""Routes of the session as a whole: where it is, its end, and the files that every page needs."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from microagg.app.answers import frame_of, go, page_answer, server_of, session_of
from microagg.app.pages.problem_page import problem_page
from microagg.app.request_error import RequestError
from microagg.app.web_sessions import Session

_STATIC = Path(__file__).parents[1] / "static"
_KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_ENDED = (
    "The session is over, and its files were removed from the server. To begin another one, use the address that "
    "microagg printed when it was started."
)

_GOES_ON = "This session has not ended: its files and its runs are still there. “End session” above removes them."


async def _first(request: Request) -> Response:
    return RedirectResponse(_present_step(session_of(request)), status_code=303)


def _present_step(session: Session) -> str:
    """Return the address of the step that a session has come to."""
    if session.source is None:
        return "/open"
    if session.runs:
        return f"/runs/{session.runs[-1]}"
    return "/inspect" if session.latest("estimate") is None else "/estimate"


async def _end(request: Request) -> Response:
    server = server_of(request)
    await server.sessions.end(session_of(request))
    answer = go("/ended")
    answer.delete_cookie(server.cookie, path="/", httponly=True, samesite="strict")
    return answer


async def _ended(request: Request) -> Response:
    frame = frame_of(request, "")
    if request.scope["session"] is None:
        return await page_answer(problem_page, frame, "The session is over", _ENDED)
    return await page_answer(problem_page, frame, "The session goes on", _GOES_ON, "/", "Go on where you were")


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in [path.name for path in _STATIC.iterdir() if path.suffix in _KINDS]:
        raise RequestError(404, "There is no such file among those that pages need.")
    return FileResponse(_STATIC / name, media_type=_KINDS[Path(name).suffix])


ROUTES = [
    Route("/", _first),
    Route("/session/end", _end, methods=["POST"]),
    Route("/ended", _ended),
    Route("/static/{name}", _static),
]
"""Addresses of the session as a whole."""
