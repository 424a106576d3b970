"""Make a household survey as it comes from the field: everything that a file can have, and nobody real in it."""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.random import Generator
from numpy.typing import NDArray

Array = NDArray[Any]

RANDOM_STATE = 20
INTERVIEW_DAY = np.datetime64("2024-05-01")
ADULT = 15  # age from which people may have a job

REGIONS = ["North", "East", "South", "West"]
REGION_SHARES = [0.30, 0.20, 0.28, 0.22]
SMALL_REGION = "Islands"
SMALL_REGION_HOUSEHOLDS = {"urban": 14, "rural": 3}  # whatever the size of the file: fewer than k = 5 are rural

WEIGHTS = [144.0, 162.5, 180.0, 198.5, 225.0]  # one for each class of non-response: a weight singles out nobody

HOUSEHOLD_SIZES = [1, 2, 3, 4, 5, 6]
SIZE_SHARES = [0.32, 0.31, 0.16, 0.14, 0.05, 0.02]

EDUCATION = ["none", "primary", "lower secondary", "upper secondary", "tertiary"]
DIAGNOSES = ["none", "hypertension", "diabetes", "asthma", "depression", "cancer"]
DIAGNOSIS_SHARES = [0.62, 0.11, 0.08, 0.08, 0.06, 0.05]
GIVEN_NAMES = ["Ada", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gro", "Hal", "Ida", "Jon", "Kim", "Lea", "Max", "Nia"]
TREES = ["Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Juniper", "Larch", "Maple", "Oak", "Pine", "Rowan"]
FAMILY_NAMES = [
    tree + place for tree in TREES for place in ("by", "field", "ford", "gate", "ham", "ley", "ton", "wood")
]
INITIALS = list("ABCDEFGHIJKLMNOPRSTUVW")


def occupations() -> list[str]:
    """Return forty codes of four digits in the manner of ISCO; some begin with a zero."""
    majors = range(10)
    return [f"{major}{minor}{unit}0" for major in majors for minor, unit in ((1, 1), (1, 2), (2, 1), (3, 1))]


def make_households(n_persons: int, rng: Generator) -> pl.DataFrame:
    """Draw households until they have at least so many persons."""
    sizes = rng.choice(HOUSEHOLD_SIZES, size=n_persons, p=SIZE_SHARES)
    n_households = int(np.searchsorted(np.cumsum(sizes), n_persons)) + 1
    region = rng.choice(REGIONS, size=n_households, p=REGION_SHARES).astype(object)
    area = np.where(rng.random(n_households) < 0.7, "urban", "rural").astype(object)
    islanders = [name for name, number in SMALL_REGION_HOUSEHOLDS.items() for _ in range(number)]
    region[: len(islanders)] = SMALL_REGION
    area[: len(islanders)] = islanders
    order = rng.permutation(n_households)
    weight = rng.choice(WEIGHTS, n_households)
    return pl.DataFrame(
        {
            "household_id": 100_000 + rng.permutation(900_000)[:n_households],
            "size": sizes[:n_households][order],
            "region": region[order],
            "area": area[order],
            "weight": weight[order],
            "head_age": rng.triangular(19, 45, 92, n_households).astype(int),
            "family_name": rng.choice(FAMILY_NAMES, n_households),
        },
        schema_overrides={"region": pl.String, "area": pl.String},
    )


def make_persons(households: pl.DataFrame, n_persons: int, rng: Generator) -> pl.DataFrame:
    """Return a row for each member of the households: head, partner, children."""
    rows = np.repeat(np.arange(households.height), households["size"].to_numpy())[:n_persons]
    persons = households[rows]
    first = np.r_[True, rows[1:] != rows[:-1]]
    place = np.arange(len(rows)) - np.maximum.accumulate(np.where(first, np.arange(len(rows)), 0))
    head_age = persons["head_age"].to_numpy()
    is_partner = (place == 1) & (rng.random(len(rows)) < 0.8)
    age = np.where(is_partner, head_age + rng.normal(0, 4, len(rows)), head_age - rng.uniform(20, 40, len(rows)))
    age = np.where(place == 0, head_age, age).clip(0, 99).astype(int)
    days = rng.integers(0, 365, len(rows)) + (age * 365.25).astype(int)
    return persons.with_columns(
        pl.Series("age", age),
        pl.Series("birth_date", INTERVIEW_DAY - days),
        pl.Series("sex", rng.integers(1, 3, len(rows))),
        pl.Series("civil_status", _civil_status(age, is_partner, rng)),
        pl.Series("education", _education(age, rng)),
        pl.Series("name", _given_names(len(rows), rng)) + persons["family_name"],
        pl.Series("person_id", 100_000_000 + rng.permutation(10 * n_persons)[: len(rows)] * 37),
    )


def _given_names(n: int, rng: Generator) -> list[str]:
    pairs = zip(rng.choice(GIVEN_NAMES, n), rng.choice(INITIALS, n), strict=True)
    return [f"{name} {initial}. " for name, initial in pairs]


def _civil_status(age: Array, is_partner: Array, rng: Generator) -> Array:
    """Return codes: 1 never married, 2 married, 3 widowed, 4 divorced."""
    drawn = rng.random(len(age))
    grown_up = np.where(drawn < 0.5, 2, np.where(drawn < 0.65, 4, np.where(drawn < 0.65 + age / 500, 3, 1)))
    return np.where(age < 20, 1, np.where(is_partner, 2, grown_up))


def _education(age: Array, rng: Generator) -> list[str]:
    most = np.searchsorted([6, 12, 16, 21], age, side="right")
    level = np.minimum(rng.choice(5, len(age), p=[0.02, 0.13, 0.20, 0.40, 0.25]), most)
    return [EDUCATION[one] for one in level]


def make_answers(persons: pl.DataFrame, rng: Generator) -> pl.DataFrame:
    """Add what the persons answered; children and people without a job have zeros and blanks."""
    n = persons.height
    age = persons["age"].to_numpy()
    works = (age >= ADULT) & (age < 70) & (rng.random(n) < 0.72)
    level = persons["education"].replace_strict(EDUCATION, range(5)).to_numpy()
    income = np.exp(rng.normal(9.2, 0.7, n) + 0.25 * level + 0.6 * works).round(-1)
    income[(age < ADULT) | (rng.random(n) < 0.12)] = 0
    hours = np.where(works, rng.normal(38, 9, n).clip(4, 80).round(), 0).astype(int)
    first_job = rng.normal(19, 3, n).clip(14, 40).round().astype(int)
    return persons.with_columns(
        pl.Series("occupation", np.where(works, _occupation(level, rng), "")),
        pl.Series("income", _with_gaps(income.astype(int), {"": 0.03, "NA": 0.02, "-9": 0.04}, rng)),
        pl.Series("hours", _with_gaps(hours, {"999": 0.03}, rng)),
        pl.Series("age_first_job", np.where(works | (age > 60), first_job.astype(str), "-9")),
        pl.Series("diagnosis", rng.choice(DIAGNOSES, n, p=DIAGNOSIS_SHARES)),
    )


def _occupation(level: Array, rng: Generator) -> Array:
    """Return codes of which the first digit falls with the level of education."""
    codes = np.array(occupations()).reshape(10, 4)
    major = (9 - 2 * level + rng.integers(-1, 2, len(level))) % 10
    return codes[major, np.minimum(rng.geometric(0.5, len(level)) - 1, 3)]


def _with_gaps(numbers: Array, marks: dict[str, float], rng: Generator) -> list[str]:
    """Return numbers as text, a share of them replaced by each mark."""
    shares = [*marks.values(), 1 - sum(marks.values())]
    drawn = rng.choice(len(shares), len(numbers), p=shares)
    names = list(marks)
    return [names[one] if one < len(names) else str(number) for one, number in zip(drawn, numbers, strict=True)]


COLUMNS = ["person_id", "name", "household_id", "region", "area", "weight", "sex", "birth_date", "civil_status"]
COLUMNS += ["education", "occupation", "income", "hours", "age_first_job", "diagnosis"]


def make_survey(n_persons: int) -> pl.DataFrame:
    """Return the survey, in random order: the same for the same number of persons."""
    rng = np.random.default_rng(RANDOM_STATE)
    persons = make_persons(make_households(n_persons, rng), n_persons, rng)
    return make_answers(persons, rng).select(COLUMNS)[rng.permutation(persons.height)]


def main() -> None:
    """Write the survey to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=20_000, help="number of persons, from 200 on (default: 20000)")
    parser.add_argument("--output", type=Path, default=Path("survey.csv"), help="file to write (default: survey.csv)")
    arguments = parser.parse_args()
    if arguments.records < 200:
        parser.error(f"--records must be at least 200, found {arguments.records}")
    make_survey(arguments.records).write_csv(arguments.output, quote_style="never")


if __name__ == "__main__":
    main()
