"""The command serves pages, cleans up when it ends, and after one that was killed."""

import http.client
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from command_line import start
from microagg.app import ServerOptions, web_server
from microagg.app import serve as serve_pages
from microagg.model.errors import InputError
from patience import PATIENCE, wait_until

CSRF = re.compile(r'name="microagg-csrf" content="([^"]+)"')


class Served(NamedTuple):
    """Server in a process of its own, and a session there."""

    process: "subprocess.Popen[str]"
    address: str
    folder: Path
    connections: list[http.client.HTTPConnection]

    def connect(self) -> http.client.HTTPConnection:
        """Return a new connection, which is closed after the test."""
        place = urlsplit(self.address)
        assert place.hostname is not None
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=PATIENCE)
        self.connections.append(connection)
        return connection

    def enter(self) -> dict[str, str]:
        """Use the printed address; return the headers that a page of the new session sends."""
        connection = self.connect()
        place = urlsplit(self.address)
        connection.request("GET", f"/?{place.query}")
        entry = connection.getresponse()
        entry.read()
        assert entry.status == 303
        cookie = entry.headers["set-cookie"].split(";")[0]
        connection.request("GET", "/open", headers={"Cookie": cookie})
        page = connection.getresponse().read().decode()
        found = CSRF.search(page)
        assert found is not None
        return {"Cookie": cookie, "X-Microagg-Csrf": found[1]}

    def sessions(self) -> list[Path]:
        """Return the folders of all sessions of all servers."""
        return [*self.folder.glob(".web-*/session-*")]


Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start servers whose temporary files are in a folder of the test; end them after it."""
    ignored = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # what is ignored here, as by nohup, would be there
    folder = tmp_path / "temporary"
    folder.mkdir()
    processes = []
    connections: list[http.client.HTTPConnection] = []

    def started(*arguments: object, **environment: str) -> Served:
        process = start(
            ["web", "--no-browser", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "TMPDIR": str(folder), **environment},
        )
        processes.append(process)
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert process.stdout.readline() == "press Ctrl-C to end\n"
        return Served(process, address, folder, connections)

    yield started
    signal.signal(signal.SIGHUP, ignored)
    for connection in connections:
        connection.close()
    for process in processes:
        process.kill()
        process.communicate()


def test_the_server_needs_nothing_heavy() -> None:
    heavy = ["numba", "polars", "pandas", "scipy", "highspy", "sklearn", "tomlkit", "matplotlib"]
    program = f"import sys, microagg.app.web_server; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def ended(process: "subprocess.Popen[str]", number: int) -> tuple[int, str, str]:
    """End a process by a signal; return its code and what else it printed."""
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_printed_address_works_and_nothing_is_left_at_the_end(serve: Serve, number: int) -> None:
    served = serve()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{43}", served.address)
    served.enter()
    served.enter()
    assert len(served.sessions()) == 2
    (folder,) = served.folder.glob(".web-*")
    assert str(served.process.pid) in folder.name
    assert {path.stat().st_mode & 0o777 for path in (folder, *served.sessions())} == {0o700}
    assert ended(served.process, number) == (0, "", "")
    assert [*served.folder.glob(".web-*")] == []


def test_a_server_ends_while_a_browser_waits_for_events(serve: Serve) -> None:
    served = serve()
    headers = served.enter()
    connection = served.connect()
    connection.request("POST", "/open/example", json.dumps({"name": "survey"}), headers)
    assert connection.getresponse().read() == b'{"go":"/inspect"}'
    connection.request("GET", "/jobs/1001/events", headers=headers)
    stream = connection.getresponse()
    assert stream.readline().startswith(b"id: ")
    code, _, err = ended(served.process, signal.SIGINT)
    assert (code, err) == (0, "")
    assert [*served.folder.glob(".web-*")] == []


def test_after_a_kill_the_next_server_sweeps(serve: Serve) -> None:
    killed = serve()
    alive = serve()
    cookies = [served.enter()["Cookie"] for served in (killed, alive)]
    assert len({cookie.partition("=")[0] for cookie in cookies}) == 2, "two servers share no cookie"
    assert len(alive.sessions()) == 2
    killed.process.kill()
    killed.process.wait()
    assert len(alive.sessions()) == 2, "a killed server cannot clean up"
    third = serve()
    assert len(third.sessions()) == 1, "only that of the server that is alive is left"
    third.process.send_signal(signal.SIGINT)
    alive.process.send_signal(signal.SIGINT)
    alive.process.communicate(timeout=PATIENCE)
    third.process.communicate(timeout=PATIENCE)
    assert [*alive.folder.glob(".web-*")] == []


def test_the_log_is_silent_about_visitors(serve: Serve) -> None:
    served = serve()
    headers = served.enter()
    connection = served.connect()
    for path in ("/?token=wrong", "/nowhere", "/open/folder?path=/etc/secret-of-ada", "/runs/7/files/ada.csv"):
        connection.request("GET", path, headers=headers)
        connection.getresponse().read()
    broken = served.connect()
    broken.connect()
    broken.sock.sendall(b"secret of ada\r\n\r\n")
    broken.sock.recv(1000)
    code, out, err = ended(served.process, signal.SIGINT)
    assert (code, out, err) == (0, "", "")


def test_the_file_of_the_command_is_open_at_once(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age,income\n" + "".join(f"{n},{n * n}\n" for n in range(50)))
    served = serve("people.csv")
    headers = served.enter()
    connection = served.connect()
    connection.request("GET", "/", headers=headers)
    answer = connection.getresponse()
    answer.read()
    assert answer.headers["location"] == "/inspect"
    connection.request("GET", "/inspect", headers=headers)
    assert "people.csv" in connection.getresponse().read().decode()


def send_large(served: Served, headers: dict[str, str], n_pieces: int, piece: bytes) -> Any:
    """Upload pieces without telling how many there are; return the answer."""
    connection = served.connect()
    connection.request(
        "POST",
        "/open/upload",
        body=(piece for _ in range(n_pieces)),
        headers={**headers, "X-File-Name": "large.csv"},
        encode_chunked=True,
    )
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def peak_megabytes(pid: int) -> float:
    """Return the most memory that a process has occupied."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 1000


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak of memory is told by /proc")
def test_a_large_upload_is_streamed_to_disk(serve: Serve) -> None:
    served = serve("--max-upload", "100M")
    headers = served.enter()
    before = peak_megabytes(served.process.pid)
    row = b"12345678,87654321\n"
    piece = row * 55_555
    n_pieces = 100_000_000 // len(piece)
    status, answer = send_large(served, headers, n_pieces, piece)
    assert (status, answer) == (200, {"go": "/inspect"})
    (path,) = served.folder.glob(".web-*/session-*/upload-*/large.csv")
    assert path.stat().st_size == n_pieces * len(piece)
    assert path.stat().st_mode & 0o777 == 0o600
    assert peak_megabytes(served.process.pid) < before + 40
    status, answer = send_large(served, headers, n_pieces + 1, piece)
    assert status == 413
    assert "100 MB" in answer["error"]
    assert len([*served.folder.glob(".web-*/session-*/upload-*")]) == 1, "nothing is left of it"


