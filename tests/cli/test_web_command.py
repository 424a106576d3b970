"""The command that serves pages passes on every option, and says what it needs."""

import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import RunCommand
from microagg.app import ServerOptions, web_server

ADDRESS = "http://127.0.0.1:8800/?token=secret"


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[ServerOptions]:
    """Serve nothing, but note the options."""
    noted: list[ServerOptions] = []

    def serve(options: ServerOptions, announce: Any) -> None:
        noted.append(options)
        announce(ADDRESS)
        raise KeyboardInterrupt

    monkeypatch.setattr(web_server, "serve", serve)
    return noted


def test_by_default_pages_are_for_this_machine(run: RunCommand, served: list[ServerOptions]) -> None:
    printed = run("web")
    assert (printed.code, printed.out, printed.err) == (0, f"{ADDRESS}\npress Ctrl-C to end\n", "")
    assert served == [ServerOptions()]


def test_every_option_is_passed_on(run: RunCommand, served: list[ServerOptions]) -> None:
    limits = ["--max-upload", "1.5G", "--idle-minutes", "30"]
    remote = ["--host", "intranet", "--allow-remote", "--data-dir", "data"]
    assert run("web", "people.csv", "--port", 8800, "--no-browser", *limits, *remote).code == 0
    assert served == [
        ServerOptions(
            file=Path("people.csv"),
            host="intranet",
            port=8800,
            opens_browser=False,
            data_folder=Path("data"),
            allows_remote=True,
            max_upload=1_500_000_000,
            idle_minutes=30.0,
        )
    ]


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_without_the_extra_one_sentence_says_how_to_install_it(
    run: RunCommand, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    for name in [*sys.modules]:
        if name.startswith(("microagg.app.", "starlette", "uvicorn")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    printed = run("web")
    assert printed.code == 2
    assert printed.err.startswith(f"error: the pages need {missing}")
    assert printed.err.endswith("which is not installed: run pip install 'microagg[web]'\n")
    assert printed.err.count("\n") == 1


def test_options_that_cannot_be_are_refused(run: RunCommand) -> None:
    printed = run("web", "--host", "0.0.0.0")
    assert printed.code == 2
    assert "add --allow-remote" in printed.err
