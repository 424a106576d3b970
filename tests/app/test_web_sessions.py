"""Sessions keep to themselves, and leave nothing behind."""

import asyncio
import stat
import time
from dataclasses import replace
from pathlib import Path

import pytest

from microagg.app import web_sessions
from microagg.app.job import Event
from microagg.app.request_error import RequestError
from microagg.app.web_sessions import OpenedFile, Session, Sessions
from web_clients import StandInQueue


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path, idle_seconds=100.0)


def upload(session: Session, name: str = "people.csv") -> OpenedFile:
    path = session.upload_folder() / name
    path.write_text("a\n1\n")
    return OpenedFile.found(path, name, is_upload=True)


def choice(session: Session) -> tuple[list[int], int | None]:
    """Return the runs that are compared, and the one that is picked."""
    return session.runs, session.picked


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_each_session_has_a_folder_and_secrets_of_its_own(sessions: Sessions) -> None:
    one, other = sessions.begin(), sessions.begin()
    assert len({one.key, one.csrf, other.key, other.csrf}) == 4
    assert one.folder != other.folder
    assert mode(one.folder) == 0o700
    assert mode(one.upload_folder()) == 0o700
    assert one.key not in str(one.folder)


def test_a_session_is_found_by_its_whole_key_only(sessions: Sessions) -> None:
    session = sessions.begin()
    assert sessions.find(session.key) is session
    for key in (None, "", session.key[:-1], session.csrf, session.folder.name):
        assert sessions.find(key) is None


def test_runs_count_from_one_and_other_jobs_from_a_thousand_and_one(sessions: Sessions) -> None:
    session = sessions.begin()
    queue = StandInQueue()
    kinds = ("inspect", "estimate", "protect", "estimate", "protect")
    assert [session.submit(queue, kind, {}).number for kind in kinds] == [1001, 1002, 1, 1003, 2]
    folders = [process.job.folder for process in queue.processes]
    assert len(set(folders)) == 5
    assert {mode(folder) for folder in folders} == {0o700}


def test_a_session_has_no_job_of_another(sessions: Sessions) -> None:
    one, other = sessions.begin(), sessions.begin()
    one.submit(StandInQueue(), "protect", {})
    with pytest.raises(RequestError, match="no such run") as e:
        other.job(1)
    assert e.value.status == 404
    with pytest.raises(RequestError):
        one.job_of("verify", 1)
    assert one.job_of("protect", 1) is one.job(1)


def test_the_end_of_a_session_ends_its_jobs_and_removes_its_files(sessions: Sessions) -> None:
    session, other = sessions.begin(), sessions.begin()
    upload(session)
    job = session.submit(StandInQueue(), "protect", {})
    asyncio.run(sessions.end(session))
    assert job.process.is_over
    assert not session.folder.exists()
    assert sessions.find(session.key) is None
    assert other.folder.exists()
    asyncio.run(sessions.end_all())
    assert [*sessions.folder.iterdir()] == []


def test_idle_sessions_end_unless_a_job_is_unfinished(sessions: Sessions) -> None:
    idle, busy, recent = sessions.begin(), sessions.begin(), sessions.begin()
    job = busy.submit(StandInQueue(), "protect", {})
    long_ago = time.monotonic() - 101
    idle.last_seen = busy.last_seen = long_ago
    recent.last_seen = long_ago + 50
    asyncio.run(sessions.end_idle())
    assert [sessions.find(one.key) is not None for one in (idle, busy, recent)] == [False, True, True]
    job.process.tell(Event("done"))
    asyncio.run(sessions.end_idle())
    assert sessions.find(busy.key) is not None, "the time counts from the end of the job"
    busy.last_seen = long_ago
    asyncio.run(sessions.end_idle())
    assert sessions.find(busy.key) is None


def test_to_be_found_is_to_be_seen(sessions: Sessions) -> None:
    session = sessions.begin()
    session.last_seen = time.monotonic() - 101
    sessions.find(session.key)
    asyncio.run(sessions.end_idle())
    assert len(sessions) == 1


def test_another_file_begins_anew_and_runs_keep_their_addresses(sessions: Sessions) -> None:
    session = sessions.begin()
    first = upload(session)
    session.open(first, StandInQueue())
    session.job(1001).process.tell(Event("done"))
    session.plan_text = "k = 5\n"
    run = session.submit(StandInQueue(), "protect", {}, first)
    run.process.tell(Event("done"))
    session.add_run(run.number)
    session.picked = run.number
    session.open(upload(session, "firms.csv"), StandInQueue())
    assert (session.plan_text, session.runs, session.undo) == ("", [], [])
    assert session.latest("inspect") is session.job(1002)
    assert session.other_runs() == [run]
    assert session.job(run.number).file is first
    assert session.latest("protect") is None
    assert not first.path.exists(), "the copy is needed no longer"


def test_a_copy_that_a_job_reads_stays(sessions: Sessions) -> None:
    session = sessions.begin()
    first = upload(session)
    session.open(first, StandInQueue())
    session.submit(StandInQueue(), "protect", {"source": str(first.path)}, first)
    session.open(upload(session, "firms.csv"), StandInQueue())
    assert first.path.exists()


