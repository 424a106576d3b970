"""Staging folders are removed with all that is in them; where that is not possible, a warning names them."""

import logging
from pathlib import Path
from typing import Any

import pytest

from microagg import WriteError
from microagg.spark.staging import Staging, check_new_folder


class StubbornFolders:
    """Folders that cannot be removed.

    Parameters
    ----------
    error
        What is raised instead; None: nothing happens.
    """

    def __init__(self, error: Exception | None) -> None:
        self._error = error

    def remove(self, path: str) -> None:
        """Do not remove a folder."""
        if self._error is not None:
            raise self._error

    def exists(self, path: str) -> bool:
        """Tell that the folder is there."""
        return True


def test_what_is_stored_is_loaded_and_removed(spark: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    staging = Staging(spark, str(tmp_path))
    staging.store(spark.range(3).selectExpr("id", "double(id) AS `a.b`"), "some")
    loaded = staging.load("some")
    assert sorted(map(tuple, loaded.collect())) == [(0, 0.0), (1, 1.0), (2, 2.0)]
    staging.remove()
    assert not list(tmp_path.iterdir())
    assert not caplog.records


def test_only_the_own_folder_is_made(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("none/deeper", "file"):
        with pytest.raises(WriteError, match=rf"the folder {tmp_path}/{name} for temporary files.* is not there"):
            Staging(spark, str(tmp_path / name))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    with pytest.raises(WriteError, match="nothing can be written to the folder /proc for temporary files"):
        Staging(spark, "/proc")


def test_an_output_that_cannot_be_made_is_refused(spark: Any, tmp_path: Path) -> None:
    check_new_folder(spark, str(tmp_path / "safe"))
    assert not list(tmp_path.iterdir()), "what was tried is removed"
    with pytest.raises(WriteError, match=rf"the output {tmp_path} exists"):
        check_new_folder(spark, str(tmp_path))
    with pytest.raises(WriteError, match=rf"the folder {tmp_path}/none of the output is not there: make it first"):
        check_new_folder(spark, str(tmp_path / "none" / "safe"))
    with pytest.raises(WriteError, match="nothing can be written to the folder /proc of the output: choose another"):
        check_new_folder(spark, "/proc/safe")


@pytest.mark.parametrize("error", [None, OSError("the session is gone")])
def test_a_folder_that_cannot_be_removed_is_named(
    spark: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture, error: Exception | None
) -> None:
    staging = Staging(spark, str(tmp_path))
    staging.folders = StubbornFolders(error)  # type: ignore[assignment]
    with caplog.at_level(logging.WARNING, "microagg"):
        staging.remove()
    assert caplog.messages == [
        f"the staging folder {staging.path} cannot be removed: it holds originals, remove it yourself"
    ]
