"""A session is the one that is there, or a new one; what is missing, or cannot be changed, is said in a sentence."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from corners import CORNER
from microagg import InputError, MicroaggError
from microagg.spark import session
from microagg.spark.session import described_session, is_submitted, make_session, opened_session, spark_error
from microagg.spark.worker_daemon import MODULE

NEW_SESSION = """
from microagg.spark.session import described_session, opened_session
with opened_session("local[2]", {"spark.sql.shuffle.partitions": "3"}) as spark:
    print(described_session(spark))
    print(spark.conf.get("spark.sql.shuffle.partitions"), spark.conf.get("spark.sql.session.timeZone"))
    worker = spark.range(1).rdd.map(lambda row: __import__("sys").executable).collect()
    print(worker == [__import__("sys").executable])
"""
VARIABLES = ("PYSPARK_GATEWAY_PORT", "PYSPARK_SUBMIT_ARGS", "MASTER", "SPARK_REMOTE", "SPARK_HOME", "SPARK_CONF_DIR")


@pytest.fixture
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment say nothing about Spark."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def test_session_that_is_there_is_used_and_not_stopped(spark: Any) -> None:
    with opened_session() as opened:
        assert opened is spark
    assert spark.range(3).count() == 3
    assert described_session(spark) == f"Spark {spark.version} at local[2,4], 2 tasks at a time"


def test_settings_of_a_session_that_is_there_are_changed_or_refused(spark: Any) -> None:
    before = spark.conf.get("spark.sql.shuffle.partitions")
    make_session(conf={"spark.sql.shuffle.partitions": "7"})
    assert spark.conf.get("spark.sql.shuffle.partitions") == "7"
    spark.conf.set("spark.sql.shuffle.partitions", before)
    with pytest.raises(InputError, match=r"setting spark\.sql\.warehouse\.dir of the session that is there cannot"):
        make_session(conf={"spark.sql.warehouse.dir": "elsewhere"})
    with pytest.raises(InputError, match="there is a session already: leave it out"):
        make_session("local[1]")


@CORNER
def test_new_session_is_quiet_and_runs_this_python() -> None:
    pytest.importorskip("pyspark")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYSPARK", "SPARK"))}
    command = [sys.executable, "-W", "ignore", "-c", NEW_SESSION]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    described, settings, same_python = done.stdout.splitlines()
    assert described.endswith(" at local[2,4], 2 tasks at a time")
    assert (settings, same_python) == ("3 UTC", "True")


@pytest.mark.parametrize(
    ("master", "started"),
    [
        ("local", "local[1,4]"),
        ("local[3]", "local[3,4]"),
        ("local[*]", "local[*,4]"),
        ("local[3,1]", "local[3,1]"),
        ("local-cluster[2,1,1024]", "local-cluster[2,1,1024]"),
        ("spark://host:7077", "spark://host:7077"),
        ("yarn", "yarn"),
    ],
)
def test_failed_tasks_are_tried_again_on_this_machine_too(master: str, started: str) -> None:
    settings = session._settings_of(master)
    assert settings["spark.master"] == started
    assert ("spark.driver.host" in settings) == master.startswith("local")
    assert (settings.get("spark.python.daemon.module") == MODULE) == master.startswith("local")


@pytest.mark.parametrize("master", ["lokal[2]", "local[x]", "local[", "yarn-client", "spark:host", "", "host:7077"])
def test_unknown_masters_are_refused_before_java_is_started(master: str) -> None:
    with pytest.raises(InputError, match=r"Spark does not know the master .* choose local, local\[N\], ") as refused:
        session._settings_of(master)
    assert repr(master) in str(refused.value)
    assert "Java" not in str(refused.value)


@pytest.mark.parametrize(
    ("said", "java", "sentence"),
    [
        (
            'WARNING\nException in thread "main" org.apache.spark.SparkException: Master must start with yarn\n\tat a',
            "openjdk 21",
            "Spark could not start: Spark says: Master must start with yarn",
        ),
        ("Error: Unrecognized option: -Xm\nError: done", "openjdk 21", "Spark says: Unrecognized option: -Xm"),
        (
            "Invalid maximum heap size: -Xmx1x\nError: Could not create the Java Virtual Machine.\n",
            "openjdk 21",
            "Spark says: Invalid maximum heap size: -Xmx1x",
        ),
        ("first\nlast\n\n", "openjdk 21", "Spark could not start: Spark says: last"),
        ("", "openjdk 21", "Spark could not start: Spark says: nothing"),
        (
            "Exception in thread java.lang.UnsupportedClassVersionError: class file version 61.0",
            "openjdk 11",
            "Spark could not start openjdk 11: it needs Java 17 or later",
        ),
        ("anything", None, "Spark could not start Java: it needs Java 17 or later"),
    ],
)
def test_java_is_named_only_where_it_is_the_reason(said: str, java: str | None, sentence: str) -> None:
    assert sentence in session.start_failure(said, java)
    assert "\n" not in session.start_failure(said, java)


def test_spark_connect_is_named_by_the_environment() -> None:
    with pytest.raises(InputError, match="SPARK_REMOTE"):
        session._settings_of("sc://host")


@pytest.mark.usefixtures("no_environment")
def test_environment_may_name_the_master(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert not session.environment_names_master()
    assert not is_submitted()
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert not session.environment_names_master()
    (tmp_path / "spark-defaults.conf").write_text("# spark.master yarn\nspark.executor.memory 2g\n")
    assert not session.environment_names_master()
    (tmp_path / "spark-defaults.conf").write_text("spark.executor.memory 2g\nspark.master   yarn\n")
    assert session.environment_names_master()
    monkeypatch.delenv("SPARK_CONF_DIR")
    monkeypatch.setenv("MASTER", "yarn")
    assert session.environment_names_master()


def test_errors_of_spark_are_one_sentence(spark: Any) -> None:
    with pytest.raises(Exception, match="none") as wrong:
        spark.sql("SELECT * FROM none").collect()
    own = spark_error(wrong.value)
    assert isinstance(own, InputError)
    assert "TABLE_OR_VIEW_NOT_FOUND" in str(own)
    assert "\n" not in str(own)
    assert "--verbose" not in str(own), "users of the library have no such option"
    assert spark_error(ValueError("none of Spark's")) is None


def test_error_of_a_task_is_no_bad_input(spark: Any) -> None:
    def failing(batches: Any) -> Any:
        raise OSError("what was sought is not there")

    with pytest.raises(Exception, match="sought") as failed:
        spark.range(1).mapInArrow(failing, "id long").collect()
    own = spark_error(failed.value)
    assert isinstance(own, MicroaggError)
    assert not isinstance(own, InputError)
    assert "\n" not in str(own)
