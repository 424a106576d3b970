"""What all requests of a server share: its keys, sessions, queue of jobs, data folder and limits."""

import asyncio
import hmac
import ipaddress
import secrets
import socket
from dataclasses import dataclass, field
from pathlib import Path

from microagg.app.data_folder import DataFolder
from microagg.app.job_queue import JobQueue
from microagg.app.web_sessions import Sessions

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
"""Names by which only this machine is reached."""


class EntryKeys:
    """Secrets that let a visitor in.

    Attributes
    ----------
    token : str
        The secret of the printed address, which holds as long as the server runs.
    """

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(32)
        self._tickets: set[str] = set()

    def ticket(self) -> str:
        """Return a secret that lets in once: others may see the address that a browser is started with."""
        made = secrets.token_urlsafe(32)
        self._tickets.add(made)
        return made

    def admits(self, given: str) -> bool:
        """Check a secret; a ticket is used up by it."""
        if _is_same(given, self.token):
            return True
        used = {ticket for ticket in self._tickets if _is_same(given, ticket)}
        self._tickets -= used
        return bool(used)


def _is_same(given: str, expected: str) -> bool:
    """Compare secrets in a time that tells nothing of them."""
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), expected.encode())


@dataclass(frozen=True)
class ServerAddress:
    """Where a server listens.

    Parameters
    ----------
    host
        Name or number of the machine, as it was given.
    port
        Port.
    """

    host: str
    port: int

    @property
    def is_wildcard(self) -> bool:
        """Whether it listens on every interface."""
        return self.host in ("0.0.0.0", "::", "")

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host == "localhost" or (_is_number(self.host) and ipaddress.ip_address(self.host).is_loopback)

    @property
    def name(self) -> str:
        """The host as an address names it."""
        if self.is_wildcard:
            return socket.gethostname()
        return f"[{self.host}]" if ":" in self.host else self.host

    def is_own(self, asked: str) -> bool:
        """Check the name and port that a request asked for: a page elsewhere may let its own name lead here."""
        name, separator, port = asked.rpartition(":")
        if not separator or "]" in port:
            name, port = asked, "80"
        if port != str(self.port):
            return False
        name = name.lower()
        if name in (*LOOPBACK_NAMES, self.name.lower()):
            return True
        return self.is_wildcard and _is_number(name)


def _is_number(name: str) -> bool:
    """Check whether a host is an address in numbers, which no foreign name can stand for."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


@dataclass
class ServerState:
    """What all requests share.

    Parameters
    ----------
    address
        Where the server listens.
    sessions
        All sessions.
    queue
        Jobs in child processes.
    data_folder
        Files that may be opened by their paths.
    max_upload
        Number of bytes that an upload may have.
    first_file
        File that each new session begins with; None: none is open.
    keys
        Secrets that let a visitor in.
    is_ending
        Set when the server ends, so that answers which wait for events end, too.
    """

    address: ServerAddress
    sessions: Sessions
    queue: JobQueue
    data_folder: DataFolder
    max_upload: int
    first_file: Path | None = None
    keys: EntryKeys = field(default_factory=EntryKeys)
    is_ending: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def cookie(self) -> str:
        """Name of the cookie: with the port, as cookies of all servers of a machine share one jar."""
        return f"microagg-{self.address.port}"
