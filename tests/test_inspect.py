"""Inspections of whole tables."""

import json
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from files import write_bytes
from microagg import CancelledError, InputError, Inspection, Run, inspect, read


def _classic(name: str) -> Inspection:
    path = Path(os.environ["MICROAGG_DATA"]) / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"{path.name} is not to be had")
    return inspect(path)


def _nominal(inspection: Inspection) -> set[str]:
    return {column.name for column in inspection.columns if column.proposal.nominal}


def test_household_survey() -> None:
    inspection = _classic("testdata")
    assert inspection.having_role("unit") == ("ori_hid",)
    assert inspection.having_role("weight") == ("sampling_weight",)
    assert inspection.columns[-1].look("weight") is not None, "household_weights"
    assert _nominal(inspection) == {"urbrur", "roof", "walls", "water", "electcon", "relat", "sex", "hhcivil"}
    assert set(inspection.having_role("quasi-identifier")) == _nominal(inspection) | {"age"}
    assert inspection.having_role("amount") == ("expend", "income", "savings")
    assert inspection.singling_out[-1].n_unique == 4580, "with the amounts"


def test_labour_force_survey() -> None:
    inspection = _classic("free1")
    sentinels = {column.name: column.sentinels for column in inspection.columns if column.sentinels}
    assert sentinels == {"AGEYOUNG": (97,), "KINDFACT": (97,)}
    marked = {column.name for column in inspection.columns if column.look("sentinel") is not None}
    assert marked >= {"AGEYOUNG", "KINDFACT", "REGJOBC", "RECBEN", "FTPTIME", "ADDJOB", "TENURE", "JOBFIND", "EDUC1"}
    assert inspection.having_role("weight") == ("WEIGHT",)
    assert inspection.having_role("amount") == ("INCOME", "ASSETS", "DEBTS")
    numbers = {"AGE", "AGEYOUNG", "WEIGHT", "INCOME", "ASSETS", "DEBTS"}
    assert _nominal(inspection) == {column.name for column in inspection.columns} - numbers
    assert set(inspection.having_role("quasi-identifier")) >= {"REGION", "SEX", "AGE", "MARSTAT", "ETNI"}


def test_utilities() -> None:
    inspection = _classic("eia_full")
    assert inspection.having_role("unit") == ("UTILITYID",)
    assert inspection.having_role("identifier") == ("UTILNAME",)
    assert inspection.having_role("quasi-identifier") == ("STATE", "MONTH")
    assert inspection.having_role("unchanged") == ("YEAR",)
    assert len(inspection.having_role("amount")) == 10


def test_amounts_only() -> None:
    inspection = _classic("tarragona")
    assert len(inspection.having_role("amount")) == 13
    assert inspection.singling_out[-1].n_below_3 == 834


SECRET: dict[str, list[Any]] = {
    "person": ["Ann Secret", "Bob Secret", "Cid Secret", "Dan Secret", "Eve Secret", "Fay Secret"],
    "sex": ["secretly f", "secretly m"] * 3,
    "income": [1234.5, 2345.5, 3456.5, 4567.5, 5678.5, 6789.5],
}


def test_repr_shows_no_value() -> None:
    inspection = inspect(pl.DataFrame(SECRET))
    shown = repr(inspection) + repr(inspection.columns) + repr([column.values for column in inspection.columns])
    shown += repr(inspection.singling_out)
    assert repr(inspection) == "Inspection(6 records, 3 columns)"
    for value in (value for values in SECRET.values() for value in values):
        assert str(value) not in shown
    assert "1234.5" in inspection.to_json(), "the report is for the owner of the data"


def test_plan_shows_no_value() -> None:
    plan = inspect(pl.DataFrame(SECRET)).to_toml()
    for value in (value for values in SECRET.values() for value in values):
        assert str(value) not in plan


def test_pickles_and_compares() -> None:
    inspection = inspect(pl.DataFrame(SECRET))
    again = pickle.loads(pickle.dumps(inspection))
    assert again == inspection
    assert again.to_toml() == inspection.to_toml()


@pytest.mark.parametrize("kind", [pl.DataFrame, lambda columns: pl.DataFrame(columns).to_pandas(), dict])
def test_any_table(kind: Any, tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    pl.DataFrame(SECRET).write_csv(path)
    table = path if kind is dict else kind(SECRET)
    inspection = inspect(table)
    assert inspection.having_role("identifier") == ("person",)
    assert inspection.file == ("in.csv" if kind is dict else None)


def test_arrays_have_numbered_columns() -> None:
    inspection = inspect(np.array([[1.5, 2.25], [3.5, 7.75], [8.5, 9.25]]))
    assert inspection.having_role("amount") == ("0", "1")


def test_the_file_tells_how_it_was_read(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "in.csv", "x;2,5\n3;4,5\n1;2,5\n")
    inspection = inspect(read(path, decimal=","))
    assert inspection.reading.decimal == ","
    assert inspection.header_doubt is not None


@pytest.mark.parametrize(("table", "what"), [(pl.DataFrame({"x": []}), "records"), (pl.DataFrame(), "columns")])
def test_an_empty_table_is_refused(table: pl.DataFrame, what: str) -> None:
    with pytest.raises(InputError, match=f"the table has no {what}: there is nothing to inspect"):
        inspect(table)


def test_progress_goes_column_by_column() -> None:
    reports: list[tuple[str, float | None, str]] = []
    run = Run(progress=lambda stage, done, note="": reports.append((stage, done, note)))
    run._progress = run._progress._progress  # type: ignore[assignment]  # every report, not a few a second
    inspect(pl.DataFrame(SECRET), run=run)
    assert [note for _, _, note in reports] == ["person", "sex", "income", "combinations of values", ""]
    shares = [done or 0.0 for _, done, _ in reports]
    assert shares == sorted(shares)
    assert (reports[0], reports[-1]) == (("inspect", 0.0, "person"), ("inspect", 1.0, ""))


def test_cancelled_runs_report_nothing() -> None:
    run = Run()
    run.cancel()
    with pytest.raises(CancelledError, match="nothing is reported"):
        inspect(pl.DataFrame(SECRET), run=run)


def test_limits_are_refused() -> None:
    with pytest.raises(InputError, match="nothing that time_limit could limit"):
        inspect(pl.DataFrame(SECRET), run=Run(time_limit=5))


def test_facts_are_plain_json() -> None:
    facts = json.loads(inspect(pl.DataFrame(SECRET)).to_json())
    assert (facts["facts"], facts["n_records"], facts["file"]) == ("inspection", 6, None)
    person, sex, income = facts["columns"]
    assert (person["role"], sex["role"], income["role"]) == ("identifier", "quasi-identifier", "amount")
    assert (income["low"], income["high"], income["missing_share"]) == (1234.5, 6789.5, 0.0)
    assert sex["frequent"] == ["secretly f", "secretly m"]
    reason = "looks like an identifier of people, households or enterprises, by its name"
    assert person["looks"] == [{"aspect": "identifier", "reason": reason}]
    alone, both = facts["singling_out"]
    assert alone == {"columns": ["income"], "n_unique": 6, "n_below_3": 6, "n_below_5": 6}
    assert both["columns"] == ["sex", "income"]
