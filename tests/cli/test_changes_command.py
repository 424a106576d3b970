"""`microagg changes`, and tables of databases and workbooks on the command line."""

import json
from pathlib import Path

import polars as pl
import pytest

from command_line import RunCommand
from microagg import read, write
from workbooks import survey_workbook

PEOPLE = pl.DataFrame(
    {
        "name": [f"p{number}" for number in range(6)],
        "income": [10.0, 11.0, 12.0, 50.0, 51.0, 55.0],
        "age": [20, 22, 21, 60, 66, 63],
    }
)


@pytest.fixture
def database(tmp_path: Path) -> str:
    write(read(PEOPLE), f"sqlite:///{tmp_path}/in.db?table=people")
    write(read(PEOPLE.head(2)), f"sqlite:///{tmp_path}/in.db?table=few")
    return "sqlite:///in.db?table=people"


def test_changes_are_printed(run: RunCommand, database: str) -> None:
    done = run(
        "protect",
        database,
        "-k",
        "3",
        "--columns",
        "income",
        "--drop",
        "name",
        "--exclude",
        "age",
        "-o",
        "safe.csv",
        "-q",
    )
    assert (done.code, done.out, done.err) == (0, "", "")
    done = run("changes", database, "safe.csv")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[:5] == [
        "records:          6 before, 6 after",
        "order:            as before",
        "columns:          3 before, 2 after",
        "dropped:          name",
        "kind of file:     SQLite → CSV",
    ]
    assert "same values:      age" in lines
    assert lines[lines.index("values") + 2].split() == ["income", "–", "number", "5", "0", "0", "0"]


def test_changes_by_a_plan(run: RunCommand, database: str, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        'k = 3\ncolumns = ["income"]\nidentifiers = ["name"]\nexclude = ["age"]\ntable_name = "people"\n'
    )
    assert run("protect", "in.db", "--plan", "plan.toml", "-o", "safe.csv", "-q").code == 0
    done = run("changes", "in.db", "safe.csv", "--plan", "plan.toml", "--format", "json")
    assert (done.code, done.err) == (0, "")
    facts = json.loads(done.out)
    assert (facts["changed"], facts["dropped"], facts["unplanned"]) == (["income"], ["name"], [])
    spoilt = (tmp_path / "safe.csv").read_text().replace("66", "99")
    (tmp_path / "safe.csv").write_text(spoilt)
    done = run("changes", "in.db", "safe.csv", "--plan", "plan.toml")
    assert "NOT PLANNED:      age: changed, though the plan does nothing to them" in done.out


def test_a_table_goes_from_database_to_database(run: RunCommand, database: str) -> None:
    output = "duckdb:///out.duckdb?table=safe"
    command = [
        "protect",
        database,
        "-k",
        "3",
        "--columns",
        "income,age",
        "--drop",
        "name",
        "--method",
        "mdav",
        "-o",
        output,
    ]
    done = run(*command, "--report", "report.json", "--verbose")
    assert done.code == 0
    assert "read: DatabaseSource('in.db', SQLite, table 'people', 6 records, 3 columns)" in done.err
    assert "written: duckdb:///out.duckdb?table=safe, report report.json" in done.err
    facts = json.loads(Path("report.json").read_text())
    assert facts["output"] == {"file": "out.duckdb, table safe", "sha256": None}
    assert (facts["input"]["file"], facts["input"]["kind"], facts["input"]["table"]) == ("in.db", "SQLite", "people")
    assert run("verify", database, output, "-k", "3", "--columns", "income,age").code == 0
    assert run("measure", database, output, "--columns", "income,age").code == 0
    again = run(*command)
    assert (again.code, again.err) == (
        2,
        f"error: the output {output} is already there: choose another name, or add --force\n",
    )
    assert run(*command, "--force", "-q").code == 0


def test_other_commands_take_addresses(run: RunCommand, database: str) -> None:
    assert run("inspect", database, "--plan", "start.toml").code == 0
    assert run("bound", database, "-k", "3", "--columns", "income").code == 0
    done = run("protect", database, "-k", "3", "--columns", "income", "--estimate")
    assert done.code == 0
    assert (
        run(
            "compare", database, "-k", "2,3", "--methods", "mdav", "--columns", "income,age", "--drop", "name", "-q"
        ).code
        == 0
    )


def test_a_sheet_is_named_by_table(run: RunCommand, tmp_path: Path) -> None:
    survey_workbook(tmp_path / "in.xlsx")
    columns, others = ["--columns", "income,rate"], "id,seen,code,open,born"
    done = run("protect", "in.xlsx", "--table-name", "Dat", "-k", "3", *columns, "-o", "out.xlsx")
    assert (done.code, done.err) == (2, "error: in.xlsx has no sheet 'Dat': did you mean 'Data'?\n")
    done = run(
        "protect", "in.xlsx", "--table-name", "Data", "-k", "3", *columns, "--exclude", others, "-o", "out.csv", "-q"
    )
    assert (done.code, done.err) == (0, "")
    assert run("verify", "in.xlsx", "out.csv", "--table-name", "Data", "-k", "3", *columns).code == 0
    assert run("measure", "in.xlsx", "out.csv", "--table-name", "Data", *columns).code == 0
    assert run("changes", "in.xlsx", "out.csv", "--table-name", "Data").code == 0
    done = run("verify", "out.csv", "--table-name", "Data", "-k", "3", *columns)
    assert (done.code, done.err) == (
        2,
        "error: 'table_name' names one of several tables in a file, found the CSV file out.csv: leave it out\n",
    )


def test_a_password_is_never_printed(run: RunCommand, database: str) -> None:
    for address in ("duckdb://user:geheim@host/base", "postgresql://user:geheim@host/base", "duckdb:///a?pw=geheim"):
        done = run("inspect", address)
        assert done.code == 2
        assert "geheim" not in done.out + done.err
        done = run("protect", database, "-k", "3", "-o", address)
        assert done.code == 2
        assert "geheim" not in done.out + done.err
