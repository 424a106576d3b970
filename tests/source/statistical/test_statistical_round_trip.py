"""A release is the file that was read, identical in everything but the protected columns."""

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

import microagg
from microagg import Plan, protect, protect_file, read, verify
from microagg.cli import main
from statistical_cases import PROTECTED, STATA_OF_PANDAS, N, assert_kept, contents, spss_survey, stata_survey, survey

OPTIONS: dict[str, Any] = {"method": "mdav", "missing": "pattern", "exclude": ["firm", "asked", "weight"]}
SPSS = [{}, {"row_compress": True}, {"compress": True}]


def _spss_path(folder: Path, compression: dict[str, bool]) -> Path:
    return folder / ("in.zsav" if "compress" in compression else "in.sav")


@pytest.mark.parametrize("version", [8, 10, 12, 13, 14, 15])
def test_stata_file_keeps_everything_but_the_protected_columns(version: int, tmp_path: Path) -> None:
    before = stata_survey(tmp_path / "in.dta", version)
    after = tmp_path / "out.dta"
    protect_file(before, after, 3, columns=PROTECTED, **OPTIONS)
    _, old = contents(before)
    values, new = contents(after)
    assert_kept(before, after, [name for name in old.column_names if name not in PROTECTED])
    assert new.column_names == old.column_names
    for fact in ("column_names_to_labels", "variable_value_labels", "missing_user_values", "variable_measure"):
        assert getattr(new, fact) == getattr(old, fact)
    assert {name for name in PROTECTED if new.readstat_variable_types[name] != old.readstat_variable_types[name]} == {
        "age"
    }
    assert new.readstat_variable_types["age"] == "double"
    assert new.original_variable_types == {**old.original_variable_types, "age": "%12.2f"}
    assert [values["age"][row] for row in (1, 5, 9, 13)] == ["a"] * 4
    assert [values["age"][row] for row in (2, 6, 10)] == ["b"] * 3
    assert [values["income"][row] for row in (3, 7, 11)] == [None] * 3
    assert all(day == int(day) for day in values["born"])


@pytest.mark.parametrize("compression", SPSS)
def test_spss_file_keeps_everything_but_the_protected_columns(compression: dict[str, bool], tmp_path: Path) -> None:
    before = spss_survey(_spss_path(tmp_path, compression), **compression)
    after = before.with_stem("out")
    protect_file(before, after, 3, columns=PROTECTED, **OPTIONS)
    _, old = contents(before)
    values, new = contents(after)
    assert_kept(before, after, [name for name in old.column_names if name not in PROTECTED])
    assert new.column_names == old.column_names
    for fact in ("column_names_to_labels", "variable_value_labels", "missing_ranges", "variable_measure"):
        assert getattr(new, fact) == getattr(old, fact)
    assert new.original_variable_types == {**old.original_variable_types, "age": "F6.2"}
    assert new.variable_display_width == {**old.variable_display_width, "age": 8}
    assert [values["age"][row] for row in (1, 5, 9, 13)] == [999.0] * 4
    assert [values["age"][row] for row in (2, 6, 10)] == [-5.0] * 3
    assert [values["income"][row] for row in (3, 7, 11)] == [None] * 3
    assert all(seconds % 86400 == 0 for seconds in values["born"])
    assert after.read_bytes()[:4] == before.read_bytes()[:4]
    assert after.read_bytes()[72:76] == before.read_bytes()[72:76], "another compression"


@pytest.mark.parametrize("make", [stata_survey, spss_survey])
def test_release_is_what_the_groups_of_a_dataframe_are(make: Any, tmp_path: Path) -> None:
    path = make(tmp_path / ("in.dta" if make is stata_survey else "in.sav"))
    release = protect(path, 3, columns=PROTECTED, **OPTIONS)
    table = read(path)
    age = pd.Series(table.numbers("age"))
    marks = pd.Series(table.marks("age"))
    frame = survey().assign(
        age=age.where(age.notna(), np.where(marks.isin([".a", 999]), -1.0, -2.0)),
        income=table.numbers("income"),
        born=pd.to_datetime(survey()["born"]).dt.date,
    )
    expected = protect(frame, 3, columns=PROTECTED, nominal=["sex"], missing_values={"age": [-1, -2]}, **OPTIONS)
    assert np.array_equal(release.labels, expected.labels)
    assert release.measures.information_loss == pytest.approx(expected.measures.information_loss)
    assert release.data["sex"].to_list() == expected.data["sex"].to_list()


