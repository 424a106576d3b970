"""Session whose executors are processes of their own: they are killed in every round, and in the end the driver is.

Usage: python cluster_with_faults.py INPUT FOLDER, where INPUT has the records, and FOLDER is where everything is made:
`safe` is a copy of the release and `groups.parquet` its groups, made while in round r the executor of `killed-r` was
killed. Then the release is to be written to `never`, but the driver is killed while it moves it there.
"""

import os
import shutil
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import polars as pl
import pyspark
from pyspark.sql import SparkSession

import microagg.spark
from faulty_work import EXECUTOR, DeadExecutor, FaultyWork, command_line, parent, processes
from microagg import Plan
from microagg.spark import cluster_rounds
from microagg.spark.joined_release import RELEASE
from microagg.spark.staging import HadoopFolders

N_ROUNDS = 2
PLAN = Plan(k=5, columns=["income", "age", "assets"], exclude=["id"], effort="quick", block_size=600, rounds=N_ROUNDS)
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:MetaspaceSize=256m"
_SETTINGS = {
    "spark.driver.extraJavaOptions": _JAVA,
    "spark.executor.extraJavaOptions": _JAVA,
    "spark.executor.memory": "512m",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.python.daemon.module": "microagg.spark.worker_daemon",
    "spark.shuffle.io.maxRetries": "1",  # what a dead executor held is not asked for again and again
    "spark.shuffle.io.retryWait": "100ms",
    "spark.sql.files.openCostInBytes": "0",
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def main(people: Path, folder: Path) -> None:
    """Make the release on a cluster whose executors die, then let the driver die."""
    spark = _session(folder)
    faults = {number: DeadExecutor(folder / f"killed-{number + 1}") for number in range(N_ROUNDS)}
    with patch.object(cluster_rounds, "BlockWork", partial(FaultyWork, faults=faults)):
        release = microagg.spark.protect(spark.read.parquet(str(people)), plan=PLAN, staging=str(folder))
    pl.from_pandas(release.groups.toPandas()).sort("row").write_parquet(folder / "groups.parquet")
    shutil.copytree(release.staging.place(RELEASE), folder / "safe")
    with patch.object(HadoopFolders, "_move", _moving_and_dying(spark, folder / "left")):
        release.write(str(folder / "never"))


def _session(folder: Path) -> Any:
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.local.dir", str(folder / "local"))
    for name, value in _SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def _moving_and_dying(spark: Any, list_of_left: Path) -> Any:
    """Return a way to move a folder after which the driver dies; it lists the executors that are left behind."""
    move = HadoopFolders._move
    java = int(spark._jvm.java.lang.ProcessHandle.current().pid())

    def moved(*arguments: Any) -> None:
        assert move(*arguments)
        executors = [one for one in processes() if EXECUTOR in command_line(one) and parent(one) == java]
        list_of_left.write_text("\n".join(map(str, executors)))
        os.kill(java, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)

    return moved


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
