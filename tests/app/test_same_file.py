"""The file that a page has opened is read, and no other."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from microagg.app.job import Job
from microagg.app.job_tasks.columns_task import name_columns
from microagg.app.job_tasks.estimate_task import estimate_run
from microagg.app.job_tasks.inspect_task import inspect_file
from microagg.app.job_tasks.protect_task import protect_file
from microagg.app.job_tasks.task_context import TaskContext
from microagg.app.job_tasks.verify_task import verify_release
from microagg.app.same_file import FileMark, same_file
from microagg.app.web_sessions import OpenedFile
from microagg.model.errors import ReadError
from task_runs import PLAIN_PLAN, TaskRun, job_folder, plain_frame, written
from web_clients import Browser, make_server, words_of

Swap = Callable[[Path, Path], None]
ANOTHER = "people.csv is not the file that was opened"


def link(path: Path, secret: Path) -> None:
    """Put a link in the place of a file."""
    path.unlink()
    path.symlink_to(secret)


def linked_folder(path: Path, secret: Path) -> None:
    """Put a link in the place of the folder of a file."""
    path.parent.rename(path.parent.with_name("moved"))
    path.parent.symlink_to(secret.parent, target_is_directory=True)


def hard_link(path: Path, secret: Path) -> None:
    """Put another file in the place of a file."""
    path.unlink()
    path.hardlink_to(secret)


def pipe(path: Path, secret: Path) -> None:
    """Put a pipe in the place of a file, at which a reader would wait for ever."""
    path.unlink()
    os.mkfifo(path)


def removed(path: Path, secret: Path) -> None:
    """Remove a file."""
    path.unlink()


def rewritten(path: Path, secret: Path) -> None:
    """Change a file in its place, neither its size nor its time of modification."""
    told = path.stat()
    path.write_bytes(path.read_bytes().replace(b"1", b"2"))
    os.utime(path, ns=(told.st_atime_ns, told.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (told.st_size, told.st_mtime_ns)


SWAPS = [link, linked_folder, hard_link, pipe, removed, rewritten]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file in the data folder, beside which is a file of the same name in a folder of somebody else."""
    for name in ("data", "elsewhere"):
        (tmp_path / name).mkdir()
        written(plain_frame(), tmp_path / name / "people.csv")
    return tmp_path / "data" / "people.csv"


@pytest.fixture
def secret(tmp_path: Path, path: Path) -> Path:
    return tmp_path / "elsewhere" / path.name


@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize(
    ("task", "role", "options"),
    [
        (inspect_file, "source", {}),
        (name_columns, "source", {}),
        (estimate_run, "source", {"plan": PLAIN_PLAN}),
        (protect_file, "source", {"plan": PLAIN_PLAN}),
        (verify_release, "released", {"k": 2, "columns": ["x0"]}),
        (verify_release, "original", {"plan": PLAIN_PLAN}),
    ],
)
def test_no_job_reads_another_file_than_was_opened(
    tmp_path: Path,
    path: Path,
    secret: Path,
    swap: Swap,
    task: Callable[[TaskContext], None],
    role: str,
    options: dict[str, object],
) -> None:
    opened = OpenedFile.found(path, path.name, is_upload=False)
    others = {} if role == "source" else {"released": str(secret), "released_name": "safe.csv"}
    swap(path, secret)
    job = Job("any", job_folder(tmp_path), {**others, **opened.options(role), **options})
    with pytest.raises(ReadError, match=ANOTHER):
        TaskRun(task, job)
    assert not [*job.folder.glob("*.json"), *job.folder.glob("safe.*")]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs paths of open files")
@pytest.mark.parametrize("swap", [link, linked_folder, hard_link, removed])
def test_while_a_file_is_read_its_path_leads_nowhere_else(tmp_path: Path, path: Path, secret: Path, swap: Swap) -> None:
    content = path.read_bytes()
    secret.write_text("the secret\n")
    mark = FileMark.of(path)

    def read() -> None:
        with same_file(path, mark, path.name, job_folder(tmp_path)) as readable:
            assert readable.suffix == ".csv"
            swap(path, secret)
            assert readable.read_bytes() == content

    with pytest.raises(ReadError, match=ANOTHER):
        read()


def fail(path: Path, folder: Path, change: Callable[[], None]) -> None:
    """Find a file damaged while it changes."""
    with same_file(path, FileMark.of(path), path.name, folder):
        change()
        raise ReadError("it is a damaged file")


def test_a_file_that_changes_while_it_is_read_is_not_called_damaged(tmp_path: Path, path: Path, secret: Path) -> None:
    with pytest.raises(ReadError, match=ANOTHER):
        fail(path, job_folder(tmp_path), lambda: rewritten(path, secret))


def test_an_unchanged_file_is_read_and_an_error_in_it_is_its_own(tmp_path: Path, path: Path) -> None:
    with same_file(path, FileMark.of(path), path.name, job_folder(tmp_path)) as readable:
        assert readable.read_bytes() == path.read_bytes()
        assert readable.name == path.name
    with pytest.raises(ReadError, match="is a damaged file"):
        fail(path, job_folder(tmp_path, "other"), lambda: None)


def test_a_database_is_read_by_its_own_path_as_its_log_is_beside_it(tmp_path: Path) -> None:
    database = tmp_path / "people.sqlite"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE people (x0 REAL)")
    with same_file(database, FileMark.of(database), database.name, job_folder(tmp_path)) as readable:
        assert readable == database


@pytest.mark.parametrize("swap", [link, linked_folder, pipe, removed])
def test_a_path_that_is_swapped_after_it_was_allowed_is_not_opened(
    tmp_path: Path, path: Path, secret: Path, swap: Swap, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = make_server(tmp_path)
    browser = Browser(server)

    def allowed(given: str) -> Path:
        swap(path, secret)
        return path

    monkeypatch.setattr(server.data_folder, "file", allowed)
    answer = browser.post_json("/open/path", {"path": str(path)})
    assert answer.status_code == 404
    assert "no such file that microagg may open" in words_of(answer)
    assert browser.session.source is None
