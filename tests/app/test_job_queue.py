import asyncio
import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from job_cases import followed, inspection, long_run, opened_queue, until
from microagg import Plan, verify
from microagg.app import job_queue
from microagg.app.job import OVER, Event, Job
from microagg.app.job_child import JobChild
from microagg.app.job_process import JobProcess
from microagg.app.job_queue import JobLimits, JobQueue
from microagg.app.web_sessions import OpenedFile
from patience import PATIENCE, wait_until
from task_runs import PLAIN_PLAN, job_folder, plain_frame, written


def test_a_short_job_is_carried_out_beside_a_run_and_a_second_run_waits(tmp_path: Path) -> None:
    async def check() -> None:
        async with opened_queue() as queue:
            first = queue.submit(long_run(tmp_path, 1))
            second = queue.submit(long_run(tmp_path, 2))
            third = queue.submit(long_run(tmp_path, 3))
            inspected = await followed(queue.submit(inspection(tmp_path)))
            assert inspected[-1].state == "done"
            assert [one.last.state for one in (second, third)] == ["queued", "queued"]
            assert (second.last.note, third.last.note) == ("place 1 in the queue", "place 2 in the queue")
            await second.stop()
            assert second.last.state == "cancelled"
            assert third.last.note == "place 1 in the queue"
            await until(first, "working", "search")
            await first.stop()
            assert (await followed(first))[-1].state == "done"
            await until(third, "working")

    asyncio.run(check())


def test_a_stopped_run_is_released_and_verified_and_a_second_follower_gets_all_events(tmp_path: Path) -> None:
    async def check() -> None:
        job = long_run(tmp_path)
        async with opened_queue() as queue:
            process = queue.submit(job)
            early = asyncio.create_task(followed(process))
            await until(process, "working", "search")
            await process.stop()
            told = await early
        again = await followed(process)
        assert again == told == process.events
        assert await followed(process, after=told[2].number) == told[3:]
        states = list(dict.fromkeys(event.state for event in told))
        assert states == ["queued", "working", "released", "done"]
        assert process.is_released
        plan = Plan.from_toml(job.folder / "release.toml")
        source = job.options["source"]
        assert verify(source, job.folder / "safe.csv", plan=plan).passed
        modes = {stat.S_IMODE(path.stat().st_mode) for path in job.folder.iterdir()}
        assert modes == {0o600}

    asyncio.run(check())


def test_a_worker_that_is_killed_gives_a_failed_job_that_says_so(tmp_path: Path) -> None:
    async def check() -> None:
        async with opened_queue() as queue:
            process = queue.submit(long_run(tmp_path))
            await until(process, "working", "search")
            assert process.pid is not None
            os.kill(process.pid, signal.SIGKILL)
            last = (await followed(process))[-1]
            assert last.state == "failed"
            assert "SIGKILL" in last.sentence
            assert "memory" in last.sentence
            assert not process.is_released
            assert (await followed(queue.submit(inspection(tmp_path))))[-1].state == "done"

    asyncio.run(check())


def test_a_spare_worker_that_has_died_is_replaced(tmp_path: Path) -> None:
    async def check() -> None:
        async with opened_queue() as queue:
            assert queue._spare is not None
            os.kill(queue._spare.pid, signal.SIGKILL)
            await queue._spare.ended()
            assert (await followed(queue.submit(inspection(tmp_path))))[-1].state == "done"

    asyncio.run(check())


def test_errors_are_sentences_with_the_names_that_the_user_knows(tmp_path: Path) -> None:
    async def check() -> None:
        damaged = tmp_path / "upload.parquet"
        damaged.write_bytes(b"PAR1 and no more")
        file_options = OpenedFile.found(damaged, "mine.parquet", is_upload=True).options()
        doubtful = written(plain_frame().with_row_index("person_id"), tmp_path / "upload.csv")
        options = {"source": str(doubtful), "name": "people.csv", "plan": "k = 3\n"}
        named = {**options, "plan": PLAIN_PLAN}
        async with opened_queue() as queue:
            broken = Job("inspect", job_folder(tmp_path, "a"), file_options)
            read = (await followed(queue.submit(broken)))[-1]
            doubt = (await followed(queue.submit(Job("protect", job_folder(tmp_path, "b"), options))))[-1]
            wrong = (await followed(queue.submit(Job("estimate", tmp_path / "gone", named))))[-1]
        assert read.state == doubt.state == wrong.state == "failed"
        assert "mine.parquet" in read.sentence
        assert str(tmp_path) not in read.sentence
        assert "'person_id'" in doubt.sentence
        assert "settings page" in doubt.sentence
        assert "No such file" in wrong.sentence
        assert "nothing was released" in wrong.sentence

    asyncio.run(check())