def test_a_browser_that_goes_away_leaves_nothing(serve: Serve) -> None:
    served = serve()
    headers = served.enter()
    connection = served.connect()
    connection.putrequest("POST", "/open/upload")
    for name, value in {**headers, "Content-Length": "100000", "X-File-Name": "x.csv"}.items():
        connection.putheader(name, value)
    connection.endheaders(b"x" * 50_000)
    wait_until(lambda: [*served.folder.glob(".web-*/session-*/upload-*/*.part")], "the upload has begun")
    connection.close()
    wait_until(lambda: not [*served.folder.glob(".web-*/session-*/upload-*")], "nothing is left of the upload")


def announce(address: str) -> None:
    """Fail: nothing is to be served."""
    pytest.fail(f"a server was started at {address}")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"host": "0.0.0.0"}, "lets other machines in, which is not meant by default: add --allow-remote"),
        ({"host": "::"}, "add --allow-remote"),
        ({"host": "192.0.2.1", "allows_remote": True}, "cannot listen on port 0 of 192.0.2.1"),
        ({"port": 65_536}, "--port must be from 0"),
        ({"idle_minutes": 0.0}, "--idle-minutes must be positive"),
        ({"data_folder": Path("missing")}, "--data-dir must be a folder, found none at missing"),
        ({"file": Path("missing.csv")}, "found none at missing.csv"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        serve_pages(ServerOptions(**options), announce)


def test_a_port_that_is_taken_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"cannot listen on port {port} of 127.0.0.1: .*give another --port"):
            serve_pages(ServerOptions(port=port), announce)


def test_other_machines_open_no_paths_unless_a_folder_is_given(serve: Serve) -> None:
    served = serve("--host", "0.0.0.0", "--allow-remote")
    place = urlsplit(served.address)
    local = served._replace(address=served.address.replace(f"//{place.hostname}:", "//127.0.0.1:"))
    headers = local.enter()
    connection = local.connect()
    connection.request("POST", "/open/path", json.dumps({"path": "/etc/passwd"}), headers)
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 403


def test_the_log_tells_no_words_of_what_fails_beside_the_requests(capfd: pytest.CaptureFixture[str]) -> None:
    logs = [logging.getLogger(name) for name in ("uvicorn", "asyncio")]
    before = [(log.handlers, log.level, log.propagate) for log in logs]
    try:
        web_server._quieten_log()
        error = KeyError("the secret value")
        logs[1].error("Task exception was never retrieved: %r", error, exc_info=error)
    finally:
        for log, (handlers, level, propagate) in zip(logs, before, strict=True):
            log.handlers = handlers
            log.setLevel(level)
            log.propagate = propagate
    told = capfd.readouterr().err
    assert "secret" not in told
    assert "unexpected KeyError" in told


def test_allowing_others_where_none_can_come_in_is_refused() -> None:
    with pytest.raises(InputError, match=r"--allow-remote is given, but --host 127.0.0.1 lets no other machine in"):
        serve_pages(ServerOptions(allows_remote=True), print)


def test_a_public_address_is_checked_before_anything_is_served() -> None:
    with pytest.raises(InputError, match="--public-address must be"):
        serve_pages(ServerOptions(public_address="stats.example.org"), print)


def test_behind_a_proxy_the_public_address_is_printed_and_paths_are_closed(serve: Serve) -> None:
    served = serve("--public-address", "https://stats.example.org")
    assert served.address.startswith("https://stats.example.org/?token=")


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of open files is set before the start")
def test_half_open_requests_neither_silence_the_server_nor_fill_its_log(serve: Serve) -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    served = serve("--port", "0")
    limits = (200, 200)  # fewer than the connections below
    resource.prlimit(served.process.pid, resource.RLIMIT_NOFILE, limits)
    place = urlsplit(served.address)
    assert place.hostname is not None
    assert place.port is not None
    half = []
    try:
        for _ in range(300):
            one = socket.create_connection((place.hostname, place.port), timeout=PATIENCE)
            one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
            half.append(one)
        served.enter()
    finally:
        for one in half:
            one.close()
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before
    code, _, err = ended(served.process, signal.SIGINT)
    assert (code, err) == (0, "")
