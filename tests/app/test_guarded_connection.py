"""Connections that only occupy the server are given up, and others are not."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from microagg.app import guarded_connection, web_server
from microagg.app.guarded_connection import GuardedConnection
from patience import PATIENCE

HALF = b"GET / HTTP/1.1\r\nHost: x\r\n"
GUARDED: list[GuardedConnection] = []
"""The connections of the server, as it sees them."""
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the length of the body; a request for /closed does not wait for it, one for /slow takes long."""
    request = Request(scope, receive)
    body = b"" if scope["path"] == "/closed" else await request.body()
    if scope["path"] == "/slow":
        await asyncio.sleep(1.0)
    await Response(str(len(body)))(scope, receive, send)


@asynccontextmanager
async def served() -> AsyncIterator[Callable[[], Awaitable[Streams]]]:
    """Serve, and yield what connects."""
    config = uvicorn.Config(answer, http=GuardedConnection, log_config=None)
    state = ServerState()
    loop = asyncio.get_running_loop()
    GUARDED.clear()

    def guarded() -> GuardedConnection:
        GUARDED.append(GuardedConnection(config, state, {}))
        return GUARDED[-1]

    server = await loop.create_server(guarded, "127.0.0.1")
    port = server.sockets[0].getsockname()[1]
    opened: list[asyncio.StreamWriter] = []

    async def connect() -> Streams:
        streams = await asyncio.open_connection("127.0.0.1", port)
        opened.append(streams[1])
        return streams

    try:
        yield connect
    finally:
        for writer in opened:
            writer.transport.abort()
        server.close()
        await asyncio.sleep(0.05)


def carry_out(work: Callable[[Callable[[], Awaitable[Streams]]], Awaitable[Any]]) -> Any:
    """Do something with a server."""

    async def inside() -> Any:
        async with served() as connect:
            return await asyncio.wait_for(work(connect), PATIENCE)

    return asyncio.run(inside())


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds; `carry_out` gives up at last."""
    while not condition():
        await asyncio.sleep(0.01)


async def rest_of(reader: asyncio.StreamReader) -> bytes:
    """Return what comes until the connection ends."""
    try:
        return await reader.read()
    except ConnectionError:
        return b""


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look often."""
    monkeypatch.setattr(guarded_connection, "_SECONDS_BETWEEN_LOOKS", 0.05)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("sent", [b"", HALF, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\nabc"])
@pytest.mark.parametrize("drips", [False, True])
def test_what_never_becomes_a_request_is_given_up(sent: bytes, drips: bool) -> None:
    async def work(connect: Callable[[], Awaitable[Streams]]) -> bytes:
        reader, writer = await connect()
        writer.write(sent)
        ended = asyncio.ensure_future(rest_of(reader))
        while not ended.done():
            if drips and sent:
                writer.write(b"x")
            await asyncio.sleep(0.02)
        return ended.result()

    assert carry_out(work) == b""


@pytest.mark.usefixtures("hurried")
def test_a_body_that_drips_after_the_answer_is_given_up() -> None:
    async def work(connect: Callable[[], Awaitable[Streams]]) -> bytes:
        reader, writer = await connect()
        writer.write(b"POST /closed HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n")
        answer = await reader.readexactly(15)  # read before the end: an aborted connection drops what was not read
        ended = asyncio.ensure_future(rest_of(reader))
        while not ended.done():
            writer.write(b"x")
            await asyncio.sleep(0.02)
        return answer

    assert carry_out(work) == b"HTTP/1.1 200 OK"


@pytest.mark.usefixtures("hurried")
def test_an_answer_that_takes_long_and_a_body_that_comes_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_connection, "_LEAST_OF_BODY", 10)

    async def work(connect: Callable[[], Awaitable[Streams]]) -> bytes:
        reader, writer = await connect()
        writer.write(b"POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\nConnection: close\r\n\r\n")
        for _ in range(20):
            writer.write(b"x" * 100)
            await asyncio.sleep(0.02)
        return await rest_of(reader)

    assert carry_out(work).endswith(b"\r\n\r\n2000")


def test_of_too_many_connections_those_give_way_that_ask_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_connection, "_most_connections", lambda: 5)

    async def work(connect: Callable[[], Awaitable[Streams]]) -> list[Any]:
        slow_reader, slow = await connect()
        slow.write(b"POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nConnection: close\r\n\r\n")
        await until(lambda: bool(GUARDED) and not GUARDED[0].is_free)
        half = [await connect() for _ in range(40)]
        for _, writer in half:
            writer.write(HALF)
        reader, writer = await connect()
        writer.write(HALF + b"Connection: close\r\n\r\n")
        told = await rest_of(reader)
        slow.write(b"x")
        ended = [asyncio.ensure_future(rest_of(one)) for one, _ in half]
        await until(lambda: sum(not one.done() for one in ended) <= 4)
        for one in ended:
            one.cancel()
        return [told, await rest_of(slow_reader)]

    told, slow = carry_out(work)
    assert told.startswith(b"HTTP/1.1 200 OK")
    assert slow.endswith(b"\r\n\r\n1"), "a request that is under way is carried out"


def test_there_are_fewer_connections_than_files_that_may_be_open(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    for limits, most in [((256, 256), 80), ((1024, 1024), 464), ((140, 140), 22), ((20, 20), 16), ((1024, 10**6), 500)]:
        monkeypatch.setattr(resource, "getrlimit", lambda _, limits=limits: limits)
        monkeypatch.setattr(resource, "setrlimit", lambda *_: None)
        guarded_connection._most_connections.cache_clear()
        assert guarded_connection._most_connections() == most
    guarded_connection._most_connections.cache_clear()


def test_the_log_takes_so_many_lines_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [600.0]
    monkeypatch.setattr("microagg.app.web_server.time.monotonic", lambda: now[0])
    few = web_server._FewLines()
    record = logging.LogRecord("asyncio", logging.ERROR, "", 0, "again", (), None)
    assert sum(few.filter(record) for _ in range(1000)) == 60
    now[0] = 659.9
    assert not few.filter(record)
    now[0] = 660.0
    assert sum(few.filter(record) for _ in range(1000)) == 60
