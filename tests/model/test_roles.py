"""Roles of columns, and which of them exclude each other."""

import pytest

from microagg import InputError, Plan
from microagg.model.roles import Roles


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"identifiers": ["a"], "confidential": ["a"]}, "'a' has 2 roles, identifiers and confidential"),
        ({"strata": ["a"], "weight": "a"}, "'a' has 2 roles, strata and weight"),
        ({"strata": ["a"], "unit": "a"}, "'a' has 2 roles, strata and unit"),
        ({"weight": "a", "unit": "a"}, "'a' has 2 roles, weight and unit"),
        ({"identifiers": ["a"], "renumber": ["a"]}, "'a' has 2 roles, identifiers and renumber"),
        ({"identifiers": "a"}, "identifiers must be a list of names"),
        ({"weight": ["a"]}, "weight must be the name of one column"),
    ],
)
def test_a_column_has_one_role(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Roles(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("role", ["identifiers", "renumber"])
def test_a_unit_may_be_left_out_or_renumbered(role: str) -> None:
    roles = Roles(unit="household", **{role: ("household",)})  # type: ignore[arg-type]
    assert roles.columns == ("household",)
    assert roles.columns_of("unit") == ("household",)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"columns": ["x"], "weight": "x"}, "'x' is in weight and is to be protected"),
        ({"columns": ["x"], "strata": ["x"]}, "'x' is in strata and is to be protected"),
        ({"identifiers": ["x"], "drop": ["x"]}, "'x' has a role and is to be dropped"),
        ({"small_strata": "merge"}, "small_strata is given, but neither strata nor missing='pattern'"),
        ({"weighted_loss": True}, "weighted_loss is given, but no weight"),
        ({"l_diversity": 2}, "l_diversity guards confidential columns, and none is named"),
        ({"l_diversity": {"x": 2}}, "l_diversity names column 'x', which is not confidential"),
    ],
)
def test_roles_must_go_with_the_rest_of_the_plan(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Plan(k=3, **options)


def test_what_is_used_may_be_left_out_of_the_release() -> None:
    plan = Plan(k=3, strata=["region"], weight="w", unit="h", drop=["region", "w", "h"])
    assert plan.drop == ("region", "w", "h")
