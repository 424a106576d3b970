"""Sessions of the pages: the open file, the plan, jobs and runs of each visitor, in a folder of its own."""

import asyncio
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from microagg.app.job import Job
from microagg.app.job_process import JobProcess
from microagg.app.job_queue import JobQueue
from microagg.app.request_error import RequestError, full_disk, is_full_disk
from microagg.app.same_file import FileMark

_FIRST_SHORT_JOB = 1001  # runs are numbered from 1, so that the first one is called run 1
_RUN = "protect"
_ENDED = "The session has ended, so nothing is done any more: use the address that microagg printed to begin another."
_NO_FOLDER = "The folder of the server is gone or closed, so no session can begin: end the server, and start it again."
_NOT_THERE = "There is no such run or check in this session: it may be of another one, or of one that has ended."

_MOST_SESSIONS = 100  # of a server
_SECONDS_BEFORE_GIVING_ROOM = 3600.0  # that a session with a file must have been idle to be ended for a new one
_TOO_MANY = "Too many sessions are open on this server: try again later, or ask others to press “End session”."

_Choice = tuple[list[int], int | None, list[tuple[list[int], int | None]]]  # runs, the picked one, and what to undo


@dataclass(frozen=True)
class OpenedFile:
    """File that a session has opened.

    Parameters
    ----------
    path
        Where it is.
    name
        What the user calls it.
    mark
        What tells it from every other file: one that has changed is another one, and no job reads it.
    is_upload
        Whether it is a copy of the session's own, which is removed with it.
    """

    path: Path
    name: str
    mark: FileMark
    is_upload: bool

    @classmethod
    def found(cls, path: Path, name: str, *, is_upload: bool) -> "OpenedFile":
        """Return the file of a path as it is now; raise `OSError` if there is none, or if a link leads to it."""
        return cls(path, name, FileMark.of(path), is_upload)

    @property
    def n_bytes(self) -> int:
        """Its size."""
        return self.mark.size

    def options(self, role: str = "source") -> dict[str, Any]:
        """Return the options of a job that reads the file: see `TaskContext.file`."""
        name = "name" if role == "source" else f"{role}_name"
        return {role: str(self.path), name: self.name, f"{role}_mark": list(self.mark)}


@dataclass
class SessionJob:
    """Job of a session.

    Parameters
    ----------
    number
        Its number within the session: runs count from 1, other jobs from 1001.
    job
        What was asked.
    process
        What has become of it.
    made
        When it was asked.
    plan_text
        The plan that it is about; empty for one that is about none.
    file
        The file that it is about; None for one that is about several.
    """

    number: int
    job: Job
    process: JobProcess
    made: datetime
    plan_text: str
    file: OpenedFile | None


@dataclass
class VerifyForm:
    """What the verify page was given so far.

    Parameters
    ----------
    files
        Files by their roles: "released" and "original".
    columns_job
        The job that tells the columns of the released file; None before there is one.
    """

    files: dict[str, OpenedFile] = field(default_factory=dict)
    columns_job: SessionJob | None = None


