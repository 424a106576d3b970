"""Routes of the first step: open a file by upload, by path, or an example."""

import asyncio
import shutil

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from microagg.app.answers import frame_of, go, json_body, page_answer, server_of, session_of, text_in
from microagg.app.data_folder import NOTHING_THERE
from microagg.app.example_tables import EXAMPLES, write_example
from microagg.app.pages.open_page import folder_list, open_page
from microagg.app.request_error import RequestError
from microagg.app.uploads import Upload, file_name
from microagg.app.web_sessions import OpenedFile

_NAME_HEADER = "X-File-Name"


async def _open(request: Request) -> Response:
    server = server_of(request)
    folder = await asyncio.to_thread(server.data_folder.listing) if server.data_folder.allows_paths else None
    working = session_of(request).working_run()
    return await page_answer(open_page, frame_of(request, "open"), EXAMPLES, folder, server.max_upload, working)


async def _upload(request: Request) -> Response:
    return await _opened(request, await uploaded_file(request))


async def _path(request: Request) -> Response:
    return await _opened(request, await named_file(request, text_in(await json_body(request), "path")))


async def _example(request: Request) -> Response:
    name = text_in(await json_body(request), "name")
    folder = session_of(request).upload_folder()
    try:
        path = await asyncio.to_thread(write_example, name, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return await _opened(request, OpenedFile.found(path, path.name, is_upload=True))


async def _folder(request: Request) -> Response:
    listing = await asyncio.to_thread(server_of(request).data_folder.listing, request.query_params.get("path", ""))
    return JSONResponse({"html": folder_list(listing)})


async def _opened(request: Request, file: OpenedFile) -> Response:
    """Open a file in place of the former one: what only looks at that is ended, its runs go on."""
    session = session_of(request)
    for one in session.unfinished():
        if one.job.kind in ("inspect", "estimate") and one.file == session.source:
            await one.process.kill()
    session.open(file, server_of(request).queue)
    return go("/inspect")


async def uploaded_file(request: Request) -> OpenedFile:
    """Write the body of a request to a file of the session; nothing is left of one that fails."""
    server = server_of(request)
    name = file_name(request.headers.get(_NAME_HEADER, ""))
    folder = session_of(request).upload_folder()
    announced = request.headers.get("content-length", "")
    try:
        upload = Upload(folder, name, server.max_upload)
        path = await upload.save(request.stream(), int(announced) if announced.isdecimal() else None)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return OpenedFile.found(path, name, is_upload=True)


async def named_file(request: Request, given: str) -> OpenedFile:
    """Return the file of a path, if it may be opened."""
    path = await asyncio.to_thread(server_of(request).data_folder.file, given)
    try:
        return OpenedFile.found(path, path.name, is_upload=False)
    except OSError:  # it was swapped since
        raise RequestError(404, NOTHING_THERE) from None


ROUTES = [
    Route("/open", _open),
    Route("/open/upload", _upload, methods=["POST"]),
    Route("/open/path", _path, methods=["POST"]),
    Route("/open/example", _example, methods=["POST"]),
    Route("/open/folder", _folder),
]
"""Addresses of the first step."""
