"""Routes of the verify page: files, what is promised of them, the verdict and its document."""

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from microagg.app.answers import (
    document,
    frame_of,
    go,
    json_body,
    page_answer,
    read_json,
    server_of,
    session_of,
    text_in,
)
from microagg.app.pages.problem_page import problem_page
from microagg.app.pages.verdict_page import verdict_page
from microagg.app.pages.verify_page import verify_page
from microagg.app.pages.waiting_page import waiting_page
from microagg.app.plan_text import parsed_plan
from microagg.app.request_error import RequestError
from microagg.app.routes.open_routes import named_file, uploaded_file
from microagg.app.web_sessions import OpenedFile, Session, SessionJob, VerifyForm

_ROLES = ("released", "original")
_SECONDS_FOR_COLUMNS = 10.0  # that an answer waits for the names of the columns
_NO_RELEASE = "There is no released file to check yet: drop one, or give its path."


async def _verify(request: Request) -> Response:
    form = session_of(request).verify_form
    names = {role: file.name for role, file in form.files.items()}
    columns = await asyncio.to_thread(_columns, form.columns_job)
    has_folder = server_of(request).data_folder.allows_paths
    return await page_answer(verify_page, frame_of(request, "verify"), names, columns, has_folder)


async def _upload(request: Request) -> Response:
    role = _role(request.query_params.get("role"))
    return await _given(request, role, await uploaded_file(request))


async def _path(request: Request) -> Response:
    body = await json_body(request)
    role = _role(body.get("role"))
    return await _given(request, role, await named_file(request, text_in(body, "path")))


async def _clear(request: Request) -> Response:
    form = session_of(request).verify_form
    role = _role((await json_body(request)).get("role"))
    if role == "released":
        await _end_columns_job(form)
    if role in form.files:
        session_of(request).forget(form.files.pop(role))
    return go("/verify")


async def _given(request: Request, role: str, file: OpenedFile) -> Response:
    """Take a file for the check; of a released one, find out its columns."""
    session = session_of(request)
    form = session.verify_form
    if role == "released":
        await _end_columns_job(form)
    former = form.files.get(role)
    form.files[role] = file
    if former is not None:
        session.forget(former)
    if role == "released":
        form.columns_job = session.submit(server_of(request).queue, "columns", file.options())
        await _over(form.columns_job)
    return go("/verify")


async def _end_columns_job(form: VerifyForm) -> None:
    """End the job that reads the columns of a released file which is taken away."""
    job = form.columns_job
    form.columns_job = None
    if job is not None:
        await job.process.kill()


async def _start(request: Request) -> Response:
    session = session_of(request)
    body = await json_body(request)
    options = await asyncio.to_thread(_options, session, body)
    job = session.submit(server_of(request).queue, "verify", options)
    return go(f"/verify/{job.number}")


def _options(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """Return what a check needs: the files, and either a plan, or k and columns."""
    files = session.verify_form.files
    if "released" not in files:
        raise RequestError(409, _NO_RELEASE)
    options: dict[str, Any] = {}
    for role, file in files.items():
        options |= file.options(role)
    unknown = body.keys() - {"k", "columns", "plan"}
    if unknown or ("plan" in body) == ("k" in body or "columns" in body):
        raise RequestError(400, "A check needs either a plan, or k and the columns: give one of the two.")
    if "plan" in body:
        plan = text_in(body, "plan")
        parsed_plan(plan)
        return {**options, "plan": plan}
    k = body.get("k")
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise RequestError(400, "k must be a whole number from 1: give the smallest group that was promised.")
    columns = body.get("columns")
    if not isinstance(columns, list) or not columns or not all(isinstance(each, str) for each in columns):
        raise RequestError(400, "The columns that must be k-anonymous together are missing: name at least one.")
    return {**options, "k": k, "columns": columns}


async def _verdict(request: Request) -> Response:
    job = session_of(request).job_of("verify", request.path_params["number"])
    frame = frame_of(request, "verify")
    last = job.process.last
    if not job.process.is_over:
        return await page_answer(waiting_page, frame, job.number, "Checking the release", last)
    if last.state != "done":
        return await page_answer(
            problem_page, frame, "The check could not be made", last.sentence, "/verify", "Back to the check"
        )
    verification = await asyncio.to_thread(read_json, job.job.folder / "verification.json")
    given = job.job.options
    names = {role: given[f"{role}_name"] for role in ("released", "original") if role in given}
    return await page_answer(verdict_page, frame, job.number, verification, names)


async def _document(request: Request) -> Response:
    job = session_of(request).job_of("verify", request.path_params["number"])
    path = job.job.folder / "verification.html"
    if not path.is_file():
        raise RequestError(404, "This check has no document: it did not come to its end.")
    return document(path)


def _role(given: object) -> str:
    if given not in _ROLES:
        raise RequestError(400, f"A file of the verify page must be one of {', '.join(_ROLES)}: reload the page.")
    return str(given)


def _columns(job: SessionJob | None) -> list[str] | None:
    """Return the columns that a job has read; None where it has not."""
    return None if job is None or not job.process.is_over else read_json(job.job.folder / "columns.json")


async def _over(job: SessionJob) -> None:
    """Wait until a job is over, but not for long."""
    try:
        async with asyncio.timeout(_SECONDS_FOR_COLUMNS):
            async for _ in job.process.follow():
                pass
    except TimeoutError:
        return


ROUTES = [
    Route("/verify", _verify, methods=["GET"]),
    Route("/verify", _start, methods=["POST"]),
    Route("/verify/upload", _upload, methods=["POST"]),
    Route("/verify/path", _path, methods=["POST"]),
    Route("/verify/clear", _clear, methods=["POST"]),
    Route("/verify/{number:number}", _verdict),
    Route("/verify/{number:number}/document.html", _document),
]
"""Addresses of the verify page."""
