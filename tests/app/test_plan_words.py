"""What a plan does, in sentences."""

from microagg import Plan
from microagg.app.plan_words import plan_words


def words_of(of_file: str = "abc", /, **options: object) -> str:
    """Return what is said of a plan for a file whose columns are named by letters."""
    return "\n".join(plan_words(Plan(**options), list(of_file)))


def test_columns_k_and_method_are_told() -> None:
    text = words_of(k=5, columns=["a", "b"], method="mdav", effort=None)
    assert "“a” and “b” are protected. Released values are shared by at least 5 records." in text
    assert "Groups are made by the method “mdav”." in text
    assert "Released as it came: “c”. Make sure that nobody can be found by it." in text


def test_units_are_counted_in_place_of_records() -> None:
    text = words_of(k=5, columns=["a"], unit="b")
    assert "shared by records of at least 5 different “b”" in text


def test_without_names_every_numeric_column_is_meant() -> None:
    text = words_of(k=5, exclude=["b"])
    assert "Every numeric column is protected." in text
    assert "Columns that hold no numbers are released as they came, and so are “b”." in text


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