@dataclass(eq=False)
class Session:
    """One visitor's work.

    Parameters
    ----------
    key
        Secret in the visitor's cookie.
    csrf
        Secret that each request which changes something carries.
    folder
        Folder of its files, which nobody else can read.
    source
        The open file; None before one is opened.
    plan_text
        The plan as the settings page shows it, valid or not.
    valid_plan_text
        The last valid plan: what the form of the settings page shows.
    jobs
        Every job, by its number.
    runs
        Numbers of the runs of the open file that are compared, in order.
    picked
        The run that is taken home; None while none is picked.
    undo
        What `runs` and `picked` were before each change, the latest last.
    verify_form
        What the verify page was given so far.
    last_seen
        When the visitor last asked for anything, in seconds of a clock that only goes forward.
    n_requests
        Number of requests that are under way, such as an upload.
    is_ended
        Whether it has ended: no job is queued any more.
    """

    key: str
    csrf: str
    folder: Path
    source: OpenedFile | None = None
    plan_text: str = ""
    valid_plan_text: str = ""
    jobs: dict[int, SessionJob] = field(default_factory=dict)
    runs: list[int] = field(default_factory=list)
    picked: int | None = None
    undo: list[tuple[list[int], int | None]] = field(default_factory=list)
    verify_form: VerifyForm = field(default_factory=VerifyForm)
    last_seen: float = field(default_factory=time.monotonic)
    n_requests: int = 0
    is_ended: bool = False
    _left: "dict[OpenedFile, _Choice]" = field(default_factory=dict)
    _kept_copies: list[OpenedFile] = field(default_factory=list)

    @property
    def taken_run(self) -> int | None:
        """The run that is taken home: the picked one, else the latest of the open file."""
        return self.picked if self.picked is not None else max(self.runs, default=None)

    @property
    def has_files(self) -> bool:
        """Whether it was given any file."""
        return bool(self.jobs or self.verify_form.files)

    def job(self, number: int) -> SessionJob:
        """Return a job by its number; raise `RequestError` if this session has none of it."""
        if number not in self.jobs:
            raise RequestError(404, _NOT_THERE)
        return self.jobs[number]

    def job_of(self, kind: str, number: int) -> SessionJob:
        """Return a job of a kind, such as "protect", by its number; raise `RequestError` if there is none."""
        found = self.job(number)
        if found.job.kind != kind:
            raise RequestError(404, _NOT_THERE)
        return found

    def latest(self, kind: str) -> SessionJob | None:
        """Return the latest job of a kind that is about the open file; None if there is none."""
        found = [one for one in self.jobs.values() if one.job.kind == kind and one.file == self.source]
        return found[-1] if found and self.source is not None else None

    def submit(
        self, queue: JobQueue, kind: str, options: Mapping[str, Any], file: OpenedFile | None = None
    ) -> SessionJob:
        """Queue a job whose results go to a folder of its own, and return it.

        Parameters
        ----------
        queue
            Where it is queued.
        kind
            What is to be done, such as "inspect".
        options
            What the job needs.
        file
            The file that it is about.
        """
        if self.is_ended:
            raise RequestError(403, _ENDED)
        is_run = kind == _RUN
        numbers = [one.number for one in self.jobs.values() if (one.job.kind == _RUN) == is_run]
        number = max(numbers, default=0 if is_run else _FIRST_SHORT_JOB - 1) + 1
        while number in self.jobs:
            number += 1
        job = Job(kind, self.new_folder(f"job-{number}"), dict(options))
        process = queue.submit(job)
        self.jobs[number] = SessionJob(number, job, process, datetime.now(UTC), str(options.get("plan", "")), file)
        return self.jobs[number]

    def new_folder(self, name: str) -> Path:
        """Make a folder for files of this session, and return it."""
        folder = self.folder / name
        folder.mkdir(mode=0o700)
        return folder

    def upload_folder(self) -> Path:
        """Make a folder for one uploaded file, and return it."""
        return self.new_folder(f"upload-{secrets.token_hex(8)}")

    def open(self, file: OpenedFile, queue: JobQueue) -> None:
        """Take a file as the open one, and start its inspection.

        Runs of the former file are compared again when that is opened again, unless it has changed.

        Parameters
        ----------
        file
            The file.
        queue
            Where its inspection is queued.
        """
        former = self.source
        if former is not None:
            self._left[former] = (self.runs, self.picked, self.undo)
        self.source = file
        self.plan_text = ""
        self.valid_plan_text = ""
        self.runs, self.picked, self.undo = self._left.pop(file, ([], None, []))
        if former is not None:
            self.forget(former)
        self.submit(queue, "inspect", file.options(), file)

    def other_runs(self) -> list[SessionJob]:
        """Return the runs of files that are not open now, the latest first."""
        numbers = [number for runs, _, _ in self._left.values() for number in runs]
        return [self.jobs[number] for number in sorted(numbers, reverse=True)]

    def forget(self, file: OpenedFile) -> None:
        """Remove a copy that is needed no longer: at once, or when no job reads it any more."""
        if not file.is_upload or file in (self.source, *self.verify_form.files.values()):
            return
        if any(str(file.path) in one.job.options.values() for one in self.unfinished()):
            self._kept_copies.append(file)
        else:
            shutil.rmtree(file.path.parent, ignore_errors=True)

    def forget_kept(self) -> None:
        """Remove the copies that were kept for a job which is over now."""
        kept = self._kept_copies
        self._kept_copies = []
        for file in kept:
            self.forget(file)

    @contextmanager
    def request_under_way(self) -> Iterator[None]:
        """Count a request of the session, in a `with` block: it is seen until the end of it.

        Yields
        ------
        None
            Nothing.
        """
        self.n_requests += 1
        try:
            yield
        finally:
            self.n_requests -= 1
            self.last_seen = time.monotonic()

    def unfinished(self) -> list[SessionJob]:
        """Return the jobs that wait or work."""
        return [one for one in self.jobs.values() if not one.process.is_over]

    def unfinished_runs(self) -> list[SessionJob]:
        """Return the runs that wait or work."""
        return [one for one in self.unfinished() if one.job.kind == _RUN]

    def working_run(self) -> int | None:
        """Return the number of the latest run that waits or works; None if there is none."""
        return max((one.number for one in self.unfinished_runs()), default=None)

    def add_run(self, number: int) -> None:
        """Compare a run, too; nothing that is undone later takes it away."""
        self.runs.append(number)
        for runs, _ in self.undo:
            runs.append(number)

    def remember(self) -> None:
        """Keep which runs are compared and picked, so that the next change can be undone."""
        self.undo.append((list(self.runs), self.picked))


