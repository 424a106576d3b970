"""A job is over, whatever its child process tells."""

import asyncio
from pathlib import Path

import pytest

from microagg.app.job import Job
from microagg.app.job_child import JobChild
from microagg.app.job_process import JobProcess


class OddChild(JobChild):
    """Child that tells what is no event, and waits to be killed."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.is_killed = False

    async def send(self, line: str) -> None:
        """Take no line."""

    async def next_line(self) -> str:
        return self.line

    def kill(self) -> None:
        self.is_killed = True

    async def ended(self) -> int:
        assert self.is_killed
        return -9


@pytest.mark.parametrize("line", ["3", "[1]", "no JSON", '{"state": "working", "elapsed": 1, "state": 5}'])
def test_a_child_that_tells_no_event_is_killed_and_its_job_has_failed(
    tmp_path: Path, line: str, capfd: pytest.CaptureFixture[str]
) -> None:
    child = OddChild(line)

    async def start() -> JobProcess:
        process = JobProcess(Job("protect", tmp_path))
        await process.start(child)
        return process

    process = asyncio.run(start())
    assert child.is_killed
    assert process.last.state == "failed"
    assert "no event" in process.last.sentence
    assert "microagg: unexpected" in capfd.readouterr().err
