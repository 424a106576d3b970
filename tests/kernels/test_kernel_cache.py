"""Cache of compiled kernels: shared by processes and by versions of the sources."""

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest

from microagg.kernels import kernel_cache
from microagg.kernels.jit import kernel
from microagg.kernels.kernel_cache import FOLDER_NAME, _KernelFiles, _make_folder

_PROGRAM = """
import numpy as np
from numba.core import event
from microagg.kernels.geometry.distances import distance_matrix

class Counter(event.Listener):
    n = 0
    def on_start(self, event):
        Counter.n += 1
    def on_end(self, event):
        pass

event.register("numba:compile", Counter())
print("ready", flush=True)
input()
X = np.random.default_rng(0).normal(size=(40, 2))
print(distance_matrix(X).sum(), Counter.n)
"""


def _start(cache: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    program = [sys.executable, "-c", _PROGRAM]
    return subprocess.Popen(program, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _sums_and_compilations(processes: list[subprocess.Popen[str]]) -> list[list[str]]:
    """Let processes go on when all are ready: the sum of the distances that each found, and what it compiled."""
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    return [process.communicate()[0].split() for process in processes]


def test_processes_compile_at_once_and_later_ones_do_not(tmp_path: Path) -> None:
    first, second = _sums_and_compilations([_start(tmp_path), _start(tmp_path)])
    assert first[0] == second[0]
    assert int(first[1]) + int(second[1]) > 0  # of both, unless one was held up for as long as the other compiled
    assert _sums_and_compilations([_start(tmp_path)]) == [[first[0], "0"]]
    assert {path.name for path in tmp_path.glob("*/*")} == {FOLDER_NAME}
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".nbc"]


def test_a_version_is_found_by_its_whole_key(tmp_path: Path) -> None:
    files = _KernelFiles(tmp_path / FOLDER_NAME, "kernel")
    assert files.load("key") is None
    files.save("key", [1, 2])
    files.save("other key", [3])
    assert files.load("key") == [1, 2]
    assert files.load("other key") == [3]
    files._path("other key").write_bytes(pickle.dumps(("'key'", [1, 2])))  # as if two keys had the same name
    assert files.load("other key") is None


def test_flushing_one_kernel_leaves_the_others(tmp_path: Path) -> None:
    one, other = _KernelFiles(tmp_path / FOLDER_NAME, "one"), _KernelFiles(tmp_path / FOLDER_NAME, "other")
    one.save("key", 1)
    other.save("key", 2)
    one.flush()
    assert one.load("key") is None
    assert other.load("key") == 2


def test_only_folders_of_other_states_that_nobody_used_for_a_month_are_removed(tmp_path: Path) -> None:
    month = kernel_cache._UNUSED_SECONDS
    ages = {"microagg-kernels-old": month + 3600, "microagg-kernels-used": month - 3600, "others": month + 3600}
    for name, age in ages.items():
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (time.time() - age, time.time() - age))
    _make_folder(tmp_path / FOLDER_NAME)
    assert {path.name for path in tmp_path.iterdir()} == {FOLDER_NAME, "microagg-kernels-used", "others"}


def test_a_process_keeps_its_own_folder_however_old(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER_NAME
    files = _KernelFiles(folder, "kernel")
    files.save("key", 1)
    os.utime(folder, (0, 0))
    files.save("other key", 2)
    assert (files.load("key"), files.load("other key")) == (1, 2)


def test_a_damaged_file_is_as_good_as_none(tmp_path: Path) -> None:
    files = _KernelFiles(tmp_path / FOLDER_NAME, "kernel")
    files.save("key", 1)
    for damaged in (b"", b"half", pickle.dumps(3)):
        files._path("key").write_bytes(damaged)
        assert files.load("key") is None
    files.save("key", 2)
    assert files.load("key") == 2


def test_a_full_disk_does_not_stop_a_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: _KernelFiles, key: object, data: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_KernelFiles, "save", fail)
    doubled = kernel(_double)
    assert doubled(3) == 6
    assert doubled.signatures  # type: ignore[attr-defined]


def _double(number: int) -> int:
    return 2 * number


def test_every_source_of_kernels_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_cache, "_KERNELS", tmp_path)
    one, other = tmp_path / "one.py", tmp_path / "folder" / "other.py"
    other.parent.mkdir()
    one.write_text("ab")
    other.write_text("c")
    before = kernel_cache._state([one, other])
    one.write_text("a")
    other.write_text("bc")
    assert kernel_cache._state([one, other]) != before
