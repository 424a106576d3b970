"""Make a business survey: establishments of enterprises, a few of them giants, and nobody real in it."""

import argparse
from pathlib import Path

import numpy as np
import polars as pl
from numpy.random import Generator

RANDOM_STATE = 21

# Section of NACE: its four-digit classes, its share of the enterprises, and how much of the turnover is invested.
SECTIONS: dict[str, tuple[list[str], float, float]] = {
    "A": (["0111", "0113", "0141", "0150"], 0.16, 0.09),
    "C": (["1011", "1071", "2511", "2562", "2811", "3101"], 0.22, 0.06),
    "F": (["4120", "4321", "4332"], 0.20, 0.03),
    "G": (["4511", "4639", "4711", "4771"], 0.30, 0.02),
    "J": (["6201", "6202", "6311"], 0.12, 0.05),
}
SMALL_SECTION = ("B", "0811", 4)  # quarries: four enterprises, whatever the size of the file
GIANT = 40.0  # turnover of the largest enterprises, where that of most is about 1
SHARE_WITHOUT_INVESTMENT = 0.55
SHARE_WITH_SEVERAL_ESTABLISHMENTS = 0.12


def make_enterprises(n_establishments: int, rng: Generator) -> pl.DataFrame:
    """Draw enterprises until they have at least so many establishments."""
    several = rng.random(n_establishments) < SHARE_WITH_SEVERAL_ESTABLISHMENTS
    sizes = np.where(several, rng.geometric(0.35, n_establishments) + 1, 1)
    n = int(np.searchsorted(np.cumsum(sizes), n_establishments)) + 1
    section = rng.choice(list(SECTIONS), n, p=[share for _, share, _ in SECTIONS.values()])
    nace = np.array([rng.choice(SECTIONS[one][0]) for one in section])
    name, code, number = SMALL_SECTION
    small = rng.choice(n, number, replace=False)
    section[small] = name
    nace[small] = code
    return pl.DataFrame(
        {
            "enterprise_id": 40_000_000 + rng.permutation(50 * n)[:n] * 13,
            "section": section,
            "nace": nace,
            "establishments": sizes[:n],
            "turnover_scale": np.minimum(rng.pareto(1.3, n), GIANT) + 0.2,
        }
    )


def make_establishments(enterprises: pl.DataFrame, n_establishments: int, rng: Generator) -> pl.DataFrame:
    """Return a row for each establishment, with its amounts in thousands."""
    rows = np.repeat(np.arange(enterprises.height), enterprises["establishments"].to_numpy())[:n_establishments]
    table = enterprises[rows]
    n = table.height
    turnover = table["turnover_scale"].to_numpy() * 400 * np.exp(rng.normal(0, 0.5, n))
    employees = np.maximum(1, turnover / rng.lognormal(4.8, 0.4, n)).round()
    wages = employees * rng.lognormal(3.4, 0.25, n)
    rates = {name: rate for name, (_, _, rate) in SECTIONS.items()} | {SMALL_SECTION[0]: 0.10}
    rate = table["section"].replace_strict(rates).to_numpy() * rng.lognormal(0, 0.8, n)
    investment = np.where(rng.random(n) < SHARE_WITHOUT_INVESTMENT, 0, turnover * rate)
    return table.with_columns(
        pl.Series("establishment_id", 10_000 + rng.permutation(10 * n)[:n]),
        pl.Series("name", [f"Synthetic {number} Ltd" for number in rng.permutation(n)]),
        pl.Series("region", rng.choice(["NUTS1", "NUTS2", "NUTS3"], n)),
        pl.Series("turnover", turnover.round(1)),
        pl.Series("employees", employees.astype(int)),
        pl.Series("wages", wages.round(1)),
        pl.Series("investment", investment.round(1)),
    )


COLUMNS = ["establishment_id", "enterprise_id", "name", "region", "section", "nace"]
COLUMNS += ["turnover", "employees", "wages", "investment"]


def make_business(n_establishments: int) -> pl.DataFrame:
    """Return the survey: the same for the same number of establishments."""
    rng = np.random.default_rng(RANDOM_STATE)
    enterprises = make_enterprises(n_establishments, rng)
    return make_establishments(enterprises, n_establishments, rng).select(COLUMNS)


def main() -> None:
    """Write the survey to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=5_000, help="establishments, from 200 on (default: 5000)")
    parser.add_argument("--output", type=Path, default=Path("business.csv"), help="file (default: business.csv)")
    arguments = parser.parse_args()
    if arguments.records < 200:
        parser.error(f"--records must be at least 200, found {arguments.records}")
    make_business(arguments.records).write_csv(arguments.output)


if __name__ == "__main__":
    main()
