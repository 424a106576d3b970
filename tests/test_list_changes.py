"""Everything that differs between a table and its release is listed, and no value of either."""

import datetime as dt
import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import CellChanges, InputError, MetadataChange, Plan, changes, protect, read, write
from microagg.report import report

SURVEY = pl.DataFrame(
    {
        "name": ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fritz"],
        "income": [1100.5, 1200.25, 5100.0, 5200.75, 9100.0, 9300.5],
        "age": [31, 33, 58, 60, 71, 74],
        "sex": ["f", "m", "f", "f", "m", "m"],
        "seen": [dt.date(2020, 1, day) for day in range(1, 7)],
    }
)
PLAN = Plan(k=2, columns=["income", "age"], identifiers=["name"], exclude=["seen"])


def test_a_release_differs_by_what_its_plan_says() -> None:
    release = protect(SURVEY, plan=PLAN)
    found = changes(SURVEY, release.data, plan=PLAN)
    assert (found.n_before, found.n_after, found.n_left_out, found.order) == (6, 6, 0, "kept")
    assert (found.dropped, found.added, found.changed) == (("name",), (), ("income", "age"))
    assert found.unplanned == ()
    assert found.columns_in_order
    assert found.table == ()
    roles = {column.name: column.role for column in found.columns}
    expected = {
        "name": "identifier",
        "income": "protected",
        "age": "protected",
        "sex": "untouched",
        "seen": "untouched",
    }
    assert roles == expected
    by_name = {column.name: column for column in found.columns}
    assert by_name["income"].cells == CellChanges(altered=6)
    assert by_name["age"].metadata == (MetadataChange("type", "Int64", "Float64"),)
    assert (by_name["age"].kind_before, by_name["age"].kind_after) == ("integer", "number")
    assert by_name["sex"].cells == CellChanges()
    assert not by_name["sex"].is_changed


def test_nothing_has_changed() -> None:
    found = changes(SURVEY, SURVEY)
    assert (found.dropped, found.added, found.changed, found.table) == ((), (), (), ())
    assert [column.metadata for column in found.columns] == [()] * 5
    assert all(column.same_values for column in found.columns)
    assert all(column.role is None for column in found.columns)


def test_what_the_plan_does_not_say_is_unplanned() -> None:
    release = protect(SURVEY, plan=PLAN).data
    spoilt = release.with_columns(sex=pl.Series(["f", "f", "f", "f", "m", "m"]), extra=pl.lit(1)).drop("seen")
    found = changes(SURVEY, spoilt, plan=PLAN)
    assert found.unplanned == ("sex", "seen", "extra")
    assert found.added == ("extra",)
    assert found.dropped == ("name", "seen")


def test_dropped_and_renumbered_columns_are_planned() -> None:
    plan = Plan(k=2, columns=["income"], renumber=["name"], drop=["seen"], exclude=["age"])
    found = changes(SURVEY, protect(SURVEY, plan=plan).data, plan=plan)
    roles = {column.name: column.role for column in found.columns}
    assert (roles["name"], roles["seen"], roles["age"]) == ("renumbered", "dropped", "untouched")
    assert found.unplanned == ()


def test_columns_in_another_order_are_told() -> None:
    found = changes(SURVEY, SURVEY.select("age", "name", "income", "sex", "seen"))
    assert not found.columns_in_order
    assert [column.name for column in found.columns] == SURVEY.columns


def test_records_that_the_plan_leaves_out_are_matched() -> None:
    table = SURVEY.with_columns(income=pl.Series([1100.5, None, 5100.0, 5200.75, 9100.0, 1200.0]))
    plan = Plan(k=2, columns=["income"], missing="drop", exclude=["name", "age", "seen"])
    found = changes(table, protect(table, plan=plan).data, plan=plan)
    assert (found.n_left_out, found.order) == (1, "kept")
    assert {column.name: column.cells for column in found.columns}["name"] == CellChanges()
    assert found.changed == ("income",)


def test_without_a_plan_other_records_cannot_be_compared() -> None:
    found = changes(SURVEY, SURVEY.head(4))
    assert (found.n_left_out, found.order) == (2, "unknown")
    assert all(column.cells is None and column.same_values is None for column in found.columns)
    assert found.changed == ()


def test_more_records_are_none_left_out() -> None:
    assert changes(SURVEY.head(2), SURVEY).n_left_out == 0


def test_shuffled_records_are_compared_as_a_whole() -> None:
    table = SURVEY.select("income", "sex")
    plan = Plan(k=2, columns=["income"], shuffle=True)
    found = changes(table, protect(table, plan=plan).data, plan=plan)
    assert found.order == "changed"
    assert found.changed == ("income",)
    assert all(column.cells is None for column in found.columns)


