"""Protecting on a cluster: the same groups, values, types and measures as on one machine, whatever the plan."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import microagg.spark
from corners import with_corners
from microagg import InputError, MethodError, MicroaggError, Plan, Release, protect_file
from microagg.model.arrays import IntArray
from microagg.model.release import SetRelease
from microagg.spark import cluster_parts, cluster_protect
from microagg.spark.spark_release import SparkRelease, SparkSetRelease

N = 700
MDAV: dict[str, Any] = {"method": "mdav"}
BLOCKS: dict[str, Any] = {"effort": "quick", "block_size": 120, "rounds": 2}
LEVELS = ["low", "mid", "high"]

USUAL_PLANS = (
    "blocks of large strata, others whole",
    "suppressed patterns with marks, in blocks",
    "cells that are there, categories, means by weights",
    "two sets, units",
)

PLANS: dict[str, dict[str, Any]] = {
    "blocks of large strata, others whole": {
        "columns": ["income", "age", "small"],
        "strata": ["zone"],
        "identifiers": ["person"],
        "drop": ["note", "zone"],
        **BLOCKS,
    },
    "one round of blocks, integers and decimals": {
        "columns": ["age", "debt", "whole"],
        "keep_integers": True,
        "scale": "range",
        "block_size": 120,
        **MDAV,
    },
    "merged strata": {"columns": ["income", "age"], "strata": ["town", "job"], "small_strata": "merge", **MDAV},
    "suppressed patterns with marks, in blocks": {
        "columns": ["income", "gap", "hole"],
        "strata": ["town"],
        "missing": "pattern",
        "missing_values": {"hole": [-9]},
        "small_strata": "suppress",
        **BLOCKS,
    },
    "suppressed patterns": {
        "columns": ["income", "gap", "hole"],
        "strata": ["town", "flag"],
        "missing": "pattern",
        "missing_values": {"hole": [-9]},
        "small_strata": "suppress",
        **MDAV,
    },
    "cells that are there, categories, means by weights": {
        "columns": ["gap", "job", "flag", "level"],
        "nominal": ["job"],
        "ordinal": {"level": LEVELS},
        "missing": "available",
        "weight": "weight",
        "block_size": 300,
        **MDAV,
    },
    "without records that lack a value, weighted loss": {
        "columns": ["income", "gap"],
        "missing": "drop",
        "transform": {"income": "log"},
        "weight": "weight",
        "weighted_loss": True,
        "block_size": 200,
        **MDAV,
    },
    "medians of times, diversity": {
        "columns": ["born", "seen", "called", "debt"],
        "aggregate": "median",
        "confidential": ["job"],
        "l_diversity": 2,
        "block_size": 200,
        **MDAV,
    },
    "medoids and sets": {
        "columns": ["small", "debt", "called", "job"],
        "nominal": ["job"],
        "aggregate": {"small": "medoid", "debt": "medoid", "called": "medoid", "job": "set"},
        **MDAV,
    },
    "two sets, units": {
        "sets": [{"columns": ["income", "age"], "aggregate": "trimmed"}, {"columns": ["small"], "k": 3}],
        "unit": "house",
        "strata": ["flag"],
        **MDAV,
    },
}


def people() -> pl.DataFrame:
    """Return records with columns of every kind, in which values are missing in several ways."""
    rng = np.random.default_rng(7)
    lacks = rng.random(N) < 0.2
    gap = pl.Series(np.where(lacks, np.nan, rng.normal(size=N).round(3)))
    second = np.datetime64("2001-01-01T00:00:00", "us")
    seen = pl.Series(second + rng.integers(0, 10**15, N).astype("timedelta64[us]"))
    return pl.DataFrame(
        {
            "person": [f"p{number:04d}" for number in rng.permutation(N)],
            "house": rng.integers(1, N // 3, N),
            "town": rng.choice(["Ulm", "Bonn", "Kiel, North", "Oy"], N, p=[0.62, 0.3, 0.074, 0.006]),
            "zone": rng.choice([0.0, -0.0, np.nan], N, p=[0.5, 0.4, 0.1]),
            "weight": rng.uniform(1.0, 4.0, N).round(2),
            "income": rng.lognormal(8.0, 0.6, N).round(2),
            "age": rng.integers(18, 90, N).astype(np.int32),
            "small": rng.normal(size=N).astype(np.float32),
            "whole": rng.integers(0, 99, N).astype(np.float64),
            "debt": pl.Series([Decimal(int(cents)) / 100 for cents in rng.integers(-(10**6), 10**6, N)]).cast(
                pl.Decimal(12, 2)
            ),
            "job": rng.choice(["cook", "nurse", "smith", "judge"], N, p=[0.5, 0.3, 0.19, 0.01]),
            "level": rng.choice(LEVELS, N),
            "flag": rng.random(N) < 0.3,
            "born": np.datetime64("1950-01-01") + rng.integers(0, 18_000, N),
            "seen": seen,
            "called": seen.dt.replace_time_zone("UTC"),
            "gap": pl.select(
                pl.when(pl.Series(rng.random(N) < 0.5) & gap.is_nan()).then(None).otherwise(gap)
            ).to_series(),
            "hole": np.where(rng.random(N) < 0.1, -9, rng.integers(0, 50, N)),
            "note": [f"note {number % 37}" for number in range(N)],
        }
    )


class BothReleases(NamedTuple):
    """Releases of one machine and of a cluster, and what the cluster has told of its groups before it was closed."""

    one: Release
    cluster: SparkRelease
    groups: list[IntArray]


@pytest.fixture(name="protect_both")
def _protect_both(spark: Any, tmp_path: Path, write_parquet_folder: Callable[..., Path]) -> Callable[..., BothReleases]:
    """Return a function that protects records on one machine and on Spark, and checks that the results are the same."""
    spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")  # else polars reads no time zone

    def both(frame: pl.DataFrame, records: Any = None, row_id: str | None = None, **options: Any) -> BothReleases:
        plan = Plan(**{"k": 5, "exclude": _others(frame, options), **options})
        frame.write_parquet(tmp_path / "all.parquet")
        one = protect_file(tmp_path / "all.parquet", tmp_path / "one.parquet", plan=plan)
        if records is None:
            records = spark.read.parquet(str(write_parquet_folder(frame, n_files=3)))
        with microagg.spark.protect(records, plan=plan, row_id=row_id) as release:
            told = sorted(tuple(row) for row in release.groups.collect())
            release.write(str(tmp_path / "safe"))
        rows, *groups = np.array(told).T
        assert rows.tolist() == _rows(one).tolist()
        check_same(one, release, groups)
        files = sorted((tmp_path / "safe").glob("part-*"))
        assert_frame_equal(
            pl.concat(map(pl.read_parquet, files)), pl.read_parquet(tmp_path / "one.parquet"), check_exact=True
        )
        return BothReleases(one, release, groups)

    return both


def _others(frame: pl.DataFrame, options: dict[str, Any]) -> list[str]:
    """Return the columns that a plan does not name: releases of columns that single out every record must name them."""
    sets = options.get("sets", [options])
    roles = ("identifiers", "drop", "strata", "confidential")
    named = {name for one in sets for name in one["columns"]}
    named |= {name for role in roles for name in options.get(role, ())}
    named |= {options[role] for role in ("weight", "unit") if role in options}
    return [name for name in frame.columns if name not in named]


def _rows(one: Release) -> IntArray:
    """Return the rows of the records that one machine releases."""
    order = one.table.order
    return np.arange(one.table.n_records) if order is None else order


def check_same(one: Release, cluster: SparkRelease, groups: list[IntArray]) -> None:
    """Check that a cluster has made what one machine has made."""
    assert cluster.together == one.together
    assert cluster.n_records == one.table.n_records
    for ours, theirs, found in zip(cluster.sets, one.sets, groups, strict=True):
        labels = theirs.solution.labels
        firsts = np.full(labels.max() + 1, N * 10)
        np.minimum.at(firsts, labels, _rows(one))
        assert found.tolist() == firsts[labels].tolist()
        check_same_set(ours, theirs)


def check_same_set(cluster: SparkSetRelease, one: SetRelease) -> None:
    """Check that a cluster tells of a column set what one machine tells."""
    solution = one.solution
    assert cluster.measures == one.measures
    assert (cluster.method, cluster.reason) == (solution.method, solution.reason)
    assert cluster.merged_parts == solution.merged_parts
    assert [cluster.sse, cluster.sst] == pytest.approx([solution.sse, solution.sst])
    assert [(part.name, part.n_records, part.n_groups) for part in cluster.parts] == [
        (part.part.name, len(part.part.records), part.solution.n_groups) for part in solution.parts
    ]
    assert [(cost.sentence, cost.n_violating) for cost in cluster.rule_costs] == [
        (cost.sentence, cost.n_violating) for cost in solution.rule_costs
    ]
    assert [cost.loss_before for cost in cluster.rule_costs] == pytest.approx(
        [cost.loss_before for cost in solution.rule_costs]
    )
    assert [cost.loss_after for cost in cluster.rule_costs] == pytest.approx(
        [cost.loss_after for cost in solution.rule_costs]
    )


@pytest.mark.parametrize("name", with_corners(PLANS, USUAL_PLANS))
def test_a_cluster_makes_what_one_machine_makes(protect_both: Callable[..., BothReleases], name: str) -> None:
    releases = protect_both(people(), **PLANS[name])
    if "small_strata" in PLANS[name]:
        merges = PLANS[name]["small_strata"] == "merge"
        assert bool(releases.cluster.sets[0].merged_parts) == merges
        assert (releases.cluster.n_suppressed > 0) != merges
    if "block_size" in PLANS[name]:
        assert releases.cluster.sets[0].n_blocks > 2


@pytest.mark.parametrize("share", with_corners([0.4, 1.0], [0.4]))
def test_leaves_of_equal_records_are_cut_along_the_rows(
    protect_both: Callable[..., BothReleases], share: float
) -> None:
    rng = np.random.default_rng(3)
    equal = rng.random(N) < share
    frame = pl.DataFrame({name: np.where(equal, 1.0, rng.normal(size=N)) for name in ("total", "a.b")})
    releases = protect_both(frame, columns=["total", "a.b"], **BLOCKS)
    assert releases.cluster.sets[0].n_blocks > 2


def test_records_without_files_are_numbered_by_an_id(spark: Any, protect_both: Callable[..., BothReleases]) -> None:
    rng = np.random.default_rng(5)
    numbers = np.sort(rng.choice(10**6, N, replace=False))
    frame = pl.DataFrame({"id": numbers, "x": rng.normal(size=N), "y": rng.normal(size=N)})
    records = spark.createDataFrame(frame.sample(fraction=1.0, shuffle=True, seed=1).rows(), frame.columns)
    protect_both(frame, records.repartition(3), "id", columns=["x", "y"], drop=["id"], **MDAV)


def test_names_of_columns_may_have_any_characters(protect_both: Callable[..., BothReleases]) -> None:
    names = {
        "income": "a.b",
        "age": "c`d",
        "town": "s.`t",
        "weight": " w'",
        "person": 'p"q',
        "debt": "größe ₂",
        "small": "back\\slash, (or) {so}; = *",
    }
    frame = people().select(*names).rename(names)
    options = {"columns": ["a.b", "c`d"], "strata": ["s.`t"], "small_strata": "suppress", "weight": " w'"}
    protect_both(frame, **options, **MDAV)


def test_names_that_differ_in_case_only_are_refused(spark: Any) -> None:
    records = spark.createDataFrame([(1.0, 2.0)], ["income", "Income"])
    with pytest.raises(InputError, match=r"'income' and 'Income' differ in upper and lower case only.*rename one"):
        microagg.spark.protect(records, k=2, columns=["income"], row_id="Income")


FAILURES: dict[str, dict[str, Any]] = {
    "missing values": {"columns": ["income", "gap"], **MDAV},
    "a mark that no record has": {"columns": ["income", "hole"], "missing_values": {"hole": [-9, -77]}, **MDAV},
    "a mark that no column has": {"columns": ["income"], "missing_values": [-9, -77], **MDAV},
    "missing marks": {"columns": ["income", "hole"], "missing_values": {"hole": [-9]}, **MDAV},
    "small strata": {"columns": ["income"], "strata": ["town", "job"], **MDAV},
    "small patterns": {
        "columns": ["gap", "hole"],
        "missing": "pattern",
        "missing_values": {"hole": [-9, 7]},
        "strata": ["town"],
        **MDAV,
    },
    "k above all records": {"k": N + 1, "columns": ["income"], **MDAV},
    "k above all merged records": {
        "k": N + 1,
        "columns": ["income"],
        "strata": ["town"],
        "small_strata": "merge",
        **MDAV,
    },
    "nothing left": {"k": N, "columns": ["income"], "strata": ["town"], "small_strata": "suppress", **MDAV},
    "an unknown column": {"columns": ["incom"], **MDAV},
    "a bad weight": {"columns": ["income"], "weight": "bad", **MDAV},
    "an infinite value": {"columns": ["income", "endless"], **MDAV},
    "an unknown category": {"columns": ["income", "level"], "ordinal": {"level": ["low", "high"]}, **MDAV},
}


@pytest.mark.parametrize("name", with_corners(FAILURES, ["missing values", "small strata", "a bad weight"]))
def test_what_fails_on_one_machine_fails_on_a_cluster_with_the_same_sentence(
    spark: Any, tmp_path: Path, write_parquet_folder: Callable[..., Path], name: str
) -> None:
    row = pl.int_range(N)
    frame = people().with_columns(
        bad=pl.when(row.is_in([13, 600])).then(0.0).otherwise(1.0),
        endless=pl.when(row == 77).then(float("inf")).otherwise(row * 1.0),
    )
    frame.write_parquet(tmp_path / "all.parquet")
    plan = Plan(**{"k": 5, "exclude": _others(frame, FAILURES[name]), **FAILURES[name]})
    with pytest.raises(MicroaggError) as on_one_machine:
        protect_file(tmp_path / "all.parquet", tmp_path / "one.parquet", plan=plan)
    records = spark.read.parquet(str(write_parquet_folder(frame, n_files=2)))
    with pytest.raises(type(on_one_machine.value)) as on_cluster:
        microagg.spark.protect(records, plan=plan)
    assert str(on_cluster.value) == str(on_one_machine.value)


def test_strata_of_many_values_are_refused(
    spark: Any, write_parquet_folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_parts, "_MAX_PARTS", 20)
    records = spark.read.parquet(str(write_parquet_folder(people().select("person", "income"), n_files=2)))
    with pytest.raises(InputError, match=r"more than 20 parts: is one of the strata an identifier\?"):
        microagg.spark.protect(records, k=5, columns=["income"], strata=["person"], **MDAV)


def test_a_value_of_a_group_that_stands_for_a_missing_one_is_refused(
    spark: Any, write_parquet_folder: Callable[..., Path]
) -> None:
    frame = pl.DataFrame({"x": [1.0, 3.0, 10.0, 12.0, 2.0, 2.0]})
    records = spark.read.parquet(str(write_parquet_folder(frame, n_files=1)))
    with pytest.raises(InputError, match=r"released for a group in column 'x' is one of 2.*missing value"):
        microagg.spark.protect(records, k=2, columns=["x"], missing="pattern", missing_values={"x": [2]}, **MDAV)


def test_nothing_is_asked_where_nothing_is_protected() -> None:
    untouched: Any = None
    plan = Plan(k=1, columns=["income"], allow_k1=True)
    assert cluster_protect._refuse_unnamed(untouched, plan, untouched, untouched) is None  # type: ignore[func-returns-value]


REFUSALS: list[tuple[dict[str, Any], str]] = [
    ({}, "name the columns to protect.*on a cluster none is guessed"),
    ({"exclude": ["age"]}, "name the columns to protect"),
    ({"columns": ["job"]}, r"'job' is no number.*nominal=\['job'\]"),
    ({"columns": ["income"], "method": "individual-ranking"}, "individual-ranking sorts each column as a whole"),
    ({"columns": ["income"], "method": lambda problem: problem}, "a method of your own stages"),
    ({"columns": ["income"], "bound": True}, "a bound over all records"),
    ({"columns": ["income"], "time_limit": 9.0}, "time_limit or target_gap.*speed of the machines"),
    ({"columns": ["income"], "bound": True, "target_gap": 0.1}, "a bound over all records"),
    ({"columns": ["income"], "shuffle": True}, "the plan has shuffle"),
    ({"columns": ["income"], "renumber": ["house"]}, "the plan has renumber"),
    ({"columns": ["income"], "confidential": ["age"], "t_closeness": 0.3}, "the plan has t_closeness"),
    ({"columns": ["age"], "keep_integers": True, "rounding": "total"}, "rounding='total'"),
    ({"columns": ["income"], "scale": "mad"}, "'income' is to be scaled or transformed by 'mad'"),
    ({"columns": ["income"], "scale": {"income": "iqr"}}, "'income' is to be scaled or transformed by 'iqr'"),
    ({"columns": ["income"], "scale": "rank"}, "'income' is to be scaled or transformed by 'rank'"),
    ({"columns": ["income"], "transform": {"income": "rank"}}, "'income' is to be scaled or transformed by 'rank'"),
    ({"columns": ["income"], "delimiter": ";"}, "the plan has 'delimiter', but a DataFrame is read by Spark"),
    (
        {"columns": ["income"], "strata": ["town"], "unit": "house", "small_strata": "merge"},
        "small_strata and a unit",
    ),
    (
        {"columns": ["job"], "nominal": ["job"], "missing": "drop", "missing_values": {"job": ["judge"]}},
        "missing_values names texts of column 'job'",
    ),
]


@pytest.mark.parametrize(("options", "sentence"), REFUSALS)
def test_what_a_cluster_cannot_do_is_refused_in_one_sentence(
    spark: Any, options: dict[str, Any], sentence: str
) -> None:
    kinds = "income double, age long, job string, town string, house long"
    records = spark.createDataFrame([(1.0, 2, "cook", "Ulm", 3)], kinds)
    with pytest.raises((InputError, MethodError), match=sentence):
        microagg.spark.protect(records, k=5, **options)


def test_records_that_are_there_twice_are_refused(spark: Any, write_parquet_folder: Callable[..., Path]) -> None:
    folder = write_parquet_folder(pl.DataFrame({"x": np.arange(40.0)}))
    twice = spark.read.parquet(str(folder)).filter("x < 8 OR x > 38").selectExpr("x", "explode(array(1, 2)) AS copy")
    with pytest.raises(InputError, match=r"more than once|no stable numbers"):
        microagg.spark.protect(twice, k=2, columns=["x"])


def test_tables_in_memory_are_refused() -> None:
    with pytest.raises(InputError, match=r"expected a Spark DataFrame.*, found polars\.DataFrame.*microagg\.protect"):
        microagg.spark.protect(people(), k=2, columns=["income"])


def test_several_columns_of_text_are_named_at_once(spark: Any) -> None:
    records = spark.createDataFrame([("cook", "Ulm", 3)], "job string, town string, house long")
    sets = [{"k": 2, "columns": ["job", "house"]}, {"k": 2, "columns": ["town"]}]
    with pytest.raises(InputError, match=r"'job', 'town' are no numbers.*nominal=\['job', 'town'\]"):
        microagg.spark.protect(records, plan=Plan(sets=sets))


def test_records_that_have_no_numbers_are_refused(spark: Any, capfd: pytest.CaptureFixture[str]) -> None:
    records = spark.createDataFrame([(1.0,), (1.0,)], "x double")
    with pytest.raises(InputError, match=r"no stable numbers.*row_id"):
        microagg.spark.protect(records, k=2, columns=["x"])
    assert capfd.readouterr().err == "", "Spark logs no error of its own"
    with pytest.raises(InputError, match="row_id 'x' is not unique, 2 records share one"):
        microagg.spark.protect(records, k=2, columns=["x"], row_id="x")
