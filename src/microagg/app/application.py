"""Application: all routes behind the gate, what becomes of errors, and what runs beside the requests."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from microagg.app.access import Access
from microagg.app.answers import error_answer
from microagg.app.log_line import type_and_place
from microagg.app.request_error import RequestError, full_disk, is_full_disk
from microagg.app.routes import (
    compare_routes,
    open_routes,
    plan_routes,
    run_routes,
    session_routes,
    take_home_routes,
    verify_routes,
)
from microagg.app.server_state import ServerState
from microagg.model.errors import MicroaggError

_SECONDS_BETWEEN_SWEEPS = 30.0
_UNEXPECTED = "An unexpected error: nothing was released by this request. The log of the server says where it happened."
_HTTP_ERRORS = {
    404: "There is no page at this address: use the links of the pages.",
    405: "This address cannot be used in this way: use the pages.",
}
_LOG = logging.getLogger("microagg.app")
_ROUTES = (session_routes, open_routes, plan_routes, run_routes, compare_routes, take_home_routes, verify_routes)


def make_application(server: ServerState) -> Starlette:
    """Return the application that answers all requests.

    Parameters
    ----------
    server
        What all requests share.
    """
    application = Starlette(
        routes=[route for module in _ROUTES for route in module.ROUTES],
        middleware=[Middleware(Access, server=server), Middleware(UnexpectedErrors)],
        exception_handlers={HTTPException: _http_error, MicroaggError: _own_error},
        lifespan=_beside_requests,
    )
    application.state.server = server
    return application


@asynccontextmanager
async def _beside_requests(application: Starlette) -> AsyncIterator[None]:
    """Keep the queue of jobs and the sweeping of idle sessions running; at the end, remove everything."""
    server: ServerState = application.state.server
    await server.queue.start()
    sweeping = asyncio.create_task(_end_idle_sessions(server))
    try:
        yield
    finally:
        sweeping.cancel()
        await asyncio.gather(sweeping, return_exceptions=True)
        await server.queue.close()
        await server.sessions.end_all()


async def _end_idle_sessions(server: ServerState) -> None:
    while True:
        await asyncio.sleep(_SECONDS_BETWEEN_SWEEPS)
        await server.sessions.end_idle()


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return error_answer(request, status, _HTTP_ERRORS.get(status, _UNEXPECTED))


async def _own_error(request: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, RequestError) else 422
    return error_answer(request, status, str(error))


class UnexpectedErrors:
    """Answer to errors that nobody has foreseen: a sentence, and in the log their type and place, never their words.

    Parameters
    ----------
    app
        What may raise them.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sent = _SentBeginning(send)
        try:
            await self._app(scope, receive, sent)
        except ClientDisconnect:
            return
        except Exception as error:
            _LOG.error("%s %s: %s", scope["method"], _route_of(scope), type_and_place(error))
            refusal = full_disk() if is_full_disk(error) else RequestError(500, _UNEXPECTED)
            if not sent.has_begun:
                await error_answer(Request(scope), refusal.status, str(refusal))(scope, receive, send)


class _SentBeginning:
    """Sender that notes whether an answer has begun."""

    def __init__(self, send: Callable[[Message], Awaitable[None]]) -> None:
        self._send = send
        self.has_begun = False

    async def __call__(self, message: Message) -> None:
        self.has_begun = True
        await self._send(message)


def _route_of(scope: Scope) -> str:
    """Return the pattern of an address, without what the user put into it."""
    route = scope.get("route")
    return getattr(route, "path", "an address")
