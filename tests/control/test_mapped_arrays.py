"""Arrays in temporary files: like other arrays, within the budget, and gone with the last of them."""

import errno
import os
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

from microagg import Partition, Problem, Run, WriteError
from microagg.control import mapped_arrays
from microagg.control.mapped_arrays import MappedArrays
from microagg.control.resident_memory import free_bytes, resident_bytes
from patience import wait_until

_BUDGET = 10**12


@pytest.fixture(name="arrays")
def _arrays(tmp_path: Path) -> MappedArrays:
    return MappedArrays(tmp_path, _BUDGET)


def test_an_array_holds_what_is_written_to_it(arrays: MappedArrays) -> None:
    numbers = arrays.empty((1000, 3))
    assert not numbers.any()
    numbers[:] = np.arange(3000.0).reshape(1000, 3)
    arrays.drop()
    arrays.close()
    assert np.array_equal(numbers, np.arange(3000.0).reshape(1000, 3))


def test_types_and_sizes(arrays: MappedArrays) -> None:
    assert arrays.empty((5,), np.bool_).dtype == np.bool_
    assert arrays.empty((0, 4)).shape == (0, 4)
    assert arrays.empty((2, 2), np.int64).tolist() == [[0, 0], [0, 0]]
    arrays.close()


def test_nothing_is_left_in_the_folder(arrays: MappedArrays, tmp_path: Path) -> None:
    numbers = arrays.empty((100,))
    assert list(tmp_path.iterdir()) == []
    arrays.close()
    del numbers


def test_the_watcher_drops_pages_above_its_share_of_the_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    dropped_at: list[int] = []

    def next_size() -> int:
        sizes.append(59 if len(sizes) < 5 else 61)
        return sizes[-1]

    monkeypatch.setattr(MappedArrays, "drop", lambda self: dropped_at.append(sizes[-1]))
    monkeypatch.setattr(mapped_arrays, "resident_bytes", next_size)
    arrays = MappedArrays(tmp_path, 100)
    numbers = arrays.empty((10,))
    wait_until(lambda: dropped_at, "pages are dropped")
    arrays.close()
    assert set(dropped_at) == {61}
    assert len(numbers) == 10


@pytest.mark.skipif(resident_bytes() is None, reason="the operating system does not tell")
def test_pages_leave_the_memory_of_the_process(arrays: MappedArrays) -> None:
    numbers = arrays.empty((10**7,))
    numbers[:] = 1.0
    before = resident_bytes()
    arrays.drop()
    after = resident_bytes()
    assert before is not None
    assert after is not None
    assert before - after > 7 * 10**7
    assert numbers.sum() == 10**7
    arrays.close()


def test_a_full_disk_is_an_error_that_says_so(arrays: MappedArrays, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, offset: int, size: int) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    with pytest.raises(WriteError, match="has no room for temporary files of 8 MB: No space left on device"):
        arrays.empty((10**6,))


def test_a_problem_keeps_a_mapped_array(arrays: MappedArrays) -> None:
    X = arrays.empty((6, 2))
    X[:] = np.arange(12.0).reshape(6, 2)
    X.flags.writeable = False
    problem = Problem(X, 2)
    assert np.shares_memory(problem.X, X)
    assert np.shares_memory(problem.part(np.arange(6)).X, X)
    assert Partition(problem, np.array([0, 0, 1, 1, 2, 2])).sse == 12.0
    arrays.close()


def test_a_child_of_a_run_keeps_budget_and_arrays(arrays: MappedArrays) -> None:
    run = Run(memory="2G")
    run.arrays = arrays
    assert run.task(0.5).memory == 2 * 10**9
    assert run.share(2).arrays is arrays


def test_free_memory_is_positive_where_it_is_known() -> None:
    free = free_bytes()
    assert free is None or free > 0
