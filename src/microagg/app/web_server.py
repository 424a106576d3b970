"""Server of the pages: it binds a port, prints its address, opens the browser, and cleans up at the end."""

import asyncio
import logging
import os
import signal
import socket
import threading
import time
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import uvicorn

from microagg.app.application import make_application
from microagg.app.data_folder import DataFolder
from microagg.app.guarded_connection import BACKLOG, GuardedConnection
from microagg.app.job_queue import JobQueue
from microagg.app.log_line import type_and_place
from microagg.app.server_state import ServerAddress, ServerState, public_address
from microagg.app.web_sessions import Sessions
from microagg.control.left_folders import ENDING
from microagg.control.work_folder import WorkFolder
from microagg.model.errors import InputError

_SECONDS_TO_END = 3  # for answers that are under way
_SECONDS_FOR_FIRST_PAGE = 1.0  # in which no child process competes with it
_MOST_LINES = 60  # of the log, in a minute


@dataclass(frozen=True)
class ServerOptions:
    """Options of a server.

    Parameters
    ----------
    file
        File that is opened at once.
    host
        Name or number of the interface to listen on.
    port
        Port; 0: any that is free.
    opens_browser
        Whether to open the browser.
    data_folder
        Folder that all files opened by their paths are below; None: on the own machine they may be anywhere, and from
        other machines none can be opened.
    allows_remote
        Whether other machines may be let in.
    public_address
        Address that browsers use, where a reverse proxy stands before the server.
    memory
        Number of bytes that a job may occupy; None: half of what is free.
    max_upload
        Number of bytes that an upload may have.
    idle_minutes
        After so many minutes without a request, a session is ended.
    """

    file: Path | None = None
    host: str = "127.0.0.1"
    port: int = 0
    opens_browser: bool = True
    data_folder: Path | None = None
    allows_remote: bool = False
    public_address: str | None = None
    memory: int | None = None
    max_upload: int = 2_000_000_000
    idle_minutes: float = 480.0


def serve(options: ServerOptions, announce: Callable[[str], None]) -> None:
    """Serve the pages until the process is told to end; then end all jobs, and remove all files of sessions.

    Parameters
    ----------
    options
        The options.
    announce
        Called with the address of the pages when they can be opened.

    Raises
    ------
    InputError
        If an option cannot be: nothing is served then.
    """
    _check(options)
    public = "" if options.public_address is None else public_address(options.public_address)
    name = f".web-{os.getpid()}-{os.urandom(6).hex()}{ENDING}"
    with _bound(options) as listener, WorkFolder(WorkFolder.temporary().path.with_name(name)) as folder:
        os.umask(0o077)
        _quieten_log()
        address = ServerAddress(options.host, listener.getsockname()[1], public)
        state = ServerState(
            address,
            Sessions(folder.path, 60 * options.idle_minutes),
            JobQueue(rest=_SECONDS_FOR_FIRST_PAGE, memory=options.memory),
            DataFolder(options.data_folder, is_open=address.is_local, closed=folder.path),
            options.max_upload,
            None if options.file is None else options.file.resolve(),
        )
        server = _Server(state, lambda: _tell(state, options, announce))
        asyncio.run(server.serve(sockets=[listener]))


class _Server(uvicorn.Server):
    """Server that tells when it is ready, and ends answers that wait for events.

    Parameters
    ----------
    state
        What all requests share.
    when_ready
        Called when requests are answered.
    """

    def __init__(self, state: ServerState, when_ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                make_application(state),
                http=GuardedConnection,
                backlog=BACKLOG,
                ws="none",
                loop="asyncio",
                lifespan="on",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=_SECONDS_TO_END,
            )
        )
        self._state = state
        self._when_ready = when_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer requests."""
        await super().startup(sockets)
        if self.started:
            self._end_with_terminal()
            self._when_ready()

    def _end_with_terminal(self) -> None:
        """End, and clean up, also when the window of the terminal is closed, unless that is to be ignored."""
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._end)

    def _end(self) -> None:
        self.should_exit = True
        self._state.is_ending.set()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End at a signal."""
        super().handle_exit(sig, frame)
        self._end()


def _check(options: ServerOptions) -> None:
    """Raise `InputError` if an option cannot be."""
    if not ServerAddress(options.host, 0).is_loopback and not options.allows_remote:
        raise InputError(
            f"--host {options.host} lets other machines in, which is not meant by default: add --allow-remote, and "
            "--data-dir with the folder whose files they may open, or leave --host out"
        )
    if options.allows_remote and ServerAddress(options.host, 0).is_loopback:
        raise InputError(
            f"--allow-remote is given, but --host {options.host} lets no other machine in: give the --host that does, "
            "or --public-address alone for a reverse proxy on this machine, or leave --allow-remote out"
        )
    if not 0 <= options.port <= 65_535:
        raise InputError(f"--port must be from 0 (any that is free) to 65535, found {options.port}: give another")
    if options.idle_minutes <= 0:
        raise InputError(f"--idle-minutes must be positive, found {options.idle_minutes:g}: give more minutes")
    if options.data_folder is not None and not options.data_folder.is_dir():
        raise InputError(f"--data-dir must be a folder, found none at {options.data_folder}: check the path")
    if options.file is not None and not options.file.is_file():
        raise InputError(f"the file to open must be there, found none at {options.file}: check the path")


def _bound(options: ServerOptions) -> socket.socket:
    """Return a socket that listens where the options say."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            options.host or None, options.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise InputError(f"cannot listen on {options.host}: {error.strerror}; give another --host") from None
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        where = f"port {options.port} of {options.host}"
        raise InputError(f"cannot listen on {where}: {error.strerror}; give another --port, or leave it out") from None
    return listener


def _tell(state: ServerState, options: ServerOptions, announce: Callable[[str], None]) -> None:
    """Print the address, and open the browser."""
    root = state.address.root
    announce(f"{root}?token={state.keys.token}")
    if options.opens_browser:
        ticket = f"{root}?token={state.keys.ticket()}"
        threading.Thread(target=webbrowser.open, args=(ticket,), daemon=True).start()


class _WordlessFormatter(logging.Formatter):
    """Formatter of log records that tells the type and place of an exception, and not its words."""

    def formatException(self, ei: object) -> str:  # noqa: N802
        """Return one line of an exception."""
        error = ei[1] if isinstance(ei, tuple) else None
        return "" if error is None else type_and_place(error)


class _FewLines(logging.Filter):
    """Filter that lets so many lines a minute through, so that nobody can fill a disk with what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self._minute = 0
        self._n_lines = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Check whether a line is logged."""
        minute = int(time.monotonic() // 60)
        self._n_lines = self._n_lines + 1 if minute == self._minute else 1
        self._minute = minute
        return self._n_lines <= _MOST_LINES


def _quieten_log() -> None:
    """Let uvicorn and asyncio log few errors only, without addresses and without words of exceptions."""
    few = _FewLines()
    logging.getLogger("microagg.app").addFilter(few)
    for name, words in (("uvicorn", "%(message)s"), ("asyncio", "microagg: %(levelname)s beside the requests")):
        handler = logging.StreamHandler()
        handler.addFilter(few)
        handler.setFormatter(_WordlessFormatter(words))
        log = logging.getLogger(name)
        log.handlers = [handler]
        log.setLevel(logging.ERROR)
        log.propagate = False
