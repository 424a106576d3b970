"""Figures of a job of Spark, from the log of its events."""

import json
from pathlib import Path
from typing import Any, NamedTuple

SETTINGS = ("--conf", "spark.eventLog.enabled=true", "--conf", "spark.eventLog.compress=false")
"""Settings of a session that keeps the log; its folder is `spark.eventLog.dir`."""


class JobFigures(NamedTuple):
    """What all tasks of an application did together.

    Parameters
    ----------
    tasks, failed
        Number of tasks that ended well, and that did not.
    shuffled
        Bytes that were written for shuffles, compressed.
    spilled
        Bytes that did not fit in Java's memory, as written to disk.
    written
        Bytes of files that were written, the release and those of the staging folder.
    sent
        Bytes that tasks have sent to the driver.
    most_sent
        The most of these of one stage.
    """

    tasks: int
    failed: int
    shuffled: int
    spilled: int
    written: int
    sent: int
    most_sent: int


def read_event_log(folder: Path) -> JobFigures:
    """Read the log of the one application in a folder.

    Parameters
    ----------
    folder
        The folder, in which a log is a file, or a folder of files.
    """
    totals = {"tasks": 0, "failed": 0, "shuffled": 0, "spilled": 0, "written": 0}
    sent: dict[int, int] = {}
    for file in sorted(path for path in folder.rglob("*") if path.is_file() and "appstatus" not in path.name):
        for line in file.read_text(encoding="utf-8").splitlines():
            if '"SparkListenerTaskEnd"' in line:
                _add_task(json.loads(line), totals, sent)
    return JobFigures(**totals, sent=sum(sent.values()), most_sent=max(sent.values(), default=0))


def _add_task(event: dict[str, Any], totals: dict[str, int], sent: dict[int, int]) -> None:
    metrics = event.get("Task Metrics")
    if event["Task End Reason"]["Reason"] != "Success" or metrics is None:
        totals["failed"] += 1
        return
    totals["tasks"] += 1
    totals["shuffled"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
    totals["spilled"] += metrics["Disk Bytes Spilled"]
    totals["written"] += metrics["Output Metrics"]["Bytes Written"]
    stage = event["Stage ID"]
    sent[stage] = sent.get(stage, 0) + metrics["Result Size"]
