"""A release on a cluster is reported as one of one machine: the same facts, sections and editions, and its stages."""

import json
import re
from html import unescape
from typing import Any

import numpy as np
import polars as pl
import pytest

from cluster_releases import SPARK, as_cluster_release
from microagg import InputError, Plan, Release, protect
from microagg.report import OutputFile, report
from microagg.report.document import as_document
from microagg.report.document_facts import document_facts
from microagg.report.facts import facts
from microagg.report.public_facts import public_facts
from microagg.spark import SparkRelease

MARK = 987654.321
OWN = ("input", "spark", "stages", "remarks")


@pytest.fixture(scope="module")
def release() -> Release:
    """Return a release with every role that a cluster knows, two column sets, and a stratum that is left out."""
    rng = np.random.default_rng(2)
    income = np.round(rng.lognormal(10.0, 0.6, size=82), 2)
    income[5] = MARK
    people = {
        "person": [f"Person {number}" for number in range(82)],
        "region": ["north"] * 40 + ["south"] * 40 + ["islet"] * 2,
        "income": income,
        "age": rng.integers(18, 90, size=82),
        "job": rng.choice(["baker", "clerk", "smith"], size=82),
        "illness": rng.choice(list("abcde"), size=82),
        "count": rng.integers(0, 4, size=82),
        "a`b": rng.integers(0, 4, size=82),
    }
    plan = Plan(
        k=3, sets=[{"columns": ["income", "age", "job"]}, {"columns": ["count", "a`b"]}], keep_integers=True,
        identifiers=["person"], strata=["region"], confidential=["illness"], l_diversity=2, small_strata="suppress",
        method="mdav", nominal=["job"],
    )  # fmt: skip
    return protect(pl.DataFrame(people), plan=plan)


@pytest.fixture(scope="module")
def on_cluster(release: Release) -> SparkRelease:
    return as_cluster_release(release)


def shown(document: str) -> str:
    """Return the visible text of a document, on one line."""
    text = re.sub(r"<style>.*?</style>|<[^>]*>", " ", document, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(text))


def test_facts_are_those_of_one_machine_by_the_same_names(release: Release, on_cluster: SparkRelease) -> None:
    one_machine = facts(release)
    cluster = json.loads(json.dumps(facts(on_cluster)))
    assert list(cluster) == list(one_machine)
    for name in one_machine:
        if name not in OWN:
            assert cluster[name] == json.loads(json.dumps(one_machine[name])), name


def test_document_facts_are_those_of_one_machine(release: Release, on_cluster: SparkRelease) -> None:
    one_machine = document_facts(release)
    cluster = document_facts(on_cluster)
    assert list(cluster) == list(one_machine)
    assert cluster["sets"] == one_machine["sets"]
    assert list(cluster["verification"]) == list(one_machine["verification"])
    assert list(cluster["provenance"]) == list(one_machine["provenance"])


def test_jobs_of_a_stage_are_told_together(on_cluster: SparkRelease) -> None:
    assert facts(on_cluster)["stages"] == [
        {"name": "rows", "seconds": 0.5, "tasks": 2},
        {"name": "check", "seconds": 3.0, "tasks": 7},
        {"name": "blocks, round 1 of 1", "seconds": 10.25, "tasks": 40},
    ]


def test_tasks_that_a_session_does_not_tell_are_unknown(release: Release) -> None:
    on_cluster = as_cluster_release(release)
    untold = tuple(one._replace(tasks=None) for one in on_cluster.stage_times)
    object.__setattr__(on_cluster, "stage_times", untold)
    assert [one["tasks"] for one in facts(on_cluster)["stages"]] == [None, None, None]
    assert "in 3 stages, 13.8 s" in on_cluster.summary()


def test_text_tells_spark_and_its_longest_stages(on_cluster: SparkRelease) -> None:
    text = on_cluster.summary()
    assert f"made:             on Apache Spark {SPARK}, in 3 stages, 49 tasks, 13.8 s" in text
    assert "longest stages:   blocks, round 1 of 1, 40 tasks, 10.2 s; check, 7 tasks, 3.0 s" in text