def test_integers_that_are_kept_keep_their_type(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "byte_": np.arange(N, dtype=np.int8),
            "int_": np.arange(N, dtype=np.int16) * 101,
            "long_": np.arange(N, dtype=np.int32) * 10_001,
            "float_": np.arange(N, dtype=np.float32) / 4,
            "double_": np.arange(N) / 3,
        }
    )
    before = tmp_path / "in.dta"
    frame.to_stata(before, write_index=False, version=118)
    for keep, types in ((True, ["int8", "int16", "int32"]), (False, ["double"] * 3)):
        after = tmp_path / f"out{keep}.dta"
        protect_file(before, after, 4, columns=list(frame), method="mdav", keep_integers=keep)
        values, found = contents(after)
        assert list(found.readstat_variable_types.values()) == [*types, "float", "double"]
        assert len(set(values["byte_"])) <= N // 4
        assert keep == all(isinstance(value, int) for value in values["byte_"])


@pytest.mark.parametrize(("version", "byteorder"), STATA_OF_PANDAS)
def test_stata_files_of_pandas_keep_types_and_byte_order(version: int, byteorder: str, tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "byte_": np.arange(N, dtype=np.int8),
            "int_": np.arange(N, dtype=np.int16),
            "float_": pd.Series(np.arange(N, dtype=np.float32)).where(np.arange(N) != 2),
            "text": ["a", "", "ccc"] * (N // 3),
            "income": np.sin(np.arange(N)),
        }
    )
    long = {} if version == 114 else {"long_text": ["", "u" * 3000, "w"] * (N // 3)}
    before = tmp_path / "in.dta"
    options: dict[str, Any] = {"convert_strl": ["long_text"]} if long else {}
    frame.assign(**long).to_stata(
        before,
        write_index=False,
        version=version,
        byteorder=byteorder,
        data_label="made by pandas",
        variable_labels={"byte_": "small"},
        value_labels={"int_": {1: "one"}},
        **options,
    )
    after = tmp_path / "out.dta"
    protect_file(before, after, 4, columns=["income"], exclude=["byte_", "int_", "float_"], method="mdav")
    assert_kept(before, after, ["byte_", "int_", "float_", "text", *long])
    assert len(set(contents(after)[0]["income"])) == N // 4


@pytest.mark.parametrize(
    ("make", "ending", "kinds"),
    [
        (spss_survey, "sav", "file label, notes"),
        (spss_survey, "dta", "file label"),
        (stata_survey, "dta", "file label"),
        (stata_survey, "csv", None),
    ],
)
def test_free_texts_that_are_kept_are_told(
    make: Any, ending: str, kinds: str | None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = make(tmp_path / ("in.sav" if make is spss_survey else "in.dta"))
    table = read(path)
    microagg.write(table.without([name for name in table.names if name not in PROTECTED]), tmp_path / f"out.{ending}")
    told = [message for message in caplog.messages if "free texts" in message]
    assert [message.partition(" are kept as they are: ")[2].partition(";")[0] for message in told] == (
        [] if kinds is None else [kinds]
    )
    assert not any("survey" in message or "made for tests" in message for message in told)


def test_dates_come_back_as_dates_of_the_same_format(tmp_path: Path) -> None:
    for path in (stata_survey(tmp_path / "in.dta"), spss_survey(tmp_path / "in.sav")):
        table = read(path)
        assert (table.kind("born"), table.kind("asked")) == ("date", "datetime")
        assert table.values("born")[0] == dt.date(1940, 1, 3)
        assert table.values("asked")[3] == dt.datetime(2024, 5, 4, 12, 30, 3, 250_000)
        after = path.with_stem("out")
        protect_file(path, after, 4, columns=["born", "asked"], exclude=["firm", "weight"], method="mdav")
        reading = pyreadstat.read_dta if path.suffix == ".dta" else pyreadstat.read_sav
        frame, found = reading(after, extra_date_formats=["%tdDD/NN/CCYY"] if path.suffix == ".dta" else None)
        assert isinstance(frame["born"][0], dt.date)
        assert found.original_variable_types["born"] in ("%tdDD/NN/CCYY", "EDATE10")
        means = pd.to_datetime(frame["born"]).astype("datetime64[s]").astype(np.int64).groupby(frame["born"]).size()
        assert means.min() >= 4


def test_verify_measure_and_changes_by_plan(tmp_path: Path) -> None:
    plan = Plan(k=3, columns=[*PROTECTED, "health"], **OPTIONS)
    for path in (stata_survey(tmp_path / "in.dta"), spss_survey(tmp_path / "in.sav")):
        after = path.with_stem("out")
        release = protect_file(path, after, plan=plan)
        assert verify(path, after, plan=plan).passed
        assert verify(None, after, plan=plan).passed
        measured = microagg.measure(path, after, plan=release.plan)
        assert measured.information_loss == pytest.approx(release.measures.information_loss)
        changes = microagg.changes(path, after, plan=plan)
        changed = {column.name for column in changes.columns if column.cells is not None and column.cells.total}
        assert changed <= {*PROTECTED, "health"}
        assert not verify(path, path, plan=plan).passed


@pytest.mark.parametrize("ending", ["csv", "parquet", "dta", "sav"])
def test_conversions_are_verified_too(ending: str, tmp_path: Path) -> None:
    plan = Plan(k=3, columns=PROTECTED, **OPTIONS)
    for path in (stata_survey(tmp_path / "in.dta"), spss_survey(tmp_path / "in.sav")):
        after = tmp_path / f"{path.suffix[1:]}.{ending}"
        protect_file(path, after, plan=plan)
        found = verify(path, after, plan=plan)
        assert found.passed, found.summary()


def test_a_changed_code_of_a_missing_value_is_found(tmp_path: Path) -> None:
    plan = Plan(k=3, columns=["income", "born"], **OPTIONS)
    path = stata_survey(tmp_path / "in.dta")
    after = tmp_path / "out.dta"
    protect_file(path, after, plan=plan)
    values, found = contents(after)
    frame = pd.DataFrame({name: pd.Series(column, dtype=object) for name, column in values.items()})
    frame["age"] = frame["age"].replace("a", "c")
    frame = frame.astype({"firm": "int32", "sex": "int32", "health": "int32", "income": float, "weight": float})
    frame = frame.astype({"born": float, "asked": float})
    other = tmp_path / "other.dta"
    pyreadstat.write_dta(
        frame,
        other,
        missing_user_values={"age": ["b", "c"]},
        variable_format=found.original_variable_types,
        variable_value_labels=found.variable_value_labels | {"age": {"c": "refused"}},
    )
    assert verify(path, after, plan=plan).passed
    failed = verify(path, other, plan=plan)
    assert [finding.check for finding in failed.findings if finding.passed is False] == ["untouched columns"]
    changes = microagg.changes(path, other, plan=plan)
    assert next(column for column in changes.columns if column.name == "age").cells.rewritten == 4  # type: ignore[union-attr]


def test_command_line_and_standard_streams(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    path = spss_survey(tmp_path / "in.sav")
    plan = ["--columns", "income,sex", "--exclude", "firm,born,asked,weight", "--missing", "pattern"]
    with pytest.raises(SystemExit, match="0"):
        main(["protect", str(path), "-k", "3", *plan, "-o", "-"])
    after = tmp_path / "out.sav"
    after.write_bytes(capsysbinary.readouterr().out)
    assert_kept(path, after, ["firm", "age", "note", "born", "asked", "weight", "health", "remarks"])
