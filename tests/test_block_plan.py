"""Plans of blocks: the same from a problem and from its shape, and refused in the same words."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from microagg import Limits, MethodError, Problem
from microagg.block_plan import plan_blocks
from microagg.bound import BOUNDS
from microagg.methods import pipeline
from microagg.model.problem_shape import Shape

N = 6000


def _problem(*, weighted: bool = False, n_missing: int = 0, n_varying: int = 3) -> Problem:
    X = np.zeros((N, 3))
    X[:, :n_varying] = np.random.default_rng(0).normal(size=(N, n_varying))
    missing = np.zeros((N, 3), dtype=np.bool_)
    missing[:n_missing, 0] = True
    return Problem(X, 3, np.linspace(1, 2, N) if weighted else None, missing)


def _shape(*, weighted: bool = False, n_missing: int = 0, n_varying: int = 3) -> Shape:
    return Shape(N, 3, 3, n_varying=n_varying, is_weighted=weighted, lacks_cells=n_missing > 0)


@pytest.mark.parametrize("facts", [{}, {"weighted": True}, {"n_missing": 9}, {"n_varying": 1}])
@pytest.mark.parametrize("method", ["auto", "mdav", "mdav+descent", "search(effort=quick)"])
@pytest.mark.parametrize("limits", [Limits(), Limits(time_limit=60), Limits(iterations=2), Limits(iterations=0)])
def test_the_shape_of_a_problem_is_enough(facts: dict[str, Any], method: str, limits: Limits) -> None:
    chosen = replace(pipeline(method), block_size=1000)
    if method == "mdav" and limits.iterations is not None:
        for shape in (_problem(**facts), _shape(**facts)):
            with pytest.raises(MethodError, match="'mdav' has nothing that iterations could limit"):
                plan_blocks(chosen, shape, limits)
        return
    found = plan_blocks(chosen, _shape(**facts), limits)
    assert found is not None
    assert found == plan_blocks(chosen, _problem(**facts), limits)
    assert (found.block_size, found.n_blocks) == (1000, 6)


def test_what_is_taken_whole_has_no_blocks() -> None:
    assert plan_blocks(pipeline("mdav"), Shape(10**9, 3, 3), Limits()) is None
    assert plan_blocks(pipeline("auto"), Shape(10**9, 3, 3, n_varying=1), Limits()) is None
    assert plan_blocks(pipeline("auto"), Shape(10**9, 3, 3, n_varying=1, is_weighted=True), Limits()) is not None


@pytest.mark.parametrize(
    ("method", "limits", "n_rounds"),
    [
        ("auto", Limits(), 8),
        ("auto", Limits(iterations=3), 3),
        ("auto", Limits(iterations=0), 1),
        ("auto", Limits(time_limit=60), None),
        ("search(effort=quick)", Limits(time_limit=60), 3),
        ("mdav+descent", Limits(), 4),
        ("mdav", Limits(), 1),
    ],
)
def test_rounds_are_known_unless_only_time_ends_them(method: str, limits: Limits, n_rounds: int | None) -> None:
    found = plan_blocks(replace(pipeline(method), block_size=1000), Shape(N, 3, 3), limits)
    assert found is not None
    assert found.n_rounds == n_rounds
    if found.refiners is not None:
        refines = method != "mdav" and limits.iterations != 0
        assert [len(refiners) for refiners in found.refiners] == [int(refines)] * len(found.refiners)


def test_the_target_of_a_bound_does_not_end_the_rounds() -> None:
    chosen = replace(pipeline("auto", bound=BOUNDS["dual-ascent"]), block_size=1000)
    found, without = (plan_blocks(chosen, Shape(N, 3, 3), limits) for limits in (Limits(target_gap=0.5), Limits()))
    assert found == without
    assert found is not None
    assert found.n_rounds == 8


def test_what_cannot_be_done_by_blocks_is_refused() -> None:
    bounded = replace(pipeline("auto", bound=BOUNDS["dual-ascent"]), block_size=1000)
    with pytest.raises(
        MethodError, match="no bound can be proved where a group may hold records with different missing cells"
    ):
        plan_blocks(bounded, Shape(N, 3, 3, lacks_cells=True), Limits())
    with pytest.raises(MethodError, match="proves no bound where records are weighted"):
        plan_blocks(bounded, Shape(N, 3, 3, is_weighted=True), Limits())
    with pytest.raises(MethodError, match="needs one column that varies: here are 6000 records, 3 columns"):
        plan_blocks(replace(pipeline("univariate"), block_size=1000), Shape(N, 3, 3), Limits())


def test_a_plan_can_be_sent_to_another_machine() -> None:
    found = plan_blocks(pipeline("auto", "quick"), Shape(10**9, 12, 5), Limits())
    assert pickle.loads(pickle.dumps(found)) == found
