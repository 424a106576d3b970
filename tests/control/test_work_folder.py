"""Work folders are removed on leaving, and swept after a kill; nothing else ever is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from microagg.control.left_folders import CHECKPOINT, MARKER, sweep
from microagg.control.work_folder import WorkFolder
from microagg.model.errors import WriteError
from naive_sweep import naive_sweep

_KILLED = """
import os, pathlib, signal, sys
from microagg.control.work_folder import WorkFolder
folder = WorkFolder.beside(pathlib.Path(sys.argv[1]))
folder.__enter__()
folder.new_file("column.bin").write_bytes(b"values")
if "checkpoint" in sys.argv:
    (folder.path / "checkpoint").mkdir()
    (folder.path / "checkpoint" / "labels.npz").write_bytes(b"labels")
os.kill(os.getpid(), signal.SIGKILL)
"""


def _kill_a_run(output: Path, *words: str) -> Path:
    """Kill a run in the midst of its work, and return the work folder that it leaves."""
    subprocess.run([sys.executable, "-c", _KILLED, str(output), *words], check=False)
    return WorkFolder.beside(output).path


def test_it_is_beside_the_output_and_removed_on_leaving(tmp_path: Path) -> None:
    with WorkFolder.beside(tmp_path / "safe.csv") as folder:
        assert folder.path.parent == tmp_path
        folder.new_file("x.bin").write_bytes(b"1")
        (folder.path / CHECKPOINT).mkdir()
    assert list(tmp_path.iterdir()) == []


def test_it_is_removed_after_an_error_too(tmp_path: Path) -> None:
    with pytest.raises(UnicodeDecodeError), WorkFolder.beside(tmp_path / "safe.csv") as folder:
        folder.new_file("x.bin").write_text(b"\xff".decode())
    assert list(tmp_path.iterdir()) == []


def test_only_its_owner_may_look_into_it(tmp_path: Path) -> None:
    with WorkFolder.beside(tmp_path / "safe.csv") as folder:
        assert folder.path.stat().st_mode & 0o077 == 0


def test_a_link_leads_to_the_folder_of_the_file_that_it_points_to(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link.csv").symlink_to(tmp_path / "elsewhere" / "safe.csv")
    assert WorkFolder.beside(tmp_path / "link.csv").path.parent == tmp_path / "elsewhere"


def test_new_files_have_different_names_that_every_file_system_allows(tmp_path: Path) -> None:
    with WorkFolder.beside(tmp_path / "safe.csv") as folder:
        paths = [folder.new_file("a/b:c?.arrow"), folder.new_file("a/b:c?.arrow"), folder.new_file("x" * 300)]
        assert len(set(paths)) == 3
        assert {path.parent for path in paths} == {folder.path}
        assert paths[0].suffix == ".arrow"
        for path in paths:
            path.touch()


def test_an_output_with_the_longest_name_has_one(tmp_path: Path) -> None:
    with WorkFolder.beside(tmp_path / ("ü" * 127)) as folder:
        assert folder.path.is_dir()


def test_a_second_run_with_the_same_output_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microagg.control.work_folder._SECONDS_TO_WAIT", 0.0)
    output = tmp_path / "safe.csv"
    with WorkFolder.beside(output) as folder:
        with pytest.raises(WriteError, match="another run uses the work folder"), WorkFolder.beside(output):
            pass
        assert folder.path.is_dir()
    with WorkFolder.beside(output):
        pass


def test_the_work_folders_for_writing_one_file_are_all_different(tmp_path: Path) -> None:
    target = tmp_path / "safe.csv"
    with WorkFolder.for_writing(target) as one, WorkFolder.for_writing(target) as other:
        assert one.path != other.path


def test_a_folder_that_is_not_ours_is_refused_and_left(tmp_path: Path) -> None:
    foreign = WorkFolder.beside(tmp_path / "safe.csv").path
    foreign.mkdir()
    (foreign / "diary.txt").touch()
    with pytest.raises(WriteError, match="rename it"), WorkFolder.beside(tmp_path / "safe.csv"):
        pass
    assert sweep(tmp_path) == []
    assert (foreign / "diary.txt").exists()


def test_an_empty_folder_of_that_name_is_taken(tmp_path: Path) -> None:
    WorkFolder.beside(tmp_path / "safe.csv").path.mkdir()
    with WorkFolder.beside(tmp_path / "safe.csv") as folder:
        assert (folder.path / MARKER).exists()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(WriteError, match="cannot make the work folder"), WorkFolder(tmp_path / "file" / "x"):
        pass


def test_what_a_killed_run_leaves_is_swept_by_the_next_run_in_that_folder(tmp_path: Path) -> None:
    left = _kill_a_run(tmp_path / "one.csv")
    assert any(left.iterdir())
    with WorkFolder.beside(tmp_path / "other.csv"):
        assert not left.exists()
    assert list(tmp_path.iterdir()) == []


def test_the_checkpoint_of_another_output_stays_without_its_data(tmp_path: Path) -> None:
    left = _kill_a_run(tmp_path / "one.csv", "checkpoint")
    with WorkFolder.beside(tmp_path / "other.csv"):
        assert sorted(path.name for path in left.iterdir()) == [CHECKPOINT, MARKER]
    assert (left / CHECKPOINT / "labels.npz").read_bytes() == b"labels"


def test_a_run_with_the_same_output_starts_anew(tmp_path: Path) -> None:
    left = _kill_a_run(tmp_path / "one.csv", "checkpoint")
    with WorkFolder.beside(tmp_path / "one.csv") as folder:
        assert folder.path == left
        assert [path.name for path in left.iterdir()] == [MARKER]


def test_a_run_that_resumes_keeps_the_checkpoint_until_it_ends(tmp_path: Path) -> None:
    left = _kill_a_run(tmp_path / "one.csv", "checkpoint")
    with WorkFolder.beside(tmp_path / "one.csv", resume=True) as folder:
        folder.take_over()
        assert sorted(path.name for path in left.iterdir()) == [CHECKPOINT, MARKER]
    assert list(tmp_path.iterdir()) == []


def test_a_checkpoint_that_no_run_has_taken_over_is_left_and_nothing_else(tmp_path: Path) -> None:
    left = _kill_a_run(tmp_path / "one.csv", "checkpoint")
    with WorkFolder.beside(tmp_path / "one.csv", resume=True) as folder:
        folder.new_file("x.bin").write_bytes(b"1")
    assert sorted(path.name for path in left.iterdir()) == [CHECKPOINT, MARKER]


def test_nothing_is_left_where_there_is_no_checkpoint(tmp_path: Path) -> None:
    with WorkFolder.beside(tmp_path / "one.csv", resume=True) as folder:
        folder.new_file("x.bin").write_bytes(b"1")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_where_the_checkpoint_is_empty(tmp_path: Path) -> None:
    with WorkFolder.beside(tmp_path / "one.csv", resume=True) as folder:
        (folder.path / CHECKPOINT).mkdir()
        (folder.path / CHECKPOINT / "fingerprint.json").touch()
    assert list(tmp_path.iterdir()) == []


def test_sweep_removes_what_the_slow_version_would(tmp_path: Path) -> None:
    left = _kill_a_run(tmp_path / "one.csv")
    (tmp_path / "data.csv").touch()
    (tmp_path / ".file.microagg-work").touch()
    (tmp_path / ".link.microagg-work").symlink_to(left)
    with WorkFolder.for_writing(tmp_path / "other.csv"):  # sweeps on entering: kill another one inside
        left = _kill_a_run(tmp_path / "one.csv")
        expected = naive_sweep(tmp_path)
        assert sweep(tmp_path) == expected == [left]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".file.microagg-work",
        ".link.microagg-work",
        "data.csv",
    ]


def test_a_folder_that_is_not_there_has_nothing_to_sweep(tmp_path: Path) -> None:
    assert sweep(tmp_path / "nowhere") == []


def test_folders_of_other_users_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = _kill_a_run(tmp_path / "one.csv")
    mine = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    assert sweep(tmp_path) == []
    assert left.exists()


def test_a_file_system_without_locks_is_used_without_them_and_nothing_is_swept_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(file: object) -> bool:
        raise OSError("not supported")

    left = _kill_a_run(tmp_path / "one.csv")
    monkeypatch.setattr("microagg.control.left_folders.lock", no_locks)
    monkeypatch.setattr("microagg.control.work_folder.lock", no_locks)
    with WorkFolder.beside(tmp_path / "other.csv") as folder:
        assert folder.path.is_dir()
    assert list(tmp_path.iterdir()) == [left]
