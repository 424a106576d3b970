"""Server and browsers of the tests of routes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microagg.app.server_state import ServerState
from web_clients import Browser, make_server, opened

RecordPages = Callable[[Any, str], list[tuple[Any, ...]]]
"""Replace a page of a module by one that only notes what it is made of; return the notes."""


@pytest.fixture
def server(tmp_path: Path) -> ServerState:
    return make_server(tmp_path)


@pytest.fixture
def browser(server: ServerState) -> Browser:
    """A browser that has opened an example, which is inspected already."""
    return opened(server)


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch) -> RecordPages:
    def replace(module: Any, name: str) -> list[tuple[Any, ...]]:
        notes: list[tuple[Any, ...]] = []

        def page(*values: Any) -> str:
            notes.append(values)
            return f"<p>{name}</p>"

        monkeypatch.setattr(module, name, page)
        return notes

    return replace
