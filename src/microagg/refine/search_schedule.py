"""Schedule of a search: the length and the temperature of its rounds."""

from collections.abc import Iterator
from itertools import count
from math import sqrt
from typing import NamedTuple

from microagg.model.problem_shape import ProblemShape

_ROUNDS = (  # length in base lengths, initial temperature as a share of the highest; the last two repeat for ever
    (1, 1.0), (2, 1.0), (1, 0.5), (4, 1.0), (4, 0.5), (12, 1.0), (12, 0.5)
)  # fmt: skip
_TRIALS_PER_RECORD = 750  # of the base length, over k·min(k, _MAX_COSTLY_K)^1.5
_MAX_COSTLY_K = 10
_MAX_LINEAR_RECORDS = 1_000  # up to which the base length grows with n, beyond with its root
_MAX_FREE_COLUMNS = 16  # up to which the base length does not depend on d; beyond it falls with d, as trials cost more
_PATIENCE_PER_LENGTH = 6  # of set partitioning, for each base length and one more
_MIN_RESTART_LENGTH = 4  # base lengths


class SearchRound(NamedTuple):
    """Plan of one round of a search."""

    n_trials: int  # of each annealing run
    temperature_share: float  # initial temperature, as a share of the highest
    patience: int  # of set partitioning
    restarts: bool  # whether every second annealing run starts from the first partition instead of the best


def search_rounds(problem: ProblemShape, n_rounds: int | None, length_share: float = 1.0) -> Iterator[SearchRound]:
    """Yield the rounds of a search; none where only one group is possible.

    Parameters
    ----------
    problem
        The problem.
    n_rounds
        The number of rounds; None: they go on for ever.
    length_share
        The number of trials of each round, as a share of the usual one.
    """
    if problem.n < 2 * problem.k:
        return
    base_length = 1 + int(length_share * _trials(problem, problem.n))
    for number in count() if n_rounds is None else range(n_rounds):
        last_two = len(_ROUNDS) - 2 + (number - len(_ROUNDS)) % 2
        length, temperature_share = _ROUNDS[min(number, last_two)]
        patience = _PATIENCE_PER_LENGTH * (1 + length)
        yield SearchRound(length * base_length, temperature_share, patience, length >= _MIN_RESTART_LENGTH)


def trials_of_rounds(problem: ProblemShape, n: int, n_rounds: int, n_runs: int = 4) -> float:
    """Return the number of trials that all annealing runs make in some rounds, were there n records.

    Parameters
    ----------
    problem
        The problem, whose k and columns count.
    n
        The number of records.
    n_rounds
        The number of rounds, at most as many as there are different ones.
    n_runs
        The number of annealing runs.
    """
    return n_runs * sum(length for length, _ in _ROUNDS[:n_rounds]) * _trials(problem, n)


def _trials(problem: ProblemShape, n: int) -> float:
    """Return the number of trials of the shortest round, were there n records."""
    k = problem.k
    n_records = min(n, sqrt(n * _MAX_LINEAR_RECORDS))
    column_factor = min(1.0, _MAX_FREE_COLUMNS / problem.d)
    return float(_TRIALS_PER_RECORD * n_records * column_factor / (k * min(k, _MAX_COSTLY_K) ** 1.5))
