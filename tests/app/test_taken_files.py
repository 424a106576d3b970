"""Only files that belong to a run are taken home, and only those that are there."""

from pathlib import Path

from microagg.app.taken_files import TakenFile, taken_files


def test_files_that_are_there_are_listed_with_the_release_first(tmp_path: Path) -> None:
    for name in ("report.html", "release.toml", "safe.csv", "history.json", "checks.json"):
        (tmp_path / name).write_text("12345")
    assert taken_files(tmp_path, "safe.csv") == [
        TakenFile("safe.csv", "release", 5),
        TakenFile("report.html", "internal", 5),
        TakenFile("release.toml", "plan", 5),
    ]


def test_a_release_that_is_not_checked_is_not_listed(tmp_path: Path) -> None:
    for name in ("release.toml", "safe.csv"):
        (tmp_path / name).write_text("12345")
    assert [one.name for one in taken_files(tmp_path, "safe.csv")] == ["release.toml"]


def test_nothing_is_there_before_the_release(tmp_path: Path) -> None:
    assert taken_files(tmp_path, "safe.csv") == []
