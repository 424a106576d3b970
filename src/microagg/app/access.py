"""Who may ask for what: names of the server, entry by its token, cookie, and headers that keep others out."""

import hmac
from contextlib import nullcontext, suppress
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from microagg.app.answers import error_answer, hand_over_page
from microagg.app.request_error import RequestError
from microagg.app.server_state import ServerState
from microagg.app.web_sessions import OpenedFile, Session

CSRF_HEADER = "X-Microagg-Csrf"
"""Header that carries the session's secret with each request that changes something."""

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load: files of this server, and nothing else."""

_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Frame-Options": "DENY",
}

_READING = ("GET", "HEAD")
_WITHOUT_SESSION = ("/ended",)
_STRANGER = (
    "This page belongs to a session that has ended, or that your browser does not know. Use the address that "
    "microagg printed when it was started: it has a token in it."
)
_FOREIGN_HOST = (
    "This server is not known by the name that your browser asked for. Use the address that microagg printed when it "
    "was started; to use another name, start it with --host and that name, or behind a reverse proxy with "
    "--public-address and the address that browsers use."
)
_FOREIGN_REQUEST = "This request did not come from a page of your session, so nothing was done. Reload the page."


class Access:
    """Gate before all pages: it answers whoever may not come in, and adds the protecting headers to every answer.

    Parameters
    ----------
    app
        The pages.
    server
        What all requests share.
    """

    def __init__(self, app: ASGIApp, server: ServerState) -> None:
        self._app = app
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                _protect(MutableHeaders(scope=message))
            await send(message)

        request = Request(scope, receive)
        scope["session"] = None
        try:
            answer = self._answer(request)
        except RequestError as error:
            answer = error_answer(request, error.status, str(error))
        session: Session | None = scope["session"]
        with nullcontext() if session is None else session.request_under_way():
            await (self._app if answer is None else answer)(scope, receive, send_protected)

    def _answer(self, request: Request) -> Response | None:
        """Return the answer to a request that is not let through; None for any other.

        Raises
        ------
        RequestError
            If the request is refused.
        """
        if not self._server.address.is_own(request.headers.get("host", "")):
            raise RequestError(400, _FOREIGN_HOST)
        is_reading = request.method in _READING
        path = request.scope["path"]
        session = self._server.sessions.find(request.cookies.get(self._server.cookie))
        if is_reading and path == "/" and "token" in request.query_params:
            return self._entry(request, session)
        request.scope["session"] = session
        if is_reading and (path in _WITHOUT_SESSION or path.startswith("/static/")):
            return None
        if session is None:
            raise RequestError(403, _STRANGER)
        if not is_reading and not self._is_from_own_page(request, session):
            raise RequestError(403, _FOREIGN_REQUEST)
        return None

    def _entry(self, request: Request, session: Session | None) -> Response:
        """Let in who has the token: with a new session, unless there is one already, and always with a new cookie.

        A page at another port of this machine can plant a cookie that somebody else knows.
        """
        if not self._server.keys.admits(request.query_params["token"]):
            raise RequestError(403, _STRANGER)
        answer = _leading_on(request)
        if session is None:
            session = self._server.sessions.begin()
            self._open_first_file(session)
        else:
            self._server.sessions.renew(session)
        is_secure = self._server.address.is_secure
        answer.set_cookie(
            self._server.cookie, session.key, path="/", secure=is_secure, httponly=True, samesite="strict"
        )
        return answer

    def _is_from_own_page(self, request: Request, session: Session) -> bool:
        """Check that a request which changes something was made by a page of the session."""
        sent = request.headers.get(CSRF_HEADER, "")
        if not hmac.compare_digest(sent.encode("utf-8", "surrogateescape"), session.csrf.encode()):
            return False
        origin = request.headers.get("origin")
        if origin is not None and not self._server.address.is_origin(origin, request.headers.get("host", "")):
            return False
        return request.headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")

    def _open_first_file(self, session: Session) -> None:
        """Open the file that the server was started with."""
        path = self._server.first_file
        if path is None:
            return
        with suppress(OSError):  # it is gone: then another one is opened
            session.open(OpenedFile.found(path, path.name, is_upload=False), self._server.queue)


def _leading_on(request: Request) -> Response:
    """Return an answer that leads to the first page.

    A browser that comes from elsewhere, as by a link in a mail, sends no strict cookie along a redirection: there a
    page of this server leads on.
    """
    if request.headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
        return RedirectResponse("/", status_code=303)
    return hand_over_page()


def _protect(headers: Any) -> None:
    """Add the protecting headers to an answer; a document keeps the stricter policy of its own."""
    for name, value in _HEADERS.items():
        headers[name] = value
    headers.setdefault("Content-Security-Policy", PAGE_POLICY)
