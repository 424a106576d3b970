"""Examples are small made-up tables, the same each time."""

import csv
from pathlib import Path

import pytest

from microagg.app.example_tables import EXAMPLES, write_example
from microagg.app.request_error import RequestError


@pytest.mark.parametrize("name", [example.name for example in EXAMPLES])
def test_examples_are_the_same_each_time(tmp_path: Path, name: str) -> None:
    (tmp_path / "again").mkdir()
    path = write_example(name, tmp_path)
    assert path.read_bytes() == write_example(name, tmp_path / "again").read_bytes()
    with path.open(encoding="utf-8", newline="") as file:
        head, *records = csv.reader(file)
    assert 1000 <= len(records) <= 3000
    assert {len(record) for record in records} == {len(head)}
    identifiers = [record[0] for record in records]
    assert len(set(identifiers)) == len(identifiers)


def test_the_survey_has_what_surveys_have(tmp_path: Path) -> None:
    with write_example("survey", tmp_path).open(encoding="utf-8", newline="") as file:
        records = list(csv.DictReader(file))
    assert len({record["region"] for record in records}) == 4
    assert any(record["income"] == "" for record in records)
    assert all(float(record["weight"]) > 0 for record in records)


def test_amounts_of_companies_are_skewed(tmp_path: Path) -> None:
    with write_example("companies", tmp_path).open(encoding="utf-8", newline="") as file:
        turnovers = sorted(float(record["turnover"]) for record in csv.DictReader(file))
    assert sum(turnovers) / len(turnovers) > 1.5 * turnovers[len(turnovers) // 2]


@pytest.mark.parametrize("name", ["", "survey.csv", "../survey"])
def test_other_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(RequestError, match="the examples are survey, companies"):
        write_example(name, tmp_path)
