"""The bound that is chosen by the problem."""

from typing import ClassVar

import numpy as np
import pytest

from lp_cases import one_group
from microagg import LowerBound, Partition, Problem, Run
from microagg.bound.automatic import Automatic
from microagg.control.stages import Bound
from runs import cancelled


class _Named:
    """A bound that proves nothing."""

    limits: ClassVar[frozenset[str]] = frozenset()

    def __call__(self, problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        return LowerBound(0.0, "handed in"), incumbent


def _kind(problem: Problem, automatic: Bound, run: Run | None = None) -> str:
    bound, _ = automatic(problem, one_group(problem), Run() if run is None else run)
    return bound.kind


def test_a_bound_is_chosen_by_the_problem() -> None:
    X = np.random.default_rng(0).normal(size=(8_001, 2))
    assert _kind(Problem(np.arange(9.0)[:, None], 3), Automatic()) == "sorted cut"
    assert _kind(Problem(X[:20], 3), Automatic()) == "column generation"
    assert _kind(Problem(X[:8_000], 2), Automatic(_Named())) == "handed in"
    assert _kind(Problem(X, 2), Automatic(_Named()), cancelled()) == "neighbours"


@pytest.mark.parametrize(("n", "kind"), [(5, "one group only"), (6, "handed in")])
def test_fewer_than_2k_records_have_one_partition(n: int, kind: str) -> None:
    problem = Problem(np.random.default_rng(0).normal(size=(n, 2)), 3)
    bound, partition = Automatic(_Named())(problem, one_group(problem), Run())
    assert bound.kind == kind
    assert (bound.sse == partition.sse) == (n < 6)
