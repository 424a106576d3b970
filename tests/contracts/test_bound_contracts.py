"""What every bound promises."""

import numpy as np
import pytest
from hypothesis import given

from microagg import LowerBound, Partition, Problem, Run
from registered import BOUNDS, optimum, supports
from strategies import problems


@pytest.mark.parametrize("name", sorted(BOUNDS))
@given(problems(max_n=9, max_k=3))
def test_it_is_never_above_the_optimum(name: str, problem: Problem) -> None:
    worst = Partition(problem, np.zeros(problem.n, dtype=np.int64))
    if not supports(BOUNDS[name], problem):
        assert len(problem.varying) > 1
        return
    bound, partition = BOUNDS[name](problem, worst, Run())
    assert isinstance(bound, LowerBound)
    assert bound.sse <= optimum(problem) * (1 + 1e-14)
    assert partition.sse <= worst.sse