def test_text_of_one_machine_tells_no_stages(release: Release) -> None:
    assert "stages" not in release.summary()


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (("file:/data/people/part-0.parquet", "file:/data/people/part-1.parquet"), "people"),
        (("hdfs://host:8020/data/my%20people/part-0.parquet",), "my people"),
        (("file:/data/people/year=2020/part-0.parquet", "file:/data/people/year=2021/part-0.parquet"), "people"),
        (("file:/data/people/year=2020/part-0.parquet",), "people"),
        (("file:/data/people.parquet",), "people.parquet"),
        (("file:/data/a/x.parquet", "file:/data/b/x.parquet"), "data"),
        (("file:///staging/.microagg-1/rows-by-id/part-0.parquet",), None),
        ((), None),
    ],
)
def test_the_input_is_named_by_its_folder(release: Release, files: tuple[str, ...], expected: str | None) -> None:
    source = facts(as_cluster_release(release, files=files))["input"]
    kind = None if expected is None else "Parquet"
    assert source == {"file": expected, "kind": kind, "table": None, "sha256": None, "n_records": 82, "read_as": {}}


def test_the_output_is_the_folder_that_was_written(release: Release, on_cluster: SparkRelease) -> None:
    assert facts(on_cluster)["output"] is None
    assert facts(on_cluster, OutputFile("safe", None))["output"] == {"file": "safe", "sha256": None}
    written = as_cluster_release(release, path="hdfs:///data/published/safe")
    assert facts(written)["output"] == {"file": "safe", "sha256": None}


def test_strata_that_are_dropped_are_not_named() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "village": ["Amden", "Amden", "Balm", "Balm"]})
    release = protect(frame, 2, columns=["x"], strata=["village"], drop=["village"])
    on_cluster = as_cluster_release(release)
    assert [part["part"] for part in facts(on_cluster)["sets"][0]["parts"]] == ["part 1", "part 2"]
    assert "Amden" not in report(on_cluster, "json")


def test_identifying_columns_are_warned_of() -> None:
    people = pl.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "card": ["a", "b", "c", "d"]})
    on_cluster = as_cluster_release(protect(people, 2, columns=["x"]))
    assert facts(on_cluster)["identifying"] == ["card"]
    assert "4 of 4 records (100.0 %) are unique in 'card', released unchanged" in on_cluster.summary()


def test_internal_document_shows_who_made_it_every_stage_and_every_check(on_cluster: SparkRelease) -> None:
    text = shown(on_cluster.to_html())
    assert f"on Apache Spark {SPARK}." in text
    assert f"Stages of the work on Apache Spark {SPARK} stage tasks seconds rows 2 0.5 check 7 3.0" in text
    assert f"Apache Spark {SPARK} Stages" in text, "among the versions"
    assert "VERIFIED" in text
    assert "task Piece of the work" in text, "the glossary explains words that are used"
    assert "RISK AND UTILITY WERE NOT MEASURED" in text
    assert "protect with measures" not in text, "which a cluster does not know"
    assert "THE COLUMN SETS ARE NOT 3-ANONYMOUS TOGETHER" in text
    assert "is separate from what made the release" in text
    assert "An independent check" not in text, "none was made"


def test_checks_are_told_with_what_was_found(release: Release, on_cluster: SparkRelease) -> None:
    checks = document_facts(on_cluster)["verification"]
    found = [(one["check"], one["passed"]) for one in checks["findings"]]
    assert found == [
        ("records", True),
        ("identifiers", True),
        ("columns", True),
        ("k-anonymity in every block", True),
        ("k-anonymity of what was stored", True),
        ("rules", True),
        ("k-anonymity in every block", True),
        ("k-anonymity of what was stored", True),
        ("rules", True),
        ("column sets together", None),
    ]
    details = [one["detail"] for one in checks["findings"]]
    assert details[0] == "82 before, 80 after, as the plan leaves some out"
    assert details[1] == "left out of the release: 'person'"
    n_groups = release.sets[0].solution.n_groups
    assert details[3].startswith(f"every group has at least 3 records: {n_groups} groups of 3 to ")
    assert details[3].endswith("in 'income', 'age', 'job' within strata of 'region'")
    assert "different values" in details[5]
    assert (checks["k"], checks["k_reached"]) == (3, 3)
    assert checks["passed"]


def test_a_column_that_should_be_gone_fails(release: Release) -> None:
    on_cluster = as_cluster_release(release)
    object.__setattr__(on_cluster.frame, "columns", [*on_cluster.frame.columns, "person"])
    text = shown(on_cluster.to_html())
    assert "NOT VERIFIED: DO NOT RELEASE" in text
    assert "still in the release: 'person'" in text


