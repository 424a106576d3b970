"""Cases that a review of real files has found, each at its smallest."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import InputError, MethodError, Plan, Run, protect, read, verify
from microagg.cli.typed_options import typed_options
from microagg.model.column_set import SetOptions
from microagg.report import report

pytestmark = pytest.mark.usefixtures("released_unasked")  # which is asked about in test_select.py


def test_codes_of_confidential_columns_survive_individual_ranking() -> None:
    frame = pd.DataFrame({"x": np.arange(12.0), "z": np.arange(12.0)[::-1], "c": [1, 2, 3, 4] * 3})
    release = protect(
        frame, 4, columns=["x", "z"], method="individual-ranking", confidential=["c"], nominal=["c"], t_closeness=0.5
    )
    assert release.plan.codes.nominal == ("c",)


def test_a_mark_is_given_twice_on_the_command_line() -> None:
    table = read(pl.DataFrame({"a": [1, -9], "city": ["007", "Ulm"], "b=c": ["x", "y"]}))
    assert typed_options(table, {"missing_values": ["a=-9", "a=-8"]}) == {"missing_values": {"a": [-9, -8]}}
    assert typed_options(table, {"missing_values": ["city=007,NaN"]}) == {"missing_values": {"city": ["007", "NaN"]}}
    assert typed_options(table, {"ordinal": ["city=01<02"]}) == {"ordinal": {"city": ["01", "02"]}}
    assert typed_options(table, {"ordinal": ["b=c"]}) == {"ordinal": ["b=c"]}
    with pytest.raises(InputError, match="--aggregate of column 'a' is given twice"):
        typed_options(table, {"aggregate": ["a=mean", "a=mode"]})


def test_a_mark_written_as_text_is_found_among_numbers() -> None:
    frame = pd.DataFrame({"x": [1.0, 2, -9, 4, 5, 6, 8, -9]})
    release = protect(frame, 2, columns=["x"], missing="pattern", missing_values={"x": ["-9"]})
    assert release.data["x"].tolist()[2::5] == [-9.0, -9.0]
    assert release.data["x"].min() == -9.0
    assert (release.data["x"].drop([2, 7]) > 0).all()


def test_numpy_marks_and_nan() -> None:
    assert Plan(k=2, missing="drop", missing_values={"x": [np.int64(-9)]}).given["missing_values"] == {"x": (-9,)}
    with pytest.raises(InputError, match="NaN, which is missing anyway"):
        Plan(k=2, missing_values={"x": [float("nan")]})


def test_k_on_all_columns_together_counts_units() -> None:
    home = [1, 1, 2, 2, 3, 3, 4, 4]
    frame = pd.DataFrame({"home": home, "x": [1.0] * 4 + [9.0] * 4, "y": [1.0, 1.0, 9.0, 9.0] * 2})
    sets: list[SetOptions] = [{"columns": ["x"]}, {"columns": ["y"]}]
    release = protect(frame, 2, sets=sets, unit="home", method="mdav")
    assert release.together is not None
    assert release.together.k_reached == 1
    assert "NOT 2-anonymous" in release.summary()


def test_reports_do_not_name_strata_that_are_not_released() -> None:
    frame = pd.DataFrame({"s": ["SECRETA"] * 4 + ["SECRETB"] * 4 + ["SECRETC"], "x": np.arange(9.0)})
    options: dict[str, Any] = {"columns": ["x"], "strata": ["s"], "small_strata": "merge", "method": "mdav"}
    hidden = protect(frame, 2, drop=["s"], **options)
    for text in (report(hidden), report(hidden, "json"), hidden._repr_html_(), repr(hidden)):
        assert "SECRET" not in text
    assert "SECRETC" in report(protect(frame, 2, **options))


def test_the_medoid_is_the_nearest_record_and_not_the_lightest() -> None:
    frame = pd.DataFrame({"x": [0.0, 10.0, 11.0, 13.0, 100.0, 101.0, 102.0, 103.0], "w": [0.001, *[100.0] * 7]})
    release = protect(
        frame, 4, columns=["x"], weight="w", weighted_loss=True, aggregate="medoid", method="mdav", random_state=0
    )
    assert release.data["x"].tolist()[:4] == [11.0] * 4


@pytest.mark.parametrize("dtype", ["int64", "category"])
def test_sets_beside_marks_in_pandas(dtype: str) -> None:
    codes = pd.Series([1, 2, 1, 3, -9, -9]).astype(dtype)
    plan = Plan(
        k=2, columns=["c"], nominal=["c"], aggregate="set", missing="pattern", missing_values={"c": [-9]}, method="mdav"
    )
    release = protect(pd.DataFrame({"c": codes}), plan=plan)
    assert [str(value) for value in release.data["c"]][4:] == ["-9", "-9"]


def test_a_mean_that_would_be_read_as_missing_is_refused_by_its_own_sentence() -> None:
    frame = pd.DataFrame({"x": [998, 1000, 5, 7, 999, 999]})
    with pytest.raises(InputError, match="column 'x' is one of 999, which stand for a missing value"):
        protect(
            frame, 2, columns=["x"], keep_integers=True, missing="pattern", missing_values={"x": [999]}, method="mdav"
        )


def test_individual_ranking_goes_with_what_it_can() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, np.nan, 4.0, 5.5, 6.0], "n": [1, 2, 3, 4, 5, 6], "t": list("aabbcc")})
    options: dict[str, Any] = {"method": "individual-ranking", "columns": ["x", "n"]}
    release = protect(frame, 2, missing="available", **options)
    assert release.data["x"].isna().tolist() == frame["x"].isna().tolist()
    filled = frame.fillna(3.25)
    assert protect(filled, 2, keep_integers=True, rounding="total", **options).data["n"].dtype.kind == "i"
    with pytest.raises(MethodError, match="sorts each column, and column 't' holds categories without order"):
        protect(frame, 2, method="individual-ranking", columns=["n", "t"])


def test_a_release_with_dates_passes_by_its_own_plan() -> None:
    born = pd.date_range("1980-01-01", periods=9)
    frame = pd.DataFrame({"s": ["a"] * 4 + ["b"] * 5, "x": np.arange(9.0), "born": born})
    release = protect(frame, 2, columns=["x", "born"], strata=["s"], method="mdav")
    assert verify(frame, release.data, plan=release.plan).passed


def test_marks_of_missing_values_in_a_text_file_are_patterns_of_their_own(tmp_path: Path) -> None:
    source = tmp_path / "marks.csv"
    source.write_text("x\n" + "1\n2\n" + "NA\nNA\n" + ".\n.\n" + '""\n')
    options: dict[str, Any] = {"columns": ["x"], "missing": "pattern", "method": "mdav"}
    with pytest.raises(InputError, match=r"without x \(blank\): 1"):
        protect(source, 2, **options)
    release = protect(source, 2, small_strata="suppress", **options)
    release.write(tmp_path / "safe.csv")
    assert (tmp_path / "safe.csv").read_text().split() == ["x", "1.5", "1.5", "NA", "NA", ".", "."]
    assert verify(source, tmp_path / "safe.csv", plan=release.plan).passed


def test_text_that_may_be_no_category_is_asked_about() -> None:
    frame = pl.DataFrame({"level": ["low", "NA", "high", "low", "high", "NA"], "born": ["31.12.1980", "1.1.1990"] * 3})
    with pytest.raises(InputError, match="column 'level' has 'NA', which may stand for a missing value"):
        protect(frame, 2, columns=["level"])
    options: dict[str, Any] = {"columns": ["level"], "method": "mdav"}
    release = protect(frame, 2, missing="pattern", missing_values={"level": ["NA"]}, **options)
    assert release.data["level"].to_list()[1::4] == ["NA", "NA"]
    assert protect(frame, 2, nominal=["level"], **options).n_groups
    with pytest.raises(InputError, match="column 'born' holds dates that are not written as 1980-12-31"):
        protect(frame, 2, columns=["born"])


def test_what_may_not_be_meant_is_remarked() -> None:
    frame = pd.DataFrame({"x": [1.5, 2.25, 4.5, 8.0, 16.5, 33.0, -9.0, -9.0], "sex": [1, 2] * 4})
    release = protect(frame, 2, columns=["x", "sex"], method="mdav")
    about_x, about_sex = release.remarks
    assert about_x.startswith("column 'x' has what may be a sentinel for a missing value: -9")
    assert "'sex' looks like a code" in about_sex
    assert "warning 2" in release.summary()
    known = protect(frame, 2, columns=["x", "sex"], nominal=["sex"], missing="drop", missing_values={"x": [-9]})
    assert known.remarks == ()


def test_codes_with_leading_zeros_beside_a_text_mark_stay_codes(tmp_path: Path) -> None:
    source = tmp_path / "codes.csv"
    source.write_text("plz\n01010\n01010\n09020\n09020\nNA\nNA\n")
    marked = read(source).with_missing_values({"plz": ["NA"]})
    assert marked.kind("plz") == "text"
    release = protect(source, 2, columns=["plz"], missing="pattern", missing_values={"plz": ["NA"]}, method="mdav")
    release.write(tmp_path / "safe.csv")
    assert set((tmp_path / "safe.csv").read_text().split()) <= {"plz", "01010", "09020", "NA"}
    numbers = pd.DataFrame({"c": pd.Categorical([1, 2, 1, 2])})
    assert read(numbers).with_missing_values({"c": ["x"]}).kind("c") == read(numbers).kind("c")


def test_a_mark_that_an_order_names_is_a_category() -> None:
    frame = pl.DataFrame({"level": ["low", "NA", "high", "low", "high", "NA"]})
    release = protect(frame, 2, columns=["level"], ordinal={"level": ["NA", "low", "high"]}, method="mdav")
    assert set(release.data["level"]) <= {"NA", "low", "high"}


def test_a_run_that_is_cancelled_among_its_strata_releases_legal_groups() -> None:
    frame = pl.DataFrame({"s": np.repeat(np.arange(60), 8), "x": np.arange(480.0), "y": np.arange(480.0)[::-1]})
    runs: list[Run] = []
    run = Run(progress=lambda *report: runs[0].cancel())
    runs.append(run)
    release = protect(frame, 3, columns=["x", "y"], strata=["s"], run=run)
    assert release.sizes.min() >= 3
    assert len(set(zip(release.labels.tolist(), frame["s"].to_list(), strict=True))) == release.n_groups
