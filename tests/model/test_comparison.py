"""Candidates and comparisons as values: what they hold, and how they find it."""

import pickle

import pytest

from candidates import candidate, figure, on_front
from microagg import Aim, Candidate, Comparison, InputError

FAILED = Candidate(10, "exact", error="It needs fewer records.")


def _comparison() -> Comparison:
    candidates = (*on_front([candidate(3, 4.0, 20.0), candidate(5, 7.0, 22.0)]), FAILED)
    return Comparison(candidates, Aim(), candidates[0], "As it is better.", None, 12)


def test_an_aim_has_positive_limits() -> None:
    assert Aim() == Aim("information_loss", "dld", None, None)
    assert Aim(max_loss=3).max_loss == 3.0
    with pytest.raises(InputError, match="max_risk must be a positive number, found -1"):
        Aim(max_risk=-1)


def test_a_candidate_finds_its_figures() -> None:
    one = candidate(3, 4.0, 20.0)
    assert one.name == "k = 3 with mdav"
    assert one.figure("dld") == figure("dld", 20.0)
    with pytest.raises(InputError, match="there is no figure 'dlt' of k = 3 with mdav: did you mean 'dld'"):
        one.figure("dlt")
    with pytest.raises(InputError, match="there is no figure 'dld' of k = 10 with exact: It needs fewer records"):
        FAILED.figure("dld")


def test_the_front_and_the_rows() -> None:
    comparison = _comparison()
    assert repr(comparison) == "Comparison(3 candidates, 1 on the front, recommended: k = 3 with mdav)"
    assert comparison.front == comparison.candidates[:1]
    assert comparison.figure_names == ("information_loss", "dld")
    first, _, last = comparison.rows()
    assert first == {
        "k": 3,
        "method": "mdav",
        "information_loss": 4.0,
        "dld": 20.0,
        "k_reached": 3,
        "seconds": 0.5,
        "on_front": True,
        "recommended": True,
        "error": None,
    }
    assert list(last) == list(first)
    assert (last["dld"], last["recommended"], last["error"]) == (None, False, "It needs fewer records.")


def test_equal_candidates_are_not_both_recommended() -> None:
    candidates = on_front([candidate(3, 4.0, 20.0), candidate(3, 4.0, 20.0)])
    comparison = Comparison(candidates, Aim(), candidates[1], "", None, 12)
    assert [row["recommended"] for row in comparison.rows()] == [False, True]


def test_it_pickles() -> None:
    comparison = pickle.loads(pickle.dumps(_comparison()))
    assert comparison.candidates == _comparison().candidates
    assert [row["recommended"] for row in comparison.rows()] == [True, False, False]