def test_a_column_that_was_lost_fails(release: Release) -> None:
    on_cluster = as_cluster_release(release)
    object.__setattr__(on_cluster.frame, "columns", [name for name in on_cluster.frame.columns if name != "illness"])
    failed = [one for one in document_facts(on_cluster)["verification"]["findings"] if one["passed"] is False]
    assert [one["detail"] for one in failed] == ["not in the release, although the plan keeps them: 'illness'"]


def test_a_column_that_was_added_fails(release: Release) -> None:
    on_cluster = as_cluster_release(release)
    object.__setattr__(on_cluster.frame, "columns", [*on_cluster.frame.columns, "__microagg_row"])
    failed = [one for one in document_facts(on_cluster)["verification"]["findings"] if one["passed"] is False]
    assert [one["detail"] for one in failed] == ["in the release, but not in the original: '__microagg_row'"]


@pytest.mark.parametrize("drop", [(), ("village",)])
def test_merged_strata_are_told_as_on_one_machine(drop: tuple[str, ...]) -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, 5.0], "village": ["Amden", "Amden", "Balm", "Balm", "Chur"]})
    release = protect(frame, 2, columns=["x"], strata=["village"], small_strata="merge", drop=drop, method="mdav")
    on_cluster = as_cluster_release(release)
    one_machine = document_facts(release)["sets"][0]
    assert one_machine["n_merged"] == 1
    assert document_facts(on_cluster)["sets"][0] == one_machine
    found = [
        one["detail"] for one in document_facts(on_cluster)["verification"]["findings"] if "k-anon" in one["check"]
    ]
    assert [detail.partition(", in ")[2] for detail in found] == ["'x'", "'x': 2 combinations in all"], "not by strata"


def test_units_are_counted_where_the_plan_names_them() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "house": [1, 2, 3, 4]})
    on_cluster = as_cluster_release(protect(frame, 2, columns=["x"], unit="house"))
    details = {one["check"]: one["detail"] for one in document_facts(on_cluster)["verification"]["findings"]}
    assert details["k-anonymity in every block"].startswith("every group has at least 2 units: ")
    assert details["k-anonymity of what was stored"] == (
        "every combination of values is that of at least 2 units, in 'x': 2 combinations in all"
    )


def test_both_figures_of_k_are_told_of_what_was_stored_where_missing_cells_may_be_any_value() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "y": [1.0, None, 2.0, 2.0]})
    on_cluster = as_cluster_release(protect(frame, 2, columns=["x", "y"], missing="available"))
    checks = {one["check"]: one for one in document_facts(on_cluster)["verification"]["findings"]}
    stored = checks["k-anonymity of what was stored"]
    assert stored["passed"] is None
    assert stored["detail"] == (
        "k = 1 by released values, 1 record in classes below 2; k = 3 if a missing cell may be any value, in 'x', 'y'"
    )


def test_public_facts_are_those_of_one_machine(release: Release, on_cluster: SparkRelease) -> None:
    one_machine = public_facts(document_facts(release))
    cluster = public_facts(document_facts(on_cluster))
    own = ("spark", "verification", "provenance")
    assert {name: cluster[name] for name in cluster if name not in own} == {
        name: one_machine[name] for name in one_machine if name not in own
    }
    assert cluster["provenance"]["versions"]["Apache Spark"] == SPARK


def test_public_document_tells_nothing_of_the_original(on_cluster: SparkRelease) -> None:
    known = document_facts(on_cluster, OutputFile("safe", None))
    internal = shown(as_document(known, "internal"))
    public = shown(as_document(known, "public"))
    for secret in ("person", "people", "82 before", "blocks, round", "2 records of the original"):
        assert secret in internal, "else the test proves nothing"
        assert secret not in public
    assert f"{MARK:.3f}" not in public
    assert f"on Apache Spark {SPARK}." in public
    assert "Report on a release: safe" in public


def test_a_document_of_a_release_that_is_gone_is_refused(release: Release) -> None:
    closed = as_cluster_release(release, is_there=False)
    assert closed.summary()
    with pytest.raises(InputError, match="not in its staging folder any more"):
        closed.to_html()
    assert as_cluster_release(release, path="/data/safe", is_there=False).to_html()


def test_a_path_of_the_output_is_refused(on_cluster: SparkRelease, tmp_path: Any) -> None:
    with pytest.raises(InputError, match="expected no path of a release on a cluster"):
        report(on_cluster, "html", OutputFile("safe", None, tmp_path))
