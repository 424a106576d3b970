"""Figures of tasks are added up from the log of events, whatever its files are."""

import json
from pathlib import Path
from typing import Any

from event_log import read_event_log


def _task(stage: int, *, succeeded: bool = True) -> dict[str, Any]:
    metrics = {
        "Shuffle Write Metrics": {"Shuffle Bytes Written": 10},
        "Disk Bytes Spilled": 1,
        "Output Metrics": {"Bytes Written": 100},
        "Result Size": 1000,
    }
    reason = {"Reason": "Success" if succeeded else "ExceptionFailure"}
    return {"Event": "SparkListenerTaskEnd", "Stage ID": stage, "Task End Reason": reason, "Task Metrics": metrics}


def test_tasks_that_ended_well_are_added_up(tmp_path: Path) -> None:
    log = tmp_path / "eventlog_v2_local-1"
    log.mkdir()
    (log / "appstatus_local-1").touch()
    events = [{"Event": "SparkListenerLogStart"}, _task(0), _task(1), _task(1, succeeded=False), _task(1)]
    text = "\n".join(json.dumps(event, separators=(",", ":")) for event in events)
    (log / "events_1_local-1").write_text(text)
    found = read_event_log(tmp_path)
    assert (found.tasks, found.failed) == (3, 1)
    assert (found.shuffled, found.spilled, found.written) == (30, 3, 300)
    assert (found.sent, found.most_sent) == (3000, 2000)


def test_log_without_tasks_has_no_figures(tmp_path: Path) -> None:
    (tmp_path / "local-1").write_text('{"Event":"SparkListenerLogStart"}\n')
    assert sum(read_event_log(tmp_path)) == 0
