"""The meter of trees counts the time and memory of all descendants, and tells Java and what it starts apart."""

import shutil
import sys
from pathlib import Path

import pytest

from tree_meter import run_tree

BUSY = "import time; start = time.process_time()\nwhile time.process_time() - start < {seconds}: pass"
CHILD = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BUSY.format(seconds=0.6)!r}])"

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are read from /proc")


def test_time_of_descendants_counts() -> None:
    done, reading = run_tree([sys.executable, "-c", CHILD])
    assert done.code == 0
    assert 0.4 < reading.cpu < 3.0
    assert reading.cpu == pytest.approx(reading.cpus["driver"])
    assert reading.peak > 5e6
    assert reading.peaks["java"] == reading.peaks["worker"] == 0


def test_what_java_starts_is_a_worker(tmp_path: Path) -> None:
    shell = shutil.which("bash") or "/bin/sh"
    java = tmp_path / "java"
    shutil.copy(shell, java)
    (tmp_path / "busy.py").write_text(BUSY.format(seconds=0.6))
    command = f"{sys.executable} {tmp_path / 'busy.py'}; true"
    done, reading = run_tree([shell, "-c", f"{java} -c '{command}'; true"])
    assert done.code == 0
    assert reading.cpus["worker"] > 0.3
    assert reading.peaks["worker"] > 5e6
    assert reading.peaks["java"] > 0
    assert reading.n_workers == 1
