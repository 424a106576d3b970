"""Routes of runs: queue one, follow its events, stop it, show its result."""

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from microagg.app.answers import frame_of, go, json_body, page_answer, read_json, server_of, session_of, text_in
from microagg.app.job_process import JobProcess
from microagg.app.pages.page_frame import Frame
from microagg.app.pages.result_page import result_page
from microagg.app.pages.run_page import run_page
from microagg.app.plan_text import plan_hash
from microagg.app.request_error import RequestError
from microagg.app.routes.plan_routes import plan_to_run, source_of
from microagg.app.web_sessions import SessionJob

_OTHER_PLAN = (
    "The plan was changed since this page was shown, perhaps in another tab, so nothing was run: reload the page, read "
    "what will be done now, and run that."
)
_MOST_WAITING = 10  # runs of one session
_TOO_MANY = f"{_MOST_WAITING} runs of yours wait already, so this one was not queued: stop one, or wait for it."
_SECONDS_OF_SILENCE = 15.0  # after so many, a line without meaning tells that the server is still there


async def _queue(request: Request) -> Response:
    session = session_of(request)
    shown = text_in(await json_body(request), "plan")
    plan_text = await plan_to_run(session)
    if shown != plan_hash(plan_text):
        raise RequestError(409, _OTHER_PLAN)
    if len(session.unfinished_runs()) > _MOST_WAITING:
        raise RequestError(409, _TOO_MANY)
    source = source_of(session)
    options = {**source.options(), "plan": plan_text}
    run = session.submit(server_of(request).queue, "protect", options, source)
    session.add_run(run.number)
    return go(f"/runs/{run.number}")


async def _show(request: Request) -> Response:
    run = session_of(request).job_of("protect", request.path_params["number"])
    frame = frame_of(request, "run", None if run.file is None else run.file.name)
    return await page_answer(_run_page, frame, run)


def _run_page(frame: Frame, run: SessionJob) -> str:
    """Return the page of a run: its result, once there is one."""
    last = run.process.last
    folder = run.job.folder
    release = read_json(folder / "release.json") if run.process.is_released else None
    if release is None:
        return run_page(frame, run.number, run.plan_text, run.process.events)
    document = read_json(folder / "document.json") if run.process.is_over else None
    history = read_json(folder / "history.json") or []
    return result_page(frame, run.number, release["facts"], document, history, last)


async def _events(request: Request) -> Response:
    process = session_of(request).job(request.path_params["number"]).process
    known = request.headers.get("last-event-id", "0")
    after = int(known) if known.isdecimal() and len(known) < 10 else 0
    stream = _event_stream(process, after, server_of(request).is_ending)
    headers = {"X-Accel-Buffering": "no"}  # so that a reverse proxy passes each event on at once
    return StreamingResponse(stream, media_type="text/event-stream", headers=headers)


async def _event_stream(process: JobProcess, after: int, is_ending: asyncio.Event) -> AsyncIterator[str]:
    """Yield the events of a job as server-sent events, until it is over or the server ends."""
    events = process.follow(after)
    ending = asyncio.ensure_future(is_ending.wait())
    following = asyncio.ensure_future(anext(events, None))
    try:
        while True:
            await asyncio.wait({ending, following}, timeout=_SECONDS_OF_SILENCE, return_when=asyncio.FIRST_COMPLETED)
            if following.done():
                event = following.result()
                if event is None:
                    return
                yield f"id: {event.number}\ndata: {event.to_line()}\n\n"
                following = asyncio.ensure_future(anext(events, None))
            elif ending.done():
                return
            else:
                yield ": still here\n\n"
    finally:
        ending.cancel()
        following.cancel()
        await asyncio.gather(ending, following, return_exceptions=True)
        await events.aclose()


async def _stop(request: Request) -> Response:
    await session_of(request).job(request.path_params["number"]).process.stop()
    return JSONResponse({"stopped": True})


ROUTES = [
    Route("/runs", _queue, methods=["POST"]),
    Route("/runs/{number:number}", _show),
    Route("/jobs/{number:number}/events", _events),
    Route("/jobs/{number:number}/stop", _stop, methods=["POST"]),
]
"""Addresses of runs, and of the jobs that they are."""