def test_the_log_tells_type_and_place_of_an_unexpected_error_and_no_value(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def check() -> None:
        async with opened_queue() as queue:
            source = written(plain_frame(), tmp_path / "people.csv")
            options = {"source": str(source), "plan": PLAIN_PLAN}
            await followed(queue.submit(Job("estimate", tmp_path / "the secret value", options)))

    asyncio.run(check())
    logged = capfd.readouterr().err
    assert "microagg: unexpected" in logged
    assert "line" in logged
    assert "secret" not in logged


def test_no_child_is_started_in_the_rest_unless_a_job_needs_one(tmp_path: Path) -> None:
    async def check() -> None:
        queue = JobQueue(warm_up=False, rest=3600.0)
        await queue.start()
        assert queue._children == set()
        assert (await followed(queue.submit(inspection(tmp_path))))[-1].state == "done"
        await queue.close()

    asyncio.run(check())


def test_closing_ends_all_children_and_all_jobs(tmp_path: Path) -> None:
    async def check() -> None:
        queue = JobQueue(warm_up=False)
        await queue.start()
        working = queue.submit(long_run(tmp_path, 1))
        waiting = queue.submit(long_run(tmp_path, 2))
        await until(working, "working")
        pids = [child.pid for child in queue._children]
        await queue.close()
        assert (working.last.state, waiting.last.state) == ("cancelled", "cancelled")
        assert len(pids) >= 2
        assert not any(_is_there(pid) for pid in pids)
        with pytest.raises(RuntimeError, match="closed"):
            queue.submit(inspection(tmp_path))

    asyncio.run(check())


def test_a_killed_server_leaves_no_child(tmp_path: Path) -> None:
    script = Path(__file__).parents[1] / "killed_server.py"
    job = long_run(tmp_path)
    with subprocess.Popen([sys.executable, str(script), job.to_line()], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        pids = json.loads(server.stdout.readline())
        assert len(pids) >= 2
        assert all(_is_there(pid) for pid in pids)
        server.kill()
    wait_until(lambda: not any(_is_there(pid) for pid in pids), "the children have ended")


def _is_there(pid: int) -> bool:
    """Check whether a process is there, and not only waits to be reaped."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_child_is_given_no_secret() -> None:
    from microagg.app.job_child import child_environment

    given = {"PATH": "/bin", "LC_ALL": "C", "AWS_SECRET_ACCESS_KEY": "x", "DATABASE_URL": "y", "NUMBA_CPU_NAME": "z"}
    assert child_environment(given) == {"PATH": "/bin", "LC_ALL": "C", "NUMBA_CPU_NAME": "z"}


def test_sessions_take_turns(tmp_path: Path) -> None:
    async def order() -> list[str]:
        names = ("a/1", "a/2", "a/3", "b/1", "b/2", "c/1")
        processes = [JobProcess(Job("protect", tmp_path / name)) for name in names]
        found = job_queue._in_turns(processes[1:], processes[:1])
        return [str(process.job.folder.relative_to(tmp_path)) for process in found]

    assert asyncio.run(order()) == ["b/1", "c/1", "a/2", "b/2", "a/3"]


def test_the_memory_of_the_server_is_that_of_each_job(tmp_path: Path) -> None:
    async def memory() -> object:
        queue = JobQueue(at_once=0, warm_up=False, memory=2_000_000_000)
        return queue.submit(Job("protect", tmp_path, {"plan": "k = 5"})).job.options

    assert asyncio.run(memory()) == {"plan": "k = 5", "memory": 2_000_000_000}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which process it ends first")
def test_the_system_ends_a_worker_before_the_server_where_memory_runs_out() -> None:
    async def score() -> int:
        async with opened_queue() as queue:
            assert queue._spare is not None
            assert await queue._spare.wait_until_ready()
            return int(Path(f"/proc/{queue._spare.pid}/oom_score_adj").read_text())

    assert asyncio.run(score()) == 500


IMPATIENT = JobLimits(short=0.5, between_looks=0.05)
HOUR = 3600.0


def endless(folder: Path, session: str = "a", number: int = 0) -> Job:
    """Return the inspection of a database whose view never ends."""
    source = folder / "endless.sqlite"
    if not source.exists():
        with closing(sqlite3.connect(source)) as database:
            series = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
            database.execute(f"CREATE VIEW v AS {series}")
    (folder / session).mkdir(exist_ok=True)
    options = {"source": str(source), "name": source.name}
    return Job("inspect", job_folder(folder / session, f"inspect{number}"), options)


def of_session(job: Job, folder: Path, session: str) -> Job:
    """Return a job of another session."""
    (folder / session).mkdir(exist_ok=True)
    return Job(job.kind, job_folder(folder / session, job.folder.name), job.options)


def test_a_short_job_that_never_ends_is_ended_and_the_next_one_is_carried_out(tmp_path: Path) -> None:
    async def check() -> None:
        async with opened_queue(limits=IMPATIENT._replace(short=HOUR, short_while_others_wait=0.5)) as queue:
            blocking = [queue.submit(endless(tmp_path, number=number)) for number in range(2)]
            other = queue.submit(of_session(inspection(tmp_path), tmp_path, "b"))
            last = (await followed(blocking[0]))[-1]
            queue._limits = queue._limits._replace(
                short_while_others_wait=HOUR
            )  # else a slow machine ends the other, too
            assert last.state == "failed"
            assert "longer than 0 s while others waited, so the server ended it" in last.sentence
            assert (await followed(other))[-1].state == "done"
            assert blocking[0].pid is not None
            assert not _is_there(blocking[0].pid)

    asyncio.run(check())


def test_alone_a_short_job_has_longer_but_not_for_ever(tmp_path: Path) -> None:
    async def check() -> None:
        async with opened_queue(limits=IMPATIENT._replace(short_while_others_wait=0.0)) as queue:
            processes = [queue.submit(endless(tmp_path, number=number)) for number in range(3)]
            last = (await followed(processes[0]))[-1]
            assert last.state == "failed"
            assert "longer than 0 s, so the server ended it" in last.sentence, "jobs of the same session are no others"

    asyncio.run(check())


def test_a_short_job_whose_tab_was_closed_is_ended(tmp_path: Path) -> None:
    async def check() -> None:
        async with opened_queue(limits=JobLimits(short_without_page=0.5, between_looks=0.05)) as queue:
            process, waiting = (queue.submit(endless(tmp_path, number=number)) for number in range(2))
            events = process.follow()
            await anext(events)
            while not waiting.is_over:
                await asyncio.sleep(0.05)
            assert process.last.state not in OVER, "a page shows it"
            await events.aclose()
            while not process.is_over:
                await asyncio.sleep(0.05)
            for one in (process, waiting):
                assert one.last.state == "cancelled"
                assert one.last.sentence.startswith("No page showed this work any more")

    asyncio.run(asyncio.wait_for(check(), PATIENCE))


def test_a_run_that_others_wait_for_is_stopped_with_its_best_so_far_and_says_so(tmp_path: Path) -> None:
    async def check() -> None:
        async with opened_queue(limits=JobLimits(run_while_others_wait=0.0, between_looks=0.05)) as queue:
            first = queue.submit(of_session(long_run(tmp_path, 1), tmp_path, "a"))
            own = queue.submit(of_session(long_run(tmp_path, 2), tmp_path, "a"))
            await until(first, "working", "search")
            await asyncio.sleep(0.5)
            assert first.last.state == "working", "nobody else waits"
            await own.stop()
            other = queue.submit(of_session(long_run(tmp_path, 3), tmp_path, "b"))
            told = await followed(first)
            assert [event.state for event in told if event.sentence] == ["released", "done"]
            for event in told:
                if event.sentence:
                    assert event.sentence.startswith("This run had worked for more than 0 minutes and others were wait")
                    assert "best so far" in event.sentence
            assert (await until(other, "working")).sentence == ""

    asyncio.run(check())


class DeafChild(JobChild):
    """Child that works on, whatever it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._end = asyncio.Event()

    async def send(self, line: str) -> None:
        self.lines.append(line)

    async def next_line(self) -> str:
        await self._end.wait()
        return ""

    def kill(self) -> None:
        self._end.set()

    async def ended(self) -> int:
        await self._end.wait()
        return -9


@pytest.mark.parametrize(("before", "state"), [("working", "failed"), ("released", "done")])
def test_a_run_that_does_not_hear_is_stopped_again_and_then_ended(tmp_path: Path, before: str, state: str) -> None:
    async def check() -> None:
        queue = JobQueue(warm_up=False, limits=JobLimits(run_while_others_wait=-1.0, grace=HOUR, between_looks=0.05))
        child = DeafChild()
        process = JobProcess(Job("protect", tmp_path / "a" / "run"))
        work = asyncio.create_task(process.start(child))
        await asyncio.sleep(0)
        process.tell(Event(before))
        for hours, stops in [(0.0, 1), (0.5, 1), (1.5, 2)]:
            if hours:
                process._stopped_at = time.monotonic() - hours * HOUR
            await queue._look_at_run(process, others_wait=True)
            assert child.lines[1:] == ["stop"] * stops
        process._stopped_at = time.monotonic() - 3.0 * HOUR
        await queue._look_at_run(process, others_wait=False)
        assert process.last.state == before
        await queue._look_at_run(process, others_wait=True)
        await work
        assert process.last.state == state
        assert "did not end by itself" in process.last.sentence
        assert ("The release is written" in process.last.sentence) == (before == "released")

    asyncio.run(asyncio.wait_for(check(), PATIENCE))
