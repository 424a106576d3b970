"""Verification on Spark gives the verdicts and findings of one machine, on sound and on hostile releases."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microagg
from corners import CORNER, with_corners
from microagg import InputError, Plan

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'microagg[spark]'")
from microagg.spark import class_check_jobs, cluster_verify

Write = Callable[..., Path]

CASES = {
    "sets, strata and weights": Plan(
        k=3,
        sets=[{"columns": ["income", "age"]}, {"columns": ["born"], "k": 4}],
        strata=["sex"],
        weight="weight",
        exclude=["name"],
    ),
    "patterns, medians and modes": Plan(
        k=3,
        columns=["hours", "age", "sex"],
        missing="pattern",
        nominal=["sex"],
        aggregate={"age": "median"},
        strata=["region"],
        small_strata="suppress",
        exclude=["name"],
    ),
    "records left out, diversity": Plan(
        k=4, columns=["hours", "age"], missing="drop", confidential=["debts"], l_diversity=2, exclude=["name"]
    ),
    "both zeros are a stratum": Plan(k=46, columns=["age"], strata=["zone"], small_strata="suppress", exclude=["name"]),
    "units": Plan(k=2, columns=["income"], unit="household", identifiers=["name"], drop=["household"]),
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
            "Key": rng.integers(0, 3, n),
            "zone": np.where(np.arange(n) % 2, 0.0, -0.0),
            "household": rng.integers(0, 40, n),
            "region": region,
            "sex": rng.choice(["f", "m"], n),
            "age": rng.integers(18, 80, n),
            "born": pl.Series(100 * rng.integers(0, 60, n)).cast(pl.Date),
            "income": rng.lognormal(7, 1, n).round(-1),
            "hours": [None if rng.random() < 0.2 else float(hours) for hours in rng.normal(30, 8, n).round(1)],
            "debts": rng.integers(0, 5, n),
            "weight": rng.uniform(1, 9, n).round(1),
        }
    )


NOT_COMPARED = ("unchanged columns", "columns that may identify", "columns that tell others", "values given away")
"""Notes in which one machine names few columns: a cluster names all unchanged ones, and does not look for more."""


def _same(one: microagg.Verification, other: microagg.Verification) -> None:
    """Compare two verdicts: but for those notes, they are the same to the letter."""
    assert [*map(tuple, _listed(one))] == [*map(tuple, _listed(other))]
    assert (one.k, one.k_reached, one.columns) == (other.k, other.k_reached, other.columns)


def _listed(verification: microagg.Verification) -> list[tuple[str, bool | None, str]]:
    return [
        (finding.check, finding.passed, finding.detail)
        for finding in verification.findings
        if finding.check not in NOT_COMPARED
    ]


def _both(
    spark: Any, write: Write, before: pl.DataFrame | None, after: pl.DataFrame, number: str = "", **options: Any
) -> microagg.Verification:
    """Verify on one machine and on Spark, and compare both."""
    expected = microagg.verify(before, after, **options)
    old = None if before is None else spark.read.parquet(str(write(before, name=f"before{number}")))
    new = spark.read.parquet(str(write(after, 3, name=f"after{number}")))
    _same(cluster_verify.verify(old, new, **options), expected)
    return expected


@pytest.mark.parametrize("case", with_corners(CASES, ["sets, strata and weights", "units"]))
def test_sound_releases_pass(spark: Any, write_parquet_folder: Write, survey: pl.DataFrame, case: str) -> None:
    plan = CASES[case]
    released = microagg.protect(survey, plan=plan).data
    assert _both(spark, write_parquet_folder, survey, released, plan=plan).passed


def _faulty(after: pl.DataFrame, fault: str) -> pl.DataFrame:
    """Return a release with a fault."""
    row = pl.int_range(pl.len())
    if fault == "values":
        lowest, highest = after["income"].min(), after["income"].max()
        return after.with_columns(
            pl.when(row == 41)
            .then(1.5)
            .when(pl.col("income") == highest)
            .then(0.25)
            .otherwise("income")
            .alias("income"),
            pl.when(pl.col("income") == lowest).then(None).otherwise("age").alias("age"),
            pl.when(row == 88).then(9).otherwise("debts").alias("debts"),
        )
    if fault == "order":
        return after.sample(fraction=1.0, shuffle=True, seed=1)
    if fault == "records":
        return after.head(-1)
    return after.with_columns(pl.col("age") + 0.25, new=pl.lit(1)).drop("weight")


@pytest.mark.parametrize("fault", with_corners(["values", "order", "records", "columns"], ["values", "columns"]))
def test_what_is_wrong_is_found(spark: Any, write_parquet_folder: Write, survey: pl.DataFrame, fault: str) -> None:
    plan = Plan(k=3, columns=["income", "age"], strata=["region"], small_strata="suppress", exclude=["name"])
    released = _faulty(microagg.protect(survey, plan=plan).data, fault)
    verdict = _both(spark, write_parquet_folder, survey, released, plan=plan)
    assert not verdict.passed


def test_a_release_is_checked_alone(spark: Any, write_parquet_folder: Write, survey: pl.DataFrame) -> None:
    plan = Plan(
        k=3, columns=["income", "age"], unit="household", confidential=["debts"], l_diversity=3, exclude=["name"]
    )
    released = microagg.protect(survey, k=3, columns=["income", "age"], exclude=["name"]).data
    verdict = _both(spark, write_parquet_folder, None, released, plan=plan)
    assert [finding.passed for finding in verdict.findings if finding.check == "l_diversity"] == [False]


@pytest.mark.parametrize("fault", with_corners(["values", "order"], ["order"]))
def test_columns_without_a_plan(spark: Any, write_parquet_folder: Write, survey: pl.DataFrame, fault: str) -> None:
    released = _faulty(microagg.protect(survey, k=3, columns=["income", "age"], exclude=["name"]).data, fault)
    _both(spark, write_parquet_folder, survey, released, k=3, columns=["income", "age"])


@CORNER
def test_records_may_correspond_by_an_id(spark: Any, survey: pl.DataFrame) -> None:
    plan = Plan(k=3, columns=["hours", "age"], missing="drop", exclude=["name"])
    released = microagg.protect(survey, plan=plan).data
    before, after = (
        spark.createDataFrame(frame.select("name", "hours", "age").rows(), f"name string, hours double, age {kind}")
        for frame, kind in ((survey, "long"), (released.sample(fraction=1.0, shuffle=True, seed=3), "double"))
    )
    assert cluster_verify.verify(before, after, plan=plan, row_id="name").passed
    youngest, oldest = released.sort("age")["name"][[0, -1]]
    swapped = after.replace({youngest: oldest, oldest: youngest}, subset=["name"])
    verdict = cluster_verify.verify(before, swapped, plan=plan, row_id="name")
    assert {finding.check for finding in verdict.findings if finding.passed is False} == {"group values"}


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["A", "A", "C"], "row_id 'id' is not unique, 2 records share one"),
        (["A", None, "C"], "row_id 'id' is missing in some records"),
        ([1, 2, 3], "row_id 'id' is of kind 'integer' in the original, and 'text' in the release"),
    ],
)
def test_ids_of_the_original_must_name_its_records(spark: Any, ids: list[Any], message: str) -> None:
    kind = "long" if ids[0] == 1 else "string"
    before = spark.createDataFrame([(name, 2.0) for name in ids], f"id {kind}, age double")
    after = spark.createDataFrame([(name, 2.0) for name in "ABC"], "id string, age double")
    with pytest.raises(InputError, match=message):
        cluster_verify.verify(before, after, plan=Plan(k=3, columns=["age"]), row_id="id")


def test_large_classes_are_checked_by_counting_equal_records(
    spark: Any, write_parquet_folder: Write, survey: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_check_jobs, "LARGE_CLASS", 10)
    before = survey.with_columns(age=(pl.col("age") // 20) * 20, hours=pl.lit(40.0))
    plan = Plan(k=3, columns=["age", "hours"], weight="weight", exclude=["name"])
    released = microagg.protect(before, plan=plan).data
    assert _both(spark, write_parquet_folder, before, released, "-sound", plan=plan).passed
    wrong = released.with_columns(hours=pl.when(pl.col("age") == 40).then(41.0).otherwise("hours"))
    expected = microagg.verify(before, wrong, plan=plan)
    frames = [
        spark.read.parquet(str(write_parquet_folder(frame, name=name)))
        for frame, name in ((before, "before-wrong"), (wrong, "after-wrong"))
    ]
    found = cluster_verify.verify(*frames, plan=plan)
    assert [passed for _, passed, _ in _listed(found)] == [passed for _, passed, _ in _listed(expected)]
    assert not found.passed
    rows = wrong.with_row_index().filter(pl.col("age") == 40)["index"]
    detail = (
        f"'hours' is not the mean of the original values in 1 of 4 groups: {len(rows)} records, in rows {rows[0] + 1}"
    )
    assert found.findings[-1].detail.startswith(detail)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"plan": Plan(k=2, columns=["age"], confidential=["debts"], t_closeness=0.5)}, "the plan has t_closeness"),
        ({"plan": Plan(k=2, columns=["age"], shuffle=True)}, "the plan has shuffle"),
        ({"plan": Plan(k=2, columns=["hours"], missing="available")}, "lack different cells"),
        ({"plan": Plan(k=2)}, "the plan names no columns"),
        ({"plan": Plan(k=2, columns=["age"]), "k": 2}, "k and a plan are both given"),
        ({"k": 2}, "name the columns to verify"),
        ({"k": 2, "columns": ["ages"]}, "there is no column 'ages'"),
        ({"k": 2, "columns": ["age"], "run": microagg.Run(iterations=3)}, "nothing that iterations could limit"),
    ],
)
def test_what_cannot_be_verified_is_refused(spark: Any, options: dict[str, Any], message: str) -> None:
    frame = spark.createDataFrame([(1, 2.0, 3)], "age long, hours double, debts long")
    with pytest.raises(InputError, match=message):
        cluster_verify.verify(frame, frame, **options)
