"""Browsers and jobs that stand in for real ones in tests of the pages."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from microagg.app.application import make_application
from microagg.app.data_folder import DataFolder
from microagg.app.job import Event, Job
from microagg.app.job_process import JobProcess
from microagg.app.job_queue import JobQueue
from microagg.app.plan_text import plan_hash
from microagg.app.server_state import ServerAddress, ServerState
from microagg.app.web_sessions import Session, Sessions

PORT = 8800
ROOT = f"http://127.0.0.1:{PORT}"
COOKIE = f"microagg-{PORT}"
CSRF_HEADER = "X-Microagg-Csrf"
INSPECTION = {"kinds": {"age": "number", "income": "number"}, "starter_plan": 'k = 5\ncolumns = ["age", "income"]\n'}


class StandInQueue(JobQueue):
    """Queue that starts no process: a test says what becomes of each job.

    Attributes
    ----------
    processes : list of JobProcess
        Every job that was queued.
    results : dict
        What jobs of a kind write, by the name of the file; these are done at once.
    """

    def __init__(self) -> None:
        super().__init__(warm_up=False)
        self.processes: list[JobProcess] = []
        self.results: dict[str, dict[str, Any]] = {}

    async def start(self) -> None:
        """Start nothing."""

    async def close(self) -> None:
        """Close nothing."""

    def submit(self, job: Job) -> JobProcess:
        """Queue a job."""
        process = JobProcess(job)
        self.processes.append(process)
        if job.kind in self.results:
            self.write(job, self.results[job.kind])
            process.tell(Event("done"))
        return process

    @staticmethod
    def write(job: Job, results: dict[str, Any]) -> None:
        """Write results of a job: texts as they are, all else as JSON."""
        for name, content in results.items():
            text = content if isinstance(content, str) else json.dumps(content)
            (job.folder / name).write_text(text, encoding="utf-8")


def make_server(folder: Path, **options: Any) -> ServerState:
    """Return the state of a server whose sessions are in a folder, with a queue that starts no process."""
    closed = folder / "server"
    closed.mkdir(mode=0o700)
    settings = {
        "address": ServerAddress("127.0.0.1", PORT),
        "sessions": Sessions(closed, idle_seconds=3600.0),
        "queue": StandInQueue(),
        "data_folder": DataFolder(None, closed=closed),
        "max_upload": 1_000_000,
        **options,
    }
    return ServerState(**settings)


class Browser(TestClient):
    """Browser that was let in, and sends what the pages send.

    Parameters
    ----------
    server
        The server.
    enters
        Whether it uses the printed address at once.
    """

    def __init__(self, server: ServerState, *, enters: bool = True) -> None:
        super().__init__(make_application(server), base_url=ROOT, follow_redirects=False)
        self.server = server
        if enters:
            self.enter()

    def enter(self) -> Any:
        """Use the printed address."""
        return self.get("/", params={"token": self.server.keys.token})

    @property
    def session(self) -> Session:
        """The session of this browser."""
        session = self.server.sessions.find(self.cookies.get(COOKIE))
        assert session is not None
        return session

    @property
    def queue(self) -> StandInQueue:
        """The queue of the server."""
        assert isinstance(self.server.queue, StandInQueue)
        return self.server.queue

    def post_json(self, address: str, body: object = None, **options: Any) -> Any:
        """Post JSON with the secret of the session, as app.js does."""
        return self.post(address, json={} if body is None else body, headers=self.signed(), **options)

    def run(self) -> Any:
        """Press the button of the estimate page, which says the plan that it is about."""
        return self.post_json("/runs", {"plan": plan_hash(self.session.plan_text)})

    def upload(self, address: str, content: Any, name: str = "people.csv") -> Any:
        """Upload a file."""
        return self.post(address, content=content, headers={**self.signed(), "X-File-Name": name})

    def signed(self) -> dict[str, str]:
        """Return the header that the pages send."""
        return {CSRF_HEADER: self.session.csrf}

    def tell(self, process: JobProcess, *events: Event) -> None:
        """Let a job tell events."""
        for event in events:
            process.tell(event)


def opened(server: ServerState) -> Browser:
    """Return a browser that has opened an example, which is inspected already."""
    browser = Browser(server)
    browser.queue.results["inspect"] = {"inspection.json": INSPECTION}
    assert browser.post_json("/open/example", {"name": "survey"}).json() == {"go": "/inspect"}
    session = browser.session
    session.plan_text = session.valid_plan_text = str(INSPECTION["starter_plan"])
    return browser


def words_of(answer: Any) -> str:
    """Return the text of a page, or the sentence of an error."""
    if answer.headers["content-type"].startswith("application/json"):
        return str(answer.json()["error"])
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.text))


def run_async(work: Callable[[], Any]) -> Any:
    """Run a coroutine function."""
    return asyncio.run(work())
