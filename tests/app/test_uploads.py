"""Uploads are streamed to disk within limits, and nothing is left of one that fails."""

import asyncio
import errno
import os
import shutil
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from microagg.app.request_error import RequestError
from microagg.app.uploads import Upload, file_name


class Usage(NamedTuple):
    total: int
    used: int
    free: int


async def pieces(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


def save(folder: Path, *parts: bytes, limit: int = 100, announced: int | None = None) -> Path:
    return asyncio.run(Upload(folder, "people.csv", limit).save(pieces(*parts), announced))


def test_bytes_arrive_in_a_file_that_only_the_user_can_read(tmp_path: Path) -> None:
    path = save(tmp_path, b"a,b\n", b"1,2\n")
    assert path.read_bytes() == b"a,b\n1,2\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("announced", [None, 100])
def test_an_upload_of_exactly_the_limit_is_kept(tmp_path: Path, announced: int | None) -> None:
    assert save(tmp_path, b"x" * 60, b"x" * 40, announced=announced).stat().st_size == 100


def test_a_byte_more_than_the_limit_is_refused_while_it_arrives(tmp_path: Path) -> None:
    with pytest.raises(
        RequestError, match=r"larger than the .* may be uploaded: nothing was kept\. Give its path"
    ) as e:
        save(tmp_path, b"x" * 60, b"x" * 41)
    assert e.value.status == 413
    assert [*tmp_path.iterdir()] == []


def test_an_announced_size_above_the_limit_is_refused_before_reading(tmp_path: Path) -> None:
    read = []

    async def body() -> AsyncIterator[bytes]:
        read.append(b"x")
        yield b"x"

    with pytest.raises(RequestError) as e:
        asyncio.run(Upload(tmp_path, "people.csv", 100).save(body(), 101))
    assert e.value.status == 413
    assert read == []


def test_an_empty_upload_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="empty") as e:
        save(tmp_path)
    assert e.value.status == 400
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("announced", [None, 50])
def test_a_disk_that_is_nearly_full_is_refused_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, announced: int | None
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9, 200_000_049))
    with pytest.raises(RequestError, match="disk of the server is full: nothing was kept") as e:
        save(tmp_path, b"x" * 50, announced=announced)
    assert e.value.status == 507
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_disk_that_becomes_full_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def full(*_: Any) -> int:
        raise OSError(number, "no room")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(RequestError, match="TMPDIR") as e:
        save(tmp_path, b"x" * 50)
    assert e.value.status == 507
    assert [*tmp_path.iterdir()] == []


def test_a_client_that_goes_away_leaves_nothing(tmp_path: Path) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield b"x" * 10
        raise ConnectionError

    with pytest.raises(ConnectionError):
        asyncio.run(Upload(tmp_path, "people.csv", 100).save(broken(), None))
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        ("people.csv", "people.csv"),
        ("people%202024.csv", "people 2024.csv"),
        ("..%2F..%2Fetc%2Fpasswd", "passwd"),
        ("C%3A%5CUsers%5Cme%5Cdata.sav", "data.sav"),
        ("../../x.parquet", "x.parquet"),
        ("a%00b%0d%0ac.csv", "abc.csv"),
        ("%E2%80%AEcsv.exe", "csv.exe"),
        ("Bev%C3%B6lkerung.csv", "Bevölkerung.csv"),
        ("..", "file"),
        ("", "file"),
        ("%2F", "file"),
        (".csv", "csv"),
        ("a%3Cb%3E%22.csv", "a_b__.csv"),
        ("%FF.csv", "\ufffd.csv"),
    ],
)
def test_names_are_made_safe(sent: str, name: str) -> None:
    assert file_name(sent) == name


@pytest.mark.parametrize("stem", ["x" * 500, "ö" * 500, "\N{GRINNING FACE}" * 500])
def test_long_names_are_shortened_and_keep_their_ending(tmp_path: Path, stem: str) -> None:
    name = file_name(f"{stem}.parquet")
    assert name.endswith(".parquet")
    assert len(name) <= 120
    (tmp_path / name).touch()
