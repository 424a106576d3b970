"""Methods that would need too much memory."""

import numpy as np
import pytest

from microagg import MethodError, Problem, Run, solve
from microagg.construct.mf_tsp import MfTsp


def test_what_does_not_fit_is_refused_before_any_work() -> None:
    with pytest.raises(MethodError, match=r"needs 0\.016 GB for the distances of 1000 records") as caught:
        MfTsp(memory_limit=1e4)(Problem(np.zeros((1000, 1)), 3), np.random.default_rng(0), Run())
    assert "or allow more, as in 'mf-tsp(memory_limit=3e+07)'" in str(caught.value)
    with pytest.raises(MethodError, match=r"'gsms-nn' needs 0\.\d+ GB for the nearest of 1000 records at k = 30"):
        solve(np.random.default_rng(0).normal(size=(1000, 2)), 30, method="gsms-nn(memory_limit=1e5)")


def test_what_just_fits_is_allowed() -> None:
    problem = Problem(np.arange(10.0)[:, None], 3)
    needed = 10**2 * 16
    assert MfTsp(memory_limit=needed)(problem, np.random.default_rng(0), Run()).sizes.min() >= 3
    with pytest.raises(MethodError, match="'mf-tsp' needs"):
        MfTsp(memory_limit=needed - 1)(problem, np.random.default_rng(0), Run())
