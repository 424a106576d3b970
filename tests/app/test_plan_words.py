"""What a plan does, in sentences."""

from typing import Any

import pytest

from microagg import Plan
from microagg.app.plan_words import plan_words
from microagg.model.plan import PLAN_OPTIONS
from microagg.model.privacy import PRIVACY_OPTIONS


def words_of(of_file: str = "abc", /, **options: object) -> str:
    """Return what is said of a plan for a file whose columns are named by letters."""
    return "\n".join(plan_words(Plan(**options), list(of_file)))


def test_columns_k_and_method_are_told() -> None:
    text = words_of(k=5, columns=["a", "b"], method="mdav", effort=None)
    assert "“a” and “b” are protected. Released values are shared by at least 5 records." in text
    assert "Groups are made by the method “mdav”." in text
    assert "Released as it came: “c”. Make sure that nobody can be found by it." in text


def test_what_is_shared_is_not_overstated_where_blanks_stay() -> None:
    text = words_of(k=5, columns=["a"], missing="available")
    assert "shared by at least 5 records, if a missing one may be any value." in text
    assert "shared by at least 5 records." in words_of(k=5, columns=["a"], missing="fill")


def test_units_are_counted_in_place_of_records() -> None:
    text = words_of(k=5, columns=["a"], unit="b")
    assert "shared by records of at least 5 different “b”" in text


def test_without_names_every_numeric_column_is_meant() -> None:
    assert "Every numeric column is protected." in words_of(k=5)
    text = words_of(k=5, exclude=["b"])
    assert "Every numeric column that is not named below is protected." in text
    assert "All other columns, which hold no numbers, are released unchanged, and so is “b”." in text


def test_a_column_that_is_left_out_is_not_said_to_be_released() -> None:
    text = words_of(k=5, identifiers=["b"])
    assert "Left out, as it leads to people or enterprises: “b”." in text
    assert "All other columns, which hold no numbers, are released unchanged." in text


TOLD = {
    "k": (7, "at least 7 records"),
    "columns": (["a", "b"], "“a” and “b” are protected"),
    "method": ("mdav", "the method “mdav”"),
    "effort": ("quick", "with quick effort"),
    "block_size": (40, "block_size = 40"),
    "rounds": (3, "rounds = 3"),
    "standardise": (False, "standardise = false"),
    "bound": (True, "A lower bound of the loss is proved."),
    "keep_integers": (True, "Whole numbers stay whole."),
    "weighted_loss": (True, "The weights of the records count in the loss."),
    "scale": ("mad", 'scale = "mad"'),
    "transform": ({"a": "log"}, 'transform = {a = "log"}'),
    "nominal": (["a"], "“a” is treated as categories without order."),
    "ordinal": (["a"], "“a” is treated as categories in order."),
    "aggregate": ("median", "What is released of a group is the median"),
    "rounding": ("total", "so that totals are nearly kept"),
    "identifiers": (["b"], "Left out, as it leads to people or enterprises: “b”."),
    "renumber": (["b"], "New numbers in random order: “b”."),
    "confidential": (["b"], "guarded by no rule: “b”."),
    "strata": (["b"], "which are made by “b”."),
    "weight": ("c", "Means are weighted by “c”."),
    "unit": ("b", "different “b”"),
    "missing": ("drop", "are left out of the release"),
    "missing_values": ({"a": [-9]}, "Taken for missing values: -9 in “a”."),
    "small_strata": ("merge", "is joined with the nearest one"),
    "l_diversity": (2, "l-diversity: 2"),
    "entropy_l_diversity": (1.5, "entropy-l-diversity: 1.5"),
    "t_closeness": (0.2, "t-closeness: 0.2"),
    "dominance": ((1, 0.8), "dominance: 1 and 0.8"),
    "p_percent": (10, "p-percent: 10"),
    "sets": ([{"k": 3, "columns": ["a"]}, {"k": 4, "columns": ["b"]}], "Set 2: “b” is protected."),
    "exclude": (["b"], "and so is “b”."),
    "drop": (["b"], "left out of the release: “b”."),
    "shuffle": (True, "put in a random order"),
    "strict": (True, "Nothing is released unless k holds on all released columns"),
    "random_state": (7, "random_state = 7"),
    "time_limit": (90, "Grouping ends after 90 s"),
    "iterations": (4, "iterations = 4"),
    "target_gap": (0.01, "target_gap = 0.01"),
    "allow_k1": (True, "allow_k1 = true"),
    "delimiter": (";", 'delimiter = ";"'),
    "decimal": (",", 'decimal = ","'),
    "encoding": ("cp1252", 'encoding = "cp1252"'),
    "header": (False, "header = false"),
    "table_name": ("people", 'table_name = "people"'),
}
NEEDED: dict[str, dict[str, Any]] = {
    "weighted_loss": {"weight": "c"},
    "rounding": {"keep_integers": True},
    "small_strata": {"strata": ["b"]},
    **{name: {"confidential": ["b"]} for name in PRIVACY_OPTIONS},
}


