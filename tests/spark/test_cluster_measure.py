"""Measures on Spark are those of one machine, bit for bit."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microagg
from corners import CORNER
from microagg import InputError, Plan

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'microagg[spark]'")
from microagg.spark import cluster_measure

Write = Callable[..., Path]


@pytest.fixture(scope="module")
def survey() -> pl.DataFrame:
    """Return a small survey."""
    rng = np.random.default_rng(8)
    n = 80
    return pl.DataFrame(
        {
            "name": [f"person {number}" for number in range(n)],
            "key": rng.integers(0, 3, n),
            "sex": rng.choice(["f", "m"], n),
            "class": rng.integers(1, 6, n),
            "born": pl.Series(rng.integers(0, 9000, n)).cast(pl.Date),
            "income": rng.lognormal(7, 2, n),
            "hours": [None if rng.random() < 0.2 else float(hours) for hours in rng.normal(30, 8, n).round(1)],
        }
    )


def _frames(spark: Any, write: Write, before: pl.DataFrame, after: pl.DataFrame) -> tuple[Any, Any]:
    """Return both tables as DataFrames of folders with different files."""
    old, new = (write(before, 4, name="before"), write(after, 3, name="after"))
    return spark.read.parquet(str(old)), spark.read.parquet(str(new))


def test_columns_of_all_levels_have_the_same_measures(
    spark: Any, write_parquet_folder: Write, survey: pl.DataFrame
) -> None:
    order = {"class": [1, 2, 3, 4, 5]}
    names = ["income", "born", "sex", "class"]
    released = microagg.protect(survey, k=3, columns=names, nominal=["sex"], ordinal=order, exclude=["name"]).data
    expected = microagg.measure(survey, released, names, nominal=["sex"], ordinal=order)
    frames = _frames(spark, write_parquet_folder, survey, released)
    assert cluster_measure.measure(*frames, names, nominal=["sex"], ordinal=order) == expected
    assert cluster_measure.measure(*frames) == microagg.measure(survey, released)


@CORNER
def test_a_plan_that_leaves_records_out(spark: Any, write_parquet_folder: Write, survey: pl.DataFrame) -> None:
    plan = Plan(k=3, sets=[{"columns": ["hours"]}, {"columns": ["income"]}], missing="drop", exclude=["name", "born"])
    released = microagg.protect(survey, plan=plan).data
    assert released.height < survey.height
    frames = _frames(spark, write_parquet_folder, survey, released)
    assert cluster_measure.measure(*frames, plan=plan) == microagg.measure(survey, released, plan=plan)


@CORNER
def test_suppressed_cells_are_left_out(spark: Any, write_parquet_folder: Write, survey: pl.DataFrame) -> None:
    row = pl.int_range(pl.len())
    released = survey.with_columns(
        pl.when(row % 7 == 0).then(None).otherwise((pl.col("income") / 100).round()).alias("income"),
        pl.when(row % 5 == 0).then(None).otherwise("sex").alias("sex"),
        pl.col("hours").fill_null(30.0),
    )
    names = ["income", "sex", "hours"]
    expected = microagg.measure(survey, released, names, standardise=False)
    frames = _frames(spark, write_parquet_folder, survey, released)
    assert cluster_measure.measure(*frames, names, standardise=False) == expected
    assert (expected.n_suppressed > 0, expected.n_imputed > 0) == (True, True)


def test_what_cannot_be_measured_is_refused(spark: Any, write_parquet_folder: Write, survey: pl.DataFrame) -> None:
    frames = _frames(spark, write_parquet_folder, survey, survey.reverse())
    with pytest.raises(InputError, match="in another order: column 'name' holds the same values in other rows"):
        cluster_measure.measure(*frames, ["income"])
    with pytest.raises(InputError, match="the original has 80 records, the release 79"):
        cluster_measure.measure(frames[0], frames[1].filter("name != 'person 3'"), ["income"], row_id="name")
    infinite = frames[1].replace({"person 3": "x"}).selectExpr("name", "if(name = 'x', double('inf'), income) income")
    with pytest.raises(InputError, match="do not have the same ids"):
        cluster_measure.measure(frames[0], infinite, ["income"], row_id="name")
    with pytest.raises(InputError, match="a plan says which columns are measured"):
        cluster_measure.measure(*frames, ["income"], plan=Plan(k=2, columns=["income"]))
