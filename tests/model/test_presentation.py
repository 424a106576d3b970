"""Hooks by which values are reported and written."""

from pathlib import Path
from typing import Any

import pytest

from microagg import Plan
from microagg.model import presentation
from microagg.model.presentation import Reportable, Writable, register_hooks


def test_hooks_are_called_with_the_value(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(presentation, "_hooks", {})
    calls: list[Any] = []

    def write(value: object, path: Path, *, force: bool) -> None:
        calls.append((value, path, force))

    register_hooks(report=lambda value, format_: (type(value).__name__, format_))
    register_hooks(html=lambda value: 5, write=write)
    assert Reportable().summary() == "('Reportable', 'text')"
    assert Reportable().to_json() == "('Reportable', 'json')"
    assert Reportable()._repr_html_() == "5"
    value = Writable()
    assert value.summary() == "('Writable', 'text')"
    value.write(tmp_path)
    value.write(tmp_path, force=True)
    assert calls == [(value, tmp_path, False), (value, tmp_path, True)]


def test_hooks_are_there_when_the_package_is_imported() -> None:
    assert set(presentation._hooks) == {"report", "html", "document", "starter_plan", "write", "frame", "plot"}
    assert Plan(k=3).summary() != Plan(k=3).to_json()
    assert Plan(k=3)._repr_html_().startswith("<")
