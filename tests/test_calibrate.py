"""How fast this machine is, is measured once, and kept for a month for this version."""

import json
import os
import time
from pathlib import Path

import pytest

from microagg import calibrate
from microagg.calibrate import MachineSpeed, machine_speed, measured_speed
from microagg.version import __version__


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrate, "_cache_folder", lambda: tmp_path)


@pytest.fixture
def measurements(monkeypatch: pytest.MonkeyPatch) -> list[MachineSpeed]:
    """What is measured; a number more each time."""
    made: list[MachineSpeed] = []

    def measure() -> MachineSpeed:
        made.append(MachineSpeed(kernel=1.0 + len(made)))
        return made[-1]

    monkeypatch.setattr(calibrate, "measured_speed", measure)
    return made


def test_speeds_are_positive_and_of_a_plausible_size() -> None:
    speed = measured_speed()
    for value in (speed.kernel, speed.search, speed.table):
        assert 0.01 < value < 1000


def test_it_is_measured_once(tmp_path: Path, measurements: list[MachineSpeed]) -> None:
    assert machine_speed() == machine_speed() == MachineSpeed(kernel=1.0)
    assert len(measurements) == 1
    (file,) = (tmp_path / "microagg").iterdir()
    assert json.loads(file.read_text())["kernel"] == 1.0


@pytest.mark.parametrize(("days", "measured_again"), [(29.9, False), (30.1, True), (-1.0, True)])
def test_it_is_measured_again_after_a_month(
    tmp_path: Path, measurements: list[MachineSpeed], days: float, measured_again: bool
) -> None:
    machine_speed()
    (file,) = (tmp_path / "microagg").iterdir()
    then = time.time() - days * 24 * 3600
    os.utime(file, (then, then))
    machine_speed()
    assert len(measurements) == 1 + measured_again


@pytest.mark.parametrize(
    "damaged",
    ["", "[]", "{}", '{"version": "0", "kernel": 2}', '{"version": "VERSION", "kernel": -1}',
     '{"version": "VERSION", "kernel": 1, "unknown": 1}', '{"version": "VERSION", "kernel": "x"}'],
)  # fmt: skip
def test_what_cannot_be_used_is_measured_again(tmp_path: Path, measurements: list[MachineSpeed], damaged: str) -> None:
    machine_speed()
    (file,) = (tmp_path / "microagg").iterdir()
    file.write_text(damaged.replace("VERSION", __version__))
    assert machine_speed() == MachineSpeed(kernel=2.0)
    assert machine_speed() == MachineSpeed(kernel=2.0)
    assert len(measurements) == 2


def test_a_cache_that_cannot_be_written_is_no_error(
    tmp_path: Path, measurements: list[MachineSpeed], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(calibrate, "_cache_folder", lambda: tmp_path / "file")
    machine_speed()
    machine_speed()
    assert len(measurements) == 2
