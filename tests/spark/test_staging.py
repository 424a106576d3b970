"""Staging folders are removed with all that is in them; where that is not possible, a warning names them."""

import logging
from pathlib import Path
from typing import Any

import pytest

from microagg.spark.staging import Staging


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
