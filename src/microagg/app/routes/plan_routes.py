"""Routes from the inspection to the estimate: what the columns are, and what is to be done to them."""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from microagg.app.answers import frame_of, go, json_body, page_answer, read_json, server_of, session_of
from microagg.app.pages.estimate_page import estimate_page
from microagg.app.pages.inspect_page import inspect_page
from microagg.app.pages.problem_page import problem_page
from microagg.app.pages.settings_page import settings_page
from microagg.app.pages.waiting_page import waiting_page
from microagg.app.plan_form import form_of_text, form_to_text, text_to_form
from microagg.app.plan_text import parsed_plan, plan_hash
from microagg.app.plan_words import plan_words
from microagg.app.request_error import RequestError
from microagg.app.web_sessions import OpenedFile, Session, SessionJob
from microagg.model.errors import MicroaggError
from microagg.report.facts import Facts

_NO_FILE = "No file is open in this session: open one first."
_CHANGED_ELSEWHERE = (
    "The plan, or the open file, was changed since this page was shown, perhaps in another tab, so this change was not "
    "taken: reload the page, and make it again."
)
_NOT_INSPECTED = "The file has not been inspected yet: wait until its columns are shown."


async def _inspect(request: Request) -> Response:
    job = session_of(request).latest("inspect")
    if job is None:
        return RedirectResponse("/open", status_code=303)
    if job.process.is_given_up:
        source = source_of(session_of(request))
        job = session_of(request).submit(server_of(request).queue, "inspect", source.options(), source)
    if waiting := await _unfinished(request, job, "inspect", "Looking at the columns", "/open", "Open another file"):
        return waiting
    file = session_of(request).source
    result = await inspection_of(session_of(request))
    return await page_answer(inspect_page, frame_of(request, "inspect"), file, result)


async def _settings(request: Request) -> Response:
    session = session_of(request)
    job = session.latest("inspect")
    if job is None:
        return RedirectResponse("/open", status_code=303)
    if job.process.last.state != "done":
        return RedirectResponse("/inspect", status_code=303)
    result = await inspection_of(session)
    problem = await asyncio.to_thread(problem_of, session.plan_text)
    return await page_answer(_settings_page, frame_of(request, "settings"), session, result, problem)


def _settings_page(frame: Any, session: Session, result: Facts, problem: str) -> str:
    form, _ = form_of_text(session.valid_plan_text or session.plan_text, list(result["kinds"]), result["kinds"])
    return settings_page(frame, result, form, session.plan_text, problem)


async def _plan_form(request: Request) -> Response:
    return await _new_plan(request, form_to_text)


async def _plan_text(request: Request) -> Response:
    return await _new_plan(request, text_to_form)


async def _new_plan(request: Request, translate: Callable[..., dict[str, Any]]) -> Response:
    """Take the plan that a page sent, as a form or as a text; a text that is no plan is kept, to be mended."""
    session = session_of(request)
    body = await json_body(request)
    if body.get("plan") not in (None, plan_hash(session.plan_text)):
        raise RequestError(409, _CHANGED_ELSEWHERE)
    kinds = (await inspection_of(session))["kinds"]
    try:
        answer = await asyncio.to_thread(translate, body, list(kinds), kinds)
    except MicroaggError:
        if translate is text_to_form and isinstance(body.get("toml"), str):
            session.plan_text = body["toml"]
        raise
    session.plan_text = answer["toml"]
    session.valid_plan_text = answer["toml"]
    return JSONResponse({**answer, "plan": plan_hash(answer["toml"])})


async def _estimate(request: Request) -> Response:
    session = session_of(request)
    if session.latest("inspect") is None:
        return RedirectResponse("/open", status_code=303)
    try:
        job = _estimate_job(request, await plan_to_run(session))
    except MicroaggError:
        return RedirectResponse("/settings", status_code=303)
    if waiting := await _unfinished(request, job, "estimate", "Estimating", "/settings", "Change the settings"):
        return waiting
    estimate = await asyncio.to_thread(read_json, job.job.folder / "estimate.json")
    return await page_answer(_estimate_page, frame_of(request, "estimate"), job.plan_text, estimate)


def _estimate_page(frame: Any, plan_text: str, estimate: Facts) -> str:
    words = plan_words(parsed_plan(plan_text), estimate["columns"])
    return estimate_page(frame, words, estimate, plan_hash(plan_text))


async def _post_estimate(request: Request) -> Response:
    _estimate_job(request, await plan_to_run(session_of(request)))
    return go("/estimate")


def _estimate_job(request: Request, plan_text: str) -> SessionJob:
    """Return the estimate of a plan; start it, if there is none yet."""
    session = session_of(request)
    latest = session.latest("estimate")
    if latest is not None and latest.plan_text == plan_text and latest.process.last.state != "cancelled":
        return latest
    source = source_of(session)
    options = {**source.options(), "plan": plan_text}
    return session.submit(server_of(request).queue, "estimate", options, source)


async def _unfinished(
    request: Request, job: SessionJob, step: str, heading: str, address: str, way: str
) -> Response | None:
    """Return the page of a job that waits, works or has failed; None if it is done."""
    last = job.process.last
    if not job.process.is_over:
        return await page_answer(waiting_page, frame_of(request, step), job.number, heading, last)
    if last.state == "done":
        return None
    title = "Stopped" if last.state == "cancelled" else "This did not work"
    return await page_answer(problem_page, frame_of(request, step), title, last.sentence, address, way)


async def inspection_of(session: Session) -> Facts:
    """Return what the inspection of the open file has found; its starter plan becomes that of the session.

    Raises
    ------
    RequestError
        If no file is open, or it has not been inspected yet.
    """
    source_of(session)
    job = session.latest("inspect")
    if job is None or job.process.last.state != "done":
        raise RequestError(409, _NOT_INSPECTED)
    result: Facts | None = await asyncio.to_thread(read_json, job.job.folder / "inspection.json")
    if result is None:
        raise RequestError(409, _NOT_INSPECTED)
    if not session.plan_text:
        session.plan_text = result["starter_plan"]
        if not await asyncio.to_thread(problem_of, session.plan_text):
            session.valid_plan_text = session.plan_text
    return result


def problem_of(plan_text: str) -> str:
    """Return why a text is no plan; nothing if it is one."""
    try:
        parsed_plan(plan_text)
    except MicroaggError as error:
        return str(error)
    return ""


async def plan_to_run(session: Session) -> str:
    """Return the text of a session's plan, to be carried out.

    Raises
    ------
    InputError
        If the text on the settings page is no plan: an earlier one is not taken in its place.
    """
    if not session.plan_text:
        raise RequestError(409, _NOT_INSPECTED)
    plan_text = session.plan_text
    await asyncio.to_thread(parsed_plan, plan_text)
    return plan_text


def source_of(session: Session) -> OpenedFile:
    """Return the open file; raise `RequestError` if there is none."""
    if session.source is None:
        raise RequestError(409, _NO_FILE)
    return session.source


ROUTES = [
    Route("/inspect", _inspect),
    Route("/settings", _settings),
    Route("/plan/form", _plan_form, methods=["POST"]),
    Route("/plan/text", _plan_text, methods=["POST"]),
    Route("/estimate", _estimate, methods=["GET"]),
    Route("/estimate", _post_estimate, methods=["POST"]),
]
"""Addresses from the inspection to the estimate."""
