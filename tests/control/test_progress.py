"""How often progress is reported, and how proved percentages are written."""

import time
from typing import Any

import pytest

from microagg.control.progress import ThrottledProgress, floor_percent


def test_reports_of_one_stage_are_throttled(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    reports: list[Any] = []
    progress = ThrottledProgress(lambda *report: reports.append(report))
    for done in (0.0, 0.1, 0.2):
        progress("one", done)
    progress("other", 0.0)
    now += 0.049
    progress("other", 0.4)
    now += 0.01
    progress("other", 0.5, "note")
    progress("other", 0.6)
    progress("other", 1.0)
    assert reports == [("one", 0.0, ""), ("other", 0.0, ""), ("other", 0.5, "note"), ("other", 1.0, "")]


def test_proved_percentages_are_rounded_down() -> None:
    assert floor_percent(4.64599) == "4.6459 %"
    assert floor_percent(0.00009) == "0.0000 %"