def _secret() -> str:
    return secrets.token_urlsafe(32)


class Sessions:
    """All sessions of a server, in its folder.

    Parameters
    ----------
    folder
        Folder of the server, which nobody else can read.
    idle_seconds
        How long a session may be idle before it is ended; one whose job or request is under way is never idle.
    """

    def __init__(self, folder: Path, idle_seconds: float) -> None:
        self.folder = folder.resolve()  # files in it are opened by paths without links
        self.idle_seconds = idle_seconds
        self._by_key: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._by_key)

    def begin(self) -> Session:
        """Return a new session; raise `RequestError` if there are too many, or if it can have no folder."""
        if len(self._by_key) >= _MOST_SESSIONS:
            self._make_room()
        folder = self.folder / f"session-{secrets.token_hex(16)}"
        try:
            folder.mkdir(mode=0o700)
        except OSError as error:
            raise (full_disk() if is_full_disk(error) else RequestError(500, _NO_FOLDER)) from None
        session = Session(_secret(), _secret(), folder)
        self._by_key[session.key] = session
        return session

    def renew(self, session: Session) -> None:
        """Give a session new secrets: who knows the former ones is a stranger from now on."""
        del self._by_key[session.key]
        session.key = _secret()
        session.csrf = _secret()
        self._by_key[session.key] = session

    def find(self, key: str | None) -> Session | None:
        """Return the session of a key, as a cookie has it, and note that it was seen; None if there is none."""
        session = None if key is None else self._by_key.get(key)
        if session is not None:
            session.last_seen = time.monotonic()
        return session

    def _make_room(self) -> None:
        """End the session that is missed least: one that has opened nothing, else one that was idle for long."""
        now = time.monotonic()
        missed = {
            one: one.has_files
            for one in self._by_key.values()
            if not (one.unfinished() or one.n_requests)
            and (not one.has_files or now - one.last_seen > _SECONDS_BEFORE_GIVING_ROOM)
        }
        if not missed:
            raise RequestError(503, _TOO_MANY)
        least = min(missed, key=lambda one: (missed[one], one.last_seen))
        del self._by_key[least.key]
        least.is_ended = True
        shutil.rmtree(least.folder, ignore_errors=True)

    async def end(self, session: Session) -> None:
        """End a session: kill its jobs, and remove all of its files."""
        self._by_key.pop(session.key, None)
        session.is_ended = True
        for one in reversed(session.unfinished()):  # so that none that waits begins
            await one.process.kill()
        await asyncio.to_thread(shutil.rmtree, session.folder, ignore_errors=True)

    async def end_idle(self) -> None:
        """End the sessions that have been idle for too long; of others, remove the copies that are needed no longer."""
        now = time.monotonic()
        for session in list(self._by_key.values()):
            session.forget_kept()
            if session.unfinished() or session.n_requests:
                session.last_seen = now
            elif now - session.last_seen > self.idle_seconds:
                await self.end(session)

    async def end_all(self) -> None:
        """End every session."""
        for session in list(self._by_key.values()):
            await self.end(session)
