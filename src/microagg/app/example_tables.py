"""Example tables to try the pages with: made up by a fixed random state, nobody real is in them."""

import csv
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from microagg.app.request_error import RequestError

_REGIONS = ("North", "East", "South", "West")
_EDUCATION = ("primary", "lower secondary", "upper secondary", "tertiary")
_SECTORS = ("farming", "manufacturing", "construction", "trade", "services")
_RANDOM_STATE = 24
_N_PERSONS = 2000
_N_COMPANIES = 1200


@dataclass(frozen=True)
class Example:
    """Example that can be opened.

    Parameters
    ----------
    name
        Its name, as pages send it; also that of its file, without the ending.
    title
        What it is.
    sentence
        What is in it.
    """

    name: str
    title: str
    sentence: str


EXAMPLES = (
    Example(
        "survey",
        "A survey of persons",
        f"{_N_PERSONS} persons in four regions, with sampling weights, categories and missing answers.",
    ),
    Example(
        "companies",
        "Companies",
        f"{_N_COMPANIES} companies, whose turnover and staff are skewed: a few of them are far larger than the rest.",
    ),
)
"""Every example, in the order of the page."""


def write_example(name: str, folder: Path) -> Path:
    """Write the table of an example to a folder as CSV, and return its path.

    Raises
    ------
    RequestError
        If there is no example of that name.
    """
    if name not in _TABLES:
        raise RequestError(404, f"There is no such example: the examples are {', '.join(_TABLES)}.")
    path = folder / f"{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(_TABLES[name](Random(_RANDOM_STATE)))
    return path


def _survey(rng: Random) -> Iterator[Sequence[object]]:
    yield "person_id", "region", "sex", "age", "education", "hours", "income", "rent", "weight"
    for number in range(_N_PERSONS):
        region = rng.choices(_REGIONS, (40, 25, 20, 15))[0]
        sex = rng.choice(("female", "male"))
        age = round(rng.triangular(16, 95, 42))
        level = min(rng.choices(range(4), (10, 20, 42, 28))[0], (age - 12) // 3)
        works = age < 67 and rng.random() < 0.75
        hours = min(max(round(rng.gauss(37, 9)), 4), 70) if works else 0
        income = round(math.exp(rng.gauss(9.1, 0.5) + 0.2 * level + 0.7 * works), -1)
        rent = round(rng.gauss(620, 180) + income / 100) if rng.random() < 0.55 else 0
        weight = round(rng.lognormvariate(5.2, 0.3), 2)
        answered = "" if rng.random() < 0.06 else int(income)
        yield 50_000 + 7 * number, region, sex, age, _EDUCATION[level], hours, answered, max(rent, 0), weight


def _companies(rng: Random) -> Iterator[Sequence[object]]:
    yield "company_id", "sector", "employees", "turnover", "wages", "investment", "exports"
    for number in range(_N_COMPANIES):
        size = rng.lognormvariate(2.2, 1.3)
        employees = max(1, round(size))
        turnover = round(size * rng.lognormvariate(4.8, 0.6), 1)
        wages = round(min(employees * rng.lognormvariate(3.5, 0.25), 0.8 * turnover), 1)
        investment = 0.0 if rng.random() < 0.3 else round(turnover * rng.betavariate(1, 18), 1)
        exports = round(turnover * rng.betavariate(1, 4), 1) if rng.random() < 0.35 else 0.0
        yield 9_000_000 + 13 * number, rng.choice(_SECTORS), employees, turnover, wages, investment, exports


_TABLES: dict[str, Callable[[Random], Iterator[Sequence[object]]]] = {"survey": _survey, "companies": _companies}
