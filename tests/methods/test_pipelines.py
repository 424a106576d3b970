"""Pipelines of blocks: which problems are divided, into how many records, and what each block is given."""

import numpy as np
import pytest

from microagg import ColumnSet, InputError, Limits, MethodError, Plan, Problem
from microagg.methods import Pipeline, pipeline, set_pipeline
from microagg.methods.pipelines import BLOCK_SIZE
from microagg.refine.block_schedule import LARGEST_WHOLE, n_block_rounds
from microagg.refine.search import Search

FREE = Limits()


def _problem(n: int, k: int = 5, n_varying: int = 2, *, weighted: bool = False) -> Problem:
    X = np.zeros((n, 3))
    X[0, :n_varying] = 1.0
    return Problem(X, k, np.linspace(1, 2, n) if weighted else None)


def _divided(block_size: int | None = None, rounds: int | None = None, method: str = "auto") -> Pipeline:
    return set_pipeline(ColumnSet(k=5, method=method, block_size=block_size, rounds=rounds))


@pytest.mark.parametrize(
    ("n", "k", "expected"),
    [
        (LARGEST_WHOLE, 5, None),
        (LARGEST_WHOLE + 1, 5, LARGEST_WHOLE // 2 + 1),
        (2 * BLOCK_SIZE - 1, 5, BLOCK_SIZE),
        (3 * BLOCK_SIZE, 5, BLOCK_SIZE),
        (3 * BLOCK_SIZE, BLOCK_SIZE // 2, 2 * BLOCK_SIZE),
        (6000, 1500, None),
        (6001, 1500, 6000),
    ],
)
def test_auto_divides_many_records(n: int, k: int, expected: int | None) -> None:
    assert pipeline("auto").block_size_for(_problem(n, k)) == expected


def test_other_methods_take_all_at_once_unless_the_user_wants_blocks() -> None:
    mdav = pipeline("mdav")
    large = _problem(BLOCK_SIZE + 1)
    assert mdav.block_size_for(large) is None
    with pytest.raises(MethodError, match=f"takes all {large.n} records at once.*block_size={BLOCK_SIZE}"):
        mdav.check_out_of_core(large)
    mdav.check_out_of_core(_problem(BLOCK_SIZE))
    _divided(50, method="mdav").check_out_of_core(large)
    assert _divided(50, method="mdav").block_size_for(_problem(51)) == 50
    assert _divided(50, method="mdav").block_size_for(_problem(50)) is None


def test_one_column_that_is_cut_optimally_is_never_divided_unless_the_user_wants_it() -> None:
    one = _problem(10**5, n_varying=1)
    for method in ("auto", "univariate"):
        assert pipeline(method).block_size_for(one) is None
        pipeline(method).check_out_of_core(one)
        assert _divided(50, method=method).block_size_for(one) == 50
    with pytest.raises(MethodError, match="at once"):
        pipeline("univariate+descent").check_out_of_core(one)
    assert pipeline("auto").block_size_for(_problem(10**5, n_varying=1, weighted=True)) == BLOCK_SIZE


def test_reasons_say_what_was_decided() -> None:
    assert pipeline("auto").reason_for(_problem(90)) == f"90 records are taken at once, as up to {LARGEST_WHOLE} are"
    assert _divided(100).reason_for(_problem(90)) == "90 records are taken at once, as up to 100 are"
    assert pipeline("auto").reason_for(_problem(90, n_varying=1)) == "one column that varies is cut optimally"
    assert pipeline("auto").reason_for(_problem(90, n_varying=1, weighted=True)).startswith("90 records are taken")
    assert pipeline("mdav").reason_for(_problem(90)) == ""


def test_rounds_are_those_of_the_user_or_of_the_longest_schedule() -> None:
    assert _divided(rounds=3).n_rounds(FREE) == 3
    assert pipeline("auto").n_rounds(FREE) == n_block_rounds("standard", FREE)
    assert pipeline("auto", "quick").n_rounds(Limits(iterations=1)) == n_block_rounds("quick", FREE)
    assert pipeline("auto").n_rounds(Limits(time_limit=9)) is None
    assert pipeline("search(effort=quick)+search(effort=thorough)").n_rounds(FREE) == n_block_rounds("thorough", FREE)
    assert pipeline("mdav+descent").n_rounds(FREE) == 4


def test_a_block_is_given_the_refiners_of_its_round_and_no_bound() -> None:
    refiners = (Search("quick"),)
    free = pipeline("auto", None, True).in_block(refiners)
    assert (free.refiners, free.bound, free.bound_is_optional) == (refiners, None, False)
    assert free.one_column is not None
    assert (free.one_column.refiners, free.one_column.bound) == ((), None)
    wanted = pipeline("auto", "standard").in_block(refiners)
    assert wanted.one_column is not None
    assert wanted.one_column.refiners == refiners


def test_a_search_that_a_bound_follows_has_an_effort_in_blocks_too() -> None:
    bounded = pipeline("auto", None, True)
    assert bounded.for_blocks(_problem(90), Limits(time_limit=9)).refiners == (Search("standard"),)
    assert bounded.for_blocks(_problem(90), Limits(iterations=9)).refiners == (Search(),)
    assert len(pipeline("auto", "thorough").refiners) == 2
    assert pipeline("auto", "thorough").for_blocks(_problem(90), FREE).refiners == (Search("thorough"),)


@pytest.mark.parametrize(
    ("method", "block_size", "rounds", "words"),
    [
        ("mdav", None, 2, "method 'mdav' has no refiner that rounds of blocks could repeat: leave rounds out"),
        (
            "mdav+descent",
            None,
            3,
            "'mdav.descent' takes all records at once: give block_size, or leave rounds out",
        ),
        ("exact", 40, None, "'exact' proves the optimum of all records at once: leave it or block_size out"),
    ],
)
def test_blocks_that_make_no_sense_are_refused(
    method: str, block_size: int | None, rounds: int | None, words: str
) -> None:
    with pytest.raises(MethodError, match=words):
        _divided(block_size, rounds, method)
    assert _divided(40, 1, "mdav").rounds == 1


def test_a_plan_keeps_blocks_and_rounds() -> None:
    plan = Plan(k=5, columns=["x"], block_size=40, rounds=3)
    assert "block_size = 40\nrounds = 3\n" in plan.to_toml()
    assert Plan.from_toml(plan.to_toml()) == plan
    with pytest.raises(InputError, match="block_size must be at least 20, found 19"):
        Plan(k=5, block_size=19)