def test_files_of_the_user_are_never_removed(sessions: Sessions, tmp_path: Path) -> None:
    own = tmp_path / "own" / "people.csv"
    own.parent.mkdir()
    own.write_text("a\n1\n")
    session = sessions.begin()
    session.open(OpenedFile.found(own, own.name, is_upload=False), StandInQueue())
    session.open(upload(session), StandInQueue())
    asyncio.run(sessions.end(session))
    assert own.exists()


def test_a_run_that_came_after_a_change_stays_when_that_is_undone(sessions: Sessions) -> None:
    session = sessions.begin()
    session.add_run(1)
    session.remember()
    session.runs.remove(1)
    session.add_run(2)
    assert session.undo == [([1, 2], None)]


def test_a_file_that_is_opened_again_has_its_runs_again_unless_it_has_changed(
    sessions: Sessions, tmp_path: Path
) -> None:
    own = tmp_path / "people.csv"
    own.write_text("a\n1\n")
    session = sessions.begin()
    queue = StandInQueue()
    session.open(OpenedFile.found(own, own.name, is_upload=False), queue)
    session.add_run(session.submit(queue, "protect", {}, session.source).number)
    session.picked = 1
    session.open(upload(session), queue)
    assert choice(session) == ([], None)
    session.open(OpenedFile.found(own, own.name, is_upload=False), queue)
    assert choice(session) == ([1], 1)
    assert session.other_runs() == []
    own.write_text("a\n1\n2\n")
    session.open(OpenedFile.found(own, own.name, is_upload=False), queue)
    assert session.runs == []
    assert [run.number for run in session.other_runs()] == [1]


def test_the_end_of_a_session_begins_none_of_its_runs(sessions: Sessions) -> None:
    session = sessions.begin()
    killed: list[int] = []
    for _ in range(3):
        run = session.submit(StandInQueue(), "protect", {})

        async def kill(number: int = run.number) -> None:
            killed.append(number)

        run.process.kill = kill  # type: ignore[method-assign, assignment]
    asyncio.run(sessions.end(session))
    assert killed == [3, 2, 1]


def test_a_session_that_has_ended_takes_no_job(sessions: Sessions) -> None:
    session = sessions.begin()
    asyncio.run(sessions.end(session))
    queue = StandInQueue()
    with pytest.raises(RequestError, match="has ended"):
        session.submit(queue, "protect", {})
    assert queue.processes == []


def test_a_session_is_not_idle_while_a_request_is_under_way(sessions: Sessions) -> None:
    session = sessions.begin()
    with session.request_under_way():
        session.last_seen = time.monotonic() - 101
        asyncio.run(sessions.end_idle())
        session.last_seen = time.monotonic() - 101
    asyncio.run(sessions.end_idle())
    assert sessions.find(session.key) is session, "it was seen at the end of the request"


def test_a_copy_that_was_kept_for_a_job_is_removed_after_it(sessions: Sessions) -> None:
    session = sessions.begin()
    first = upload(session)
    session.open(first, StandInQueue())
    session.open(upload(session, "firms.csv"), StandInQueue())
    asyncio.run(sessions.end_idle())
    assert first.path.exists(), "its inspection is under way"
    session.job(1001).process.tell(Event("done"))
    asyncio.run(sessions.end_idle())
    assert not first.path.exists()


def test_no_two_jobs_have_the_same_number(sessions: Sessions) -> None:
    session = sessions.begin()
    inspection = session.submit(StandInQueue(), "inspect", {})
    session.jobs[1000] = replace(session.submit(StandInQueue(), "protect", {}), number=1000)
    run = session.submit(StandInQueue(), "protect", {})
    assert run.number not in (1, 1000, inspection.number)
    assert session.submit(StandInQueue(), "inspect", {}).number not in (run.number, inspection.number)


def test_where_sessions_are_too_many_one_that_is_missed_least_ends(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_sessions, "_MOST_SESSIONS", 3)
    used, empty, newer = (sessions.begin() for _ in range(3))
    used.submit(StandInQueue(), "inspect", {}).process.tell(Event("done"))
    used.last_seen = empty.last_seen - 3599
    sessions.begin()
    assert [sessions.find(one.key) is not None for one in (used, empty, newer)] == [True, False, True]
    assert not empty.folder.exists()
    assert len(sessions) == 3


def test_where_all_sessions_are_at_work_no_other_begins(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_sessions, "_MOST_SESSIONS", 2)
    recent, busy = sessions.begin(), sessions.begin()
    recent.submit(StandInQueue(), "inspect", {}).process.tell(Event("done"))
    busy.submit(StandInQueue(), "protect", {})
    long_ago = time.monotonic() - 3601
    busy.last_seen = long_ago
    with pytest.raises(RequestError, match="Too many sessions") as e:
        sessions.begin()
    assert e.value.status == 503
    assert len(list(sessions.folder.iterdir())) == 2
    recent.last_seen = long_ago
    assert sessions.begin().folder.exists()
    assert [one.is_ended for one in (recent, busy)] == [True, False]
