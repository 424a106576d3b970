"""Verification on Spark gives the verdicts and findings of one machine, on sound and on hostile releases."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microagg
from microagg import Plan

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'microagg[spark]'")
from microagg.spark import cluster_verify

Write = Callable[..., Path]

PLAIN = Plan(k=3, columns=["income", "age"])
CASES = {
    "means": PLAIN,
    "strata": Plan(k=3, columns=["income", "age"], strata=["sex"]),
    "sets": Plan(k=3, sets=[{"columns": ["income", "age"]}, {"columns": ["born"], "k": 4}]),
    "medians and modes": Plan(k=3, columns=["age", "sex"], nominal=["sex"], aggregate={"age": "median"}),
    "missing": Plan(k=3, columns=["hours", "age"], missing="pattern"),
    "drop": Plan(k=3, columns=["hours", "age"], missing="drop"),
    "suppress": Plan(k=3, columns=["hours"], missing="pattern", strata=["region"], small_strata="suppress"),
    "weights": Plan(k=3, columns=["income"], weight="weight"),
    "diversity": Plan(k=4, columns=["income", "age"], confidential=["debts"], l_diversity=2),
    "units": Plan(k=2, columns=["income"], unit="household", identifiers=["name"]),
}


@pytest.fixture(scope="module")
def survey() -> pl.DataFrame:
    """Return a small survey with numbers, dates, categories, missing values, weights and units."""
    rng = np.random.default_rng(5)
    n = 90
    region = rng.choice(["north", "south", "west"], n).tolist()
    region[7] = "island"
    return pl.DataFrame(
        {
            "name": [f"person {number}" for number in range(n)],
            "household": rng.integers(0, 40, n),
            "region": region,
            "sex": rng.choice(["f", "m"], n),
            "age": rng.integers(18, 80, n),
            "born": pl.Series(rng.integers(0, 9000, n)).cast(pl.Date),
            "income": rng.lognormal(7, 1, n).round(2),
            "hours": [None if rng.random() < 0.2 else float(hours) for hours in rng.normal(30, 8, n).round(1)],
            "debts": rng.integers(0, 5, n),
            "weight": rng.uniform(1, 9, n).round(2),
        }
    )


def _same(one: microagg.Verification, other: microagg.Verification) -> None:
    """Compare two verdicts: they are the same to the letter."""
    assert [*map(tuple, _listed(one))] == [*map(tuple, _listed(other))]
    assert (one.k, one.k_reached, one.columns) == (other.k, other.k_reached, other.columns)


def _listed(verification: microagg.Verification) -> list[tuple[str, bool | None, str]]:
    return [(finding.check, finding.passed, finding.detail) for finding in verification.findings]


def _both(
    spark: Any, write: Write, before: pl.DataFrame | None, after: pl.DataFrame, number: str = "", **options: Any
) -> microagg.Verification:
    """Verify on one machine and on Spark, and compare both."""
    expected = microagg.verify(before, after, **options)
    old = None if before is None else spark.read.parquet(str(write(before, name=f"before{number}")))
    new = spark.read.parquet(str(write(after, 3, name=f"after{number}")))
    _same(cluster_verify.verify(old, new, **options), expected)
    return expected


@pytest.mark.parametrize("case", CASES)
def test_sound_releases_pass(spark: Any, write_parquet_folder: Write, survey: pl.DataFrame, case: str) -> None:
    plan = CASES[case]
    released = microagg.protect(survey, plan=plan).data
    assert _both(spark, write_parquet_folder, survey, released, plan=plan).passed


def _broken(after: pl.DataFrame, fault: str) -> pl.DataFrame:
    """Break a release of the plan with strata."""
    first = after["income"].min()
    if fault == "a class below k":
        return after.with_columns(income=pl.when(pl.int_range(pl.len()) == 41).then(1.5).otherwise("income"))
    if fault == "not a mean":
        return after.with_columns(income=pl.when(pl.col("income") == first).then(first + 1.0).otherwise("income"))
    if fault == "another column":
        return after.with_columns(debts=pl.when(pl.int_range(pl.len()) == 88).then(9).otherwise("debts"))
    if fault == "a missing value":
        return after.with_columns(income=pl.when(pl.col("income") == first).then(None).otherwise("income"))
    if fault == "another order":
        return after.sample(fraction=1.0, shuffle=True, seed=1)
    if fault == "a record less":
        return after.head(-1)
    if fault == "no integers":
        return after.with_columns(age=pl.col("age") + 0.25)
    return after.with_columns(new=pl.lit(1)).drop("weight")


FAULTS = (
    "a class below k",
    "not a mean",
    "another column",
    "a missing value",
    "another order",
    "a record less",
    "no integers",
    "other columns",
)


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_is_found(spark: Any, write_parquet_folder: Write, survey: pl.DataFrame, fault: str) -> None:
    plan = Plan(k=3, columns=["income", "age"], strata=["region"], small_strata="suppress")
    released = _broken(microagg.protect(survey, plan=plan).data, fault)
    assert not _both(spark, write_parquet_folder, survey, released, plan=plan).passed
