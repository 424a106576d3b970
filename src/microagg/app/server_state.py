"""What all requests of a server share: its keys, sessions, queue of jobs, data folder and limits."""

import asyncio
import hmac
import ipaddress
import secrets
import socket
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from microagg.app.data_folder import DataFolder
from microagg.app.job_queue import JobQueue
from microagg.app.web_sessions import Sessions
from microagg.model.errors import InputError

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
"""Names by which only this machine is reached."""

_USUAL_PORTS = {"http": 80, "https": 443}


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
    public
        Address that browsers use where a reverse proxy stands before the server, as public_address gives it; nothing:
        they ask the server itself.
    """

    host: str
    port: int
    public: str = ""

    @property
    def root(self) -> str:
        """The address that browsers use."""
        return f"{self.public}/" if self.public else f"http://{self.name}:{self.port}/"

    @property
    def is_secure(self) -> bool:
        """Whether all that browsers send is encrypted on its way."""
        return self.public.startswith("https:")

    @property
    def is_local(self) -> bool:
        """Whether nobody but the users of this machine can come in."""
        return self.is_loopback and not self.public

    @property
    def remote_name(self) -> str | None:
        """The name of the server for people elsewhere; None where there are none."""
        if self.is_local:
            return None
        return urlsplit(self.public).hostname if self.public else self.name

    @property
    def is_wildcard(self) -> bool:
        """Whether it listens on every interface."""
        return self.host in ("0.0.0.0", "::", "")

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine, and a reverse proxy on it, can reach it."""
        return self.host == "localhost" or (_is_number(self.host) and ipaddress.ip_address(self.host).is_loopback)

    @property
    def name(self) -> str:
        """The host as an address names it."""
        if self.is_wildcard:
            return socket.gethostname()
        return f"[{self.host}]" if ":" in self.host else self.host

    def is_own(self, asked: str) -> bool:
        """Check the name and port that a request asked for: a page elsewhere may let its own name lead here."""
        if self.public and asked.lower() == urlsplit(self.public).netloc:
            return True
        name, separator, port = asked.rpartition(":")
        if not separator or "]" in port:
            name, port = asked, "80"
        if port != str(self.port):
            return False
        name = name.lower()
        if name in (*LOOPBACK_NAMES, self.name.lower()):
            return True
        return self.is_wildcard and _is_number(name)

    def is_origin(self, origin: str, asked: str) -> bool:
        """Check that a request which asked for a name and port comes from a page of this server."""
        return origin == (self.public or f"http://{asked}")


def public_address(given: str) -> str:
    """Return the address that browsers use as they write it in a request: without a path, and without a usual port.

    Parameters
    ----------
    given
        What the user gave, such as "https://stats.example.org/".

    Raises
    ------
    InputError
        If it is no such address.

    Examples
    --------
    >>> public_address("https://Stats.example.org:443/")
    'https://stats.example.org'
    """
    try:
        parts = urlsplit(given)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in _USUAL_PORTS or not parts.hostname or parts.path.strip("/") or parts.query or parts.username:
        raise InputError(
            "--public-address must be a scheme and a name, and perhaps a port, as https://stats.example.org, found "
            f"{given!r}: a path of its own is not possible, so give the server a name of its own"
        )
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{name}" + ("" if port in (None, _USUAL_PORTS[parts.scheme]) else f":{port}")


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
