"""A run is resumed only with the same plan, input and version, and with the random state that it had."""

import logging
from pathlib import Path

import pytest

from microagg import InputError, Plan, read
from microagg.control.checkpoint import FolderCheckpoint, NoCheckpoint
from microagg.control.work_folder import WorkFolder
from microagg.resumption import resumable


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_text("x,y\n1,2\n3,4\n")
    return path


def _begin(source: Path, plan: Plan, *, resume: bool = False) -> tuple[Plan, bool]:
    """Begin a run and leave it as if it were killed; return its plan, and whether it found another one."""
    output = source.with_name("out.csv")
    with WorkFolder.beside(output, resume=resume) as folder:
        settled, checkpoint = resumable(plan, read(source), folder, output, resume=resume)
        assert isinstance(checkpoint, FolderCheckpoint)
        checkpoint.store("set0/labels", {})
        folder.keep()
        return settled, checkpoint.found


def test_a_random_state_that_was_drawn_is_that_of_the_killed_run(source: Path) -> None:
    plan = Plan(k=2, random_state=None)
    first, found = _begin(source, plan)
    assert not found
    assert isinstance(first.random_state, int)
    second, found = _begin(source, plan, resume=True)
    assert found
    assert second.random_state == first.random_state
    third, found = _begin(source, plan)
    assert not found
    assert third.random_state != first.random_state


def test_a_random_state_that_was_given_stays(source: Path) -> None:
    assert _begin(source, Plan(k=2, random_state=7))[0].random_state == 7


def test_what_differs_is_named(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _begin(source, Plan(k=2))
    with pytest.raises(InputError, match="option k is not the same as then"):
        _begin(source, Plan(k=3), resume=True)
    with pytest.raises(InputError, match="option method is not the same as then"):
        _begin(source, Plan(k=2, method="mdav"), resume=True)
    monkeypatch.setattr("microagg.resumption.__version__", "99")
    source.write_text("x,y\n1,2\n3,5\n")
    with pytest.raises(InputError, match="the version of microagg and the input are not the same as then"):
        _begin(source, Plan(k=2), resume=True)


def test_a_run_that_was_refused_leaves_the_checkpoint(source: Path) -> None:
    _begin(source, Plan(k=2))
    with pytest.raises(InputError, match="option k"):
        _begin(source, Plan(k=3), resume=True)
    assert _begin(source, Plan(k=2), resume=True)[1]


def test_notices_say_what_is_resumed(source: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    _begin(source, Plan(k=2), resume=True)
    assert caplog.messages == [
        f"there is no run to resume for {source.with_name('out.csv')}: starting from the beginning"
    ]
    caplog.clear()
    _begin(source, Plan(k=2), resume=True)
    assert caplog.messages == ["resuming the run that was interrupted"]


def test_a_stage_of_the_users_own_cannot_be_compared_later(source: Path) -> None:
    def own(problem: object, rng: object, run: object) -> None:
        """Construct nothing."""

    plan = Plan(k=2, method=own)
    output = source.with_name("out.csv")
    with WorkFolder.beside(output) as folder:
        assert isinstance(resumable(plan, read(source), folder, output, resume=False)[1], NoCheckpoint)
        with pytest.raises(InputError):
            resumable(plan, read(source), folder, output, resume=True)
