"""Privacy on top of k: values that the rules can have."""

import pytest

from microagg import InputError, Plan
from microagg.model.privacy import Privacy


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"l_diversity": 1}, "l_diversity must be at least 2"),
        ({"l_diversity": {"c": 1.5}}, "l_diversity of 'c' must be a whole number"),
        ({"entropy_l_diversity": 1}, "entropy_l_diversity must be more than 1"),
        ({"t_closeness": 1.0}, "t_closeness must be a distance below 1"),
        ({"t_closeness": 0}, "t_closeness must be a positive number"),
        ({"dominance": 0.8}, "dominance must be a number of contributors and a share"),
        ({"dominance": [0, 0.8]}, "number of contributors, must be at least 1"),
        ({"dominance": [1, 1]}, "dominance must have a share below 1"),
        ({"p_percent": -1}, "p_percent must be a positive number"),
        ({"p_percent": {}}, "p_percent names no column"),
    ],
)
def test_impossible_rules_get_one_clear_sentence(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Privacy(**options)  # type: ignore[arg-type]


def test_a_rule_is_for_all_confidential_columns_or_by_column() -> None:
    plan = Plan(k=3, columns=["x"], confidential=["c", "d"], l_diversity=2, t_closeness={"d": 0.2}, p_percent={"x": 10})
    privacy = plan.privacy
    assert privacy.given == ("l_diversity", "t_closeness", "p_percent")
    assert privacy.l_diversity is not None
    assert privacy.l_diversity.of_each(("c", "d")) == {"c": 2, "d": 2}
    assert privacy.t_closeness is not None
    assert privacy.t_closeness.of_each(("c", "d")) == {"d": 0.2}
    assert Plan.from_toml(plan.to_toml()) == plan


def test_amounts_of_protected_columns_can_be_guarded_before_these_are_known() -> None:
    assert Plan(k=3, dominance={"turnover": [1, 0.8]}).privacy.given == ("dominance",)
    with pytest.raises(InputError, match="dominance names column 'z', which is not confidential"):
        Plan(k=3, columns=["x"], dominance={"z": [1, 0.8]})
