"""Secrets let in, and only own names lead to the server."""

import socket

import pytest

from microagg.app.server_state import EntryKeys, ServerAddress, public_address
from microagg.model.errors import InputError


def test_the_token_lets_in_again_and_again() -> None:
    keys = EntryKeys()
    assert keys.admits(keys.token)
    assert keys.admits(keys.token)


def test_a_ticket_lets_in_once() -> None:
    keys = EntryKeys()
    ticket, other = keys.ticket(), keys.ticket()
    assert keys.admits(ticket)
    assert not keys.admits(ticket)
    assert keys.admits(other)


def test_nothing_else_lets_in() -> None:
    keys = EntryKeys()
    for given in ("", keys.token[:-1], keys.token + "x", "\udcff", "ö", EntryKeys().token):
        assert not keys.admits(given)
    assert len(keys.token) >= 43, "256 bits"


@pytest.mark.parametrize("asked", ["127.0.0.1:8800", "localhost:8800", "LOCALHOST:8800", "[::1]:8800"])
def test_loopback_names_are_own(asked: str) -> None:
    assert ServerAddress("127.0.0.1", 8800).is_own(asked)


@pytest.mark.parametrize(
    "asked",
    [
        "",
        "localhost",
        "127.0.0.1",
        "[::1]",
        "127.0.0.1:8801",
        "evil.example:8800",
        "127.0.0.1.evil.example:8800",
        "localhost:8800:8800",
        "10.0.0.1:8800",
        "localhost:8800@evil.example",
        "localhost:٨٨٠٠",
    ],
)
def test_foreign_names_are_not(asked: str) -> None:
    assert not ServerAddress("127.0.0.1", 8800).is_own(asked)


def test_a_bound_name_is_own() -> None:
    address = ServerAddress("Intranet.example.org", 8800)
    assert address.is_own("intranet.example.org:8800")
    assert not address.is_own("example.org:8800")
    assert not address.is_loopback
    assert ServerAddress("fe80::1", 8800).is_own("[fe80::1]:8800")


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_a_server_on_every_interface_is_known_by_numbers_and_its_name(host: str) -> None:
    address = ServerAddress(host, 8800)
    assert address.is_wildcard
    assert not address.is_loopback
    for asked in ("10.0.0.1:8800", "[fe80::1]:8800", f"{socket.gethostname()}:8800", "localhost:8800"):
        assert address.is_own(asked)
    assert not address.is_own("evil.example:8800")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_loopback_hosts_are_told(host: str) -> None:
    assert ServerAddress(host, 0).is_loopback


def test_the_standard_port_may_be_left_out() -> None:
    assert ServerAddress("127.0.0.1", 80).is_own("localhost")
    assert ServerAddress("127.0.0.1", 80).is_own("[::1]")


def test_behind_a_proxy_the_public_name_is_own_and_only_its_pages_change_anything() -> None:
    address = ServerAddress("127.0.0.1", 8800, "https://stats.example.org")
    assert address.is_own("Stats.example.org")
    assert address.is_own("127.0.0.1:8800")
    assert not address.is_own("stats.example.org:8800")
    assert not address.is_own("evil.example")
    assert address.is_origin("https://stats.example.org", "127.0.0.1:8800")
    for origin in ("http://stats.example.org", "https://stats.example.org:8800", "http://127.0.0.1:8800", "null"):
        assert not address.is_origin(origin, "127.0.0.1:8800")
    assert (address.root, address.is_secure, address.is_local) == ("https://stats.example.org/", True, False)
    assert address.remote_name == "stats.example.org"


def test_without_a_proxy_the_server_is_what_it_listens_on() -> None:
    address = ServerAddress("127.0.0.1", 8800)
    assert (address.root, address.is_secure, address.is_local) == ("http://127.0.0.1:8800/", False, True)
    assert address.remote_name is None
    assert address.is_origin("http://localhost:8800", "localhost:8800")
    assert not address.is_origin("https://localhost:8800", "localhost:8800")
    assert ServerAddress("intranet.example.org", 8800).remote_name == "intranet.example.org"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("https://Stats.example.org/", "https://stats.example.org"),
        ("https://stats.example.org:443", "https://stats.example.org"),
        ("http://stats:8080", "http://stats:8080"),
        ("https://[fe80::1]:8443", "https://[fe80::1]:8443"),
    ],
)
def test_a_public_address_is_written_as_browsers_do(given: str, expected: str) -> None:
    assert public_address(given) == expected


@pytest.mark.parametrize(
    "given",
    ["", "stats.example.org", "ftp://stats", "https://", "https://a/b", "https://a?b", "https://me@a", "https://a:b"],
)
def test_what_is_no_public_address_is_refused(given: str) -> None:
    with pytest.raises(InputError, match="--public-address must be"):
        public_address(given)
