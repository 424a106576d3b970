"""Connection that is given up where it only occupies the server: half a request, a body that does not come, too many.

uvicorn waits for ever for the rest of a request, and takes any number of connections; where the system allows no
further file to be open, asyncio tries again so often that nothing else is done.
"""

import asyncio
from contextlib import suppress
from functools import cache
from typing import Any, Protocol

from uvicorn.protocols.http.h11_impl import H11Protocol

BACKLOG = 32
"""Number of connections that the system keeps until they are taken, and that are taken at once."""

_MOST = 500  # connections
_FEWEST = 16
_MOST_FILES = 4096  # that the process may have open, if it is allowed to say so
_SECONDS_BETWEEN_LOOKS = 10.0
_LOOKS_WITHOUT_REQUEST = 2  # so that headers must come within 20 s
_LOOKS_WITHOUT_BODY = 4
_LEAST_OF_BODY = 10_000  # bytes between two looks


class _Waiting(Protocol):
    """What is asked of the request of a connection."""

    response_complete: bool
    more_body: bool


class GuardedConnection(H11Protocol):
    """Connection that must send whole requests, and gives way to new ones where there are too many."""

    _n_bytes = 0  # that came since the last look
    _n_looks = 0  # at which nothing had come forward
    _seen: tuple[Any, bool] | None = None  # request and whether it is answered, at the last look
    _free_since = 0.0

    @property
    def is_free(self) -> bool:
        """Whether no request is under way: none has come, or the last one is answered."""
        request: _Waiting | None = self.cycle
        return request is None or request.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection; where there are too many, that one ends which has asked for nothing for longest."""
        super().connection_made(transport)
        self._free_since = self.loop.time()
        self.loop.call_later(_SECONDS_BETWEEN_LOOKS, self._look)
        if len(self.connections) > _most_connections():
            others: list[Any] = [one for one in self.connections if one is not self]
            free = [one for one in others if one.is_free and not one.transport.is_closing()]
            min(free, key=lambda one: one._free_since, default=self).transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request."""
        self._n_bytes += len(data)
        super().data_received(data)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._free_since = self.loop.time()
        super().on_response_complete()

    def _look(self) -> None:
        """End the connection if no request, or hardly any of its body, has come for some looks."""
        if self.transport.is_closing():
            return
        seen = (self.cycle, self.is_free)
        is_slow = self._n_bytes < _LEAST_OF_BODY and not self.flow.read_paused
        is_waiting = self.is_free or (self.cycle.more_body and is_slow)
        self._n_looks = self._n_looks + 1 if is_waiting and seen == self._seen else int(is_waiting)
        self._seen = seen
        self._n_bytes = 0
        if self._n_looks >= (_LOOKS_WITHOUT_REQUEST if self.is_free else _LOOKS_WITHOUT_BODY):
            self.transport.abort()
        else:
            self.loop.call_later(_SECONDS_BETWEEN_LOOKS, self._look)


@cache
def _most_connections() -> int:
    """Return how many connections there may be: far fewer than files that the system lets this process open."""
    try:
        import resource
    except ImportError:  # Windows
        return _MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return _MOST
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    with suppress(OSError, ValueError):
        if wanted > soft:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    at_once = 3 * BACKLOG  # taken, being set up and being closed, beside those that are counted
    return max(_FEWEST, min(_MOST, (soft - at_once) // 2))
