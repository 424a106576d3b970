"""Verification of released tables."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import Finding, InputError, Verification, protect, verify

pytestmark = pytest.mark.usefixtures("released_unasked")  # which is asked about in test_select.py


def _findings(verification: Verification) -> dict[str, Finding]:
    return {finding.check: finding for finding in verification.findings}


def test_good_release_passes(companies: Path) -> None:
    release = protect(companies, 3)
    verification = verify(companies, release.data, k=3, columns=["surface", "employees"])
    assert verification.passed
    assert verification.k_reached == 3
    findings = _findings(verification)
    assert findings["k-anonymity"].detail == (
        "every group has at least 3 records: 3 of 3 to 4 records, in 'surface', 'employees'"
    )
    assert findings["other columns"].detail == "unchanged: 'company'"
    assert findings["identifying columns"].detail.startswith("different in every record: 'company'; whoever knows")
    assert all(finding.passed is not False for finding in findings.values())
    assert verification.summary().startswith("PASS of what was checked, not of the whole file\npass  k-anonymity")


def test_original_itself_fails_and_rows_are_named(companies: Path) -> None:
    verification = verify(None, companies, 3, ["surface"])
    assert not verification.passed
    assert verification.k_reached == 1
    detail = verification.findings[0].detail
    assert detail == (
        "10 of 10 groups have fewer than 3 records, the smallest 1: 11 records, in rows 1, 2, 3, 4, 5, …, in 'surface'"
    )


def test_one_changed_cell_is_found(companies: Path) -> None:
    data = protect(companies, 3).data
    data[4, "surface"] = data[4, "surface"] + 1e-9
    assert verify(None, data, 3, ["surface", "employees"]).findings[0].passed is False


def test_any_tools_output_is_checked_text_and_missing_values_too() -> None:
    frame = pd.DataFrame({"age": ["[20,30)", "[20,30)", "*", "*"], "sex": ["f", "f", None, None]})
    assert verify(None, frame, 2, ["age", "sex"]).passed
    assert not verify(None, frame, 3, ["age", "sex"]).passed
    mixed = pl.DataFrame({"x": [1.5, 1.5, None, None], "n": [1, 1, 2, 2]})
    assert verify(None, mixed, 2, ["x", "n"]).passed
    lists = pl.DataFrame({"x": [[1], [1], [2], [2]]})
    assert verify(None, lists, 2, ["x"]).k_reached == 2
    arrays = pd.DataFrame({"x": [np.array([1.000000001]), np.array([1.000000002]), "[1.000000001]"]})
    assert verify(None, arrays, 2, ["x"]).k_reached == 1


def test_shuffled_table_is_seen_as_shuffled(companies: Path) -> None:
    release = protect(companies, 3, shuffle=True)
    finding = _findings(verify(companies, release.table, 3, release.columns))["other columns"]
    assert finding.detail == "the same values in another order: 'company'"


def test_long_integers_are_told_apart() -> None:
    frame = pl.DataFrame({"id": [2**60, 2**60 + 1]})
    assert verify(None, frame, 2, ["id"]).k_reached == 1
    assert verify(frame, frame.with_columns(x=1), 1, ["x"]).findings[-1].detail == "unchanged: 'id'"
    other = pl.DataFrame({"id": [2**60, 2**60 + 2], "x": 1})
    assert verify(frame, other, 1, ["x"]).findings[-1].detail == "changed: 'id'"


@pytest.mark.parametrize(
    ("values", "k_reached"),
    [
        (["123456789012345678.5", "123456789012345679.5"], 1),
        (["9007199254740993", "9007199254740992"], 1),
        (["1.50", "1.5"], 2),
        (["1", "NA", "NA", "1.0"], 2),
        (["1", "NA", "", "1.0"], 1),
        (["x", "x "], 2),
        (["a", "A"], 1),
    ],
)
def test_values_in_a_text_file_are_told_apart_exactly(values: Any, k_reached: int, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("x,y\n" + "".join(f"{value},z\n" for value in values))
    assert verify(None, path, 2, ["x", "y"]).k_reached == k_reached


def test_numbers_written_differently_are_the_same_number(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("x,y\n1.50,a\n1.5,a\n2,b\n2.0,b\n")
    assert verify(None, path, 2, ["x", "y"]).passed


def test_k_beyond_the_number_of_records_fails_without_an_error() -> None:
    verification = verify(None, np.ones((3, 1)), 5, [0])
    assert (verification.passed, verification.k_reached) == (False, 3)


@pytest.mark.parametrize(
    ("change", "check", "passed", "words"),
    [
        (lambda frame: frame[:-2], "records", None, "11 before, 9 after"),
        (lambda frame: pl.concat([frame, frame[:2]]), "records", False, "11 before, 13 after"),
        (lambda frame: frame.drop("company"), "columns", None, "left out of the release: 'company'"),
        (lambda frame: frame.with_columns(group=1), "columns", None, "not in the original: 'group'"),
        (lambda frame: frame.with_columns(company=pl.lit("x")), "other columns", None, "changed: 'company'"),
        (lambda frame: frame.reverse(), "other columns", None, "another order: 'company'"),
        (
            lambda frame: frame.with_columns(pl.col("surface") + 1),
            "column means",
            None,
            "moved: 'surface' from 595.455 to",
        ),
        (lambda frame: frame.with_columns(pl.col("surface") * 1.1), "column means", None, "from 595.455 to 655"),
        (lambda frame: frame.with_columns(pl.col("surface") * (1 + 1e-8)), "column means", None, "to 595.454551"),
        (lambda frame: frame.with_columns(group=pl.col("company")), "identifying columns", None, "'company', 'group'"),
    ],
)
def test_every_difference_is_a_finding(companies: Path, change: Any, check: str, passed: Any, words: str) -> None:
    released = change(protect(companies, 3).data)
    finding = _findings(verify(companies, released, 3, ["surface", "employees"]))[check]
    assert finding.passed is passed
    assert words in finding.detail


def test_means_are_compared_only_where_there_are_any() -> None:
    frame = pl.DataFrame({"x": [1.0, np.inf], "y": [1.0, None]})
    assert {finding.check for finding in verify(frame, frame, 1, ["x", "y"]).findings} == {"k-anonymity", "records"}
    assert verify(frame[:0], frame, 1, ["x"]).passed is False


@pytest.mark.parametrize("k", [0, -1, "3", 2.0])
def test_verify_refuses_k(companies: Path, k: Any) -> None:
    with pytest.raises(InputError, match="k must be"):
        verify(None, companies, k, ["surface"])


def test_verify_refuses_unknown_columns_and_nothing(companies: Path) -> None:
    with pytest.raises(InputError, match="no column 'z'"):
        verify(None, companies, 3, ["z"])
    with pytest.raises(InputError, match="no records"):
        verify(None, pl.DataFrame({"x": []}, schema={"x": pl.Float64}), 3, ["x"])
    with pytest.raises(InputError, match="name the columns to verify"):
        verify(None, companies, 3, None)


def test_decimal_comma_and_point_are_the_same_number(tmp_path: Path) -> None:
    (tmp_path / "before.csv").write_text("who;x;n\na;1,5;0,25\nb;2,5;0,5\n")
    (tmp_path / "after.csv").write_text("who,x,n\na,2.0,0.25\nb,2.0,0.50\n")
    findings = _findings(verify(tmp_path / "before.csv", tmp_path / "after.csv", 2, ["x"]))
    assert findings["other columns"].detail == "unchanged: 'who', 'n'"


@pytest.mark.parametrize(("moved", "passed"), [(0.9e-9, True), (1.1e-9, None)])
def test_means_are_kept_up_to_rounding(moved: Any, passed: Any) -> None:
    before = pl.DataFrame({"x": [1.0, 3.0]})  # mean 2, deviation 1
    after = pl.DataFrame({"x": [2.0 + 3 * moved, 2.0 + 3 * moved]})
    assert _findings(verify(before, after, 2, ["x"]))["column means"].passed is passed


def test_an_identifier_beside_the_protected_columns_is_remarked() -> None:
    frame = pl.DataFrame({"x": [1.5, 1.5, 8.5, 8.5], "id": [4, 2, 9, 7], "town": ["a", "a", "b", "c"]})
    verification = verify(None, frame, 2, ["x"])
    assert verification.passed
    assert _findings(verification)["identifying columns"].detail.startswith("different in every record: 'id';")
    assert "identifying columns" not in _findings(verify(None, frame.drop("id"), 2, ["x"]))


@pytest.mark.parametrize(
    ("values", "detail"),
    [
        ([1, 1, 1, 2], "1 of 2 groups have fewer than 2 records, the smallest 1: 1 records, in row 4, in 'x'"),
        ([1, 2, 2, 3], "2 of 3 groups have fewer than 2 records, the smallest 1: 2 records, in rows 1, 4, in 'x'"),
        ([1, 2, 3, 4, 5], "5 of 5 groups have fewer than 2 records, the smallest 1: 5 records, in rows 1, 2, 3, 4, 5,"),
        ([1, 2, 3, 4, 5, 6], "the smallest 1: 6 records, in rows 1, 2, 3, 4, 5, …, in 'x'"),
    ],
)
def test_rows_of_small_groups_are_named(values: list[int], detail: str) -> None:
    finding = verify(None, pl.DataFrame({"x": values}), 2, ["x"]).findings[0]
    assert (finding.check, finding.passed) == ("k-anonymity", False)
    assert detail in finding.detail


@pytest.mark.parametrize(("k", "passed"), [(1, True), (2, True), (3, True), (4, False)])
def test_k_is_checked_at_its_edge(k: int, passed: bool) -> None:
    verification = verify(None, pl.DataFrame({"x": [1, 1, 1, 2, 2, 2, 2]}), k, ["x"])
    assert (verification.passed, verification.k, verification.k_reached) == (passed, k, 3)
    assert verification.columns == ("x",)
    if passed:
        expected = f"every group has at least {k} records: 2 of 3 to 4 records, in 'x'"
        assert verification.findings == (Finding("k-anonymity", True, expected),)


@pytest.mark.parametrize(
    ("moved", "passed"), [(0.0, True), (0.99e-9, True), (1.01e-9, None), (1e-6, None), (1e-3, None)]
)
def test_a_mean_may_move_by_rounding_only(moved: float, passed: bool | None) -> None:
    before = pl.DataFrame({"x": [1.0, 3.0], "c": [-4.0, -4.0]})  # |mean| + deviation: 3 and 4
    for sign in (1, -1):
        after = pl.DataFrame({"x": [2.0 + sign * 3 * moved] * 2, "c": [-4.0, -4.0]})
        assert _findings(verify(before, after, 2, ["x", "c"]))["column means"].passed is passed
        after = pl.DataFrame({"x": [2.0, 2.0], "c": [-4.0 + sign * 4 * moved] * 2})
        assert _findings(verify(before, after, 2, ["x", "c"]))["column means"].passed is passed


def test_the_mean_of_zeros_is_kept() -> None:
    zeros = pl.DataFrame({"x": [0.0, 0.0]})
    assert _findings(verify(zeros, zeros, 2, ["x"]))["column means"].passed is True


def test_means_are_written_with_the_digits_that_tell_them_apart() -> None:
    before = pl.DataFrame({"x": [1.0, 3.0], "y": [1.0, 3.0], "z": [1.0, 1.0]})
    after = pl.DataFrame({"x": [2.5, 2.5], "y": [2.0 + 4e-7] * 2, "z": [1.0, 1.0]})
    finding = _findings(verify(before, after, 2, ["x", "y", "z"]))["column means"]
    assert finding.detail == "moved: 'x' from 2 to 2.5, 'y' from 2 to 2.0000004"
    assert _findings(verify(before, before, 1, ["x", "y", "z"]))["column means"].detail == "kept: 'x', 'y', 'z'"
    tiny = pl.DataFrame({"x": [2.0 + 4e-9] * 2, "y": [2.0] * 2, "z": [1.0, 1.0]})
    assert _findings(verify(before, tiny, 2, ["x"]))["column means"].detail == "moved: 'x' from 2 to 2.000000004"


def test_records_may_be_suppressed_but_not_invented() -> None:
    frame = pl.DataFrame({"x": [1.0, 1.0, 2.0, 2.0], "who": ["a", "b", "a", "b"]})
    for n, passed in ((3, None), (4, True)):
        verification = verify(frame, frame[:n], 1, ["x"])
        assert _findings(verification)["records"].passed is passed
        assert verification.passed
        assert ("other columns" in _findings(verification)) is (n == 4)
    more = verify(frame[:3], frame, 1, ["x"])
    assert _findings(more)["records"] == Finding("records", False, "3 before, 4 after")
    assert "other columns" not in _findings(more)
    assert not more.passed


def test_only_numbers_have_means() -> None:
    before = pl.DataFrame({"x": [1.0, 2.0], "t": ["a", "a"], "m": [1.0, None]})
    findings = _findings(verify(before, before, 1, ["x", "t", "m"]))
    assert findings["column means"].detail == "kept: 'x'"
    after = before.with_columns(x=pl.Series(["a", "a"]))
    assert "column means" not in _findings(verify(before, after, 1, ["x"]))
    assert "column means" not in _findings(verify(after, before, 1, ["x"]))


def test_columns_added_and_left_out_are_remarked() -> None:
    before = pl.DataFrame({"x": [1.0, 1.0], "a": ["u", "u"], "b": ["u", "u"]})
    after = pl.DataFrame({"x": [1.0, 1.0], "b": ["u", "u"], "c": ["u", "u"]})
    details = [finding.detail for finding in verify(before, after, 2, ["x"]).findings if finding.check == "columns"]
    assert details == ["not in the original: 'c'", "left out of the release: 'a'"]
    assert "columns" not in _findings(verify(before, before, 2, ["x"]))


def test_what_cannot_be_verified_is_refused(companies: Path) -> None:
    with pytest.raises(InputError) as caught:
        verify(None, pl.DataFrame({"x": []}), 3, ["x"])
    assert str(caught.value) == "the release has no records: there is nothing to verify"
    with pytest.raises(InputError) as caught:
        verify(None, companies, 3, None)
    assert str(caught.value) == "name the columns to verify: a verdict on guessed ones would be worthless"
