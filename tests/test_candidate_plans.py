"""Plans of candidates: one plan, with each k and each method in place of its own."""

from typing import Any

import pytest

from microagg import InputError, Limits, MethodError, Plan
from microagg.candidate_plans import candidate_plan, check_used, checked_methods, fitting_limits
from microagg.construct import CONSTRUCTORS


def test_k_and_method_are_replaced_and_all_else_stays() -> None:
    plan = Plan(k=7, method="v-mdav", columns=["a", "b"], strata=["s"], random_state=4)
    assert candidate_plan(plan, 3, "mdav") == Plan(k=3, method="mdav", columns=["a", "b"], strata=["s"], random_state=4)
    assert plan.sets[0].k == 7


def test_they_are_replaced_in_every_column_set() -> None:
    sets: list[Any] = [{"k": 4, "columns": ["a"], "method": "mdav"}, {"columns": ["b"], "scale": "mad"}]
    found = candidate_plan(Plan(k=9, sets=sets), 3, "search")
    assert [(one.k, one.method, one.columns) for one in found.sets] == [(3, "search", ("a",)), (3, "search", ("b",))]
    assert found.sets[1].scale is not None


def test_effort_and_limits_are_for_methods_that_have_something_to_limit() -> None:
    plan = Plan(k=3, effort="quick", iterations=10, time_limit=5)
    assert candidate_plan(plan, 3, "mdav") == Plan(k=3, method="mdav", time_limit=5)
    assert candidate_plan(plan, 3, "mdav+igd") == Plan(k=3, method="mdav+igd", time_limit=5, iterations=10)
    assert candidate_plan(plan, 3, "search") == Plan(k=3, method="search", effort="quick", time_limit=5, iterations=10)
    assert fitting_limits(Limits(1.0, 2), Plan(k=3, method="mdav")) == Limits(1.0)
    assert fitting_limits(Limits(1.0, 2), Plan(k=3, method="search")) == Limits(1.0, 2)


def test_a_gap_is_for_methods_that_prove_a_bound() -> None:
    plan = Plan(k=3, bound=True, target_gap=0.01)
    assert candidate_plan(plan, 3, "mdav") == Plan(k=3, method="mdav", bound=True, target_gap=0.01)


def test_what_no_method_obeys_is_refused() -> None:
    check_used(Plan(k=3, effort="quick"), ["mdav", "search"], Limits(iterations=3))
    with pytest.raises(MethodError, match="none of the methods has an effort"):
        check_used(Plan(k=3, effort="quick"), ["mdav"], Limits())
    with pytest.raises(MethodError, match="none of the methods has anything that iterations could limit"):
        check_used(Plan(k=3), ["mdav", "v-mdav"], Limits(time_limit=3, iterations=3))


def test_methods_are_named_once_without_capitals_and_blanks() -> None:
    assert checked_methods(["MDAV", "v-mdav( gamma=1.1 ) + recut"]) == {
        "mdav": "mdav",
        "v-mdav(gamma=1.1)+recut": "v-mdav(gamma=1.1)+recut",
    }
    stage = CONSTRUCTORS["mdav"]
    (named,) = checked_methods([(stage, "descent")]).values()
    assert named == (stage, "descent")
    assert list(checked_methods(["individual-ranking", "auto"])) == ["individual-ranking", "auto"]


def test_a_refiner_alone_follows_mdav() -> None:
    assert list(checked_methods(["igd", "recut+descent", "search", "ls"])) == [
        "mdav+igd",
        "mdav+recut+descent",
        "search",
        "ls",
    ]


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ("mdav", "methods must be a list of methods, as in"),
        (7, "methods must be a list of methods, as in"),
        ([], "methods is empty"),
        (["mdav", "Mdav"], "method 'mdav' is named twice"),
        (["igd", "mdav+igd"], r"method 'mdav\+igd' is named twice"),
        (["mdavv"], "there is no method 'mdavv': did you mean 'mdav'"),
        ([3], "a method is a name such as 'mdav', or a stage that can be called, found 3"),
    ],
)
def test_bad_lists_of_methods(methods: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        checked_methods(methods)
