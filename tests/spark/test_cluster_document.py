"""The report of a release that Spark has made: the facts of one machine, and documents of what is stored."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microagg.spark
from microagg import InputError, Plan, protect
from microagg.report import OutputFile, report
from microagg.report.document_facts import document_facts
from microagg.report.facts import facts
from microagg.spark import SparkRelease

PLAN = Plan(
    k=3, sets=[{"columns": ["income", "age"]}, {"columns": ["count"]}], method="mdav", keep_integers=True,
    identifiers=["person"], strata=["region"], small_strata="suppress", random_state=1,
)  # fmt: skip


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    """Return records in two strata, and two in a third that is too small."""
    rng = np.random.default_rng(8)
    return pl.DataFrame(
        {
            "person": [f"Person {number}" for number in range(122)],
            "region": ["north"] * 60 + ["islet"] * 2 + ["south"] * 60,
            "income": np.round(rng.lognormal(10.0, 0.6, size=122), 2),
            "age": rng.integers(18, 90, size=122),
            "count": rng.integers(0, 4, size=122),
        }
    )


@pytest.fixture
def release(spark: Any, people: pl.DataFrame, write_parquet_folder: Callable[..., Path]) -> SparkRelease:
    folder = write_parquet_folder(people, n_files=2, name="people")
    return microagg.spark.protect(spark.read.parquet(str(folder)), plan=PLAN)


def test_report_of_a_release_on_spark(release: SparkRelease, people: pl.DataFrame, tmp_path: Path, spark: Any) -> None:
    with release:
        one_machine = protect(people, plan=PLAN)
        known = json.loads(report(release, "json"))
        expected = facts(one_machine)
        assert list(known) == list(expected)
        assert known["input"] == {
            "file": "people", "kind": "Parquet", "table": None, "sha256": None, "n_records": 122, "read_as": {},
        }  # fmt: skip
        assert known["spark"] == spark.version
        assert {"rows", "check", "join"} <= {one["name"] for one in known["stages"]}
        assert all(one["tasks"] > 0 for one in known["stages"] if one["name"] in ("rows", "check", "join"))
        for name in ("columns", "as_they_came", "n_records", "n_suppressed", "roles", "random_state", "plan"):
            assert known[name] == json.loads(json.dumps(expected[name])), name
        for one, other in zip(known["sets"], expected["sets"], strict=True):
            assert (one["n_groups"], one["k"], one["smallest_group"]) == (
                other["n_groups"], other["k"], other["smallest_group"],
            )  # fmt: skip
            assert one["measures"] == json.loads(json.dumps(other["measures"]))

        sets = document_facts(release)["sets"]
        for one, other in zip(sets, document_facts(one_machine)["sets"], strict=True):
            for name in ("aggregates", "whole_numbers", "n_parts", "is_merged", "group_sizes"):
                assert one[name] == other[name], name
        assert f"on Apache Spark {spark.version}." in report(release, "html", OutputFile("safe", None))

        written = release.write(str(tmp_path / "safe"))
        with pytest.raises(InputError, match="make the document of what write returned"):
            release.to_html()
    public = written.to_html("public")
    assert "Report on a release: safe" in public
    assert "people" not in public
