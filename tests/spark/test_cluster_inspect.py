"""Inspection on Spark: that of one machine on a sample, with records and missing values counted in all."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microagg
from microagg import InputError, Plan

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'microagg[spark]'")
from microagg.spark import cluster_inspect

Write = Callable[..., Path]


@pytest.fixture(scope="module")
def survey() -> pl.DataFrame:
    """Return a small survey."""
    rng = np.random.default_rng(2)
    n = 200
    return pl.DataFrame(
        {
            "person_id": range(n),
            "sex": rng.choice(["f", "m"], n),
            "age": rng.integers(18, 80, n),
            "income": [None if rng.random() < 0.1 else income for income in rng.lognormal(7, 1, n)],
        }
    )


def test_few_records_are_all_looked_at(spark: Any, write_parquet_folder: Write, survey: pl.DataFrame) -> None:
    frame = spark.read.parquet(str(write_parquet_folder(survey)))
    inspection = cluster_inspect.inspect(frame)
    assert inspection == replace(microagg.inspect(survey), on_cluster=True)
    assert inspection.n_inspected is None


def test_of_many_records_a_sample_is_looked_at(spark: Any, write_parquet_folder: Write, survey: pl.DataFrame) -> None:
    frames = [
        spark.read.parquet(str(write_parquet_folder(survey, n_files, name=f"files-{n_files}"))) for n_files in (2, 5)
    ]
    inspection = cluster_inspect.inspect(frames[0], sample=60)
    assert inspection == cluster_inspect.inspect(frames[1], sample=60)
    assert (inspection.n_records, inspection.n_inspected) == (200, 60)
    income = next(column for column in inspection.columns if column.name == "income")
    assert income.values.n_missing == survey["income"].null_count()
    assert "200, of which a sample of 60 was looked at" in inspection.summary()
    assert "a sample of 60 of 200 records" in inspection.to_toml()
    assert Plan.from_toml(inspection.to_toml()).sets


def test_a_sample_has_at_least_one_record(spark: Any) -> None:
    frame = spark.createDataFrame([(1,)], "age long")
    with pytest.raises(InputError, match="sample must be"):
        cluster_inspect.inspect(frame, sample=0)
    with pytest.raises(InputError, match="nothing that iterations could limit"):
        cluster_inspect.inspect(frame, run=microagg.Run(iterations=3))
