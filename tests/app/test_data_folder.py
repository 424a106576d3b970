"""Files are opened below the data folder only, however a path is written."""

import os
from pathlib import Path

import pytest

from microagg.app.data_folder import DataFolder, FolderEntry
from microagg.app.request_error import RequestError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "2024").mkdir(parents=True)
    (folder / "people.csv").write_text("a\n1\n")
    (folder / "2024" / "firms.parquet").write_bytes(b"PAR1")
    (folder / "notes.md").write_text("not a table")
    (folder / ".hidden.csv").write_text("a\n1\n")
    (tmp_path / "secret.csv").write_text("a\n1\n")
    return folder


@pytest.mark.parametrize("given", ["people.csv", "./people.csv", "2024/../people.csv", "2024//firms.parquet"])
def test_files_below_the_folder_are_opened(root: Path, given: str) -> None:
    assert DataFolder(root).file(given) == (root / given).resolve()
    assert DataFolder(root).file(str(root / given)) == (root / given).resolve()


@pytest.mark.parametrize(
    "given",
    ["../secret.csv", "2024/../../secret.csv", "/etc/passwd", "missing.csv", "2024", "", "a\0b", "~/x", "x" * 5000],
)
def test_all_else_is_not_found(root: Path, given: str) -> None:
    with pytest.raises(RequestError, match="no such file that microagg may open") as e:
        DataFolder(root).file(given)
    assert e.value.status == 404


def test_a_path_that_only_begins_like_the_folder_is_not_found(root: Path) -> None:
    beside = root.with_name("data-of-others")
    beside.mkdir()
    (beside / "x.csv").touch()
    with pytest.raises(RequestError):
        DataFolder(root).file(str(beside / "x.csv"))


def test_links_are_followed_within_the_folder_only(root: Path) -> None:
    (root / "inside.csv").symlink_to(root / "people.csv")
    (root / "outside.csv").symlink_to(root.parent / "secret.csv")
    (root / "up").symlink_to(root.parent, target_is_directory=True)
    (root / "circle.csv").symlink_to(root / "circle.csv")
    folder = DataFolder(root)
    assert folder.file("inside.csv") == (root / "people.csv").resolve()
    for given in ("outside.csv", "up/secret.csv", "circle.csv"):
        with pytest.raises(RequestError):
            folder.file(given)
    with pytest.raises(RequestError):
        folder.listing("up")
    assert [each.name for each in folder.listing().entries] == ["2024", "inside.csv", "people.csv"]


def test_what_is_no_regular_file_is_not_found(root: Path) -> None:
    os.mkfifo(root / "pipe.csv")
    with pytest.raises(RequestError):
        DataFolder(root).file("pipe.csv")
    assert "pipe.csv" not in [each.name for each in DataFolder(root).listing().entries]


def test_a_listing_shows_folders_and_files_that_can_be_read(root: Path) -> None:
    listing = DataFolder(root).listing()
    assert listing.path == str(root.resolve())
    assert listing.parent is None
    assert listing.entries == (
        FolderEntry("2024", str(root.resolve() / "2024"), is_folder=True),
        FolderEntry("people.csv", str(root.resolve() / "people.csv"), is_folder=False, n_bytes=4, kind="CSV"),
    )
    below = DataFolder(root).listing(listing.entries[0].path)
    assert below.parent == listing.path
    assert [(each.name, each.kind) for each in below.entries] == [("firms.parquet", "Parquet")]


def test_names_that_no_page_can_write_are_left_out(root: Path) -> None:
    (root / os.fsdecode(b"caf\xe9.csv")).touch()
    (root / "café.csv").touch()
    assert [each.name for each in DataFolder(root).listing().entries] == ["2024", "café.csv", "people.csv"]


@pytest.mark.parametrize("given", ["..", "/", "people.csv", "missing", "a\0b"])
def test_other_folders_are_not_listed(root: Path, given: str) -> None:
    with pytest.raises(RequestError, match="no such folder") as e:
        DataFolder(root).listing(given)
    assert e.value.status == 404


def test_without_a_folder_any_file_of_the_user_is_opened(root: Path) -> None:
    folder = DataFolder(None)
    assert folder.file(str(root.parent / "secret.csv")).name == "secret.csv"
    assert folder.listing(str(root)).parent == str(root.parent.resolve())
    assert folder.listing("/").parent is None
    assert folder.listing().path == str(Path.cwd())


def test_without_a_folder_other_machines_open_nothing(root: Path) -> None:
    folder = DataFolder(None, is_open=False)
    assert not folder.allows_paths
    for ask in (folder.file, folder.listing):
        with pytest.raises(RequestError, match="started without --data-dir: upload the file") as e:
            ask(str(root))
        assert e.value.status == 403


def test_files_of_sessions_are_never_opened(root: Path) -> None:
    folder = DataFolder(root, closed=root / "2024")
    with pytest.raises(RequestError):
        folder.file("2024/firms.parquet")
    with pytest.raises(RequestError):
        folder.listing("2024")
    assert [each.name for each in folder.listing().entries] == ["people.csv"]


def test_folders_of_other_servers_and_runs_are_closed(root: Path) -> None:
    other = root / ".web-7-abc.microagg-work" / "session-1"
    other.mkdir(parents=True)
    (other / "people.csv").write_text("a\n1\n")
    for folder in (DataFolder(root), DataFolder(None)):
        for given in (other, other.parent):
            with pytest.raises(RequestError, match="no such folder"):
                folder.listing(str(given))
        with pytest.raises(RequestError, match="no such file"):
            folder.file(str(other / "people.csv"))
