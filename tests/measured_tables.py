"""Tables before and after, for tests of measures: a labour force survey with amounts, zeros, codes and weights."""

import numpy as np
import polars as pl

from microagg import read
from microagg.encode import fit_encoding
from microagg.measure.compared_tables import ComparedTables
from microagg.model.plan import Plan
from microagg.model.treatment import Treatment

AMOUNTS = ("income", "assets", "debts")


def labour_force(n: int = 120, seed: int = 0) -> pl.DataFrame:
    """Return a survey like those that statistical offices protect: skewed amounts, many zeros, codes, weights."""
    rng = np.random.default_rng(seed)
    income = rng.lognormal(7.0, 0.6, n).round()
    assets = np.where(rng.random(n) < 0.4, 0.0, rng.lognormal(9.0, 1.2, n)).round()
    debts = np.where(rng.random(n) < 0.7, 0.0, 0.2 * assets + rng.lognormal(6.0, 1.0, n)).round()
    return pl.DataFrame(
        {
            "region": rng.choice(["north", "south", "west"], n),
            "sex": rng.integers(1, 3, n),
            "age": rng.integers(15, 90, n),
            "income": income,
            "assets": assets,
            "debts": debts,
            "weight": rng.uniform(20.0, 400.0, n).round(2),
        }
    )


def group_means(frame: pl.DataFrame, names: tuple[str, ...] = AMOUNTS, k: int = 3) -> pl.DataFrame:
    """Return a release made without any method: records in the order of their first amount, k a group."""
    place = frame[names[0]].rank("ordinal") - 1
    group = (place // k).clip(upper_bound=len(frame) // k - 1)
    grouped = frame.with_columns(group.alias("_group"))
    return grouped.with_columns([pl.col(name).mean().over("_group") for name in names]).drop("_group")


def compared(
    before: pl.DataFrame, after: pl.DataFrame, names: tuple[str, ...], plan: Plan | None = None, **codes: object
) -> ComparedTables:
    """Return tables as measures look at them."""
    original = read(before)
    encoding = fit_encoding(original, names, Treatment(**codes))  # type: ignore[arg-type]
    return ComparedTables(original, read(after), encoding, 3, plan)
