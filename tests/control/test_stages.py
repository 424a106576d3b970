"""Chains of stages."""

import numpy as np
from numpy.random import Generator, default_rng

from microagg import Partition, Problem, Run
from microagg.control.stages import Chain


def test_a_chain_has_a_random_generator_of_its_own() -> None:
    problem = Problem(np.arange(6.0)[:, None], 3)
    drawn: list[float] = []

    def construct(problem: Problem, rng: Generator, run: Run) -> Partition:
        drawn.append(rng.random())
        return Partition(problem, np.zeros(6, dtype=np.int64))

    def refine(partition: Partition, rng: Generator, run: Run) -> Partition:
        drawn.append(rng.random())
        return Partition(problem, np.arange(6) // 3)

    chain = Chain(construct, (refine,), (7,))
    for random_state in range(2):
        assert chain(problem, default_rng(random_state), Run()).labels.tolist() == [0, 0, 0, 1, 1, 1]
    assert drawn == [*default_rng((7,)).random(2)] * 2
