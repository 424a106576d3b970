"""The Pareto front, and the knee between its ends, against slow and obvious versions."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from candidates import AIM, candidate, figure, on_front
from microagg import Aim, Candidate
from microagg.pareto_front import ABOUT_AS_FAR, knee, near_knee, placed, with_front
from naive_front import Place, naive_distances, naive_front

values = st.integers(0, 12).map(float)  # few of them, so that many are equal
places = st.lists(st.tuples(values, values), min_size=1, max_size=12)


def _candidates(found: list[Place]) -> list[Candidate]:
    return [candidate(3 + number, loss, risk) for number, (loss, risk) in enumerate(found)]


def test_a_front_made_by_hand() -> None:
    found = on_front(_candidates([(1.0, 9.0), (2.0, 5.0), (3.0, 6.0), (2.0, 5.0), (4.0, 1.0), (5.0, 1.0)]))
    assert [one.on_front for one in found] == [True, True, False, True, True, False]


@given(places)
def test_the_front_is_that_of_the_naive_version(found: list[Place]) -> None:
    assert [one.on_front for one in on_front(_candidates(found))] == naive_front(found)


@given(places)
def test_some_candidate_is_on_the_front_and_beats_or_equals_each_other(found: list[Place]) -> None:
    marked = placed(on_front(_candidates(found)), AIM)
    front = [one for one in marked if one.candidate.on_front]
    assert front
    for one, other in itertools.product(marked, front):
        assert not one.beats(other)
    for one in marked:
        assert one.candidate.on_front or any(other.beats(one) for other in front)


def test_candidates_without_a_place_are_not_on_the_front() -> None:
    failed = Candidate(9, "exact", error="It needs fewer records.")
    found = on_front([candidate(3, 1.0, None), failed, candidate(5, 50.0, 50.0)])
    assert [one.on_front for one in found] == [False, False, True]


def test_figures_that_are_better_when_higher_are_turned_round() -> None:
    aim = Aim(utility="overlap", risk="k_reached")
    figures = [(80.0, 3.0), (70.0, 5.0), (60.0, 4.0)]
    several = [
        Candidate(
            3, "mdav", figures=(figure("overlap", keeps, higher="keeps more"), figure("k_reached", k, "", "safer"))
        )
        for keeps, k in figures
    ]
    assert [one.on_front for one in with_front(several, aim)] == [True, True, False]


def test_a_knee_made_by_hand() -> None:
    # The chord goes from (0, 10) to (10, 0); 1 − x − y is 0.5 at (2, 3), 0.4 at (1, 5), 0.3 at (5, 2).
    marked = placed(on_front(_candidates([(0.0, 10.0), (1.0, 5.0), (2.0, 3.0), (5.0, 2.0), (10.0, 0.0)])), AIM)
    assert [one.candidate.k for one in near_knee(marked)] == [5]
    assert knee(marked).candidate.k == 5


def test_about_as_near_to_the_knee() -> None:
    # 1 − x − y is 0.5 at (2, 3), 0.46 at (2.5, 2.9), 0.44 at (3, 2.6): the last is not about as near.
    several = [
        candidate(3, 0.0, 10.0),
        candidate(5, 2.0, 3.0),
        candidate(5, 2.5, 2.9, "search"),
        candidate(9, 3.0, 2.6),
        candidate(10, 10.0, 0.0),
    ]
    marked = placed(on_front(several), AIM)
    assert [one.candidate.method for one in near_knee(marked)] == ["mdav", "search"]
    assert (knee(marked).candidate.k, knee(marked).loss) == (5, 2.0)


def test_of_those_about_as_near_the_largest_k_is_the_knee_then_the_least_loss() -> None:
    several = [
        candidate(3, 0.0, 10.0),
        candidate(5, 2.0, 3.0),
        candidate(6, 2.2, 2.95),
        candidate(6, 2.1, 2.98, "search"),
        candidate(10, 10.0, 0.0),
    ]
    assert knee(placed(on_front(several), AIM)).candidate.name == "k = 6 with search"


@given(places)
def test_the_knee_is_far_from_the_chord(found: list[Place]) -> None:
    front = [one for one in placed(on_front(_candidates(found)), AIM) if one.candidate.on_front]
    chosen = knee(front)
    if len({(one.loss, one.risk) for one in front}) < 2:
        assert chosen.candidate.k == max(one.candidate.k for one in front)
        return
    distances = naive_distances([(one.loss, one.risk) for one in front])
    behind = [max(distances) - distance for distance in distances]
    nearly = ABOUT_AS_FAR / math.sqrt(2.0)
    assert behind[front.index(chosen)] <= nearly + 1e-12
    far = [one for one, distance in zip(front, behind, strict=True) if distance <= nearly - 1e-12]
    assert all((one.candidate.k, -one.loss) <= (chosen.candidate.k, -chosen.loss) for one in far)


@given(places, st.sampled_from([0.25, 8.0, 2.0**20]), st.sampled_from([0.0, -4.0, 1024.0]))
def test_the_knee_does_not_depend_on_units(found: list[Place], factor: float, shift: float) -> None:
    front = [one for one in placed(on_front(_candidates(found)), AIM) if one.candidate.on_front]
    scaled = [one._replace(loss=factor * one.loss + shift) for one in front]
    assert knee(scaled).candidate is knee(front).candidate


@pytest.mark.parametrize("ks", [(3, 10), (10, 3)])
def test_of_two_ends_the_larger_k_is_the_knee(ks: tuple[int, int]) -> None:
    front = placed([candidate(ks[0], 1.0, 9.0), candidate(ks[1], 8.0, 2.0)], AIM)
    assert knee(front).candidate.k == 10


def test_of_two_ends_with_one_k_the_one_that_loses_less_is_the_knee() -> None:
    front = placed([candidate(5, 8.0, 2.0, "mdav"), candidate(5, 1.0, 9.0, "search")], AIM)
    assert knee(front).candidate.method == "search"
