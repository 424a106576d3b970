"""Rules of privacy hold in each class of a release, at their edges."""

from typing import Any

import polars as pl
import pytest

from microagg import Finding, InputError, Plan, verify


def finding(released: Any, check: str, original: Any = None, **options: Any) -> Finding:
    verification = verify(original, released, plan=Plan(**{"k": 2, "columns": ["x"], **options}))
    (found,) = [finding for finding in verification.findings if finding.check == check]
    return found


DISEASES = pl.DataFrame({"x": [1, 1, 1, 2, 2, 2], "c": [*"abcaab"], "amount": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]})


@pytest.mark.parametrize(
    ("option", "value", "column", "passed"),
    [
        ("l_diversity", 2, "c", True),
        ("l_diversity", 3, "c", False),
        ("entropy_l_diversity", 3 / 4 ** (1 / 3), "c", True),  # of shares 2/3 and 1/3
        ("entropy_l_diversity", 1.9, "c", False),
        ("t_closeness", 1 / 6, "c", True),  # 1/2, 1/3, 1/6 of all; 1/3 each, or 2/3, 1/3, 0
        ("t_closeness", 0.16, "c", False),
        ("t_closeness", 0.3, "amount", True),  # half of five steps and the largest difference 1/2: 1.5 / 5
        ("t_closeness", 0.29, "amount", False),
        ("dominance", (1, 0.5), "amount", True),
        ("dominance", (1, 0.49), "amount", False),
        ("dominance", (2, 5 / 6), "amount", True),
        ("dominance", (2, 0.83), "amount", False),
        ("p_percent", 100 / 3, "amount", True),
        ("p_percent", 34, "amount", False),
    ],
)
def test_each_rule_at_its_edge(option: str, value: Any, column: str, passed: bool) -> None:
    found = finding(DISEASES, option, confidential=[column], **{option: value})
    assert found.passed is passed
    assert ("rows" in found.detail) is not passed
    by_name: dict[str, Any] = {option: {column: value}}
    assert finding(DISEASES, option, confidential=[column], **by_name) == found


def test_rules_for_all_confidential_columns_skip_what_has_no_amounts() -> None:
    verification = verify(
        None, DISEASES, plan=Plan(k=2, columns=["x"], confidential=["c", "amount"], p_percent=30, l_diversity=2)
    )
    assert [finding.check for finding in verification.findings if finding.check in ("p_percent", "l_diversity")] == [
        "l_diversity",
        "l_diversity",
        "p_percent",
    ]


def test_rules_hold_in_the_classes_of_each_column_set() -> None:
    released = pl.DataFrame({"x": [1, 1, 2, 2], "y": [1, 2, 1, 2], "c": [*"abab"]})
    sets = [{"columns": ["x"]}, {"columns": ["y"]}]
    verification = verify(None, released, plan=Plan(k=2, sets=sets, confidential=["c"], l_diversity=2))
    found = [finding.passed for finding in verification.findings if finding.check == "l_diversity"]
    assert found == [True, False]


def test_rules_hold_within_strata() -> None:
    released = pl.DataFrame({"x": [1, 1, 1, 1], "s": [*"uuvv"], "c": [*"aabc"]})
    options: dict[str, Any] = {"confidential": ["c"], "l_diversity": 2}
    assert finding(released, "l_diversity", **options).passed is True
    assert finding(released, "l_diversity", strata=["s"], **options).passed is False
    assert finding(released, "l_diversity", strata=["s"], small_strata="merge", **options).passed is True


def test_amounts_of_protected_columns_are_those_of_the_original() -> None:
    original = pl.DataFrame({"x": [90.0, 5.0, 5.0, 40.0, 30.0, 30.0]})
    released = pl.DataFrame({"x": [100 / 3] * 6})
    assert finding(released, "dominance", original, dominance={"x": [1, 0.46]}).passed is True
    assert finding(released, "dominance", original, dominance={"x": [1, 0.44]}).passed is False
    unknown = finding(released, "dominance", dominance={"x": [1, 0.44]})
    assert unknown.passed is None
    assert "original values are needed" in unknown.detail


def test_missing_confidential_values_are_no_values_and_contribute_nothing() -> None:
    released = pl.DataFrame({"x": [1, 1, 2, 2], "c": ["a", None, "a", "b"], "amount": [1.0, None, 1.0, 1.0]})
    assert finding(released, "l_diversity", confidential=["c"], l_diversity=2).passed is False
    assert finding(released, "entropy_l_diversity", confidential=["c"], entropy_l_diversity=1.1).passed is False
    assert finding(released, "t_closeness", confidential=["amount"], t_closeness=0.25).passed is True
    assert finding(released, "dominance", confidential=["amount"], dominance=[1, 0.9]).passed is False
    nothing = released.with_columns(amount=pl.lit(None, dtype=pl.Float64))
    assert finding(nothing, "t_closeness", confidential=["amount"], t_closeness=0.01).passed is True