@pytest.mark.parametrize("name", PLAN_OPTIONS)
def test_every_option_of_a_plan_is_told(name: str) -> None:
    value, sentence = TOLD[name]
    usual = {} if name in ("sets", "exclude") else {"k": 3, "columns": ["a"]}
    usual = {"k": 3} if name == "exclude" else usual
    assert sentence in words_of(**{**usual, **NEEDED.get(name, {}), name: value})
    assert sentence not in words_of(**{"k": 3, "columns": ["a"], **NEEDED.get(name, {})})


def test_several_sets_are_told_apart_with_what_they_do_not_promise() -> None:
    text = words_of(sets=[{"k": 3, "columns": ["a"], "bound": True}, {"k": 4, "columns": ["b"], "nominal": ["b"]}])
    assert "Set 1: “a” is protected." in text
    assert "A lower bound of the loss is proved." in text
    assert "“b” is treated as categories without order." in text
    assert "not on those of several sets together" in text


def test_roles_are_told() -> None:
    roles = {"identifiers": ["b"], "renumber": ["c"], "strata": ["d"], "weight": "e", "confidential": ["f"]}
    text = words_of("abcdef", k=3, columns=["a"], l_diversity=2, small_strata="suppress", **roles)
    assert "Left out, as it leads to people or enterprises: “b”." in text
    assert "New numbers in random order: “c”." in text
    assert "No group has records of two strata, which are made by “d”." in text
    assert "Means are weighted by “e”." in text
    assert "Released as it came, guarded by the rules below: “f”." in text
    assert "Each group must also satisfy l-diversity: 2." in text
    assert "with fewer than k records are left out" in text
    unguarded = words_of(k=3, columns=["a"], confidential=["b"])
    assert "guarded by no rule: “b”" in unguarded


def test_missing_values_and_limits_are_told() -> None:
    text = words_of(k=3, columns=["a"], missing="drop", missing_values={"a": [-9, 99]}, time_limit=90, shuffle=True)
    assert "are left out of the release" in text
    assert "Taken for missing values: -9 and 99 in “a”." in text
    assert "Grouping ends after 90 s at the latest" in text
    assert "put in a random order" in text
    assert "Fresh randomness" in words_of(k=3, columns=["a"], random_state=None)
    assert "stratum" not in text


def test_refusals_are_told_before_the_run() -> None:
    text = words_of(k=3, columns=["a", "gone"], strata=["b"])
    assert "The file has no column “gone”: the run would end with an error." in text
    assert "missing value in a protected column are refused" in text
    assert "has fewer than k records, the run would end with an error" in text


def test_long_lists_are_cut_and_counted() -> None:
    names = "abcdefghijklmnopqrst"
    assert "“l” and 8 more are protected" in words_of(names, k=3, columns=list(names))
