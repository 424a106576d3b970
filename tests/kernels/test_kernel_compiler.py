"""Kernels count references where they own arrays, and nowhere else; what they call is compiled once."""

import gc
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from microagg.kernels.jit import inlined_kernel, inner_kernel, kernel, optional_kernel
from microagg.model.arrays import FloatArray

numba = pytest.importorskip("numba")
pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
N_CALLS = 50


class Pair(NamedTuple):
    left: FloatArray
    right: FloatArray


@inner_kernel
def _sum_from(values: FloatArray, first: int) -> float:
    total = 0.0
    for i in range(first, len(values)):
        total += values[i]
    return total


@inlined_kernel
def _inlined_sum(values: FloatArray, first: int) -> float:
    return _sum_from(values, first) + _sum_from(values, 0)


@optional_kernel
def _value_or_one(values: FloatArray | None, place: int) -> float:
    if values is None:
        return 1.0
    return float(values[place])


@kernel
def _scaled(values: FloatArray, scales: FloatArray | None) -> float:
    total = 0.0
    for i in range(len(values)):
        total += _value_or_one(scales, i) * values[i]
    return total


@inner_kernel
def _larger(pair: Pair) -> FloatArray:
    if _sum_from(pair.left, 0) > _sum_from(pair.right, 0):
        return pair.left
    return pair.right


@kernel
def _borrow(pair: Pair) -> float:
    rows = pair.left[1:-1]
    return _inlined_sum(rows, 1) + _sum_from(pair.right, 0) + float(rows[0])


@kernel
def _return_argument(pair: Pair) -> FloatArray:
    return _larger(pair)


@kernel
def _return_view(pair: Pair) -> FloatArray:
    return _larger(pair)[1:]


@kernel
def _copy_overlapping(values: FloatArray) -> None:
    values[1:] = values[:-1]


@kernel
def _select(values: FloatArray, wanted: Any) -> float:
    return _sum_from(values[wanted], 0)


@kernel
def _make_scratch(values: FloatArray) -> float:
    scratch = np.empty(len(values))
    for i in range(len(values)):
        scratch[i] = 2 * values[i]
    return _sum_from(scratch, 0)


@inner_kernel
def _draw(rng: np.random.Generator, values: FloatArray) -> float:
    return rng.random() + _sum_from(values, 0)


@kernel
def _use_generator(pair: Pair, rng: np.random.Generator) -> float:
    return _draw(rng, pair.left)


def counts_references(compiled: Callable[..., object]) -> bool:
    (code,) = compiled.inspect_llvm().values()  # type: ignore[attr-defined]
    return "NRT_incref" in code or "NRT_decref" in code


@pytest.fixture(autouse=True)
def without_cache(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Compile here and now: what is read from disk cannot be looked into."""
    from numba.core.caching import NullCache

    for compiled in (
        _borrow,
        _return_argument,
        _return_view,
        _copy_overlapping,
        _select,
        _make_scratch,
        _use_generator,
        _scaled,
    ):
        monkeypatch.setattr(compiled, "_cache", NullCache())
    yield
    gc.collect()


def pair() -> Pair:
    return Pair(np.arange(6.0), np.arange(6.0) + 1)


def test_a_kernel_that_only_borrows_arrays_counts_no_references() -> None:
    assert _borrow(pair()) == (2 + 3 + 4) + (1 + 2 + 3 + 4) + 21 + 1
    assert not counts_references(_borrow)


@pytest.mark.parametrize("function", [_return_argument, _return_view])
def test_an_array_that_is_returned_is_counted(function: Callable[[Pair], FloatArray]) -> None:
    arrays = pair()
    before = sys.getrefcount(arrays.right)
    results = [function(arrays) for _ in range(N_CALLS)]
    for result in results:
        np.testing.assert_array_equal(result, arrays.right[len(arrays.right) - len(result) :])
    del results, result
    after = sys.getrefcount(arrays.right)  # not inside of the assert, which holds the array, too
    assert after == before
    assert counts_references(function)


def test_a_random_generator_is_let_go() -> None:
    rng = np.random.default_rng(0)
    _use_generator(pair(), rng)
    before = sys.getrefcount(rng)
    for _ in range(N_CALLS):
        _use_generator(pair(), rng)
    after = sys.getrefcount(rng)
    assert after == before


def test_results_outlive_the_arrays_that_were_passed() -> None:
    views = [_return_view(pair()) for _ in range(N_CALLS)]
    gc.collect()
    for view in views:
        np.testing.assert_array_equal(view, np.arange(1.0, 6) + 1)


def test_overlapping_parts_of_an_array_are_assigned_as_numpy_does() -> None:
    values = np.arange(6.0)
    _copy_overlapping(values)
    np.testing.assert_array_equal(values, [0, 0, 1, 2, 3, 4])


def test_arrays_that_a_kernel_makes_are_freed() -> None:
    from numba.core.runtime import _nrt_python, rtsys

    _nrt_python.memsys_enable_stats()
    wanted = np.array([0, 2])
    _select(np.arange(6.0), wanted)
    _make_scratch(np.arange(6.0))
    before = rtsys.get_allocation_stats()
    for _ in range(N_CALLS):
        assert _select(np.arange(6.0), wanted) == 2
        assert _make_scratch(np.arange(6.0)) == 30
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    assert after.mi_alloc > before.mi_alloc
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free
    assert counts_references(_make_scratch)


def test_an_inner_kernel_is_compiled_once_for_callers_and_constants_of_any_kind() -> None:
    from numba.core import event

    class Counter(event.Listener):  # type: ignore[misc]
        compiled: list[object]

        def __init__(self) -> None:
            self.compiled = []

        def on_start(self, event: Any) -> None:
            self.compiled.append(event.data["dispatcher"].py_func)

        def on_end(self, event: Any) -> None:
            pass

    counter = Counter()
    left, right = (values.astype(np.float32) for values in pair())
    arrays = Pair(left, right)  # type: ignore[arg-type]  # a type of this test alone
    with event.install_listener("numba:compile", counter):
        _borrow(arrays)
        _return_argument(arrays)
    assert counter.compiled.count(_sum_from) == 1


def test_from_python_an_inner_kernel_runs_uncompiled() -> None:
    assert _sum_from([1.0, 2.0, 4.0], 1) == 6.0  # type: ignore[arg-type]


def test_a_kernel_of_an_optional_argument_is_compiled_for_either() -> None:
    values = np.arange(4.0)
    assert _scaled(values, None) == 6.0
    assert _scaled(values, values) == 14.0
    codes = [code.count("fmul") for code in _scaled.inspect_llvm().values()]  # type: ignore[attr-defined]
    assert min(codes) == 0 < max(codes)
