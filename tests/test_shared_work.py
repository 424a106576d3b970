"""Work that is done once for several runs on one table."""

import threading
from typing import ClassVar

import numpy as np
import pytest

from microagg import InputError, Run, read
from microagg.construct.ordered import KnownOrder, Ordered, Path
from microagg.methods import Pipeline, pipeline
from microagg.model.arrays import FloatArray, IntArray, read_only
from microagg.model.problem import Problem
from microagg.model.treatment import Treatment
from microagg.shared_work import SharedWork
from patience import PATIENCE

TABLE = read(np.array([[1.0, 5.0], [2.0, 3.0], [8.0, 1.0], [9.0, 0.0]]))


def _fixed(numbers: object) -> FloatArray:
    """Return an array that nobody can write to, as those of encoded tables are."""
    array = np.array(numbers, dtype=np.float64)
    read_only(array)
    return array


class Counted:
    """Order that counts how often it is asked for."""

    reference: ClassVar[str] = "tests"
    uses_k: ClassVar[bool] = False

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, problem: Problem, run: Run) -> IntArray:
        """Return the records as they are."""
        self.times += 1
        run.check()
        return np.arange(problem.n)


def test_columns_are_encoded_once_for_each_treatment() -> None:
    shared = SharedWork()
    first = shared.encoded(TABLE, ["0", "1"], may_miss=False)
    assert shared.encoded(TABLE, ["0", "1"], may_miss=False) is first
    assert shared.encoded(TABLE, ["1", "0"], may_miss=False) is not first
    assert shared.encoded(TABLE, ["0", "1"], may_miss=True) is not first
    assert shared.encoded(TABLE, ["0", "1"], Treatment.plain(False), may_miss=False) is not first
    other = read(np.array([[1.0, 5.0], [2.0, 3.0], [8.0, 1.0], [9.0, 0.0]]))
    assert shared.encoded(other, ["0", "1"], may_miss=False) is not first


def test_an_error_is_that_of_everybody() -> None:
    shared = SharedWork()
    lacking = read(np.array([[1.0], [np.nan]]))
    for _ in range(2):
        with pytest.raises(InputError, match="row 2"):
            shared.encoded(lacking, ["0"], may_miss=False)


def test_records_are_put_in_order_once_for_all_k() -> None:
    shared = SharedWork()
    order = Counted()
    chosen = Pipeline("own", Ordered(order, Path()))
    X = _fixed([[1.0], [2.0], [8.0], [9.0]])
    found = [shared.with_known_order(chosen, Problem(X, k), Run()) for k in (2, 3, 4)]
    assert order.times == 1
    assert all(isinstance(one.construct.order, KnownOrder) for one in found)  # type: ignore[attr-defined]
    shared.with_known_order(chosen, Problem(_fixed(X), 2), Run())
    assert order.times == 2


@pytest.mark.parametrize("method", ["mdav", "mdav-mhm", "search"])
def test_other_methods_stay_as_they_are(method: str) -> None:
    chosen = pipeline(method)
    assert SharedWork().with_known_order(chosen, Problem(np.eye(4), 2), Run()) is chosen


def test_a_run_that_was_ended_knows_no_order() -> None:
    chosen = Pipeline("own", Ordered(Counted(), Path()))
    run = Run()
    run.cancel()
    assert SharedWork().with_known_order(chosen, Problem(np.eye(4), 2), run) is chosen


def test_threads_wait_for_the_first_of_them() -> None:
    shared = SharedWork()
    order = Counted()
    chosen = Pipeline("own", Ordered(order, Path()))
    problem = Problem(np.eye(6), 2)
    barrier = threading.Barrier(8)

    def ask() -> None:
        barrier.wait(PATIENCE)
        shared.with_known_order(chosen, problem, Run())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert order.times == 1
