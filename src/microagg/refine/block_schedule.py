"""Schedule of a search by blocks: how many trials each round of walls makes, and how hot they are."""

from collections.abc import Iterator
from itertools import count
from math import sqrt
from typing import NamedTuple

from microagg.model.limits import Limits
from microagg.model.problem_shape import ProblemShape
from microagg.refine.block_annealing import BlockAnnealing
from microagg.refine.search_schedule import trials_of_rounds

LARGEST_WHOLE = 5_000
"""Records up to which `Search` takes all at once: there, several runs whose groups are recombined lose as little."""

_MOST_QUICK = 1_250
"""Records from which on a quick search makes no more trials: what else it does takes longer the more there are."""

_ENDLESS = (0.25, 1.0, 2.0, 4.0)  # length of the cycles where only limits end them, in those of the standard effort

_FEW_TRIALS = 2.0  # for each record: with fewer, short lists lose less in the same time

DENSE = 100_000
"""Records from which on their density is felt: trials take longer, and are fewer."""

TRIALS_WITH_SHORT_LISTS = 1.7
"""Trials with short neighbour lists that take about as long as one with long lists."""


class _Effort(NamedTuple):
    """Length of an effort."""

    n_rounds: int  # of walls
    n_whole_rounds: int  # of `Search`, whose trials it makes at the border where blocks begin
    min_trials: float  # for each record, in base lengths of `Search` for one record
    slowdown: float  # power of n with which trials take longer among dense records, and are fewer: time grows with n
    is_quick: bool  # whether the number of trials stays the same from some number of records on, and falls at last
    short_lists: bool  # whether trials look at fewer neighbours: more of them in the same time


_EFFORTS = {
    "quick": _Effort(3, 1, 0.008315, 1 / 16, True, True),
    "standard": _Effort(8, 3, 0.2, 1 / 8, False, False),
    "thorough": _Effort(24, 7, 0.8, 1 / 8, False, False),
}


def block_rounds(
    effort: str | None, heat: float, problem: ProblemShape, n_rounds: int | None, length_share: float = 1.0
) -> Iterator[BlockAnnealing]:
    """Return the refiner of each round of walls.

    The trials of all rounds are as many as `Search` makes of as many records as it takes at once, so that neither time
    nor loss jumps where blocks begin; from where that are too few for each record, they grow with n. Those of a quick
    search stay level up to 20 000 records and fall beyond, while all else that it does takes longer.

    Parameters
    ----------
    effort
        "quick", "standard" or "thorough"; None: standard.
    heat
        The initial temperature, as a share of the sse of a record.
    problem
        The whole problem.
    n_rounds
        The number of rounds in which all trials are made; None: they go on without end, in cycles.
    length_share
        The number of trials at the border, as a share of the usual one.
    """
    if n_rounds is None:
        return _endless_rounds(problem, heat, length_share)
    length = _EFFORTS[effort or "standard"]
    short_lists = length.short_lists and _trials_per_record(problem, length, length_share) < _FEW_TRIALS
    trials_per_record = _trials_per_record(problem, length, length_share, short_lists=short_lists)
    return _cycle(trials_per_record, n_rounds, heat, short_lists=short_lists)


def n_block_rounds(effort: str | None, limits: Limits) -> int | None:
    """Return the number of rounds of walls; None where only the limits end them."""
    return None if effort is None and limits.given else _EFFORTS[effort or "standard"].n_rounds


def length_in_part(effort: str | None, n: int, n_all: int) -> float:
    """Return the length of a search in a part of a larger problem, as a share of its length were the part alone.

    The trials of a quick search of a part fall with the number of records of all parts: many small parts take
    about as long as one large one.

    Parameters
    ----------
    effort
        "quick", "standard" or "thorough"; None: standard.
    n
        The number of records of the part.
    n_all
        The number of records of all parts.
    """
    if not _EFFORTS[effort or "standard"].is_quick:
        return 1.0
    return min(1.0, sqrt(max(n, LARGEST_WHOLE) / n_all))


def length_of_whole(effort: str | None, n: int) -> float:
    """Return the length of a search of n records in one piece, as a share of the usual one."""
    return _quick_length(n) if _EFFORTS[effort or "standard"].is_quick else 1.0


def _quick_length(n: int) -> float:
    return min(1.0, sqrt(_MOST_QUICK / n))  # the number of trials grows with the root of n


def _cycle(
    trials_per_record: float, n_rounds: int, heat: float, *, short_lists: bool = False
) -> Iterator[BlockAnnealing]:
    """Yield the rounds that cool down once."""
    for number in range(n_rounds):
        yield BlockAnnealing(trials_per_record, number / n_rounds, (number + 1) / n_rounds, heat, short_lists)


def _endless_rounds(problem: ProblemShape, heat: float, length_share: float) -> Iterator[BlockAnnealing]:
    """Yield rounds for ever, in cycles that grow longer; all but the first begin half as hot."""
    standard = _EFFORTS["standard"]
    trials_per_record = _trials_per_record(problem, standard, length_share)
    for number in count():
        length = _ENDLESS[min(number, len(_ENDLESS) - 1)]
        yield from _cycle(length * trials_per_record, standard.n_rounds, heat if number == 0 else heat / 2)


def _trials_per_record(
    problem: ProblemShape, effort: _Effort, length_share: float, *, short_lists: bool = False
) -> float:
    """Return the number of trials of all rounds, for each record; with short lists more, but for the least number."""
    n_whole = min(problem.n, LARGEST_WHOLE)
    at_border = length_share * trials_of_rounds(problem, n_whole, effort.n_whole_rounds)
    if effort.is_quick:
        at_border *= min(_quick_length(n_whole), sqrt(n_whole / problem.n))
    if short_lists:
        at_border *= TRIALS_WITH_SHORT_LISTS
    least = effort.min_trials * trials_of_rounds(problem, 1, 1) * min(1.0, DENSE / problem.n) ** effort.slowdown
    return max(at_border / problem.n, float(least))
