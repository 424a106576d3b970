"""Strangers and faults in a real browser: nobody is let in without the token, and a full disk is a sentence."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from patience import PATIENCE
from served_pages import ServedPages
from web_walk import QUICK_PLAN

Enter = Any
Serve = Any


def test_a_stranger_sees_nothing(browser: Any, server: ServedPages) -> None:
    context = browser.new_context()
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    for address in ("/", "/open", "/inspect", "/runs/1", "/verify", "/?token=guess", "/jobs/1/events"):
        answer = page.goto(server.root + address)
        assert answer.status == 403
        assert "microagg printed" in page.content()
    assert context.cookies() == []
    assert page.request.post(f"{server.root}/open/example", data={"name": "survey"}).status == 403
    context.close()


def test_the_cookie_is_of_this_server_alone(enter: Enter) -> None:
    walk = enter()
    (cookie,) = walk.page.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["domain"]) == (True, "Strict", "127.0.0.1")
    assert "token" not in walk.page.url
    assert walk.page.evaluate("document.cookie") == ""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a folder on a disk of a few megabytes."""
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("a small disk can only be mounted by root")
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_full_disk_is_a_sentence_and_nothing_is_released(enter: Enter, serve: Serve, small_disk: Path) -> None:
    served = serve(small_disk)
    walk = enter(served, expected=("status of 507",))
    large = {"name": "large.csv", "mimeType": "text/csv", "buffer": b"a,b\n" + b"1,2\n" * 1_500_000}
    walk.page.locator("#file").set_input_files(large)
    walk.page.locator("#message p").filter(has_text="disk").or_(
        walk.page.locator("#message p").filter(has_text="upload broke off")
    ).wait_for()
    assert [*small_disk.rglob("large*")] == [], "nothing is left of it"

    walk.open_example()
    walk.set_plan(QUICK_PLAN)
    walk.estimate()
    filler = small_disk / "filler"
    fill(filler)
    walk.press("Run")
    told = walk.page.get_by_text("THE RUN FAILED").or_(walk.page.locator("#message p").first)
    told.first.wait_for()
    assert [*small_disk.rglob("safe.csv")] == []
    filler.unlink()
    walk.go("/estimate")
    walk.run()
    walk.await_report()


def fill(path: Path) -> None:
    """Write until the disk is full."""
    with path.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            return