def test_marks_of_missing_confidential_values_are_no_values() -> None:
    released = pl.DataFrame({"x": [1] * 4, "c": ["HIV", "HIV", "-9", "-8"]})
    options: dict[str, Any] = {"confidential": ["c"], "missing_values": {"c": ["-9", "-8"]}}
    assert finding(released, "l_diversity", l_diversity=2, **options).passed is False
    assert finding(released, "l_diversity", l_diversity=2, confidential=["c"]).passed is True
    nothing = released.with_columns(c=pl.Series(["-9", "-8", "-9", "-8"]))
    assert finding(nothing, "l_diversity", l_diversity=2, **options).passed is False
    assert finding(nothing, "t_closeness", t_closeness=0.01, nominal=["c"], **options).passed is True


@pytest.mark.parametrize("order", [[1, 2, 3, 4], [1.0, 2.0, 3.0, 4.0], ["1", "2", "3", "4"]])
@pytest.mark.parametrize("dtype", [pl.Float64, pl.Int64, pl.String])
def test_an_order_is_compared_by_numbers(order: list[Any], dtype: Any) -> None:
    released = pl.DataFrame({"x": [1, 1, 2, 2], "edu": pl.Series([1, 2, 3, 4]).cast(dtype)})
    options: dict[str, Any] = {"confidential": ["edu"], "ordinal": {"edu": order}}
    assert finding(released, "t_closeness", t_closeness=1 / 3, **options).passed is True  # (¼ + ½ + ¼) / 3
    assert finding(released, "t_closeness", t_closeness=0.33, **options).passed is False


def test_an_order_of_texts_that_read_as_one_number_is_kept() -> None:
    released = pl.DataFrame({"x": [1, 1, 2, 2], "c": ["01", "1", "b", "c"]})
    options: dict[str, Any] = {"confidential": ["c"], "ordinal": {"c": ["01", "1", "b", "c"]}}
    assert finding(released, "t_closeness", t_closeness=1 / 3, **options).passed is True
    assert finding(released, "t_closeness", t_closeness=0.33, **options).passed is False


def test_an_order_that_is_not_known_is_asked_for() -> None:
    released = pl.DataFrame({"x": [1, 1, 2, 2], "c": ["low", "high", "low", "high"], "m": ["1", "2", "3", "n"]})
    with pytest.raises(InputError, match=r"t_closeness of column 'c' .* ordinal=\{'c': \[lowest"):
        finding(released, "t_closeness", confidential=["c"], ordinal=["c"], t_closeness=0.2)
    with pytest.raises(InputError, match="column 'c' of the release has a value in row 2 that its order does not name"):
        finding(released, "t_closeness", confidential=["c"], ordinal={"c": ["low"]}, t_closeness=0.2)
    with pytest.raises(InputError, match="t_closeness of column 'm' of the release needs the order"):
        finding(released, "t_closeness", confidential=["m"], t_closeness=0.2)
    ordered = released.with_columns(pl.col("c").cast(pl.Enum(["low", "high"])))
    options: dict[str, Any] = {"confidential": ["c"], "ordinal": ["c"], "t_closeness": 0.2}
    assert finding(released, "t_closeness", ordered, **options).passed is True, "the original has the order"


def test_contributors_are_units() -> None:
    firms = pl.DataFrame({"x": [1] * 4, "firm": [*"aaab"], "t": [300.0, 300.0, 300.0, 10.0]})
    options: dict[str, Any] = {"confidential": ["t"]}
    assert finding(firms, "dominance", dominance=[1, 0.6], **options).passed is True
    assert finding(firms, "dominance", dominance=[1, 0.6], unit="firm", **options).passed is False
    assert finding(firms, "p_percent", p_percent=50, **options).passed is True
    assert finding(firms, "p_percent", p_percent=50, unit="firm", **options).passed is False
    assert finding(firms.drop("firm"), "dominance", firms, dominance=[1, 0.6], unit="firm", **options).passed is False
    unknown = finding(firms.drop("firm"), "dominance", dominance=[1, 0.6], unit="firm", **options)
    assert unknown.passed is None
    assert "contributors are units, 'firm' is not in the release" in unknown.detail


def test_where_missing_cells_may_be_any_value_only_what_is_certain_fails() -> None:
    options: dict[str, Any] = {"missing": "available", "confidential": ["c"], "l_diversity": 2, "columns": ["x", "y"]}
    open_cells = pl.DataFrame({"x": [1, 1, 1, None], "y": [5, 5, None, 5], "c": [*"aaab"]})
    assert finding(open_cells, "l_diversity", **options).passed is None, "the last record agrees, and shares y"
    apart = pl.DataFrame({"x": [1, 1, None, None], "y": [None, None, 5, 5], "c": [*"aabb"]})
    found = finding(apart, "l_diversity", **options)
    assert found.passed is None
    assert "together with the records whose missing values may be the same" in found.detail
    certain = pl.DataFrame({"x": [1, 1, 2, 2, 2], "y": [5, 5, 6, 6, None], "c": [*"aaaba"]})
    assert finding(certain, "l_diversity", **options).passed is False
