"""Paths are those of this machine only where that is certain: elsewhere Spark decides what they stand for."""

from pathlib import Path

import pytest

from microagg.spark.local_paths import local_path

VARIABLES = (
    *("PYSPARK_GATEWAY_PORT", "PYSPARK_SUBMIT_ARGS", "MASTER", "SPARK_REMOTE", "SPARK_HOME", "SPARK_CONF_DIR"),
    *("HADOOP_CONF_DIR", "YARN_CONF_DIR", "HADOOP_HOME"),
)


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment say nothing about Spark."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("name", "master", "found"),
    [
        ("safe/", None, "safe"),
        ("/data/safe", "local[4]", "/data/safe"),
        ("file:///data/safe", "yarn", "/data/safe"),
        ("file:/data/safe", "yarn", "/data/safe"),
        ("/data/safe", "yarn", None),
        ("/data/safe", "spark://host:7077", None),
        ("hdfs:///safe", None, None),
        ("s3a://bucket/safe", "local[4]", None),
        ("file://elsewhere/data", "local[4]", None),
    ],
)
def test_paths_are_local_where_that_is_certain(name: str, master: str | None, found: str | None) -> None:
    assert local_path(name, master, {}) == (None if found is None else Path(found))


@pytest.mark.parametrize("variable", ["HADOOP_CONF_DIR", "MASTER", "PYSPARK_GATEWAY_PORT"])
def test_the_environment_may_name_another_file_system(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "any")
    assert local_path("safe/", None, {}) is None


def test_settings_may_name_another_file_system() -> None:
    assert local_path("safe/", None, {"spark.hadoop.fs.defaultFS": "hdfs://host"}) is None
