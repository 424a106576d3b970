"""Verification of released tables."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import InputError, Verification, protect, verify


def _findings(verification: Verification) -> Any:
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
    assert findings["other columns"].detail == "as they came: 'company'"
    assert findings["identifying columns"].detail.startswith("different in every record: 'company'; whoever knows")
    assert all(finding.passed is not False for finding in findings.values())
    assert verification.summary().startswith("PASS\npass  k-anonymity")


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
    assert verify(frame, frame.with_columns(x=1), 1, ["x"]).findings[-1].detail == "as they came: 'id'"
    other = pl.DataFrame({"id": [2**60, 2**60 + 2], "x": 1})
    assert verify(frame, other, 1, ["x"]).findings[-1].detail == "changed: 'id'"


@pytest.mark.parametrize(
    ("values", "k_reached"),
    [
        (["123456789012345678.5", "123456789012345679.5"], 1),
        (["9007199254740993", "9007199254740992"], 1),
        (["1.50", "1.5"], 2),
        (["1", "NA", "", "1.0"], 2),
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
    assert findings["other columns"].detail == "as they came: 'who', 'n'"


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
