"""Columns of statistical files: labelled codes are categories, codes of missing values are missing, dates are dates."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyreadstat
import pytest

from microagg import DoubtError, InputError, Plan, ReadError, inspect, protect, read, verify
from microagg.declared_levels import with_declared_levels
from microagg.model.source_protocol import CodebookSource
from statistical_cases import SINGLING, N, spss_survey, stata_survey, survey


def _spss(path: Path, columns: dict[str, list[Any]], **options: Any) -> Path:
    pyreadstat.write_sav(pd.DataFrame(columns), path, **options)
    return path


def test_kinds(tmp_path: Path) -> None:
    stata = read(stata_survey(tmp_path / "in.dta"))
    assert {name: stata.kind(name) for name in stata.names} == {
        "firm": "category",
        "sex": "category",
        "age": "integer",
        "income": "number",
        "health": "integer",
        "note": "text",
        "born": "date",
        "asked": "datetime",
        "weight": "number",
    }
    spss = read(spss_survey(tmp_path / "in.sav"))
    kinds = {name: stata.kind(name) for name in stata.names} | {"health": "category", "remarks": "text"}
    assert {name: spss.kind(name) for name in spss.names} == kinds
    assert (stata.source.file_kind, spss.source.file_kind) == ("Stata", "SPSS")


def test_codes_are_exact_and_labels_are_known(tmp_path: Path) -> None:
    for path in (stata_survey(tmp_path / "in.dta"), spss_survey(tmp_path / "in.sav")):
        source = read(path).source
        assert isinstance(source, CodebookSource)
        column = source.column("sex")
        assert column.categories == (1, 2, 3)
        assert all(type(category) is int for category in column.categories)
        assert source.values("sex") == survey()["sex"].to_list()
        assert source.value_label("sex", 3) == "other"
        assert source.label("age") == "Age in years"
        assert source.label("weight") is None
        with pytest.raises(ReadError, match=r"column 'sex' has labels .* row 1 holds \d; remove the labels"):
            source.numbers("sex")


def test_missing_values_differ_by_their_codes(tmp_path: Path) -> None:
    stata = read(stata_survey(tmp_path / "in.dta"))
    spss = read(spss_survey(tmp_path / "in.sav"))
    for table, marks in ((stata, [".a", ".b"]), (spss, [999, -5])):
        found = table.marks("age")
        assert found is not None
        assert [found[row] for row in (0, 1, 2)] == [None, *marks]
        assert np.isnan(table.numbers("age")).sum() == 7
        assert table.values("age")[1] is None
        codes = table.codes("age")
        assert len({codes[1], codes[2], codes[0]}) == 3
        assert codes[1] == codes[5] == codes[9]
        assert sorted(set(table.missing_codes("age").tolist())) == [0, 1, 2]
        assert table.marks("income") == [None] * N
        assert table.missing_codes("income").max() == 1
    assert spss.marks("note")[4] == "n/k"  # type: ignore[index]
    assert spss.values("note")[4] is None
    assert read(pl.DataFrame({"a": [1]})).marks("a") is None


def test_released_table_tells_codes_of_missing_values_apart(tmp_path: Path) -> None:
    release = protect(
        stata_survey(tmp_path / "in.dta"), 3, columns=["age"], exclude=SINGLING, missing="pattern", method="mdav"
    )
    codes = release.table.codes("age")
    assert codes[1] == codes[5] != codes[2]
    marks = release.table.marks("age")
    assert marks is not None
    assert marks[:3] == [None, ".a", ".b"]
    assert release.data["age"].null_count() == 7
    reordered = release.table.in_order(np.array([2, 1]))
    assert reordered.marks("age") == [".b", ".a"]


@pytest.mark.parametrize(
    ("labels", "missing", "measure", "kind"),
    [
        ({1: "a", 2: "b", 3: "c"}, [], "unknown", "category"),
        ({1: "a", 2: "b", 3: "c", 7: "never"}, [], "scale", "category"),
        ({1: "a"}, [], "unknown", "integer"),
        ({1: "a"}, [], "nominal", "category"),
        ({3: "not known"}, [3], "unknown", "integer"),
        ({3: "not known"}, [3], "nominal", "integer"),
        ({3: "not known", 1: "a"}, [3], "unknown", "integer"),
        ({3: "not known", 1: "a", 2: "b"}, [3], "unknown", "category"),
        ({}, [], "nominal", "integer"),
        ({1.5: "between", 1: "a", 2: "a", 3: "a"}, [], "unknown", "category"),
    ],
)
def test_labels_make_categories_unless_they_are_of_missing_values(
    labels: dict[float, str], missing: list[float], measure: str, kind: str, tmp_path: Path
) -> None:
    path = _spss(
        tmp_path / "in.sav",
        {"x": [1.0, 2.0, 3.0, 1.0]},
        variable_value_labels={"x": labels},
        missing_ranges={"x": missing},
        variable_measure={"x": measure},
        variable_format={"x": "F8.0"},
    )
    table = read(path)
    assert table.kind("x") == kind
    assert table.column("x").objects() == [1, 2, None if missing else 3, 1]
    assert (table.column("x").missing is not None) == bool(missing)


def test_values_and_labels_that_are_odd(tmp_path: Path) -> None:
    path = _spss(
        tmp_path / "in.sav",
        {"half": [1.5, 2.0, None], "text": ["a", "b", ""], "empty": [None, None, None], "big": [2.0**53, 1.0, 2.0]},
        variable_value_labels={
            "half": {1.5: "same", 2: "same"},
            "text": {"a": "first", "b": "second"},
            "empty": {1: "never"},
        },
        variable_format={"big": "F20.0"},
    )
    table = read(path)
    assert table.column("half").categories == (1.5, 2.0)
    assert [table.kind(name) for name in table.names] == ["category", "category", "category", "number"]
    assert table.values("text") == ["a", "b", None]
    assert table.column("empty").objects() == [None, None, None]
    release = protect(path, 2, columns=["half", "text"], missing="available")
    release.write(tmp_path / "out.sav")
    assert read(tmp_path / "out.sav").kind("half") == "category"


def test_measure_levels_order_codes(tmp_path: Path) -> None:
    path = spss_survey(tmp_path / "in.sav")
    table = read(path)
    plan = Plan(k=4, columns=["health", "sex"], exclude=SINGLING, method="mdav")
    assert with_declared_levels(plan, table).sets[0].ordinal == ("health",)
    assert with_declared_levels(Plan(k=4, columns=["health"], nominal=["health"]), table).sets[0].ordinal is None
    mapped = Plan(k=4, columns=["health", "income"], ordinal={"income": [1, 2]})
    orders = with_declared_levels(mapped, table).sets[0].ordinal
    assert orders.given == {"income": (1, 2), "health": (1, 2, 3, 4, 5)}  # type: ignore[union-attr]
    two = Plan(sets=[{"k": 3, "columns": ["sex"]}, {"k": 4, "columns": ["health"]}])
    assert [one.ordinal for one in with_declared_levels(two, table).sets] == [None, ("health",)]
    assert with_declared_levels(plan, read(survey().drop(columns=["born", "asked"]))) is plan
    release = protect(path, plan=plan)
    assert release.plan.sets[0].ordinal == ("health",)
    values = survey()["health"].to_numpy()
    for label in range(release.labels.max() + 1):
        group = np.sort(values[release.labels == label])
        assert release.data["health"].to_numpy()[release.labels == label][0] == group[(len(group) - 1) // 2]
    release.write(tmp_path / "out.sav")
    assert verify(path, tmp_path / "out.sav", plan=plan).passed
    assert verify(None, tmp_path / "out.sav", plan=plan).passed
    forced = protect(path, 4, columns=["health"], exclude=SINGLING, aggregate={"health": "mode"})
    assert forced.plan.sets[0].ordinal is None


def test_doubts_and_inspection(tmp_path: Path) -> None:
    path = _spss(
        tmp_path / "in.sav",
        {"amount": [10.5, 7.25, 0.0, 3.0] * 3, "level": [1.5, 3.0, 2.0, 4.0] * 3, "sex": [1.0, 2.0] * 6},
        column_labels={"amount": "Monthly \namount"},
        variable_value_labels={"amount": {0: "none"}, "sex": {1: "male", 2: "female"}},
        variable_measure={"level": "ordinal"},
    )
    with pytest.raises(DoubtError, match=r"'amount' has labels for some .*'level' is ordinal in the file"):
        protect(path, 3)
    inspection = inspect(path)
    amount, level, sex = inspection.columns
    assert amount.look("code") == "has labels for some of its values, so that it may hold codes"
    assert level.look("code") is not None
    assert amount.label == "Monthly \namount"
    assert sex.values.frequent == ("1 male", "2 female")
    assert "is labelled 'Monthly \\namount'" in inspection.summary()
    assert Plan.from_toml(inspection.to_toml())
    assert "'Monthly \\namount'" in inspection.to_toml()


def test_a_release_of_a_code_for_missing_values_is_refused(tmp_path: Path) -> None:
    path = _spss(
        tmp_path / "in.sav",
        {"x": [97.0, 100.0, 1.0, 3.0], "y": [2.0] * 4},
        missing_ranges={"x": [{"lo": 98, "hi": 99}]},
    )
    with pytest.raises(InputError, match=r"in column 'x' is one of the codes of the file, which stand for"):
        protect(path, 2, columns=["x"], method="mdav")
    assert protect(path, 2, columns=["x"], method="mdav", aggregate="medoid").measures.k_reached == 2


def test_source_is_pickled_and_shows_no_value(tmp_path: Path) -> None:
    table = read(spss_survey(tmp_path / "in.sav"))
    assert repr(table.source) == "StatisticalSource('in.sav', SPSS, 24 records, 10 columns)"
    again = pickle.loads(pickle.dumps(table))
    for name in table.names:
        assert again.values(name) == table.values(name)
        assert again.marks(name) == table.marks(name)
    assert "ACME" not in repr(table.source.book)  # type: ignore[attr-defined]


def test_description_is_plain(tmp_path: Path) -> None:
    source: Any = read(spss_survey(tmp_path / "in.sav")).source
    found = source.description("age")
    assert found["missing"] == [[-9.0, -1.0], [999.0, 999.0]]
    assert found["value_labels"] == {999: "refused", -5: "not known"}
    assert (found["measure"], found["format"], found["display_width"]) == ("unknown", "F3.0", 5)
    assert source.description(None) == {
        "file_label": "A survey",
        "notes": ["made for tests", "second line"],
        "encoding": "UTF-8",
    }
