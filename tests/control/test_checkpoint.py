"""What was stored is loaded again, all of it or nothing, and only by a run that is the same."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from microagg.control.checkpoint import Checkpoint, FolderCheckpoint, NoCheckpoint
from microagg.control.left_folders import CHECKPOINT
from microagg.control.run import Run
from microagg.control.work_folder import WorkFolder
from microagg.model.errors import InputError
from microagg.model.limits import Limits

SAME = {"the plan": "k = 5", "the input": "sha256 ab", "the version": "1"}


@given(arrays(st.sampled_from([np.int64, np.int32, np.float64, np.bool_]), array_shapes(min_side=0)))
def test_arrays_come_back_as_they_were(stored: np.ndarray) -> None:
    with WorkFolder.temporary() as folder:
        checkpoint = FolderCheckpoint(folder, SAME)
        checkpoint.store("set0/part1/round2/block3", {"labels": stored, "order": np.arange(3)})
        loaded = checkpoint.load("set0/part1/round2/block3")
    assert loaded is not None
    assert list(loaded) == ["labels", "order"]
    np.testing.assert_array_equal(loaded["labels"], stored)
    assert loaded["labels"].dtype == stored.dtype


def test_a_key_that_was_not_stored_is_none(tmp_path: Path) -> None:
    with WorkFolder.beside(tmp_path / "out.csv") as folder:
        assert FolderCheckpoint(folder, SAME).load("set0") is None
        assert NoCheckpoint().load("set0") is None


def test_keys_of_tasks_begin_with_their_names(tmp_path: Path) -> None:
    with WorkFolder.beside(tmp_path / "out.csv") as folder:
        checkpoint = FolderCheckpoint(folder, SAME)
        part = checkpoint.under("set0").under("part1")
        part.store("round0", {"labels": np.zeros(2)})
        assert checkpoint.load("set0/part1/round0") is not None
        assert part.load("round0") is not None
        assert checkpoint.under("set1").under("part1").load("round0") is None
    none: Checkpoint = NoCheckpoint().under("set0")
    none.store("round0", {})
    assert none.load("round0") is None


def test_a_killed_run_is_found_by_one_that_resumes(tmp_path: Path) -> None:
    with WorkFolder.beside(tmp_path / "out.csv", resume=True) as folder:
        first = FolderCheckpoint(folder, SAME)
        assert not first.found
        first.store("labels", {"labels": np.arange(4)})
    with WorkFolder.beside(tmp_path / "out.csv", resume=True) as folder:
        second = FolderCheckpoint(folder, SAME)
        assert second.found
        loaded = second.load("labels")
        assert loaded is not None
        assert loaded["labels"].tolist() == [0, 1, 2, 3]
    with WorkFolder.beside(tmp_path / "out.csv") as folder:
        assert not FolderCheckpoint(folder, SAME).found


@pytest.mark.parametrize(
    ("now", "named"),
    [
        (SAME | {"the plan": "k = 6"}, "the plan is not the same"),
        (SAME | {"the input": "x", "the version": "2"}, "the input and the version are not the same"),
        ({"the plan": "k = 5", "the input": "sha256 ab"}, "the version is not the same"),
    ],
)
def test_what_differs_is_named(tmp_path: Path, now: dict[str, str], named: str) -> None:
    with WorkFolder.beside(tmp_path / "out.csv") as folder:
        FolderCheckpoint(folder, SAME)
        with pytest.raises(InputError, match=named):
            FolderCheckpoint(folder, now)


def test_the_random_state_is_that_of_the_killed_run(tmp_path: Path) -> None:
    with WorkFolder.beside(tmp_path / "out.csv") as folder:
        assert FolderCheckpoint(folder, SAME, random_state=2**62 + 1).random_state == 2**62 + 1
        assert FolderCheckpoint(folder, SAME, random_state=7).random_state == 2**62 + 1


@pytest.mark.parametrize("damaged", ["", "[]", '{"fingerprint": {}}', "x"])
def test_a_damaged_beginning_is_as_if_it_were_not_there(tmp_path: Path, damaged: str) -> None:
    with WorkFolder.beside(tmp_path / "out.csv") as folder:
        FolderCheckpoint(folder, SAME)
        (folder.path / CHECKPOINT / "beginning.json").write_text(damaged)
        assert not FolderCheckpoint(folder, SAME | {"the plan": "k = 6"}).found


@pytest.mark.parametrize("damaged", [b"", b"PK\x03\x04", b"no archive"])
def test_a_damaged_file_is_as_if_it_were_not_there(tmp_path: Path, damaged: bytes) -> None:
    with WorkFolder.beside(tmp_path / "out.csv") as folder:
        checkpoint = FolderCheckpoint(folder, SAME)
        checkpoint.store("labels", {"labels": np.arange(4)})
        (folder.path / CHECKPOINT / "labels.npz").write_bytes(damaged)
        assert checkpoint.load("labels") is None


def test_a_full_disk_ends_the_checkpoint_and_not_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(path: Path, **arrays: object) -> None:
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    with WorkFolder.beside(tmp_path / "out.csv") as folder:
        checkpoint = FolderCheckpoint(folder, SAME)
        checkpoint.store("one", {"labels": np.arange(4)})
        monkeypatch.setattr(np, "savez", full)
        checkpoint.store("two", {"labels": np.arange(4)})
        checkpoint.store("three", {"labels": np.arange(4)})
        assert checkpoint.load("one") is not None
        assert checkpoint.load("two") is None
        assert sorted(path.name for path in (folder.path / CHECKPOINT).iterdir()) == ["beginning.json", "one.npz"]
    assert caplog.messages == ["no further checkpoint is kept, the run goes on without: No space left on device"]


def test_a_run_hands_its_folder_and_checkpoint_on(tmp_path: Path) -> None:
    run = Run()
    assert isinstance(run.checkpoint, NoCheckpoint)
    assert run.folder is None
    with WorkFolder.beside(tmp_path / "out.csv") as folder:
        run.folder = folder
        run.checkpoint = FolderCheckpoint(folder, SAME)
        for other in (run.child(Limits()), run.share(2), run.task(0.5)):
            assert other.folder is folder
            assert other.checkpoint is run.checkpoint
