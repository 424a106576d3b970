"""Uploads: the body of a request streamed to a file, within a limit and the free space of the disk."""

import asyncio
import os
import re
import secrets
import shutil
import unicodedata
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from microagg.app.request_error import RequestError, full_disk, is_full_disk
from microagg.model.memory_budget import in_words

_RESERVE = 200_000_000  # bytes of the disk that an upload leaves free
_BUFFER = 1_000_000  # bytes that are written at once
_LONGEST_NAME = 120  # characters
_LONGEST_ENDING = 12


class Upload:
    """Upload to a folder.

    Parameters
    ----------
    folder
        Where the file is to be; nobody else can read it.
    name
        What it is called: see `file_name`.
    limit
        Number of bytes that it may have.
    """

    def __init__(self, folder: Path, name: str, limit: int) -> None:
        self.path = folder / name
        self._part = folder / f"{secrets.token_hex(8)}.part"
        self._limit = limit

    async def save(self, body: AsyncIterator[bytes], n_announced: int | None) -> Path:
        """Write the body of a request to the file, and return its path.

        Parameters
        ----------
        body
            The body, piece by piece. However large it is, only a piece of it is in memory.
        n_announced
            Number of bytes that the request says it has, if it does.

        Raises
        ------
        RequestError
            If it is too large (413), empty (400), or does not fit on the disk (507): nothing is left of it then.
        """
        self._check_announced(n_announced)
        try:
            n_bytes = await self._write(body)
            if n_bytes == 0:
                raise RequestError(400, "The file is empty, or none was chosen: choose a file with records.")
            self._part.replace(self.path)
        except OSError as error:
            if is_full_disk(error):
                raise full_disk() from None
            raise
        finally:
            with suppress(OSError):
                self._part.unlink(missing_ok=True)
        return self.path

    def _check_announced(self, n_announced: int | None) -> None:
        """Refuse what cannot be kept before any of it is read."""
        if n_announced is None:
            return
        if n_announced > self._limit:
            raise RequestError(413, self._too_large())
        if n_announced > self._free():
            raise full_disk()

    async def _write(self, body: AsyncIterator[bytes]) -> int:
        """Write the body, and return its number of bytes."""
        n_bytes = 0
        buffer = bytearray()
        file = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            async for piece in body:
                n_bytes += len(piece)
                if n_bytes > self._limit:
                    raise RequestError(413, self._too_large())
                buffer += piece
                if len(buffer) >= _BUFFER:
                    await asyncio.to_thread(self._append, file, bytes(buffer))
                    buffer.clear()
            await asyncio.to_thread(self._append, file, bytes(buffer))
        finally:
            os.close(file)
        return n_bytes

    def _append(self, file: int, data: bytes) -> None:
        """Write bytes at the end of an open file, unless the disk becomes full by them."""
        if len(data) > self._free():
            raise full_disk()
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]

    def _free(self) -> int:
        return shutil.disk_usage(self._part.parent).free - _RESERVE

    def _too_large(self) -> str:
        return (
            f"The file is larger than the {in_words(self._limit)} that may be uploaded: nothing was kept. "
            "Give its path in place of an upload, or start the server with a larger --max-upload."
        )


def file_name(sent: str) -> str:
    """Return a name for an uploaded file that is safe on every system.

    Parameters
    ----------
    sent
        Name that the browser sent, percent-encoded: perhaps with folders, which are left out.

    Returns
    -------
    str
        Its last part without control characters, of limited length; the ending is kept, as it tells the kind.

    Examples
    --------
    >>> file_name("..%2F..%2Fhome%2Fpeople%202024.csv")
    'people 2024.csv'
    """
    last = re.split(r"[/\\]", unquote(sent, errors="replace"))[-1]
    visible = "".join(sign for sign in last if unicodedata.category(sign)[0] != "C")
    plain = re.sub(r'[<>:"|?*]', "_", visible).strip(" .")
    path = PurePosixPath(plain or "file")
    ending = path.suffix if len(path.suffix) <= _LONGEST_ENDING else ""
    stem = path.name.removesuffix(ending)
    return _shortened(stem, _LONGEST_NAME - len(ending)) + ending


def _shortened(stem: str, length: int) -> str:
    """Return the first characters of a name: at most so many, and not more bytes than file systems allow."""
    while len(stem[:length].encode()) > 2 * _LONGEST_NAME - _LONGEST_ENDING:
        length -= 1
    return stem[:length]
