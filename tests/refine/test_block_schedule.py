"""The schedule of a search by blocks: trials in proportion to the records, without a jump where blocks begin."""

from itertools import islice, pairwise
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from microagg import Limits, Problem
from microagg.refine import block_schedule
from microagg.refine.block_schedule import (
    LARGEST_WHOLE,
    TRIALS_WITH_SHORT_LISTS,
    block_rounds,
    length_in_part,
    n_block_rounds,
)
from microagg.refine.search import Search

EFFORTS = {name: effort.n_rounds for name, effort in block_schedule._EFFORTS.items()}


def _problem(n: int, k: int = 3, d: int = 2) -> Problem:
    return Problem(np.zeros((n, d)), k)


def _of_size(n: int, k: int = 3) -> Problem:
    """Return what a schedule needs to know of a problem: no records."""
    sizes: Any = SimpleNamespace(n=n, k=k, d=2)
    return cast(Problem, sizes)


def test_a_higher_effort_has_more_rounds() -> None:
    assert list(EFFORTS) == ["quick", "standard", "thorough"]
    assert 2 <= EFFORTS["quick"] < EFFORTS["standard"] < EFFORTS["thorough"]


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("n_rounds", [1, 2, 5, 24])
def test_rounds_are_slices_of_one_schedule(effort: str, n_rounds: int) -> None:
    rounds = list(block_rounds(effort, 0.4, _problem(20_000), n_rounds))
    assert len(rounds) == n_rounds
    assert {(one.trials_per_record, one.temperature) for one in rounds} == {(rounds[0].trials_per_record, 0.4)}
    assert rounds[0].begin == 0.0
    assert rounds[-1].end == 1.0
    assert [one.begin for one in rounds[1:]] == [one.end for one in rounds[:-1]]


def test_an_effort_has_its_number_of_rounds_whatever_the_limits() -> None:
    for limits in (Limits(), Limits(time_limit=5), Limits(iterations=3)):
        assert {effort: n_block_rounds(effort, limits) for effort in EFFORTS} == EFFORTS
    assert n_block_rounds(None, Limits()) == EFFORTS["standard"]
    assert n_block_rounds(None, Limits(time_limit=5)) is None
    assert n_block_rounds(None, Limits(iterations=3)) is None


def test_no_effort_is_the_standard_one() -> None:
    one, other = (list(block_rounds(effort, 0.3, _problem(9000), 4)) for effort in (None, "standard"))
    assert one == other


@pytest.mark.parametrize(("effort", "n_whole_rounds"), [("quick", 1), ("standard", 3)])
def test_at_the_border_there_are_as_many_trials_as_in_one_piece(effort: str, n_whole_rounds: int) -> None:
    n = LARGEST_WHOLE + 1
    in_blocks = n * next(block_rounds(effort, 0.3, _problem(n), 1)).trials_per_record
    whole = 4 * sum(one.n_trials for one in Search(effort).rounds(_problem(LARGEST_WHOLE), n_whole_rounds))
    assert in_blocks == pytest.approx(whole, rel=0.01)


@pytest.mark.parametrize("k", [3, 5, 20])
def test_quick_trials_do_not_fall_up_to_twenty_thousand_records(k: int) -> None:
    def time_of_trials(n: int) -> float:
        if n <= LARGEST_WHOLE:
            return 4.0 * sum(one.n_trials for one in Search("quick").rounds(_of_size(n, k), 1))
        one = next(block_rounds("quick", 0.3, _of_size(n, k), 1))
        return n * one.trials_per_record / (TRIALS_WITH_SHORT_LISTS if one.short_lists else 1.0)

    times = [time_of_trials(n) for n in (200, 1000, 1250, 2000, 5000, 5001, 10_000, 20_000, 50_000, 10**5, 10**6)]
    assert all(later >= 0.999 * earlier for earlier, later in pairwise(times[:8]))
    assert times[8] < times[7], "from 20 000 records on, other work takes longer"
    assert times[1] > 4 * times[0]
    assert times[-1] > 2 * times[-2]


@pytest.mark.parametrize(("effort", "slowdown"), [("quick", 1 / 16), ("standard", 1 / 8), ("thorough", 1 / 8)])
def test_trials_of_a_record_fall_to_a_least_number_and_then_slowly(effort: str, slowdown: float) -> None:
    numbers = [
        next(block_rounds(effort, 0.3, _of_size(n), 1)).trials_per_record for n in (5001, 10**4, 10**5, 10**7, 10**8)
    ]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[0] > numbers[2]
    assert numbers[-1] == pytest.approx(10**-slowdown * numbers[-2])


def test_rounds_without_end_come_in_cycles_that_grow_and_are_less_hot() -> None:
    per_cycle = EFFORTS["standard"]
    rounds = list(islice(block_rounds(None, 0.4, _problem(9000), None), 5 * per_cycle))
    firsts = rounds[::per_cycle]
    assert all(one.begin == 0.0 for one in firsts)
    assert all(one.end == 1.0 for one in rounds[per_cycle - 1 :: per_cycle])
    assert [one.temperature for one in firsts] == [0.4, 0.2, 0.2, 0.2, 0.2]
    standard = next(block_rounds("standard", 0.4, _problem(9000), 1)).trials_per_record
    assert [one.trials_per_record / standard for one in firsts] == pytest.approx([*block_schedule._ENDLESS, 4.0])


def test_the_time_does_not_jump_where_short_lists_begin() -> None:
    rounds = [next(block_rounds("quick", 0.3, _of_size(n, 5), 1)) for n in range(5_001, 60_000, 100)]
    border = next(number for number, one in enumerate(rounds) if one.short_lists)
    assert border > 0
    assert all(one.short_lists for one in rounds[border:])
    before, after = rounds[border - 1], rounds[border]
    assert after.trials_per_record / TRIALS_WITH_SHORT_LISTS == pytest.approx(before.trials_per_record, rel=0.02)


@pytest.mark.parametrize("effort", ["standard", "thorough", None])
def test_only_quick_searches_are_shorter_in_parts(effort: str | None) -> None:
    assert length_in_part(effort, 1000, 10**6) == 1.0
    assert length_in_part("quick", 1000, 10**6) < 0.1


@pytest.mark.parametrize("n", [100, LARGEST_WHOLE, 20_000])
def test_quick_trials_of_a_part_fall_with_the_root_of_all_records(n: int) -> None:
    assert length_in_part("quick", n, n) == 1.0
    assert length_in_part("quick", n, max(n, LARGEST_WHOLE)) == 1.0
    falls = [length_in_part("quick", n, n_all) for n_all in (10**5, 4 * 10**5)]
    assert falls[0] == 2 * falls[1] < 1.0


def test_blocks_of_a_part_have_the_trials_that_blocks_of_all_records_have() -> None:
    n, n_all = 20_000, 25_000
    part = next(block_rounds("quick", 0.3, _of_size(n), 1, length_in_part("quick", n, n_all)))
    alone = next(block_rounds("quick", 0.3, _of_size(n), 1))
    assert part.short_lists == alone.short_lists
    assert part.trials_per_record == pytest.approx(alone.trials_per_record * np.sqrt(n / n_all))


def test_a_length_has_no_fewer_trials_than_the_least_number() -> None:
    least = next(block_rounds("quick", 0.3, _of_size(10**6), 1)).trials_per_record
    assert next(block_rounds("quick", 0.3, _of_size(10**6), 1, 0.001)).trials_per_record == least
