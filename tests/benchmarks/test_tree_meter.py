"""The meter of trees counts the time and memory of all descendants, and tells Java and what it starts apart."""

import os
import shutil
import sys
from pathlib import Path

import pytest

import tree_meter
from tree_meter import run_tree
from watched_processes import WAIT_TO_BE_SEEN, let_go_when_seen

SECONDS = 0.2  # of work
BUSY = f"import time\nwhile time.process_time() < {SECONDS}: pass\n{WAIT_TO_BE_SEEN}"
TICK = 1 / os.sysconf("SC_CLK_TCK")

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are read from /proc")


@pytest.fixture(autouse=True)
def _busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    let_go_when_seen(tree_meter._KindSampler, tmp_path, monkeypatch)
    (tmp_path / "busy.py").write_text(BUSY)


def spent() -> float:
    """Return the processor seconds of all processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def test_time_of_descendants_counts() -> None:
    parent = "import subprocess, sys; subprocess.run([sys.executable, 'busy.py'])"
    before = spent()
    done, reading = run_tree([sys.executable, "-c", parent])
    assert done.code == 0
    assert SECONDS - TICK <= reading.cpu <= spent() - before + TICK
    assert reading.cpu == pytest.approx(reading.cpus["driver"])
    assert reading.peak > 5e6
    assert reading.peaks["java"] == reading.peaks["worker"] == 0


def test_what_java_starts_is_a_worker(tmp_path: Path) -> None:
    shell = shutil.which("bash") or "/bin/sh"
    java = tmp_path / "java"
    shutil.copy(shell, java)
    done, reading = run_tree([shell, "-c", f"{java} -c '{sys.executable} busy.py; true'; true"])
    assert done.code == 0
    assert reading.cpus["worker"] >= SECONDS - TICK
    assert reading.peaks["worker"] > 5e6
    assert reading.peaks["java"] > 0
    assert reading.n_workers == 1
