"""Cache of compiled kernels: shared by processes and by versions of the sources."""

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

from microagg.kernels import kernel_cache
from microagg.kernels.kernel_cache import FOLDER, _KernelFiles, _make_folder

_PROGRAM = """
import numpy as np
from numba.core import event
import microagg

class Counter(event.Listener):
    n = 0
    def on_start(self, event):
        Counter.n += 1
    def on_end(self, event):
        pass

event.register("numba:compile", Counter())
X = np.random.default_rng(0).normal(size=(40, 2))
print(microagg.solve(X, 3, method="mdav").sse, Counter.n)
"""


def _start(cache: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    return subprocess.Popen([sys.executable, "-c", _PROGRAM], env=environment, stdout=subprocess.PIPE, text=True)


def test_processes_compile_at_once_and_later_ones_do_not(tmp_path: Path) -> None:
    first = [_start(tmp_path), _start(tmp_path)]
    outputs = [process.communicate()[0].split() for process in first]
    assert outputs[0][0] == outputs[1][0]
    assert all(int(compiled) > 0 for _, compiled in outputs)
    sse, compiled = _start(tmp_path).communicate()[0].split()
    assert (sse, compiled) == (outputs[0][0], "0")
    assert {path.name for path in tmp_path.glob("*/*")} == {FOLDER}
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".nbc"]


def test_a_version_is_found_by_its_whole_key(tmp_path: Path) -> None:
    files = _KernelFiles(tmp_path / FOLDER, "kernel")
    assert files.load("key") is None
    files.save("key", [1, 2])
    files.save("other key", [3])
    assert files.load("key") == [1, 2]
    assert files.load("other key") == [3]
    files._path("other key").write_bytes(pickle.dumps(("'key'", [1, 2])))  # as if two keys had the same name
    assert files.load("other key") is None


def test_flushing_one_kernel_leaves_the_others(tmp_path: Path) -> None:
    one, other = _KernelFiles(tmp_path / FOLDER, "one"), _KernelFiles(tmp_path / FOLDER, "other")
    one.save("key", 1)
    other.save("key", 2)
    one.flush()
    assert one.load("key") is None
    assert other.load("key") == 2


def test_only_folders_of_other_states_that_nobody_used_for_a_month_are_removed(tmp_path: Path) -> None:
    month = kernel_cache._UNUSED_SECONDS
    ages = {"microagg-kernels-old": month + 60, "microagg-kernels-used": month - 60, "others": month + 60}
    for name, age in ages.items():
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (time.time() - age, time.time() - age))
    _make_folder(tmp_path / FOLDER)
    assert {path.name for path in tmp_path.iterdir()} == {FOLDER, "microagg-kernels-used", "others"}


def test_every_source_of_kernels_counts() -> None:
    names = {path.name for path in kernel_cache._SOURCES}
    assert {"jit.py", "distances.py", "ruin_recreate.py", "cheap_groups.py"} <= names
