import sqlite3
from contextlib import closing
from pathlib import Path

import openpyxl
import pytest

from microagg import InputError
from microagg.app.job import Job
from microagg.app.job_tasks.estimate_task import estimate_run
from task_runs import PLAIN_PLAN, TaskRun, job_folder, plain_frame, written


def test_an_estimate_tells_time_and_memory(tmp_path: Path) -> None:
    source = written(plain_frame(), tmp_path / "people.csv")
    done = TaskRun(estimate_run, Job("estimate", job_folder(tmp_path), {"source": str(source), "plan": PLAIN_PLAN}))
    facts = done.json("estimate.json")
    assert facts["n_records"] == 200
    assert facts["seconds"] > 0
    assert facts["memory"] > 0
    assert facts["columns"] == ["x0", "x1", "x2"]


@pytest.mark.parametrize(
    ("options", "columns"), [('table_name = "people"\n', ["x0", "x1", "x2"]), ('table_name = "notes"\n', ["note"])]
)
def test_the_columns_are_those_of_the_table_that_the_plan_names(
    tmp_path: Path, options: str, columns: list[str]
) -> None:
    source = tmp_path / "people.sqlite"
    with closing(sqlite3.connect(source)) as database:
        database.execute("CREATE TABLE notes (note REAL)")
        database.execute("CREATE TABLE people (x0 REAL, x1 REAL, x2 REAL)")
        database.executemany("INSERT INTO notes VALUES (?)", [(number,) for number in range(9)])
        database.executemany("INSERT INTO people VALUES (?, ?, ?)", plain_frame().rows())
        database.commit()
    plan = f'k = 4\ncolumns = ["{columns[0]}"]\n{options}'
    done = TaskRun(estimate_run, Job("estimate", job_folder(tmp_path), {"source": str(source), "plan": plan}))
    assert done.json("estimate.json")["columns"] == columns


def test_the_columns_are_those_of_the_separator_and_the_header_of_the_plan(tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    source.write_text("".join(f"{number};{number * number},5\n" for number in range(30)))
    plan = 'k = 4\ncolumns = ["column_1", "column_2"]\ndelimiter = ";"\nheader = false\ndecimal = ","\n'
    done = TaskRun(estimate_run, Job("estimate", job_folder(tmp_path), {"source": str(source), "plan": plan}))
    assert done.json("estimate.json")["columns"] == ["column_1", "column_2"]


def test_a_plan_is_never_read_from_the_file_that_its_text_names(tmp_path: Path) -> None:
    source = written(plain_frame(), tmp_path / "people.csv")
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAIN_PLAN)
    with pytest.raises(InputError, match="not valid TOML"):
        TaskRun(estimate_run, Job("estimate", job_folder(tmp_path), {"source": str(source), "plan": str(plan)}))


def test_the_columns_are_those_of_the_sheet_that_the_plan_names(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook.active.append(["about", "this"])
    sheet = workbook.create_sheet("Data")
    for row in [["age", "wage"], *([20 + number, 1000.5 + number**2] for number in range(12))]:
        sheet.append(row)
    workbook.save(tmp_path / "in.xlsx")
    plan = 'k = 3\ncolumns = ["wage"]\ntable_name = "Data"\n'
    options = {"source": str(tmp_path / "in.xlsx"), "plan": plan}
    done = TaskRun(estimate_run, Job("estimate", job_folder(tmp_path), options))
    assert done.json("estimate.json")["columns"] == ["age", "wage"]
