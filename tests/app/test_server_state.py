"""Secrets let in, and only own names lead to the server."""

import socket

import pytest

from microagg.app.server_state import EntryKeys, ServerAddress


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
