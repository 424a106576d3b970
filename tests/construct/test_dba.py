"""DBA's first phase against its slow version and its published figures."""

from collections.abc import Callable

import numpy as np
import pytest

import naive_dba
from microagg import InputError, Partition, Problem, Run, solve
from microagg.construct.dba import Dba
from microagg.construct.fixed_size import FixedSize
from microagg.construct.growth_rules import Nearest
from microagg.model.arrays import FloatArray

PUBLISHED = {
    "tarragona": (20.699488, 23.827615, 26.001298, 35.392958),
    "census": (6.144855, 9.127884, 10.842187, 15.785497),
}


@pytest.mark.parametrize(("n", "d", "k"), [(40, 2, 3), (150, 3, 4), (101, 1, 2), (30, 4, 1), (120, 2, 10), (7, 2, 4)])
@pytest.mark.parametrize("p", [0, 1, 3, 100])
def test_it_is_the_naive_one(n: int, d: int, k: int, p: int) -> None:
    problem = Problem(np.random.default_rng(n).normal(size=(n, d)), k)
    made = FixedSize(Dba(p), Nearest())(problem, np.random.default_rng(0), Run())
    expected = Partition(problem, naive_dba.first_phase(problem.X, k, p))
    assert made.labels.tolist() == expected.labels.tolist()


def test_dense_records_come_first() -> None:
    line = np.array([[0.0], [4.0], [5.0], [9.0]])
    assert solve(line, 2, method="dba-1", standardise=False).labels.tolist() == [0, 1, 1, 0]
    assert solve(line, 2, method="dba-1(p=1)", standardise=False).labels.tolist() == [0, 0, 1, 1]


def test_p_is_a_number_of_groups() -> None:
    with pytest.raises(InputError, match="p must be"):
        Dba(p=-1)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_figures(name: str, matrix: Callable[[str], FloatArray]) -> None:
    losses = [solve(matrix(name), k, method="dba-1").information_loss for k in (3, 4, 5, 10)]
    assert losses == pytest.approx(PUBLISHED[name], abs=1e-6)