def test_another_order_is_found_out_without_a_plan() -> None:
    reversed_rows = SURVEY.reverse()
    assert changes(SURVEY, reversed_rows).order == "changed"
    assert changes(SURVEY, reversed_rows).changed == ()
    spoilt = reversed_rows.with_columns(income=pl.lit(1.0))
    assert changes(SURVEY, spoilt).changed == ("income",)


def test_one_column_in_place_shows_that_the_order_is_kept() -> None:
    swapped = SURVEY.with_columns(age=SURVEY["age"].reverse())
    found = changes(SURVEY, swapped)
    assert (found.order, found.changed) == ("kept", ("age",))
    assert {column.name: column.cells for column in found.columns}["age"] == CellChanges(altered=6)


def test_a_constant_column_does_not_show_the_order() -> None:
    before = pl.DataFrame({"x": [1.0, 2.0], "c": [5, 5]})
    assert changes(before, before.with_columns(x=pl.lit(1.5))).order == "assumed"


def test_marks_of_missing_values_are_those_of_the_plan() -> None:
    before = pl.DataFrame({"x": [1.0, 2.0, -9.0, 8.0, 9.0], "id": [1, 2, 3, 4, 5]})
    after = before.with_columns(x=pl.Series([1.5, 1.5, None, 8.5, 8.5]))
    plan = Plan(k=2, columns=["x"], missing="available", missing_values={"x": [-9]})
    cells = changes(before, after, plan=plan).columns[0].cells
    assert cells == CellChanges(altered=4, rewritten=1)
    plain = changes(before, after).columns[0].cells
    assert plain == CellChanges(altered=4, to_missing=1)


def test_a_plan_without_columns_keeps_all_records() -> None:
    found = changes(SURVEY, SURVEY, plan=Plan(k=2, missing="drop"))
    assert found.order == "kept"


def test_a_plan_for_another_table_is_refused() -> None:
    with pytest.raises(InputError, match=r"there is no column 'incomes': did you mean 'income'\?"):
        changes(SURVEY, SURVEY, plan=Plan(k=2, columns=["incomes"]))
    with pytest.raises(InputError, match=r"plan must be a microagg\.Plan, found 5"):
        changes(SURVEY, SURVEY, plan=5)  # type: ignore[arg-type]


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".xlsx"])
def test_files_of_all_kinds_are_compared(suffix: str, tmp_path: Path) -> None:
    write(read(SURVEY), tmp_path / "in.parquet")
    write(read(SURVEY), tmp_path / f"out{suffix}")
    found = changes(tmp_path / "in.parquet", tmp_path / f"out{suffix}")
    assert found.changed == ()
    assert found.order == "kept"
    kinds = {".csv": "CSV", ".parquet": "Parquet", ".xlsx": "Excel"}
    changed = {change.what: (change.before, change.after) for change in found.table}
    assert changed.get("kind of file") == (None if suffix == ".parquet" else ("Parquet", kinds[suffix]))


def test_arrays_are_compared() -> None:
    before = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert changes(before, before).changed == ()
    found = changes(before, before.astype(np.float32))
    assert found.columns[0].metadata == (MetadataChange("type", "float64", "float32"),)


def test_index_and_attributes_that_are_lost_are_told() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0]}, index=["a", "b"])
    frame.attrs = {"source": "secret register"}
    bare = pd.DataFrame({"x": [1.0, 2.0]})
    found = changes(frame, bare)
    assert found.table == (
        MetadataChange("index", "labels of records", None),
        MetadataChange("attributes", lost=1),
    )


def test_no_value_is_shown() -> None:
    release = protect(SURVEY, plan=PLAN).data.with_columns(sex=pl.lit("x"))
    found = changes(SURVEY.with_columns(pl.col("sex").cast(pl.Categorical)), release, plan=PLAN)
    texts = [repr(found), report(found), report(found, "json"), found.summary(), found._repr_html_()]
    values = [str(value) for name in SURVEY.columns for value in SURVEY[name].to_list()]
    shown = [value for value in values if any(f"{value}" in text for text in texts) and len(value) > 2]
    assert shown == []


def test_facts_are_json() -> None:
    facts = json.loads(changes(SURVEY, protect(SURVEY, plan=PLAN).data, plan=PLAN).to_json())
    assert (facts["facts"], facts["order"], facts["dropped"]) == ("changes", "kept", ["name"])
    income = facts["columns"][1]
    assert income["cells"] == {"total": 6, "altered": 6, "to_missing": 0, "from_missing": 0, "rewritten": 0}
    assert income["is_changed"]
    assert not income["is_unplanned"]
